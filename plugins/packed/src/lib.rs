//! Algorithms that compare many characters with one instruction.

mod alignments;
mod bits;
mod crc;
mod epsm;
mod epsma;
mod fingerprints;
mod mula_fl;
mod mula_sad;
mod pair;
mod rarity;
mod simdnaive;
mod ssecp;
mod ssef;
mod ssefa;
mod sums;
mod swar;
mod sz3;
mod vector;

assay_plugin_api::register!(family "packed");
