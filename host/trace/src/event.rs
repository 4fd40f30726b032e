//! The events of a preparation and of a search.

use assay_abi::trace::{RawTraceEvent, TraceEventKind};
use assay_plugin_api::Field;
use serde::Serialize;

/// What the entries of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Numbers of 0 or more.
    Unsigned,
    /// Numbers that may be negative.
    Signed,
    /// No numbers, so their values are not shown.
    Other,
}

/// Something that a preparation or a search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TraceEvent {
    /// It read bytes of the text.
    TextRead {
        /// Position of the first.
        at: u64,
        /// Number of bytes.
        bytes: u64,
    },
    /// It read bytes of the pattern.
    PatternRead {
        /// Position of the first, if it is known.
        at: Option<u64>,
        /// Number of bytes.
        bytes: u64,
    },
    /// It looked up an entry.
    Lookup {
        /// Number of the table; 0 if the preparation has not declared it.
        table: u32,
        /// Which entry.
        index: u64,
        /// The entry, if it is a number.
        value: Option<i128>,
    },
    /// It evaluated a condition.
    Branch {
        /// Whether the condition was true.
        holds: bool,
    },
    /// It tested whether a whole window matched. The condition follows as an event of its own.
    Verification {
        /// Whether the window matched.
        matched: bool,
    },
    /// It did something of another kind.
    Count {
        /// Name of the field that counts it.
        field: &'static str,
        /// How often.
        amount: u64,
    },
    /// It added to an extra field.
    Extra {
        /// Index of the field.
        field: u64,
        /// How much.
        amount: u64,
    },
    /// It declared a table.
    Table {
        /// Number of the table, from 1 on.
        table: u32,
        /// Number of entries.
        entries: u64,
        /// Their bytes.
        bytes: u64,
        /// What they are.
        kind: EntryKind,
    },
    /// An entry of a table that it declared.
    Entry {
        /// Number of the table.
        table: u32,
        /// Which entry; none means all that are not listed.
        index: Option<u64>,
        /// The entry.
        value: i128,
    },
    /// It reported an occurrence.
    Occurrence {
        /// Position in the text.
        at: u64,
    },
}

/// The events of a search, as a library reports them, from the first event of the preparation on. Events that this
/// version does not know are left out.
pub fn events(raw: &[RawTraceEvent]) -> Vec<TraceEvent> {
    let mut kinds = Vec::new();
    raw.iter().filter_map(|event| TraceEvent::read(event, &mut kinds)).collect()
}

impl TraceEvent {
    /// An event as a library reports it; none if this version does not know it. `kinds` are the entries of the tables
    /// that were declared before, in order; a table that is declared now is added.
    pub(crate) fn read(raw: &RawTraceEvent, kinds: &mut Vec<EntryKind>) -> Option<TraceEvent> {
        let RawTraceEvent { kind, table, index, value, amount, .. } = *raw;
        let known = (index != RawTraceEvent::UNKNOWN).then_some(index);
        let entries = (table as usize).checked_sub(1).and_then(|place| kinds.get(place).copied());
        let number = match entries.unwrap_or(EntryKind::Other) {
            EntryKind::Unsigned => Some(i128::from(value)),
            EntryKind::Signed => Some(i128::from(value.cast_signed())),
            EntryKind::Other => None,
        };
        Some(match kind {
            TraceEventKind::TEXT_READ => TraceEvent::TextRead { at: index, bytes: amount },
            TraceEventKind::PATTERN_READ => TraceEvent::PatternRead { at: known, bytes: amount },
            TraceEventKind::LOOKUP => TraceEvent::Lookup { table, index, value: number },
            TraceEventKind::BRANCH => TraceEvent::Branch { holds: value != 0 },
            TraceEventKind::VERIFICATION => TraceEvent::Verification { matched: value != 0 },
            TraceEventKind::COUNT => {
                let field = Field::ALL.get(usize::try_from(index).ok()?)?;
                TraceEvent::Count { field: field.name(), amount }
            }
            TraceEventKind::EXTRA => TraceEvent::Extra { field: index, amount },
            TraceEventKind::TABLE => {
                let kind = match value {
                    0 => EntryKind::Unsigned,
                    1 => EntryKind::Signed,
                    _ => EntryKind::Other,
                };
                // A number that is not the next one would name the entries of another table.
                if table as usize != kinds.len() + 1 {
                    return None;
                }
                kinds.push(kind);
                TraceEvent::Table { table, entries: index, bytes: amount, kind }
            }
            TraceEventKind::ENTRY => TraceEvent::Entry { table, index: known, value: number? },
            TraceEventKind::OCCURRENCE => TraceEvent::Occurrence { at: index },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_table_declares_them() {
        let mut kinds = Vec::new();
        let minus = u64::MAX;
        let mut value = |kind: u64| {
            let table = kinds.len() as u32 + 1;
            let declared = RawTraceEvent { table, value: kind, ..RawTraceEvent::new(TraceEventKind::TABLE) };
            TraceEvent::read(&declared, &mut kinds).unwrap();
            let lookup = RawTraceEvent { table, value: minus, ..RawTraceEvent::new(TraceEventKind::LOOKUP) };
            match TraceEvent::read(&lookup, &mut kinds) {
                Some(TraceEvent::Lookup { value, .. }) => value,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!([0, 1, 2].map(&mut value), [Some(i128::from(minus)), Some(-1), None]);
        let undeclared = RawTraceEvent { value: 5, ..RawTraceEvent::new(TraceEventKind::LOOKUP) };
        let read = TraceEvent::read(&undeclared, &mut kinds);
        assert_eq!(read, Some(TraceEvent::Lookup { table: 0, index: 0, value: None }));
    }

    #[test]
    fn an_event_of_a_later_version_is_left_out() {
        let unknown = [
            RawTraceEvent::new(TraceEventKind(99)),
            RawTraceEvent { index: 99, ..RawTraceEvent::new(TraceEventKind::COUNT) },
        ];
        assert_eq!(unknown.map(|raw| TraceEvent::read(&raw, &mut Vec::new())), [None; 2]);
    }
}
