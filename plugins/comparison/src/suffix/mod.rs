//! From right to left: good suffixes.

pub mod bm;
pub mod fs;
mod good_suffixes;
pub mod zt;

assay_plugin_api::register!(family "comparison-suffix");
