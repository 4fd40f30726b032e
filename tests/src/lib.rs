//! What the end-to-end tests share: the real binary with its libraries, built once, in surroundings of its
//! own.

mod builds;
pub mod cost;
pub mod engines;
pub mod pmcd;
pub mod processes;
pub mod reliability;

pub use assay_plugin_api::testing::skip;
pub use builds::{
    built, c_library, expect_success, fixture, foreign_build, foreign_workspace, foreign_workspace_with,
    scratch,
};

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The binary `assay`, with all plugin libraries beside it, as built by the profile of the running test. It
/// sees neither the user's plugins nor cache nor sets.
pub fn assay() -> Command {
    let mut command = Command::new(built().join("assay"));
    isolate(&mut command);
    command
}

/// A program among the examples of the host, which is its own child.
pub fn example(name: &str) -> Command {
    let mut command = Command::new(built().join("examples").join(name));
    isolate(&mut command);
    command
}

/// The folder with all plugin libraries.
pub fn libraries() -> &'static Path {
    built()
}

/// Hides the user's plugins, cache and sets from a command.
pub fn isolate(command: &mut Command) {
    let folder = scratch();
    command
        .stdin(Stdio::null())
        // Tests time debug builds all the time: that of a fixture, or of everything.
        .env("ASSAY_ALLOW_DEBUG", "1")
        .env("ASSAY_CACHE_DIR", folder.join("cache"))
        .env("ASSAY_CONFIG_DIR", folder.join("no-config"))
        // Libraries that tests build are new each time, and what they do is what is tested.
        .env("ASSAY_TRUST", "allow")
        .env("XDG_DATA_HOME", folder.join("no-data"))
        // Tests run side by side on one CPU, and know it: no place for locks.
        .env("XDG_RUNTIME_DIR", folder.join("no-runtime"))
        .env_remove("ASSAY_PLUGIN_PATH")
        .env_remove("ASSAY_DATA_PATH");
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Its exit status; none if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Ran {
    /// The lines of standard error that begin with `warning:`.
    pub fn warnings(&self) -> Vec<&str> {
        self.stderr.lines().filter(|line| line.starts_with("warning: ")).collect()
    }
}

/// Whether a line warns of what else this machine does while tests run, or marks figures of debug builds: no
/// business of theirs.
pub fn is_noise(line: &str) -> bool {
    let noise = ["the machine's speed varied by ", "the searches had the CPU for ", "`assay doctor` finds "];
    let warns =
        line.strip_prefix("warning: ").is_some_and(|line| noise.iter().any(|noise| line.starts_with(noise)));
    warns || line.starts_with("Debug build: ")
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Ran {
    let output = command.output().unwrap_or_else(|error| panic!("can't start {command:?}: {error}"));
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let stderr = text(output.stderr).split_inclusive('\n').filter(|line| !is_noise(line)).collect();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr }
}

/// The words that a shell would offer in place of the last word of a line, which follows `assay `. The
/// command has `--` as its only argument.
pub fn completed(mut command: Command, line: &str) -> Vec<String> {
    let words: Vec<&str> = std::iter::once("assay").chain(line.split(' ')).collect();
    command.env("ASSAY_COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
    let ran = run(command.args(&words));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    ran.stdout.lines().map(str::to_owned).collect()
}

/// A file or folder of the reference data: of `ASSAY_SHARED`, or of `../shared` beside the repository. None,
/// with the reason printed, where it is missing: the test has nothing to compare with, and ends.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = env::var_os("ASSAY_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    let file = folder.join(path);
    if file.exists() {
        return Some(file);
    }
    skip(&format!("{} is missing (set ASSAY_SHARED to the folder of reference data)", file.display()));
    None
}

/// The only entry of a folder: the run that was saved there.
#[track_caller]
pub fn only_entry(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let entries: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    let [entry] = entries.as_slice() else { panic!("{} has not one entry: {entries:?}", folder.display()) };
    entry.clone()
}

/// The repository's root.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("tests/ lies in the repository").to_owned()
}
