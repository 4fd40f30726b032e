//! Prefixes of the pattern as bits, read from left to right.

pub mod sa;
mod scan;
pub mod so;

assay_plugin_api::register!(family "bitparallel-shift");
