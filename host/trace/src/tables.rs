//! The tables that a preparation has filled.

use serde::Serialize;

use crate::event::{EntryKind, TraceEvent};

/// A table with its entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilledTable {
    /// Its number, from 1 on.
    pub number: u32,
    /// Number of entries.
    pub entries: u64,
    /// What they are.
    pub kind: EntryKind,
    /// The entries that differ from all others, by index.
    pub listed: Vec<(u64, i128)>,
    /// What all other entries are; none if all are listed, or if they are no numbers.
    pub others: Option<i128>,
}

/// The tables that the events of a preparation declare.
pub fn tables(preparation: &[TraceEvent]) -> Vec<FilledTable> {
    let mut tables: Vec<FilledTable> = Vec::new();
    for event in preparation {
        match *event {
            TraceEvent::Table { table: number, entries, kind, .. } => {
                tables.push(FilledTable { number, entries, kind, listed: Vec::new(), others: None });
            }
            TraceEvent::Entry { table, index, value } => {
                // Tables are numbered in order.
                if let Some(filled) = (table as usize).checked_sub(1).and_then(|place| tables.get_mut(place))
                {
                    match index {
                        Some(index) => filled.listed.push((index, value)),
                        None => filled.others = Some(value),
                    }
                }
            }
            _ => {}
        }
    }
    tables
}

impl FilledTable {
    /// An index, as the character that it stands for if the table has an entry for each.
    pub fn index(&self, index: u64) -> String {
        match u8::try_from(index) {
            Ok(byte) if self.entries == 256 => character(byte),
            _ => index.to_string(),
        }
    }
}

/// An entry in words: large numbers are bit masks, so in hexadecimal.
pub(crate) fn number(value: i128) -> String {
    if value < LEAST_MASK { value.to_string() } else { format!("{value:#x}") }
}

/// Numbers from here on are shown as bit masks. Texts that are traced have 1 MiB at most, so no position is as large.
const LEAST_MASK: i128 = 1 << 20;

/// A byte as a character, or in hexadecimal if it is none that can be shown.
fn character(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).to_string() } else { format!("\\x{byte:02x}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_belong_to_the_table_that_they_name() {
        let declare =
            |table, entries| TraceEvent::Table { table, entries, bytes: 0, kind: EntryKind::Signed };
        let entry = |table, index, value| TraceEvent::Entry { table, index, value };
        let preparation =
            [declare(1, 256), entry(1, None, 8), entry(1, Some(97), 1), declare(2, 1), entry(2, Some(0), -1)];
        let [bytes, short] = &tables(&preparation)[..] else { panic!("two tables") };
        assert_eq!((&bytes.listed[..], bytes.others), (&[(97, 1)][..], Some(8)));
        assert_eq!((&short.listed[..], short.others), (&[(0, -1)][..], None));
        assert_eq!(
            [bytes.index(97), bytes.index(0), bytes.index(300), short.index(0)],
            ["a", "\\x00", "300", "0"]
        );
    }
}
