//! Factors that a pattern has once: q-grams, and those to which q-grams that come again are extended.

use assay_plugin_api::prelude::*;
use assay_shared::grams::SPREAD;

/// What the pattern has of a q-gram's hash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gram {
    Absent,
    /// One q-gram, which begins there.
    Unique(usize),
    /// The q-gram occurs more than once. Together with this number of characters before it, each occurrence
    /// is a factor that occurs once.
    Repeated(usize),
}

impl Gram {
    #[inline(always)]
    fn decode(entry: u32) -> Gram {
        match entry {
            0 => Gram::Absent,
            _ if entry.is_multiple_of(2) => Gram::Unique(entry as usize / 2 - 1),
            _ => Gram::Repeated(entry as usize / 2),
        }
    }

    fn encode(self) -> u32 {
        match self {
            Gram::Absent => 0,
            Gram::Unique(begin) => 2 * (begin as u32 + 1),
            Gram::Repeated(extension) => 2 * extension as u32 + 1,
        }
    }
}

/// The tables: what the pattern has of each q-gram, and where its extended factors begin.
#[derive(Default)]
pub(crate) struct UniqueFactors<const Q: usize> {
    /// For the upper bits of a q-gram's hash, a [`Gram`].
    grams: Table<u32>,
    /// One more than where a factor begins, or 0. This hash table has at least three free entries for each
    /// that is taken, because most factors of a text are not there, and the first look should show it.
    extended: Table<u32>,
}

impl<const Q: usize> UniqueFactors<Q> {
    /// Fills in the tables.
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let (text, begins) = (Text::new(pattern, Off), 0..=pattern.len() - Q);
        // SAFETY: the q-gram begins Q characters before the pattern's end, or more.
        let hash = |begin: usize| unsafe { qgram_hash::<Q, Off>(text, begin) };
        // A q-gram that shares its entry with one of the pattern costs a mispredicted branch, so even short
        // patterns have a table that is hardly filled. All characters fit 256 entries.
        let least = if Q == 1 { 8 } else { 12 };
        let bits = (pattern.len().next_power_of_two().ilog2() + 3).clamp(least, 18);
        let entry = |begin| (hash(begin) >> (u64::BITS - bits)) as usize;
        self.grams.reset(1 << bits, Gram::Absent.encode());
        for begin in begins.clone() {
            let gram = &mut self.grams[entry(begin)];
            *gram =
                if *gram == Gram::Absent.encode() { Gram::Unique(begin) } else { Gram::Repeated(0) }.encode();
        }
        // Where the last unique q-gram begins, or else the pattern: so far a factor must reach.
        let mut reached = 0;
        for begin in begins.clone() {
            let gram = &mut self.grams[entry(begin)];
            match Gram::decode(*gram) {
                Gram::Repeated(extension) => *gram = Gram::Repeated(extension.max(begin - reached)).encode(),
                _ => reached = begin,
            }
        }
        // Of a q-gram so near to the pattern's beginning that a factor would reach beyond it, there is none.
        let extensions = begins.filter_map(|begin| match Gram::decode(self.grams[entry(begin)]) {
            Gram::Repeated(extension) if extension <= begin => Some((begin, extension)),
            _ => None,
        });
        self.extended.reset((4 * extensions.clone().count()).next_power_of_two().max(1 << 10), 0);
        for (begin, extension) in extensions {
            let first = begin - extension;
            let mut slot = slot(hash(begin), opening::<Q, Off>(text, first, extension), self.extended.len());
            while self.extended[slot] != 0 {
                slot = (slot + 1) & (self.extended.len() - 1);
            }
            self.extended[slot] = first as u32 + 1;
        }
        probe.table(&self.grams);
        probe.table(&self.extended);
    }

    /// The tables as a search sees them.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> UniqueFactorsView<'_, P> {
        let (entries, slots) = (self.grams.len(), self.extended.len());
        assert!(entries.is_power_of_two() && slots.is_power_of_two(), "tables that were not filled");
        let shift = u64::BITS - entries.ilog2();
        UniqueFactorsView { grams: self.grams.view(probe), shift, extended: self.extended.view(probe), slots }
    }
}

/// [`UniqueFactors`] during a search.
#[derive(Clone, Copy)]
pub(crate) struct UniqueFactorsView<'a, P> {
    grams: TableView<'a, u32, P>,
    shift: u32,
    extended: TableView<'a, u32, P>,
    slots: usize,
}

impl<P: Probe> UniqueFactorsView<'_, P> {
    /// What the pattern has of a q-gram's hash.
    #[inline(always)]
    pub fn gram(&self, hash: u64) -> Gram {
        // SAFETY: the table has an entry for each number of the bits that are left.
        Gram::decode(unsafe { self.grams.at_unchecked((hash >> self.shift) as usize) })
    }

    /// First index at which an extended factor is looked up, by the hash of its last q-gram and by its
    /// [`opening`].
    #[inline(always)]
    pub fn slot(&self, qgram: u64, opening: u64) -> usize {
        slot(qgram, opening, self.slots)
    }

    /// Where a factor begins that may be the one that is looked up, and where to look next. There is none
    /// left if it is `None`.
    #[inline(always)]
    pub fn extended(&self, slot: usize) -> Option<(usize, usize)> {
        let first = self.extended.at(slot);
        (first != 0).then(|| (first as usize - 1, (slot + 1) & (self.slots - 1)))
    }
}

/// Greatest number of characters of an [`opening`].
const OPENING: usize = 4;

/// The first characters of a factor that begins at `first`, with `extension` characters before its last
/// q-gram: as many of them as an opening has, or one if the factor is shorter.
#[inline(always)]
pub(crate) fn opening<const Q: usize, P: Probe>(text: Text<P>, first: usize, extension: usize) -> u64 {
    if extension + Q < OPENING {
        return text.at(first).into();
    }
    u32::from_le_bytes(text.block::<OPENING>(first)).into()
}

/// The entry at which the look-up of an extended factor begins, of a power of two of them.
#[inline(always)]
fn slot(qgram: u64, opening: u64, slots: usize) -> usize {
    // The upper bits of the q-gram's hash are the good ones.
    (qgram.rotate_left(u32::BITS).wrapping_add(opening).wrapping_mul(SPREAD) >> u32::BITS) as usize
        & (slots - 1)
}

/// The hash of the q-gram at `begin`; its upper bits are the good ones.
///
/// # Safety
/// The q-gram must lie in the text.
#[inline(always)]
pub(crate) unsafe fn qgram_hash<const Q: usize, P: Probe>(text: Text<P>, begin: usize) -> u64 {
    const { assert!(Q >= 1 && Q <= 10, "a q-gram has from one to ten characters") };
    // SAFETY: the caller's promise.
    let number = unsafe {
        match Q {
            1 => text.gram_unchecked::<1>(begin),
            2 => text.gram_unchecked::<2>(begin),
            3 => text.gram_unchecked::<3>(begin),
            4 => text.gram_unchecked::<4>(begin),
            5 => text.gram_unchecked::<5>(begin),
            6 => text.gram_unchecked::<6>(begin),
            7 => text.gram_unchecked::<7>(begin),
            8 => text.gram_unchecked::<8>(begin),
            9 => text.gram_unchecked::<8>(begin) ^ text.gram_unchecked::<1>(begin + 8).rotate_right(15),
            _ => text.gram_unchecked::<8>(begin) ^ text.gram_unchecked::<2>(begin + 8).rotate_right(15),
        }
    };
    number.wrapping_mul(SPREAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the tables have of the q-gram at `begin`, and of the factor to which it is extended.
    fn known(pattern: &[u8], begin: usize) -> (Gram, Option<usize>) {
        let mut factors = UniqueFactors::<2>::default();
        factors.fill(pattern, Off);
        let view = factors.view(Off);
        // SAFETY: the tests ask for q-grams of the pattern.
        let hash = unsafe { qgram_hash::<2, Off>(Text::new(pattern, Off), begin) };
        let gram = view.gram(hash);
        let Gram::Repeated(extension) = gram else { return (gram, None) };
        let text = Text::new(pattern, Off);
        let mut slot = view.slot(hash, opening::<2, Off>(text, begin.saturating_sub(extension), extension));
        while let Some((first, next)) = view.extended(slot) {
            if first + extension == begin {
                return (gram, Some(first));
            }
            slot = next;
        }
        (gram, None)
    }

    #[test]
    fn a_qgram_is_extended_to_a_unique_one_or_to_the_beginning_of_the_pattern() {
        // `ab` comes at 0, 2 and 5, `ba` at 1 alone, `bc` at 3.
        let pattern = b"ababcab";
        assert_eq!(known(pattern, 1), (Gram::Unique(1), None));
        assert_eq!(known(pattern, 2), (Gram::Repeated(1), Some(1)));
        assert_eq!(known(pattern, 5), (Gram::Repeated(1), Some(4)));
        assert_eq!(known(pattern, 0), (Gram::Repeated(1), None));
        assert_eq!(known(b"aaaaa", 3), (Gram::Repeated(3), Some(0)));
        assert_eq!(known(b"aaaaa", 2), (Gram::Repeated(3), None));
    }
}
