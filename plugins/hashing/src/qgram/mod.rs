//! Hashes of windows and of their q-grams.

mod shifts;

pub mod bmh;
pub mod by_bmh;
pub mod hash;
pub mod kr;
pub mod qf;

assay_plugin_api::register!(family "hashing-qgram");
