//! The worst input as files that other commands take.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::{CompleteOutput, Output};

use crate::input::SearchInput;

/// The names of the files.
const FILES: [&str; 3] = ["text", "pattern", "note.txt"];

/// A folder in which an input will be kept. It gets all files of the input, or none.
#[derive(Debug)]
pub struct InputFolder {
    folder: PathBuf,
    files: [Output; FILES.len()],
    /// The folder and those above it, as far as they were made for it. Dropped after the files in it.
    made: MadeFolders,
}

/// Folders that were made, the innermost first. Those that are empty in the end are removed.
#[derive(Debug)]
struct MadeFolders(Vec<PathBuf>);

impl Drop for MadeFolders {
    fn drop(&mut self) {
        // Folders that something is in stay, and so do those above them.
        let _ = self.0.iter().try_for_each(fs::remove_dir);
    }
}

impl InputFolder {
    /// Opens the files, so that a folder that can't be written to is reported before anything is searched. The
    /// folder is made if there is none.
    ///
    /// # Errors
    /// If they can't be made.
    pub fn new(folder: &Path) -> Result<Self> {
        let missing = folder.ancestors().filter(|folder| !folder.as_os_str().is_empty());
        let made = MadeFolders(missing.take_while(|folder| !folder.exists()).map(Path::to_owned).collect());
        let [text, pattern, note] = FILES.map(|name| Output::in_folder(folder, name));
        Ok(InputFolder { folder: folder.to_owned(), files: [text?, pattern?, note?], made })
    }

    /// Writes the files, with a note that ends with a line feed.
    ///
    /// # Errors
    /// If one of them can't be written. Then there is none.
    pub fn keep(self, input: &SearchInput, note: &str) -> Result<()> {
        let InputFolder { folder, files, made: _made } = self;
        let text = input.text();
        let contents = [text.as_slice(), &input.pattern, note.as_bytes()];
        let complete = files.into_iter().zip(contents).zip(FILES).map(|((mut file, content), name)| {
            file.write_all(content).map_err(|error| Error::io("write", &folder.join(name), &error))?;
            file.complete()
        });
        // All are complete before the first gets its name.
        let complete: Vec<CompleteOutput> = complete.collect::<Result<_>>()?;
        complete.into_iter().try_for_each(CompleteOutput::publish)
    }
}

/// Longest word that is shown whole, so that a line holds it.
const LONGEST_WORD: usize = 64;

/// A word for people: its letters, with runs of more than three written as powers; `..` for the rest of a
/// long one.
pub fn words_of(bytes: &[u8]) -> String {
    let mut words = String::new();
    for run in bytes.chunk_by(|one, next| one == next) {
        if words.len() > LONGEST_WORD {
            return words + "..";
        }
        let letter = match run[0] {
            letter if letter.is_ascii_alphanumeric() => char::from(letter).to_string(),
            other => format!("\\x{other:02x}"),
        };
        match run.len() {
            length @ 1..=3 => words += &letter.repeat(length),
            length => _ = write!(words, "{letter}^{length} "),
        }
    }
    words.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_files_hold_the_input() {
        let folder = tempfile::tempdir().unwrap();
        let input = SearchInput { pattern: b"aab".to_vec(), block: b"aaab".to_vec(), text_length: 10 };
        let new = InputFolder::new(&folder.path().join("new")).unwrap();
        new.keep(&input, "note\n").unwrap();
        let read = |name| fs::read(folder.path().join("new").join(name)).unwrap();
        assert_eq!(
            [read("text"), read("pattern"), read("note.txt")],
            [&b"aaabaaabaa"[..], b"aab", b"note\n"]
        );
    }

    #[test]
    fn a_folder_has_all_files_or_none_and_a_new_one_is_gone_without_them() {
        let place = tempfile::tempdir().unwrap();
        let new = InputFolder::new(&place.path().join("a/b")).unwrap();
        assert_eq!(place.path().join("a/b").read_dir().unwrap().count(), FILES.len());
        drop(new);
        assert_eq!(place.path().read_dir().unwrap().count(), 0);
        fs::write(place.path().join("text"), "mine").unwrap();
        drop(InputFolder::new(place.path()).unwrap());
        assert_eq!(fs::read(place.path().join("text")).unwrap(), b"mine");
        assert_eq!(place.path().read_dir().unwrap().count(), 1);
        fs::create_dir(place.path().join("pattern")).unwrap();
        assert!(InputFolder::new(place.path()).is_err());
        assert_eq!(place.path().read_dir().unwrap().count(), 2, "no temporary file is left");
    }

    #[test]
    fn runs_are_powers_and_long_words_are_cut() {
        let words = ["ab", "aaab", "baaaaaaa", "aaaab", "a\0"].map(|word| words_of(word.as_bytes()));
        assert_eq!(words, ["ab", "aaab", "ba^7", "a^4 b", "a\\x00"]);
        let long = words_of(&b"ab".repeat(100));
        assert!(long.ends_with("..") && long.len() < LONGEST_WORD + 5, "{long}");
    }
}
