//! What a probe that is off costs: Horspool as the plugin has it, against the same loop written by hand,
//! without and with bounds checks. The contenders take turns on the same patterns, and the ratios of their
//! times are printed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use assay_comparison::occurrence::hor::Horspool;
use assay_plugin_api::{Algorithm, Count, Off, Pattern, Text};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const TEXT: usize = 1 << 20;
const PATTERNS: usize = 40;
const ROUNDS: usize = 7;

type Search = fn(pattern: &[u8], text: &[u8]) -> u64;

const CONTENDERS: [(&str, Search); 3] =
    [("probe off", probe_off), ("by hand, unchecked", unchecked), ("by hand, safe", safe)];

#[inline(never)]
fn probe_off(pattern: &[u8], text: &[u8]) -> u64 {
    let (mut searcher, mut found) = (Horspool::default(), Count::default());
    searcher.prepare(pattern, Off);
    searcher.search(Pattern::new(pattern, Off), Text::new(text, Off), &mut found, Off);
    found.0
}

fn shifts(pattern: &[u8]) -> Box<[u32; 256]> {
    let m = pattern.len() as u32;
    let mut shift = Box::new([m; 256]);
    for (i, &byte) in pattern[..pattern.len() - 1].iter().enumerate() {
        shift[byte as usize] = m - 1 - i as u32;
    }
    shift
}

#[inline(never)]
fn unchecked(pattern: &[u8], text: &[u8]) -> u64 {
    let (m, n, shift) = (pattern.len(), text.len(), shifts(pattern));
    let (mut end, mut count) = (m - 1, 0);
    while end < n {
        let (s, mut i) = (end + 1 - m, 0);
        // SAFETY: i < m, so that s + i <= end < n.
        while i < m && unsafe { pattern.get_unchecked(i) == text.get_unchecked(s + i) } {
            i += 1;
        }
        if i == m {
            count += 1;
        }
        // SAFETY: end < n.
        end += shift[unsafe { *text.get_unchecked(end) } as usize] as usize;
    }
    count
}

#[inline(never)]
fn safe(pattern: &[u8], text: &[u8]) -> u64 {
    let (m, n, shift) = (pattern.len(), text.len(), shifts(pattern));
    let (mut end, mut count) = (m - 1, 0);
    while end < n {
        let (s, mut i) = (end + 1 - m, 0);
        while i < m && pattern[i] == text[s + i] {
            i += 1;
        }
        if i == m {
            count += 1;
        }
        end += shift[text[end] as usize] as usize;
    }
    count
}

/// Letters drawn from a list, in which the frequent ones stand more often. Seeded by the list's length alone.
fn drawn(letters: &[u8]) -> Vec<u8> {
    let mut state = letters.len() as u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        letters[(state >> 33) as usize % letters.len()]
    };
    (0..TEXT).map(|_| draw()).collect()
}

fn texts() -> [(&'static str, Vec<u8>); 2] {
    // English: letters and spaces per hundred characters.
    let english = b"                  eeeeeeeeeetttttttaaaaaaoooooonnnnniiiiihhhhhssssssrrrrrddddlllluuummmwwffccggyyppbbvk,.";
    let bytes: Vec<u8> = (0..=255).collect();
    [("english-like", drawn(english)), ("random", drawn(&bytes))]
}

fn patterns(text: &[u8], m: usize) -> impl Iterator<Item = &[u8]> {
    (0..PATTERNS).map(move |i| &text[(i * 26_171) % (TEXT - m)..][..m])
}

fn take_turns(criterion: &mut Criterion) {
    for (name, text) in texts() {
        for m in [4, 16, 64] {
            let mut totals = [Duration::ZERO; CONTENDERS.len()];
            for (turn, pattern) in patterns(&text, m).enumerate() {
                let mut best = [Duration::MAX; CONTENDERS.len()];
                for round in 0..ROUNDS * CONTENDERS.len() {
                    let i = (turn + round) % CONTENDERS.len();
                    let start = Instant::now();
                    black_box(CONTENDERS[i].1(black_box(pattern), black_box(&text)));
                    best[i] = best[i].min(start.elapsed());
                }
                for (total, best) in totals.iter_mut().zip(best) {
                    *total += best;
                }
            }
            let [off, unchecked, safe] = totals.map(|total| total.as_secs_f64());
            println!(
                "{name}, m = {m}: probe off takes {:.3} of the unchecked loop's time, {:.3} of the safe one's",
                off / unchecked,
                off / safe
            );
            let mut group = criterion.benchmark_group(format!("horspool/{name}"));
            group.throughput(Throughput::Bytes(TEXT as u64)).sample_size(20);
            group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
            let pattern = patterns(&text, m).next().expect("there are patterns");
            for (contender, search) in CONTENDERS {
                group.bench_with_input(BenchmarkId::new(contender, m), &text, |bencher, text| {
                    bencher.iter(|| search(black_box(pattern), black_box(text)));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, take_turns);
criterion_main!(benches);
