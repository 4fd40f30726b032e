//! What several of our libraries of algorithms use: tables of a pattern, where it is cut, hashes, vectors,
//! patterns longer than a word, and references. This crate registers nothing, because a library would
//! otherwise bring the algorithms of this crate in addition to its own.

pub mod alignments;
pub mod borders;
pub mod candidates;
pub mod factorisation;
pub mod filled;
pub mod good_suffixes;
pub mod grams;
pub mod letters;
pub mod mismatch;
pub mod naive;
pub mod opening;
pub mod papers;
pub mod place;
pub mod rarity;
pub mod shifts;
pub mod two_way;
pub mod vector;
pub mod word;
