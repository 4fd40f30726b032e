//! Records of what a text was made of when an experiment was prepared. A repeated experiment refuses another
//! text.

use assay_base::error::{Error, Result};
use assay_base::io::numbers::grouped;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The record of a file of a text, or of a generated or built-in text, at the time when it was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextRecord {
    /// The name that the user gave: a file, a folder or a corpus; `embedded` for the built-in text.
    pub name: String,
    /// The absolute path that the name led to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The name of the file, if the path is a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The seed of a generated text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Size in bytes of the file or of the generated text; `None` if a file has no size, such as a pipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How many of its bytes the text uses, from the first on.
    pub used: u64,
    /// SHA-256 of those bytes, in hexadecimal; `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl TextRecord {
    /// This record, with the first `used` of these bytes in use.
    #[must_use]
    pub(crate) fn using(&self, bytes: &[u8], used: usize) -> Self {
        let used = &bytes[..used.min(bytes.len())];
        let sha256 = (!used.is_empty()).then(|| hex::encode(Sha256::digest(used)));
        TextRecord { used: used.len() as u64, sha256, ..self.clone() }
    }

    /// Checks that a file is still the same. `now` may use more or fewer of the `bytes` that were read; as
    /// many bytes as this record has in use are compared.
    ///
    /// # Errors
    /// If the file has changed. The message has what was recorded, what was found, and what to do.
    pub fn check(&self, now: &TextRecord, bytes: &[u8]) -> Result<()> {
        let again;
        let now = if now.used == self.used {
            now
        } else {
            again = now.using(bytes, usize::try_from(self.used).unwrap_or(usize::MAX));
            &again
        };
        let same_size = self.bytes.is_none() || self.bytes == now.bytes;
        let same_content = self.sha256.is_none() || self.sha256 == now.sha256;
        if same_size && same_content { Ok(()) } else { Err(other(&self.name, Some(self), Some(now))) }
    }

    /// Whether both records are of the same file.
    fn is_of_the_file_of(&self, other: &TextRecord) -> bool {
        self.path.is_some() && self.path == other.path && self.name == other.name && self.file == other.file
    }

    /// The record in words, for messages.
    fn in_words(&self) -> String {
        let mut words = vec![match (&self.path, &self.file, self.seed) {
            (Some(path), Some(file), _) => format!("{path}/{file}"),
            (Some(path), None, _) => path.clone(),
            (None, _, Some(seed)) => format!("{} from seed {seed}", self.name),
            (None, _, None) => self.name.clone(),
        }];
        words.extend(self.bytes.map(bytes_in_words));
        if let Some(sha256) = &self.sha256 {
            let part = if self.bytes == Some(self.used) {
                String::new()
            } else {
                format!(" of the first {}", bytes_in_words(self.used))
            };
            words.push(format!("SHA-256{part} {sha256}"));
        }
        words.join(", ")
    }
}

/// A number of bytes, for messages.
fn bytes_in_words(bytes: u64) -> String {
    format!("{} bytes", grouped(bytes as f64, 0))
}

/// The record of a generated or built-in text. `seed` is that of a generated text, `then` the earlier
/// records.
///
/// # Errors
/// If an earlier record is of a text that was made in the same way, and the text is another.
pub fn made(name: &str, seed: Option<u64>, text: &[u8], then: &[TextRecord]) -> Result<TextRecord> {
    let unused = TextRecord {
        name: name.to_owned(),
        path: None,
        file: None,
        seed,
        bytes: Some(text.len() as u64),
        used: 0,
        sha256: None,
    };
    let now = unused.using(text, text.len());
    // A generated text may depend on its length from the first byte on, so only texts of the same length are
    // compared.
    let earlier = then.iter().find(|then| {
        let same_length = seed.is_none() || then.used == now.used;
        then.path.is_none() && then.name == name && then.seed == seed && same_length
    });
    if let Some(earlier) = earlier {
        earlier.check(&now, text)?;
    }
    Ok(now)
}

/// The records of several texts, each once. If several texts use the same file, the record that uses most of
/// it is kept.
pub fn all(of_texts: impl Iterator<Item = TextRecord>) -> Vec<TextRecord> {
    let mut all: Vec<TextRecord> = Vec::new();
    for record in of_texts {
        match all.iter().position(|known| known.is_of_the_file_of(&record)) {
            Some(known) if all[known].used < record.used => all[known] = record,
            None if !all.contains(&record) => all.push(record),
            _ => {}
        }
    }
    all
}

/// Checks that a text still consists of the same files. Nothing is compared if nothing was recorded.
///
/// # Errors
/// Names the first file that is missing or new.
pub(crate) fn same_files(then: &[&TextRecord], now: &[TextRecord]) -> Result<()> {
    if then.is_empty() {
        return Ok(());
    }
    let pairs = (0..then.len().max(now.len())).map(|index| (then.get(index).copied(), now.get(index)));
    for (then, now) in pairs {
        if let Some(record) = then.or(now)
            && then.map(|then| &then.file) != now.map(|now| &now.file)
        {
            return Err(other(&record.name, then, now));
        }
    }
    Ok(())
}

/// The error that a text is not the recorded one.
fn other(name: &str, then: Option<&TextRecord>, now: Option<&TextRecord>) -> Error {
    let in_words =
        |record: Option<&TextRecord>| record.map_or("no further file".to_owned(), TextRecord::in_words);
    let message = format!(
        "the text `{name}` is not the one that this experiment was prepared with\n  recorded: {}\n  found:    {}",
        in_words(then),
        in_words(now)
    );
    let path_then = then.and_then(|then| then.path.as_ref());
    let path_now = now.and_then(|now| now.path.as_ref());
    let elsewhere = path_then.filter(|then| path_now.is_some_and(|now| now != *then));
    let elsewhere = elsewhere.map(|path| format!(", `--text {path}` the one from there"));
    Error::new(message).remedy(format!(
        "--force takes the text as it is now{}; the figures can't be compared with those from before",
        elsewhere.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, file: Option<&str>, content: &[u8], used: usize) -> TextRecord {
        let recorded = TextRecord {
            name: "tale".to_owned(),
            path: Some(path.to_owned()),
            file: file.map(str::to_owned),
            seed: None,
            bytes: Some(content.len() as u64),
            used: 0,
            sha256: None,
        };
        recorded.using(content, used)
    }

    #[test]
    fn a_file_is_held_to_its_size_and_to_what_was_used_of_it() {
        let then = file("/a", None, b"abcdef", 3);
        let check = |content: &[u8], used| then.check(&file("/b", None, content, used), content);
        assert!(check(b"abcdef", 3).is_ok());
        assert!(check(b"abcxyz", 3).is_ok(), "what was not used was not measured");
        for (content, used) in [(b"abXdef".as_slice(), 3), (b"abcdefg", 3), (b"abcde", 3), (b"ab", 2)] {
            assert!(check(content, used).is_err(), "{content:?}");
        }
    }

    #[test]
    fn using_more_or_less_of_a_file_does_not_change_it() {
        let then = file("/a", None, b"abcdef", 3);
        for used in [0, 2, 3, 6] {
            assert!(then.check(&file("/a", None, b"abcdef", used), b"abcdef").is_ok(), "{used}");
            assert!(then.check(&file("/a", None, b"aXcdef", used), b"aXcdef").is_err(), "{used}");
        }
    }

    #[test]
    fn of_a_file_that_several_texts_use_the_most_is_recorded() {
        let [short, long] = [2, 5].map(|used| file("/a", None, b"abcdef", used));
        let made = made("rand4", Some(7), b"abcd", &[]).unwrap();
        let texts = [short.clone(), long.clone(), made.clone(), short, made.clone()];
        assert_eq!(all(texts.into_iter()), [long, made]);
    }

    #[test]
    fn what_is_not_recorded_is_not_compared() {
        let then = TextRecord { bytes: None, sha256: None, ..file("/a", None, b"abc", 3) };
        assert!(then.check(&file("/a", None, b"xyz?", 3), b"xyz?").is_ok());
        assert!(same_files(&[], &[file("/a", None, b"x", 1)]).is_ok());
    }

    #[test]
    fn a_folder_has_the_same_files() {
        let [a, b] = ["a", "b"].map(|name| file("/t", Some(name), b"abc", 3));
        let same = |then: &[&TextRecord], now: &[&TextRecord]| {
            let now: Vec<TextRecord> = now.iter().map(|one| (*one).clone()).collect();
            same_files(then, &now).map_err(|error| error.to_string())
        };
        assert_eq!(same(&[&a, &b], &[&a, &b]), Ok(()));
        assert!(
            same(&[&a], &[&a, &b]).unwrap_err().contains("recorded: no further file\n  found:    /t/b, ")
        );
        assert!(same(&[&a, &b], &[&a]).unwrap_err().contains("/t/b, 3 bytes, SHA-256 ba7816bf"));
        assert!(same(&[&b], &[&a]).is_err());
    }

    #[test]
    fn a_text_that_was_made_is_held_to_if_it_is_made_in_the_same_way() {
        let then =
            [made("rand4", Some(7), b"abcd", &[]).unwrap(), made("embedded", None, b"We", &[]).unwrap()];
        let again = |name, seed, text| made(name, seed, text, &then).is_ok();
        assert!(again("rand4", Some(7), b"abcd") && !again("rand4", Some(7), b"abcx"));
        assert!(again("rand4", Some(8), b"abcx") && again("rand2", Some(7), b"abcx"));
        assert!(again("rand4", Some(7), b"xyz"), "a text of another length is another");
        assert!(again("embedded", None, b"We") && !again("embedded", None, b"We the"));
    }

    #[test]
    fn the_message_says_what_was_recorded_what_is_found_and_what_helps() {
        let then = file("/a/tale", None, b"abcdef", 3);
        let message = then.check(&file("/b/tale", None, b"ABCDEFG", 3), b"ABCDEFG").unwrap_err().to_string();
        for words in [
            "the text `tale` is not the one",
            "recorded: /a/tale, 6 bytes, SHA-256 of the first 3 bytes ba7816bf",
            "found:    /b/tale, 7 bytes, SHA-256 of the first 3 bytes b5d4045c",
            "--force takes the text as it is now, `--text /a/tale` the one from there",
        ] {
            assert!(message.contains(words), "{words} in\n{message}");
        }
    }
}
