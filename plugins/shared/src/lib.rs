//! What several of our libraries of algorithms use: tables of a pattern, where it is cut, hashes, and patterns longer than a word. It registers
//! nothing, so that a library that links it brings its own algorithms alone.

pub mod borders;
pub mod factorisation;
pub mod grams;
pub mod shifts;
pub mod word;
