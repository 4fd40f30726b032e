//! String matching with two ideas joined.

mod backward;
pub mod bmh_sbndm;
pub mod brss;
pub mod bun_indexof;
pub mod cpy_find;
mod escalation;
pub mod fjs;
pub mod go_index;
pub mod meta_tw;
pub mod rust_contains;
pub mod sbndm_bmh;
pub mod ssm;
pub mod v8_find;
pub mod webkit_find;

assay_plugin_api::register!(family "hybrid");
