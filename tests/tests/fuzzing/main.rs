//! Replays what fuzzers have found: every input of the corpora in `tests/fuzz/corpus/`, and changed copies of
//! them.
//!
//! `UPDATE_SEEDS=1 cargo test -p assay-tests --test fuzzing seeds` writes the seeds that the writers of the
//! formats make.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{reliability, repository};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The library of a package that has a workspace of its own.
#[path = "../../fuzz/src/lib.rs"]
mod targets;

use targets::{TARGETS, seeds};

/// The corpus of a target.
fn corpus(target: &str) -> PathBuf {
    repository().join("tests/fuzz/corpus").join(target)
}

/// The inputs in a corpus, in the order of their names.
fn inputs(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(corpus(target)).expect("each target has a corpus");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), fs::read(&file).expect("it can be read"))).collect()
}

/// Gives an input to a target. A broken promise fails the test with the input.
fn replay(name: &str, target: fn(&[u8]), input: &[u8], source: &Path) {
    if std::panic::catch_unwind(|| target(input)).is_err() {
        panic!("{name} breaks a promise for {input:?}, from {}: see the panic above", source.display());
    }
}

#[test]
fn every_input_of_the_corpora_keeps_the_promises() {
    let mut replayed = 0;
    for (name, target) in TARGETS {
        for (file, input) in inputs(name) {
            replay(name, target, &input, &file);
            replayed += 1;
        }
    }
    let what = "an input of the fuzzing corpora: no panic, bounded memory, and errors name a place";
    reliability::record(what, replayed);
}

/// Number of changed inputs of each target. All together take a few seconds.
const CHANGED: usize = 200;

#[test]
fn so_do_changed_copies_of_them() {
    for (name, target) in TARGETS {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let inputs = inputs(name);
        for _ in 0..CHANGED {
            let (file, input) = &inputs[random.random_range(..inputs.len())];
            let other = &inputs[random.random_range(..inputs.len())].1;
            let mut input = input.clone();
            for _ in 0..random.random_range(1..5) {
                change(&mut input, other, &mut random);
            }
            replay(name, target, &input, file);
        }
    }
    let changed = TARGETS.len() * CHANGED;
    reliability::record("a changed copy of such an input, with a fixed seed", changed);
}

/// Changes an input at a random place: a bit or a byte becomes another, a part is left out or comes twice, or
/// a part of another input takes its place.
fn change(input: &mut Vec<u8>, other: &[u8], random: &mut ChaCha8Rng) {
    let part = |length: usize, random: &mut ChaCha8Rng| {
        let start = random.random_range(..=length);
        start..length.min(start + random.random_range(0..40))
    };
    let place = part(input.len(), random);
    match random.random_range(0..5) {
        0 if !place.is_empty() => input[place.start] ^= 1 << random.random_range(0..8),
        1 if !place.is_empty() => input[place.start] = random.random(),
        2 => drop(input.drain(place)),
        3 => {
            let copy = input[place.clone()].to_vec();
            input.splice(place.start..place.start, copy);
        }
        _ => drop(input.splice(place, other[part(other.len(), random)].iter().copied())),
    }
}

#[test]
fn the_seeds_are_what_the_writers_of_the_formats_make() {
    for (target, name, bytes) in seeds() {
        let file = corpus(target).join(format!("made_{name}"));
        if std::env::var_os("UPDATE_SEEDS").is_some() {
            fs::write(&file, &bytes).expect("a seed can be written");
        }
        let written = fs::read(&file).unwrap_or_default();
        assert!(
            target == "elf" || written == bytes,
            "{} is old: set UPDATE_SEEDS=1 for this test",
            file.display()
        );
    }
}

#[test]
fn every_target_has_its_program_and_its_seeds() {
    for (name, _) in TARGETS {
        let program = repository().join(format!("tests/fuzz/fuzz_targets/{name}.rs"));
        let text = fs::read_to_string(program).expect("a target has a program for libFuzzer");
        assert!(text.contains(&format!("assay_fuzz::{name}(")), "{name}");
        assert!(!inputs(name).is_empty(), "{name} has no seed");
    }
}
