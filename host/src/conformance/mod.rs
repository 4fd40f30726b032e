//! Whether what a library brings does what the host expects of it.

pub mod kinds;
pub mod smoke_test;
