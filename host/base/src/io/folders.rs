//! The folders of the user, by the XDG rules.

use std::env;
use std::path::PathBuf;

/// The folder for data, such as plugin libraries: `assay` in `XDG_DATA_HOME`.
pub fn data() -> Option<PathBuf> {
    below("XDG_DATA_HOME", ".local/share")
}

/// The folder for files that can be made again: `ASSAY_CACHE_DIR`, or else `assay` in `XDG_CACHE_HOME`.
pub fn cache() -> Option<PathBuf> {
    chosen("ASSAY_CACHE_DIR").or_else(|| below("XDG_CACHE_HOME", ".cache"))
}

/// The folder for settings: `ASSAY_CONFIG_DIR`, or else `assay` in `XDG_CONFIG_HOME`.
pub fn config() -> Option<PathBuf> {
    chosen("ASSAY_CONFIG_DIR").or_else(|| below("XDG_CONFIG_HOME", ".config"))
}

fn chosen(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// The folder `assay` in the folder of a variable if this is an absolute path, or else in one below the home
/// folder.
fn below(variable: &str, below_home: &str) -> Option<PathBuf> {
    let set = env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = set.or_else(|| Some(env::home_dir()?.join(below_home)))?;
    Some(folder.join("assay"))
}
