//! The search of `assay-finder` in a text of the plugin API, so that one source is timed, counted and
//! checked.

use assay_finder::cpu::Available;
use assay_finder::method::Kind;
use assay_finder::search::{search, search_by};
use assay_finder::{found, text};
use assay_plugin_api::Field;
use assay_plugin_api::prelude::*;

/// The pattern, as it was prepared.
#[derive(Default)]
pub struct Finder(Vec<u8>);

/// Names of the extra fields: how often each kind of method began to search, in the order of [`Kind::ALL`].
pub const METHODS: &[&str] = &["#all", "#some", "#packed", "#planes", "#windows", "#two-way"];

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

impl Finder {
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
    fn begins(self, kind: Kind) {
        let index = Kind::ALL.iter().position(|known| *known == kind).expect("a kind is among all");
        self.probe.extra(index, || 1);
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
