//! Events in a file of shared memory, which the host reads even if the child crashes.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use assay_abi::trace::{RawTraceEvent, TraceEventKind};

/// Bytes of an event in the file: kind and table, index, value, amount.
const SIZE: usize = 32;

/// The child's side.
#[derive(Debug)]
pub(crate) struct Recorder {
    file: File,
    /// Events that may still be written.
    left: u64,
    /// Events so far, written or not.
    seen: u64,
}

impl Recorder {
    /// A recorder that writes this number of events at most.
    pub(crate) fn new(file: File, most: u64) -> Self {
        Recorder { file, left: most, seen: 0 }
    }

    /// Records an event. Each is written at once, because the next one may not come.
    pub(crate) fn add(&mut self, event: &RawTraceEvent) {
        self.seen += 1;
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let kind = u64::from(event.kind.0) | u64::from(event.table) << 32;
        let bytes = [kind, event.index, event.value, event.amount].map(u64::to_le_bytes);
        if self.file.write_all(bytes.as_flattened()).is_err() {
            self.left = 0;
        }
    }

    /// Number of events so far, written or not.
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }
}

/// The events in a file.
///
/// # Errors
/// If the file can't be read.
pub(crate) fn read(file: &mut File) -> io::Result<Vec<RawTraceEvent>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let events = bytes.as_chunks::<SIZE>().0.iter().map(|event| {
        let word = |i: usize| u64::from_le_bytes(*event[8 * i..].first_chunk().expect("four words"));
        RawTraceEvent {
            table: (word(0) >> 32) as u32,
            index: word(1),
            value: word(2),
            amount: word(3),
            ..RawTraceEvent::new(TraceEventKind(word(0) as u32))
        }
    });
    Ok(events.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_they_were_written_and_no_more_than_the_limit() {
        let mut file = assay_load::process::memory_file("assay-trace").unwrap();
        let mut recorder = Recorder::new(file.try_clone().unwrap(), 2);
        let event = |index| RawTraceEvent {
            table: 7,
            index,
            value: u64::MAX,
            amount: 3,
            ..RawTraceEvent::new(TraceEventKind::LOOKUP)
        };
        (0..5).for_each(|index| recorder.add(&event(index)));
        assert_eq!(recorder.seen(), 5);
        assert_eq!(read(&mut file).unwrap(), [event(0), event(1)]);
    }
}
