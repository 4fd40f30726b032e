//! The texts on this machine: the folders in which names are looked up, and the texts in them.

use std::ffi::OsStr;
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

/// Beginnings of the names of files that describe a folder of texts, in lower case.
const DESCRIPTIONS: [&str; 9] =
    ["readme", "license", "licence", "copying", "notice", "changelog", "makefile", "sha256sum", "md5sum"];
/// Endings of the names of files that describe, check, make or pack texts.
const NO_TEXTS: [&str; 12] =
    ["md", "sh", "py", "sha256", "md5", "zip", "gz", "tgz", "xz", "bz2", "zst", "tar"];

/// All texts in the folders, sorted by name. If two texts have the same name, only the first can be named, so
/// only that is listed. Files that only accompany texts are left out, though they can be named.
pub fn known(folders: &[PathBuf]) -> Vec<KnownText> {
    let mut known: Vec<KnownText> = Vec::new();
    for path in folders.iter().flat_map(|folder| visible(folder)).filter(|path| !accompanies_texts(path)) {
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

/// Whether an entry of a folder of texts is a file that describes, checks, makes or packs texts.
fn accompanies_texts(path: &Path) -> bool {
    let lower = |name: Option<&OsStr>| name.map(|name| name.to_string_lossy().to_lowercase());
    let name = lower(path.file_name()).unwrap_or_default();
    let is_description = DESCRIPTIONS.iter().any(|start| name.starts_with(start));
    let ending = lower(path.extension());
    path.is_file() && (is_description || ending.is_some_and(|ending| NO_TEXTS.contains(&ending.as_str())))
}

/// The path that a name leads to: the name itself if it is a path that exists, or else a text in one of the
/// folders, or else the only file of that name in these texts.
pub fn find(name: &str) -> Option<PathBuf> {
    let folders = folders();
    let places = folders.iter().map(|folder| folder.join(name));
    let found = std::iter::once(PathBuf::from(name)).chain(places).find(|place| place.exists());
    found.or_else(|| match files_called(name, &folders).as_slice() {
        [file] => Some(file.clone()),
        _ => None,
    })
}

/// The files of this name in the texts of the folders that are folders themselves.
fn files_called(name: &str, folders: &[PathBuf]) -> Vec<PathBuf> {
    let texts = folders.iter().flat_map(|folder| visible(folder));
    texts.map(|text| text.join(name)).filter(|file| file.is_file()).collect()
}

/// The error that there is no text of this name, with similar names.
pub fn missing(name: &str) -> Error {
    missing_in(name, &folders())
}

fn missing_in(name: &str, folders: &[PathBuf]) -> Error {
    let several = files_called(name, folders);
    if !several.is_empty() {
        let paths: Vec<String> = several.iter().map(|file| format!("`{}`", file.display())).collect();
        return Error::new(format!("{} files are called `{name}`", several.len()))
            .remedy(format!("name one by its path: {}", paths.join(", ")));
    }
    let known = known(folders);
    let texts = known.iter().filter(|text| text.path.is_dir());
    let files = texts.flat_map(|text| visible(&text.path));
    let files: Vec<String> =
        files.filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned())).collect();
    let names = known.iter().map(|text| text.name.as_str());
    let close = near(name, names.chain(files.iter().map(String::as_str)));
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
            (0, "README.md", "about the texts"),
            (1, "Licence", "of the texts"),
            (1, "english.tar.gz", "packed"),
            (1, "book.txt", "four"),
        ] {
            fs::write(path(folder, name), content).unwrap();
        }
        let places = folders.each_ref().map(|folder| folder.path().to_owned());
        let known: Vec<_> = known(&places).into_iter().map(|t| (t.name, t.files, t.bytes)).collect();
        assert_eq!(known, [("book.txt".to_owned(), 1, 4), ("english".to_owned(), 2, 3)]);
    }

    #[test]
    fn a_text_is_found_by_the_name_of_its_file_where_one_alone_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        for text in ["english", "german"] {
            fs::create_dir(folder.path().join(text)).unwrap();
            fs::write(folder.path().join(text).join("preface.txt"), "x").unwrap();
        }
        let bible = folder.path().join("english/bible.txt");
        fs::write(&bible, "In the beginning").unwrap();
        assert_eq!(files_called("bible.txt", &folders), [bible]);
        assert!(files_called("", &folders).is_empty());
        let fault = |name| missing_in(name, &folders).to_string();
        assert!(
            fault("preface.txt")
                .starts_with("2 files are called `preface.txt`\n  help: name one by its path: `")
        );
        assert!(fault("bibel.txt").ends_with("did you mean bible.txt?"), "{}", fault("bibel.txt"));
        assert!(fault("englsh").ends_with("did you mean english?"), "{}", fault("englsh"));
    }
}
