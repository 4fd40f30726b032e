//! Factors of the pattern as bits, read from right to left.

pub mod bndm;
pub mod bndml;
pub mod bndmq;
pub mod bql;
pub mod bxs;
mod factors;
pub mod fbndm;
pub mod fsbndm;
pub mod fsbndm_w;
pub mod fsbndmq;
pub mod fsbndmq_b;
pub mod gsb2;
pub mod kbndm;
pub mod lbndm;
pub mod paired;
pub mod pbndm;
pub mod rle_bndm;
pub mod sbndm;
pub mod sbndm2;
pub mod sbndm2b;
pub mod sbndm_w;
pub mod sbndmq;
pub mod simplified;
pub mod sliding;
pub mod tndm;
pub mod turbo_bndm;

assay_plugin_api::register!(family "bitparallel-bndm");
