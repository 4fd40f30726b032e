//! Succinct backward DAWG matching (`sbdm`).
//!
//! Pays on patterns so long that the automaton of [`rf`](super::rf) does not fit the cache.
//! Departures: a bit for each character and position, with a count for each 64 positions, gives the number of
//! occurrences of a character in a prefix of the transformed pattern; the paper has structures that are even
//! smaller. One computation = one such number.

use assay_plugin_api::prelude::*;
use assay_shared::letters::Letters;

use super::rf::noted;

/// The searcher: the Burrows-Wheeler transform of the pattern. A factor is a range of suffixes: those that
/// begin with it, which are neighbours in the sorted list.
#[derive(Default)]
pub struct SuccinctDawg {
    /// For each byte, where its blocks begin; those of all bytes that do not occur in the pattern are empty.
    blocks_of: ByteTable<u32>,
    /// For each character, and each 64 suffixes: which of them it precedes.
    blocks: Table<Block>,
    /// The place of the whole pattern among its suffixes.
    whole: usize,
}

#[derive(Clone, Copy, Default)]
struct Block {
    /// The suffixes of the block that the character precedes.
    bits: u64,
    /// Where those begin that it begins, and how many of them come from earlier blocks.
    before: u32,
}

impl Algorithm for SuccinctDawg {
    const ABOUT: About = About {
        id: "sbdm",
        name: "Succinct backward DAWG matching",
        reference: Reference {
            authors: &["K. Fredriksson"],
            title: "Succinct backward-DAWG-matching",
            journal: "ACM J. Exp. Algorithmics",
            volume: "13",
            year: 2009,
            doi: "10.1145/1412228.1455263",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The publisher's page was seen; the search by ranks in the transformed pattern is our reading, \
                and our tables are larger than the succinct ones of the paper.",
        ),
        after: &["rf"],
        idea: "Reads windows backward by backward search in the Burrows-Wheeler transform of the pattern, in \
            place of an automaton.",
        preparation_time: "O(m log(m)^2)",
        space: "O(m s): a quarter of a byte for each byte of the pattern and each of m + 1 suffixes, and 1 \
            KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    /// There are as many blocks as 256 times a 64th of the suffixes.
    const NEEDS: Needs = Needs { max_pattern: (u32::MAX >> 3) as usize, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let suffixes = sorted_suffixes(pattern);
        let mut letters = Letters::default();
        letters.prepare(pattern);
        // A bit more, for the end of the last suffix.
        let blocks = (suffixes.len() >> 6) + 1;
        for (start, byte) in self.blocks_of.iter_mut().zip(0..=255) {
            *start = (usize::from(letters.view().of(byte)) * blocks) as u32;
        }
        self.blocks.reset(letters.width() * blocks, Block::default());
        for (place, &suffix) in suffixes.iter().enumerate() {
            match (suffix as usize).checked_sub(1) {
                Some(i) => {
                    let block = self.blocks_of[usize::from(pattern[i])] as usize + (place >> 6);
                    self.blocks[block].bits |= 1 << (place & 63);
                }
                None => self.whole = place,
            }
        }
        // The empty suffix comes first, then those of each character, in the order of bytes.
        let mut before = 1;
        let mut present: Vec<u8> = pattern.to_vec();
        present.sort_unstable();
        present.dedup();
        for byte in present {
            let start = self.blocks_of[usize::from(byte)] as usize;
            for block in &mut self.blocks[start..start + blocks] {
                block.before = before;
                before += block.bits.count_ones();
            }
        }
        probe.table(&self.blocks_of);
        probe.table(&self.blocks);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, whole) = (pattern.len(), text.len(), self.whole);
        // As in `Letters`, finding a byte's blocks is not counted.
        let (blocks_of, blocks) = (&*self.blocks_of, self.blocks.view(probe));
        let before = |start: u32, place: usize| {
            let Block { bits, before } = blocks.at(start as usize + (place >> 6));
            probe.computes(1);
            before as usize + (bits & ((1 << (place & 63)) - 1)).count_ones() as usize
        };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            // The suffixes that begin with what has been read.
            let (mut first, mut end, mut i, mut shift) = (0, m + 1, m, m);
            probe.writes(5);
            while probe.branch(i > 0) {
                i -= 1;
                let start = blocks_of[usize::from(text.at(s + i))];
                (first, end) = (before(start, first), before(start, end));
                probe.writes(3);
                if probe.branch(first >= end) {
                    break;
                }
                // The longest prefix that is shorter than the window.
                if probe.branch((first..end).contains(&whole) && i > 0) {
                    shift = noted(i);
                    probe.writes(1);
                }
            }
            if probe.verify(first < end) {
                found.at(s);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Where the suffixes begin, the empty one included, in their order: that of their first 1, 2, 4 ..
/// characters.
fn sorted_suffixes(pattern: &[u8]) -> Vec<u32> {
    let m = pattern.len();
    let mut suffixes: Vec<u32> = (0..=m as u32).collect();
    let mut ranks: Vec<u32> = pattern.iter().map(|&byte| u32::from(byte) + 1).chain([0]).collect();
    let mut length = 0;
    loop {
        // Compares suffixes by the characters that their ranks cover, then by as many after them. The end of
        // the pattern comes before all characters.
        let key = |&suffix: &u32| {
            let behind = if length == 0 { 0 } else { suffix as usize + length };
            (
                ranks[suffix as usize],
                if length == 0 { 0 } else { ranks.get(behind).map_or(0, |rank| rank + 1) },
            )
        };
        suffixes.sort_unstable_by_key(key);
        let mut refined = vec![0; m + 1];
        let mut rank = 0;
        for pair in suffixes.windows(2) {
            rank += u32::from(key(&pair[0]) != key(&pair[1]));
            refined[pair[1] as usize] = rank;
        }
        ranks = refined;
        if rank as usize == m {
            return suffixes;
        }
        length = (2 * length).max(1);
    }
}

register!(algorithm SuccinctDawg);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_stand_in_their_order() {
        for pattern in [&b"banana"[..], b"aaaaaaaa", b"abaababa", b"x", b"\xff\0\xff"] {
            let mut expected: Vec<u32> = (0..=pattern.len() as u32).collect();
            expected.sort_by_key(|&start| &pattern[start as usize..]);
            assert_eq!(sorted_suffixes(pattern), expected, "{}", pattern.escape_ascii());
        }
    }
}
