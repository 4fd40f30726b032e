//! Factors of the pattern as bits, read from right to left.

pub mod bndm;
pub mod bndmq;
pub mod bxs;
pub mod fsbndm;
pub mod fsbndmq;
pub mod sbndm;
pub mod sbndm2;
pub mod sbndmq;
mod simplified;

assay_plugin_api::register!(family "bitparallel-bndm");
