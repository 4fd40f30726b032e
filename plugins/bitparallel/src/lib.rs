//! String matching with the bits of a machine word.

pub mod bndm_like;
pub mod shift;
pub mod window;

use assay_shared::word;
