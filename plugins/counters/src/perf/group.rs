//! Events that the kernel counts together or not at all, so that their counts belong to the same time.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::kernel::{self, Asked, Kernel, Role};
use super::mapped_page::{Unreadable, UserReading};

/// An open group.
#[derive(Debug)]
pub struct Group {
    kernel: Rc<dyn Kernel>,
    /// Whether the descriptors can be read without asking `kernel`.
    is_real: bool,
    /// Those of the events, the leader's first.
    descriptors: Vec<OwnedFd>,
    bytes: Vec<u8>,
    /// The place of the first count in a reading.
    first_count: usize,
    /// The pages of all events, if they can be read in user mode; otherwise none.
    pages: Vec<Box<dyn UserReading>>,
    /// The reading at the start, and the latest one.
    base: Vec<u64>,
    latest: Vec<u64>,
}

/// A reading of a group as the kernel writes it: number of events, time enabled, time running, then a count
/// of each event. An event that is alone has its count in the place of the number.
const ENABLED: usize = 1;
const RUNNING: usize = 2;
const COUNT_ALONE: usize = 0;
const FIRST_COUNT: usize = 3;

/// For how long a group may wait for the CPU's counters while its thread works, in nanoseconds.
const PATIENCE: u64 = 1_000_000;
/// And at most, should the kernel's clock of the group stand still.
const LONGEST: Duration = Duration::from_millis(100);

/// For how long the clocks of a group are watched each time, in nanoseconds: much longer than a reading.
const STRETCH: u64 = 20_000;
/// And how many times, because a clock that the kernel does not bring up to date in a reading moves
/// nevertheless when the thread is interrupted.
const STRETCHES: usize = 5;

impl Group {
    /// Opens events, without enabling them. The first leads.
    ///
    /// # Errors
    /// The place of the event that the kernel refused, and its error.
    pub fn open(kernel: &Rc<dyn Kernel>, asked: &[Asked]) -> Result<Self, (usize, io::Error)> {
        let mut descriptors: Vec<OwnedFd> = Vec::with_capacity(asked.len());
        let alone = asked.len() == 1;
        for (place, asked) in asked.iter().enumerate() {
            let role = match descriptors.first() {
                Some(leader) => Role::Member(leader.as_fd()),
                None if alone => Role::Alone,
                None => Role::Leader,
            };
            descriptors.push(kernel.open(asked, role).map_err(|error| (place, error))?);
        }
        let first_count = if alone { COUNT_ALONE } else { FIRST_COUNT };
        let words = FIRST_COUNT + if alone { 0 } else { asked.len() };
        Ok(Group {
            is_real: kernel.is_real(),
            kernel: kernel.clone(),
            descriptors,
            first_count,
            pages: Vec::new(),
            bytes: vec![0; words * size_of::<u64>()],
            base: vec![0; words],
            latest: vec![0; words],
        })
    }

    /// Lets the events be read in user mode, if the kernel and the CPU allow it for all of them.
    pub fn map_pages(&mut self) {
        let members = self.descriptors[1..].iter().map(|event| self.kernel.map(event.as_fd()));
        let pages = std::iter::once(self.map()).chain(members).collect::<io::Result<Vec<_>>>();
        // An event that does not count yet has no counter, and its page says nevertheless whether it may be
        // read.
        self.pages = pages.unwrap_or_default();
        if self.pages.iter().any(|page| page.count() == Err(Unreadable::Forbidden)) {
            self.pages.clear();
        }
    }

    /// Starts counting from zero.
    pub fn start(&mut self) -> io::Result<()> {
        self.read_descriptor()?;
        self.base.copy_from_slice(&self.latest);
        self.kernel.enable(self.descriptors[0].as_fd())
    }

    pub fn stop(&mut self) -> io::Result<()> {
        self.kernel.disable(self.descriptors[0].as_fd())
    }

    #[inline]
    pub fn read(&mut self) -> io::Result<()> {
        if self.read_pages() { Ok(()) } else { self.read_descriptor() }
    }

    /// Reads all events in user mode. Returns `false` if the descriptor must be read instead.
    ///
    /// Of the times, only the difference is known, for how long the group has waited for counters. So the
    /// group is said to have run for a nanosecond, because an event that has not run has no count.
    #[inline]
    fn read_pages(&mut self) -> bool {
        let mut waited = None;
        for (page, count) in self.pages.iter().zip(&mut self.latest[self.first_count..]) {
            let Ok(read) = page.count() else { return false };
            *count = read.count;
            waited = waited.or(Some(read.waited));
        }
        let Some(waited) = waited else { return false };
        self.latest[RUNNING] = self.base[RUNNING].wrapping_add(1);
        self.latest[ENABLED] = self.latest[RUNNING].wrapping_add(waited);
        true
    }

    /// Reads all events with one system call.
    #[inline(always)]
    fn read_descriptor(&mut self) -> io::Result<()> {
        let leader = self.descriptors[0].as_fd();
        let read = if self.is_real {
            kernel::read(leader, &mut self.bytes)?
        } else {
            self.kernel.read(leader, &mut self.bytes)?
        };
        if read != self.bytes.len() {
            return Err(io::Error::other("the kernel has given up counting these events"));
        }
        for (word, bytes) in self.latest.iter_mut().zip(self.bytes.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        Ok(())
    }

    /// Maps the page of the leader.
    pub fn map(&self) -> io::Result<Box<dyn UserReading>> {
        self.kernel.map(self.descriptors[0].as_fd())
    }

    /// What the latest reading says of an event, since the start.
    #[inline]
    pub fn count(&self, event: usize) -> u64 {
        self.since_start(self.first_count + event)
    }

    /// For how long the group was to count, since the start.
    #[inline]
    pub fn enabled(&self) -> u64 {
        self.since_start(ENABLED)
    }

    /// For how long it did.
    #[inline]
    pub fn running(&self) -> u64 {
        self.since_start(RUNNING)
    }

    #[inline]
    fn since_start(&self, word: usize) -> u64 {
        self.latest[word].wrapping_sub(self.base[word])
    }

    /// Whether the CPU has counters for the group: a group may open, and never be given any.
    pub fn runs(&mut self) -> io::Result<bool> {
        let begun = Instant::now();
        self.start()?;
        let runs = loop {
            self.read()?;
            if self.running() > 0 || self.enabled() >= PATIENCE || begun.elapsed() > LONGEST {
                break self.running() > 0;
            }
        };
        self.stop()?;
        Ok(runs)
    }

    /// Whether each reading of the group brings all of its clocks of the thread up to date. Some kernels do
    /// that with the first event of a group only.
    pub fn keeps_time(&mut self) -> io::Result<bool> {
        let clocks = self.descriptors.len();
        let begun = Instant::now();
        let mut keeps = true;
        for _ in 0..STRETCHES {
            self.start()?;
            self.read()?;
            let (enabled, before) = (self.enabled(), self.latest.clone());
            while self.enabled() - enabled < STRETCH && begun.elapsed() < LONGEST {
                self.read()?;
            }
            let passed = self.enabled() - enabled;
            let moved = |clock: usize| {
                let place = self.first_count + clock;
                self.latest[place].saturating_sub(before[place])
            };
            keeps &= passed > 0 && (0..clocks).all(|clock| moved(clock) >= passed / 2);
            self.stop()?;
        }
        Ok(keeps)
    }
}

/// Whether groups count at the same time, all of it: otherwise they take turns.
pub fn run_together(groups: &mut [Group]) -> io::Result<bool> {
    let begun = Instant::now();
    groups.iter_mut().try_for_each(Group::start)?;
    let worked = |group: &Group| group.enabled() >= PATIENCE;
    loop {
        groups.iter_mut().try_for_each(Group::read)?;
        if groups.iter().all(worked) || begun.elapsed() > LONGEST {
            break;
        }
    }
    groups.iter_mut().try_for_each(Group::stop)?;
    Ok(groups.iter().all(|group| group.running() == group.enabled()))
}
