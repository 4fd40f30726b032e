//! Algorithms that compare many characters with one instruction.

mod alignments;
mod mula_fl;
mod pair;
mod rarity;
mod simdnaive;
mod sz3;
mod vector;

assay_plugin_api::register!(family "packed");
