//! The file of an experiment.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::experiment(input));
