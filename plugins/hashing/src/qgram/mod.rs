//! Hashes of windows and of their q-grams.

pub mod hash;
pub mod kr;
pub mod qf;

assay_plugin_api::register!(family "hashing-qgram");
