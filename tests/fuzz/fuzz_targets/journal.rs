//! The files that a run writes while it measures.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::journal(input));
