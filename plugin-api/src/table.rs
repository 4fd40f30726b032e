//! The tables that a preparation fills and a search looks things up in. They keep their memory from one
//! preparation to the next.

use std::any::Any;
use std::ops::{Deref, DerefMut};

use crate::probe::Probe;

/// What a [`Probe`] wants to know of a table.
pub trait Entries {
    /// Number of entries.
    fn entries(&self) -> usize;
    /// Size of all entries in bytes.
    fn bytes(&self) -> usize;
    /// Address of the entries, by which tables are distinguished.
    fn address(&self) -> usize;
    /// The entry at `index`.
    fn entry(&self, index: usize) -> Number;
}

/// An entry of a table, as a trace shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A number of 0 or more; a truth is 0 or 1.
    Unsigned(u64),
    /// A number that may be negative.
    Signed(i64),
    /// An entry of another type.
    Other,
}

impl Number {
    /// An entry of any type.
    pub fn from<T: Copy + 'static>(entry: T) -> Self {
        let entry: &dyn Any = &entry;
        macro_rules! number {
            ($($variant:ident as $wide:ty: $($type:ty),+;)+) => {
                $($(if let Some(number) = entry.downcast_ref::<$type>() {
                    return Number::$variant(*number as $wide);
                })+)+
            };
        }
        number! {
            Unsigned as u64: u8, u16, u32, u64, usize, bool;
            Signed as i64: i8, i16, i32, i64, isize;
        }
        Number::Other
    }

    /// Its 64 bits; 0 for another type.
    pub fn value(self) -> u64 {
        match self {
            Number::Unsigned(number) => number,
            Number::Signed(number) => number.cast_unsigned(),
            Number::Other => 0,
        }
    }
}

/// A table with an entry for each byte: 256 entries on the heap, indexed by `u8`, which needs no bounds
/// check.
///
/// Fill it as the array that it dereferences to; look things up through [`view`](ByteTable::view).
#[derive(Clone, Debug)]
pub struct ByteTable<T>(Box<[T; 256]>);

impl<T: Copy + Default> Default for ByteTable<T> {
    fn default() -> Self {
        ByteTable(Box::new([T::default(); 256]))
    }
}

impl<T: Copy + 'static> ByteTable<T> {
    /// The table as a search sees it: each look-up is reported to the probe.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> ByteTableView<'_, T, P> {
        probe.looks_into(self);
        ByteTableView { entries: &self.0, probe }
    }
}

impl<T> Deref for ByteTable<T> {
    type Target = [T; 256];
    fn deref(&self) -> &[T; 256] {
        &self.0
    }
}

impl<T> DerefMut for ByteTable<T> {
    fn deref_mut(&mut self) -> &mut [T; 256] {
        &mut self.0
    }
}

impl<T: Copy + 'static> Entries for ByteTable<T> {
    fn entries(&self) -> usize {
        256
    }
    fn bytes(&self) -> usize {
        256 * size_of::<T>()
    }
    fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }
    fn entry(&self, index: usize) -> Number {
        Number::from(self.0[index])
    }
}

/// Reports a lookup in the table at this address, and returns the entry.
#[inline(always)]
fn reported<T: Copy + 'static, P: Probe>(probe: P, table: usize, index: usize, entry: T) -> T {
    probe.looks_up(table, index, entry);
    entry
}

/// A [`ByteTable`] during a search.
#[derive(Clone, Copy)]
pub struct ByteTableView<'a, T, P> {
    entries: &'a [T; 256],
    probe: P,
}

impl<T: Copy + 'static, P: Probe> ByteTableView<'_, T, P> {
    /// Looks up the entry of a byte.
    #[inline(always)]
    pub fn at(&self, byte: u8) -> T {
        reported(self.probe, self.entries.as_ptr().addr(), byte as usize, self.entries[byte as usize])
    }
}

/// A table with an entry for each number of `BITS` bits: for hashes, for the q-grams of two bytes. Of an
/// index only its lower `BITS` bits count, which needs no bounds check.
///
/// Fill it as the slice that it dereferences to, or with [`at_mut`](HashTable::at_mut); look things up
/// through [`view`](HashTable::view).
#[derive(Clone, Debug)]
pub struct HashTable<T, const BITS: u32>(Box<[T]>);

impl<T: Copy + Default, const BITS: u32> Default for HashTable<T, BITS> {
    fn default() -> Self {
        HashTable(vec![T::default(); 1 << BITS].into())
    }
}

impl<T, const BITS: u32> HashTable<T, BITS> {
    /// The entry of an index.
    #[inline(always)]
    pub fn at_mut(&mut self, index: usize) -> &mut T {
        &mut self.0[index % (1 << BITS)]
    }
}

impl<T: Copy + 'static, const BITS: u32> HashTable<T, BITS> {
    /// The table as a search sees it: each look-up is reported to the probe.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> HashTableView<'_, T, BITS, P> {
        probe.looks_into(self);
        HashTableView { entries: &self.0, probe }
    }
}

impl<T, const BITS: u32> Deref for HashTable<T, BITS> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const BITS: u32> DerefMut for HashTable<T, BITS> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + 'static, const BITS: u32> Entries for HashTable<T, BITS> {
    fn entries(&self) -> usize {
        1 << BITS
    }
    fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
    fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }
    fn entry(&self, index: usize) -> Number {
        Number::from(self.0[index])
    }
}

/// A [`HashTable`] during a search.
#[derive(Clone, Copy)]
pub struct HashTableView<'a, T, const BITS: u32, P> {
    entries: &'a [T],
    probe: P,
}

impl<T: Copy + 'static, const BITS: u32, P: Probe> HashTableView<'_, T, BITS, P> {
    /// Looks up the entry of an index.
    #[inline(always)]
    pub fn at(&self, index: usize) -> T {
        let index = index % (1 << BITS);
        // SAFETY: a view is made of a table alone, and that has 2^BITS entries.
        reported(self.probe, self.entries.as_ptr().addr(), index, unsafe {
            *self.entries.get_unchecked(index)
        })
    }
}

/// A table whose length depends on the pattern.
///
/// [`reset`](Table::reset) it to a length, then fill it as the slice that it dereferences to; look things up
/// through [`view`](Table::view).
#[derive(Clone, Debug, Default)]
pub struct Table<T>(Vec<T>);

impl<T: Copy> Table<T> {
    /// Makes the table `len` entries long, all of them `value`. Memory of earlier preparations is used again.
    pub fn reset(&mut self, len: usize, value: T) {
        self.0.clear();
        self.0.resize(len, value);
    }

    /// Makes the table `len` entries long. Entries that it has not had are `value`, and others stay.
    pub fn resize(&mut self, len: usize, value: T) {
        self.0.resize(len, value);
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, value: T) {
        self.0.push(value);
    }
}

impl<T: Copy + 'static> Table<T> {
    /// The table as a search sees it: each look-up is reported to the probe.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> TableView<'_, T, P> {
        probe.looks_into(self);
        TableView { entries: &self.0, probe }
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Table<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + 'static> Entries for Table<T> {
    fn entries(&self) -> usize {
        self.0.len()
    }
    fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
    fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }
    fn entry(&self, index: usize) -> Number {
        Number::from(self.0[index])
    }
}

/// A [`Table`] during a search.
#[derive(Clone, Copy)]
pub struct TableView<'a, T, P> {
    entries: &'a [T],
    probe: P,
}

impl<T: Copy + 'static, P: Probe> TableView<'_, T, P> {
    /// Looks up the entry at `index`.
    ///
    /// # Panics
    /// If the table has no such entry.
    #[inline(always)]
    pub fn at(&self, index: usize) -> T {
        reported(self.probe, self.entries.as_ptr().addr(), index, self.entries[index])
    }

    /// The entry at `index`, if it is a character of the pattern that is compared now: this counts as a read
    /// of the pattern. Reading something beside the character is a look-up, [`at`](TableView::at).
    ///
    /// # Panics
    /// If the table has no such entry.
    #[inline(always)]
    pub fn character_at(&self, index: usize) -> T {
        self.probe.reads_pattern(None, 1);
        self.entries[index]
    }

    /// As [`character_at`](TableView::character_at), where the position of the character in the pattern is known, so that
    /// a trace can show it there.
    ///
    /// # Panics
    /// If the table has no such entry.
    #[inline(always)]
    pub fn placed_character_at(&self, index: usize, place: usize) -> T {
        self.probe.reads_pattern(Some(place), 1);
        self.entries[index]
    }

    /// Looks up the entry at `index`. The timed reading does not check it; the other two do.
    ///
    /// # Safety
    /// The table must have such an entry.
    #[inline(always)]
    pub unsafe fn at_unchecked(&self, index: usize) -> T {
        if P::CHECKS {
            return self.at(index);
        }
        // SAFETY: the caller's promise.
        reported(self.probe, self.entries.as_ptr().addr(), index, unsafe {
            *self.entries.get_unchecked(index)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counters, Counting, Field};

    #[test]
    fn what_is_looked_up_is_what_was_filled_in_and_each_look_up_counts() {
        let (mut bytes, mut table) = (ByteTable::<u8>::default(), Table::<u64>::default());
        bytes.fill(7);
        bytes[b'a' as usize] = 1;
        table.reset(9, 5);
        table.reset(2, 6);
        table.push(8);
        table[0] = 4;
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        assert_eq!([bytes.view(probe).at(b'a'), bytes.view(probe).at(b'b')], [1, 7]);
        assert_eq!([0, 1, 2].map(|index| table.view(probe).at(index)), [4, 6, 8]);
        // SAFETY: the table has three entries.
        assert_eq!(unsafe { table.view(probe).at_unchecked(2) }, 8);
        assert_eq!([table.view(probe).character_at(1), table.view(probe).placed_character_at(2, 0)], [6, 8]);
        assert_eq!([Field::Lookups, Field::PatternBytesRead].map(|field| counters.get(field)), [6, 2]);
        assert_eq!((table.entries(), table.bytes(), bytes.entries(), bytes.bytes()), (3, 24, 256, 256));
    }

    #[test]
    fn the_lower_bits_of_an_index_count_in_a_table_of_hashes() {
        let mut table = HashTable::<u16, 11>::default();
        table.fill(7);
        *table.at_mut(2047) = 1;
        *table.at_mut(2048 + 5) = 2;
        let counters = Counters::default();
        let view = table.view(Counting::new(&counters));
        assert_eq!([2047, 4095, 5, usize::MAX, 6].map(|index| view.at(index)), [1, 1, 2, 1, 7]);
        assert_eq!(counters.get(Field::Lookups), 5);
        assert_eq!((table.entries(), table.bytes(), table.address()), (2048, 4096, table.as_ptr().addr()));
    }

    #[test]
    fn a_table_is_known_by_where_its_entries_lie() {
        let (bytes, other) = (ByteTable::<u32>::default(), ByteTable::<u32>::default());
        let mut table = Table::<u16>::default();
        table.reset(3, 1);
        assert_eq!((bytes.address(), table.address()), (bytes.as_ptr().addr(), table.as_ptr().addr()));
        assert_ne!(bytes.address(), other.address());
        assert_eq!((table.entries(), table.bytes(), bytes.bytes()), (3, 6, 1024));
        table.iter_mut().for_each(|entry| *entry += 1);
        assert_eq!(*table, [2, 2, 2]);
    }

    #[test]
    fn an_entry_that_is_not_there_is_refused_where_reads_are_checked() {
        let outside = |read: fn(TableView<'_, u8, crate::Checked>)| {
            std::panic::catch_unwind(|| {
                let mut table = Table::default();
                table.reset(2, 0);
                read(table.view(crate::Checked));
            })
        };
        assert!(outside(|view| _ = view.at(1)).is_ok());
        assert!(outside(|view| _ = view.at(2)).is_err());
        // SAFETY: the checked reading refuses it before it touches memory.
        assert!(outside(|view| _ = unsafe { view.at_unchecked(2) }).is_err());
    }
}
