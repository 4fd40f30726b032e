//! From right to left: good suffixes.

pub mod bm;

assay_plugin_api::register!(family "comparison-suffix");
