//! Engines that tests call where they are installed.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::{built, skip};

/// The folder of the program `duckdb`, which `.ci/run` installs; none, with the reason printed, where it is
/// missing.
pub fn duckdb() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let folder = built().parent()?.join("engines/bin");
        let starts = Command::new(folder.join("duckdb")).arg("--version").output();
        starts.is_ok_and(|output| output.status.success()).then_some(folder)
    };
    let folder = FOLDER.get_or_init(find).as_deref();
    if folder.is_none() {
        skip("DuckDB is not installed: `.ci/run` installs it into target/engines");
    }
    folder
}

/// `PATH` with a folder before all others.
pub fn path_with(folder: &Path) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(env::split_paths(&path));
    env::join_paths(folders).expect("they were joined before")
}
