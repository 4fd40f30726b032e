//! Exact search for one pattern, with the widest registers that the CPU has.
//!
//! ```
//! use assay_finder::Finder;
//!
//! let finder = Finder::new("ana");
//! assert_eq!(finder.find(b"bananas"), Some(1));
//! assert_eq!(finder.rfind(b"bananas"), Some(3));
//! assert_eq!(finder.count(b"bananas"), 2);
//! assert_eq!(finder.find_iter(b"bananas").collect::<Vec<_>>(), [1]);
//! ```
//!
//! [`Finder`] has the functions of `memchr::memmem::Finder`, so a program changes one line. The method is chosen for
//! each search by the lengths of pattern and text, the instructions of the CPU and a sample of the text: see
//! [`method::Method`]. No method reads a byte outside of the text, and all are linear in the worst case.

#![cfg_attr(not(any(feature = "std", test)), no_std)]

pub mod all_characters;
pub mod code;
pub mod cpu;
mod finder;
pub mod found;
pub mod method;
#[cfg(target_arch = "x86_64")]
pub mod planes;
pub mod sample;
pub mod search;
pub mod some_characters;
pub mod text;
pub mod two_way;
pub mod vector;
pub mod verify;
pub mod windows;

#[cfg(test)]
mod draws;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod worst_case;

pub use finder::{FindIter, Finder, find, find_iter, rfind};
