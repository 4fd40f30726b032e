//! Numbered requests: an answer counts only if it repeats the number of its request.
//!
//! A library shares a process with the child's end of the connection, so its constructor can write there. A
//! well-formed frame from a library would otherwise count as the answer to the request in progress, and every
//! later answer would count for the request after its own.

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use assay_base::error::Result;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::child_guard::readable;
use super::frames::{Assembler, receive, send};
use super::passed_files::send_files;
use super::stopwatch::{LOOK_EVERY, Stopwatch};

/// A request or an answer, with the number of the request.
#[derive(Debug, Serialize, Deserialize)]
struct Numbered<T> {
    number: u64,
    content: T,
}

/// What a child answers.
#[derive(Debug)]
pub enum ChildAnswer<T> {
    /// What was asked for.
    Record(T),
    /// Bytes that are no answer to the request.
    Nonsense,
    /// No answer: the child is gone, or has used up its time.
    None {
        /// The rest of that time.
        left: Duration,
    },
}

/// The host's end of a connection to a child.
#[derive(Debug)]
pub struct Requests {
    connection: UnixStream,
    messages: Assembler,
    number: u64,
}

impl Requests {
    /// A connection on which no request was made yet.
    pub fn new(connection: UnixStream) -> Self {
        Requests { connection, messages: Assembler::default(), number: 0 }
    }

    /// Sends a request. The numbers are random, so that a library can't guess the next one.
    ///
    /// # Errors
    /// If the child is gone.
    pub fn send(&mut self, content: &impl Serialize) -> io::Result<()> {
        self.number = random_number();
        send(&self.connection, &Numbered { number: self.number, content })
    }

    /// Sends a request, and files after it that the child expects.
    ///
    /// # Errors
    /// If the child is gone.
    pub(crate) fn send_with<'a>(
        &mut self,
        content: &impl Serialize,
        files: impl IntoIterator<Item = &'a File>,
    ) -> io::Result<()> {
        self.send(content)?;
        send_files(&self.connection, files)
    }

    /// Waits for the next answer to the last request, until the stopwatch shows `patience`.
    ///
    /// # Errors
    /// What `look` returns. It is called every [`LOOK_EVERY`], and can end the waiting.
    pub(crate) fn hear<T: DeserializeOwned>(
        &mut self,
        waited: &mut Stopwatch,
        patience: Duration,
        mut look: impl FnMut() -> Result<()>,
    ) -> Result<ChildAnswer<T>> {
        let mut piece = [0; 1 << 16];
        loop {
            match self.messages.take::<Numbered<T>>() {
                Ok(Some(answer)) if answer.number == self.number => {
                    return Ok(ChildAnswer::Record(answer.content));
                }
                Ok(None) => {}
                Ok(Some(_)) | Err(_) => return Ok(ChildAnswer::Nonsense),
            }
            look()?;
            // After the time is up, what has arrived meanwhile still counts: a busy host must not blame the
            // child.
            let arrived = readable(&self.connection, LOOK_EVERY);
            let left = patience.saturating_sub(waited.look());
            if !arrived && left.is_zero() {
                return Ok(ChildAnswer::None { left });
            }
            if arrived {
                match self.connection.read(&mut piece) {
                    Ok(length @ 1..) => self.messages.push(&piece[..length]),
                    Ok(0) | Err(_) => return Ok(ChildAnswer::None { left }),
                }
            }
        }
    }

    /// As [`hear`](Requests::hear), for a request that has one answer: bytes that follow it are nonsense.
    ///
    /// # Errors
    /// What `look` returns.
    pub fn hear_last<T: DeserializeOwned>(
        &mut self,
        waited: &mut Stopwatch,
        patience: Duration,
        look: impl FnMut() -> Result<()>,
    ) -> Result<ChildAnswer<T>> {
        let answer = self.hear(waited, patience, look)?;
        let is_last = self.messages.is_empty();
        Ok(if is_last || !matches!(answer, ChildAnswer::Record(_)) { answer } else { ChildAnswer::Nonsense })
    }
}

/// A number that can't be predicted: the keys of the standard library's hash maps are drawn from the system's
/// randomness.
fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A request that a child has received.
#[derive(Debug)]
pub(crate) struct Incoming<'h, T> {
    host: &'h UnixStream,
    number: u64,
    /// What is asked.
    pub content: T,
}

/// Waits for the host's next request. `None` if the host has no more.
///
/// # Errors
/// If the connection breaks.
pub(crate) fn next_request<T: DeserializeOwned>(host: &UnixStream) -> io::Result<Option<Incoming<'_, T>>> {
    let request = receive::<Numbered<T>>(host)?;
    Ok(request.map(|Numbered { number, content }| Incoming { host, number, content }))
}

impl<T> Incoming<'_, T> {
    /// Sends an answer to this request.
    ///
    /// # Errors
    /// If the host is gone.
    pub(crate) fn answer(&self, content: &impl Serialize) -> io::Result<()> {
        send(self.host, &Numbered { number: self.number, content })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// What the host hears after a child has received a request and has written with `write`.
    fn heard(write: impl FnOnce(&UnixStream, Incoming<'_, String>)) -> ChildAnswer<u8> {
        let (host, child) = UnixStream::pair().unwrap();
        let mut requests = Requests::new(host);
        requests.send(&"question").unwrap();
        write(&child, next_request(&child).unwrap().unwrap());
        let patience = Duration::from_secs(60);
        requests.hear_last(&mut Stopwatch::start(), patience, || Ok(())).unwrap()
    }

    #[test]
    fn an_answer_repeats_the_number_of_its_request_and_is_alone() {
        let answered = heard(|_, request| request.answer(&7_u8).unwrap());
        assert!(matches!(answered, ChildAnswer::Record(7)), "{answered:?}");
        let forged = heard(|child, request| {
            send(child, &Numbered { number: request.number ^ 1, content: 7_u8 }).unwrap();
            request.answer(&7_u8).unwrap();
        });
        assert!(matches!(forged, ChildAnswer::Nonsense), "{forged:?}");
        let followed = heard(|child, request| {
            let mut both = Vec::new();
            send(&mut both, &Numbered { number: request.number, content: 7_u8 }).unwrap();
            both.push(0);
            (&*child).write_all(&both).unwrap();
        });
        assert!(matches!(followed, ChildAnswer::Nonsense), "{followed:?}");
    }
}
