//! What a program pays for `assay_plugin_api::Finder` beside the call of the same algorithm as a plugin, whose text
//! the host has fitted: the tail of the text is copied if the algorithm has slack, and the whole text if it writes
//! there. Both take turns on the same patterns, and the ratio of their times is printed. Target: at most 1.05 where the
//! text is searched in place.
//!
//! `cargo bench -p assay-tests --bench finder`

use std::hint::black_box;
use std::time::{Duration, Instant};

use assay_automata::ebom::ExtendedBackwardOracle;
use assay_bitparallel::bndm_like::bndmq::Bndmq;
use assay_bitparallel::shift::so::ShiftOr;
use assay_comparison::occurrence::hor::Horspool;
use assay_comparison::prefix::tw::TwoWay;
use assay_hashing::factor::shc::SentinelHashChain;
use assay_load::plugin::{Searcher, TextBuffer, load};
use assay_own::own::Own;
use assay_plugin_api::{Algorithm, Finder, Hints};
use assay_tests::built;

const PATTERNS: usize = 40;
const ROUNDS: usize = 15;

/// An algorithm in both forms: its id, its library, its search in a program, and how its text is searched.
type Contender = (&'static str, &'static str, for<'a> fn(&'a [u8], &'a [u8]) -> Count<'a>, &'static str);

/// A search that counts occurrences.
type Count<'a> = Box<dyn FnMut() -> u64 + 'a>;

const CONTENDERS: [Contender; 7] = [
    ("tw", "comparison", by_finder::<TwoWay>, "in place"),
    ("hor", "comparison", by_finder::<Horspool>, "in place, its end copied"),
    ("so", "bitparallel", by_finder::<ShiftOr>, "in place"),
    ("bndmq4", "bitparallel", by_finder::<Bndmq<4>>, "in place"),
    ("ebom", "automata", by_finder::<ExtendedBackwardOracle>, "in place"),
    ("own", "own", by_finder::<Own>, "in place"),
    ("shc3", "hashing", by_finder::<SentinelHashChain<3>>, "copied"),
];

fn by_finder<'a, A: Algorithm>(pattern: &'a [u8], text: &'a [u8]) -> Count<'a> {
    let finder = Finder::<A>::for_text(pattern, text).expect("it takes such patterns");
    Box::new(move || finder.count(black_box(text)))
}

/// Times of the searches of a finder and of a plugin, for all patterns.
fn measure((id, library, by_finder, _): Contender, text: &[u8], m: usize) -> [Duration; 2] {
    let catalogue = load(&built().join(format!("libassay_{library}.so"))).expect("it was built");
    let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == id).expect("it is there");
    let mut searcher = Searcher::new(entry).expect("it can be made");
    let needs = searcher.needs(m).expect("it says what it needs");
    let mut memory = TextBuffer::new(text, &needs).expect("there is memory");
    let fitted = memory.fit(&needs).expect("it is made for these needs");
    let mut totals = [Duration::ZERO; 2];
    for number in 0..PATTERNS {
        let pattern = &text[(number * 26_171) % (text.len() - m)..][..m];
        // None of these looks at the beginning of the text.
        let hints = Hints { text_length: text.len(), ..Hints::default() };
        let mut prepared = searcher.prepare(pattern, hints).expect("it takes such patterns");
        let mut by_plugin = || prepared.count(black_box(&fitted)).expect("it searches");
        let mut by_finder = by_finder(pattern, text);
        assert_eq!(by_finder(), by_plugin(), "{id}");
        let mut best = [Duration::MAX; 2];
        for round in 0..2 * ROUNDS {
            let contender = (number + round) % 2;
            let start = Instant::now();
            black_box(if contender == 0 { by_finder() } else { by_plugin() });
            best[contender] = best[contender].min(start.elapsed());
        }
        totals = [totals[0] + best[0], totals[1] + best[1]];
    }
    totals
}

fn main() {
    let letters = b"                  eeeeeeeeeetttttttaaaaaaoooooonnnnniiiiihhhhhssssssrrrrrddddlllluuummmwwffccggyyppbbvk,.";
    let mut state = 1_u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        letters[(state >> 33) as usize % letters.len()]
    };
    let text: Vec<u8> = (0..1 << 20).map(|_| letter()).collect();
    println!(
        "time of a Finder / time of the plugin, {PATTERNS} patterns, the least of {ROUNDS} searches of each"
    );
    for n in [4096, 65_536, 1 << 20] {
        for m in [8, 64] {
            for contender in CONTENDERS {
                let [finder, plugin] = measure(contender, &text[..n], m).map(|time| time.as_secs_f64());
                let (id, _, _, how) = contender;
                let each = plugin * 1e6 / PATTERNS as f64;
                println!("n = {n:>7}, m = {m:>2}, {id:>6}: {:.3} ({each:.2} us; {how})", finder / plugin);
            }
        }
    }
}
