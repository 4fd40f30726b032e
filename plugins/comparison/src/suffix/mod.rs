//! From right to left: good suffixes.

pub mod ag;
pub mod bm;
pub mod fs;
mod good_suffixes;
pub mod tbm;
pub mod zt;

assay_plugin_api::register!(family "comparison-suffix");
