//! Tuned Dead-Zone (`dz-tuned`).
//!
//! Pays where [`dz`](super::dz) does, with longer shifts on small alphabets.
//! Departures: shifts are those of Zhu and Takaoka, by the window's last two characters to the right, and by
//! its first two to the left; they are of 16 bits: a longer one is made in several steps. Windows are
//! compared from left to right. Of a pattern of one byte only the window itself is killed. The id is ours.

use std::ops::Range;

use assay_plugin_api::prelude::*;

use super::dz::middle;
use crate::shifts::{PairShifts, fill_pair_shifts, pair};

/// The searcher: for each two bytes, the shifts in both directions.
#[derive(Default)]
pub struct TunedDeadZone {
    /// By the window's last two characters.
    right: PairShifts,
    /// By its second and its first one.
    left: PairShifts,
    /// The pattern from right to left; used by the preparation alone.
    reversed: Vec<u8>,
}

impl Algorithm for TunedDeadZone {
    const ABOUT: About = About {
        id: "dz-tuned",
        name: "Tuned Dead-Zone",
        reference: Reference {
            authors: &["J. Tarhio", "B. W. Watson"],
            title: "Tune-up for the Dead-Zone Algorithm",
            booktitle: "PSC 2020",
            year: 2020,
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract was seen; that the shifts are those of Zhu and Takaoka, and what a window kills, \
                is our reading.",
        ),
        after: &["dz-rec"],
        idea: "Dead-Zone with shifts by two characters, whose right remainder begins after all that the left \
            one has killed.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 256 KiB, and log n intervals during the search",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(2m - 1) windows at best",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        if let Some(place) = pattern.len().checked_sub(2) {
            fill_pair_shifts(&mut self.right, pattern, place);
            self.reversed.clear();
            self.reversed.extend(pattern.iter().rev());
            fill_pair_shifts(&mut self.left, &self.reversed, place);
        }
        probe.table(&self.right);
        probe.table(&self.left);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (right, left) = (self.right.view(probe), self.left.view(probe));
        // Where the dead zone around a window begins and ends.
        let mut test = |s: usize| {
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
            probe.writes(2);
            probe.jump();
            if m == 1 {
                return (s, s + 1);
            }
            let ([first, second], last) = (text.block(s), text.block(s + m - 2));
            let killed = usize::from(left.at(pair([second, first])));
            ((s + 1).saturating_sub(killed), s + usize::from(right.at(pair(last))))
        };
        visit(0..n - m + 1, &mut test, probe);
    }
}

/// Goes on in the left remainder by recursion, and in the right one by iteration. The answer is the first
/// window that may be live, of those from the interval's beginning on.
fn visit<F: FnMut(usize) -> (usize, usize), P: Probe>(
    mut live: Range<usize>,
    test: &mut F,
    probe: P,
) -> usize {
    while probe.branch(live.start < live.end) {
        let (left, right) = test(middle(&live));
        live.start = right.max(visit(live.start..left, test, probe));
        probe.writes(1);
    }
    live.start
}

register!(algorithm TunedDeadZone);
