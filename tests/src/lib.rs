//! What the end-to-end tests share: the real binary with its libraries, built once, in surroundings of its own.

pub mod pmcd;
pub mod processes;

pub use assay_plugin_api::testing::skip;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The binary `assay`, with all plugin libraries beside it, as built by the profile of the running test. It sees neither
/// the user's plugins nor cache nor sets.
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

/// Whether a line warns of what else this machine does while tests run, or marks figures of debug builds: no business of theirs.
pub fn is_noise(line: &str) -> bool {
    let noise = ["the machine's speed varied by ", "the searches had the CPU for "];
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

/// A file or folder of the reference data: of `ASSAY_SHARED`, or of `../shared` beside the repository. None, with the
/// reason printed, where it is missing: the test has nothing to compare with, and ends.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = env::var_os("ASSAY_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    let file = folder.join(path);
    if file.exists() {
        return Some(file);
    }
    skip(&format!("{} is missing (set ASSAY_SHARED to the folder of reference data)", file.display()));
    None
}

/// Compiles a C source to the shared library `lib<name>.so` in `folder`, with further arguments for the compiler.
pub fn c_library(folder: &Path, name: &str, source: &str, arguments: &[&str]) -> PathBuf {
    let (input, output) = (folder.join(format!("{name}.c")), folder.join(format!("lib{name}.so")));
    fs::write(&input, source).expect("the test's folder can be written");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-shared", "-fPIC", "-o"]).arg(&output).arg(&input).args(arguments);
    expect_success(&mut command);
    fs::remove_file(input).expect("it was written just now");
    output
}

/// The library of a crate in `tests/fixtures`, each a workspace of its own.
pub fn fixture(name: &str) -> PathBuf {
    let manifest = repository().join("tests/fixtures").join(name).join("Cargo.toml");
    foreign_workspace(&manifest, &["--locked"]).join(format!("debug/lib{name}.so"))
}

/// Builds a cargo workspace that is not part of this one, with further arguments for cargo, and says where its target
/// folder lies. That is kept away from the folder in which the binary looks for plugins.
pub fn foreign_workspace(manifest: &Path, arguments: &[&str]) -> PathBuf {
    build(manifest, arguments, "foreign", None)
}

/// As [`foreign_workspace`], in a target folder of this name, and with flags for the compiler in place of the repository's.
pub fn foreign_workspace_with(manifest: &Path, arguments: &[&str], target: &str, flags: &str) -> PathBuf {
    build(manifest, arguments, target, Some(flags))
}

fn build(manifest: &Path, arguments: &[&str], target: &str, flags: Option<&str>) -> PathBuf {
    let target = scratch().join(target);
    let mut command = cargo();
    if let Some(flags) = flags {
        command.env("RUSTFLAGS", flags);
    }
    command.args(["build", "--workspace", "--quiet", "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(&target).args(arguments);
    expect_success(&mut command);
    target
}

/// The repository's root.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("tests/ lies in the repository").to_owned()
}

/// A folder for what tests build, kept between runs.
pub fn scratch() -> PathBuf {
    profile_folder().parent().expect("a profile lies in the target folder").join("tmp/assay-tests")
}

/// The folder with the binary and the libraries, brought up to date once per process.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = profile_folder();
        let mut command = cargo();
        // With examples, dependencies have the features that they have for tests, and nothing is built a second time.
        command.args(["build", "--workspace", "--lib", "--bins", "--examples", "--quiet"]);
        command.args(["--profile", profile(&folder), "--manifest-path"]);
        command.arg(repository().join("Cargo.toml"));
        command.arg("--target-dir").arg(folder.parent().expect("a profile lies in the target folder"));
        expect_success(&mut command);
        folder
    })
}

/// `target/<profile>`: a test's executable lies in `deps` below it.
fn profile_folder() -> PathBuf {
    let executable = env::current_exe().expect("a running test has a path");
    let folder = executable.parent().and_then(Path::parent);
    folder.expect("tests run from target/<profile>/deps").to_owned()
}

/// The profile of a folder, as `--profile` takes it.
fn profile(folder: &Path) -> &str {
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") => "dev",
        Some(profile) => profile,
        None => panic!("{} names no profile", folder.display()),
    }
}

/// Cargo, free of what an outer cargo says about the crate under test.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

fn expect_success(command: &mut Command) {
    let ran = run(command);
    assert!(ran.code == Some(0), "{command:?} failed\n{}{}", ran.stdout, ran.stderr);
}
