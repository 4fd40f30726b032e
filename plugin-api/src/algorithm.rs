//! What the author of an algorithm writes.

use std::error::Error;
use std::fmt;

use crate::found::Found;
use crate::probe::Probe;
use crate::reference::Reference;
use crate::status::{Formerly, Status};
use crate::view::{Pattern, Text};

/// An exact string-matching algorithm, written once for all readings (see [`crate::probe`]).
///
/// The value itself is the *searcher*: it holds the tables that [`prepare`](Algorithm::prepare) fills and
/// [`search`](Algorithm::search) looks things up in. One searcher is prepared many times, so tables should be
/// reused; it is never used by two threads at once, though others of its kind may be.
pub trait Algorithm: Default + 'static {
    /// Its id and name, the publication that it comes from, and its costs.
    const ABOUT: About;

    /// What it needs in addition to a pattern of at least one byte and a text that is at least as long.
    const NEEDS: Needs = Needs::NOTHING;

    /// Whether its search reports to the probe what it does. An algorithm that calls somebody else's code on
    /// the [bytes](Text::bytes) of the text cannot report anything: it sets `false`, and has no instrumented
    /// twin.
    const INSTRUMENTED: bool = true;

    /// Names of the extra fields that it counts with [`Probe::extra`]: at most
    /// [`EXTRA_FIELDS`](crate::EXTRA_FIELDS), of at most [`EXTRA_NAME_LENGTH`](crate::EXTRA_NAME_LENGTH)
    /// bytes.
    const EXTRA: &'static [&'static str] = &[];

    /// Prepares the searcher for a pattern. What an earlier pattern left must not matter.
    ///
    /// This is a safe function: the host passes only patterns whose length [`Needs`] allows, but other
    /// callers may not. Begin it with [`Self::NEEDS.assert_takes`](Needs::assert_takes) if the algorithm
    /// needs more than one byte: its unchecked reads rest on that length.
    /// [`testing::check`](crate::testing::check) tries patterns that are too short.
    fn prepare<P: Probe>(&mut self, pattern: &[u8], _probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
    }

    /// Prepares the searcher for a pattern. The host calls this function; write it instead of
    /// [`prepare`](Algorithm::prepare) if the algorithm looks at the beginning of the text, or refuses some
    /// patterns.
    ///
    /// # Errors
    /// [`CannotSearch`] if the algorithm is not made for this pattern. The host never passes a length outside
    /// [`Needs`]; see [`prepare`](Algorithm::prepare) for other callers.
    fn prepare_with<P: Probe>(
        &mut self,
        pattern: &[u8],
        _hints: Hints,
        probe: P,
    ) -> Result<(), CannotSearch> {
        self.prepare(pattern, probe);
        Ok(())
    }

    /// Reports every occurrence of the prepared pattern in the text to `found`, overlapping ones included.
    /// The text is at least as long as the pattern, which is the one that was prepared last.
    ///
    /// The host may search again and again after one preparation, in this text and in others. A search must
    /// therefore leave nothing in the searcher that changes a later one, and [`Hints`] of another text may
    /// make it slower but not wrong. Searchers are independent: several may be prepared at the same time, in
    /// one thread or in several.
    ///
    /// The text may only be read. The slack may be written to only if [`Needs::writes_slack`] is declared,
    /// because the view refuses [`set_slack`](Text::set_slack) otherwise.
    /// [`testing::check`](crate::testing::check) tests all of this.
    ///
    /// This is a safe function. The proof of an unchecked read may therefore rest only on what `search`
    /// itself has checked, and on what only `prepare` of the same type can have put into the searcher.
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P);
}

/// Facts about an algorithm, for lists and bibliographies. Always end it with `..About::UNKNOWN`, because
/// later versions may add fields.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Short id, as in SMART: first a lower-case letter or a digit, then also `-`, `_` and `.`; at most 64
    /// bytes. If the type has parameters, the ids of its variants begin with this one.
    pub id: &'static str,
    /// Full name.
    pub name: &'static str,
    /// The publication that it comes from.
    pub reference: Reference,
    /// How sure it is that this is the published algorithm, and what in it is our own.
    pub status: Status,
    /// The ids that it had before, if they changed.
    pub formerly: Formerly,
    /// The ids of the algorithms on which this one builds, as its publication says, the most important one
    /// first. For all variants by a number stands their common beginning: `bndmq` for `bndmq2`, `bndmq4` ..
    /// Leave it out if there is none, or if it is not known. A program that is written after an algorithm
    /// builds on that algorithm.
    pub after: &'static [&'static str],
    /// The family of algorithms, for example `comparison-occurrence` or `automata` (the book lists ours).
    /// Leave it out if this module or one around it registers the family: `register!(family "automata")`.
    pub family: &'static str,
    /// Parameters that are the same for all variants, for example `u=2`. `register!` puts the parameters of
    /// each variant before them.
    pub parameters: &'static str,
    /// Version of the code if it is somebody else's. The host calls this function when it loads the library.
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
    /// Whether `assay explain` measures it beside others, to learn what their work costs: one of a dozen simple
    /// algorithms whose timed search does exactly what the twin counts.
    pub yardstick: bool,
}

impl About {
    /// Nothing known.
    pub const UNKNOWN: About = About {
        id: "",
        name: "",
        reference: Reference::UNKNOWN,
        status: Status::Undeclared,
        formerly: Formerly::NEVER,
        after: &[],
        family: "",
        parameters: "",
        version: String::new,
        idea: "",
        preparation_time: "",
        space: "",
        worst_case: "",
        average_case: "",
        yardstick: false,
    };
}

/// Conditions under which an algorithm can search. Write only what differs from [`Needs::NOTHING`].
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// Least length of the pattern in bytes.
    pub min_pattern: usize,
    /// Greatest length of the pattern in bytes.
    pub max_pattern: usize,
    /// Least length of the text in bytes, for a pattern of `m` bytes. A value below `m` means `m`.
    pub min_text: fn(m: usize) -> usize,
    /// Number of bytes after the text that the search may touch, for a pattern of `m` bytes. They can hold
    /// any values.
    pub slack: fn(m: usize) -> usize,
    /// Whether the search writes to the slack. It must never write to the text or the pattern.
    pub writes_slack: bool,
    /// How many of the text's first bytes the preparation needs in [`Hints::sample`].
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

    /// Panics at a pattern of a length that is not allowed. Safe functions call it before they do what is
    /// sound only with an allowed length.
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

    /// The needs of an algorithm whose tables hold lengths up to `m + 1` as `u32`, and that needs nothing
    /// else.
    pub const LENGTHS_IN_U32: Needs = Needs { max_pattern: u32::MAX as usize - 1, ..Needs::NOTHING };
}

/// What a preparation may use in addition to the pattern.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The first [`Needs::sample`] bytes of the text, or the whole text if it is shorter.
    pub sample: &'a [u8],
    /// Length of the text in bytes, or 0 if it isn't known yet.
    pub text_length: usize,
}

/// Why an algorithm refuses a pattern. The text completes the sentence "cannot search: ..".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotSearch(pub String);

impl CannotSearch {
    /// An answer with this reason.
    pub fn because(reason: impl Into<String>) -> Self {
        CannotSearch(reason.into())
    }
}

impl fmt::Display for CannotSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot search: {}", self.0)
    }
}

impl Error for CannotSearch {}
