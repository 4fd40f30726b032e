//! The heartbeat page: memory in which a worker notes what it is doing, so that the host can see it.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_load::process::memory_file;
use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{SealFlags, fcntl_add_seals, ftruncate};

/// What a worker is doing.
///
/// These phases are finer than those of the glossary, because they name whose code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// No code of the algorithm or of a counter backend runs.
    Idle,
    /// The algorithm's library is loaded.
    Load,
    /// The algorithm makes a searcher.
    Create,
    /// The algorithm says what it needs.
    Needs,
    /// The algorithm prepares a pattern. The number is that of the call in the repetition.
    Prepare(usize),
    /// The algorithm searches. The number is that of the call in the repetition.
    Search(usize),
    /// A counter backend is called. The number is its place in the setup.
    Counters(usize, BackendStep),
}

/// The steps in the life of a counter backend, each of which may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum BackendStep {
    /// The backend is loaded, and its events are opened.
    Open,
    /// The events are started.
    Start,
    /// The events are read.
    Read,
    /// The events are stopped.
    Stop,
}

impl BackendStep {
    const ALL: [BackendStep; 4] =
        [BackendStep::Open, BackendStep::Start, BackendStep::Read, BackendStep::Stop];
}

impl Phase {
    /// The number of the call, if the phase is a call of a repetition.
    pub(super) fn call(self) -> Option<usize> {
        match self {
            Phase::Prepare(call) | Phase::Search(call) => Some(call),
            _ => None,
        }
    }

    /// The phase as a word of the page: its kind in the lowest byte, and the number of the call or backend in
    /// the others. One word, so that the host never sees the kind of one phase with the number of another.
    fn word(self) -> u64 {
        let (kind, number) = match self {
            Phase::Idle => (0, 0),
            Phase::Load => (1, 0),
            Phase::Create => (2, 0),
            Phase::Needs => (3, 0),
            Phase::Prepare(call) => (4, call),
            Phase::Search(call) => (5, call),
            Phase::Counters(backend, step) => (6 + step as u64, backend),
        };
        kind | (number as u64) << u8::BITS
    }

    /// The phase of a word. Any word has one, because a worker with damaged memory may write anything.
    fn from_word(word: u64) -> Self {
        let number = usize::try_from(word >> u8::BITS).unwrap_or(usize::MAX);
        match word as u8 {
            0 => Phase::Idle,
            1 => Phase::Load,
            2 => Phase::Create,
            3 => Phase::Needs,
            4 => Phase::Prepare(number),
            5 => Phase::Search(number),
            more => Phase::Counters(number, BackendStep::ALL[usize::from(more - 6) % BackendStep::ALL.len()]),
        }
    }
}

/// The heartbeat page: a worker notes on it what it is doing, so that the host can end what takes too long,
/// and can say what the worker was doing when it died. The worker only stores a few words for each repetition
/// and never waits.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    /// The file by which the worker opens the page; `None` when both sides have it.
    file: Option<File>,
    page: MmapRaw,
}

#[repr(C)]
struct HeartbeatPage {
    phase: AtomicU64,
    repetition: AtomicU64,
    since_ns: AtomicU64,
}

impl Heartbeat {
    /// Makes a page, on the side of the host.
    pub(super) fn new() -> io::Result<Self> {
        let file = memory_file("assay-heartbeat")?;
        ftruncate(&file, size_of::<HeartbeatPage>() as u64)?;
        // A worker can't pull the page away from under the host.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW)?;
        let page = MmapOptions::new().map_raw(&file)?;
        Ok(Heartbeat { file: Some(file), page })
    }

    /// Maps the page that the host has made and passed, on the side of the worker.
    pub(super) fn open(file: &File) -> io::Result<Self> {
        let page = MmapOptions::new().map_raw(file)?;
        Ok(Heartbeat { file: None, page })
    }

    /// The file, to be passed to a worker; `None` when both sides have it.
    pub(super) fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    /// Closes the file, because the worker has opened the page. Each worker so takes one descriptor less.
    pub(crate) fn is_shared(&mut self) {
        self.file = None;
    }

    fn words(&self) -> &HeartbeatPage {
        // SAFETY: the page is as long as `HeartbeatPage`, aligned, zeroed at first, and only touched as
        // atomics.
        unsafe { &*self.page.as_ptr().cast() }
    }

    /// Notes that a repetition begins.
    #[inline]
    pub(super) fn begin(&self, repetition: u64, now_ns: u64) {
        let words = self.words();
        words.repetition.store(repetition, Ordering::Relaxed);
        words.since_ns.store(now_ns, Ordering::Relaxed);
        // Last, with `Release`: a host that sees the phase also sees the repetition and its time.
        words.phase.store(Phase::Prepare(0).word(), Ordering::Release);
    }

    /// Notes the next phase of the same repetition.
    #[inline]
    pub(crate) fn enter(&self, phase: Phase) {
        self.words().phase.store(phase.word(), Ordering::Release);
    }

    /// Reads what the worker is doing: its phase, the repetition, and when that repetition began.
    pub(super) fn look(&self) -> (Phase, u64, u64) {
        let words = self.words();
        let phase = Phase::from_word(words.phase.load(Ordering::Acquire));
        (phase, words.repetition.load(Ordering::Relaxed), words.since_ns.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_cannot_be_shortened() {
        let heartbeat = Heartbeat::new().unwrap();
        assert_eq!(ftruncate(heartbeat.file.unwrap(), 0), Err(rustix::io::Errno::PERM));
    }

    #[test]
    fn the_page_shows_what_the_other_side_wrote() {
        let host = Heartbeat::new().unwrap();
        let worker = Heartbeat::open(host.file().unwrap()).unwrap();
        assert_eq!(host.look(), (Phase::Idle, 0, 0));
        worker.begin(7, 1000);
        let counters = BackendStep::ALL.map(|step| Phase::Counters(5, step));
        let others = [
            Phase::Search(300),
            Phase::Prepare(2),
            Phase::Counters(0, BackendStep::Open),
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
