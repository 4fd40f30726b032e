//! The messages of a worker.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::worker(input));
