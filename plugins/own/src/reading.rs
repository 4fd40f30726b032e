//! The search of `assay-finder` in a text of the plugin API, so that one source is timed, counted and
//! checked.

use assay_finder::cpu::Available;
use assay_finder::decision::{Decision, Kind};
use assay_finder::search::{search, search_by};
use assay_finder::{found, text};
use assay_plugin_api::Field;
use assay_plugin_api::prelude::*;

/// The pattern, as it was prepared.
#[derive(Default)]
pub struct OwnSearch(Vec<u8>);

/// Names of the extra fields: how often each kind of method began to search, in the order of [`Kind::ALL`];
/// how often one gave up; and what was decided for each beginning, in the order of [`figures`], added up.
pub const DECISIONS: &[&str] = &[
    "#all",
    "#some",
    "#packed",
    "#planes",
    "#windows",
    "#two-way",
    "#give-ups",
    "#lanes",
    "#compared",
    "#q",
    "#q-step",
    "#codes",
    "#word-step",
    "#parities",
    "#unrolled",
    "#gap",
];

/// Place of the field that counts how often a method gave up.
const GIVE_UPS: usize = Kind::ALL.len();

/// What was decided, in the order of the extra fields after [`GIVE_UPS`].
fn figures(decision: Decision) -> [usize; DECISIONS.len() - GIVE_UPS - 1] {
    let Decision {
        kind: _,
        lanes,
        compared,
        gram,
        gram_step,
        codes,
        word_step,
        parities,
        unrolled,
        least_gap,
    } = decision;
    [lanes, compared, gram, gram_step, codes, word_step, parities, unrolled, least_gap]
}

/// What is true of all these algorithms.
pub const OURS: About = About {
    reference: Reference {
        authors: &["The assay project"],
        title: "Bit planes, far windows: the search of assay-finder",
        year: 2026,
        ..Reference::UNKNOWN
    },
    status: Status::FromAuthorsProgram("Our own search: the program is the only publication."),
    ..About::UNKNOWN
};

impl OwnSearch {
    /// Keeps the pattern.
    pub fn prepare(&mut self, pattern: &[u8]) {
        self.0.clear();
        self.0.extend_from_slice(pattern);
    }

    /// Refuses a search by this kind of method if the environment variable `ASSAY_FINDER` leaves it without
    /// its instructions.
    pub fn allow(kind: Kind) -> Result<(), CannotSearch> {
        let allowed = Available::best().get();
        if allowed >= kind.instructions() {
            return Ok(());
        }
        let needed = kind.instructions().name();
        Err(CannotSearch(format!("ASSAY_FINDER limits it to {}, and it needs {needed}", allowed.name())))
    }

    /// Searches with methods of this kind, or with those that are chosen.
    pub fn search<P: Probe>(&self, kind: Option<Kind>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (text, mut found) = (Reported { text, probe }, Adapted(found));
        let instructions = Available::best();
        match kind {
            None => search(&self.0, text, instructions, &mut found),
            Some(kind) => search_by(kind, &self.0, text, instructions, &mut found),
        }
    }
}

/// A text whose reads and reports go to the probe.
#[derive(Clone, Copy)]
struct Reported<'a, P> {
    text: Text<'a, P>,
    probe: P,
}

// SAFETY: the view's text does not change while it is borrowed.
unsafe impl<P: Probe> text::Text for Reported<'_, P> {
    #[inline(always)]
    fn len(self) -> usize {
        self.text.len()
    }

    #[inline(always)]
    fn misalignment(self) -> usize {
        self.text.misalignment()
    }

    #[inline(always)]
    unsafe fn read<const N: usize>(self, index: usize) -> [u8; N] {
        // SAFETY: the caller's promise.
        unsafe { self.text.block_unchecked::<N>(index) }
    }

    #[inline(always)]
    fn prefetch(self, index: usize) {
        self.text.prefetch(index);
    }

    #[inline(always)]
    fn begins(self, decision: impl FnOnce() -> Decision) {
        if !P::COUNTS {
            return;
        }
        let decision = decision();
        let kind = Kind::ALL.iter().position(|known| *known == decision.kind);
        self.probe.extra(kind.expect("a kind is among all"), || 1);
        for (i, figure) in figures(decision).into_iter().enumerate().filter(|(_, figure)| *figure > 0) {
            self.probe.extra(GIVE_UPS + 1 + i, || figure as u64);
        }
    }

    #[inline(always)]
    fn gives_up(self) {
        self.probe.extra(GIVE_UPS, || 1);
    }

    #[inline(always)]
    fn branch(self, condition: bool) -> bool {
        self.probe.branch(condition)
    }

    #[inline(always)]
    fn verify(self, matched: bool) -> bool {
        self.probe.verify(matched)
    }

    #[inline(always)]
    fn matches(self, windows: u64) {
        self.probe.add(Field::Verifications, windows);
        self.probe.add(Field::Branches, windows);
    }

    #[inline(always)]
    fn jumps(self, times: usize) {
        self.probe.add(Field::Jumps, times as u64);
    }

    #[inline(always)]
    fn computes(self, steps: u64) {
        self.probe.computes(steps);
    }

    #[inline(always)]
    fn reads_pattern(self, bytes: usize) {
        self.probe.add(Field::PatternBytesRead, bytes as u64);
    }

    #[inline(always)]
    fn writes(self, times: u64) {
        self.probe.writes(times);
    }

    #[inline(always)]
    fn fills_table(self, entries: usize) {
        self.probe.add(Field::LookupEntries, entries as u64);
        self.probe.add(Field::MemoryUsed, entries as u64);
    }

    #[inline(always)]
    fn looks_up(self) {
        self.probe.add(Field::Lookups, 1);
    }
}

/// Occurrences go to a receiver of the plugin API.
struct Adapted<'a, F>(&'a mut F);

impl<F: Found> found::Found for Adapted<'_, F> {
    const POSITIONS: bool = F::POSITIONS;

    #[inline(always)]
    fn at(&mut self, position: usize) {
        self.0.at(position);
    }

    #[inline(always)]
    fn mask(&mut self, base: usize, bits: u64) {
        self.0.mask(base, bits);
    }

    #[inline(always)]
    fn many(&mut self, occurrences: u64) {
        self.0.many(occurrences);
    }
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Count, Counters, Counting};

    use super::*;

    #[test]
    fn a_twin_shows_what_was_decided() {
        let (counters, mut search) = (Counters::default(), OwnSearch::default());
        let probe = Counting::new(&counters);
        search.prepare(b"abcdefghijkl");
        // The text is so short that nothing depends on a sample.
        search.search(Some(Kind::SomeCharacters), Text::new(&[b'.'; 4096], probe), &mut Count(0), probe);
        let amounts = counters.measurements(DECISIONS.len()).extra;
        let shown = |name| amounts[DECISIONS.iter().position(|known| *known == name).unwrap()];
        for (name, amount) in
            [("#some", 1), ("#all", 0), ("#give-ups", 0), ("#compared", 4), ("#q", 0), ("#unrolled", 8)]
        {
            assert_eq!(shown(name), Some(amount), "{name}");
        }
        assert!(shown("#lanes") >= Some(16) && shown("#gap") >= Some(16), "{amounts:?}");
    }
}
