//! Memory that host and workers share: the text, and a page that says what a worker is doing.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_load::plugin::TextMemory;
use assay_load::process::{memory_file, path_of};
use memmap2::{Mmap, MmapOptions, MmapRaw};
use rustix::fs::{SealFlags, fcntl_add_seals, ftruncate};
use rustix::mm::{MprotectFlags, mprotect};
use rustix::param::page_size;

/// Room before the text, which algorithms that declare it may touch: a page, and the offset of the text in the next.
const BEFORE: usize = 4096;
/// Bytes that are compared at a time.
const PIECE: usize = 1 << 16;

/// The text in shared memory, with room before and after it.
#[derive(Debug)]
pub struct SharedText {
    file: File,
    start: usize,
    length: usize,
    spare: usize,
}

impl SharedText {
    /// Copies a text to shared memory, to begin `offset` bytes after the beginning of a page. `spare` bytes after it can be
    /// touched by algorithms that declare slack.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(text: &[u8], spare: usize, offset: usize) -> io::Result<Self> {
        let start = BEFORE + offset;
        let mut file = memory_file("assay-text")?;
        file.write_all(&vec![0; start])?;
        file.write_all(text)?;
        ftruncate(&file, (start + text.len() + spare) as u64)?;
        // Nobody can change the text or pull it away from under the workers. It is not mapped by anyone yet, so it is enough
        // that nobody can from now on; the seal against all writes is refused while the system itself holds a page.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::FUTURE_WRITE)?;
        Ok(SharedText { file, start, length: text.len(), spare })
    }

    /// Where a worker finds it.
    pub fn place(&self) -> TextPlace {
        let SharedText { ref file, start, length, spare } = *self;
        TextPlace { path: path_of(file), start, length, spare }
    }
}

/// Where a worker finds the text.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextPlace {
    path: PathBuf,
    start: usize,
    length: usize,
    spare: usize,
}

/// The text, mapped into a worker. Pages that are its own alone can be read only; around it, what lies there can be written
/// to if that was asked for, and no other process sees that.
#[derive(Debug)]
pub(crate) struct MappedText {
    file: File,
    map: Mmap,
    start: usize,
    length: usize,
    spare: usize,
    writable: bool,
    /// The text on the pages that it shares with what lies around it, as it was, and where: these can't be protected.
    edges: [(usize, Vec<u8>); 2],
}

impl MappedText {
    /// Maps the text.
    pub(super) fn open(place: &TextPlace, writes: bool) -> io::Result<Self> {
        let file = File::open(&place.path)?;
        let mut options = MmapOptions::new();
        options.populate();
        // SAFETY: the file is sealed: nobody changes or shortens it.
        let map = unsafe { options.map_copy_read_only(&file)? };
        let own = own_pages(place.start..place.start + place.length);
        if writes {
            let (start, end) = (own.start.min(map.len()), own.end.min(map.len()));
            for around in [0..start, end..map.len()].into_iter().filter(|around| !around.is_empty()) {
                let address = map[around.clone()].as_ptr().cast_mut().cast();
                let rights = MprotectFlags::READ | MprotectFlags::WRITE;
                // SAFETY: the mapping is private, and begins and ends with whole pages, as these ranges do.
                unsafe { mprotect(address, around.len(), rights) }?;
            }
        }
        let end = place.start + place.length;
        let edges = [place.start..own.start.min(end), own.end.clamp(place.start, end)..end];
        let edges = edges.map(|edge| (edge.start - place.start, map[edge].to_vec()));
        Ok(MappedText {
            file,
            map,
            start: place.start,
            length: place.length,
            spare: place.spare,
            writable: writes,
            edges,
        })
    }

    /// The text with all that lies around it.
    pub(super) fn memory(&self) -> TextMemory<'_> {
        let start = self.map.as_ptr().wrapping_add(self.start).cast_mut();
        // SAFETY: the mapping holds this many bytes before the text, the text, and the spare bytes after it. It is this
        // process's own, and what lies around the text can be written to where it is said to be writable.
        unsafe { TextMemory::new(start, self.length, self.start, self.spare, self.writable) }
    }

    /// The text's bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map[self.start..][..self.length]
    }

    /// Whether what lies around the text can be written to.
    pub(super) fn writable(&self) -> bool {
        self.writable
    }

    /// Whether all of the text is as it was, also where nobody may write: rights can be changed.
    pub(crate) fn is_whole(&self) -> bool {
        let mut piece = vec![0; PIECE.min(self.length)];
        self.bytes().chunks(PIECE).enumerate().all(|(i, chunk)| {
            let there = &mut piece[..chunk.len()];
            self.file.read_exact_at(there, (self.start + i * PIECE) as u64).is_ok() && there == chunk
        })
    }

    /// Whether the text is as it was on the pages that it shares with what can be written to.
    pub(crate) fn is_intact(&self) -> bool {
        let is_there = |(at, edge): &(usize, Vec<u8>)| self.bytes()[*at..].starts_with(edge);
        !self.writable || self.edges.iter().all(is_there)
    }
}

/// The pages that hold bytes of a text and nothing else; where there are none, they begin and end at the same place.
fn own_pages(text: Range<usize>) -> Range<usize> {
    let start = text.start.next_multiple_of(page_size());
    start..start.max(text.end - text.end % page_size())
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing that an algorithm could prolong.
    Idle,
    /// The algorithm's library is loaded.
    Load,
    /// The algorithm makes a searcher.
    Create,
    /// The algorithm says what it needs.
    Needs,
    /// The algorithm prepares a pattern: the number of this call in the repetition.
    Prepare(usize),
    /// The algorithm searches: the number of this call in the repetition.
    Search(usize),
    /// Something is done with a counter backend: its number among those of the setup.
    Counters(usize, Deed),
}

/// What is done with a counter backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Deed {
    /// It is loaded, and its events are opened.
    Open,
    /// They are started.
    Start,
    /// They are read.
    Read,
    /// They are stopped.
    Stop,
}

impl Deed {
    const ALL: [Deed; 4] = [Deed::Open, Deed::Start, Deed::Read, Deed::Stop];
}

impl Phase {
    /// The number of the call, of a phase that is one.
    pub(super) fn call(self) -> Option<usize> {
        match self {
            Phase::Prepare(call) | Phase::Search(call) => Some(call),
            _ => None,
        }
    }

    /// As a word of the page: its kind in the lowest byte, and the number of the call or backend in the others.
    fn word(self) -> u64 {
        let (kind, number) = match self {
            Phase::Idle => (0, 0),
            Phase::Load => (1, 0),
            Phase::Create => (2, 0),
            Phase::Needs => (3, 0),
            Phase::Prepare(call) => (4, call),
            Phase::Search(call) => (5, call),
            Phase::Counters(backend, deed) => (6 + deed as u64, backend),
        };
        kind | (number as u64) << u8::BITS
    }

    /// Of a word, which may be any where a worker has damaged its memory.
    fn of(word: u64) -> Self {
        let number = usize::try_from(word >> u8::BITS).unwrap_or(usize::MAX);
        match word as u8 {
            0 => Phase::Idle,
            1 => Phase::Load,
            2 => Phase::Create,
            3 => Phase::Needs,
            4 => Phase::Prepare(number),
            5 => Phase::Search(number),
            more => Phase::Counters(number, Deed::ALL[usize::from(more - 6) % Deed::ALL.len()]),
        }
    }
}

/// A page on which a worker notes what it is doing, so that the host can end what takes too long, and say what a worker
/// died of. The worker writes a few words a repetition; nothing waits for anything.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    /// Until both sides have the page.
    file: Option<File>,
    page: MmapRaw,
}

#[repr(C)]
struct WorkerWords {
    phase: AtomicU64,
    repetition: AtomicU64,
    since_ns: AtomicU64,
}

impl Heartbeat {
    /// Makes a page.
    pub(super) fn new() -> io::Result<Self> {
        let file = memory_file("assay-heartbeat")?;
        ftruncate(&file, size_of::<WorkerWords>() as u64)?;
        // A worker can't pull the page away from under the host.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW)?;
        let page = MmapOptions::new().map_raw(&file)?;
        Ok(Heartbeat { file: Some(file), page })
    }

    /// Opens the page that the host made.
    pub(super) fn open(path: &PathBuf) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        let page = MmapOptions::new().map_raw(&file)?;
        Ok(Heartbeat { file: None, page })
    }

    /// Where a worker finds it; nowhere once both sides have it.
    pub(super) fn path(&self) -> PathBuf {
        self.file.as_ref().map(path_of).unwrap_or_default()
    }

    /// The worker has it: the page needs no file any more.
    pub(crate) fn is_shared(&mut self) {
        self.file = None;
    }

    fn words(&self) -> &WorkerWords {
        // SAFETY: the page is as long as `WorkerWords`, aligned, zeroed at first, and only touched as atomics.
        unsafe { &*self.page.as_ptr().cast() }
    }

    /// A repetition begins.
    #[inline]
    pub(super) fn begin(&self, repetition: u64, now_ns: u64) {
        let words = self.words();
        words.repetition.store(repetition, Ordering::Relaxed);
        words.since_ns.store(now_ns, Ordering::Relaxed);
        words.phase.store(Phase::Prepare(0).word(), Ordering::Release);
    }

    /// The next phase of the same repetition.
    #[inline]
    pub(crate) fn enter(&self, phase: Phase) {
        self.words().phase.store(phase.word(), Ordering::Release);
    }

    /// What the worker is doing: phase, repetition, and since when.
    pub(super) fn look(&self) -> (Phase, u64, u64) {
        let words = self.words();
        let phase = Phase::of(words.phase.load(Ordering::Acquire));
        (phase, words.repetition.load(Ordering::Relaxed), words.since_ns.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use assay_abi::algorithm::RawNeeds;
    use assay_load::plugin::Needs;

    use super::*;

    #[test]
    fn a_text_is_shared_with_room_around_it() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let mapped = MappedText::open(&shared.place(), true).unwrap();
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
    fn nobody_can_change_a_shared_text() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let file = File::options().read(true).write(true).open(shared.place().path).unwrap();
        assert!(
            file.write_at(b"x", 0).is_err()
                && ftruncate(&file, 0).is_err()
                && ftruncate(&file, 1 << 20).is_err()
        );
        assert!(MmapOptions::new().map_raw(&file).is_err(), "mapped to be written to");
        assert_eq!(MappedText::open(&shared.place(), true).unwrap().bytes(), b"abc");
    }

    #[test]
    fn a_text_that_is_mapped_to_be_read_is_not_given_to_an_algorithm_that_writes() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let mapped = MappedText::open(&shared.place(), false).unwrap();
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
            let mapped = MappedText::open(&shared.place(), true).unwrap();
            let start = mapped.bytes().as_ptr().cast_mut();
            for (at, intact) in writes {
                // SAFETY: what lies around the text is writable, and so are the pages that it shares with that.
                unsafe { start.offset(at).write_volatile(b'b') };
                assert_eq!(mapped.is_intact(), intact, "byte {at} of a text at {offset}");
            }
            assert!(MappedText::open(&shared.place(), true).unwrap().is_intact(), "others see nothing of it");
        }
    }

    #[test]
    fn a_text_is_compared_as_a_whole_where_rights_were_changed() {
        let length = 2 * PIECE + 5000;
        let shared = SharedText::new(&vec![b'a'; length], 10, 100).unwrap();
        for at in [0, PIECE, length - 1] {
            let mapped = MappedText::open(&shared.place(), false).unwrap();
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

    #[test]
    fn a_text_has_pages_of_its_own_only_if_it_fills_them() {
        let page = page_size();
        assert_eq!(own_pages(page..2 * page), page..2 * page);
        assert_eq!(own_pages(page + 1..4 * page - 1), 2 * page..3 * page);
        assert!(own_pages(page + 1..2 * page + 1).is_empty() && own_pages(page + 1..page + 9).is_empty());
    }

    #[test]
    fn nobody_can_shorten_the_watch() {
        let heartbeat = Heartbeat::new().unwrap();
        assert_eq!(ftruncate(heartbeat.file.unwrap(), 0), Err(rustix::io::Errno::PERM));
    }

    #[test]
    fn the_watch_shows_what_the_other_side_wrote() {
        let host = Heartbeat::new().unwrap();
        let worker = Heartbeat::open(&host.path()).unwrap();
        assert_eq!(host.look(), (Phase::Idle, 0, 0));
        worker.begin(7, 1000);
        let counters = Deed::ALL.map(|deed| Phase::Counters(5, deed));
        let others = [
            Phase::Search(300),
            Phase::Prepare(2),
            Phase::Counters(0, Deed::Open),
            Phase::Idle,
            Phase::Load,
            Phase::Create,
        ];
        for phase in others.into_iter().chain([Phase::Needs]).chain(counters) {
            worker.enter(phase);
            assert_eq!(host.look(), (phase, 7, 1000));
        }
    }
}
