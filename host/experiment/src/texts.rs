//! The texts on this machine: the folders in which names are looked up, and the texts in them.

use std::fs;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result, near};
use assay_base::io::setting::Setting;
use assay_base::natural_order;

/// The environment variable that names folders of texts.
const PATH_VARIABLE: &str = "ASSAY_DATA_PATH";

/// A text that can be named with `--text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownText {
    /// Its name.
    pub name: String,
    /// The path of the file or folder.
    pub path: PathBuf,
    /// Number of its files.
    pub files: usize,
    /// Length of all files together, in bytes.
    pub bytes: u64,
}

/// The folders in which names are looked up: those of `ASSAY_DATA_PATH`, then `data`.
pub fn folders() -> Vec<PathBuf> {
    folder_settings().into_iter().map(|setting| setting.value).collect()
}

/// As [`folders`], each with what names it.
pub fn folder_settings() -> Vec<Setting<PathBuf>> {
    let path = std::env::var_os(PATH_VARIABLE).unwrap_or_default();
    let listed = std::env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty());
    let listed = listed.map(|folder| Setting::variable(PATH_VARIABLE, folder));
    listed.chain([Setting::default(PathBuf::from("data"))]).collect()
}

/// All texts in the folders, sorted by name. If two texts have the same name, only the first can be named, so
/// only that is listed.
pub fn known(folders: &[PathBuf]) -> Vec<KnownText> {
    let mut known: Vec<KnownText> = Vec::new();
    for path in folders.iter().flat_map(|folder| visible(folder)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(files) = files(&path) else { continue };
        let bytes = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|file| file.len()).sum();
        if !known.iter().any(|other| other.name == name) {
            known.push(KnownText { name, path, files: files.len(), bytes });
        }
    }
    known.sort_unstable_by(|a, b| natural_order(&a.name, &b.name));
    known
}

/// The path that a name leads to: the name itself if it is a path that exists, or else a text in one of the
/// folders.
pub fn find(name: &str) -> Option<PathBuf> {
    let places = folders().into_iter().map(|folder| folder.join(name));
    std::iter::once(PathBuf::from(name)).chain(places).find(|place| place.exists())
}

/// The error that there is no text of this name, with similar names.
pub fn missing(name: &str) -> Error {
    let folders = folders();
    let known = known(&folders);
    let close = near(name, known.iter().map(|text| text.name.as_str()));
    let searched: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let searched = searched.join(", ");
    let remedy = match (close.as_slice(), known.as_slice()) {
        ([], []) => "give a file, or set ASSAY_DATA_PATH to the folder that holds your texts".to_owned(),
        ([], _) => "`assay list texts` shows the texts that can be named".to_owned(),
        (close, _) => format!("did you mean {}?", close.join(", ")),
    };
    Error::new(format!("there is no text `{name}`: no such file or folder, nor one in {searched}"))
        .remedy(remedy)
}

/// The files of a folder, sorted by name, or the one file if `place` is one.
///
/// # Errors
/// If the folder can't be read or has no files.
pub fn files(place: &Path) -> Result<Vec<PathBuf>> {
    if !place.is_dir() {
        return Ok(vec![place.to_owned()]);
    }
    fs::read_dir(place).map_err(|error| Error::io("read the folder", place, &error))?;
    let files: Vec<PathBuf> = visible(place).into_iter().filter(|path| path.is_file()).collect();
    if files.is_empty() {
        return Err(Error::new(format!("the folder `{}` holds no text", place.display())).remedy(
            "a text of a folder is made of the files in it, without hidden ones: name a folder with files",
        ));
    }
    Ok(files)
}

/// The entries of a folder, sorted, without hidden ones. There are none if the folder can't be read.
fn visible(folder: &Path) -> Vec<PathBuf> {
    let hidden =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| !hidden(path)).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_counts_and_a_text_has_the_size_of_its_files() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let path = |folder: usize, name: &str| folders[folder].path().join(name);
        fs::create_dir(path(0, "english")).unwrap();
        fs::create_dir(path(0, "empty")).unwrap();
        for (folder, name, content) in [
            (0, "english/b.txt", "22"),
            (0, "english/a.txt", "1"),
            (0, "english/.hidden", "333"),
            (1, "english", "not this"),
            (1, "book.txt", "four"),
        ] {
            fs::write(path(folder, name), content).unwrap();
        }
        let places = folders.each_ref().map(|folder| folder.path().to_owned());
        let known: Vec<_> = known(&places).into_iter().map(|t| (t.name, t.files, t.bytes)).collect();
        assert_eq!(known, [("book.txt".to_owned(), 1, 4), ("english".to_owned(), 2, 3)]);
    }
}
