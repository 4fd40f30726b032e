//! Discovery: finds the library files in the plugin folders, in a fixed order.

use std::collections::HashSet;
use std::env;
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::folders;

const PATH_VARIABLE: &str = "ASSAY_PLUGIN_PATH";

/// The library files and folders that were found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Discovery {
    /// Absolute paths of the library files, in search order; within a folder, by name.
    pub files: Vec<PathBuf>,
    /// The folders that were searched, in search order, also those that do not exist.
    pub folders: Vec<PathBuf>,
    /// A message for each folder that can't be read.
    pub warnings: Vec<String>,
}

/// Searches for libraries in the folders of `--plugin-dir`, those of `ASSAY_PLUGIN_PATH`, the data folder of
/// the user and the folder of this program. A file that can be reached through two of them is found once.
///
/// # Errors
/// If a folder of `--plugin-dir` can't be read.
pub(super) fn find(plugin_dirs: &[PathBuf]) -> Result<Discovery> {
    let mut found = Discovery::default();
    let mut seen = HashSet::new();
    for folder in plugin_dirs {
        found.folders.push(folder.clone());
        let files = libraries(folder).map_err(|error| {
            Error::io("read plugin folder", folder, &error).remedy("check the path after --plugin-dir")
        })?;
        if files.is_empty() && !has_settings(folder) {
            found.warnings.push(format!(
                "there is no plugin library in `{}`; expected files that end with {DLL_SUFFIX}; check the path after \
                 --plugin-dir",
                folder.display()
            ));
        }
        found.add(files, &mut seen);
    }
    let named = env::var_os(PATH_VARIABLE).unwrap_or_default();
    for folder in env::split_paths(&named).filter(|folder| !folder.as_os_str().is_empty()) {
        found.folders.push(folder.clone());
        match libraries(&folder) {
            Ok(files) => found.add(files, &mut seen),
            Err(error) => found.warnings.push(format!(
                "{}; expected a folder of plugin libraries; correct {PATH_VARIABLE}",
                Error::io("read plugin folder", &folder, &error).message()
            )),
        }
    }
    let data = folders::data().map(|folder| folder.join("plugins"));
    let program = env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
    for folder in data.into_iter().chain(program) {
        found.folders.push(folder.clone());
        match libraries(&folder) {
            Ok(files) => found.add(files, &mut seen),
            // The folder is one of ours, and need not exist.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => found.warnings.push(format!(
                "{}; expected a folder that can be read; see to its permissions",
                Error::io("read plugin folder", &folder, &error).message()
            )),
        }
    }
    Ok(found)
}

/// The library files of a folder, sorted by name.
fn libraries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(std::path::absolute(folder)?)? {
        let path = entry?.path();
        let is_library = path.as_os_str().as_encoded_bytes().ends_with(DLL_SUFFIX.as_bytes());
        // A dangling link is kept, so that opening it reports the problem.
        if is_library && fs::metadata(&path).map_or(true, |metadata| metadata.is_file()) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a folder holds files of other kinds that a plugin folder may have, such as event sets.
fn has_settings(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .any(|entry| Path::new(&entry.file_name()).extension().is_some_and(|extension| extension == "toml"))
}

impl Discovery {
    fn add(&mut self, files: Vec<PathBuf>, seen: &mut HashSet<(u64, u64)>) {
        let new = |path: &PathBuf| match fs::metadata(path) {
            Ok(metadata) => seen.insert((metadata.dev(), metadata.ino())),
            Err(_) => true,
        };
        self.files.extend(files.into_iter().filter(new));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_two_folders_show_is_found_once() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (library, link) = (first.path().join("b.so"), second.path().join("a.so"));
        fs::write(&library, "").unwrap();
        fs::write(first.path().join("a.so"), "").unwrap();
        fs::write(first.path().join("notes.txt"), "").unwrap();
        fs::create_dir(first.path().join("folder.so")).unwrap();
        std::os::unix::fs::symlink(&library, &link).unwrap();

        let mut found = Discovery::default();
        let mut seen = HashSet::new();
        found.add(libraries(first.path()).unwrap(), &mut seen);
        found.add(libraries(second.path()).unwrap(), &mut seen);
        assert_eq!(found.files, [first.path().join("a.so"), library]);
    }

    #[test]
    fn a_missing_plugin_dir_is_an_error_that_names_it() {
        let error = find(&[PathBuf::from("/no/such/folder")]).unwrap_err().to_string();
        assert!(error.contains("`/no/such/folder`") && error.contains("--plugin-dir"), "{error}");
    }
}
