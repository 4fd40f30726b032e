//! What several of our libraries of algorithms use: tables of a pattern, where it is cut, hashes, vectors, and patterns longer than a word. It registers
//! nothing, so that a library that links it brings its own algorithms alone.

pub mod alignments;
pub mod borders;
pub mod factorisation;
pub mod grams;
pub mod opening;
pub mod rarity;
pub mod shifts;
pub mod vector;
pub mod word;
