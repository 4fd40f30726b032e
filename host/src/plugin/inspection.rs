//! The first load of a library happens in a child: its constructors run before anything about it can be checked.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::process::Signal;

use super::contents::Contents;
use super::failure::{LoadFailure, Stage};
use super::load::load;
use crate::error::Result;
use crate::process::{self, End, Task};

const SIGKILL: i32 = Signal::KILL.as_raw();

/// What came of a library.
pub type Outcome = Result<Contents, LoadFailure>;

/// Loads libraries in a child process and says what they bring, in their order. `look` is told the index of
/// the one in work, just before it is loaded and every now and then, and may end all.
///
/// # Errors
/// If no child can be started; what `look` says; what is wrong with a library is part of the answer.
pub fn inspect(files: &[PathBuf], look: impl FnMut(usize) -> Result<()>) -> Result<Vec<Outcome>> {
    let items: Vec<&[u8]> = files.iter().map(|file| file.as_os_str().as_bytes()).collect();
    let outcomes = process::each::<Outcome>(&Task::Inspect, &items, look)?;
    let paired = files.iter().zip(outcomes);
    Ok(paired.map(|(file, outcome)| outcome.unwrap_or_else(|end| Err(fatal(file, end)))).collect())
}

fn fatal(file: &Path, end: End) -> LoadFailure {
    let failure = LoadFailure::new(
        file,
        Stage::Load,
        format!("loading it {end}"),
        "a library that does nothing harmful while it is loaded",
        "move it out of the plugin folder, or repair its constructors; `assay plugins check` tries it again",
    );
    match end {
        // The machine may have been busy, or short of memory.
        End::Hung(_) | End::Killed(SIGKILL) => failure.passing(),
        End::Exited(_) | End::Killed(_) | End::KilledItsParent | End::Garbled => failure,
    }
}

/// The child's side of an inspection: loads the libraries here.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer(host, |file: Vec<u8>| -> Outcome {
        load(Path::new(OsStr::from_bytes(&file))).map(|catalogue| Contents::of(&catalogue))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_a_busy_machine_may_cause_passes() {
        let passing = |end| fatal(Path::new("/a.so"), end).passing;
        assert!(passing(End::Hung(Duration::from_secs(5))) && passing(End::Killed(SIGKILL)));
        assert!(!passing(End::Killed(Signal::SEGV.as_raw())) && !passing(End::Exited(0)));
    }
}
