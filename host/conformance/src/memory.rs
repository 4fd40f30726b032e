//! Memory for texts between two pages that can't be accessed. An algorithm that reads or writes beyond what
//! it has declared crashes there.

use std::ops::Range;

use assay_load::plugin::{FittedText, GuardedPages, Needs, TextBuffer, TextMemory};
use assay_plugin_api::testing::cases::{Around, Edge};

/// Memory for one text at a time. It grows when a larger text needs it.
#[derive(Debug, Default)]
pub(crate) struct GuardedMemory {
    room: Option<GuardedPages>,
    /// A copy of the text and the bytes that were put around it, to detect writes.
    image: Vec<u8>,
    /// Position of the image in the room between the two pages.
    place: usize,
    /// Range of the text in the image.
    text: Range<usize>,
}

impl GuardedMemory {
    /// Puts a text at an edge of the memory, so that an algorithm with these needs can search it. Also fills
    /// the bytes around it, up to one pattern length beyond the needs.
    ///
    /// # Errors
    /// If the needs can't be met; a sentence.
    pub(crate) fn put(
        &mut self,
        text: &[u8],
        pattern: &[u8],
        needs: &Needs,
        around: Around,
        edge: Edge,
    ) -> Result<(), String> {
        TextBuffer::affords(needs)?;
        let (raw, m, n) = (needs.raw(), pattern.len(), text.len());
        let size = raw.before + m + raw.alignment + n + raw.slack + m;
        if self.size() < size {
            let failed = |error| format!("there is no memory for {size} bytes: {error}");
            self.room = Some(GuardedPages::new(size).map_err(failed)?);
        }
        let (first, size) = (self.first().addr(), self.size());
        let aligned = |address: usize| address - address % raw.alignment - first;
        let (start, before, after) = match edge {
            Edge::Before => {
                let start = aligned(first + raw.before + raw.alignment - 1);
                (start, start, raw.slack + m)
            }
            Edge::After => {
                let start = aligned(first + size - raw.slack - n);
                (start, raw.before + m, size - n - start)
            }
        };
        self.image.clear();
        self.image.extend(around.before(pattern, text, before));
        self.image.extend_from_slice(text);
        self.image.extend(around.after(pattern, text, after));
        (self.place, self.text) = (start - before, before..before + n);
        let (place, length) = (self.place, self.image.len());
        // SAFETY: the room holds at least `place + length` bytes, and no other code has its address.
        unsafe { self.first().add(place).copy_from_nonoverlapping(self.image.as_ptr(), length) };
        Ok(())
    }

    /// The text as an algorithm gets it.
    ///
    /// # Errors
    /// If these needs are greater than those with which the text was put there.
    pub(crate) fn fit(&mut self, needs: &Needs) -> Result<FittedText<'_>, String> {
        let start = self.place + self.text.start;
        let (length, memory) = (self.text.len(), self.first().wrapping_add(start));
        // SAFETY: the room holds `start` bytes before the text, the text, and the rest of the room after it.
        // The value borrows the room.
        unsafe { TextMemory::new(memory, length, start, self.size() - start - length, [true; 2]) }.fit(needs)
    }

    /// Checks that nothing was written to, except where the needs allow it.
    ///
    /// # Errors
    /// Says which part was written to.
    pub(crate) fn check(&self, needs: &Needs) -> Result<(), String> {
        // SAFETY: the room holds the bytes of the image, and the search has ended, so nothing writes to them.
        let found = unsafe { std::slice::from_raw_parts(self.first().add(self.place), self.image.len()) };
        let [writes_before, writes_slack] = needs.writes_around();
        let own_before = if writes_before { needs.raw().before } else { 0 };
        let own_after = if writes_slack { needs.raw().slack } else { 0 };
        let Range { start, end } = self.text;
        for (part, what) in [
            (start..end, "the text was written to"),
            (end + own_after..self.image.len(), "bytes after the text were written to"),
            (0..start - own_before, "bytes before the text were written to"),
        ] {
            if found[part.clone()] != self.image[part] {
                return Err(what.to_owned());
            }
        }
        Ok(())
    }

    /// Size in bytes of the room between the two pages.
    fn size(&self) -> usize {
        self.room.as_ref().map_or(0, GuardedPages::size)
    }

    fn first(&self) -> *mut u8 {
        self.room.as_ref().map_or(std::ptr::null_mut(), GuardedPages::first)
    }
}

#[cfg(test)]
mod tests {
    use assay_abi::algorithm::RawNeeds;

    use super::*;

    #[test]
    fn a_text_lies_at_the_edge_among_bytes_that_continue_a_match() {
        let needs = Needs::from_raw(RawNeeds { before: 3, slack: 5, alignment: 16, ..RawNeeds::NOTHING });
        let mut memory = GuardedMemory::default();
        for edge in [Edge::Before, Edge::After] {
            memory.put(b"baxab", b"abb", &needs, Around::Continuing, edge).unwrap();
            assert_eq!(memory.fit(&needs).unwrap().bytes(), b"baxab");
            let start = memory.place + memory.text.start;
            assert!((memory.first().addr() + start).is_multiple_of(16));
            let Range { start: text, end } = memory.text;
            assert_eq!(
                (&memory.image[text - 3..text], &memory.image[end..end + 5]),
                (&b"bab"[..], &b"babba"[..])
            );
            let left = match edge {
                Edge::Before => start - 3,
                Edge::After => memory.size() - start - 5 - 5,
            };
            assert!(left < 16, "{left} bytes to the edge");
        }
    }

    #[test]
    fn a_write_is_reported_unless_it_was_declared() {
        for (flags, at, expected) in [
            (0, 0, Some("the text was written to")),
            (0, 3, Some("bytes after the text were written to")),
            (0, -1, Some("bytes before the text were written to")),
            (RawNeeds::WRITES_SLACK, 4, None),
            (RawNeeds::WRITES_SLACK, 5, Some("bytes after the text were written to")),
            (RawNeeds::WRITES_BEFORE, -2, None),
            (RawNeeds::WRITES_BEFORE, -3, Some("bytes before the text were written to")),
        ] {
            let needs = Needs::from_raw(RawNeeds { before: 2, slack: 2, flags, ..RawNeeds::NOTHING });
            let mut memory = GuardedMemory::default();
            // The edge is chosen so that the written byte still lies in the memory.
            let edge = if at < 0 { Edge::After } else { Edge::Before };
            memory.put(b"abc", b"xyz", &needs, Around::Zeros, edge).unwrap();
            let text = memory.first().wrapping_add(memory.place + memory.text.start);
            // SAFETY: the memory reaches at least 5 bytes beyond the text on this side.
            unsafe { text.offset(at).write_volatile(b'!') };
            assert_eq!(memory.check(&needs).err().as_deref(), expected, "{at}");
        }
    }
}
