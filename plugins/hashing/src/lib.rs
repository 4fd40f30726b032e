//! String matching by hashing.

pub mod karp_rabin;
