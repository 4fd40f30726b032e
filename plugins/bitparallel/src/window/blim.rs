//! Bit-parallel Length Invariant Matcher (`blim`).
//!
//! Pays on small alphabets, and on patterns longer than a word, because its state does not depend on their
//! length.
//! Departures: bytes that do not occur in the pattern share their masks. The last window, which no character
//! follows, is read after the loop.

use assay_plugin_api::prelude::*;

use crate::word::WORD;

/// The searcher.
#[derive(Default)]
pub struct LengthInvariant {
    /// For each byte of the pattern and each place in the window, a 1 for each alignment that the byte allows
    /// there.
    mask: Table<u64>,
    /// For each byte, where its masks begin.
    first: ByteTable<u32>,
    /// The places of the window in the order in which they are read.
    order: Table<u32>,
    /// For the byte after the window, how far the window moves.
    shift: ByteTable<u32>,
}

/// Places in a window: those of all alignments.
fn window(m: usize) -> usize {
    m + WORD - 1
}

impl Algorithm for LengthInvariant {
    const ABOUT: About = About {
        id: "blim",
        name: "Bit-parallel Length Invariant Matcher",
        reference: Reference {
            authors: &["M. O. Külekci"],
            title: "A method to overcome computer word size limitation in bit-parallel pattern matching",
            booktitle: "ISAAC 2008",
            series: "LNCS",
            volume: "5369",
            pages: "496-506",
            year: 2008,
            doi: "10.1007/978-3-540-92182-0_45",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; the masks of characters that the pattern does not have are shared, and the \
                last window is read after the loop.",
        ),
        idea: "Bits are w consecutive alignments, not pattern positions, so any m works; one mask per \
            (position, byte).",
        preparation_time: "O((m+w) s), w bits to a word; s counts the pattern's characters alone",
        space: "O((m+w) s)",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/(m+w)), logarithm to the base s",
        ..About::UNKNOWN
    };

    /// Masks are numbered in 32 bits.
    const NEEDS: Needs = Needs { max_pattern: u32::MAX as usize / 257 - WORD, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let (m, window) = (pattern.len(), window(pattern.len()));
        self.shift.fill(window as u32 + 1);
        for (i, &byte) in pattern.iter().enumerate() {
            self.shift[byte as usize] = (window - i) as u32;
        }
        self.mask.reset(0, 0);
        self.first.fill(0);
        // Each mask is the one before it, moved by an alignment.
        let masks = |byte: Option<u8>| {
            (0..window).scan(!0, move |mask, i| {
                *mask = *mask << 1 | u64::from(i >= m || Some(pattern[i]) == byte);
                Some(*mask)
            })
        };
        masks(None).for_each(|mask| self.mask.push(mask));
        for &byte in pattern {
            if self.first[byte as usize] == 0 {
                self.first[byte as usize] = self.mask.len() as u32;
                masks(Some(byte)).for_each(|mask| self.mask.push(mask));
            }
        }
        // Characters a pattern apart, those first that most alignments need.
        self.order.reset(0, 0);
        for first in (0..m).rev() {
            (first..window).step_by(m).for_each(|i| self.order.push(i as u32));
        }
        probe.table(&self.mask);
        probe.table(&self.first);
        probe.table(&self.order);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (n, window) = (text.len(), window(pattern.len()));
        let (mask, first, order) = (self.mask.view(probe), self.first.view(probe), self.order.view(probe));
        let shift = self.shift.view(probe);
        assert!(self.order.len() == window, "prepared for another pattern");
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s + window < n) {
            let allowed = |k| {
                // SAFETY: there are as many places as the window has, none outside of it, and each byte has
                // masks for all.
                unsafe {
                    let i = order.at_unchecked(k) as usize;
                    mask.at_unchecked(first.at(text.at_unchecked(s + i)) as usize + i)
                }
            };
            let (mut alive, mut k) = (allowed(0) & allowed(1), 2);
            probe.writes(2);
            probe.computes(2);
            while probe.branch(alive != 0 && k < window) {
                alive &= allowed(k);
                k += 1;
                probe.writes(2);
                probe.computes(1);
            }
            if probe.branch(alive != 0) {
                report(s, alive, found, probe);
            }
            s += shift.at(text.at(s + window)) as usize;
            probe.writes(1);
            probe.jump();
        }
        // The last window: it may reach beyond the text, but what is alive there does not.
        let alignments = (n + 1).saturating_sub(s + pattern.len()).min(WORD);
        let mut alive = 1_u64.unbounded_shl(alignments as u32).wrapping_sub(1);
        let mut k = 0;
        probe.writes(2);
        while probe.branch(alive != 0 && k < window) {
            let i = order.at(k) as usize;
            if probe.branch(s + i < n) {
                alive &= mask.at(first.at(text.at(s + i)) as usize + i);
                probe.writes(1);
                probe.computes(1);
            }
            k += 1;
            probe.writes(1);
        }
        report(s, alive, found, probe);
    }
}

/// Reports an occurrence for each alignment that is alive when all characters are read.
#[cold]
#[inline(never)]
fn report<P: Probe>(s: usize, mut alive: u64, found: &mut impl Found, probe: P) {
    probe.writes(1);
    while probe.verify(alive != 0) {
        found.at(s + alive.trailing_zeros() as usize);
        alive &= alive - 1;
        probe.writes(1);
    }
}

register!(algorithm LengthInvariant);
