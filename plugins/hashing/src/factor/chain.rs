//! Chains of q-grams: the table that the algorithms with them share, and the way along a chain.

use assay_plugin_api::prelude::*;

use crate::filter::{Filter, FilterView, append, hash_at, qgram};

/// For the hash of a q-gram, the links to the q-grams that may precede it in the pattern, directly and
/// without overlap.
#[derive(Default)]
pub(crate) struct Links<const Q: usize> {
    links: Filter<u32>,
    /// The hash of the pattern's q-gram at which the chain of a whole window ends: 16 bits of it. Were it
    /// all of them, q-grams of the text could not be hashed in lanes of 16 bits, which takes hc8 nearly twice
    /// the time.
    pub first: u16,
}

impl<const Q: usize> Links<Q> {
    /// Bits of the hash that selects an entry: more for longer q-grams, because there are more of them.
    const BITS: u32 = match Q {
        1 => 8,
        2 | 3 => 11,
        _ => 12,
    };

    /// Bits by which each character moves those after it, which so share the bits.
    const SHIFT: u32 = Self::BITS / Q as u32;

    /// Fills in the table.
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.links.reset(Self::BITS);
        let hash = |end| append::<Q>(0, qgram(pattern, end), Self::SHIFT);
        for end in 2 * Q - 1..pattern.len() {
            *self.links.at_mut(hash(end)) |= link(hash(end - Q));
        }
        // No q-gram precedes these. They get an entry all the same, because an empty one means that the
        // q-gram does not occur.
        for end in (Q - 1..pattern.len().min(2 * Q - 1)).rev() {
            let entry = self.links.at_mut(hash(end));
            if *entry == 0 {
                *entry = link(!hash(end));
            }
        }
        self.first = hash((pattern.len() - Q) % Q + Q - 1) as u16;
        self.links.declare(u32::BITS.into(), probe);
    }

    /// The table as a search sees it.
    #[inline(always)]
    pub fn view<'a, P: Probe>(&'a self, text: Text<'a, P>, probe: P) -> Chains<'a, P, Q> {
        Chains { links: self.links.view(Self::BITS, probe), text, probe }
    }
}

/// The fingerprint of a hash: one bit.
#[inline(always)]
fn link(hash: u32) -> u32 {
    1 << (hash % u32::BITS)
}

/// Where a chain ended.
pub(crate) enum Walk {
    /// With the q-gram that ends there, which has not the right link: no window that holds it is an
    /// occurrence.
    Broken(usize),
    /// There was no more to read; the last q-gram has a hash that ends with these bits.
    Whole(u16),
}

impl Walk {
    /// Where the last q-gram ends that no further window may contain: the one at which the chain of the
    /// window at `s` broke, or else the window's first one. If the chain ends with the hash `first`, as that
    /// of the pattern does, the window is compared, and an occurrence reported.
    #[inline(always)]
    pub fn settle<P: Probe, const Q: usize>(
        self,
        (s, first): (usize, u16),
        (pattern, text): (Pattern<P>, Text<P>),
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        match self {
            Walk::Broken(end) => end,
            Walk::Whole(hash) => {
                if probe.branch(hash == first) && pattern.occurs(text, s, 0..pattern.len()) {
                    found.at(s);
                }
                s + Q - 1
            }
        }
    }
}

/// The chains of a text.
#[derive(Clone, Copy)]
pub(crate) struct Chains<'a, P, const Q: usize> {
    pub links: FilterView<'a, u32, P>,
    text: Text<'a, P>,
    probe: P,
}

impl<P: Probe, const Q: usize> Chains<'_, P, Q> {
    /// The hash of the q-gram that ends at `end`, and the links to those that may precede it.
    ///
    /// # Safety
    /// The q-gram must lie in the text, with [`SLACK`](crate::filter::SLACK) after it.
    #[inline(always)]
    pub unsafe fn begin(&self, end: usize) -> (u32, u32) {
        // SAFETY: the caller's promise.
        let hash = unsafe { self.hash_at(end) };
        self.probe.writes(2);
        (hash, self.links.at(hash))
    }

    /// Follows a chain back from the q-gram that ends at `end` while q-grams end at `stop` or after it.
    ///
    /// # Safety
    /// That q-gram must lie in the text, with [`SLACK`](crate::filter::SLACK) after it, and `stop` must be
    /// 2q - 1 at least.
    #[inline(always)]
    pub unsafe fn follow(&self, mut end: usize, (mut hash, mut links): (u32, u32), stop: usize) -> Walk {
        self.probe.writes(1);
        while self.probe.branch(end >= stop) {
            end -= Q;
            // SAFETY: end + 1 - Q >= stop + 1 - 2 Q >= 0.
            hash = unsafe { self.hash_at(end) };
            self.probe.computes(1);
            self.probe.writes(2);
            if self.probe.branch(links & link(hash) == 0) {
                return Walk::Broken(end);
            }
            links = self.links.at(hash);
            self.probe.writes(1);
        }
        Walk::Whole(hash as u16)
    }

    /// The hash of the q-gram that ends at `end`.
    ///
    /// # Safety
    /// The q-gram must lie in the text, with [`SLACK`](crate::filter::SLACK) after it.
    #[inline(always)]
    pub unsafe fn hash_at(&self, end: usize) -> u32 {
        self.probe.computes(1);
        // SAFETY: the caller's promise.
        unsafe { hash_at::<Q, P>(self.text, end, Links::<Q>::SHIFT) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_the_pattern_is_whole_and_another_breaks_where_it_differs() {
        let mut links = Links::<2>::default();
        links.fill(b"abcdefg", Off);
        let walk = |text: &[u8]| {
            let chains = links.view(Text::new(text, Off), Off);
            // SAFETY: the text has seven characters, and 2q - 1 = 3.
            unsafe { chains.follow(6, chains.begin(6), 3) }
        };
        assert!(matches!(walk(b"abcdefg"), Walk::Whole(hash) if hash == links.first));
        assert!(matches!(walk(b"abcxefg"), Walk::Broken(4)));
    }
}
