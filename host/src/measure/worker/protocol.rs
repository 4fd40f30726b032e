//! What host and worker say to each other: frames of a length and a message, over one socket.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Batch;
use super::shared::TextPlace;
use crate::results::{Ended, Row};

/// What a worker needs to know before it measures: the first message that it gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The library of the algorithm.
    pub library: PathBuf,
    /// Id of the algorithm.
    pub algorithm: String,
    /// The counters to read around each phase.
    pub counters: Vec<CounterSetup>,
    /// Where the text is.
    pub text: TextPlace,
    /// The CPU to run on, if it matters.
    pub cpu: Option<usize>,
}

/// Events of one backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterSetup {
    /// The library of the backend.
    pub library: PathBuf,
    /// Id of the backend.
    pub backend: String,
    /// The events, and whether each is a level rather than something that grows.
    pub events: Vec<(String, bool)>,
}

/// From the host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum ToWorker {
    /// Once, at first: with the path of the watch page.
    Setup(Box<Setup>, PathBuf),
    /// Measure this.
    Batch(Batch),
}

/// From the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum ToHost {
    /// Set up.
    Ready,
    /// Measured repetitions, in order; there may be more of the batch to come.
    Rows(Vec<Row>),
    /// The batch is complete: the closing record.
    Done,
    /// The batch, or the setup, ends here, and why.
    Ended(Ended),
}

/// Longer frames are no message of ours.
const LONGEST: usize = 256 << 20;

/// Writes a message.
pub(super) fn send(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    frame = postcard::to_extend(message, frame).map_err(io::Error::other)?;
    let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    to.write_all(&frame)
}

/// Waits for a message. `None` at the end of the stream.
pub(super) fn receive<T: DeserializeOwned>(mut from: impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::Error::other("a frame that is too long"));
    }
    let mut frame = vec![0; length];
    from.read_exact(&mut frame)?;
    postcard::from_bytes(&frame).map(Some).map_err(io::Error::other)
}

/// Puts messages together from pieces, as they arrive.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    bytes: Vec<u8>,
}

impl Assembler {
    /// Adds what has arrived.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    /// The next message, if it is complete.
    pub fn next<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some(length) = self.bytes.first_chunk::<4>() else { return Ok(None) };
        let end = 4 + u32::from_le_bytes(*length) as usize;
        if end > LONGEST {
            return Err(io::Error::other("a frame that is too long"));
        }
        if self.bytes.len() < end {
            return Ok(None);
        }
        let message = postcard::from_bytes(&self.bytes[4..end]).map_err(io::Error::other)?;
        self.bytes.drain(..end);
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_any_cut() {
        let messages = [
            ToHost::Rows(vec![Row { occurrences: 5, ..Row::default() }]),
            ToHost::Ended(Ended::Error("no".into())),
            ToHost::Done,
        ];
        let mut stream = Vec::new();
        for message in &messages {
            send(&mut stream, message).unwrap();
        }
        let mut whole = stream.as_slice();
        for message in &messages {
            assert_eq!(receive::<ToHost>(&mut whole).unwrap().as_ref(), Some(message));
        }
        assert_eq!(receive::<ToHost>(&mut whole).unwrap(), None);
        for cut in 1..stream.len() {
            let (mut assembler, mut got) = (Assembler::default(), Vec::new());
            for piece in stream.chunks(cut) {
                assembler.push(piece);
                while let Some(message) = assembler.next::<ToHost>().unwrap() {
                    got.push(message);
                }
            }
            assert_eq!(got, messages, "in pieces of {cut}");
        }
    }
}
