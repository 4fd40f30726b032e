//! Karp-Rabin: R. M. Karp and M. O. Rabin, Efficient randomized pattern-matching algorithms, 1987.

use assay_hashing::qgram::kr::KarpRabin;
use assay_plugin_api::testing::{Tally, agrees};

/// The windows whose hash is that of the pattern are compared. The first is hashed character by character;
/// each further one takes a step from the one before it, which reads the character that enters and the one
/// that leaves.
fn karp_rabin(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let mut tally = Tally::default();
    // The first hash: its place and its value.
    tally.writes += 2;
    for _ in pattern {
        tally.branches += 1;
        tally.text += 1;
        tally.computations += 1;
        tally.writes += 2;
    }
    tally.branches += 1;
    // The place of the window.
    tally.writes += 1;
    for (s, window) in text.windows(m).enumerate() {
        if tally.branch(hash(window) == hash(pattern)) {
            let matched = tally.equal_pairs(window.iter().zip(pattern));
            tally.verify(matched == m, s);
            tally.extra[0] += u64::from(matched < m);
        }
        if tally.branch(s + m < text.len()) {
            tally.text += 2;
            tally.computations += 1;
            tally.writes += 1;
            tally.jump();
        }
    }
    tally
}

/// The characters as digits to the base 3, modulo 2^64. The paper draws a prime for the modulus; the program
/// does not, and which windows collide depends on base and modulus, so the model has those of the program.
fn hash(window: &[u8]) -> u64 {
    window.iter().fold(0, |hash: u64, &character| hash.wrapping_mul(3).wrapping_add(u64::from(character)))
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<KarpRabin>(karp_rabin, &[]);
}
