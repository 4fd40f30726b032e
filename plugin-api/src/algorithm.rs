//! What an author of an algorithm writes.

use crate::found::Found;
use crate::probe::Probe;
use crate::view::{Pattern, Text};

/// An exact string-matching algorithm, written once for all readings (see [`crate::probe`]).
///
/// The value itself is the *searcher*: it holds the tables that [`prepare`](Algorithm::prepare) fills and
/// [`search`](Algorithm::search) looks things up in. One searcher is prepared many times, so tables should be reused;
/// it is never used by two threads at once, though others of its kind may be.
pub trait Algorithm: Default + 'static {
    /// Who it is and where it comes from.
    const ABOUT: About;

    /// What it needs beyond a pattern of at least one byte in a text at least as long.
    const NEEDS: Needs = Needs::NOTHING;

    /// Whether its search tells the probe what it does. One by somebody else's code, which gets the
    /// [bytes](Text::bytes) of the text, tells nothing: it says `false`, and has no twin.
    const INSTRUMENTED: bool = true;

    /// Names of the extra fields that it counts with [`Probe::extra`]: at most
    /// [`EXTRA_FIELDS`](crate::EXTRA_FIELDS), of at most [`EXTRA_NAME_LENGTH`](crate::EXTRA_NAME_LENGTH) bytes.
    const EXTRA: &'static [&'static str] = &[];

    /// Prepares the searcher for a pattern. What an earlier pattern left behind must not matter.
    ///
    /// This is a safe function: the host passes only patterns whose length [`Needs`] allows, but other callers may not. Begin
    /// it with [`Self::NEEDS.assert_takes`](Needs::assert_takes) if the algorithm needs more than one byte: its unchecked reads
    /// rest on that length. [`testing::check`](crate::testing::check) tries patterns that are too short.
    fn prepare<P: Probe>(&mut self, pattern: &[u8], _probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
    }

    /// Prepares the searcher for a pattern: what is really called. Write this one in the place of
    /// [`prepare`](Algorithm::prepare) where the algorithm looks at the text's beginning, or refuses some patterns.
    ///
    /// # Errors
    /// [`CannotSearch`] where the algorithm is not made for such a pattern. The host never passes a length outside [`Needs`];
    /// see [`prepare`](Algorithm::prepare) for other callers.
    fn prepare_with<P: Probe>(
        &mut self,
        pattern: &[u8],
        _hints: Hints,
        probe: P,
    ) -> Result<(), CannotSearch> {
        self.prepare(pattern, probe);
        Ok(())
    }

    /// Tells `found` of every occurrence of the prepared pattern in the text, overlapping ones included. The text is at
    /// least as long as the pattern, which is the one that was prepared last.
    ///
    /// One preparation may be searched with again and again, in this text and in others: a search leaves no trace in the
    /// searcher that a later one could see, and [`Hints`] of another text make it slower at worst. Searchers are
    /// independent: several may be prepared at the same time, in one thread or in several.
    ///
    /// The text is only read, and so is the slack, unless [`Needs::writes_slack`] is declared: without it the view refuses
    /// [`set_slack`](Text::set_slack). [`testing::check`](crate::testing::check) tries all of this.
    ///
    /// This is a safe function: the proof of an unchecked read may rest only on what `search` itself has checked, and on
    /// what only `prepare` of the same type can have put into the searcher.
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P);
}

/// Who an algorithm is: facts for lists and references. Always end it with `..About::UNKNOWN`: more facts may come.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Short id, as in SMART: a lower case letter or digit, then these, `-`, `_` and `.`; at most 64 bytes. That of a type
    /// with parameters is the beginning of its variants' ids.
    pub id: &'static str,
    /// Full name.
    pub name: &'static str,
    /// Who published it.
    pub authors: &'static str,
    /// Year of the publication; 0 if unknown.
    pub year: u16,
    /// The publication.
    pub reference: &'static str,
    /// Its digital object identifier, without a resolver's address.
    pub doi: &'static str,
    /// What of the publication could not be verified, in a few words: `volume and pages`. Leave it out where all was.
    pub unverified: &'static str,
    /// The family of algorithms: `comparison-occurrence`, `automata` .. (the book lists ours). Leave it out where the module
    /// or one around it says it: `register!(family "automata")`.
    pub family: &'static str,
    /// Parameters that are the same for all variants: `u=2`. Those of a variant are put before them
    /// when it is registered.
    pub parameters: &'static str,
    /// Version of the code, where that is somebody else's; it is asked for when the library is loaded.
    pub version: fn() -> String,
    /// The idea in one sentence.
    pub idea: &'static str,
    /// Time of the preparation, in the pattern's length m and the alphabet's size s.
    pub preparation_time: &'static str,
    /// Memory of the tables, in m and s.
    pub space: &'static str,
    /// Time of a search in the worst case, in m, the text's length n and s.
    pub worst_case: &'static str,
    /// Time of a search on average.
    pub average_case: &'static str,
}

impl About {
    /// Nothing known.
    pub const UNKNOWN: About = About {
        id: "",
        name: "",
        authors: "",
        year: 0,
        reference: "",
        doi: "",
        unverified: "",
        family: "",
        parameters: "",
        version: String::new,
        idea: "",
        preparation_time: "",
        space: "",
        worst_case: "",
        average_case: "",
    };
}

/// What an algorithm needs. Write what differs from [`Needs::NOTHING`].
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// Least length of the pattern in bytes.
    pub min_pattern: usize,
    /// Greatest length of the pattern in bytes.
    pub max_pattern: usize,
    /// Least length of the text in bytes, for a pattern of `m` bytes; less than `m` means `m`.
    pub min_text: fn(m: usize) -> usize,
    /// Bytes after the text that may be touched, for a pattern of `m` bytes. They hold anything.
    pub slack: fn(m: usize) -> usize,
    /// Whether the slack is written to; the text and the pattern never may be.
    pub writes_slack: bool,
    /// How many of the text's first bytes the preparation wants to see in [`Hints::sample`].
    pub sample: usize,
    /// Alignment of the text's first byte: a power of two.
    pub alignment: usize,
    /// Features that the CPU must have, by the names of Rust's `target_feature`, for example `avx2`.
    pub cpu: &'static [&'static str],
}

impl Needs {
    /// Any pattern from one byte on, in any text, on any CPU.
    pub const NOTHING: Needs = Needs {
        min_pattern: 1,
        max_pattern: usize::MAX,
        min_text: |m| m,
        slack: |_| 0,
        writes_slack: false,
        sample: 0,
        alignment: 1,
        cpu: &[],
    };

    /// Panics at a pattern of a length that is not allowed. Safe functions call it before they do what is sound only with
    /// an allowed length.
    ///
    /// # Panics
    /// If the pattern is too short or too long.
    #[inline]
    pub fn assert_takes(&self, pattern_length: usize) {
        let Needs { min_pattern, max_pattern, .. } = *self;
        assert!(
            (min_pattern..=max_pattern).contains(&pattern_length),
            "a pattern of {pattern_length} bytes, where {min_pattern} to {max_pattern} are needed"
        );
    }

    /// For algorithms whose tables hold lengths up to `m + 1` as `u32`, and otherwise need nothing.
    pub const LENGTHS_IN_U32: Needs = Needs { max_pattern: u32::MAX as usize - 1, ..Needs::NOTHING };
}

/// What a preparation may know besides the pattern.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The text's first bytes: as many as [`Needs::sample`] says, or the whole text where it is shorter.
    pub sample: &'a [u8],
    /// Length of the text in bytes, or 0 where it isn't known yet.
    pub text_length: usize,
}

/// The answer of an algorithm that is not made for what it was given. It completes the sentence "cannot search: ..".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotSearch(pub String);

impl CannotSearch {
    /// With a reason.
    pub fn because(reason: impl Into<String>) -> Self {
        CannotSearch(reason.into())
    }
}
