//! The file of an event set.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| assay_fuzz::event_set(input));
