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
use assay_base::io::setting::{Setting, SettingSource};

use super::{printable, trust};

/// The option that names folders of libraries.
const FOLDER_OPTION: &str = "--plugin-dir";
/// The environment variable that names folders of libraries.
const PATH_VARIABLE: &str = "ASSAY_PLUGIN_PATH";

/// The library files and folders that were found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Discovery {
    /// The library files, in search order; within a folder, by name.
    pub files: Vec<FoundFile>,
    /// The folders that were searched, in search order, also those that do not exist.
    pub folders: Vec<PathBuf>,
    /// A message for each folder that can't be read.
    pub warnings: Vec<String>,
}

/// A library file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// Whether the user named its folder on the command line.
    pub named: bool,
}

/// The folders of libraries, in search order, each with what names it: those of `--plugin-dir`, those of
/// `ASSAY_PLUGIN_PATH`, the one in the data folder of the user and the folder of this program.
pub fn plugin_folders(named: &[PathBuf]) -> Vec<Setting<PathBuf>> {
    let named = named.iter().map(|folder| Setting::option(FOLDER_OPTION, folder.clone()));
    let path = env::var_os(PATH_VARIABLE).unwrap_or_default();
    let path: Vec<PathBuf> =
        env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let path = path.into_iter().map(|folder| Setting::variable(PATH_VARIABLE, folder));
    let data = folders::data_setting().map(|setting| setting.map(|folder| folder.join("plugins")));
    let program = trust::program_folder().map(Setting::default);
    named.chain(path).chain(data).chain(program).collect()
}

/// Searches for libraries in the folders of [`plugin_folders`]. A file that can be reached through two of
/// them is found once.
///
/// # Errors
/// If a folder of `--plugin-dir` can't be read.
pub(super) fn find(plugin_dirs: &[PathBuf]) -> Result<Discovery> {
    let mut found = Discovery::default();
    let mut seen = HashSet::new();
    for Setting { value: folder, source } in plugin_folders(plugin_dirs) {
        let failed = |error| Error::io("read plugin folder", &folder, &error);
        match (library_files(&folder), source) {
            (Ok(files), source) => {
                let named = source == SettingSource::Option(FOLDER_OPTION);
                if named && files.is_empty() && !has_settings(&folder) {
                    found.warnings.push(format!(
                        "there is no plugin library in `{}`; expected files that end with {DLL_SUFFIX}; check the \
                         path after {FOLDER_OPTION}",
                        folder.display()
                    ));
                }
                found.add(files, named, &mut seen);
            }
            (Err(error), SettingSource::Option(option)) => {
                return Err(failed(error).remedy(format!("check the path after {option}")));
            }
            (Err(error), SettingSource::Variable(PATH_VARIABLE)) => found.warnings.push(format!(
                "{}; expected a folder of plugin libraries; correct {PATH_VARIABLE}",
                failed(error).message()
            )),
            // The folder is one of ours, and need not exist.
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => {}
            (Err(error), _) => found.warnings.push(format!(
                "{}; expected a folder that can be read; see to its permissions",
                failed(error).message()
            )),
        }
        found.folders.push(folder);
    }
    Ok(found)
}

/// The library files of a folder, as absolute paths, sorted by name.
///
/// # Errors
/// If the folder can't be read.
pub fn library_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
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
    fn add(&mut self, files: Vec<PathBuf>, named: bool, seen: &mut HashSet<(u64, u64)>) {
        // Paths go to child processes and into files as text.
        let (files, unreadable): (Vec<PathBuf>, Vec<PathBuf>) =
            files.into_iter().partition(|path| path.to_str().is_some());
        self.warnings.extend(unreadable.iter().map(|path| {
            let shown = printable::line(&path.to_string_lossy());
            format!("can't use `{shown}`: its name is not UTF-8; rename the file")
        }));
        let new = |path: &PathBuf| match fs::metadata(path) {
            Ok(metadata) => seen.insert((metadata.dev(), metadata.ino())),
            Err(_) => true,
        };
        self.files.extend(files.into_iter().filter(new).map(|path| FoundFile { path, named }));
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
        found.add(library_files(first.path()).unwrap(), true, &mut seen);
        found.add(library_files(second.path()).unwrap(), false, &mut seen);
        let files = [first.path().join("a.so"), library].map(|path| FoundFile { path, named: true });
        assert_eq!(found.files, files);
    }

    #[test]
    fn a_missing_plugin_dir_is_an_error_that_names_it() {
        let error = find(&[PathBuf::from("/no/such/folder")]).unwrap_err().to_string();
        assert!(error.contains("`/no/such/folder`") && error.contains("--plugin-dir"), "{error}");
    }
}
