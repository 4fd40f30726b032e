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
//! [`Finder`] has `find`, `rfind`, `find_iter` and `needle` of `memchr::memmem::Finder`, so a program that
//! only searches changes one line:
//!
//! ```
//! // use memchr::memmem;
//! use assay_finder as memmem;
//!
//! assert_eq!(memmem::find(b"bananas", b"nas"), Some(4));
//! assert_eq!(memmem::Finder::new("an").find_iter(b"bananas").count(), 2);
//! ```
//!
//! The method is chosen for each search by the lengths of pattern and text, the instructions of the CPU and a
//! sample of the text; a [`Decision`](decision::Decision) shows what was chosen. No method reads a byte
//! outside of the text, and all are linear in the worst case. An iterator searches a text with many
//! occurrences in parts, which have 64 of them or 64 KiB at most, and each of these searches may compare 16
//! KiB in vain before it changes the method.
//!
//! # Instructions
//!
//! With the feature `std`, which is on by default, the CPU is asked once for its instructions: AVX-512, AVX2
//! or SSE2 on x86-64. The environment variable `ASSAY_FINDER` limits them to one of the
//! [names](cpu::Instructions::name). Without `std`, the instructions that the program is compiled for are
//! used. On other architectures than x86-64 the portable code searches; there is none with NEON yet.
//!
//! # Parts
//!
//! A program needs nothing but [`Finder`] and the functions beside it. The modules are for those who want to
//! know or to decide more: [`search`](mod@search) reports all occurrences to a [`Found`](found::Found), those
//! that overlap included, and counts what it does if the [`Text`](text::Text) does. There is no allocation
//! anywhere.

#![cfg_attr(not(any(feature = "std", test)), no_std)]

mod all_characters;
mod candidates;
pub mod cpu;
pub mod decision;
pub mod factorisation;
mod finder;
pub mod found;
mod giving_up;
mod gram_hash;
mod iter;
mod method;
mod near;
#[cfg(target_arch = "x86_64")]
mod packed;
mod packing;
mod parities;
mod part;
#[cfg(target_arch = "x86_64")]
mod planes;
mod region;
mod sample;
pub mod search;
#[cfg(target_arch = "x86_64")]
mod short;
mod some_characters;
pub mod text;
mod two_way;
mod vector;
mod windows;

#[cfg(test)]
mod counted;
#[cfg(test)]
mod draws;
#[cfg(test)]
mod give_ups;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod worst_case;

pub use finder::{Finder, find, find_iter, rfind};
pub use iter::FindIter;
