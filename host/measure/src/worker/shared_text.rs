//! Texts in memory that host and workers share. Workers can only read the text itself.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use assay_load::plugin::TextMemory;
use assay_load::process::{SharedBytes, memory_file};
use memmap2::{Mmap, MmapOptions};
use rustix::fs::{SealFlags, fcntl_add_seals, ftruncate};
use rustix::mm::{MprotectFlags, mprotect};
use rustix::param::page_size;

/// Room before the text, for algorithms that declare that they need it: a page, and in addition the bytes by
/// which the text begins after the start of the next one.
const BEFORE: usize = 4096;

/// A text in shared memory, with room before and after it.
#[derive(Debug)]
pub struct SharedText {
    file: Arc<File>,
    start: usize,
    length: usize,
    spare: usize,
}

impl SharedText {
    /// Copies a text to shared memory, where it begins `offset` bytes after the start of a page. The `spare`
    /// bytes after it are for algorithms that declare slack.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(text: &[u8], spare: usize, offset: usize) -> io::Result<Self> {
        let start = BEFORE + offset;
        let mut file = memory_file("assay-text")?;
        file.write_all(&vec![0; start])?;
        file.write_all(text)?;
        ftruncate(&file, (start + text.len() + spare) as u64)?;
        // Nobody can change or shorten the text from now on. Nobody has mapped it yet, so the seal against
        // future writes is enough. The seal against all writes would be refused while the system itself holds
        // a page of the file.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::FUTURE_WRITE)?;
        Ok(SharedText { file: Arc::new(file), start, length: text.len(), spare })
    }

    /// A text that is in shared memory already, with enough room around it.
    ///
    /// # Errors
    /// If this process has too many files open.
    pub fn shared(text: &SharedBytes, spare: usize) -> io::Result<Self> {
        Ok(SharedText {
            file: Arc::new(text.file().try_clone()?),
            start: text.start(),
            length: text.len(),
            spare,
        })
    }

    /// Where a worker finds the text.
    pub fn place(&self) -> TextPlace {
        let SharedText { ref file, start, length, spare } = *self;
        TextPlace { file: Some(Arc::clone(file)), start, length, spare }
    }
}

/// Where a worker finds the text.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct TextPlace {
    /// The file. It is passed to a worker after the setup that holds the place.
    #[serde(skip)]
    file: Option<Arc<File>>,
    start: usize,
    length: usize,
    spare: usize,
}

impl TextPlace {
    /// The file, to be passed to a worker.
    pub(super) fn file(&self) -> Option<&File> {
        self.file.as_deref()
    }

    /// The size of the file.
    pub(super) fn bytes(&self) -> u64 {
        (self.start + self.length + self.spare) as u64
    }

    /// Notes the file that was passed.
    pub(super) fn arrived(&mut self, file: File) {
        self.file = Some(Arc::new(file));
    }
}

/// A text, mapped into a worker. Pages are read-only unless they hold bytes before or after the text that an
/// algorithm declares to write to; the mapping is private, so no other process sees what is written.
#[derive(Debug)]
pub(crate) struct MappedText {
    map: Mmap,
    /// The same file, shared with all other processes. It can't be written to, whatever rights a process asks
    /// for.
    original: Mmap,
    start: usize,
    length: usize,
    spare: usize,
    writable: [bool; 2],
    /// Copies of the text on pages that hold bytes that can be written to, with their places in the mapping.
    /// These pages can't be protected, so they are compared instead.
    edges: [(usize, Vec<u8>); 2],
    /// Copies of the bytes around the text, on the same pages, to which the algorithm has not declared to
    /// write.
    surroundings: [(usize, Vec<u8>); 2],
}

impl MappedText {
    /// Maps a text. `writes` says whether the bytes before it, and those after it, can be written to.
    pub(super) fn open(place: &TextPlace, writes: [bool; 2]) -> io::Result<Self> {
        let file = place.file.as_deref().ok_or(io::ErrorKind::NotFound)?;
        let mut options = MmapOptions::new();
        options.len(place.start + place.length + place.spare).populate();
        // SAFETY: the file is sealed, so it can't be changed or shortened.
        let (map, original) = unsafe { (options.map_copy_read_only(file)?, options.map(file)?) };
        let (start, end, page) = (place.start, place.start + place.length, page_size());
        // Whole pages: the one on which the text begins also holds bytes before it, and so at its end.
        let before = if writes[0] { 0..start.next_multiple_of(page).min(map.len()) } else { 0..0 };
        let after = if writes[1] { end - end % page..map.len() } else { map.len()..map.len() };
        for around in [&before, &after].into_iter().filter(|around| !around.is_empty()) {
            let address = map[around.clone()].as_ptr().cast_mut().cast();
            let rights = MprotectFlags::READ | MprotectFlags::WRITE;
            // SAFETY: the mapping is private, and begins and ends with whole pages, as these ranges do.
            unsafe { mprotect(address, around.len(), rights) }?;
        }
        let copy = |range: Range<usize>| (range.start, map[range.start..range.end.max(range.start)].to_vec());
        let edges = [start..before.end.min(end), after.start.max(start)..end].map(copy);
        // Pages of one kind of bytes may hold bytes of the other.
        let undeclared = |declared: bool, range: Range<usize>| if declared { 0..0 } else { range };
        let surroundings =
            [undeclared(writes[0], after.start..start), undeclared(writes[1], end..before.end)].map(copy);
        Ok(MappedText {
            map,
            original,
            start,
            length: place.length,
            spare: place.spare,
            writable: writes,
            edges,
            surroundings,
        })
    }

    /// The text with the room around it.
    pub(super) fn memory(&self) -> TextMemory<'_> {
        let start = self.map.as_ptr().wrapping_add(self.start).cast_mut();
        // SAFETY: the mapping holds this number of bytes before the text, the text, and the spare bytes after
        // it. It is this process's own, and what lies around the text can be written to where it is said to
        // be writable.
        unsafe { TextMemory::new(start, self.length, self.start, self.spare, self.writable) }
    }

    /// The bytes of the text.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map[self.start..][..self.length]
    }

    /// Whether the bytes before the text can be written to, and those after it.
    pub(super) fn writable(&self) -> [bool; 2] {
        self.writable
    }

    /// Whether the whole text is unchanged. Its read-only pages are compared too, because an algorithm can
    /// change the rights of a page. An unchanged page is the same memory in both mappings, so the text is
    /// read once, and little of it leaves the caches.
    pub(crate) fn is_whole(&self) -> bool {
        self.bytes() == &self.original[self.start..][..self.length]
    }

    /// Whether the text is unchanged on the pages that can be written to: a quick check while a batch is
    /// measured.
    pub(crate) fn is_intact(&self) -> bool {
        self.are_unchanged(&self.edges)
    }

    /// Whether the bytes around the text are unchanged that can be written to although the algorithm has not
    /// declared that it does. All others of the kind are on pages that protect themselves.
    pub(crate) fn is_bounded(&self) -> bool {
        self.are_unchanged(&self.surroundings)
    }

    fn are_unchanged(&self, copies: &[(usize, Vec<u8>)]) -> bool {
        copies.iter().all(|(at, copy)| self.map[*at..].starts_with(copy))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use assay_abi::algorithm::RawNeeds;
    use assay_load::plugin::Needs;

    use super::*;

    #[test]
    fn a_text_is_shared_with_room_around_it() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let mapped = MappedText::open(&shared.place(), [true; 2]).unwrap();
        assert_eq!(mapped.bytes(), b"abc");
        let fit =
            |needs: RawNeeds| mapped.memory().fit(&Needs::from_raw(needs)).map(|text| text.bytes().to_vec());
        let before = BEFORE + 128;
        let all = RawNeeds { before, slack: 10, alignment: 128, ..RawNeeds::NOTHING };
        assert_eq!(fit(all), Ok(b"abc".to_vec()));
        assert_eq!(fit(RawNeeds { flags: RawNeeds::WRITES_SLACK, ..all }), Ok(b"abc".to_vec()));
        assert!(fit(RawNeeds { slack: 11, ..all }).unwrap_err().contains("11 bytes after the text"));
        assert!(
            fit(RawNeeds { before: before + 1, ..all }).unwrap_err().contains("4225 bytes before the text")
        );
        for alignment in [0, 3, 256, 1 << 40] {
            assert!(fit(RawNeeds { alignment, ..all }).unwrap_err().contains("aligned"));
        }
    }

    #[test]
    fn a_text_that_is_shared_already_is_mapped_with_as_much_room_as_needed() {
        let bytes = SharedBytes::new("assay-text", b"abc".to_vec(), BEFORE, 1 << 40).unwrap();
        let shared = SharedText::shared(&bytes, 10).unwrap();
        let mapped = MappedText::open(&shared.place(), [true; 2]).unwrap();
        assert_eq!((mapped.bytes(), mapped.map.len()), (&b"abc"[..], BEFORE + 3 + 10));
        assert!(mapped.is_whole() && mapped.is_intact());
    }

    #[test]
    fn a_shared_text_cannot_be_changed() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let file = shared.place().file.unwrap();
        assert!(
            file.write_at(b"x", 0).is_err()
                && ftruncate(&*file, 0).is_err()
                && ftruncate(&*file, 1 << 20).is_err()
        );
        assert!(MmapOptions::new().map_raw(&*file).is_err(), "mapped to be written to");
        assert_eq!(MappedText::open(&shared.place(), [true; 2]).unwrap().bytes(), b"abc");
    }

    #[test]
    fn a_text_that_is_mapped_to_be_read_is_not_given_to_an_algorithm_that_writes() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let mapped = MappedText::open(&shared.place(), [false; 2]).unwrap();
        for flags in [RawNeeds::WRITES_SLACK, RawNeeds::WRITES_BEFORE] {
            let needs = Needs::from_raw(RawNeeds { flags, ..RawNeeds::NOTHING });
            assert!(mapped.memory().fit(&needs).unwrap_err().contains("writes around the text"));
        }
        assert!(mapped.memory().fit(&Needs::from_raw(RawNeeds::NOTHING)).is_ok());
    }

    #[test]
    fn a_text_that_is_written_to_on_a_page_that_is_not_its_own_is_noticed() {
        let writes =
            [(0, [(-1, true), (5000, true), (4096, false)]), (100, [(-1, true), (5000, true), (0, false)])];
        for (offset, writes) in writes {
            let shared = SharedText::new(&[b'a'; 5000], 10, offset).unwrap();
            let mapped = MappedText::open(&shared.place(), [true; 2]).unwrap();
            let start = mapped.bytes().as_ptr().cast_mut();
            for (at, intact) in writes {
                // SAFETY: what lies around the text is writable, and so are the pages that it shares with
                // that.
                unsafe { start.offset(at).write_volatile(b'b') };
                assert_eq!(mapped.is_intact(), intact, "byte {at} of a text at {offset}");
            }
            assert!(
                MappedText::open(&shared.place(), [true; 2]).unwrap().is_intact(),
                "others see nothing of it"
            );
        }
    }

    #[test]
    fn bytes_before_the_text_that_an_algorithm_may_only_read_are_protected_or_compared() {
        let writable = |mapped: &MappedText, at: isize| {
            let byte = mapped.bytes().as_ptr().wrapping_offset(at).addr();
            let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
            let holds = |line: &&str| {
                let (first, rest) = line.split_once('-').unwrap();
                let (last, _) = rest.split_once(' ').unwrap();
                let [first, last] = [first, last].map(|text| usize::from_str_radix(text, 16).unwrap());
                (first..last).contains(&byte)
            };
            maps.lines().find(holds).unwrap().contains(" rw-p ")
        };
        // A text of several pages: what is before it is on pages of its own or of text.
        let shared = SharedText::new(&[b'a'; 50_000], 10, 128).unwrap();
        let mapped = MappedText::open(&shared.place(), [false, true]).unwrap();
        assert_eq!(
            [-4096, -1, 0, 49_999, 50_000].map(|at| writable(&mapped, at)),
            [false, false, false, true, true]
        );
        let mapped = MappedText::open(&shared.place(), [true, false]).unwrap();
        assert_eq!(
            [-4096, -1, 0, 49_999, 50_000].map(|at| writable(&mapped, at)),
            [true, true, true, false, false]
        );
        // A text on one page, which also holds bytes before it and after it.
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        for (writes, at, bounded) in [
            ([false, true], -1, false),
            ([false, true], 3, true),
            ([true, false], -1, true),
            ([true, false], 3, false),
        ] {
            let mapped = MappedText::open(&shared.place(), writes).unwrap();
            assert_eq!(writable(&mapped, -4096), writes[0]);
            let start = mapped.bytes().as_ptr().cast_mut();
            // SAFETY: the whole page is writable.
            unsafe { start.offset(at).write_volatile(b'b') };
            assert_eq!((mapped.is_intact(), mapped.is_bounded()), (true, bounded), "{writes:?} {at}");
        }
    }

    #[test]
    fn a_text_is_compared_as_a_whole_where_rights_were_changed() {
        let length = 100_000;
        let shared = SharedText::new(&vec![b'a'; length], 10, 100).unwrap();
        for at in [0, length / 2, length - 1] {
            let mapped = MappedText::open(&shared.place(), [false; 2]).unwrap();
            assert!(mapped.is_whole());
            let byte = mapped.bytes()[at..].as_ptr().cast_mut();
            let page = byte.map_addr(|address| address - address % page_size());
            // SAFETY: the page is one of the mapping, which is private.
            unsafe {
                mprotect(page.cast(), page_size(), MprotectFlags::READ | MprotectFlags::WRITE).unwrap();
                byte.write_volatile(b'b');
            }
            assert!(!mapped.is_whole(), "byte {at}");
        }
    }
}
