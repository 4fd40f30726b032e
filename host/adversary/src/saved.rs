//! The worst input as files that other commands take.

use std::fmt::Write as _;
use std::path::Path;

use assay_base::error::Result;
use assay_base::io::atomic::Output;

use crate::input::SearchInput;

/// Writes `text`, `pattern` and `note.txt`, which ends with a line feed, to a folder, which is made if there
/// is none.
///
/// # Errors
/// If they can't be written.
pub fn save(folder: &Path, input: &SearchInput, note: &str) -> Result<()> {
    let text = input.text();
    for (name, content) in
        [("text", text.as_slice()), ("pattern", &input.pattern), ("note.txt", note.as_bytes())]
    {
        Output::in_folder(folder, name)?.write(|out| out.write_all(content))?;
    }
    Ok(())
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
        save(&folder.path().join("new"), &input, "note\n").unwrap();
        let read = |name| fs::read(folder.path().join("new").join(name)).unwrap();
        assert_eq!(
            [read("text"), read("pattern"), read("note.txt")],
            [&b"aaabaaabaa"[..], b"aab", b"note\n"]
        );
    }

    #[test]
    fn runs_are_powers_and_long_words_are_cut() {
        let words = ["ab", "aaab", "baaaaaaa", "aaaab", "a\0"].map(|word| words_of(word.as_bytes()));
        assert_eq!(words, ["ab", "aaab", "ba^7", "a^4 b", "a\\x00"]);
        let long = words_of(&b"ab".repeat(100));
        assert!(long.ends_with("..") && long.len() < LONGEST_WORD + 5, "{long}");
    }
}
