//! DuckDB, an installed program that sorts files on disk.

use std::env;
use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{available_parallelism, sleep};
use std::time::Duration;

use assay_base::error::{Error, Result, reason};
use rustix::process::{Pid, Signal, kill_process_group};

/// Name of the program.
const PROGRAM: &str = "duckdb";
/// Share of the memory that DuckDB may use for its buffers. What it holds besides them, it does not count:
/// with two threads 200 MiB, and 120 MiB with one.
const SHARE_OF_BUFFERS: f64 = 0.6;
/// Memory for each thread: with less, the sort of a thread is cut into parts too small to be merged well.
const OF_THREAD: usize = 512 << 20;
/// Least memory with which it was tried.
const LEAST: usize = 256 << 20;
/// How often it is asked whether it has ended. A sort takes a tenth of a second at least.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The program, with the memory that it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuckDb {
    program: PathBuf,
    memory: usize,
}

impl DuckDb {
    /// Looks for the program in `PATH`, and tries whether it can be started.
    ///
    /// # Errors
    /// If it is not there or does not work, or if the memory is too little.
    pub fn find(memory: usize) -> Result<Self> {
        if memory < LEAST {
            return Err(Error::new(format!(
                "--memory-limit: {} MiB are too few for {PROGRAM}",
                memory >> 20
            ))
            .remedy(format!("give it {} MiB or more", LEAST >> 20)));
        }
        let folders = env::var_os("PATH").unwrap_or_default();
        // Its absolute path, because it is started in another folder than this one.
        let found =
            env::split_paths(&folders).filter_map(|folder| std::path::absolute(folder.join(PROGRAM)).ok());
        let program = found.into_iter().find(|path| path.is_file()).ok_or_else(|| {
            Error::new(format!("there is no program `{PROGRAM}` in the folders of PATH")).remedy(
                "install it (`pip install duckdb-cli`, or your system's package of DuckDB), or leave --engine out: then \
                 the tables must fit into memory",
            )
        })?;
        let version = Command::new(&program).arg("--version").stdin(Stdio::null()).output();
        match version {
            Ok(output) if output.status.success() => Ok(DuckDb { program, memory }),
            Ok(output) => Err(broken(&program, &String::from_utf8_lossy(&output.stderr))),
            Err(error) => Err(broken(&program, &reason(&error))),
        }
    }

    /// Sorts the lines of a file by the number at their beginning, then by the second, a whole number, which
    /// it leaves out. What follows is a text, and tabs are between the three. Both files are in `folder`.
    /// `goes_on` is asked from time to time.
    ///
    /// # Errors
    /// If the program fails, or is ended because `goes_on` says so.
    pub(super) fn sort(
        &self,
        folder: &Path,
        from: &str,
        to: &str,
        goes_on: &mut dyn FnMut() -> Result<()>,
    ) -> Result<()> {
        let failed = |error| Error::io("run", &self.program, &error);
        let mut words = tempfile::tempfile_in(folder).map_err(failed)?;
        let mut command = Command::new(&self.program);
        // Settings of the user are not read, because they may be about anything.
        command.args(["-batch", "-bail", "-init", "/dev/null", "-c", &self.statements(from, to)]);
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
        // A process group of its own, because Ctrl-C must reach this process only, and because `duckdb` may
        // be a script that starts the program.
        command.stderr(words.try_clone().map_err(failed)?).process_group(0);
        let mut running = Running(command.spawn().map_err(failed)?);
        let status = loop {
            if let Some(status) = running.0.try_wait().map_err(failed)? {
                break status;
            }
            goes_on()?;
            sleep(LOOK_EVERY);
        };
        if status.success() { Ok(()) } else { Err(self.failure(&mut words, folder, &status.to_string())) }
    }

    /// The statements that sort. The only names in them are ours, so nothing of the user needs quotes.
    fn statements(&self, from: &str, to: &str) -> String {
        let memory = (self.memory as f64 * SHARE_OF_BUFFERS) as usize >> 20;
        let threads = (self.memory / OF_THREAD).clamp(1, available_parallelism().map_or(1, usize::from));
        // The anchor is a text that only the order reads as a number, so that its digits stay as they are.
        format!(
            "SET memory_limit = '{memory}MiB';
             SET threads = {threads};
             SET temp_directory = 'spill';
             COPY (
                 SELECT anchor, cells
                 FROM read_csv('{from}', auto_detect = false, header = false, delim = '\\t', quote = '', escape = '',
                     columns = {{'anchor': 'VARCHAR', 'number': 'BIGINT', 'cells': 'VARCHAR'}})
                 ORDER BY anchor::DOUBLE, number
             ) TO '{to}' (FORMAT csv, HEADER false, DELIMITER '\\t', QUOTE '', ESCAPE '');"
        )
    }

    /// The error of a sort that failed, in the words of the program.
    fn failure(&self, words: &mut File, folder: &Path, status: &str) -> Error {
        let mut text = String::new();
        let _ = words.rewind().and_then(|()| words.read_to_string(&mut text));
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let text = if lines.is_empty() { status.to_owned() } else { lines.join(" ") };
        Error::new(format!("`{}` can't sort in `{}`: {text}", self.program.display(), folder.display())).remedy(
            "if the disk is full, free some space or name another folder with --temp; if memory is short, raise \
             --memory-limit",
        )
    }
}

/// The error that a program does not work.
fn broken(program: &Path, why: &str) -> Error {
    Error::new(format!("`{} --version` failed: {}", program.display(), why.trim()))
        .remedy("correct the cause, or put a DuckDB that works before it in PATH")
}

/// A program that ends when this value is dropped, with all that it has started.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if self.0.try_wait().is_ok_and(|status| status.is_none()) {
            // What has ended by itself needs no signal.
            let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
            let _ = self.0.wait();
        }
    }
}
