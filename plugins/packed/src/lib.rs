//! Algorithms that compare many characters with one instruction.

pub mod bits;
mod crc;
pub mod epsm;
mod epsma;
mod fingerprints;
pub mod libmem_strstr;
pub mod libmem_transition;
pub mod mula_fl;
pub mod mula_sad;
pub mod pair;
pub mod simdnaive;
pub mod ssecp;
mod ssef;
mod ssefa;
mod sums;
pub mod swar;
pub mod sz3;

use assay_shared::{alignments, rarity, vector};

assay_plugin_api::register!(family "packed");
