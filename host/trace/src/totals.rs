//! Events, added up, and whether they agree with what else is known of a search.

use assay_base::io::console::counted;
use assay_plugin_api::testing::naive;
use assay_plugin_api::{FIELDS, Field};

use crate::event::TraceEvent;

/// The standard measurements that follow from the events of a preparation and a search, in the order of [`Field`]. They
/// are the counts of the twin if all events were recorded.
pub fn totals<'a>(events: impl IntoIterator<Item = &'a TraceEvent>) -> [u64; FIELDS] {
    let (mut totals, mut tables) = ([0; FIELDS], 0_u64);
    for event in events {
        let mut add = |field: Field, amount: u64| {
            let total: &mut u64 = &mut totals[field as usize];
            *total = total.saturating_add(amount);
        };
        match *event {
            TraceEvent::TextRead { bytes, .. } => add(Field::TextBytesRead, bytes),
            TraceEvent::PatternRead { bytes, .. } => add(Field::PatternBytesRead, bytes),
            TraceEvent::Lookup { .. } => add(Field::Lookups, 1),
            TraceEvent::Branch { .. } => add(Field::Branches, 1),
            TraceEvent::Verification { .. } => add(Field::Verifications, 1),
            TraceEvent::Count { field, amount } => {
                if let Some(field) = Field::ALL.into_iter().find(|known| known.name() == field) {
                    add(field, amount);
                }
            }
            TraceEvent::Table { entries, bytes, .. } => {
                add(Field::MemoryUsed, bytes);
                if tables > 0 {
                    add(Field::LookupEntries2, entries);
                }
                add(Field::LookupEntries, entries);
                tables = tables.saturating_add(entries);
            }
            TraceEvent::Extra { .. } | TraceEvent::Entry { .. } | TraceEvent::Occurrence { .. } => {}
        }
    }
    totals
}

/// What is known of a search that ended, apart from its events.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult<'a> {
    /// The number of occurrences that it returned.
    pub occurrences: u64,
    /// The counts of the twin, in the order of [`Field`].
    pub counts: &'a [Option<u64>],
    /// Its extra fields.
    pub extra: &'a [Option<u64>],
    /// Bytes after the text that it may read.
    pub slack: usize,
}

/// What is wrong with a search for `pattern` in `text`; none if nothing is. `events` are those of preparation and
/// search, if all of them were recorded.
pub fn contradiction(
    events: Option<&[TraceEvent]>,
    result: SearchResult<'_>,
    pattern: &[u8],
    text: &[u8],
) -> Option<String> {
    let positions = naive(pattern, text);
    if result.occurrences != positions.len() as u64 {
        let right = positions.len();
        return Some(format!(
            "it counts {}, and the text has {right}",
            counted(result.occurrences as usize, "occurrence")
        ));
    }
    let events = events?;
    wrong_sum(events, result)
        .or_else(|| events.iter().find_map(|event| outside(event, pattern.len(), text.len() + result.slack)))
        .or_else(|| wrong_occurrence(events, &positions))
}

/// The first field whose count is not the sum of its events.
fn wrong_sum(events: &[TraceEvent], result: SearchResult<'_>) -> Option<String> {
    let differs = |name: &str, total: u64, count: u64| {
        (total != count).then(|| format!("its events have {total} {name}, and its count is {count}"))
    };
    for (field, total) in Field::ALL.into_iter().zip(totals(events)) {
        let count = result.counts.get(field as usize).copied().flatten();
        if let Some(wrong) = count.and_then(|count| differs(field.name(), total, count)) {
            return Some(wrong);
        }
    }
    let mut totals = vec![0_u64; result.extra.len()];
    for event in events {
        if let TraceEvent::Extra { field, amount } = *event
            && let Some(total) = usize::try_from(field).ok().and_then(|field| totals.get_mut(field))
        {
            *total = total.saturating_add(amount);
        }
    }
    let amounts = (1..).zip(totals).zip(result.extra);
    amounts
        .filter_map(|(total, amount)| Some((total, (*amount)?)))
        .find_map(|((number, total), amount)| differs(&format!("in extra field {number}"), total, amount))
}

/// What is wrong with an event that reads outside of a pattern or a text of these lengths.
fn outside(event: &TraceEvent, pattern: usize, text: usize) -> Option<String> {
    let (of, at, bytes, end) = match *event {
        TraceEvent::TextRead { at, bytes } => ("text", at, bytes, text),
        TraceEvent::PatternRead { at: Some(at), bytes } => ("pattern", at, bytes, pattern),
        _ => return None,
    };
    at.checked_add(bytes)
        .is_none_or(|past| past > end as u64)
        .then(|| format!("its events read {bytes} bytes of the {of} from position {at} on, beyond {end}"))
}

/// The first occurrence that the naive search, which found these positions, does not have, and how many there are.
///
/// A search that is not asked for positions may report how many occurrences there are, which is no event. So some may be
/// missing, but none may be wrong or come twice.
fn wrong_occurrence(events: &[TraceEvent], positions: &[usize]) -> Option<String> {
    let mut reported: Vec<u64> = events
        .iter()
        .filter_map(|event| if let TraceEvent::Occurrence { at } = event { Some(*at) } else { None })
        .collect();
    reported.sort_unstable();
    let occurs = |at: u64| positions.binary_search(&(at as usize)).is_ok();
    let repeated = |place: usize| place > 0 && reported[place - 1] == reported[place];
    let wrong: Vec<usize> =
        (0..reported.len()).filter(|&place| repeated(place) || !occurs(reported[place])).collect();
    let first = *wrong.first()?;
    let fault =
        if repeated(first) { "which it has reported before" } else { "where the pattern does not occur" };
    let all = match wrong.len() {
        1 => String::new(),
        wrong => format!("; {wrong} of its {} are wrong", counted(reported.len(), "occurrence")),
    };
    Some(format!("its events have an occurrence at {}, {fault}{all}", reported[first]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: TraceEvent =
        TraceEvent::Table { table: 1, entries: 2, bytes: 8, kind: crate::EntryKind::Other };

    #[test]
    fn each_event_counts_in_its_field() {
        let events = [
            TABLE,
            TABLE,
            TraceEvent::TextRead { at: 3, bytes: 4 },
            TraceEvent::PatternRead { at: None, bytes: 1 },
            TraceEvent::Lookup { table: 1, index: 0, value: None },
            TraceEvent::Branch { holds: true },
            TraceEvent::Verification { matched: false },
            TraceEvent::Count { field: "jumps", amount: 9 },
            TraceEvent::Occurrence { at: 1 },
        ];
        assert_eq!(totals(&events), [16, 4, 2, 4, 1, 0, 0, 1, 9, 1, 1]);
    }

    #[test]
    fn events_that_contradict_counts_text_pattern_or_occurrences_are_noticed() {
        let (pattern, text) = (b"ab", b"xabab");
        let read = TraceEvent::TextRead { at: 3, bytes: 2 };
        let found = |at| TraceEvent::Occurrence { at };
        let extra = TraceEvent::Extra { field: 1, amount: 7 };
        let mut counts = [Some(0); FIELDS];
        counts[Field::TextBytesRead as usize] = Some(2);
        let result = SearchResult { occurrences: 2, counts: &counts, extra: &[Some(0), Some(7)], slack: 0 };
        let wrong = |events: &[TraceEvent]| contradiction(Some(events), result, pattern, text);
        assert_eq!(wrong(&[read, extra, found(1), found(3)]), None);
        assert_eq!(wrong(&[read, extra, found(3)]), None, "others may be counted without positions");
        let says = |events: &[TraceEvent], words: &str| {
            assert!(wrong(events).is_some_and(|wrong| wrong.contains(words)), "{:?}", wrong(events));
        };
        says(&[read, extra, found(1), found(1)], "an occurrence at 1, which it has reported before");
        says(
            &[read, extra, found(0), found(1), found(2)],
            "at 0, where the pattern does not occur; 2 of its 3",
        );
        says(&[read, extra, found(u64::MAX)], "does not occur");
        says(&[extra, found(1)], "0 text_bytes_read, and its count is 2");
        says(&[read, found(1)], "0 in extra field 2, and its count is 7");
        let much = TraceEvent::TextRead { at: u64::MAX, bytes: u64::MAX };
        says(&[much, much, extra], "text_bytes_read");
        says(&[TraceEvent::TextRead { at: 4, bytes: 2 }, extra], "of the text from position 4 on, beyond 5");
        let mut more = counts;
        more[Field::PatternBytesRead as usize] = Some(1);
        let result = SearchResult { counts: &more, ..result };
        let events = [read, TraceEvent::PatternRead { at: Some(2), bytes: 1 }, extra];
        let wrong = contradiction(Some(&events), result, pattern, text);
        assert!(wrong.is_some_and(|wrong| wrong.contains("of the pattern from position 2 on, beyond 2")));
    }

    #[test]
    fn a_count_that_is_not_that_of_the_naive_search_is_noticed_without_events() {
        let result = SearchResult { occurrences: 7, counts: &[], extra: &[], slack: 0 };
        let wrong = contradiction(None, result, b"aa", b"aaaaa");
        assert_eq!(wrong.as_deref(), Some("it counts 7 occurrences, and the text has 4"));
        assert_eq!(contradiction(None, SearchResult { occurrences: 4, ..result }, b"aa", b"aaaaa"), None);
    }
}
