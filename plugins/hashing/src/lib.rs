//! String matching by hashing.

pub mod qgram;
