//! Galil-Giancarlo (`gg`).
//!
//! Pays where Colussi does, on patterns that begin with a run of one letter.
//! Departures: as in [`col`](super::col). The paper has 4/3 n comparisons at most; short patterns took more
//! of ours (1.5 n of `aba` in (ab)^n), so that is not claimed. A pattern of one letter only, which the paper
//! leaves out, is found by the length of the text's runs.

use assay_plugin_api::prelude::*;

use super::noholes::{Order, Window};

/// The searcher: the order of Colussi's comparisons, and the length of the run that the pattern begins with.
#[derive(Default)]
pub struct GalilGiancarlo {
    order: Order,
    run: usize,
}

impl Algorithm for GalilGiancarlo {
    const ABOUT: About = About {
        id: "gg",
        name: "Galil-Giancarlo",
        reference: Reference {
            authors: &["Z. Galil", "R. Giancarlo"],
            title: "On the exact complexity of string matching: upper bounds",
            journal: "SIAM J. Comput.",
            volume: "21",
            number: "3",
            pages: "407-437",
            year: 1992,
            doi: "10.1137/0221028",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; patterns of one letter only, \
                which the paper leaves out, are ours.",
        ),
        after: &["col"],
        idea: "Colussi's algorithm; where only a part of the run that the pattern begins with is known, the \
            text's run is followed to its end.",
        preparation_time: "O(m)",
        space: "O(m): 16 (m + 1) bytes",
        worst_case: "O(n): 1.5 n comparisons",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.run = pattern.iter().take_while(|&&byte| byte == pattern[0]).count();
        self.order.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, run) = (pattern.len(), text.len(), self.run);
        if probe.branch(run == m) {
            return one_letter(pattern, text, found, probe);
        }
        let mut window = Window { s: 0, next: 0, known: 0 };
        probe.writes(3);
        while probe.branch(window.s <= n - m) {
            if probe.branch(window.known <= window.s || window.next > 0) {
                self.order.attempt(&mut window, m, text, found, probe);
                continue;
            }
            // Nothing is known but some letters of the run: else the first nohole, right after it, would be.
            let mut end = window.known;
            probe.writes(1);
            while probe.branch(end < n && pattern.at(0) == text.at(end)) {
                end += 1;
                probe.writes(1);
            }
            if probe.branch(end == n) {
                return;
            }
            window.known = end + 1;
            if probe.branch(end - window.s < run || pattern.at(run) != text.at(end)) {
                window.s = end + 1;
                window.next = 0;
            } else {
                window.s = end - run;
                window.next = 1;
            }
            probe.writes(3);
            probe.jump();
        }
    }
}

/// Finds a pattern of one letter.
fn one_letter<P: Probe>(pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
    let (m, n) = (pattern.len(), text.len());
    let (mut i, mut run) = (0, 0);
    probe.writes(2);
    while probe.branch(i < n) {
        run = if probe.branch(pattern.at(0) == text.at(i)) { run + 1 } else { 0 };
        i += 1;
        probe.writes(2);
        if probe.verify(run >= m) {
            found.at(i - m);
        }
        probe.jump();
    }
}

register!(algorithm GalilGiancarlo);
