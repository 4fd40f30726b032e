//! The attempts of a search: what it does between two moves of its window.

use assay_plugin_api::Field;
use serde::Serialize;

use crate::event::TraceEvent;
use crate::windows::derive_windows;

/// A character of the text and one of the pattern that were read one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedPair {
    /// Position in the text.
    pub text: u64,
    /// Position in the pattern.
    pub pattern: u64,
    /// Whether both are the same character.
    pub equal: bool,
    /// Index of the event with which both were read.
    pub event: usize,
}

/// Bytes of the text that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TextRead {
    /// Position of the first.
    pub at: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// Index of the event.
    pub event: usize,
}

/// An entry that was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Lookup {
    /// Number of the table; 0 if the preparation has not declared it.
    pub table: u32,
    /// Which entry.
    pub index: u64,
    /// The entry, if it is a number.
    pub value: Option<i128>,
    /// Index of the event.
    pub event: usize,
}

/// An occurrence that was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReportedOccurrence {
    /// Position in the text.
    pub at: u64,
    /// Index of the event.
    pub event: usize,
}

/// What a search does until its window moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TracedAttempt {
    /// Where the pattern lies under the text, by the first comparison; none if there is no comparison.
    pub window: Option<u64>,
    /// Where it lies by the first read of the text, if all attempts agree with that.
    pub window_by_reads: Option<u64>,
    /// The bytes of the text that were read, in order.
    pub reads: Vec<TextRead>,
    /// The comparisons, in order.
    pub comparisons: Vec<ComparedPair>,
    /// The entries that were looked up, in order.
    pub lookups: Vec<Lookup>,
    /// The occurrences that were reported.
    pub occurrences: Vec<ReportedOccurrence>,
    /// How often the window moved at the end: once in most algorithms, and not at all in the last attempt of some.
    pub moves: u64,
    /// Index of the event after the last.
    pub end: usize,
}

impl TracedAttempt {
    /// Where the pattern lies, by comparisons or by reads.
    pub fn known_window(&self) -> Option<u64> {
        self.window.or(self.window_by_reads)
    }

    fn is_empty(&self) -> bool {
        self.reads.is_empty()
            && self.comparisons.is_empty()
            && self.lookups.is_empty()
            && self.occurrences.is_empty()
    }
}

/// Groups the events of a search.
///
/// Events say which characters were read, and not what they were compared with. So a character of the text and one of
/// the pattern count as compared if no other event lies between the two reads; a further character of the pattern is
/// compared with the same character of the text.
pub fn attempts(search: &[TraceEvent], pattern: &[u8], text: &[u8]) -> Vec<TracedAttempt> {
    let mut grouping = Grouping::default();
    for (number, event) in search.iter().enumerate() {
        grouping.add(number, event, pattern, text);
    }
    let Grouping { mut attempts, mut attempt, .. } = grouping;
    if !attempt.is_empty() {
        attempt.end = search.len();
        add(&mut attempts, attempt);
    }
    derive_windows(&mut attempts, pattern, text);
    attempts
}

/// The attempts so far, and what may be compared next.
#[derive(Default)]
struct Grouping {
    attempts: Vec<TracedAttempt>,
    attempt: TracedAttempt,
    /// The last character of the text, until the window moves or an entry is looked up.
    last_text: Option<u64>,
    /// The same, as long as nothing was compared with it.
    free_text: Option<u64>,
    /// A character of the pattern with which nothing was compared yet.
    free_pattern: Option<u64>,
}

impl Grouping {
    fn add(&mut self, number: usize, event: &TraceEvent, pattern: &[u8], text: &[u8]) {
        match *event {
            TraceEvent::TextRead { at, bytes } => {
                self.attempt.reads.push(TextRead { at, bytes, event: number });
                let single = (bytes == 1).then_some(at);
                self.last_text = single;
                match (single, self.free_pattern.take()) {
                    (Some(i), Some(j)) => self.compare((i, j), number, pattern, text),
                    _ => self.free_text = single,
                }
            }
            TraceEvent::PatternRead { at: Some(j), bytes: 1 } => match self.free_text.take() {
                Some(i) => self.compare((i, j), number, pattern, text),
                None => self.free_pattern = Some(j),
            },
            TraceEvent::Occurrence { at } => {
                self.attempt.occurrences.push(ReportedOccurrence { at, event: number });
            }
            TraceEvent::Lookup { table, index, value } => {
                self.attempt.lookups.push(Lookup { table, index, value, event: number });
                self.forget();
            }
            TraceEvent::Count { field, amount } if field == Field::Jumps.name() => {
                (self.attempt.moves, self.attempt.end) = (amount, number + 1);
                add(&mut self.attempts, std::mem::take(&mut self.attempt));
                self.forget();
            }
            TraceEvent::Branch { .. } => {
                // The character of the text was read before, and is kept.
                if let (Some(i), Some(j)) = (self.last_text, self.free_pattern.take()) {
                    self.compare((i, j), number, pattern, text);
                }
                self.free_text = None;
            }
            _ => {}
        }
    }

    fn forget(&mut self) {
        (self.last_text, self.free_text, self.free_pattern) = (None, None, None);
    }

    /// Position `i` of the text is compared with `j` of the pattern. Another alignment is another attempt, although the
    /// search did not report a move: it follows the borders of a prefix, for example.
    fn compare(&mut self, (i, j): (u64, u64), number: usize, pattern: &[u8], text: &[u8]) {
        let at = |bytes: &[u8], place: u64| {
            usize::try_from(place).ok().and_then(|place| bytes.get(place).copied())
        };
        let (Some(a), Some(b), Some(window)) = (at(text, i), at(pattern, j), i.checked_sub(j)) else {
            return;
        };
        if self.attempt.window.is_some_and(|known| known != window) {
            // The character that is compared was read for the new alignment, if it was read just now.
            let last = self.attempt.reads.pop_if(|read| read.at == i && read.event + 1 >= number);
            self.attempt.end = last.map_or(number, |read| read.event);
            add(&mut self.attempts, std::mem::take(&mut self.attempt));
            self.attempt.reads.extend(last);
        }
        self.attempt.window = Some(window);
        self.attempt.comparisons.push(ComparedPair { text: i, pattern: j, equal: a == b, event: number });
    }
}

/// Adds an attempt, or joins it with the one before: if its window is the same, because automata report a move for each
/// character, or if it is a further move and nothing else.
fn add(attempts: &mut Vec<TracedAttempt>, attempt: TracedAttempt) {
    match attempts.last_mut() {
        Some(last) if attempt.is_empty() || last.window.is_some() && last.window == attempt.window => {
            last.reads.extend(attempt.reads);
            last.comparisons.extend(attempt.comparisons);
            last.lookups.extend(attempt.lookups);
            last.occurrences.extend(attempt.occurrences);
            last.moves = last.moves.saturating_add(attempt.moves);
            last.end = attempt.end;
        }
        _ => attempts.push(attempt),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: fn(u64) -> TraceEvent = |at| TraceEvent::TextRead { at, bytes: 1 };
    const PATTERN: fn(u64) -> TraceEvent = |at| TraceEvent::PatternRead { at: Some(at), bytes: 1 };
    const BRANCH: TraceEvent = TraceEvent::Branch { holds: true };
    const JUMP: TraceEvent = TraceEvent::Count { field: "jumps", amount: 1 };

    #[test]
    fn characters_that_are_read_together_are_compared() {
        let search = [
            PATTERN(1),
            READ(3),
            BRANCH,
            READ(2),
            PATTERN(0),
            BRANCH,
            TraceEvent::Occurrence { at: 2 },
            JUMP,
        ];
        let [attempt] = &attempts(&search, b"ab", b"xxabx")[..] else { panic!("one attempt") };
        let compared = |text, pattern, equal, event| ComparedPair { text, pattern, equal, event };
        assert_eq!(attempt.comparisons, [compared(3, 1, true, 1), compared(2, 0, true, 4)]);
        let found = ReportedOccurrence { at: 2, event: 6 };
        assert_eq!((attempt.window, &attempt.occurrences[..], attempt.moves), (Some(2), &[found][..], 1));
    }

    #[test]
    fn another_alignment_is_another_attempt() {
        let search =
            [PATTERN(1), READ(1), BRANCH, PATTERN(0), READ(1), BRANCH, PATTERN(1), READ(2), BRANCH, JUMP];
        let [first, second] = &attempts(&search, b"ab", b"aab")[..] else { panic!("two attempts") };
        assert_eq!((first.window, first.reads.len(), first.end, first.moves), (Some(0), 1, 4, 0));
        assert_eq!((second.window, second.reads.len(), second.end, second.moves), (Some(1), 2, 10, 1));
    }

    #[test]
    fn places_beyond_text_and_pattern_are_not_compared() {
        let search =
            [PATTERN(0), READ(u64::MAX), PATTERN(7), READ(0), PATTERN(1), READ(0), BRANCH, JUMP, JUMP];
        let [attempt] = &attempts(&search, b"ab", b"ab")[..] else { panic!("one attempt") };
        assert_eq!((attempt.window, attempt.comparisons.len(), attempt.moves), (None, 0, 2));
    }

    #[test]
    fn attempts_with_one_window_are_one() {
        let search =
            [PATTERN(0), READ(0), BRANCH, JUMP, PATTERN(1), READ(1), BRANCH, JUMP, PATTERN(0), READ(1), JUMP];
        let [first, second] = &attempts(&search, b"ab", b"aab")[..] else { panic!("two attempts") };
        assert_eq!((first.window, first.comparisons.len(), first.moves, first.end), (Some(0), 2, 2, 8));
        assert_eq!((second.window, second.end), (Some(1), 11));
    }

    #[test]
    fn a_character_that_is_kept_is_compared_again() {
        let search = [READ(1), PATTERN(1), BRANCH, PATTERN(0), BRANCH];
        let [first, second] = &attempts(&search, b"ab", b"bb")[..] else { panic!("two attempts") };
        let equal =
            |attempt: &TracedAttempt| attempt.comparisons.iter().map(|pair| pair.equal).collect::<Vec<_>>();
        assert_eq!((first.reads.len(), equal(first)), (1, vec![true]));
        assert_eq!((second.reads.len(), equal(second), second.window), (0, vec![false], Some(1)));
    }

    #[test]
    fn a_character_that_leads_to_an_entry_is_not_compared() {
        let lookup = TraceEvent::Lookup { table: 1, index: 97, value: Some(2) };
        let search = [
            READ(1),
            lookup,
            PATTERN(0),
            BRANCH,
            PATTERN(0),
            READ(5),
            BRANCH,
            JUMP,
            PATTERN(0),
            BRANCH,
            READ(7),
            lookup,
        ];
        let [first, second] = &attempts(&search, b"ab", b"aaaaaaaa")[..] else { panic!("two attempts") };
        assert_eq!(first.comparisons, [ComparedPair { text: 5, pattern: 0, equal: true, event: 5 }]);
        assert_eq!((second.window, second.moves, second.lookups.len()), (None, 0, 1));
    }
}
