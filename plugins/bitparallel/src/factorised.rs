//! Automata of a pattern that is cut into factors in which no character comes twice: one bit for each factor
//! is enough, because the character that was read last gives the position in the factor.

use assay_plugin_api::prelude::*;
use assay_shared::shifts::pair;

use crate::word::WORD;

/// The transitions, in the order in which the pattern's characters are read. The factor read last has the
/// highest bit.
#[derive(Default)]
pub(crate) struct Factorised {
    /// For each two characters, the one that is read first in the higher byte of the index, a 1 for each
    /// factor in which the second follows the first, or at whose end it does so with the next factor.
    pub pairs: HashTable<u64, 16>,
    /// For each character a 1 for the factors that end in it: the next character is in the next factor.
    pub lasts: ByteTable<u64>,
    /// Entries of `pairs` that are not empty.
    filled: Vec<usize>,
    /// The bit of the factor that is read first.
    pub first: u64,
}

/// The bit of the factor that is read last.
pub(crate) const LAST: u64 = 1 << 63;

/// How many characters of the pattern fill as many factors as a word has bits.
pub(crate) fn width(pattern: &[u8]) -> usize {
    factors(pattern.iter().copied()).take_while(|&factor| factor < WORD).count()
}

/// For each character the number of its factor.
fn factors(characters: impl Iterator<Item = u8>) -> impl Iterator<Item = usize> {
    let (mut factor, mut seen) = (0, [false; 256]);
    characters.map(move |byte| {
        if std::mem::replace(&mut seen[byte as usize], true) {
            factor += 1;
            seen.fill(false);
            seen[byte as usize] = true;
        }
        factor
    })
}

impl Factorised {
    /// Prepares for a pattern's prefix that the word holds, given in the order in which it is read.
    pub fn prepare<P: Probe>(&mut self, characters: impl Iterator<Item = u8> + Clone, probe: P) {
        self.filled.drain(..).for_each(|entry| self.pairs[entry] = 0);
        self.lasts.fill(0);
        let count = factors(characters.clone()).last().map_or(0, |last| last + 1);
        self.first = LAST >> (count - 1);
        let mut previous = None;
        for (byte, factor) in characters.clone().zip(factors(characters)) {
            let bit = self.first << factor;
            if let Some((before, bit_before)) = previous.replace((byte, bit)) {
                let entry = pair([byte, before]);
                self.pairs[entry] |= bit_before;
                self.filled.push(entry);
                if bit != bit_before {
                    self.lasts[before as usize] |= bit_before;
                }
            }
        }
        probe.table(&self.pairs);
        probe.table(&self.lasts);
    }
}

/// The state after a character, given the masks of it and the character before, and of those that end in that
/// one: the sum carries a factor that ends to the next.
#[inline(always)]
pub(crate) fn step(state: u64, pair: u64, last: u64) -> u64 {
    let state = state & pair;
    state + (state & last)
}
