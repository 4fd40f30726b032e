//! String matching with the bits of a machine word.

pub mod bndm_like;
pub mod shift;

use assay_shared::word;
