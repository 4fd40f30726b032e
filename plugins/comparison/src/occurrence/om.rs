//! Optimal Mismatch (`om`).
//!
//! Pays where some characters of the pattern are much rarer than others, and the text has many of these.
//! Departures: frequencies are those of the text's first hundred bytes, not those of the language; where
//! characters are equally frequent, the right one is compared first. The last window has no character after
//! it, so it shifts no more.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::optimal::Ordered;
use super::sampled::{SAMPLE, rarest_first};

/// The searcher: the order of the comparisons, and both shift tables.
#[derive(Default)]
pub struct OptimalMismatch {
    ordered: Ordered,
}

impl Algorithm for OptimalMismatch {
    const ABOUT: About = About {
        id: "om",
        name: "Optimal Mismatch",
        reference: papers::VERY_FAST_SUBSTRING,
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; frequencies are those of the \
                text's first hundred bytes.",
        ),
        after: &["qs"],
        idea: "Compares rare characters first; shifts by the good suffix rule for that order, or as Quick \
            Search.",
        preparation_time: "O(m^2+s), O(m log m) where shifts fail early",
        space: "O(m+s): 4 (3m + 1) bytes and 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        yardstick: true,
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        rarest_first(pattern, hints.sample, &mut self.ordered.order);
        self.ordered.prepare(pattern, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.ordered.scan(pattern.len(), text, found, probe);
    }
}

register!(algorithm OptimalMismatch);
