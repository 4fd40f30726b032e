//! Algorithms that compare characters of the pattern with characters of the text.
//!
//! A program can search with each of them, by a [`Finder`](assay_plugin_api::Finder):
//!
//! ```
//! use assay_comparison::occurrence::hor::Horspool;
//! use assay_plugin_api::Finder;
//!
//! let finder = Finder::<Horspool>::new("GCAGAGAG")?;
//! assert_eq!(finder.find(b"GCATCGCAGAGAGTATACAGTACG"), Some(5));
//! # Ok::<(), assay_plugin_api::CannotSearch>(())
//! ```

pub mod occurrence;
pub mod prefix;
pub mod skip;
pub mod suffix;

use assay_shared::{borders, grams, letters, opening, shifts};
