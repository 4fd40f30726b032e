//! Calls of external programs: by name, with arguments, without a shell, and with a limit of their time.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assay_base::error::{Error, Result, reason};
use assay_base::io::console::counted;
use assay_load::plugin::printable;
use rustix::process::{Pid, Signal, kill_process_group};

/// How often a program is asked whether it has ended. Programs of batch systems take some 10 ms.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProgramOutput {
    /// Whether it ended with status 0.
    pub(crate) success: bool,
    /// Whether a signal ended it, so that nobody knows what it did before.
    pub(crate) killed: bool,
    /// What it printed.
    pub(crate) stdout: String,
    /// What it printed to standard error.
    pub(crate) stderr: String,
}

impl ProgramOutput {
    /// The output of a program that succeeded.
    ///
    /// # Errors
    /// If it failed, with its own words.
    pub(crate) fn checked(self, name: &str) -> Result<String> {
        if self.success { Ok(self.stdout) } else { Err(self.failure(name)) }
    }

    /// The error that a program failed, with its own words.
    pub(crate) fn failure(&self, name: &str) -> Error {
        let words = if self.stderr.trim().is_empty() { &self.stdout } else { &self.stderr };
        let words = beginning(words);
        let words = if words.is_empty() { "it printed nothing" } else { &words };
        Error::new(format!("`{name}` failed: {words}")).remedy(
            "correct the cause, and run the same command again; `assay campaign status DIR` shows what is submitted",
        )
    }
}

/// How many lines of a program a message quotes, and how many characters of each. Programs of Slurm say in
/// one or two lines what is wrong; a wrapper of a cluster may print pages.
const QUOTED: (usize, usize) = (4, 200);

/// The beginning of what a program printed, for a message.
pub(crate) fn beginning(printed: &str) -> String {
    let (most_lines, most_letters) = QUOTED;
    let shortened = |line: &str| match line.char_indices().nth(most_letters) {
        Some((end, _)) => format!("{}..", printable::line(&line[..end])),
        None => printable::line(line),
    };
    let mut lines = printed.trim().lines();
    let mut quoted: Vec<String> = lines.by_ref().take(most_lines).map(shortened).collect();
    let more = lines.count();
    if more > 0 {
        quoted.push(format!(".. and {}", counted(more, "more line")));
    }
    quoted.join("\n")
}

/// Beginnings of the names of variables by which programs of Slurm take options. They would limit what is
/// listed or cancelled, for example to a partition, so tasks that run would be submitted again.
const OPTIONS_OF_LISTINGS: [&str; 4] = ["SQUEUE_", "SACCT_", "SCANCEL_", "SCONTROL_"];

/// Variables that programs of Slurm must not see either: those that name other clusters, make `sbatch` wait
/// until its job ends, or send what jobs print somewhere else. The other `SBATCH_` variables are options that
/// the user may want, or options of the command replace them.
const OPTIONS_OF_SUBMISSIONS: [&str; 4] =
    ["SLURM_CLUSTERS", "SBATCH_CLUSTERS", "SBATCH_WAIT", "SBATCH_ERROR"];

/// Calls a program and waits for its end; `None` if there is no such program.
///
/// # Errors
/// If it can't be started, or does not end in this time. It is killed then, with what it has started.
pub(crate) fn call(
    name: &str,
    arguments: &[impl AsRef<OsStr>],
    most: Duration,
) -> Result<Option<ProgramOutput>> {
    let mut command = Command::new(name);
    command.args(arguments);
    env::vars_os().map(|(name, _)| name).filter(|name| is_option(name)).for_each(|name| {
        command.env_remove(name);
    });
    output_of(command, most).map_err(|error| {
        Error::new(format!("can't call `{name}`: {}", reason(&error)))
            .remedy(format!("see whether `{name} --version` works here"))
    })
}

/// Whether a variable of this name is an option of a program of Slurm that the user did not mean for us.
fn is_option(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        OPTIONS_OF_LISTINGS.iter().any(|prefix| name.starts_with(prefix))
            || OPTIONS_OF_SUBMISSIONS.contains(&name)
    })
}

/// What a command did in this time; `None` if there is no such program.
fn output_of(mut command: Command, most: Duration) -> io::Result<Option<ProgramOutput>> {
    // Files instead of pipes: a program that prints much then never waits for a reader.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    // A process group of its own, because the program may be a script that starts others. Ctrl-C does not
    // reach it, so an `sbatch` is not ended in the middle of its request.
    let mut child = match command.process_group(0).spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let status = end_of(&mut child, most)?;
    let (stdout, stderr) = (text(&mut stdout)?, text(&mut stderr)?);
    Ok(Some(ProgramOutput { success: status.success(), killed: status.code().is_none(), stdout, stderr }))
}

/// Waits for the end of a program. If it does not come in this time, its process group is killed.
fn end_of(child: &mut Child, most: Duration) -> io::Result<ExitStatus> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if begun.elapsed() > most {
            kill_process_group(Pid::from_child(child), Signal::KILL)?;
            child.wait()?;
            return Err(io::Error::other(format!("it did not end in {} s", most.as_secs())));
        }
        sleep(LOOK_EVERY);
    }
}

/// What a program has written into a file.
fn text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The error that a program is missing that must be there.
pub(crate) fn missing(name: &str) -> Error {
    Error::new(format!("there is no program `{name}` here")).remedy(
        "call this on a machine from which Slurm jobs are submitted, or use --on local or --on script",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_program_gets_its_arguments_as_they_are() {
        let output = call("printf", &["%s|", "a b", "$HOME", "it's"], 60 * SECOND).unwrap().unwrap();
        assert_eq!(output.stdout, "a b|$HOME|it's|");
        assert!(output.success);
    }

    #[test]
    fn a_message_quotes_a_few_lines_of_what_a_program_printed() {
        assert_eq!(beginning(" a\n\x1b[31mb\n"), "a\nb");
        let long: String = (0..1000).map(|line| format!("{line}{}\n", "x".repeat(5000))).collect();
        let quoted = beginning(&long);
        assert!(quoted.len() < 1000 && quoted.ends_with("..\n.. and 996 more lines"), "{quoted}");
    }

    #[test]
    fn what_is_missing_fails_or_hangs_is_told_apart() {
        assert_eq!(call("assay-no-such-program", &[""; 0], SECOND).unwrap(), None);
        let failed = call("sh", &["-c", "echo no >&2; exit 3"], 60 * SECOND).unwrap().unwrap();
        assert_eq!(failed.checked("sh").unwrap_err().message(), "`sh` failed: no");
        let error = call("sleep", &["60"], Duration::from_millis(20)).unwrap_err();
        assert!(error.message().starts_with("can't call `sleep`: it did not end in "), "{error}");
    }

    #[test]
    fn what_a_program_has_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let held = folder.path().join("held");
        // The child holds the lock of the file as long as it lives.
        let lock = assay_store::FileLock::take(&held).unwrap().unwrap();
        lock.share_with_children().unwrap();
        let error = call("sh", &["-c", "sleep 600 & wait"], Duration::from_millis(200)).unwrap_err();
        assert!(error.message().contains("it did not end in "), "{error}");
        drop(lock);
        let begun = Instant::now();
        while assay_store::FileLock::is_held(&held) {
            assert!(begun.elapsed() < 60 * SECOND, "`sleep` goes on");
            sleep(LOOK_EVERY);
        }
    }

    #[test]
    fn options_that_variables_give_to_programs_of_slurm_are_left_out() {
        for name in [
            "SQUEUE_PARTITION",
            "SQUEUE_FORMAT2",
            "SACCT_LOCAL",
            "SCANCEL_STATE",
            "SLURM_CLUSTERS",
            "SBATCH_WAIT",
        ] {
            assert!(is_option(OsStr::new(name)), "{name}");
        }
        for name in
            ["SBATCH_PARTITION", "SBATCH_ACCOUNT", "SLURM_CONF", "SLURM_JOB_ID", "PATH", "ASSAY_TRUST"]
        {
            assert!(!is_option(OsStr::new(name)), "{name}");
        }
    }
}
