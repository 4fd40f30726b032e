//! Messages between host and children: frames over a socket, each the length of a message and then the
//! message.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Greatest length of a frame, in bytes. Our longest messages, a batch of rows or the list of columns of a
/// merge, have a few MiB. A greater length comes from a child with damaged memory, and the host must not
/// reserve that much.
const LONGEST: usize = 256 << 20;

/// Writes a message.
///
/// # Errors
/// If the other side is gone.
pub fn send(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    frame = postcard::to_extend(message, frame).map_err(io::Error::other)?;
    let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    to.write_all(&frame)
}

/// Waits for a message. `None` at the end of the stream.
///
/// # Errors
/// If the connection breaks, or the frame does not hold a `T` and nothing else.
pub fn receive<T: DeserializeOwned>(mut from: impl Read) -> io::Result<Option<T>> {
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
    decode(&frame).map(Some)
}

/// Reads the message of a frame. Bytes that are left over mean that another type was written.
fn decode<T: DeserializeOwned>(frame: &[u8]) -> io::Result<T> {
    let (message, rest) = postcard::take_from_bytes(frame).map_err(io::Error::other)?;
    if rest.is_empty() {
        Ok(message)
    } else {
        Err(io::Error::other("a frame that is longer than its message"))
    }
}

/// Assembles messages from pieces, as they arrive.
#[derive(Debug, Default)]
pub struct Assembler {
    bytes: Vec<u8>,
}

impl Assembler {
    /// Appends a piece that has arrived.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    /// Whether every byte that has arrived belonged to a message that was taken.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes the next message, if it is complete.
    ///
    /// # Errors
    /// If the frame does not hold a `T` and nothing else.
    pub fn take<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some(length) = self.bytes.first_chunk::<4>() else { return Ok(None) };
        let end = 4 + u32::from_le_bytes(*length) as usize;
        if end > LONGEST {
            return Err(io::Error::other("a frame that is too long"));
        }
        if self.bytes.len() < end {
            return Ok(None);
        }
        let message = decode(&self.bytes[4..end])?;
        self.bytes.drain(..end);
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_any_cut() {
        let messages = [Some("three"), None, Some("")].map(|message| message.map(str::to_owned));
        let mut stream = Vec::new();
        for message in &messages {
            send(&mut stream, message).unwrap();
        }
        let mut whole = stream.as_slice();
        for message in &messages {
            assert_eq!(receive::<Option<String>>(&mut whole).unwrap().as_ref(), Some(message));
        }
        assert_eq!(receive::<Option<String>>(&mut whole).unwrap(), None);
        for cut in 1..stream.len() {
            let (mut assembler, mut got) = (Assembler::default(), Vec::new());
            for piece in stream.chunks(cut) {
                assembler.push(piece);
                while let Some(message) = assembler.take::<Option<String>>().unwrap() {
                    got.push(message);
                }
            }
            assert_eq!(got, messages, "in pieces of {cut}");
            assert!(assembler.is_empty());
        }
    }

    #[test]
    fn a_frame_that_is_longer_than_its_message_is_refused() {
        let mut stream = Vec::new();
        send(&mut stream, &(1_u8, 2_u8)).unwrap();
        assert!(receive::<u8>(stream.as_slice()).is_err());
        let mut assembler = Assembler::default();
        assembler.push(&stream);
        assert!(assembler.take::<u8>().is_err());
    }
}
