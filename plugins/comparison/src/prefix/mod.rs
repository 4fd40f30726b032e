//! From left to right: borders and periods.

pub mod bf;
pub mod kmp;
pub mod mp;
pub mod tw;

assay_plugin_api::register!(family "comparison-prefix");
