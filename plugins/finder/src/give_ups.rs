//! Each row of the table in `docs/src/families/own.md` that says when a method gives up, and what follows.

use crate::counted::Work;
use crate::cpu::{Available, Instructions};
use crate::decision::Kind;
use crate::draws::Draws;
use crate::found::Count;
use crate::method::{Gram, Method, Place, spread};
use crate::packing::{Codes, PackedPattern};
use crate::parities::Parities;
use crate::search::with_instructions;
use crate::tests::random;
use crate::text::Bytes;

/// What is in texts where no candidate is.
const NOTHING: u8 = b'.';

/// Characters whose first parity of [`Parities::UNKNOWN`], and whose code of [`Codes::UNKNOWN`], are not
/// those of [`NOTHING`].
const CHARACTERS: &[u8] = b"bjchbbcjhcjbhhbcjjchbhcbjchjbbhc";

/// A text of `n` bytes with candidates at this distance.
fn with_candidates(candidate: &[u8], distance: usize, n: usize) -> Vec<u8> {
    let mut text = vec![NOTHING; n];
    for place in text.chunks_exact_mut(distance) {
        place[..candidate.len()].copy_from_slice(candidate);
    }
    text
}

/// The pattern at these places, and nothing in between: it matches where they are compared, but is no
/// occurrence.
fn false_candidate(pattern: &[u8], places: &[Place]) -> Vec<u8> {
    let mut candidate = vec![NOTHING; pattern.len()];
    for place in places {
        candidate[place.offset] = place.byte;
    }
    candidate
}

/// Checks that a method gives up where candidates are a quarter closer than `distance`, and not where they
/// are a quarter farther apart; returns what was decided after it gave up.
fn gives_up_below(
    distance: usize,
    method: Method,
    pattern: &[u8],
    candidate: &[u8],
    n: usize,
    available: Available,
) -> Work {
    let what = |text: &str| format!("{text}: {method:?}, m = {}, n = {n}, {available:?}", pattern.len());
    let far = with_candidates(candidate, distance + distance / 4, n);
    let work = Work::from_method(method, pattern, &far, available);
    assert_eq!((work.methods(), work.give_ups.get()), (vec![method.kind()], 0), "{}", what("far"));
    let close = with_candidates(candidate, distance - distance / 4, n);
    let work = Work::from_method(method, pattern, &close, available);
    assert!(work.give_ups.get() > 0 && work.methods().len() > 1, "{}", what("close"));
    work
}

#[test]
fn planes_of_short_patterns_are_followed_by_all_characters() {
    if let Some(available) = Instructions::Avx512Planes.available() {
        let (pattern, method) = (&CHARACTERS[..8], Method::Planes(Parities::UNKNOWN));
        let work = gives_up_below(300, method, pattern, pattern, 1 << 18, available);
        assert_eq!(work.methods(), [Kind::Planes, Kind::AllCharacters]);
    }
}

#[test]
fn two_characters_are_followed_by_all_by_windows_or_by_three() {
    for available in Available::all() {
        for (m, next, compared) in
            [(4, Kind::AllCharacters, 4), (12, Kind::SomeCharacters, 3), (100, Kind::Windows, 8)]
        {
            let pattern: Vec<u8> = CHARACTERS.iter().copied().cycle().take(m).collect();
            let places = spread(&pattern);
            let candidate = false_candidate(&pattern, &places);
            let work = gives_up_below(8192, Method::Two(places), &pattern, &candidate, 1 << 20, available);
            let second = work.decisions.borrow()[1];
            assert_eq!((second.kind, second.compared), (next, compared), "m = {m}, {available:?}");
        }
    }
}

#[test]
fn more_characters_of_a_short_pattern_are_followed_by_all() {
    for available in Available::all() {
        let pattern = &CHARACTERS[..8];
        let (three, four) = (spread(pattern), spread(pattern));
        for method in [Method::Three(three), Method::Four(four)] {
            let work = gives_up_below(512, method, pattern, pattern, 1 << 20, available);
            assert_eq!(work.methods(), [Kind::SomeCharacters, Kind::AllCharacters]);
        }
    }
}

#[test]
fn more_characters_of_a_longer_pattern_are_followed_by_packed_ones_or_by_others() {
    for available in Available::all() {
        let packs = available.get() >= Instructions::Avx2;
        for (m, n, distance, packed) in [
            (12, 1 << 20, if packs { 512 } else { 256 }, packs),
            (23, 1 << 20, if packs { 1024 } else { 256 }, packs),
            (12, 16 << 10, if packs { 64 } else { 16 }, packs),
            (12, 2 << 10, 16, false),
        ] {
            let pattern = &CHARACTERS[..m];
            let places = spread(pattern);
            let candidate = false_candidate(pattern, &places);
            let work = gives_up_below(distance, Method::Four(places), pattern, &candidate, n, available);
            let next = if packed { Kind::Packed } else { Kind::SomeCharacters };
            assert_eq!(work.methods()[1], next, "m = {m}, n = {n}, {available:?}");
        }
    }
}

#[test]
fn packed_characters_are_followed_by_all_for_a_short_pattern() {
    for available in Available::all().filter(|available| available.get() >= Kind::Packed.instructions()) {
        for (m, next) in [(8, Kind::AllCharacters), (16, Kind::SomeCharacters)] {
            let pattern = &CHARACTERS[..m];
            // Codes depend on the lower four bits.
            let candidate = pattern.iter().map(|byte| byte ^ 16).collect::<Vec<u8>>();
            let method = Method::Packed(PackedPattern::rarest(pattern, Codes::UNKNOWN));
            let work = gives_up_below(128, method, pattern, &candidate, 1 << 18, available);
            assert_eq!(work.methods()[..2], [Kind::Packed, next], "m = {m}, {available:?}");
        }
    }
}

/// Texts of pieces of the pattern: windows end in one, but none has more of the pattern than a piece.
#[test]
fn windows_are_followed_by_longer_q_grams_and_then_by_a_method_that_reads_all() {
    let letters = random(b"abcdefghijklmnopqrstuvwxyz");
    for (m, piece, grams) in
        [(200, 12, &[8, 16][..]), (200, 20, &[8, 16, 24]), (200, 40, &[8, 16, 24, 0]), (60, 12, &[8, 0])]
    {
        let (pattern, mut draws) = (&letters[..m], Draws(6));
        let mut text = Vec::new();
        while text.len() < 1 << 18 {
            text.extend_from_slice(&pattern[draws.below(m - piece)..][..piece]);
        }
        for available in Available::all() {
            let work = Work::from_method(Method::Windows(Gram::Eight), pattern, &text, available);
            let decisions = work.decisions.borrow();
            let tried: Vec<usize> =
                decisions.iter().take(grams.len()).map(|decision| decision.gram).collect();
            assert_eq!(tried, grams, "m = {m}, {piece}, {available:?}: {decisions:?}");
            assert!(decisions.len() == grams.len() || grams.ends_with(&[0]), "{decisions:?}");
        }
    }
}

#[test]
fn a_method_may_compare_16_kib_and_four_times_what_it_has_passed() {
    let text = [b'a'; 1 << 16];
    for available in Available::all() {
        for (m, alignments) in [(4096, 5), (8192, 3), (3000, 6), (1 << 15, 1)] {
            let mut pattern = vec![b'a'; m];
            pattern[m - 1] = b'b';
            let method = Method::Four(core::array::from_fn(|offset| Place { offset, byte: b'a' }));
            let mut count = Count::default();
            let ended = with_instructions(method, 0, &pattern, Bytes(&text), 0, available, &mut count);
            assert_eq!(ended, Err(alignments), "m = {m}, {available:?}");
        }
    }
}

#[test]
fn the_first_eight_candidates_in_vain_are_free() {
    let pattern = &CHARACTERS[..12];
    let places = spread(pattern);
    for available in Available::all() {
        for (candidates, give_ups) in [(8, 0), (9, 1)] {
            let mut text = with_candidates(&false_candidate(pattern, &places), 16, 16 * candidates);
            text.resize(1 << 20, NOTHING);
            let work = Work::from_method(Method::Four(places), pattern, &text, available);
            assert_eq!(work.give_ups.get() > 0, give_ups > 0, "{candidates} candidates, {available:?}");
        }
    }
}
