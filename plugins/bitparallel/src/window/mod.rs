//! Alignments of the pattern as bits, and windows wider than the pattern.

pub mod blim;
pub mod bww;
pub mod dbww;
pub mod dbww2;
mod foreign;
pub mod sabp;
pub mod svm;
mod wide;

assay_plugin_api::register!(family "bitparallel-window");
