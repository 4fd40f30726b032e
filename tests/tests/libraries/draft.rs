//! A cargo workspace that a test puts together from files of the repository, changes, and builds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{expect_success, repository, scratch};
use tempfile::TempDir;

/// A workspace that is not built yet, in a temporary folder.
pub struct Draft(TempDir);

impl Draft {
    /// A draft with these files and folders of the repository, each below a name of its own.
    pub fn new<const N: usize>(parts: [(&str, &str); N]) -> Self {
        let draft = Draft(tempfile::tempdir().unwrap());
        parts.into_iter().for_each(|(from, to)| draft.add(from, to));
        draft
    }

    /// Copies a file or a folder of the repository.
    pub fn add(&self, from: &str, to: &str) {
        copy(&repository().join(from), &self.path(to));
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    /// Unpacks an archive of the repository.
    pub fn unpack(&self, archive: &str) {
        let mut tar = Command::new("tar");
        tar.args(["--extract", "--gzip", "--file"]).arg(repository().join(archive));
        expect_success(tar.arg("--directory").arg(self.0.path()));
    }

    /// Replaces a text that must occur once in a file.
    #[track_caller]
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.path(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let times = text.matches(from).count();
        assert_eq!(times, 1, "{from:?} occurs {times} times in {file}: adapt the simulated future");
        fs::write(path, text.replace(from, to)).unwrap();
    }

    /// Moves the draft to a lasting folder of this name, and returns its `Cargo.toml`. Files that are there
    /// already with the same content keep their times, because cargo builds again what is newer than its last
    /// build.
    pub fn settle(self, name: &str) -> PathBuf {
        let settled = scratch().join(name);
        let (wanted, present) = (files(self.0.path()), files(&settled));
        for file in present.difference(&wanted) {
            fs::remove_file(settled.join(file)).unwrap();
        }
        for file in &wanted {
            let (from, to) = (self.0.path().join(file), settled.join(file));
            if fs::read(&to).ok() != Some(fs::read(&from).unwrap()) {
                copy(&from, &to);
            }
        }
        settled.join("Cargo.toml")
    }
}

/// The files below a folder, relative to it; none if there is no such folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let (mut files, mut folders) = (BTreeSet::new(), vec![PathBuf::new()]);
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inner)).into_iter().flatten() {
            let entry = entry.unwrap();
            let path = inner.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else {
                files.insert(path);
            }
        }
    }
    files
}

/// Copies a file or a folder, except what is built.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().expect("it lies in a folder")).unwrap();
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        return;
    }
    for entry in fs::read_dir(from).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = path.file_name().expect("an entry has a name");
        if name != "target" {
            copy(&path, &to.join(name));
        }
    }
}
