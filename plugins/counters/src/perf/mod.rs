//! The kernel's performance events, through the crate `perf-event`.
//!
//! Events are opened in groups, which the kernel counts together or not at all, so that their counts belong to the same
//! time. Software events have a group of their own, which always counts. Hardware events share one as long as the CPU has
//! counters for it; an event that no longer fits opens the next group, and the groups take turns: [`EventCount`] then
//! says for which part of the time each has counted.
//!
//! A reading is one system call a group, some 0.5 to 1 µs.

mod events;
mod refusal;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, BorrowedFd};

use assay_plugin_api::{Availability, Backend, Event, EventCount, Open, cannot_count, register};
use perf_event::{Counter, Group};

use self::events::{EVENTS, Known};
use self::refusal::Refusal;

/// An open set of events.
#[derive(Debug)]
pub struct Perf {
    groups: Vec<OpenGroup>,
    /// For each event of the set, its group and its place among the group's counters.
    places: Vec<(usize, usize)>,
}

impl Backend for Perf {
    const ID: &'static str = "perf";
    const SUMMARY: &'static str = "The kernel's performance events of the thread: software events everywhere, hardware events in user mode where the machine has them.";

    fn events() -> Vec<Event> {
        let event = |known: &Known| Event {
            availability: match known.builder().build() {
                Ok(_) => Availability::Available,
                Err(error) => {
                    let Refusal { reason, remedy } = refused(known, &error);
                    Availability::Missing { reason, remedy }
                }
            },
            ..Event::new(known.name, known.unit, known.summary)
        };
        EVENTS.iter().map(event).collect()
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        let mut set = Perf { groups: Vec::new(), places: Vec::new() };
        for known in request.select(Self::ID, &EVENTS, |known| known.name)? {
            let place = set.add(known).map_err(|error| {
                let Refusal { reason, remedy } = refused(known, &error);
                cannot_count(Self::ID, known.name, &reason, &remedy)
            })?;
            set.places.push(place);
        }
        for group in &mut set.groups {
            group.prepare().map_err(|error| format!("perf: an opened group can't be read: {error}"))?;
        }
        Ok(set)
    }

    fn start(&mut self) -> Result<(), String> {
        for group in &mut self.groups {
            group.start().map_err(|error| format!("perf: counting could not be started: {error}"))?;
        }
        Ok(())
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        for group in &mut self.groups {
            group.read().map_err(|error| format!("perf: the counts could not be read: {error}"))?;
        }
        for (count, &(group, counter)) in counts.iter_mut().zip(&self.places) {
            *count = self.groups[group].count(counter);
        }
        Ok(())
    }

    fn stop(&mut self) -> Result<(), String> {
        for group in &mut self.groups {
            group.group.disable().map_err(|error| format!("perf: counting could not be stopped: {error}"))?;
        }
        Ok(())
    }
}

register!(backend Perf);

impl Perf {
    /// Opens an event, in the last group of its kind if it fits there, else in a new one.
    fn add(&mut self, known: &Known) -> io::Result<(usize, usize)> {
        let last = self.groups.iter().rposition(|group| group.hardware == known.hardware());
        if let Some(last) = last
            && let Ok(counter) = self.groups[last].add(known)
        {
            return Ok((last, counter));
        }
        let mut group = OpenGroup::new(known.hardware())?;
        let counter = group.add(known)?;
        self.groups.push(group);
        Ok((self.groups.len() - 1, counter))
    }
}

/// Events that the kernel counts together.
#[derive(Debug)]
struct OpenGroup {
    hardware: bool,
    group: Group,
    counters: Vec<Counter>,
    /// The group's descriptor once more: the crate's own `read` allocates.
    file: File,
    /// Where each counter stands in a reading.
    slots: Vec<usize>,
    bytes: Vec<u8>,
    /// The reading at the start, and the latest one.
    base: Vec<u64>,
    latest: Vec<u64>,
}

/// A reading as the kernel writes it: number of events, time enabled, time running, then a count and an id for each event.
const ENABLED: usize = 1;
const RUNNING: usize = 2;
const FIRST_COUNT: usize = 3;
const WORDS_A_COUNT: usize = 2;

impl OpenGroup {
    fn new(hardware: bool) -> io::Result<Self> {
        let group = Group::new()?;
        // SAFETY: the group keeps its descriptor open during the call.
        let descriptor = unsafe { BorrowedFd::borrow_raw(group.as_raw_fd()) }.try_clone_to_owned()?;
        Ok(OpenGroup {
            hardware,
            group,
            counters: Vec::new(),
            file: File::from(descriptor),
            slots: Vec::new(),
            bytes: Vec::new(),
            base: Vec::new(),
            latest: Vec::new(),
        })
    }

    fn add(&mut self, known: &Known) -> io::Result<usize> {
        self.counters.push(known.builder().group(&mut self.group).build()?);
        Ok(self.counters.len() - 1)
    }

    /// Makes room for readings, once all events have been added, and finds out where each counter stands.
    fn prepare(&mut self) -> io::Result<()> {
        // The group's leader, which counts nothing, has a place too.
        let words = FIRST_COUNT + WORDS_A_COUNT * (self.counters.len() + 1);
        self.bytes = vec![0; words * size_of::<u64>()];
        self.base = vec![0; words];
        self.latest = vec![0; words];
        self.read()?;
        let slot_of = |counter: &Counter| {
            (FIRST_COUNT..words)
                .step_by(WORDS_A_COUNT)
                .find(|&slot| self.latest[slot + 1] == counter.id())
                .ok_or_else(|| io::Error::other("the kernel left out an event of the group"))
        };
        self.slots = self.counters.iter().map(slot_of).collect::<io::Result<_>>()?;
        Ok(())
    }

    fn start(&mut self) -> io::Result<()> {
        self.read()?;
        self.base.copy_from_slice(&self.latest);
        self.group.enable()
    }

    #[inline]
    fn read(&mut self) -> io::Result<()> {
        self.file.read_exact(&mut self.bytes)?;
        for (word, bytes) in self.latest.iter_mut().zip(self.bytes.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        Ok(())
    }

    #[inline]
    fn count(&self, counter: usize) -> EventCount {
        let since_start = |word: usize| self.latest[word] - self.base[word];
        EventCount {
            value: since_start(self.slots[counter]) as f64,
            enabled: since_start(ENABLED),
            running: since_start(RUNNING),
            flags: 0,
        }
    }
}

fn refused(known: &Known, error: &io::Error) -> Refusal {
    refusal::explain(error, known.in_kernel, refusal::paranoid_level())
}
