//! The texts and figures of a library for SMART.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::smart(input));
