//! The first load of a library happens in a child process: its constructors run before anything about it can
//! be checked.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

use assay_base::error::Result;
use rustix::process::Signal;

use super::contents::Contents;
use super::failure::{LoadFailure, Stage};
use super::validation;
use super::verified_library::InspectedLibrary;
use crate::process::{self, ChildEnd, Permissions, Task};

const SIGKILL: i32 = Signal::KILL.as_raw();

/// What a library brings, or why it can't be used.
pub(crate) type Inspection = Result<Contents, LoadFailure>;

/// Loads a library in a child process of its own, because a library can change what the process says about
/// the next one. `look` is called before the library is loaded and every now and then, and may end the
/// inspection.
///
/// # Errors
/// If no child can be started; what `look` returns. What is wrong with the library is part of the outcome.
pub(super) fn inspect(
    library: &InspectedLibrary,
    mut look: impl FnMut() -> Result<()>,
) -> Result<Inspection> {
    let permissions = Permissions::to_load([library.path.clone()]);
    let mut outcomes =
        process::run_items::<Inspection>(&Task::Inspect, &permissions, &[library], |_| look())?;
    let outcome = outcomes.pop().expect("one outcome for one item");
    let outcome = outcome.unwrap_or_else(|end| Err(fatal(&library.path, end)));
    Ok(checked(&library.path, outcome))
}

/// Refuses a description that the library must have made itself: code of the library shares the process of
/// the child, so it can answer in the child's place.
pub(super) fn checked(file: &Path, outcome: Inspection) -> Inspection {
    outcome.and_then(|contents| {
        if validation::is_sound(&contents) { Ok(contents) } else { Err(fatal(file, ChildEnd::Garbled)) }
    })
}

fn fatal(file: &Path, end: ChildEnd) -> LoadFailure {
    let failure = LoadFailure::new(
        file,
        Stage::Load,
        format!("loading it {end}"),
        "a library that does nothing harmful while it is loaded",
        "move it out of the plugin folder, or repair its constructors; `assay plugins check` tries it again",
    );
    match end {
        // The machine may have been busy (a hang), or short of memory (SIGKILL).
        ChildEnd::Hung(_) | ChildEnd::Killed(SIGKILL) => failure.passing(),
        ChildEnd::Exited(_)
        | ChildEnd::Killed(_)
        | ChildEnd::ForbiddenCall(_)
        | ChildEnd::KilledItsParent
        | ChildEnd::Garbled => failure,
    }
}

/// The child's side of an inspection: loads the library here, if it still has the content that the host
/// hashed, so that the outcome is that of the hash.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer_items(host, |library: InspectedLibrary| -> Inspection {
        let verified = library
            .verify_in_sandbox()
            .map_err(|found| LoadFailure::of_unsteady_file(&library.path, found))?;
        verified.try_load().map(|catalogue| Contents::new(&catalogue))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_a_busy_machine_may_cause_passes() {
        let passing = |end| fatal(Path::new("/a.so"), end).passing;
        assert!(passing(ChildEnd::Hung(Duration::from_secs(5))) && passing(ChildEnd::Killed(SIGKILL)));
        assert!(!passing(ChildEnd::Killed(Signal::SEGV.as_raw())) && !passing(ChildEnd::Exited(0)));
    }
}
