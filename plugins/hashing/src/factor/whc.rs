//! Weaker HashChain (`whc1` to `whc8`).
//!
//! Pays where HashChain does, and less where it fails: little text is scanned twice, but windows are compared
//! anew.
//! Departures: of a chain only what lies after the last window that was looked at is followed. One
//! computation = the hash of a q-gram, a test of its link, or where a chain may end.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::opening::{Opening, SLACK};
use assay_shared::papers;

use super::chain::Links;
use super::lhc::search_unscanned;
use crate::filter::EXTRA;

/// The searcher: the links between the pattern's q-grams.
#[derive(Default)]
pub struct WeakerHashChain<const Q: usize> {
    links: Links<Q>,
}

impl<const Q: usize> Algorithm for WeakerHashChain<Q> {
    const ABOUT: About = About {
        id: "whc",
        name: "Weaker HashChain",
        reference: Reference {
            authors: &["M. N. Palmer", "S. Faro", "S. Scafiti"],
            howpublished: "HashChain repository",
            url: "https://github.com/nishihatapalmer/HashChain",
            year: 2024,
            related: Some(("variant of", &papers::LINKED_WEAK_FACTORS)),
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "Only the authors' program has this variant; a chain is followed back to the last window that \
                was compared, which finds the same windows.",
        ),
        after: &["hc"],
        idea: "HashChain that hashes no text twice; windows are compared naively, which makes the worst case \
            quadratic.",
        preparation_time: "O(mq)",
        space: "O(1): 1 KiB for q=1, 8 KiB for q=2 and 3, 16 KiB for the others",
        worst_case: "O(mn)",
        average_case: "sublinear while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, slack: SLACK, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.links.fill(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, opening) = (pattern.len(), Opening::new(pattern, text));
        search_unscanned(&self.links, m, text, probe, |s| {
            // SAFETY: only windows in the text are compared.
            unsafe { opening.report(s, 0..m, found) };
            s + 1
        });
    }
}

register!(algorithm WeakerHashChain, q: [1, 2, 3, 4, 5, 6, 7, 8]);
