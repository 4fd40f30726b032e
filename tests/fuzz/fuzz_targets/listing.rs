//! The description of a library, from its child process and from the cache.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::listing(input));
