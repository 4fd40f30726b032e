//! A search of `assay-finder`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::finder(input));
