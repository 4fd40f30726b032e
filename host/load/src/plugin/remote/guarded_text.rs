//! Memory for a corpus to fill with a text. It lies between two inaccessible pages, so that a corpus that
//! writes beyond it crashes, and it is full of a pattern that no text has, so that bytes that the corpus does
//! not write are noticed.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::ptr::null_mut;

use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};
use rustix::param::page_size;
use serde::{Deserialize, Serialize};

use assay_stats::draws::scattered;

/// Number of bytes that are compared at a time.
const WORD: usize = 8;

/// The content of the memory before it is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InitialContent {
    /// Random words. A text has such a word by accident once in 2^64.
    Pattern,
    /// The same byte everywhere.
    Byte(u8),
}

/// A file in memory, mapped between two inaccessible pages. The text lies at its end, so that it ends where
/// the page begins.
#[derive(Debug)]
pub(crate) struct GuardedText {
    reservation: *mut u8,
    pages: usize,
    length: usize,
}

/// The place at which a text of this length begins in its file, and the length of the file.
pub(super) fn place(length: usize) -> Option<(usize, usize)> {
    let pages = length.max(1).checked_next_multiple_of(page_size())?;
    Some((pages - length, pages))
}

impl GuardedText {
    /// Maps the file of a text.
    ///
    /// # Errors
    /// If there is no room for the file, or if it is too short.
    pub(super) fn new(file: &File, length: usize) -> io::Result<Self> {
        let (_, pages) = place(length).ok_or(io::ErrorKind::OutOfMemory)?;
        if file.metadata()?.len() < pages as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let page = page_size();
        let all = pages.checked_add(2 * page).ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: the system chooses the place, and nothing else lies there.
        let reservation = unsafe { mmap_anonymous(null_mut(), all, ProtFlags::empty(), MapFlags::PRIVATE) }?;
        let guarded = GuardedText { reservation: reservation.cast(), pages, length };
        let rights = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: it replaces the pages of the reservation that lie between its first and its last.
        unsafe {
            let inner = guarded.reservation.add(page).cast();
            mmap(inner, pages, rights, MapFlags::SHARED | MapFlags::FIXED, file, 0)?;
        }
        Ok(guarded)
    }

    fn all(&mut self) -> &mut [u8] {
        // SAFETY: these pages are mapped from the file, which the host leaves alone until it has the answer.
        unsafe { std::slice::from_raw_parts_mut(self.reservation.add(page_size()), self.pages) }
    }

    /// The memory of the text.
    pub(super) fn text(&mut self) -> &mut [u8] {
        let start = self.pages - self.length;
        &mut self.all()[start..]
    }

    /// Writes the initial content.
    pub(super) fn prepare(&mut self, before: InitialContent) {
        match before {
            InitialContent::Byte(byte) => self.all().fill(byte),
            InitialContent::Pattern => {
                for (number, word) in self.all().chunks_exact_mut(WORD).enumerate() {
                    word.copy_from_slice(&pattern(number));
                }
            }
        }
    }

    /// Checks how a memory with the initial pattern was filled. A gap of fewer than 15 bytes may go
    /// unnoticed, because it may contain no aligned word.
    ///
    /// # Errors
    /// If the corpus wrote before its text or left a gap, as a sentence that begins with "it".
    pub(super) fn check_filled(&mut self) -> Result<(), String> {
        let (start, length) = (self.pages - self.length, self.length);
        let survives = |(number, word): &(usize, &[u8])| *word == pattern(*number);
        let all = self.all();
        let before = all[..start].iter().zip((0..).flat_map(pattern)).all(|(byte, was)| *byte == was);
        if !before {
            return Err("it writes before the beginning of its text".to_owned());
        }
        let first = start.div_ceil(WORD);
        let mut words = all.chunks_exact(WORD).enumerate().skip(first);
        let gap: Option<Range<usize>> = words.find(survives).map(|(number, _)| {
            let more = words.take_while(survives).count();
            number * WORD - start..(number + 1 + more) * WORD - start
        });
        match gap {
            None => Ok(()),
            Some(Range { start, end }) => {
                Err(format!("it leaves bytes of its text unwritten, as from {start} to {end} of {length}"))
            }
        }
    }
}

impl Drop for GuardedText {
    fn drop(&mut self) {
        // SAFETY: the reservation is this value's own, and nothing borrows it any more.
        let unmapped = unsafe { munmap(self.reservation.cast(), self.pages + 2 * page_size()) };
        debug_assert_eq!(unmapped, Ok(()));
    }
}

/// The word of the initial pattern at a place.
fn pattern(number: usize) -> [u8; WORD] {
    scattered(number as u64).to_ne_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::memory_file;

    fn memory(length: usize) -> GuardedText {
        let file = memory_file("test").unwrap();
        file.set_len(place(length).unwrap().1 as u64).unwrap();
        let mut memory = GuardedText::new(&file, length).unwrap();
        memory.prepare(InitialContent::Pattern);
        memory
    }

    #[test]
    fn a_text_ends_a_page() {
        for length in [1, 100, 4096, 5000] {
            let mut memory = memory(length);
            assert_eq!(memory.text().len(), length);
            assert!(memory.text().as_ptr_range().end.addr().is_multiple_of(page_size()));
            memory.text().fill(7);
            assert_eq!(memory.check_filled(), Ok(()));
        }
    }

    #[test]
    fn a_gap_of_15_bytes_shows_wherever_it_lies() {
        for start in (0..40).chain([4090, 5000 - 15]) {
            let mut memory = memory(5000);
            memory.text()[..start].fill(b'a');
            memory.text()[start + 15..].fill(b'b');
            assert!(memory.check_filled().unwrap_err().contains("unwritten"), "{start}");
        }
        let mut memory = memory(5000);
        assert!(memory.check_filled().unwrap_err().contains("from 0 to 5000 of 5000"));
    }

    #[test]
    fn bytes_before_the_text_are_not_its_own() {
        let mut memory = memory(100);
        memory.text().fill(b'a');
        let before = memory.pages - 101;
        memory.all()[before] ^= 1;
        assert!(memory.check_filled().unwrap_err().contains("before the beginning"));
    }
}
