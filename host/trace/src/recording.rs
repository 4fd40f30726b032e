//! Events in a file of shared memory, which the host reads even if the child crashes.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use assay_abi::trace::{RawTraceEvent, TraceEventKind};

/// Marks the end of the preparation in the file. No event has this kind.
pub(crate) const PREPARED: TraceEventKind = TraceEventKind(u32::MAX);

/// Bytes of an event in the file: kind and table, index, value, amount.
const SIZE: usize = 32;

/// The child's side.
#[derive(Debug)]
pub(crate) struct Recorder {
    file: File,
    /// Events that may still be written.
    left: u64,
    /// Events that were not written.
    dropped: u64,
}

impl Recorder {
    /// A recorder that writes this number of events at most.
    pub(crate) fn new(file: File, most: u64) -> Self {
        Recorder { file, left: most, dropped: 0 }
    }

    /// Records an event. Each is written at once, because the next one may not come.
    pub(crate) fn add(&mut self, event: &RawTraceEvent) {
        // A library must not set the mark.
        if event.kind == PREPARED {
            return;
        }
        if self.left == 0 {
            self.dropped += 1;
            return;
        }
        self.left -= 1;
        self.write(event);
    }

    /// Marks the end of the preparation.
    pub(crate) fn mark(&mut self) {
        self.write(&RawTraceEvent::new(PREPARED));
    }

    /// Number of events that were not written.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    fn write(&mut self, event: &RawTraceEvent) {
        let kind = u64::from(event.kind.0) | u64::from(event.table) << 32;
        let bytes = [kind, event.index, event.value, event.amount].map(u64::to_le_bytes);
        if self.file.write_all(bytes.as_flattened()).is_err() {
            (self.left, self.dropped) = (0, self.dropped + 1);
        }
    }
}

/// The size of the events in a file, as far as [`read`] reads them.
pub(crate) fn size(file: &File, most: u64) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.len().min(room(most)))
}

/// Bytes of this number of events and the mark.
fn room(most: u64) -> u64 {
    most.saturating_add(1).saturating_mul(SIZE as u64)
}

/// The events in a file, those of the preparation and those of the search: `most` at most, whatever a library has written
/// there.
///
/// # Errors
/// If the file can't be read.
pub(crate) fn read(file: &mut File, most: u64) -> io::Result<[Vec<RawTraceEvent>; 2]> {
    let mut bytes = Vec::new();
    file.rewind()?;
    Read::by_ref(file).take(room(most)).read_to_end(&mut bytes)?;
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
    let mut preparation: Vec<RawTraceEvent> = events.collect();
    let prepared = preparation.iter().position(|event| event.kind == PREPARED).unwrap_or(preparation.len());
    let search = preparation.split_off(prepared).into_iter().skip(1).collect();
    Ok([preparation, search])
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
        recorder.add(&event(0));
        recorder.add(&RawTraceEvent::new(PREPARED));
        recorder.mark();
        (1..5).for_each(|index| recorder.add(&event(index)));
        assert_eq!(recorder.dropped(), 3);
        assert_eq!([2, 0].map(|most| size(&file, most)), [3 * SIZE as u64, SIZE as u64]);
        assert_eq!(read(&mut file, 2).unwrap(), [vec![event(0)], vec![event(1)]]);
        assert_eq!(read(&mut file, 0).unwrap(), [vec![event(0)], vec![]]);
    }
}
