//! One source, three readings: an algorithm reports what it does to a *probe*, and the probe decides what
//! that costs.
//!
//! | reading | type | reads are | for |
//! | --- | --- | --- | --- |
//! | off | [`Off`] | bounds-checked as in any Rust program | timing: the probe compiles to nothing |
//! | counting | [`Counting`] | counted, and checked even where the algorithm says it has proved them | the `stat_` twin |
//! | checked | [`Checked`] | checked even where the algorithm says it has proved them | tests |
//!
//! A condition goes *through* the probe, so that short-circuit evaluation makes "count a read only if it
//! happened" and "a loop tests its condition once more than its body runs" true by construction:
//!
//! ```
//! # use assay_plugin_api::{Counting, Counters, Field, Probe, Text};
//! # let counters = Counters::default();
//! # let probe = Counting::new(&counters);
//! # let text = Text::new(b"aab", probe);
//! let mut run = 0;
//! while probe.branch(run < text.len() && text.at(run) == b'a') {
//!     run += 1;
//! }
//! assert_eq!(counters.get(Field::Branches), 3);
//! assert_eq!(counters.get(Field::TextBytesRead), 3);
//! ```

use assay_abi::trace::{RawTraceEvent, TraceEventKind};

use crate::measurements::{Counters, Field};
use crate::table::{Entries, Number};

/// Receives the reports of an algorithm while it runs. It is cheap to copy, so pass it by value. The default
/// functions do nothing, and the compiler removes the calls.
pub trait Probe: Copy {
    /// Whether reads that the algorithm declares proved (`*_unchecked`) are checked all the same.
    const CHECKS: bool;

    /// Whether reports are counted, so that the algorithm must make all of them.
    const COUNTS: bool = false;

    /// Adds `amount` to a field. Everything below is written with it.
    #[inline(always)]
    fn add(self, _field: Field, _amount: u64) {}

    /// Adds to the extra field of this index (see [`Algorithm::EXTRA`](crate::Algorithm::EXTRA)); the amount
    /// is computed only if the probe counts.
    #[inline(always)]
    fn extra(self, _index: usize, _amount: impl FnOnce() -> u64) {}

    /// Reports a condition that decides where the algorithm goes on, and returns it.
    #[inline(always)]
    fn branch(self, condition: bool) -> bool {
        self.add(Field::Branches, 1);
        condition
    }

    /// Reports the test whether a whole window matched, as one verification and one branch, and returns it.
    #[inline(always)]
    fn verify(self, condition: bool) -> bool {
        self.add(Field::Verifications, 1);
        self.branch(condition)
    }

    /// Reports that the window has moved.
    #[inline(always)]
    fn jump(self) {
        self.add(Field::Jumps, 1);
    }

    /// Reports assignments to variables that change during the search, `times` in all.
    #[inline(always)]
    fn writes(self, times: u64) {
        self.add(Field::Writes, times);
    }

    /// Reports `steps` computations beyond plain indexing, for example a hash step or a shift of a bit mask.
    #[inline(always)]
    fn computes(self, steps: u64) {
        self.add(Field::Computations, steps);
    }

    /// Declares a table that the preparation has filled: its memory in bytes and its number of entries. The
    /// first table goes to [`Field::LookupEntries`] alone, each further one to [`Field::LookupEntries2`] too.
    #[inline(always)]
    fn table(self, _table: &impl Entries) {}

    /// The search is about to look into a table. The table's view reports this.
    #[inline(always)]
    fn looks_into(self, _table: &impl Entries) {}

    /// Bytes of the text were read, from this position on. The text's view reports this.
    #[inline(always)]
    fn reads_text(self, _index: usize, bytes: usize) {
        self.add(Field::TextBytesRead, bytes as u64);
    }

    /// Bytes of the pattern were read, from this position on if it is known. The pattern's view reports this.
    #[inline(always)]
    fn reads_pattern(self, _index: Option<usize>, bytes: usize) {
        self.add(Field::PatternBytesRead, bytes as u64);
    }

    /// An entry of the table at this address was looked up. The table's view reports this.
    #[inline(always)]
    fn looks_up<T: Copy + 'static>(self, _table: usize, _index: usize, _entry: T) {
        self.add(Field::Lookups, 1);
    }
}

/// The reading that is timed. The type has size zero, and its calls leave no trace in the machine code.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl Probe for Off {
    const CHECKS: bool = false;
}

/// The reading that tests run over millions of cases: nothing is counted, every read is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked;

impl Probe for Checked {
    const CHECKS: bool = true;
}

/// The reading of the `stat_` twins: every event is counted, every read is checked.
#[derive(Clone, Copy, Debug)]
pub struct Counting<'a>(&'a Counters);

impl<'a> Counting<'a> {
    /// A probe that adds to `counters`.
    pub fn new(counters: &'a Counters) -> Self {
        Counting(counters)
    }
}

impl Counting<'_> {
    /// Counts one event, and passes it on if the search is traced.
    #[inline]
    fn report(self, field: Field, amount: u64, event: impl FnOnce() -> RawTraceEvent) {
        self.0.add(field, amount);
        self.0.trace(event);
    }
}

impl Probe for Counting<'_> {
    const CHECKS: bool = true;
    const COUNTS: bool = true;

    #[inline]
    fn add(self, field: Field, amount: u64) {
        self.report(field, amount, || RawTraceEvent {
            index: field as u64,
            amount,
            ..RawTraceEvent::new(TraceEventKind::COUNT)
        });
    }

    #[inline]
    fn extra(self, index: usize, amount: impl FnOnce() -> u64) {
        let amount = amount();
        self.0.add_extra(index, amount);
        self.0.trace(|| RawTraceEvent {
            index: index as u64,
            amount,
            ..RawTraceEvent::new(TraceEventKind::EXTRA)
        });
    }

    #[inline]
    fn branch(self, condition: bool) -> bool {
        let event =
            || RawTraceEvent { value: condition.into(), ..RawTraceEvent::new(TraceEventKind::BRANCH) };
        self.report(Field::Branches, 1, event);
        condition
    }

    #[inline]
    fn verify(self, condition: bool) -> bool {
        let event =
            || RawTraceEvent { value: condition.into(), ..RawTraceEvent::new(TraceEventKind::VERIFICATION) };
        self.report(Field::Verifications, 1, event);
        self.branch(condition)
    }

    fn table(self, table: &impl Entries) {
        let entries = table.entries() as u64;
        if self.0.get(Field::LookupEntries) > 0 {
            self.0.add(Field::LookupEntries2, entries);
        }
        self.0.add(Field::LookupEntries, entries);
        self.0.add(Field::MemoryUsed, table.bytes() as u64);
        self.0.declare(table);
    }

    fn looks_into(self, table: &impl Entries) {
        self.0.look_into(table.address());
    }

    #[inline]
    fn reads_text(self, index: usize, bytes: usize) {
        self.report(Field::TextBytesRead, bytes as u64, || RawTraceEvent {
            index: index as u64,
            amount: bytes as u64,
            ..RawTraceEvent::new(TraceEventKind::TEXT_READ)
        });
    }

    #[inline]
    fn reads_pattern(self, index: Option<usize>, bytes: usize) {
        self.report(Field::PatternBytesRead, bytes as u64, || RawTraceEvent {
            index: index.map_or(RawTraceEvent::UNKNOWN, |index| index as u64),
            amount: bytes as u64,
            ..RawTraceEvent::new(TraceEventKind::PATTERN_READ)
        });
    }

    #[inline]
    fn looks_up<T: Copy + 'static>(self, table: usize, index: usize, entry: T) {
        self.report(Field::Lookups, 1, || RawTraceEvent {
            table: self.0.number_of(table),
            index: index as u64,
            value: Number::from(entry).value(),
            amount: 1,
            ..RawTraceEvent::new(TraceEventKind::LOOKUP)
        });
    }
}

/// Chooses the probe of a reading: [`Off`] for itself, [`Checked`] for itself, and [`CountingReading`] for
/// [`Counting`], which borrows the counters that it adds to.
pub trait Reading: 'static {
    /// The probe that the algorithm gets.
    type Probe<'a>: Probe;
    /// Whether the counters mean anything afterwards.
    const COUNTS: bool;
    /// Makes the probe.
    fn probe(counters: &Counters) -> Self::Probe<'_>;
}

impl Reading for Off {
    type Probe<'a> = Off;
    const COUNTS: bool = false;
    #[inline(always)]
    fn probe(_: &Counters) -> Off {
        Off
    }
}

impl Reading for Checked {
    type Probe<'a> = Checked;
    const COUNTS: bool = false;
    fn probe(_: &Counters) -> Checked {
        Checked
    }
}

/// The [`Reading`] whose probe is [`Counting`].
#[derive(Clone, Copy, Debug)]
pub struct CountingReading;

impl Reading for CountingReading {
    type Probe<'a> = Counting<'a>;
    const COUNTS: bool = true;
    fn probe(counters: &Counters) -> Counting<'_> {
        Counting::new(counters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ByteTable, Table};

    #[test]
    fn every_event_is_counted_in_its_field() {
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        assert!(probe.branch(true) && !probe.branch(false) && probe.verify(true) && !probe.verify(false));
        probe.jump();
        probe.writes(7);
        probe.computes(8);
        probe.extra(1, || 9);
        let counted = [(Field::Branches, 4), (Field::Verifications, 2), (Field::Jumps, 1)];
        for (field, count) in counted.into_iter().chain([(Field::Writes, 7), (Field::Computations, 8)]) {
            assert_eq!(counters.get(field), count, "{}", field.name());
        }
        assert_eq!(counters.measurements(2).extra[..2], [Some(0), Some(9)]);
    }

    #[test]
    fn tables_after_the_first_are_distinguished() {
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        let mut small = Table::<u32>::default();
        small.reset(3, 0);
        let entries = || [Field::LookupEntries, Field::LookupEntries2].map(|field| counters.get(field));
        probe.table(&ByteTable::<u16>::default());
        assert_eq!((entries(), counters.get(Field::MemoryUsed)), ([256, 0], 512));
        probe.table(&small);
        assert_eq!((entries(), counters.get(Field::MemoryUsed)), ([259, 3], 512 + 12));
    }

    #[test]
    fn a_table_that_was_not_declared_is_noticed_where_it_is_looked_into() {
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        let (declared, hidden) = (ByteTable::<u8>::default(), ByteTable::<u8>::default());
        probe.table(&declared);
        declared.view(probe).at(0);
        assert_eq!(counters.undeclared(), 0);
        hidden.view(probe).at(0);
        assert_eq!(counters.undeclared(), 1);
    }
}
