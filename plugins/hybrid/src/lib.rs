//! String matching with two ideas joined.

mod backward;
pub mod bmh_sbndm;
pub mod brss;
pub mod cpy_find;
pub mod fjs;
pub mod meta_tw;
pub mod sbndm_bmh;
pub mod ssm;

assay_plugin_api::register!(family "hybrid");
