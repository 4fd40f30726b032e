//! The headers of a library.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::elf(input));
