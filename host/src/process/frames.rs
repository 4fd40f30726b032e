//! What host and children say to each other: frames of a length and a message, over a socket.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Longer frames are no message of ours.
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
/// If the connection breaks, or the message is none.
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
    postcard::from_bytes(&frame).map(Some).map_err(io::Error::other)
}

/// Puts messages together from pieces, as they arrive.
#[derive(Debug, Default)]
pub struct Assembler {
    bytes: Vec<u8>,
}

impl Assembler {
    /// Adds what has arrived.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    /// The next message, if it is complete.
    ///
    /// # Errors
    /// If it is none.
    pub fn take<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
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
        }
    }
}
