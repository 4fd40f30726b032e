//! What an author tests an algorithm with: one line beside it.
//!
//! ```
//! # use assay_plugin_api::{About, Algorithm, CannotSearch, Found, Hints, Pattern, Probe, Text};
//! # #[derive(Default)]
//! # struct Mine;
//! # impl Algorithm for Mine {
//! #     const ABOUT: About = About { id: "mine", ..About::UNKNOWN };
//! #     fn prepare<P: Probe>(&mut self, _: &[u8], _: Hints<'_>, _: P) -> Result<(), CannotSearch> { Ok(()) }
//! #     fn search<P: Probe>(&mut self, x: Pattern<'_, P>, y: Text<'_, P>, found: &mut impl Found, _: P) {
//! #         for s in 0..=y.len() - x.len() {
//! #             if (0..x.len()).all(|i| x.at(i) == y.at(s + i)) { found.at(s); }
//! #         }
//! #     }
//! # }
//! use assay_plugin_api::testing;
//! # /*
//! #[test]
//! fn finds_what_a_naive_search_finds() {
//! # */
//!     testing::check::<Mine>();
//! # /*
//! }
//! # */
//! ```
//!
//! [`check`] runs a table of cases in all three readings (see [`probe`](crate::probe)) against [`naive`]. For cases of
//! one's own, generated ones for example, there is [`Checker`]; for the result of a single search, [`search`], and for
//! what an instrumented search measures, [`Subject`].
//!
//! Every text lies in a larger memory. Behind its end and the declared slack, the bytes *continue a match* that the text
//! begins: an algorithm that looks too far finds too much, even where nothing checks its reads. The CPU must have the
//! features that the algorithm [needs](crate::Needs::cpu).

mod seeds;

use std::fmt::Write;
use std::marker::PhantomData;

use crate::export::guard::guard;
use crate::measurements::{Counters, Measurements};
use crate::probe::{Checked, CountingReading, Off, Reading};
use crate::{Algorithm, CannotSearch, Count, Found, Hints, Pattern, Text};

/// The reference: positions of all occurrences, in ascending order.
///
/// # Panics
/// If the pattern is empty.
pub fn naive(pattern: &[u8], text: &[u8]) -> Vec<usize> {
    text.windows(pattern.len()).enumerate().filter(|(_, window)| *window == pattern).map(|(s, _)| s).collect()
}

/// Searches once, in the reading `R`: positions of all occurrences, in ascending order.
///
/// # Errors
/// What the algorithm answers where it is not made for such a pattern or text.
///
/// # Panics
/// If the pattern is empty, or the algorithm panics.
pub fn search<A: Algorithm, R: Reading>(pattern: &[u8], text: &[u8]) -> Result<Vec<usize>, CannotSearch> {
    Subject::<A, R>::default().positions(pattern, text)
}

/// Checks an algorithm on hand-picked cases (borders, periods, overlaps, extreme bytes, matches at both ends), each
/// stretched by 0 to 34 bytes before and after, in all three readings.
///
/// # Panics
/// At the first case that goes wrong, with the case; or if the algorithm refused every case.
pub fn check<A: Algorithm>() {
    let mut checker = Checker::<A>::default();
    let mut searched = 0;
    for (pattern, text) in seeds::stretched() {
        searched += usize::from(checker.case(&pattern, &text));
    }
    assert!(searched > 0, "{}: refused every case, so nothing was checked", A::ABOUT.id);
}

/// Checks an algorithm on given cases. One searcher of each reading serves all of them, so that what a pattern leaves
/// behind meets the next.
#[derive(Default)]
pub struct Checker<A> {
    off: Subject<A, Off>,
    checked: Subject<A, Checked>,
    counting: Subject<A, CountingReading>,
}

impl<A: Algorithm> Checker<A> {
    /// Compares number and positions of the occurrences with [`naive`], in all three readings. Says whether the algorithm
    /// searched at all; an answer that it can't is taken, if all readings give it.
    ///
    /// # Panics
    /// If something is wrong, with the case; or if the pattern is empty.
    pub fn case(&mut self, pattern: &[u8], text: &[u8]) -> bool {
        let expected = naive(pattern, text);
        let checked = compare("checked", &mut self.checked, pattern, text, &expected);
        let counting = compare("counting", &mut self.counting, pattern, text, &expected);
        let off = compare("off", &mut self.off, pattern, text, &expected);
        assert!(
            checked == off && counting == off,
            "{}: the readings disagree whether it can search ({})",
            A::ABOUT.id,
            show(pattern, text)
        );
        off.is_ok() && text.len() >= pattern.len()
    }
}

fn compare<A: Algorithm, R: Reading>(
    reading: &str,
    subject: &mut Subject<A, R>,
    pattern: &[u8],
    text: &[u8],
    expected: &[usize],
) -> Result<(), CannotSearch> {
    let wrong = |what: String| -> ! {
        panic!("{}, reading {reading}: {what} ({})", A::ABOUT.id, show(pattern, text))
    };
    let answers = guard(|| (subject.count(pattern, text), subject.positions(pattern, text)));
    match answers {
        Err(panic) => wrong(panic),
        Ok((Err(refusal), Err(_))) => return Err(refusal),
        Ok((Ok(count), Ok(positions))) => {
            if positions != expected {
                wrong(format!("found {positions:?}, expected {expected:?}"));
            }
            if count != expected.len() as u64 {
                wrong(format!("counted {count}, expected {}", expected.len()));
            }
        }
        Ok(answers) => wrong(format!("refused one of two equal searches: {answers:?}")),
    }
    Ok(())
}

fn show(pattern: &[u8], text: &[u8]) -> String {
    let mut line = format!("pattern \"{}\" in text \"", pattern.escape_ascii());
    let shown = text.len().min(400);
    let _ = write!(line, "{}\"", text[..shown].escape_ascii());
    if shown < text.len() {
        let _ = write!(line, " and {} bytes more", text.len() - shown);
    }
    line
}

/// An algorithm in one reading, called as the host calls it: its [`Needs`](crate::Needs) are kept, and a text shorter
/// than the pattern is answered without it. It is prepared anew for each search, and its tables are used again.
pub struct Subject<A, R> {
    algorithm: A,
    counters: Counters,
    memory: Vec<u8>,
    reading: PhantomData<R>,
}

impl<A: Default, R> Default for Subject<A, R> {
    fn default() -> Self {
        Subject {
            algorithm: A::default(),
            counters: Counters::default(),
            memory: Vec::new(),
            reading: PhantomData,
        }
    }
}

impl<A: Algorithm, R: Reading> Subject<A, R> {
    /// Counts the occurrences.
    ///
    /// # Errors
    /// What the algorithm answers where it is not made for such a pattern or text.
    pub fn count(&mut self, pattern: &[u8], text: &[u8]) -> Result<u64, CannotSearch> {
        let mut count = Count::default();
        self.run(pattern, text, &mut count)?;
        Ok(count.0)
    }

    /// Positions of all occurrences, in ascending order.
    ///
    /// # Errors
    /// What the algorithm answers where it is not made for such a pattern or text.
    pub fn positions(&mut self, pattern: &[u8], text: &[u8]) -> Result<Vec<usize>, CannotSearch> {
        let mut positions = Vec::new();
        self.run(pattern, text, &mut positions)?;
        positions.sort_unstable();
        Ok(positions)
    }

    /// What the last search measured. Each figure is `None` where the reading doesn't count.
    pub fn measurements(&self) -> Measurements {
        if R::COUNTS { self.counters.measurements(A::EXTRA.len()) } else { Measurements::default() }
    }

    fn run(&mut self, pattern: &[u8], text: &[u8], found: &mut impl Found) -> Result<(), CannotSearch> {
        let (m, n, needs) = (pattern.len(), text.len(), A::NEEDS);
        assert!(m > 0, "an empty pattern");
        self.counters = Counters::default();
        if n < m {
            return Ok(());
        }
        if m < needs.least_pattern || m > needs.greatest_pattern || n < (needs.least_text)(m) {
            return Err(CannotSearch::because(format!("not made for {m} bytes in {n}")));
        }
        let probe = R::probe(&self.counters);
        let hints = Hints { sample: &text[..n.min(needs.sample)], text_length: n };
        self.algorithm.prepare(pattern, hints, probe)?;

        let slack = (needs.slack)(m);
        let beyond = continuation(pattern, text).cycle().take(slack + m);
        self.memory.clear();
        self.memory.reserve(needs.alignment + n + slack + m);
        let start = self.memory.as_ptr().align_offset(needs.alignment);
        self.memory.resize(start, 0);
        self.memory.extend(text.iter().chain(beyond));
        // SAFETY: the memory holds `slack + m` bytes after the text and outlives the view; it is used through the view
        // alone until the search has ended.
        let view = unsafe { Text::with_slack(self.memory[start..].as_mut_ptr(), n, slack, probe) };
        self.algorithm.search(Pattern::new(pattern, probe), view, found, probe);

        let (kept, behind) = (&self.memory[start..start + n], &self.memory[start + n + slack..]);
        assert!(kept == text, "the text was written to");
        let beyond = continuation(pattern, text).cycle().skip(slack).take(m);
        assert!(beyond.eq(behind), "bytes after the slack were written to");
        Ok(())
    }
}

/// The bytes with which the longest prefix of the pattern that ends the text would become an occurrence, and then the
/// whole pattern.
fn continuation<'a>(pattern: &'a [u8], text: &[u8]) -> impl Iterator<Item = &'a u8> + Clone + use<'a> {
    let begun = (0..pattern.len()).rev().find(|&length| text.ends_with(&pattern[..length])).unwrap_or(0);
    pattern[begun..].iter().chain(pattern)
}

#[cfg(test)]
mod tests;
