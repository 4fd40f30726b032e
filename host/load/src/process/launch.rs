//! A child that another program starts, which sees what it does: a simulator that counts.
//!
//! The innermost child becomes that program, which starts this one anew; those that stand between stay what
//! they are.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;

use assay_plugin_api::Launcher;
use rustix::process::{getpid, getppid};
use serde::{Deserialize, Serialize};

use super::aftermath::is_child_of;

/// The hidden first argument with which this program is started by another.
pub const LAUNCHED: &str = "__launched";

/// How many times as long a child may take under another program, such as a simulator.
pub const SLOWER: u32 = 100;

/// How a child is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The command before the program.
    command: Vec<String>,
    environment: Vec<(String, String)>,
    program: String,
}

impl Launch {
    /// By a launcher; none if that does nothing.
    pub fn by(Launcher { command, environment }: Launcher) -> Self {
        Launch { command, environment, program: this_program() }
    }

    /// The command before the program.
    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// Becomes the program, with the connection to the host for its standard input. Returns only if that
    /// fails.
    pub fn replace(self, connection: UnixStream) -> io::Error {
        let mut words = self.command.iter().map(String::as_str).chain([&*self.program, LAUNCHED]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).envs(self.environment).stdin(OwnedFd::from(connection)).exec()
    }
}

/// A path to this very program, even if its file was replaced meanwhile, for as long as it runs.
pub fn this_program() -> String {
    format!("/proc/{}/exe", getpid())
}

/// The connection of a child that was started so.
///
/// # Errors
/// If it was not.
pub fn connection() -> io::Result<UnixStream> {
    let connection = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    if connection.peer_addr().is_err() {
        return Err(io::Error::other("only assay itself starts children"));
    }
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    if let Some(stand_in) = getppid() {
        is_child_of(stand_in);
    }
    Ok(connection)
}
