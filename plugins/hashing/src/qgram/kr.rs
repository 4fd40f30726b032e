//! Karp-Rabin.
//!
//! Pays where the same idea must carry further (many patterns, two dimensions), less as a search of its own.
//! Departures: the fingerprint is a polynomial modulo 2^64, which costs nothing, to an odd base, in place of the
//! paper's residue modulo a random prime. So its bound on false matches is lost for texts made to deceive; each match is
//! verified, so that only time is at stake. One computation = one step of the hash.

use assay_plugin_api::prelude::*;

/// The searcher: what rolling the hash needs.
#[derive(Default)]
pub struct KarpRabin {
    /// The pattern's fingerprint.
    hash: u64,
    /// The base to the power of m: the weight of the character that leaves the window.
    weight: u64,
}

/// Greater than any character, so that windows of up to 7 never collide, and a shift and an addition to multiply by.
const BASE: u64 = 257;

impl Algorithm for KarpRabin {
    const ABOUT: About = About {
        id: "kr",
        name: "Karp-Rabin",
        authors: "R. M. Karp, M. O. Rabin",
        year: 1987,
        reference: "Efficient randomized pattern-matching algorithms. IBM J. Res. Dev. 31(2):249-260, 1987",
        doi: "10.1147/rd.312.0249",
        idea: "Rolling hash of the window; verifies where it equals that of the pattern.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    /// Windows that had the pattern's hash and were something else.
    const EXTRA: &'static [&'static str] = &["#collision"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        (self.hash, self.weight) = (0, 1);
        for &byte in pattern {
            self.hash = append(self.hash, u64::from(byte));
            self.weight = self.weight.wrapping_mul(BASE);
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let mut hash = 0;
        probe.writes(1);
        for i in 0..m {
            hash = append(hash, u64::from(text.at(i)));
            probe.computes(1);
            probe.writes(1);
        }
        let mut s = 0;
        probe.writes(1);
        loop {
            if probe.branch(hash == self.hash) {
                if pattern.occurs(text, s, 0..m) {
                    found.at(s);
                } else {
                    probe.extra(0, || 1);
                }
            }
            if probe.branch(s == n - m) {
                break;
            }
            let leaving = u64::from(text.at(s)).wrapping_mul(self.weight);
            hash = append(hash, u64::from(text.at(s + m)).wrapping_sub(leaving));
            s += 1;
            probe.computes(1);
            probe.writes(2);
            probe.jump();
        }
    }
}

/// The hash of a window whose end has moved on by one character. What its start has lost may be taken from the character
/// at once, so that one step waits for the last no longer than it must.
#[inline(always)]
fn append(hash: u64, byte: u64) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(byte)
}

register!(algorithm KarpRabin);
