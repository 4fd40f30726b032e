//! Prefixes of the pattern as bits, read from left to right.

pub mod aoso;
pub mod faoso;
mod interleaved;
pub mod sa;
mod scan;
pub mod so;
pub mod tsa;
pub mod tso;

assay_plugin_api::register!(family "bitparallel-shift");
