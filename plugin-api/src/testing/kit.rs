//! The interface of candidates for a test, and the trial of a candidate on one case.

use std::fmt;

use super::cases::{Around, Case, Edge};
use super::naive;

/// A candidate for a test: it can be prepared for a pattern. The kit uses it as a `dyn Candidate`, so that
/// the kit is compiled once and not for each algorithm in each reading.
pub trait Candidate {
    /// Prepares the candidate for a pattern and for texts such as this one.
    ///
    /// # Errors
    /// If it refuses, or does something wrong.
    fn prepare<'a>(&'a mut self, pattern: &'a [u8], text: &[u8]) -> Result<Box<dyn Search + 'a>, Failure>;
}

/// A candidate that is prepared for a pattern.
pub trait Search {
    /// Sets the bytes that surround the texts of later searches, and the side on which the memory ends.
    /// Before the first call, these are [`Around::Continuing`] and [`Edge::After`].
    fn surround(&mut self, around: Around, edge: Edge);

    /// Counts the occurrences of the pattern.
    ///
    /// # Errors
    /// If it refuses, or does something wrong.
    fn count(&mut self, text: &[u8]) -> Result<u64, Failure>;

    /// Finds the positions of all occurrences, in ascending order; `None` if the candidate only counts.
    ///
    /// # Errors
    /// If it refuses, or does something wrong.
    fn positions(&mut self, text: &[u8]) -> Result<Option<Vec<usize>>, Failure>;
}

/// The reason why a candidate does not search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is not made for such a pattern or text.
    CannotSearch(String),
    /// It has done something wrong.
    Fault(String),
}

/// A fault that a trial has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, in a sentence.
    pub message: String,
    /// Whether the fault is in the search of the other text of the trial, after the case itself was right.
    pub in_other_text: bool,
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Fault { message, in_other_text: false }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A case with its expected results.
#[derive(Clone, Debug)]
pub struct Trial {
    case: Case,
    /// Positions of the occurrences in the text.
    found: Vec<usize>,
    /// Another text for the same preparation, with the positions of its occurrences.
    other: (Vec<u8>, Vec<usize>),
    /// The pattern, surrounded by bytes that continue it.
    surrounded: Vec<u8>,
}

/// Number of bytes on each side of the pattern that continue it: the width of the widest vectors.
const AROUND_PATTERN: usize = 64;

impl Trial {
    /// A case, with the results of a naive search.
    ///
    /// # Panics
    /// If the pattern is empty.
    pub fn new(case: Case) -> Self {
        let (pattern, text) = &case;
        let found = naive(pattern, text);
        let (_, other) = Trial::other(&case);
        let found_in_other = naive(pattern, &other);
        let before = pattern.iter().rev().cycle().take(AROUND_PATTERN).copied();
        let mut surrounded: Vec<u8> = before.collect();
        surrounded.reverse();
        surrounded.extend_from_slice(pattern);
        // An algorithm that reads beyond the pattern would compare the bytes that follow an occurrence.
        let following = found.first().map_or(&[][..], |s| &text[s + pattern.len()..]);
        surrounded.extend(following.iter().chain(pattern.iter().cycle()).take(AROUND_PATTERN));
        Trial { case, found, other: (other, found_in_other), surrounded }
    }

    /// The case with the same pattern in the other text, which is searched with the same preparation.
    pub fn other((pattern, text): &Case) -> Case {
        (pattern.clone(), [&pattern[pattern.len() / 2..], pattern, &text[..text.len() / 2]].concat())
    }

    /// The case.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// Tries a candidate: prepares it, counts, finds positions without another preparation, searches another
    /// text, and searches the first text again, each with other surroundings. Returns whether it searched; it
    /// may refuse the case.
    ///
    /// # Errors
    /// The first fault.
    pub fn judge(&self, candidate: &mut dyn Candidate) -> Result<bool, Fault> {
        // The candidate gets copies, because a faulty one may write to them.
        let (text, around) = (self.case.1.clone(), self.surrounded.clone());
        let m = self.case.0.len();
        let pattern = &around[AROUND_PATTERN..AROUND_PATTERN + m];
        let searched = self.searches(candidate, pattern, &text)?;
        for (given, kept, what) in [
            (&text, &self.case.1, "the text was written to"),
            (&around, &self.surrounded, "the pattern was written to"),
        ] {
            if std::hint::black_box(given) != kept {
                return Err(what.to_owned().into());
            }
        }
        Ok(searched)
    }

    /// Tries a candidate that can search only once: prepares it and counts. Returns whether it searched.
    ///
    /// # Errors
    /// The first fault.
    pub fn once(&self, candidate: &mut dyn Candidate) -> Result<bool, String> {
        let (pattern, text) = &self.case;
        let Some(mut prepared) = prepared(candidate, pattern, text)? else { return Ok(false) };
        counts(&mut *prepared, text, &self.found)
    }

    fn searches(&self, candidate: &mut dyn Candidate, pattern: &[u8], text: &[u8]) -> Result<bool, Fault> {
        let Some(mut prepared) = prepared(candidate, pattern, text)? else { return Ok(false) };
        prepared.surround(Around::Continuing, Edge::After);
        match counts(&mut *prepared, text, &self.found) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(fault) => {
                prepared.surround(Around::Zeros, Edge::After);
                let only_there = counts(&mut *prepared, text, &self.found) == Ok(true);
                let why =
                    if only_there { ", because bytes around the text continue the pattern" } else { "" };
                return Err((fault + why).into());
            }
        }
        let after = |what: &'static str| move |fault: String| format!("{what}, {fault}");
        prepared.surround(Around::Zeros, Edge::After);
        finds_again(&mut *prepared, text, &self.found).map_err(after("in a second search"))?;
        // The other text may be too short for the algorithm, which may then refuse it.
        let (other, found) = &self.other;
        prepared.surround(Around::Continuing, Edge::Before);
        finds(&mut *prepared, other, found)
            .map_err(|fault| format!("with the same preparation, {fault} in \"{}\"", excerpt(other)))
            .map_err(|message| Fault { message, in_other_text: true })?;
        prepared.surround(Around::Zeros, Edge::Before);
        finds_again(&mut *prepared, text, &self.found).map_err(after("in a later search"))?;
        Ok(true)
    }
}

/// Tries a candidate on one case, as [`Trial::judge`] does.
///
/// # Errors
/// The first fault.
///
/// # Panics
/// If the pattern is empty.
pub fn judge(candidate: &mut dyn Candidate, pattern: &[u8], text: &[u8]) -> Result<bool, Fault> {
    Trial::new((pattern.to_vec(), text.to_vec())).judge(candidate)
}

/// Prepares a candidate, which it may refuse.
pub(super) fn prepared<'a>(
    candidate: &'a mut (dyn Candidate + '_),
    pattern: &'a [u8],
    text: &[u8],
) -> Result<Option<Box<dyn Search + 'a>>, String> {
    match candidate.prepare(pattern, text) {
        Ok(prepared) => Ok(Some(prepared)),
        Err(Failure::CannotSearch(_)) => Ok(None),
        Err(Failure::Fault(fault)) => Err(fault),
    }
}

/// Compares number and positions of the occurrences with those of the naive search. Returns whether it
/// searched, because some candidates refuse only when they see the text.
pub(super) fn compare(prepared: &mut dyn Search, pattern: &[u8], text: &[u8]) -> Result<bool, String> {
    let expected = naive(pattern, text);
    Ok(counts(prepared, text, &expected)? && finds_again(prepared, text, &expected).map(|()| true)?)
}

/// Checks the count of a search. Returns whether it searched.
fn counts(prepared: &mut dyn Search, text: &[u8], expected: &[usize]) -> Result<bool, String> {
    match prepared.count(text) {
        Ok(count) if count == expected.len() as u64 => Ok(true),
        Ok(count) => Err(format!("counted {count}, expected {}", expected.len())),
        Err(Failure::CannotSearch(_)) => Ok(false),
        Err(Failure::Fault(fault)) => Err(fault),
    }
}

/// Checks the positions of a search, or the count if the candidate only counts. Returns whether it searched.
fn finds(prepared: &mut dyn Search, text: &[u8], expected: &[usize]) -> Result<bool, String> {
    match prepared.positions(text) {
        Ok(Some(positions)) if positions != expected => Err(difference(&positions, expected)),
        Ok(Some(_)) => Ok(true),
        Ok(None) => counts(prepared, text, expected),
        Err(Failure::CannotSearch(_)) => Ok(false),
        Err(Failure::Fault(fault)) => Err(fault),
    }
}

/// Checks the search of a text that was searched before, so that a refusal is a fault.
fn finds_again(prepared: &mut dyn Search, text: &[u8], expected: &[usize]) -> Result<(), String> {
    if finds(prepared, text, expected)? {
        return Ok(());
    }
    Err("could not search what it has searched before".to_owned())
}

/// The difference between positions, in a few words.
fn difference(found: &[usize], expected: &[usize]) -> String {
    /// More positions would not fit into a line.
    const FEW: usize = 12;
    if found.len() <= FEW && expected.len() <= FEW {
        return format!("found {found:?}, expected {expected:?}");
    }
    let same = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
    let at = |positions: &[usize]| positions.get(same).map_or("none".to_owned(), usize::to_string);
    let (counts, places) = ((found.len(), expected.len()), (at(found), at(expected)));
    format!(
        "found {} positions, expected {}: after {same} that are right {}, expected {}",
        counts.0, counts.1, places.0, places.1
    )
}

/// The beginning of a text, printable.
pub(super) fn excerpt(text: &[u8]) -> String {
    /// Greatest number of bytes shown, some lines of a terminal.
    const SHOWN: usize = 400;
    let shown = text[..text.len().min(SHOWN)].escape_ascii().to_string();
    if text.len() > SHOWN { format!("{shown}.. ({} bytes)", text.len()) } else { shown }
}
