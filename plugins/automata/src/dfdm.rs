//! Double forward DAWG matching (`dfdm`).
//!
//! Pays on long patterns, over small alphabets too, and reads no character more than twice.
//! Departures: of the paper its abstract was seen: one suffix automaton, linear time at worst, and optimal
//! time on average. (A bibliography of 2016 has a second automaton, of the pattern reversed.) How much of the
//! window the first scan reads is ours: so much that a random text seldom has it in common with the pattern,
//! and half of the window at most. The second scan ends where the longest factor begins after the place where
//! the first one began.
//! Timed: as counted. It has the automaton of `fdm`, but not its loop.

use assay_plugin_api::prelude::*;

use super::fdm::Factors;
use super::suffix_automaton::MAX_PATTERN;

/// The searcher: the suffix automaton of the pattern.
#[derive(Default)]
pub struct DoubleForward {
    factors: Factors,
    /// How many of the window's last characters the first scan reads.
    ahead: usize,
}

impl Algorithm for DoubleForward {
    const ABOUT: About = About {
        id: "dfdm",
        name: "Double forward DAWG matching",
        reference: Reference {
            authors: &["C. Allauzen", "M. Raffinot"],
            title: "Simple optimal string matching algorithm",
            journal: "J. Algorithms",
            volume: "36",
            number: "1",
            pages: "102-116",
            year: 2000,
            doi: "10.1006/jagm.2000.1087",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract was seen; how much of the window the first scan reads is ours.",
        ),
        after: &["fdm"],
        idea: "Two forward scans with one suffix automaton: of the window's end, which mostly lets it pass, \
            and else of all before it.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            and 8 bytes, for each of at most 2m states, and 256 bytes",
        worst_case: "O(n)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.factors.prepare(pattern, probe);
        let m = pattern.len();
        let mut counts = [0_u32; 256];
        pattern.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        // How probable it is that two of its characters are equal.
        let equal: f64 = counts.iter().map(|&count| (f64::from(count) / m as f64).powi(2)).sum();
        // A random word of this length is a factor of the pattern with a probability of 1/m^2.
        let ahead = 3.0 * (m as f64).ln() / -equal.ln();
        self.ahead = (ahead.ceil() as usize).min(m / 2).max(1);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, ahead) = (pattern.len(), text.len(), self.ahead);
        let factors = self.factors.view(probe);
        // SAFETY: factors begin with the empty one.
        let extend = |factor, i| unsafe { factors.extend(factor, factors.column(text.at(i))) };
        // The longest factor that ends before `i`, as its state and its length. All occurrences that end
        // there have been reported.
        let (mut factor, mut i) = ((0, 0), 0);
        probe.writes(3);
        // The window begins with the factor.
        while probe.branch(i < n && i - factor.1 + m <= n) {
            let end = i - factor.1 + m;
            let first = end - ahead;
            probe.jump();
            if probe.branch(first > i) {
                let (mut last, mut j) = ((0, 0), first);
                probe.writes(3);
                while probe.branch(j < end) {
                    last = extend(last, j);
                    j += 1;
                    probe.writes(1);
                }
                if probe.branch(last.1 < ahead) {
                    (factor, i) = (last, end);
                    probe.writes(3);
                    continue;
                }
            }
            while probe.branch(i - factor.1 <= first && i < n) {
                factor = extend(factor, i);
                i += 1;
                probe.writes(1);
                if probe.verify(factor.1 == m) {
                    found.at(i - m);
                }
            }
        }
    }
}

register!(algorithm DoubleForward);
