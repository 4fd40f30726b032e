//! The file with the results of a run.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::report(input));
