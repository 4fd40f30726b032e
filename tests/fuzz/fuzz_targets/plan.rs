//! The file of a plan.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::plan(input));
