//! Reads TOML files of the user.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::text_file;
use crate::error::{Error, Result, near};

/// More than any file that people write: an experiment that names all algorithms has 5 KiB. The parser needs
/// up to 1.2 KB for each byte, if a file has nothing but dots.
const MOST_BYTES: u64 = 2 << 20;

/// The content of a file.
///
/// # Errors
/// If it can't be read, or holds something else. The message names file and line.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = text_file::read(path, MOST_BYTES)?;
    toml::from_str(&text).map_err(|error| {
        let line =
            error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        Error::new(format!("{}:{line}: {}", path.display(), in_words(error.message())))
            .remedy("correct this line; the book explains the form of each file (experiments, planning)")
    })
}

/// The message of the parser, in words for people who write such files.
fn in_words(message: &str) -> String {
    let words = |kind: &str| match kind {
        "a sequence" => "a list like [1, 2]".to_owned(),
        "sequence" => "a list".to_owned(),
        "a map" | "map" => "a table".to_owned(),
        "a string" => "a text in quotes".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "usize" | "u64" | "u32" => "a whole number from 0 on".to_owned(),
        "f64" => "a number".to_owned(),
        other => match other.split_once(' ') {
            Some(("string", text)) => format!("the text {text}"),
            Some(("integer" | "floating" | "boolean", value)) => {
                value.trim_start_matches("point ").to_owned()
            }
            Some(("struct", _)) => "a table".to_owned(),
            _ => other.to_owned(),
        },
    };
    if message.starts_with("wanted exactly 1 element") {
        return "one entry belongs into this table, and no other".to_owned();
    }
    let wrong = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    match wrong.and_then(|wrong| wrong.rsplit_once(", expected ")) {
        Some((found, expected)) => format!("{} stands where {} is expected", words(found), words(expected)),
        None => message.replace("unknown variant", "unknown value") + &meant(message),
    }
}

/// The name of an unknown field.
pub fn unknown_field(message: &str) -> Option<&str> {
    message.split_once("unknown field `")?.1.split('`').next()
}

/// Names that are similar to an unknown one, as a question.
fn meant(message: &str) -> String {
    let Some(name) = unknown_field(message) else { return String::new() };
    let known = message.split_once("expected").map_or("", |(_, known)| known).split('`').skip(1).step_by(2);
    // Options of the command line have hyphens, so people write them in files as well.
    let close = near(&name.replace('-', "_"), known);
    if close.is_empty() { String::new() } else { format!("; did you mean {}?", close.join(", ")) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "nothing here can be read")]
    enum Choice {
        Sizes(Vec<usize>),
        Names(Vec<String>),
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "nothing here can be read")]
    struct File {
        choice: Option<Choice>,
        name: Option<String>,
        flag: Option<bool>,
        table: Option<BTreeMap<String, f64>>,
    }

    #[test]
    fn mistakes_are_reported_in_words_with_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        let message = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let error = read::<File>(&path).unwrap_err();
            error.message().strip_prefix(&format!("{}:", path.display())).unwrap().to_owned()
        };
        for (text, told) in [
            ("[choice]", "1: one entry belongs into this table, and no other"),
            ("[choice]\nsizes = [1]\nnames = []", "1: one entry belongs into this table, and no other"),
            (
                "[choice]\nsizes = \"1MiB\"",
                "2: the text \"1MiB\" stands where a list like [1, 2] is expected",
            ),
            ("[choice]\nsizes = [-1]", "2: `-1` stands where a whole number from 0 on is expected"),
            ("[choice]\nsize = [1]", "2: unknown value `size`, expected `sizes` or `names`"),
            (
                "nmae = \"x\"",
                "1: unknown field `nmae`, expected one of `choice`, `name`, `flag`, `table`; did you mean name?",
            ),
            ("name = 1.5", "1: `1.5` stands where a text in quotes is expected"),
            ("flag = [true]", "1: a list stands where true or false is expected"),
            ("table = 3", "1: `3` stands where a table is expected"),
        ] {
            assert_eq!(message(text), told, "{text}");
        }
    }
}
