//! String matching with the bits of a machine word.

pub mod backward_nondeterministic;
mod prefix;
pub mod shift_or;
