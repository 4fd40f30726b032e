//! The libraries that were shipped with the program.
//!
//! The program can't hold their hashes, because they are built after it or beside it. It holds their names,
//! and looks for them in its own folder only: whoever may write there may replace the program as well.

use std::path::{Path, PathBuf};

use super::real_path;
use crate::plugin::discovery::library_files;

/// The names of the crates that bring the libraries, as the build found them.
const CRATES: &str = env!("ASSAY_SHIPPED_LIBRARIES");

/// The folder of the program.
pub(in crate::plugin) fn program_folder() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.to_owned())
}

/// The shipped libraries that are there.
pub(super) fn files() -> Vec<PathBuf> {
    let files = program_folder().and_then(|folder| library_files(&folder).ok());
    files.into_iter().flatten().filter(|file| is_shipped(file)).collect()
}

/// Whether a file is one of the shipped libraries: it lies beside the program and has the name of one.
pub(super) fn is_shipped(library: &Path) -> bool {
    let folder = library.parent().map(real_path);
    let beside = folder.is_some() && folder == program_folder().map(|folder| real_path(&folder));
    beside && library.file_name().and_then(|name| name.to_str()).is_some_and(is_name)
}

/// Whether a shipped library has this file name.
fn is_name(name: &str) -> bool {
    let stem = name.strip_prefix("lib").and_then(|name| name.strip_suffix(std::env::consts::DLL_SUFFIX));
    stem.is_some_and(|stem| CRATES.split(' ').any(|name| name == stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_knows_the_names_of_its_libraries() {
        assert!(is_name("libassay_comparison.so") && is_name("libassay_stat_comparison.so"));
        assert!(!is_name("libmine.so") && !is_name("assay_comparison.so") && !is_name("lib.so"));
        assert!(!is_shipped(Path::new("/elsewhere/libassay_comparison.so")));
    }
}
