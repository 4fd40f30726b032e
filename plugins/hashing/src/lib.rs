//! String matching by hashing.
