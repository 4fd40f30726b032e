//! Hashes of windows and of their q-grams.

mod distances;
mod dna;
mod shifts;
mod skip_two_way;

pub mod bmh;
pub mod by_bmh;
pub mod distq;
pub mod doublehash;
pub mod glibc_h2;
pub mod hash;
pub mod hq_ph;
pub mod hq_qf;
pub mod hqbm_ph;
pub mod hqbm_qf;
pub mod kim_ngram;
pub mod kr;
pub mod ldistq;
pub mod ohash;
pub mod qf;
pub mod rz;
pub mod volnitsky;

assay_plugin_api::register!(family "hashing-qgram");
