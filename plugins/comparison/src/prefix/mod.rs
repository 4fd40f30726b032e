//! From left to right: borders and periods.

pub mod ac;
pub mod bf;
pub mod fjs;
pub mod kmp;
pub mod mp;
pub mod nsn;
pub mod tw;

assay_plugin_api::register!(family "comparison-prefix");
