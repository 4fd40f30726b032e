//! What `stat_` twins count, against what SMART's count.

use std::collections::HashMap;
use std::path::Path;

use assay_automata::aut::Automaton;
use assay_automata::bom::BackwardOracle;
use assay_automata::bom2::BackwardOracleTable;
use assay_automata::bsdm::BackwardSnr;
use assay_automata::fdm::ForwardDawg;
use assay_bitparallel::bndm_like::bndm::BackwardNondeterministic;
use assay_bitparallel::shift::so::ShiftOr;
use assay_comparison::occurrence::hor::Horspool;
use assay_comparison::occurrence::qs::QuickSearch;
use assay_comparison::occurrence::raita::Raita;
use assay_comparison::occurrence::tunedbm::TunedBoyerMoore;
use assay_comparison::prefix::bf::BruteForce;
use assay_comparison::prefix::kmp::KnuthMorrisPratt;
use assay_comparison::prefix::mp::MorrisPratt;
use assay_comparison::prefix::tw::TwoWay;
use assay_comparison::suffix::bm::BoyerMoore;
use assay_hashing::factor::hc::HashChain;
use assay_hashing::factor::lhc::LinearHashChain;
use assay_hashing::factor::wfr::WeakFactorRecognition;
use assay_hashing::qgram::doublehash::DoubleHash;
use assay_hashing::qgram::kr::KarpRabin;
use assay_hashing::qgram::qf::QgramFiltering;
use assay_hybrid::fjs::FranekJenningsSmyth;
use assay_hybrid::ssm::PivotHybrid;
use assay_plugin_api::probe::CountingReading;
use assay_plugin_api::testing::{Candidate, Subject, naive};
use assay_plugin_api::{Algorithm, Field};
use assay_tests::{repository, shared};

/// Fields that are counted by hand below, in this order.
const BY_HAND: [Field; 8] = [
    Field::TextBytesRead,
    Field::PatternBytesRead,
    Field::Lookups,
    Field::Computations,
    Field::Jumps,
    Field::Verifications,
    Field::Branches,
    Field::Writes,
];

/// By the rules of "What is counted", for those that SMART does not instrument.
#[test]
fn counts_are_those_made_by_hand() {
    let (pattern, text) = (b"ab", b"bbbbbb");
    // Each character is compared, and the border of nothing followed: four branches and three writes.
    counts::<MorrisPratt>(pattern, text, [6, 6, 6, 0, 6, 6, 25, 20]);
    // The right part, b, matches and the left, a, does not: windows 0, 2 and 4, of six branches and four
    // writes.
    counts::<TwoWay>(pattern, text, [6, 6, 0, 0, 3, 3, 20, 13]);
    // All five windows have one comparison; all but the last read the character after them.
    counts::<QuickSearch>(pattern, text, [9, 5, 4, 0, 4, 5, 16, 10]);
    // In windows 0, 2 and 4 the last character, which is looked up as well, and the first.
    counts::<Raita>(pattern, text, [6, 6, 3, 0, 3, 0, 7, 4]);
    // In windows 0, 2 and 4 a look-up of the last, then a comparison of the first.
    counts::<TunedBoyerMoore>(pattern, text, [6, 3, 3, 0, 3, 3, 16, 10]);
    // A look-up and a step for each character: the loop's branch and the test, the state and the place.
    counts::<ShiftOr>(pattern, text, [6, 0, 6, 6, 6, 6, 13, 14]);
    // Two steps in each of the windows 0, 2 and 4.
    counts::<BackwardNondeterministic>(pattern, text, [6, 0, 6, 6, 3, 3, 22, 31]);
    // In each of five windows a look-up from the initial state, then a comparison, and a look-up that there
    // is no other.
    counts::<BackwardOracle>(pattern, text, [10, 5, 10, 0, 5, 5, 31, 36]);
    // Two characters of the first window, then one that enters and one that leaves for each of four steps.
    counts::<KarpRabin>(pattern, text, [10, 0, 0, 6, 4, 0, 13, 15]);
}

/// Finding the column of a byte in the automaton's table is not one.
#[test]
fn a_step_of_an_automaton_is_one_look_up() {
    let (pattern, text) = (b"ab", b"bbbbbb");
    // For each character a look-up, two branches and two writes.
    counts::<Automaton>(pattern, text, [6, 0, 6, 0, 6, 6, 13, 14]);
    // In each of five windows the last character is a factor, and the two characters are none.
    counts::<BackwardOracleTable>(pattern, text, [10, 0, 10, 0, 5, 5, 21, 26]);
    // The first b extends the empty factor. Each further one does not extend the b before it: a look-up of
    // that, one of the suffix link, and one from the initial state. No character after the text is read.
    counts::<ForwardDawg>(pattern, text, [6, 0, 16, 0, 6, 6, 24, 31]);
}

#[test]
fn a_character_of_the_pattern_in_a_register_is_read_in_each_comparison() {
    let (pattern, text) = (b"ab", b"bbbbbb");
    // In windows 0, 2 and 4 the last character is looked up, and compared as the pivot; then the first.
    counts::<PivotHybrid>(pattern, text, [9, 6, 3, 0, 3, 3, 13, 13]);
    // In the same windows the first character, which differs, then a look-up of the last.
    counts::<DoubleHash>(pattern, text, [6, 3, 3, 0, 3, 0, 7, 4]);
}

/// The last character, then the one before it, in each of two windows.
#[test]
fn a_character_that_ended_the_skip_loop_is_not_compared_again() {
    counts::<FranekJenningsSmyth>(b"ab", b"abab", [4, 4, 2, 0, 2, 2, 15, 16]);
}

/// One step more than a round of the unrolled loops has.
#[test]
fn an_unrolled_loop_counts_as_the_plain_one() {
    let (pattern, text) = (b"ab", b"bbbbbbb");
    counts::<KarpRabin>(pattern, text, [12, 0, 0, 7, 5, 0, 15, 17]);
    counts::<ShiftOr>(pattern, text, [7, 0, 7, 7, 7, 7, 15, 16]);
    // All windows but one end at the first comparison: the loop's branch, the comparison, and why it ended.
    counts::<TwoWay>(b"ab", b"aaab", [4, 4, 0, 0, 3, 1, 15, 10]);
}

/// The prefix that a word holds occurs twice: two tests of what comes after it, of which the second
/// succeeds.
#[test]
fn a_prefix_of_a_pattern_longer_than_a_word_is_a_filter() {
    let pattern = [&[b'a'; 64][..], b"b"].concat();
    let text = [&[b'a'; 65][..], b"b"].concat();
    counts::<ShiftOr>(&pattern, &text, [67, 2, 65, 65, 65, 2, 136, 135]);
    counts::<BackwardNondeterministic>(&pattern, &text, [130, 2, 128, 128, 2, 2, 394, 520]);
}

fn counts<A: Algorithm>(pattern: &[u8], text: &[u8], expected: [u64; 8]) {
    let mut subject = Subject::<A, CountingReading>::default();
    subject.prepare(pattern, text).unwrap().count(text).unwrap();
    let counted = BY_HAND.map(|field| subject.measurements().fields[field as usize]);
    assert_eq!(counted, expected.map(Some), "{}: {:?}", A::ABOUT.id, BY_HAND.map(Field::name));
}

/// What SMART counts on generated texts.
#[test]
fn counts_equal_those_of_smart() {
    let counts = repository().join("tests/fixtures/smart_counts.csv");
    assert_eq!(compare_all(&counts, generated_text), 36);
}

/// The same, and on real texts too.
#[test]
fn counts_on_real_texts_equal_those_of_smart() {
    let Some(counts) = shared("reference/smart_counts_ten.csv") else { return };
    let Some(data) = shared("data") else { return };
    let text = |row: &Row| match row["text_kind"].as_str() {
        "file" => {
            let (offset, length) = (number(row, "text_offset"), number(row, "text_length"));
            std::fs::read(data.join(&row["text_spec"])).unwrap()[offset..offset + length].to_vec()
        }
        _ => generated_text(row),
    };
    assert_eq!(compare_all(&counts, text), 66);
}

/// Of Boyer-Moore and Knuth-Morris-Pratt, tables are not SMART's: see their files. Besides, SMART counts
/// branches and writes by hand, and not in the same way everywhere: two for a condition of two parts in
/// `kmp`, one more for the greater of two shifts in `bm`.
const BM: &[&str] = &["memory_used", "num_lookup_entries1", "num_lookup_entries2", "num_branches", "extra"];
const KMP: &[&str] = &["memory_used", "num_lookup_entries1", "num_branches"];

/// Of Backward SNR DAWG Matching, verifications and entries: SMART's reads q-grams that no window has, before
/// the first and in a copy of the pattern after the text, and has no jump for those that are not in the
/// part.
const BSDM3: &[&str] = &[
    "memory_used",
    "text_bytes_read",
    "pattern_bytes_read",
    "num_computations",
    "num_writes",
    "num_branches",
    "num_jumps",
    "num_lookups",
    "extra",
];

/// Of those with a hash, SMART counts branches and writes otherwise; besides, tables are not SMART's: see
/// "What is counted".
const HC: &[&str] = &["num_branches", "num_writes"];
const LHC: &[&str] = &["num_branches", "num_writes", "num_lookup_entries1"];
const QF: &[&str] = &["num_branches", "num_writes", "memory_used", "extra"];
const WFR: &[&str] = &["num_branches", "num_writes", "memory_used", "extra"];

/// Compares every row of an algorithm that we have, and says how many there were.
fn compare_all(counts: &Path, text: impl Fn(&Row) -> Vec<u8>) -> usize {
    let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(counts).unwrap();
    let compared = rows.deserialize().filter(|row: &Result<Row, _>| {
        let row = row.as_ref().unwrap();
        // SMART's can't search for a pattern that short.
        if row["count"] == "-1" {
            return false;
        }
        match row["algo"].as_str() {
            // SMART counts neither the first write to the window's place, nor a comparison's index when it
            // moves.
            "stat_bf" => compare::<BruteForce>(row, &text(row), &[], |count, of| {
                1 + of(Field::TextBytesRead) + count - of(Field::Jumps)
            }),
            // SMART counts the first write twice.
            "stat_hor" => compare::<Horspool>(row, &text(row), &[], |_, _| -1),
            // SMART counts the first write twice, and a comparison's index not when it is set.
            "stat_bm" => compare::<BoyerMoore>(row, &text(row), BM, |_, of| of(Field::Jumps) - 1),
            "stat_kmp" => compare::<KnuthMorrisPratt>(row, &text(row), KMP, |_, _| 0),
            "stat_bsdm3" => compare::<BackwardSnr<3, 13>>(row, &text(row), BSDM3, |_, _| 0),
            "stat_hc3" => compare::<HashChain<3>>(row, &text(row), HC, |_, _| 0),
            "stat_lhc3" => compare::<LinearHashChain<3>>(row, &text(row), LHC, |_, _| 0),
            "stat_qf34" => compare::<QgramFiltering<3, 4>>(row, &text(row), QF, |_, _| 0),
            "stat_wfr3" => compare::<WeakFactorRecognition<3>>(row, &text(row), WFR, |_, _| 0),
            _ => return false,
        }
        true
    });
    compared.count()
}

type Row = HashMap<String, String>;

/// Compares the columns of a row with what ours counts, but for those named. Of writes, ours are `more` than
/// SMART's, by the number of occurrences and other fields.
fn compare<A: Algorithm>(
    row: &Row,
    text: &[u8],
    except: &[&str],
    more: fn(i64, &dyn Fn(Field) -> i64) -> i64,
) {
    let pattern = bytes_of_hex(&row["pattern_hex"]);
    let mut subject = Subject::<A, CountingReading>::default();
    let count = subject.prepare(&pattern, text).unwrap().count(text).unwrap();
    let case = format!("{} {}", row["case_id"], row["algo"]);
    assert_eq!(count.to_string(), row["count"], "{case}: count");
    assert_eq!(naive(&pattern, text).len().to_string(), row["expected_count"], "{case}: expected_count");

    let measured = subject.measurements();
    let figure =
        |field| measured.fields[field as usize].expect("the counting reading counts every field") as i64;
    let more_writes = more(count as i64, &figure);
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
        if except.contains(&column) {
            continue;
        }
        let more = if field == Field::Writes { more_writes } else { 0 };
        assert_eq!((figure(field) - more).to_string(), row[column], "{case}: {column}");
    }
    if except.contains(&"extra") {
        return;
    }
    for (i, figure) in measured.extra.iter().enumerate() {
        // SMART has six.
        let expected = row.get(&format!("extra{i}")).map_or("0", String::as_str);
        assert_eq!(figure.unwrap_or(0).to_string(), expected, "{case}: extra{i}");
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
