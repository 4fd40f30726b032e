//! The attempts of a search: what it does between two moves of its window.

use assay_plugin_api::Field;
use serde::Serialize;

use crate::event::TraceEvent;

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
    let mut attempts = Vec::new();
    let mut attempt = TracedAttempt::default();
    // The last read of either, if nothing was compared with it yet.
    let (mut free_text, mut free_pattern) = (None, None);
    let mut last_text = None;
    for (number, event) in search.iter().enumerate() {
        let compare = |attempt: &mut TracedAttempt, i: u64, j: u64| {
            let characters = (text.get(i as usize), pattern.get(j as usize));
            let equal = matches!(characters, (Some(a), Some(b)) if a == b);
            attempt.comparisons.push(ComparedPair { text: i, pattern: j, equal, event: number });
            attempt.window = attempt.window.or_else(|| i.checked_sub(j));
        };
        match *event {
            TraceEvent::TextRead { at, bytes } => {
                attempt.reads.push(TextRead { at, bytes, event: number });
                let single = (bytes == 1).then_some(at);
                match (single, free_pattern.take()) {
                    (Some(i), Some(j)) => compare(&mut attempt, i, j),
                    _ => free_text = single,
                }
                last_text = single;
            }
            TraceEvent::PatternRead { at: Some(j), bytes: 1 } => match free_text.take() {
                Some(i) => compare(&mut attempt, i, j),
                None => free_pattern = Some(j),
            },
            TraceEvent::Occurrence { at } => {
                attempt.occurrences.push(ReportedOccurrence { at, event: number })
            }
            TraceEvent::Lookup { table, index, value } => {
                attempt.lookups.push(Lookup { table, index, value, event: number });
                free_text = None;
            }
            TraceEvent::Count { field, amount } if field == Field::Jumps.name() => {
                (attempt.moves, attempt.end) = (amount, number + 1);
                add(&mut attempts, std::mem::take(&mut attempt));
                (free_text, free_pattern) = (None, None);
            }
            TraceEvent::Branch { .. } => {
                // The character of the text was read before, and is kept.
                if let (Some(i), Some(j)) = (last_text, free_pattern.take()) {
                    compare(&mut attempt, i, j);
                }
                free_text = None;
            }
            _ => {}
        }
    }
    if !attempt.is_empty() {
        attempt.end = search.len();
        add(&mut attempts, attempt);
    }
    attempts
}

/// Adds an attempt, or joins it with the one before if its window is the same: automata report a move for each character.
fn add(attempts: &mut Vec<TracedAttempt>, attempt: TracedAttempt) {
    match attempts.last_mut() {
        Some(last) if last.window.is_some() && last.window == attempt.window => {
            last.reads.extend(attempt.reads);
            last.comparisons.extend(attempt.comparisons);
            last.lookups.extend(attempt.lookups);
            last.occurrences.extend(attempt.occurrences);
            last.moves += attempt.moves;
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
    fn attempts_with_one_window_are_one() {
        let search =
            [PATTERN(0), READ(0), BRANCH, JUMP, PATTERN(1), READ(1), BRANCH, JUMP, PATTERN(0), READ(1), JUMP];
        let [first, second] = &attempts(&search, b"ab", b"aab")[..] else { panic!("two attempts") };
        assert_eq!((first.window, first.comparisons.len(), first.moves, first.end), (Some(0), 2, 2, 8));
        assert_eq!((second.window, second.end), (Some(1), 11));
    }

    #[test]
    fn a_character_that_is_kept_is_compared_again() {
        let search = [READ(0), PATTERN(0), BRANCH, PATTERN(1), BRANCH];
        let [attempt] = &attempts(&search, b"ab", b"b")[..] else { panic!("one attempt") };
        let equal: Vec<bool> = attempt.comparisons.iter().map(|comparison| comparison.equal).collect();
        assert_eq!((attempt.reads.len(), equal), (1, vec![false, true]));
    }

    #[test]
    fn a_character_that_leads_to_an_entry_is_not_compared() {
        let lookup = TraceEvent::Lookup { table: 1, index: 97, value: Some(2) };
        let search = [READ(1), lookup, PATTERN(0), READ(5), BRANCH, JUMP, READ(7), lookup];
        let [first, second] = &attempts(&search, b"ab", b"aaaaaaaa")[..] else { panic!("two attempts") };
        assert_eq!(first.comparisons, [ComparedPair { text: 5, pattern: 0, equal: true, event: 3 }]);
        assert_eq!((second.window, second.moves, second.lookups.len()), (None, 0, 1));
    }
}
