//! The progress file of a collection: `collection.toml`, from which `assay collect --resume` continues.

use assay_base::io::toml_input;
use assay_measure::collect::Manifest;

use super::check::{bounded, names_a_place, with_file};

/// As of experiments.
const FACTOR: u64 = 1200;
const CONSTANT: u64 = 64 << 10;

/// Reads a progress file, and reads it again as it is written.
pub fn collection(input: &[u8]) {
    let read = |text: &[u8]| with_file(text, toml_input::read::<Manifest>);
    match bounded(input, FACTOR, CONSTANT, || read(input)) {
        Err(error) => names_a_place(&error.to_string(), &[]),
        Ok(manifest) => {
            let written = toml::to_string(&manifest).expect("a collection has a TOML form");
            let again = read(written.as_bytes()).expect("what was written can be read");
            assert_eq!(toml::to_string(&again).as_deref(), Ok(written.as_str()));
        }
    }
}
