//! Memory that host and workers share: the text, and a page that says what a worker is doing.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_plugin_api::abi::algorithm::RawNeeds;
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

/// The text in shared memory, with room for slack after it.
#[derive(Debug)]
pub struct SharedText {
    file: File,
    length: usize,
    spare: usize,
}

impl SharedText {
    /// Copies a text to shared memory. `spare` bytes after it can be touched by algorithms that declare slack.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(text: &[u8], spare: usize) -> io::Result<Self> {
        let mut file = memory_file("assay-text")?;
        file.write_all(text)?;
        ftruncate(&file, (text.len() + spare) as u64)?;
        // Nobody can change the text or pull it away from under the workers.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE)?;
        Ok(SharedText { file, length: text.len(), spare })
    }

    /// Where a worker finds it.
    pub fn place(&self) -> TextPlace {
        TextPlace { path: path_of(&self.file), length: self.length, spare: self.spare }
    }
}

/// Where a worker finds the text.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TextPlace {
    path: PathBuf,
    length: usize,
    spare: usize,
}

/// The text, mapped into a worker. It begins a page.
#[derive(Debug)]
pub struct MappedText {
    map: TextMap,
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
    /// Maps the text: read-only, or with slack that can be written to and that no other process sees.
    pub fn open(place: &TextPlace, writes_slack: bool) -> io::Result<Self> {
        let file = File::open(&place.path)?;
        let mut options = MmapOptions::new();
        options.populate();
        // SAFETY: the file is sealed: nobody changes or shortens it.
        let map = unsafe {
            if writes_slack {
                TextMap::CopyOnWrite(options.map_copy(&file)?)
            } else {
                TextMap::ReadOnly(options.map_copy_read_only(&file)?)
            }
        };
        Ok(MappedText { map, length: place.length, spare: place.spare })
    }

    /// The text with what an algorithm needs around it.
    ///
    /// # Errors
    /// If it needs something that there is not: one sentence.
    pub fn with(&self, needs: &RawNeeds) -> Result<TextMemory<'_>, String> {
        let RawNeeds { before, slack, alignment, flags, .. } = *needs;
        if before > 0 {
            return Err(format!("it reads {before} bytes before the text, and there are none"));
        }
        if slack > self.spare {
            return Err(format!(
                "it needs {slack} bytes after the text, more than the {} that there are",
                self.spare
            ));
        }
        if flags & RawNeeds::FRESH_PROCESS != 0 {
            return Err("it needs a process for each pattern, and here one serves all".to_owned());
        }
        let start = match &self.map {
            TextMap::ReadOnly(map) => map.as_ptr().cast_mut(),
            TextMap::CopyOnWrite(map) => map.as_ptr().cast_mut(),
        };
        if !alignment.is_power_of_two() || start.addr() % alignment != 0 {
            return Err(format!("it needs a text that is aligned to {alignment} bytes"));
        }
        // SAFETY: the mapping holds length + spare bytes, and only algorithms that get it writable declare that they
        // write. It is this process's own.
        Ok(unsafe { TextMemory::new(start, self.length, slack) })
    }

    /// The text's bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.map {
            TextMap::ReadOnly(map) => &map[..self.length],
            TextMap::CopyOnWrite(map) => &map[..self.length],
        }
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
        let file = memory_file("assay-watch")?;
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
    use super::*;

    #[test]
    fn a_text_is_shared_with_its_slack() {
        let shared = SharedText::new(b"abc", 10).unwrap();
        let mapped = MappedText::open(&shared.place(), true).unwrap();
        assert_eq!(mapped.bytes(), b"abc");
        let with = |needs: RawNeeds| mapped.with(&needs).map(|text| text.bytes().len());
        assert_eq!(with(RawNeeds { slack: 10, alignment: 64, ..RawNeeds::NOTHING }), Ok(3));
        assert!(
            with(RawNeeds { slack: 11, ..RawNeeds::NOTHING })
                .unwrap_err()
                .contains("11 bytes after the text")
        );
        assert!(with(RawNeeds { before: 1, ..RawNeeds::NOTHING }).is_err());
        assert!(with(RawNeeds { alignment: 1 << 40, ..RawNeeds::NOTHING }).is_err());
    }

    #[test]
    fn nobody_can_shorten_the_watch() {
        let watch = Heartbeat::new().unwrap();
        assert_eq!(ftruncate(&watch.file, 0), Err(rustix::io::Errno::PERM));
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
