//! Processes that tests look at and send signals to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The environment variable by which [`marked`] finds a test's processes.
pub const MARK: &str = "ASSAY_TEST_MARK";

/// Asks until there is an answer.
pub fn await_that<T>(ask: impl Fn() -> Option<T>) -> T {
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        sleep(Duration::from_millis(20));
    }
}

/// Waits until a run that is saved in this folder has measured something, and says where it writes.
pub fn once_it_measures(out: &Path) -> PathBuf {
    await_that(|| {
        let partial = fs::read_dir(out).ok()?.next()?.ok()?.path();
        let journal = fs::read_to_string(partial.join("measurements.csv")).ok()?;
        (journal.lines().count() > 1).then_some(partial)
    })
}

/// Sends a signal, by its name without `SIG`.
pub fn signal(name: &str, process: u32) {
    assert!(signal_if_alive(name, process), "process {process} is gone");
}

/// The same to a process that may have ended; whether it lived.
pub fn signal_if_alive(name: &str, process: u32) -> bool {
    let mut kill = Command::new("kill");
    let kill = kill.arg(format!("-{name}")).arg(process.to_string()).stderr(Stdio::null());
    kill.status().expect("there is a `kill`").success()
}

/// The processes that live and whose environment says [`MARK`] with this value, with their names.
pub fn marked(value: &str) -> Vec<(u32, String)> {
    let mark = format!("{MARK}={value}");
    let marked = |process: PathBuf| {
        let id = process.file_name()?.to_str()?.parse().ok()?;
        // A zombie has no environment left.
        let environment = fs::read(process.join("environ")).ok()?;
        let found = environment.split(|&byte| byte == 0).any(|entry| entry == mark.as_bytes());
        found.then(|| (id, fs::read_to_string(process.join("comm")).unwrap_or_default()))
    };
    let processes = fs::read_dir("/proc").expect("there is /proc").flatten();
    processes.filter_map(|process| marked(process.path())).collect()
}
