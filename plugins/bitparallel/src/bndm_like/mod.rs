//! Factors of the pattern as bits, read from right to left.

pub mod bndm;

assay_plugin_api::register!(family "bitparallel-bndm");
