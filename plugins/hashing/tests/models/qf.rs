//! Q-gram Filtering: B. Durian, H. Peltola, L. Salmela and J. Tarhio, Bit-parallel search algorithms for long
//! patterns, 2010.

use std::collections::HashMap;
use std::ops::Range;

use assay_hashing::qgram::qf::QgramFiltering;
use assay_plugin_api::testing::{Tally, agrees};

/// Reads the q-grams of the window from right to left, one after the other, as long as the pattern has all of
/// them at places that are the same modulo q. If it has not, the window moves beyond the beginning of the
/// last one read. Otherwise q alignments are compared, and the window moves beyond them.
fn qgram_filtering(q: usize, bits: u32, pattern: &[u8], text: &[u8]) -> Tally {
    let (m, n) = (pattern.len(), text.len());
    let hash = |place: usize, word: &[u8]| hash(&word[place..place + q], bits);
    let mut places = HashMap::<u64, u64>::new();
    for i in 0..=m - q {
        *places.entry(hash(i, pattern)).or_default() |= 1 << (i % q);
    }
    let entries = 1 << (q as u32 * bits);
    let mut tally = Tally { writes: 1, tables: vec![entries], ..Tally::default() };
    tally.extra[1] = places.len() as u64;
    tally.extra[2] = entries * q as u64;
    tally.extra[3] = places.values().map(|set| u64::from(set.count_ones())).sum();
    let mut s = 0;
    while tally.branch(s + m <= n) {
        let mut set = u64::MAX;
        let mut place = m;
        // What begins before the q-th character is not read, because it is not in all alignments.
        loop {
            place -= q;
            tally.writes += 2;
            tally.text += q as u64;
            tally.computations += 1;
            tally.lookups += 1;
            set &= places.get(&hash(s + place, text)).copied().unwrap_or_default();
            tally.extra[0] += u64::from(set != 0 && place + q == m);
            if !tally.branch(set != 0) || !tally.branch(place + 1 >= 2 * q) {
                break;
            }
        }
        if tally.branch(set != 0) {
            compare(&mut tally, pattern, text, s..(s + q).min(n - m + 1));
            s += q;
        } else {
            s += place + 1;
        }
        tally.jump();
    }
    tally
}

/// The characters as digits to the base 2^bits, the first the least, modulo that base to the power of q.
fn hash(gram: &[u8], bits: u32) -> u64 {
    let number = gram.iter().rev().fold(0, |hash: u64, &character| (hash << bits) + u64::from(character));
    number % (1 << (gram.len() as u32 * bits))
}

/// Compares windows from left to right.
fn compare(tally: &mut Tally, pattern: &[u8], text: &[u8], windows: Range<usize>) {
    tally.writes += 1;
    for s in windows {
        tally.branches += 1;
        let matched = tally.equal_pairs(text[s..].iter().zip(pattern));
        tally.verify(matched == pattern.len(), s);
        tally.writes += 1;
    }
    tally.branches += 1;
}

#[test]
fn the_twins_agree_with_the_model() {
    agrees::<QgramFiltering<2, 3>>(|pattern, text| qgram_filtering(2, 3, pattern, text), &[]);
    agrees::<QgramFiltering<3, 4>>(|pattern, text| qgram_filtering(3, 4, pattern, text), &[]);
    agrees::<QgramFiltering<6, 2>>(|pattern, text| qgram_filtering(6, 2, pattern, text), &[]);
}
