//! Errors of an experiment in the words of its file: a message that speaks of options which the user did not
//! type names the keys of the file instead.

use std::path::Path;

use assay_base::error::Error;

use super::definition::is_field;

/// The options whose keys have other names, with these.
const KEYS: [(&str, &str); 15] = [
    ("text", "text.files"),
    ("corpus", "text.corpus"),
    ("rand", "text.corpus"),
    ("data", "text.data"),
    ("text-size", "text.bytes"),
    ("fill-buffer", "text.fill_buffer"),
    ("plen", "patterns.lengths"),
    ("pattern", "patterns.hex"),
    ("pattern-hex", "patterns.hex"),
    ("patterns", "patterns.kind"),
    ("time-limit", "time_limit_ms"),
    ("searches", "call"),
    ("sum-range", "sumrange"),
    ("sum-range-parallel", "sumrange_parallel"),
    ("counter-option", "counter_options"),
];

/// Replaces the options that were not `typed` in an error by keys of the file. If there are any, the message
/// also names the file, with the line of the first key that is in it.
pub fn in_words_of(file: &Path, error: Error, typed: impl Fn(&str) -> bool) -> Error {
    let mut keys = Vec::new();
    let error = error.map(|text| {
        // The parts between backticks are commands or names, which stay as they are.
        let parts = text.split('`').enumerate().map(|(i, part)| match i % 2 {
            0 => in_keys(part, &typed, &mut keys),
            _ => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join("`")
    });
    if keys.is_empty() {
        return error;
    }
    let text = std::fs::read_to_string(file).unwrap_or_default();
    match keys.iter().find_map(|key| line_of(key, &text)) {
        Some(line) => error.after(&format!("{}:{line}: ", file.display())),
        None => error.within(file),
    }
}

/// The text with keys in the place of options that were not typed. The keys are added to `keys`.
fn in_keys(text: &str, typed: impl Fn(&str) -> bool, keys: &mut Vec<String>) -> String {
    let mut pieces = text.split("--");
    let mut replaced = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end =
            piece.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-').unwrap_or(piece.len());
        let (option, rest) = piece.split_at(end);
        match key_of(option).filter(|_| !typed(option)) {
            Some(key) => {
                replaced += &format!("`{key}`{rest}");
                keys.push(key);
            }
            None => replaced += &format!("--{piece}"),
        }
    }
    replaced
}

/// The key that means the same as an option; `None` if there is none.
fn key_of(option: &str) -> Option<String> {
    let other = KEYS.iter().find(|(known, _)| *known == option).map(|(_, key)| (*key).to_owned());
    other.or_else(|| Some(option.replace('-', "_")).filter(|name| !name.is_empty() && is_field(name)))
}

/// The number of the line, from 1, in which a key has its value.
fn line_of(key: &str, text: &str) -> Option<usize> {
    let name = key.rsplit('.').next()?;
    let index = text.lines().position(|line| {
        line.trim_start().strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='))
    });
    index.map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Experiment;

    #[test]
    fn mistakes_in_a_file_are_reported_by_keys_and_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        let message = |text: &str, typed: &[&str]| {
            std::fs::write(&path, text).unwrap();
            let error = Experiment::load(&path).unwrap().validate().unwrap_err();
            let error = in_words_of(&path, error, |option| typed.contains(&option)).to_string();
            error.replace(&path.display().to_string(), "x.toml")
        };
        assert_eq!(
            message("runs = 0", &[]),
            "x.toml:1: the number of runs must be at least 1\n  help: give `runs` 1 or more"
        );
        assert_eq!(
            message("runs = 0", &["runs"]),
            "the number of runs must be at least 1\n  help: give --runs 1 or more"
        );
        assert_eq!(
            message("runs = 8\nmost_runs = 9", &[]),
            "x.toml:2: `most_runs` is the limit of `until` and `budget`, and neither is given\n  help: give one of them, or \
             `runs` alone"
        );
        assert_eq!(
            message("range = { threads = [1, 2] }\n[patterns]\nlengths = [2, 4]", &["range"]),
            "x.toml:3: the range goes over threads, so exactly one pattern length is needed\n  help: give it with `patterns.lengths`, or the pattern with `patterns.hex`"
        );
    }

    #[test]
    fn commands_and_options_without_a_key_stay() {
        let error = Error::new("see `assay run --runs 3`").remedy("or --force, -- or --dry-run");
        assert_eq!(in_words_of(Path::new("x.toml"), error.clone(), |_| false), error);
    }
}
