//! Events that the kernel counts together or not at all, so that their counts belong to the same time.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::kernel::{Asked, Kernel};
use super::mapped_page::UserReading;

/// An open group.
#[derive(Debug)]
pub struct Group {
    kernel: Rc<dyn Kernel>,
    /// Those of the events, the leader's first.
    descriptors: Vec<OwnedFd>,
    bytes: Vec<u8>,
    /// The reading at the start, and the latest one.
    base: Vec<u64>,
    latest: Vec<u64>,
}

/// A reading as the kernel writes it: number of events, time enabled, time running, then a count of each
/// event.
const ENABLED: usize = 1;
const RUNNING: usize = 2;
const FIRST_COUNT: usize = 3;

/// For how long a group may wait for the CPU's counters while its thread works, in nanoseconds.
const PATIENCE: u64 = 1_000_000;
/// And at most, should the kernel's clock of the group stand still.
const LONGEST: Duration = Duration::from_millis(100);

impl Group {
    /// Opens events, without enabling them. The first leads.
    ///
    /// # Errors
    /// The place of the event that the kernel refused, and its error.
    pub fn open(kernel: &Rc<dyn Kernel>, asked: &[Asked]) -> Result<Self, (usize, io::Error)> {
        let mut descriptors: Vec<OwnedFd> = Vec::with_capacity(asked.len());
        for (place, asked) in asked.iter().enumerate() {
            let leader = descriptors.first().map(AsFd::as_fd);
            descriptors.push(kernel.open(asked, leader).map_err(|error| (place, error))?);
        }
        let words = FIRST_COUNT + asked.len();
        Ok(Group {
            kernel: kernel.clone(),
            descriptors,
            bytes: vec![0; words * size_of::<u64>()],
            base: vec![0; words],
            latest: vec![0; words],
        })
    }

    /// Starts counting from zero.
    pub fn start(&mut self) -> io::Result<()> {
        self.read()?;
        self.base.copy_from_slice(&self.latest);
        self.kernel.enable(self.descriptors[0].as_fd())
    }

    pub fn stop(&mut self) -> io::Result<()> {
        self.kernel.disable(self.descriptors[0].as_fd())
    }

    #[inline]
    pub fn read(&mut self) -> io::Result<()> {
        let read = self.kernel.read(self.descriptors[0].as_fd(), &mut self.bytes)?;
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
        self.since_start(FIRST_COUNT + event)
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
