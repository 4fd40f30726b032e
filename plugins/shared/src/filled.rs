//! A large table of which a preparation fills a few entries.

use assay_plugin_api::Entries;
use assay_plugin_api::prelude::*;

/// Which entries of a table are filled. The next preparation empties these alone, because it takes longer to
/// fill a table of tens of KiB than to prepare a pattern.
#[derive(Default)]
pub struct Filled(Vec<u32>);

impl Filled {
    /// Empties the table.
    pub fn clear<T: Copy + Default + 'static, const BITS: u32>(&mut self, table: &mut HashTable<T, BITS>) {
        // One by one, an entry takes about as long as a line of the cache (64 bytes) that is filled.
        if self.0.len() * 64 < table.bytes() {
            self.0.iter().for_each(|&index| *table.at_mut(index as usize) = T::default());
        } else {
            table.fill(T::default());
        }
        self.0.clear();
    }

    /// The entry of an index, which is going to be filled.
    #[inline]
    pub fn fill<'a, T, const BITS: u32>(
        &mut self,
        table: &'a mut HashTable<T, BITS>,
        index: usize,
    ) -> &'a mut T {
        self.0.push((index % (1 << BITS)) as u32);
        table.at_mut(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_table_is_empty_whether_few_entries_were_filled_or_many() {
        let (mut filled, mut table) = (Filled::default(), HashTable::<u32, 8>::default());
        for count in [0, 3, 15, 16, 256] {
            for index in 0..count {
                *filled.fill(&mut table, 7 * index) = 1;
            }
            assert_eq!(table.iter().filter(|&&entry| entry != 0).count(), count);
            filled.clear(&mut table);
            assert!(table.iter().all(|&entry| entry == 0), "{count}");
        }
    }
}
