//! Hashes of windows and of their q-grams.

pub mod kr;

assay_plugin_api::register!(family "hashing-qgram");
