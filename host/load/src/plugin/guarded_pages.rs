//! Memory between two pages that can't be accessed, so that code that reads or writes beyond it crashes.

use std::io;

use memmap2::{MmapMut, MmapRaw};
use rustix::mm::{MprotectFlags, mprotect};
use rustix::param::page_size;

/// Memory of whole pages, with an inaccessible page on either side.
#[derive(Debug)]
pub struct GuardedPages(MmapRaw);

impl GuardedPages {
    /// Memory of at least this number of bytes, all of them 0.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(size: usize) -> io::Result<Self> {
        let page = page_size();
        let map = MmapRaw::from(MmapMut::map_anon(size.next_multiple_of(page) + 2 * page)?);
        for offset in [0, map.len() - page] {
            // SAFETY: it is a page of this mapping, whose address no other code has.
            unsafe { mprotect(map.as_mut_ptr().add(offset).cast(), page, MprotectFlags::empty()) }?;
        }
        Ok(GuardedPages(map))
    }

    /// Number of bytes between the two pages.
    pub fn size(&self) -> usize {
        self.0.len() - 2 * page_size()
    }

    /// Address of the first byte.
    pub fn first(&self) -> *mut u8 {
        self.0.as_mut_ptr().wrapping_add(page_size())
    }

    /// All bytes.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the room holds this many bytes, and is borrowed alone for as long as the slice lasts.
        unsafe { std::slice::from_raw_parts_mut(self.first(), self.size()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_begins_and_ends_with_pages_and_holds_what_was_asked_for() {
        for size in [1, page_size(), page_size() + 1] {
            let mut room = GuardedPages::new(size).unwrap();
            assert!(room.size() >= size && room.size().is_multiple_of(page_size()));
            assert!(room.first().addr().is_multiple_of(page_size()));
            assert!(room.bytes().iter().all(|&byte| byte == 0));
        }
    }
}
