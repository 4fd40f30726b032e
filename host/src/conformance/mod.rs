//! Whether what a library brings does what the host expects of it.

pub mod algorithm;
pub mod kinds;
