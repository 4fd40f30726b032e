//! The progress file of a collection.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::collection(input));
