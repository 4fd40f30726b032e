//! Models of algorithms, with which their twins are compared.
//!
//! A model is a plain, slow function, written from the literature without a look at the algorithm's source.
//! It returns what the algorithm finds, and what it counts by the convention of the book's page "What is
//! counted". A twin counts what its source does, so only a second, independent source can show that this is
//! what the paper describes.

use super::cases::{Case, Plan, Size};
use super::kit::{Candidate, Failure, Fault};
use super::many::show;
use super::shrink::{SHRINKS, shrunk};
use super::subject::Subject;
use crate::probe::CountingReading;
use crate::{Algorithm, EXTRA_FIELDS, Field, Measurements};

/// What a model finds and counts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Positions of the occurrences, in any order.
    pub found: Vec<usize>,
    /// Characters of the text that were read.
    pub text: u64,
    /// Characters of the pattern that were read.
    pub pattern: u64,
    /// Reads of table entries.
    pub lookups: u64,
    /// Computations beyond plain indexing.
    pub computations: u64,
    /// Conditions that decide where the algorithm goes on.
    pub branches: u64,
    /// Assignments to variables that change during the search.
    pub writes: u64,
    /// Moves of the window.
    pub jumps: u64,
    /// Tests whether a whole window matched.
    pub verifications: u64,
    /// Number of entries of each table.
    pub tables: Vec<u64>,
    /// The extra fields, in the order of the algorithm's names.
    pub extra: [u64; EXTRA_FIELDS],
}

impl Tally {
    /// Compares a character of the text with one of the pattern.
    pub fn equal(&mut self, text: u8, pattern: u8) -> bool {
        self.text += 1;
        self.pattern += 1;
        text == pattern
    }

    /// Compares characters of the text with those of the pattern, pair by pair until two differ, and returns
    /// how many pairs are equal. It counts as a loop with an index: a branch for each comparison and one at
    /// the end of the pairs, a write before the loop and one for each pair that is equal.
    pub fn equal_pairs<'a>(&mut self, pairs: impl IntoIterator<Item = (&'a u8, &'a u8)>) -> usize {
        let mut equal = 0;
        self.writes += 1;
        for (text, pattern) in pairs {
            self.branches += 1;
            if !self.equal(*text, *pattern) {
                return equal;
            }
            equal += 1;
            self.writes += 1;
        }
        self.branches += 1;
        equal
    }

    /// Counts a condition, and returns it.
    pub fn branch(&mut self, condition: bool) -> bool {
        self.branches += 1;
        condition
    }

    /// Counts the test whether the window at `s` matched, which is a branch too. If it did, this is an
    /// occurrence.
    pub fn verify(&mut self, matched: bool, s: usize) {
        self.verifications += 1;
        if self.branch(matched) {
            self.found.push(s);
        }
    }

    /// Counts a move of the window, which writes its place.
    pub fn jump(&mut self) {
        self.jumps += 1;
        self.writes += 1;
    }

    /// The figure of a field. There is none for memory, because the size of an entry is the program's choice.
    fn figure(&self, field: Field) -> Option<u64> {
        Some(match field {
            Field::MemoryUsed => return None,
            Field::LookupEntries => self.tables.iter().sum(),
            Field::LookupEntries2 => self.tables.iter().skip(1).sum(),
            Field::TextBytesRead => self.text,
            Field::PatternBytesRead => self.pattern,
            Field::Computations => self.computations,
            Field::Writes => self.writes,
            Field::Branches => self.branches,
            Field::Jumps => self.jumps,
            Field::Lookups => self.lookups,
            Field::Verifications => self.verifications,
        })
    }
}

/// Lengths of the patterns: short ones, and a few around the lengths of a half, a whole and two machine
/// words.
fn lengths() -> Vec<usize> {
    (1..=20).chain([31, 32, 33, 63, 64, 65, 130]).collect()
}

/// Compares the twin of an algorithm with a model on the cases of [`Size::Quick`] with short patterns: the
/// positions of all occurrences, and all fields but memory and those that `unknown` names, because neither
/// paper nor convention decides them.
///
/// # Panics
/// At the first case in which they differ, with a case that is as small as possible; if `unknown` names no
/// field, or one in which they never differ; or if the algorithm refuses almost all cases.
pub fn agrees<A: Algorithm>(model: impl Fn(&[u8], &[u8]) -> Tally, unknown: &[&str]) {
    agrees_from::<A>(1, model, unknown);
}

/// As [`agrees`], for patterns of `least` characters or more, because the paper leaves shorter ones open.
///
/// # Panics
/// As [`agrees`] does.
pub fn agrees_from<A: Algorithm>(least: usize, model: impl Fn(&[u8], &[u8]) -> Tally, unknown: &[&str]) {
    let (id, mut subject, mut searched) = (A::ABOUT.id, Subject::<A, CountingReading>::default(), 0);
    for name in unknown {
        let is_field = Field::ALL.iter().any(|field| field.name() == *name) || A::EXTRA.contains(name);
        assert!(is_field, "{id} has no field `{name}`");
    }
    let mut never_differs = unknown.to_vec();
    let mut difference = |case: &Case| -> Result<bool, String> {
        let (pattern, text) = case;
        if pattern.len() < least {
            return Ok(false);
        }
        let answer = subject.prepare(pattern, text).and_then(|mut prepared| prepared.positions(text));
        match answer {
            Ok(positions) => {
                let mut tally = model(pattern, text);
                tally.found.sort_unstable();
                let differing = differences::<A>(&tally, &subject.measurements());
                let is_known = |difference: &&Difference| !unknown.contains(&difference.field);
                let mut wrong: Vec<String> =
                    differing.iter().filter(is_known).map(Difference::words).collect();
                never_differs.retain(|name| differing.iter().all(|difference| difference.field != *name));
                let found = positions.unwrap_or_default();
                if tally.found != found {
                    wrong.insert(0, format!("found {found:?} (model: {:?})", tally.found));
                }
                if wrong.is_empty() { Ok(true) } else { Err(wrong.join(", ")) }
            }
            Err(Failure::CannotSearch(_)) => Ok(false),
            Err(Failure::Fault(fault)) => Err(fault),
        }
    };
    for (place, case) in (Plan { size: Size::Quick, lengths: lengths(), ..Plan::default() }).cases() {
        match difference(&case) {
            Ok(has_searched) => searched += usize::from(has_searched),
            Err(fault) => {
                let mut tries = SHRINKS;
                let fails = |case: &Case| {
                    tries = tries.checked_sub(1)?;
                    difference(case).err().map(Fault::from)
                };
                let (fault, case) = shrunk(case.clone(), fails).unwrap_or((fault.into(), case));
                panic!("{id}, {place}: {}", show(&fault.message, &case));
            }
        }
    }
    assert!(searched > 100, "{id}: only {searched} cases were searched");
    assert!(never_differs.is_empty(), "{id}: model and twin always agree in {}", never_differs.join(", "));
}

/// A field that a twin counts in another way than the model.
struct Difference {
    field: &'static str,
    model: u64,
    twin: u64,
}

impl Difference {
    fn words(&self) -> String {
        format!("{} {} (model: {})", self.field, self.twin, self.model)
    }
}

/// The fields in which a model and a twin differ.
fn differences<A: Algorithm>(tally: &Tally, counted: &Measurements) -> Vec<Difference> {
    let fields = Field::ALL.map(|field| (field.name(), tally.figure(field), counted.fields[field as usize]));
    let extra = A::EXTRA.iter().enumerate().map(|(i, name)| (*name, Some(tally.extra[i]), counted.extra[i]));
    let both = fields.into_iter().chain(extra).filter_map(|(field, model, twin)| {
        Some(Difference { field, model: model?, twin: twin.unwrap_or_default() })
    });
    both.filter(|difference| difference.model != difference.twin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// Compares each window from left to right.
    #[derive(Default)]
    struct Plain;

    impl Algorithm for Plain {
        const ABOUT: About = About { id: "plain", ..About::UNKNOWN };
        const EXTRA: &'static [&'static str] = &["#windows"];

        fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
            let mut s = 0;
            probe.writes(1);
            while probe.branch(s + pattern.len() <= text.len()) {
                if pattern.occurs(text, s, 0..pattern.len()) {
                    found.at(s);
                }
                s += 1;
                probe.writes(1);
                probe.jump();
                probe.extra(0, || 1);
            }
        }
    }

    fn model(pattern: &[u8], text: &[u8]) -> Tally {
        let windows = text.windows(pattern.len());
        let count = windows.len() as u64;
        let mut tally = Tally { writes: 1, branches: 1, ..Tally::default() };
        for (s, window) in windows.enumerate() {
            let equal = tally.equal_pairs(window.iter().zip(pattern));
            tally.verify(equal == pattern.len(), s);
            tally.jump();
        }
        tally.branches += count;
        tally.extra[0] = count;
        tally
    }

    fn refused(model: fn(&[u8], &[u8]) -> Tally, unknown: &'static [&'static str]) -> String {
        let refused = std::panic::catch_unwind(|| agrees::<Plain>(model, unknown)).unwrap_err();
        *refused.downcast::<String>().unwrap()
    }

    #[test]
    fn a_model_of_the_same_algorithm_agrees() {
        agrees::<Plain>(model, &[]);
    }

    #[test]
    fn a_figure_that_differs_is_reported_with_a_small_case_unless_it_is_unknown() {
        let more = |pattern: &[u8], text: &[u8]| {
            let mut tally = model(pattern, text);
            tally.lookups += u64::from(text.len() > pattern.len());
            tally.extra[0] += 1;
            tally
        };
        let message = refused(more, &["#windows"]);
        assert!(message.contains(": lookups 0 (model: 1) (pattern \"a\" in text "), "{message}");
        let message = refused(more, &["lookups"]);
        assert!(message.contains(": #windows 1 (model: 2) (pattern \"a\" in text "), "{message}");
        agrees::<Plain>(more, &["lookups", "#windows"]);
    }

    #[test]
    fn an_occurrence_that_differs_is_reported() {
        let fewer = |pattern: &[u8], text: &[u8]| {
            let mut tally = model(pattern, text);
            tally.found.pop();
            tally
        };
        let message = refused(fewer, &[]);
        assert!(message.ends_with(": found [0] (model: []) (pattern \"a\" in text \"a\")"), "{message}");
    }

    #[test]
    fn a_field_that_is_unknown_must_be_there_and_differ() {
        assert_eq!(refused(model, &["#window"]), "plain has no field `#window`");
        assert_eq!(
            refused(model, &["lookups", "jumps"]),
            "plain: model and twin always agree in lookups, jumps"
        );
    }
}
