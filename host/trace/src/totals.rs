//! Events, added up, and whether they agree with what else is known of a search.

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

/// What is wrong with the events of a preparation and a search that ended and was recorded whole; none if nothing is.
/// The text may be read up to `end`, which is its length and the slack that the algorithm needs after it; `positions`
/// are those of the naive search, in order.
pub fn contradiction(
    events: &[TraceEvent],
    end: usize,
    counts: &[Option<u64>],
    positions: &[usize],
) -> Option<String> {
    for (field, total) in Field::ALL.into_iter().zip(totals(events)) {
        match counts.get(field as usize) {
            Some(&Some(count)) if count != total => {
                return Some(format!("its events have {total} {}, and its count is {count}", field.name()));
            }
            _ => {}
        }
    }
    let mut occurrences = Vec::new();
    for event in events {
        match *event {
            TraceEvent::TextRead { at, bytes }
                if at.checked_add(bytes).is_none_or(|past| past > end as u64) =>
            {
                return Some(format!(
                    "its events read {bytes} bytes of the text from position {at} on, beyond {end}"
                ));
            }
            TraceEvent::Occurrence { at } => occurrences.push(at as usize),
            _ => {}
        }
    }
    occurrences.sort_unstable();
    // A search that is not asked for positions may report how many occurrences there are, which is no event. So some may
    // be missing, but none may be wrong or come twice.
    let right = occurrences.len() <= positions.len()
        && occurrences.windows(2).all(|pair| pair[0] < pair[1])
        && occurrences.iter().all(|position| positions.binary_search(position).is_ok());
    (!right).then(|| {
        format!("its events have occurrences at {occurrences:?}, and there are some at {positions:?}")
    })
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
    fn events_that_contradict_counts_text_or_occurrences_are_noticed() {
        let read = TraceEvent::TextRead { at: 3, bytes: 2 };
        let found = TraceEvent::Occurrence { at: 1 };
        let mut counts = [Some(0); FIELDS];
        counts[Field::TextBytesRead as usize] = Some(2);
        let wrong =
            |events: &[TraceEvent], end, positions: &[usize]| contradiction(events, end, &counts, positions);
        assert_eq!(wrong(&[read, found], 5, &[1]), None);
        assert_eq!(wrong(&[read, found], 5, &[0, 1]), None, "others may be counted without positions");
        assert!(wrong(&[read, found, found], 5, &[1, 2]).is_some());
        assert!(wrong(&[read, found], 4, &[1]).is_some_and(|wrong| wrong.contains("beyond 4")));
        assert!(wrong(&[read, found], 5, &[2]).is_some_and(|wrong| wrong.contains("at [1]")));
        let much = TraceEvent::TextRead { at: u64::MAX, bytes: u64::MAX };
        assert!(wrong(&[much, much], 5, &[1]).is_some());
        assert!(wrong(&[found], 5, &[1]).is_some_and(|wrong| wrong.contains("0 text_bytes_read")));
    }
}
