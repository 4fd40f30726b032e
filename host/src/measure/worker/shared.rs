//! Memory that host and workers share: the text, and a page that says what a worker is doing.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::{Mmap, MmapMut, MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use crate::plugin::TextMemory;

fn memory_file(name: &str) -> io::Result<File> {
    Ok(memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?.into())
}

/// A path under which another process of the same user opens the file.
fn path_of(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
}

/// Room before the text that algorithms may touch which say so: a page, and what the text begins behind the next.
const BEFORE: usize = 4096;

/// The text in shared memory, with room before and after it.
#[derive(Debug)]
pub struct SharedText {
    file: File,
    start: usize,
    length: usize,
    spare: usize,
}

impl SharedText {
    /// Copies a text to shared memory, to begin `offset` bytes behind the begin of a page. `spare` bytes after it can be
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
        // Nobody can change the text or pull it away from under the workers.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE)?;
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

/// The text, mapped into a worker.
#[derive(Debug)]
pub struct MappedText {
    map: TextMap,
    start: usize,
    length: usize,
    spare: usize,
}

#[derive(Debug)]
enum TextMap {
    ReadOnly(Mmap),
    /// A private copy of what is written to.
    CopyOnWrite(MmapMut),
}

impl MappedText {
    /// Maps the text: read-only, or so that what lies around it can be written to and no other process sees that.
    pub fn open(place: &TextPlace, writes: bool) -> io::Result<Self> {
        let file = File::open(&place.path)?;
        let mut options = MmapOptions::new();
        options.populate();
        // SAFETY: the file is sealed: nobody changes or shortens it.
        let map = unsafe {
            if writes {
                TextMap::CopyOnWrite(options.map_copy(&file)?)
            } else {
                TextMap::ReadOnly(options.map_copy_read_only(&file)?)
            }
        };
        Ok(MappedText { map, start: place.start, length: place.length, spare: place.spare })
    }

    /// The text with all that lies around it.
    pub fn memory(&self) -> TextMemory<'_> {
        let start = match &self.map {
            TextMap::ReadOnly(map) => map.as_ptr(),
            TextMap::CopyOnWrite(map) => map.as_ptr(),
        };
        let start = start.wrapping_add(self.start).cast_mut();
        // SAFETY: the mapping holds so many bytes before the text, the text, and the spare bytes after it. It is this
        // process's own, and is written to only where it is a private copy.
        unsafe { TextMemory::new(start, self.length, self.start, self.spare, self.writable()) }
    }

    /// The text's bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.map {
            TextMap::ReadOnly(map) => &map[self.start..][..self.length],
            TextMap::CopyOnWrite(map) => &map[self.start..][..self.length],
        }
    }

    /// Whether what lies around the text can be written to.
    pub fn writable(&self) -> bool {
        matches!(self.map, TextMap::CopyOnWrite(_))
    }
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Phase {
    /// Nothing that an algorithm could prolong.
    Idle = 0,
    /// The algorithm prepares a pattern.
    Prepare = 1,
    /// The algorithm searches.
    Search = 2,
}

/// A page on which a worker notes what it is doing, so that the host can end what takes too long, and say what a worker
/// died of. The worker writes a few words a repetition; nothing waits for anything.
#[derive(Debug)]
pub struct Heartbeat {
    file: File,
    page: MmapRaw,
}

#[repr(C)]
struct Words {
    phase: AtomicU64,
    repetition: AtomicU64,
    since_ns: AtomicU64,
}

impl Heartbeat {
    /// Makes a page.
    pub fn new() -> io::Result<Self> {
        let file = memory_file("assay-heartbeat")?;
        ftruncate(&file, size_of::<Words>() as u64)?;
        // A worker can't pull the page away from under the host.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW)?;
        let page = MmapOptions::new().map_raw(&file)?;
        Ok(Heartbeat { file, page })
    }

    /// Opens the page that the host made.
    pub fn open(path: &PathBuf) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        let page = MmapOptions::new().map_raw(&file)?;
        Ok(Heartbeat { file, page })
    }

    /// Where a worker finds it.
    pub fn path(&self) -> PathBuf {
        path_of(&self.file)
    }

    fn words(&self) -> &Words {
        // SAFETY: the page is as long as `Words`, aligned, zeroed at first, and only touched as atomics.
        unsafe { &*self.page.as_ptr().cast() }
    }

    /// A repetition begins.
    #[inline]
    pub fn begin(&self, repetition: u64, now_ns: u64) {
        let words = self.words();
        words.repetition.store(repetition, Ordering::Relaxed);
        words.since_ns.store(now_ns, Ordering::Relaxed);
        words.phase.store(Phase::Prepare as u64, Ordering::Release);
    }

    /// The next phase of the same repetition.
    #[inline]
    pub fn enter(&self, phase: Phase) {
        self.words().phase.store(phase as u64, Ordering::Release);
    }

    /// What the worker is doing: phase, repetition, and since when.
    pub fn look(&self) -> (Phase, u64, u64) {
        let words = self.words();
        let phase = match words.phase.load(Ordering::Acquire) {
            1 => Phase::Prepare,
            2 => Phase::Search,
            _ => Phase::Idle,
        };
        (phase, words.repetition.load(Ordering::Relaxed), words.since_ns.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use assay_abi::algorithm::RawNeeds;

    use super::*;
    use crate::plugin::Needs;

    #[test]
    fn a_text_is_shared_with_room_around_it() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let mapped = MappedText::open(&shared.place(), true).unwrap();
        assert_eq!(mapped.bytes(), b"abc");
        let fit = |needs: RawNeeds| mapped.memory().fit(&Needs::of(needs)).map(|text| text.bytes().to_vec());
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
    fn a_text_that_is_mapped_to_be_read_is_not_given_to_an_algorithm_that_writes() {
        let shared = SharedText::new(b"abc", 10, 128).unwrap();
        let mapped = MappedText::open(&shared.place(), false).unwrap();
        for flags in [RawNeeds::WRITES_SLACK, RawNeeds::WRITES_BEFORE] {
            let needs = Needs::of(RawNeeds { flags, ..RawNeeds::NOTHING });
            assert!(mapped.memory().fit(&needs).unwrap_err().contains("writes around the text"));
        }
        assert!(mapped.memory().fit(&Needs::of(RawNeeds::NOTHING)).is_ok());
    }

    #[test]
    fn nobody_can_shorten_the_watch() {
        let heartbeat = Heartbeat::new().unwrap();
        assert_eq!(ftruncate(&heartbeat.file, 0), Err(rustix::io::Errno::PERM));
    }

    #[test]
    fn the_watch_shows_what_the_other_side_wrote() {
        let host = Heartbeat::new().unwrap();
        let worker = Heartbeat::open(&host.path()).unwrap();
        assert_eq!(host.look(), (Phase::Idle, 0, 0));
        worker.begin(7, 1000);
        worker.enter(Phase::Search);
        assert_eq!(host.look(), (Phase::Search, 7, 1000));
    }
}
