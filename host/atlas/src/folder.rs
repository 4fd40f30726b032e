//! The folder of an atlas: written beside its place, and then renamed, so that it is never half-written.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::exchange_folders;
use serde::{Deserialize, Serialize};

use crate::SiteFile;

/// The file that shows that a folder is an atlas.
const MARKER: &str = "atlas.json";

/// The content of the marker.
#[derive(Debug, Serialize, Deserialize)]
struct AtlasMarker {
    /// Version of the program that made the atlas.
    assay: String,
    /// All other files, with their folders.
    files: BTreeSet<String>,
}

/// Checks that an atlas can be put there, so that this is reported before the work is done: nothing is there, or an
/// empty folder, or an atlas without files of others.
///
/// # Errors
/// If something else is there.
pub fn check_place(place: &Path) -> Result<()> {
    let named = place.display();
    let remedy = "name another folder with --out; it is made";
    if !place.exists() && !place.is_symlink() {
        return Ok(());
    }
    if place.is_symlink() || !place.is_dir() {
        return Err(Error::new(format!("`{named}` is there, and is no folder")).remedy(remedy));
    }
    let mut found = Vec::new();
    add_files(place, place, &mut found).map_err(|error| Error::io("read", place, &error))?;
    let marker = fs::read(place.join(MARKER)).ok();
    let marker = marker.and_then(|marker| serde_json::from_slice::<AtlasMarker>(&marker).ok());
    match marker {
        None if found.is_empty() => Ok(()),
        None => Err(Error::new(format!("`{named}` is there, and is no atlas")).remedy(remedy)),
        Some(AtlasMarker { files, .. }) => {
            let foreign = found.iter().find(|file| !files.contains(*file) && *file != MARKER);
            foreign.map_or(Ok(()), |file| {
                Err(Error::new(format!("`{named}` has a file that is no part of the atlas: `{file}`"))
                    .remedy("move the file to another folder, or name another folder with --out"))
            })
        }
    }
}

/// Adds the files of a folder, with their folders within `root`.
fn add_files(folder: &Path, root: &Path, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            add_files(&path, root, found)?;
        } else {
            found.push(path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// Puts the files of a site into a folder. An atlas that is there is replaced as a whole.
///
/// # Errors
/// If something else is there, or if a file can't be written. Then what was there is there still.
pub fn publish(files: &[SiteFile], place: &Path) -> Result<()> {
    check_place(place)?;
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| Error::io("make", parent, &error))?;
    let temporary = tempfile::Builder::new().prefix(".assay-atlas-").tempdir_in(parent);
    let temporary = temporary.map_err(|error| Error::io("write", parent, &error))?;
    for file in files {
        write(&temporary.path().join(&file.path), &file.content)?;
    }
    let marker = AtlasMarker {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        files: files.iter().map(|file| file.path.clone()).collect(),
    };
    let marker = serde_json::to_string_pretty(&marker).expect("texts can be written") + "\n";
    write(&temporary.path().join(MARKER), &marker)?;
    // Others may read what a web server shows.
    let readable = fs::set_permissions(temporary.path(), Permissions::from_mode(0o755));
    readable.map_err(|error| Error::io("write", temporary.path(), &error))?;
    if place.exists() {
        // The earlier atlas is in the temporary folder afterwards, which is removed.
        return exchange_folders(temporary.path(), place);
    }
    let made: PathBuf = temporary.keep();
    fs::rename(&made, place).map_err(|error| {
        // Best effort: there is an error to report already.
        let _ = fs::remove_dir_all(&made);
        Error::io("write", place, &error)
    })
}

/// Writes a file, and makes its folder.
fn write(path: &Path, content: &str) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.exists());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|error| Error::io("make", folder, &error))?;
    }
    fs::write(path, content).map_err(|error| Error::io("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(content: &str) -> Vec<SiteFile> {
        vec![SiteFile::new("index.html", content), SiteFile::new("algorithm/hor.html", "page")]
    }

    #[test]
    fn an_atlas_replaces_an_atlas_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new/site");
        publish(&site("old"), &place).unwrap();
        publish(&[SiteFile::new("index.html", "new")], &place).unwrap();
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "new");
        assert!(!place.join("algorithm").exists(), "the earlier pages are gone");
        assert_eq!(
            fs::read_dir(folder.path().join("new")).unwrap().count(),
            1,
            "no temporary folder is left"
        );
    }

    #[test]
    fn files_of_others_are_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("site");
        fs::create_dir(&place).unwrap();
        assert!(check_place(&place).is_ok(), "an empty folder holds nothing");
        fs::write(place.join("index.html"), "mine").unwrap();
        let message = publish(&site("new"), &place).unwrap_err().to_string();
        assert!(message.contains("is no atlas"), "{message}");
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "mine");
        assert!(check_place(&place.join("index.html")).unwrap_err().to_string().contains("is no folder"));

        fs::remove_file(place.join("index.html")).unwrap();
        publish(&site("old"), &place).unwrap();
        fs::write(place.join("algorithm/notes.txt"), "mine").unwrap();
        let message = publish(&site("new"), &place).unwrap_err().to_string();
        assert!(message.contains("`algorithm/notes.txt`"), "{message}");
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "old");
    }
}
