//! String matching with the bits of a machine word.

pub mod bndm_like;
mod factorised;
pub mod shift;
pub mod window;

use assay_shared::word;
