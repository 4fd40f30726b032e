//! String matching by hashing.

mod filter;

pub mod factor;
pub mod qgram;
