//! The file of an experiment: `assay run FILE.toml`, and `experiment.toml` in the folder of a run.

use assay_experiment::definition::Experiment;

use super::check::{bounded, names_a_place, with_file};

/// The parser of TOML makes a table of 1.1 KB for each dot of a key, up to 80 dots.
const FACTOR: u64 = 1200;
const CONSTANT: u64 = 64 << 10;

/// Reads an experiment, checks it, and reads it again as it is written.
pub fn experiment(input: &[u8]) {
    let read = |text: &[u8]| with_file(text, Experiment::load);
    match bounded(input, FACTOR, CONSTANT, || read(input)) {
        Err(error) => names_a_place(&error.to_string(), &[]),
        Ok(experiment) => {
            let _ = experiment.validate();
            let _ = experiment.goes_on_in_words();
            let written = experiment.to_toml();
            let again = read(written.as_bytes()).expect("what was written can be read");
            // Not the values, because NaN is equal to nothing.
            assert_eq!(again.to_toml(), written);
        }
    }
}
