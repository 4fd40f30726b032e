//! The pattern's letters, numbered: a table with a row for each state, or for each of the pattern's suffixes,
//! needs a column only for these, and a smaller table stays in the cache.
//!
//! The paper's table has a column for each byte. This map and the smaller table together are one way to write
//! that table down, so finding the column of a byte is not counted: a step of an automaton is one look-up.

use assay_plugin_api::ByteTableView;
use assay_plugin_api::prelude::*;

/// The numbers of the letters, from 0 on.
#[derive(Default)]
pub struct Letters {
    /// For each byte its number. All that do not occur in the pattern share the one after those that do.
    number: ByteTable<u8>,
    /// How many letters the pattern has.
    count: usize,
}

/// [`Letters`] during a search.
#[derive(Clone, Copy)]
pub struct LettersView<'a>(&'a [u8; 256]);

impl Letters {
    /// Numbers the letters of a pattern.
    pub fn prepare(&mut self, pattern: &[u8]) {
        let mut occurs = [false; 256];
        pattern.iter().for_each(|&byte| occurs[byte as usize] = true);
        self.count = 0;
        for (number, _) in self.number.iter_mut().zip(occurs).filter(|&(_, occurs)| occurs) {
            *number = self.count as u8;
            self.count += 1;
        }
        // Where there are 256 letters, there are no others.
        for (number, _) in self.number.iter_mut().zip(occurs).filter(|&(_, occurs)| !occurs) {
            *number = self.count as u8;
        }
    }

    /// How many letters the pattern has.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many numbers there are: one for each letter, and one for all other bytes if there are any.
    pub fn width(&self) -> usize {
        256.min(self.count + 1)
    }

    /// Declares the table, because it takes memory.
    pub fn declare<P: Probe>(&self, probe: P) {
        probe.table(&self.number);
    }

    /// The numbers as a table whose look-ups are counted, for an algorithm that looks up the number itself.
    #[inline(always)]
    pub fn counted<P: Probe>(&self, probe: P) -> ByteTableView<'_, u8, P> {
        self.number.view(probe)
    }

    /// The numbers as a search sees them.
    #[inline(always)]
    pub fn view(&self) -> LettersView<'_> {
        LettersView(&self.number)
    }
}

impl LettersView<'_> {
    /// The number of a byte, which is not counted as a look-up.
    #[inline(always)]
    pub fn of(self, byte: u8) -> u8 {
        self.0[byte as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_numbered_and_all_others_share_a_number() {
        let mut letters = Letters::default();
        letters.prepare(b"gcagagag");
        assert_eq!((letters.count(), letters.width()), (3, 4));
        assert_eq!([b'a', b'c', b'g', b'x', 0].map(|byte| letters.view().of(byte)), [0, 1, 2, 3, 3]);
        let all: Vec<u8> = (0..=255).collect();
        letters.prepare(&all);
        assert_eq!((letters.count(), letters.width(), &letters.number[..]), (256, 256, &all[..]));
    }
}
