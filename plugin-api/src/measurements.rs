//! What a `stat_` twin measures: SMART's standard measurements and up to sixteen extra fields.

use std::cell::{Cell, RefCell};

use assay_abi::trace::RawTraceEvent;

use crate::table::Entries;
use crate::trace::Sink;

/// Number of standard measurements.
pub const FIELDS: usize = 11;
/// Greatest number of extra fields that an algorithm may name.
pub const EXTRA_FIELDS: usize = 16;
/// Greatest length in bytes of the name of an extra field.
pub const EXTRA_NAME_LENGTH: usize = 10;

/// The standard measurements, in SMART's order. The first three describe the tables that the preparation
/// built; all others count events of one search of a prepared pattern in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Field {
    /// Bytes of all tables that the search looks things up in.
    MemoryUsed,
    /// Entries of all those tables.
    LookupEntries,
    /// Entries of the second and each further table.
    LookupEntries2,
    /// Bytes of the text that were read; a byte read twice counts twice.
    TextBytesRead,
    /// Bytes of the pattern that were read while searching.
    PatternBytesRead,
    /// Computations beyond plain indexing, such as a hash step.
    Computations,
    /// Assignments to variables that change during the search, the first one included.
    Writes,
    /// Evaluated conditions that decide where the algorithm goes on.
    Branches,
    /// Moves of the window.
    Jumps,
    /// Reads of table entries.
    Lookups,
    /// Tests whether a whole window matched.
    Verifications,
}

impl Field {
    /// All fields, in order.
    pub const ALL: [Field; FIELDS] = [
        Field::MemoryUsed,
        Field::LookupEntries,
        Field::LookupEntries2,
        Field::TextBytesRead,
        Field::PatternBytesRead,
        Field::Computations,
        Field::Writes,
        Field::Branches,
        Field::Jumps,
        Field::Lookups,
        Field::Verifications,
    ];

    /// The name in results and files.
    pub const fn name(self) -> &'static str {
        match self {
            Field::MemoryUsed => "memory_used",
            Field::LookupEntries => "lookup_entries",
            Field::LookupEntries2 => "lookup_entries2",
            Field::TextBytesRead => "text_bytes_read",
            Field::PatternBytesRead => "pattern_bytes_read",
            Field::Computations => "computations",
            Field::Writes => "writes",
            Field::Branches => "branches",
            Field::Jumps => "jumps",
            Field::Lookups => "lookups",
            Field::Verifications => "verifications",
        }
    }
}

/// The figures of one search. A figure that was not counted is `None`, never 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measurements {
    /// Standard measurements, indexed by [`Field`].
    pub fields: [Option<u64>; FIELDS],
    /// Extra fields, in the order of the algorithm's names.
    pub extra: [Option<u64>; EXTRA_FIELDS],
}

/// What [`Counting`](crate::Counting) adds to.
#[derive(Debug, Default)]
pub struct Counters {
    fields: [Cell<u64>; FIELDS],
    extra: [Cell<u64>; EXTRA_FIELDS],
    /// Addresses of the tables that were declared.
    declared: RefCell<Vec<usize>>,
    /// How often the search looked into a table that was not declared.
    undeclared: Cell<u64>,
    /// Where events go, if the search is traced.
    sink: Option<Sink>,
}

impl Clone for Counters {
    fn clone(&self) -> Self {
        let mut clone = Counters::default();
        clone.clone_from(self);
        clone
    }

    /// Reuses the memory, because it is called before each search.
    fn clone_from(&mut self, other: &Self) {
        self.fields.clone_from(&other.fields);
        self.extra.clone_from(&other.extra);
        self.declared.get_mut().clone_from(&other.declared.borrow());
        self.undeclared.clone_from(&other.undeclared);
        self.sink = other.sink;
    }
}

impl Counters {
    /// Adds to a standard field.
    #[inline]
    pub fn add(&self, field: Field, amount: u64) {
        let cell = &self.fields[field as usize];
        cell.set(cell.get() + amount);
    }

    /// Adds to an extra field.
    ///
    /// # Panics
    /// If `index` is not below [`EXTRA_FIELDS`].
    #[inline]
    pub fn add_extra(&self, index: usize, amount: u64) {
        let cell = &self.extra[index];
        cell.set(cell.get() + amount);
    }

    /// Counters at 0 whose events also go to a sink.
    pub(crate) fn traced(sink: Option<Sink>) -> Self {
        Counters { sink, ..Counters::default() }
    }

    /// Makes events go to this sink, or to none.
    pub(crate) fn set_sink(&mut self, sink: Option<Sink>) {
        self.sink = sink;
    }

    /// Whether the search is traced.
    pub(crate) fn is_traced(&self) -> bool {
        self.sink.is_some()
    }

    /// Passes an event on, if the search is traced.
    #[inline]
    pub(crate) fn trace(&self, event: impl FnOnce() -> RawTraceEvent) {
        if let Some(sink) = self.sink {
            sink.send(event());
        }
    }

    /// Records a table, and sends it with its entries if the search is traced.
    pub(crate) fn declare(&self, table: &impl Entries) {
        self.declared.borrow_mut().push(table.address());
        if let Some(sink) = self.sink {
            let number = self.declared.borrow().len() as u32;
            sink.send_table(number, table);
        }
    }

    /// The number of the table at this address, from 1 on; 0 if it was not declared.
    pub(crate) fn number_of(&self, table: usize) -> u32 {
        // The last one, because empty tables share an address.
        let place = self.declared.borrow().iter().rposition(|declared| *declared == table);
        place.map_or(0, |place| place as u32 + 1)
    }

    /// The search is about to look into the table at this address.
    pub(crate) fn look_into(&self, table: usize) {
        if !self.declared.borrow().contains(&table) {
            self.undeclared.set(self.undeclared.get() + 1);
        }
    }

    /// How often the search looked into a table that was not declared.
    pub(crate) fn undeclared(&self) -> u64 {
        self.undeclared.get()
    }

    /// The figure of a standard field.
    pub fn get(&self, field: Field) -> u64 {
        self.fields[field as usize].get()
    }

    /// All figures, with those of the first `extra` extra fields.
    pub fn measurements(&self, extra: usize) -> Measurements {
        Measurements {
            fields: std::array::from_fn(|i| Some(self.fields[i].get())),
            extra: std::array::from_fn(|i| (i < extra).then(|| self.extra[i].get())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_listed_in_the_order_of_their_index() {
        for (i, field) in Field::ALL.into_iter().enumerate() {
            assert_eq!(field as usize, i, "{}", field.name());
        }
    }

    #[test]
    fn amounts_add_up_and_an_extra_field_without_a_name_is_missing() {
        let counters = Counters::default();
        for amount in [2, 3] {
            counters.add(Field::Jumps, amount);
            counters.add_extra(1, 10 * amount);
        }
        let figures = counters.measurements(2);
        assert_eq!((counters.get(Field::Jumps), counters.get(Field::Writes)), (5, 0));
        assert_eq!((figures.fields[Field::Jumps as usize], figures.fields[0]), (Some(5), Some(0)));
        assert_eq!(figures.extra[..3], [Some(0), Some(50), None]);
        assert_eq!(figures.extra.iter().flatten().count(), 2);
    }

    #[test]
    fn names_are_those_of_the_columns() {
        let names = [
            "memory_used",
            "lookup_entries",
            "lookup_entries2",
            "text_bytes_read",
            "pattern_bytes_read",
            "computations",
            "writes",
            "branches",
            "jumps",
            "lookups",
            "verifications",
        ];
        assert_eq!(Field::ALL.map(Field::name), names);
    }

    #[test]
    fn a_copy_has_all_that_was_counted_and_declared() {
        let counters = Counters::default();
        counters.add(Field::Writes, 3);
        counters.add_extra(EXTRA_FIELDS - 1, 4);
        counters.declared.borrow_mut().push(100);
        counters.look_into(100);
        counters.look_into(200);
        let mut copies = [Counters::default(), counters.clone()];
        copies[0].clone_from(&counters);
        for copy in copies {
            assert_eq!(copy.measurements(EXTRA_FIELDS), counters.measurements(EXTRA_FIELDS));
            assert_eq!((copy.get(Field::Writes), copy.undeclared()), (3, 1));
            copy.look_into(100);
            copy.look_into(300);
            assert_eq!(copy.undeclared(), 2, "one of them was declared");
        }
        assert_eq!(counters.undeclared(), 1, "a copy counts for itself");
    }
}
