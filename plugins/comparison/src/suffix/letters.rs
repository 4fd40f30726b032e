//! The pattern's letters, numbered: a table with a row for each of its suffixes needs a column only for
//! these.

use assay_plugin_api::prelude::*;

/// The numbers of the letters, from 0 on.
#[derive(Default)]
pub(crate) struct Letters {
    /// For each byte its number. All that do not occur in the pattern share the one after those that do.
    pub number: ByteTable<u8>,
    /// How many letters the pattern has.
    pub count: usize,
}

impl Letters {
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

    /// How many numbers there are.
    pub fn width(&self) -> usize {
        256.min(self.count + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_numbered_and_all_others_share_a_number() {
        let mut letters = Letters::default();
        letters.prepare(b"gcagagag");
        assert_eq!(
            (letters.width(), [b'a', b'c', b'g', b'x', 0].map(|byte| letters.number[byte as usize])),
            (4, [0, 1, 2, 3, 3])
        );
        let all: Vec<u8> = (0..=255).collect();
        letters.prepare(&all);
        assert_eq!((letters.width(), &letters.number[..]), (256, &all[..]));
    }
}
