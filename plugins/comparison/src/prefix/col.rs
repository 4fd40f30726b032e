//! Colussi (`col`).
//!
//! Pays where the number of comparisons counts: at most 1.5 n, where Knuth-Morris-Pratt may need 2 n.
//! Departures: one table holds place, character, shift and next comparison; what the paper calls `nd` is a
//! count here.

use assay_plugin_api::prelude::*;

use super::noholes::{Order, Window};

/// The searcher: the order of the comparisons.
#[derive(Default)]
pub struct Colussi {
    order: Order,
}

impl Algorithm for Colussi {
    const ABOUT: About = About {
        id: "col",
        name: "Colussi",
        reference: Reference {
            authors: &["L. Colussi"],
            title: "Correctness and efficiency of the pattern matching algorithms",
            journal: "Inf. Comput.",
            volume: "95",
            number: "2",
            pages: "225-251",
            year: 1991,
            doi: "10.1016/0890-5401(91)90046-5",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; one table holds all that belongs \
                to a comparison.",
        ),
        after: &["kmp"],
        idea: "Knuth-Morris-Pratt that compares the places where a border ends first, from left to right, \
            then the others, from right to left.",
        preparation_time: "O(m)",
        space: "O(m): 16 (m + 1) bytes",
        worst_case: "O(n): 1.5n comparisons",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.order.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let mut window = Window { s: 0, next: 0, known: 0 };
        probe.writes(3);
        while probe.branch(window.s <= n - m) {
            self.order.attempt(&mut window, m, text, found, probe);
        }
    }
}

register!(algorithm Colussi);
