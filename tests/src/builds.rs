//! What tests build: the workspace's own binary and libraries, libraries of other workspaces, and libraries
//! written in C.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::{repository, run};

/// The library of a crate in `tests/fixtures`, each a workspace of its own. It is built once in a process.
pub fn fixture(name: &str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let build = || {
        let manifest = repository().join("tests/fixtures").join(name).join("Cargo.toml");
        foreign_workspace(&manifest, &["--locked"]).join(format!("debug/lib{name}.so"))
    };
    built.entry(name.to_owned()).or_insert_with(build).clone()
}

/// Builds a cargo workspace that is not part of this one, with further arguments for cargo. Returns the
/// target folder, which is kept away from the folder in which the binary looks for plugins.
pub fn foreign_workspace(manifest: &Path, arguments: &[&str]) -> PathBuf {
    let mut command = foreign_build(manifest);
    expect_success(command.args(["--workspace", "--quiet"]).args(arguments));
    foreign_target()
}

/// `cargo build` of a workspace that is not part of this one, into the folder of [`foreign_workspace`].
///
/// Dependencies are built once for both workspaces, because they share a build folder and the profile of
/// dependencies, which is that of `Cargo.toml`. (A cargo before version 1.91 does not know the build folder,
/// and builds them twice.)
pub fn foreign_build(manifest: &Path) -> Command {
    let mut command = cargo();
    command.env("CARGO_BUILD_BUILD_DIR", target());
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    command.arg("build").arg("--manifest-path").arg(manifest);
    command.arg("--target-dir").arg(foreign_target());
    command
}

/// Builds as [`foreign_workspace`] does, in a target folder of this name and with these flags for the
/// compiler instead of the repository's. Because of the flags, all dependencies are built again.
pub fn foreign_workspace_with(manifest: &Path, arguments: &[&str], target: &str, flags: &str) -> PathBuf {
    let target = scratch().join(target);
    let mut command = cargo();
    command
        .env("RUSTFLAGS", flags)
        .args(["build", "--workspace", "--quiet", "--manifest-path"])
        .arg(manifest);
    expect_success(command.arg("--target-dir").arg(&target).args(arguments));
    target
}

fn foreign_target() -> PathBuf {
    scratch().join("foreign")
}

/// Compiles a C source to the shared library `lib<name>.so` in `folder`, with further arguments for the
/// compiler.
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

/// A folder for what tests build, kept between runs.
pub fn scratch() -> PathBuf {
    target().join("tmp/assay-tests")
}

/// The folder with the binary and the libraries of this workspace, brought up to date once in a process.
pub fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = profile_folder();
        let mut command = cargo();
        // With examples, dependencies have the features that they have for tests, and nothing is built a
        // second time.
        command.args(["build", "--workspace", "--lib", "--bins", "--examples", "--quiet"]);
        command.args(["--profile", profile(&folder), "--manifest-path"]);
        command.arg(repository().join("Cargo.toml"));
        command.arg("--target-dir").arg(target());
        expect_success(&mut command);
        folder
    })
}

/// The target folder of this workspace.
fn target() -> PathBuf {
    profile_folder().parent().expect("a profile lies in the target folder").to_owned()
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

/// Cargo, without the environment variables by which an outer cargo describes the crate under test.
fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a command, and fails with its output if it fails.
pub fn expect_success(command: &mut Command) {
    let ran = run(command);
    assert!(ran.code == Some(0), "{command:?} failed\n{}{}", ran.stdout, ran.stderr);
}
