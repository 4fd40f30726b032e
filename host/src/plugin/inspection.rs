//! The first load of a library happens in a child: its constructors run before anything about it can be checked.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use rustix::process::Signal;

use super::contents::Contents;
use super::failure::{LoadFailure, Stage};
use super::load::load;
use crate::error::Result;
use crate::process::{self, End, Records};

/// The hidden subcommand that [`serve`] answers.
pub const COMMAND: &str = "__inspect";

const SIGKILL: i32 = Signal::KILL.as_raw();

/// What came of a library.
pub type Outcome = Result<Contents, LoadFailure>;

/// Loads libraries in a child process and says what they bring, in their order.
///
/// # Errors
/// If no child can be started; what is wrong with a library is part of the answer.
pub fn inspect(files: &[PathBuf]) -> Result<Vec<Outcome>> {
    let outcomes = process::each::<Outcome>(&[OsStr::new(COMMAND)], files)?;
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
        End::Exited(_) | End::Killed(_) | End::Garbled => failure,
    }
}

/// The child's side of an inspection: loads the libraries here, and writes a record of each.
///
/// # Errors
/// If the parent is gone.
pub fn serve(files: &[PathBuf]) -> io::Result<()> {
    let mut records = Records::open()?;
    for file in files {
        let outcome: Outcome = load(file).map(|catalogue| Contents::of(&catalogue));
        records.write(&outcome)?;
    }
    Ok(())
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
