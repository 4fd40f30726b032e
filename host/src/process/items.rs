//! Work item by item: the host sends an item, the child answers with a record.
//!
//! What the host has no record of did not happen, whatever the child's exit status says. The item at which a child ends is
//! to blame only if it was the first that this child worked on: otherwise an earlier one may have left a mess behind, and
//! it gets a child of its own.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::aftermath::{end_with_parent, uncopied};
use super::end::End;
use super::frames::{Assembler, receive, send};
use super::guard::{Guard, not_started, readable};
use super::stopwatch::{LOOK_EVERY, Stopwatch};
use super::tasks::Task;
use crate::error::{Error, Result};

/// Names the milliseconds that a child may work on one item before it counts as hanging.
const PATIENCE_VARIABLE: &str = "ASSAY_PATIENCE_MS";
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a child may work on one item: of `ASSAY_PATIENCE_MS`, for machines that are slow and tests in a hurry, or
/// else some seconds.
///
/// # Errors
/// If the variable holds something else.
pub fn patience() -> Result<Duration> {
    let Some(given) = std::env::var_os(PATIENCE_VARIABLE).filter(|given| !given.is_empty()) else {
        return Ok(PATIENCE);
    };
    let number = given.to_str().and_then(|given| given.parse().ok()).filter(|&ms: &u32| ms > 0);
    number.map(|ms| Duration::from_millis(ms.into())).ok_or_else(|| {
        Error::new(format!("{PATIENCE_VARIABLE} is `{}`", given.display()))
            .remedy("set it to a number of milliseconds, or not at all")
    })
}

/// Lets children do a task with each item, in as many of them as that takes. `look` is told the index of the item in work,
/// just before a child gets it and every now and then until its record has come, and may end all.
///
/// # Errors
/// If no child can be started; what `look` says.
pub fn each<T: DeserializeOwned>(
    task: &Task,
    items: &[impl Serialize],
    mut look: impl FnMut(usize) -> Result<()>,
) -> Result<Vec<Result<T, End>>> {
    let patience = patience()? * task.slower();
    // Before a child waits for one that can't be sent.
    let packed = items.iter().map(postcard::to_stdvec).collect::<Result<Vec<_>, _>>();
    let items = packed.map_err(|error| Error::new(error.to_string()))?;
    let mut outcomes = Vec::with_capacity(items.len());
    while outcomes.len() < items.len() {
        let (mut child, connection) =
            Guard::start(task, Stdio::null()).map_err(|error| not_started(&error))?;
        for first in std::iter::once(true).chain(std::iter::repeat(false)).take(items.len() - outcomes.len())
        {
            let item = outcomes.len();
            match ask(&connection, &items[item], patience, || look(item))? {
                Answer::Record(record) => outcomes.push(Ok(record)),
                _ if !first => break,
                Answer::Nonsense => {
                    outcomes.push(Err(End::Garbled));
                    break;
                }
                // It may end without closing its side, if it leaves a child of its own behind, and close it without ending.
                Answer::None { left } => {
                    outcomes.push(Err(child.end_within(left).unwrap_or(End::Hung(patience))));
                    break;
                }
            }
        }
    }
    Ok(outcomes)
}

/// What a child answers.
#[derive(Debug)]
pub enum Answer<T> {
    /// What was asked for.
    Record(T),
    /// Something that can't be understood.
    Nonsense,
    /// Nothing: it is gone, or it has used up its time.
    None {
        /// What is left of that.
        left: Duration,
    },
}

/// Sends an item, and awaits its record for some time.
fn ask<T: DeserializeOwned>(
    connection: &UnixStream,
    item: &[u8],
    patience: Duration,
    mut look: impl FnMut() -> Result<()>,
) -> Result<Answer<T>> {
    look()?;
    // A child that has ended already shows below.
    let _ = send(connection, &item);
    hear(connection, &mut Assembler::default(), &mut Stopwatch::start(), patience, look)
}

/// Awaits a message until the stopwatch has counted as much as the patience.
///
/// # Errors
/// What `look` says, which is asked every now and then.
pub fn hear<T: DeserializeOwned>(
    mut connection: &UnixStream,
    messages: &mut Assembler,
    waited: &mut Stopwatch,
    patience: Duration,
    mut look: impl FnMut() -> Result<()>,
) -> Result<Answer<T>> {
    let mut piece = [0; 1 << 16];
    loop {
        match messages.take() {
            Ok(Some(record)) => return Ok(Answer::Record(record)),
            Ok(None) => {}
            Err(_) => return Ok(Answer::Nonsense),
        }
        look()?;
        let arrived = readable(connection, LOOK_EVERY);
        let left = patience.saturating_sub(waited.look());
        if !arrived && left.is_zero() {
            return Ok(Answer::None { left });
        }
        if arrived {
            match connection.read(&mut piece) {
                Ok(length @ 1..) => messages.push(&piece[..length]),
                Ok(0) | Err(_) => return Ok(Answer::None { left }),
            }
        }
    }
}

/// The child's side of [`each`]: answers items until the host has no more.
///
/// # Errors
/// If the host is gone.
pub fn answer<I: DeserializeOwned, T: Serialize>(
    host: &UnixStream,
    mut work: impl FnMut(I) -> T,
) -> io::Result<()> {
    while let Some(item) = receive::<Vec<u8>>(host)? {
        let item = postcard::from_bytes(&item).map_err(io::Error::other)?;
        let record = uncopied(|| work(item));
        end_with_parent();
        send(host, &record)?;
    }
    Ok(())
}
