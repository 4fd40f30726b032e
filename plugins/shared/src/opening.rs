//! The first characters of a pattern as one number. On small alphabets it is hard to predict where a
//! comparison ends, so where nothing is counted these are compared at once.

use std::ops::Range;

use assay_plugin_api::prelude::*;

/// Greatest number of characters: a 64-bit register holds eight.
const LENGTH: usize = 8;

/// Length up to which patterns occur so often over small alphabets that the processor cannot predict where:
/// where they do is added up without a branch.
const OFTEN: usize = 4;

/// The first characters of a pattern that is searched in a text with [slack](SLACK).
#[derive(Clone, Copy)]
pub struct Opening<'a, P> {
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    characters: u64,
    /// The bits that they have of a number of eight characters.
    mask: u64,
}

impl<'a, P: Probe> Opening<'a, P> {
    /// Those of a pattern.
    ///
    /// # Panics
    /// If the text has not so much slack.
    #[inline(always)]
    pub fn new(pattern: Pattern<'a, P>, text: Text<'a, P>) -> Self {
        let (mut characters, mut mask) = (0, 0);
        if !P::COUNTS {
            text.at(text.len() + LENGTH - 2);
            for i in (0..LENGTH.min(pattern.len())).rev() {
                characters = characters << 8 | u64::from(pattern.at(i));
                mask = mask << 8 | 0xff;
            }
        }
        Opening { pattern, text, characters, mask }
    }

    /// Whether the pattern's characters in `part` are those of the window at `s`, as [`Pattern::occurs`] has
    /// it and counts it, of a window in which those before are alike.
    ///
    /// # Safety
    /// The window lies in the text.
    #[inline(always)]
    pub unsafe fn occurs(self, s: usize, part: Range<usize>) -> bool {
        if P::COUNTS {
            return self.pattern.occurs(self.text, s, part);
        }
        // SAFETY: the window has a character, and there is slack of one less than are read.
        let window = unsafe { self.text.gram_unchecked::<LENGTH>(s) };
        (window ^ self.characters) & self.mask == 0 && self.rest_occurs(s, part.end)
    }

    /// Reports the window at `s` if it [occurs](Self::occurs) there.
    ///
    /// # Safety
    /// The window lies in the text.
    #[inline(always)]
    pub unsafe fn report(self, s: usize, part: Range<usize>, found: &mut impl Found) {
        if !P::COUNTS && self.pattern.len() <= OFTEN {
            // SAFETY: the caller's promise.
            let differs = unsafe { self.text.gram_unchecked::<LENGTH>(s) ^ self.characters } & self.mask;
            found.mask(s, u64::from(differs == 0));
        // SAFETY: the caller's promise.
        } else if unsafe { self.occurs(s, part) } {
            found.at(s);
        }
    }

    /// Whether the further characters, up to `end`, are those of the window at `s`. This is a function of its
    /// own because it is seldom called, and the loop around it stays small.
    #[cold]
    #[inline(never)]
    fn rest_occurs(self, s: usize, end: usize) -> bool {
        self.pattern.occurs(self.text, s, LENGTH..end)
    }
}

/// Bytes after the text that are read with the last windows.
pub const SLACK: fn(usize) -> usize = |_| LENGTH - 1;

/// Characters as one number, to be compared at once: else the compiler makes a branch of each.
#[inline(always)]
pub fn number<const N: usize>(characters: [u8; N]) -> u64 {
    characters.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
