//! Algorithms that compare many characters with one instruction.

mod bits;
mod crc;
mod epsm;
mod epsma;
mod fingerprints;
mod libmem_strstr;
mod libmem_transition;
mod mula_fl;
mod mula_sad;
mod pair;
pub mod simdnaive;
mod ssecp;
mod ssef;
mod ssefa;
mod sums;
mod swar;
mod sz3;

use assay_shared::{alignments, rarity, vector};

assay_plugin_api::register!(family "packed");
