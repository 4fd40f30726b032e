//! Every algorithm, in all three readings, against a naive search on generated cases; and the counts of `stat_bf` and
//! `stat_hor` against those of SMART.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;

use assay_automata::backward_oracle::BackwardOracle;
use assay_bitparallel::backward_nondeterministic::BackwardNondeterministic;
use assay_bitparallel::shift_or::ShiftOr;
use assay_comparison::boyer_moore::BoyerMoore;
use assay_comparison::brute_force::BruteForce;
use assay_comparison::horspool::Horspool;
use assay_comparison::knuth_morris_pratt::KnuthMorrisPratt;
use assay_comparison::morris_pratt::MorrisPratt;
use assay_comparison::quick_search::QuickSearch;
use assay_comparison::raita::Raita;
use assay_comparison::tuned_boyer_moore::TunedBoyerMoore;
use assay_comparison::two_way::TwoWay;
use assay_hashing::karp_rabin::KarpRabin;
use assay_plugin_api::private::{Item, Registration, inventory};
use assay_plugin_api::probe::CountingReading;
use assay_plugin_api::testing::{Checker, Subject, naive};
use assay_plugin_api::{Algorithm, Field};
use assay_tests::{repository, shared};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

/// The list of algorithms: three tests for each.
macro_rules! algorithms {
    ($($id:ident: $algorithm:ty),* $(,)?) => {
        const LISTED: &[&str] = &[$(<$algorithm as Algorithm>::ABOUT.id),*];
        $(mod $id {
            use super::*;

            #[test]
            fn random() {
                agrees::<$algorithm>(random_case());
            }

            #[test]
            fn periodic() {
                agrees::<$algorithm>(periodic_case());
            }

            #[test]
            fn adversarial() {
                agrees::<$algorithm>(adversarial_case());
            }
        })*
    };
}

algorithms! {
    bf: BruteForce,
    bm: BoyerMoore,
    bndm: BackwardNondeterministic,
    bom: BackwardOracle,
    hor: Horspool,
    kmp: KnuthMorrisPratt,
    kr: KarpRabin,
    mp: MorrisPratt,
    qs: QuickSearch,
    raita: Raita,
    so: ShiftOr,
    tunedbm: TunedBoyerMoore,
    tw: TwoWay,
}

#[test]
fn no_registered_algorithm_is_missing_from_the_list() {
    let export = |registration: &Registration| match registration.item {
        // SAFETY: the id of an item that was made just now.
        Item::Algorithm(export, variant) => Some(unsafe { export(false, variant.as_ref()).id.text() }),
        _ => None,
    };
    let mut registered: Vec<_> = inventory::iter::<Registration>().filter_map(export).collect();
    registered.sort();
    assert_eq!(registered, LISTED);
}

/// Pattern and text.
type Case = (Vec<u8>, Vec<u8>);

const CASES: u32 = 1000;

/// The same cases on every run; others with `PROPTEST_RNG_SEED=N`. A failure is printed in its smallest form, which is
/// all that is needed to repeat it: no file is kept.
fn config() -> ProptestConfig {
    let chosen = ProptestConfig::default();
    let rng_seed = match chosen.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        seed => seed,
    };
    ProptestConfig { cases: CASES, rng_seed, failure_persistence: None, ..chosen }
}

fn agrees<A: Algorithm>(cases: impl Strategy<Value = Case>) {
    let checker = RefCell::new(Checker::<A>::default());
    let searched = Cell::new(0);
    let outcome = TestRunner::new(config()).run(&cases, |(pattern, text)| {
        let has_searched = checker.borrow_mut().case(&pattern, &text);
        prop_assert_eq!(
            has_searched,
            text.len() >= pattern.len(),
            "an algorithm of this list refuses nothing"
        );
        searched.set(searched.get() + u32::from(has_searched));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    // Some texts are shorter than the pattern.
    assert!(searched.get() > CASES / 2, "only {} of {CASES} cases were searched", searched.get());
}

/// A pattern of the text, from anywhere in it (both ends included), and in one case of three with one byte changed.
fn with_pattern(text: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Case> {
    let places = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let change = prop::option::weighted(0.33, (any::<prop::sample::Index>(), any::<u8>()));
    (text, places, change).prop_map(|(text, (from, to), change)| {
        let (from, to) = (from.index(text.len()), to.index(text.len()));
        let mut pattern = text[from.min(to)..=from.max(to)].to_vec();
        if let Some((place, byte)) = change {
            *place.get_mut(&mut pattern) = byte;
        }
        (pattern, text)
    })
}

fn letters(alphabet: u8) -> impl Strategy<Value = u8> + Clone {
    // The greatest bytes: what treats them as signed, or as text, is found out.
    any::<u8>().prop_map(move |byte| if alphabet == 0 { byte } else { 255 - byte % alphabet })
}

/// Letters drawn uniformly from alphabets of 2, 4, 20 and 256 (here 0); short patterns too, which occur often.
fn random_case() -> impl Strategy<Value = Case> {
    prop::sample::select(vec![2, 4, 20, 0]).prop_flat_map(|alphabet| {
        let text = prop::collection::vec(letters(alphabet), 1..400);
        let apart = (prop::collection::vec(letters(alphabet), 1..8), text.clone());
        prop_oneof![with_pattern(text), apart]
    })
}

/// a^n b repeated, (ab)^n, (aab)^n and Fibonacci words, cut anywhere.
fn periodic_case() -> impl Strategy<Value = Case> {
    let run = (0..90_usize).prop_map(|n| [vec![b'a'; n], vec![b'b']].concat());
    let block = prop_oneof![run, Just(b"ab".to_vec()), Just(b"aab".to_vec()), Just(fibonacci(300))];
    with_pattern((block, 1..300_usize).prop_map(|(block, length)| block.repeat(length)[..length].to_vec()))
}

fn fibonacci(length: usize) -> Vec<u8> {
    let (mut previous, mut word) = (b"b".to_vec(), b"a".to_vec());
    while word.len() < length {
        let next = [&word[..], &previous].concat();
        previous = std::mem::replace(&mut word, next);
    }
    word
}

/// Texts put together from pieces of the pattern: prefixes, suffixes and whole ones, which begin or end an occurrence as
/// often as can be. Patterns reach beyond two machine words.
fn adversarial_case() -> impl Strategy<Value = Case> {
    let pattern = prop_oneof![
        prop::collection::vec(letters(2), 1..12),
        prop::collection::vec(letters(3), 50..140),
        (prop::collection::vec(letters(0), 1..6), 1..30_usize).prop_map(|(block, times)| block.repeat(times)),
    ];
    let pieces = prop::collection::vec((0..3_u8, any::<prop::sample::Index>()), 1..8);
    (pattern, pieces).prop_map(|(pattern, pieces)| {
        let piece = |(kind, place): (u8, prop::sample::Index)| match (kind, place.index(pattern.len())) {
            (0, end) => &pattern[..=end],
            (1, start) => &pattern[start..],
            _ => &pattern[..],
        };
        let text = pieces.into_iter().flat_map(piece).copied().collect();
        (pattern, text)
    })
}

/// The counts of SMART for brute force and Horspool on generated texts, every field of them.
#[test]
fn counts_equal_those_of_smart() {
    let counts = repository().join("tests/fixtures/smart_counts.csv");
    assert_eq!(compare_all(&counts, generated_text), 10);
}

/// The same, and on real texts too.
#[test]
fn counts_on_real_texts_equal_those_of_smart() {
    let Some(counts) = shared("reference/smart_counts_bf_hor.csv") else { return };
    let Some(data) = shared("data") else { return };
    let text = |row: &Row| match row["text_kind"].as_str() {
        "file" => {
            let (offset, length) = (number(row, "text_offset"), number(row, "text_length"));
            std::fs::read(data.join(&row["text_spec"])).unwrap()[offset..offset + length].to_vec()
        }
        _ => generated_text(row),
    };
    assert_eq!(compare_all(&counts, text), 16);
}

/// Compares every row of a file, and says how many there were.
fn compare_all(counts: &Path, text: impl Fn(&Row) -> Vec<u8>) -> usize {
    let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(counts).unwrap();
    let compared = rows.deserialize().map(|row| {
        let row: Row = row.unwrap();
        match row["algo"].as_str() {
            "stat_bf" => compare::<BruteForce>(&row, &text(&row)),
            "stat_hor" => compare::<Horspool>(&row, &text(&row)),
            other => panic!("no algorithm for {other}"),
        }
    });
    compared.count()
}

type Row = HashMap<String, String>;

fn compare<A: Algorithm>(row: &Row, text: &[u8]) {
    let pattern = bytes_of_hex(&row["pattern_hex"]);
    let mut subject = Subject::<A, CountingReading>::default();
    let count = subject.count(&pattern, text).unwrap();
    let case = format!("{} {}", row["case_id"], row["algo"]);
    assert_eq!(count.to_string(), row["count"], "{case}: count");
    assert_eq!(naive(&pattern, text).len().to_string(), row["expected_count"], "{case}: expected_count");

    let measured = subject.measurements();
    for field in Field::ALL {
        let column = match field {
            Field::MemoryUsed => "memory_used",
            Field::LookupEntries => "num_lookup_entries1",
            Field::LookupEntries2 => "num_lookup_entries2",
            Field::TextBytesRead => "text_bytes_read",
            Field::PatternBytesRead => "pattern_bytes_read",
            Field::Computations => "num_computations",
            Field::Writes => "num_writes",
            Field::Branches => "num_branches",
            Field::Jumps => "num_jumps",
            Field::Lookups => "num_lookups",
            Field::Verifications => "num_verifications",
        };
        let figure = measured.fields[field as usize].expect("the counting reading counts every field");
        assert_eq!(figure.to_string(), row[column], "{case}: {column}");
    }
    for (i, figure) in measured.extra.iter().enumerate() {
        assert_eq!(figure.unwrap_or(0).to_string(), row[&format!("extra{i}")], "{case}: extra{i}");
    }
    let names: Vec<&str> = row["extra_names"].split(';').filter(|name| !name.is_empty()).collect();
    assert_eq!(A::EXTRA, names, "{case}: names of the extra fields");
}

fn number(row: &Row, column: &str) -> usize {
    row[column].parse().unwrap()
}

fn generated_text(row: &Row) -> Vec<u8> {
    let (spec, length) = (&row["text_spec"], number(row, "text_length"));
    let value = |name| {
        let pair = spec.split(';').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        pair.unwrap_or_else(|| panic!("no {name} in {spec}"))
    };
    match row["text_kind"].as_str() {
        "lcg" => {
            let [mut state, sigma, base] =
                ["seed", "sigma", "base"].map(|name| value(name).parse::<u64>().unwrap());
            let mut letter = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (base + (state >> 33) % sigma) as u8
            };
            (0..length).map(|_| letter()).collect()
        }
        "repeat" => bytes_of_hex(value("block_hex")).into_iter().cycle().take(length).collect(),
        other => panic!("no texts of kind {other}"),
    }
}

fn bytes_of_hex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}
