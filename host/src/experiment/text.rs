//! The text: found, read, generated, cut to length.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use assay_plugin_api::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::experiment::definition::TextSpec;
use crate::experiment::{selection, texts};
use crate::io::console::Console;
use crate::plugin::{Before, Registry};

/// The text that is searched when none is asked for: the Declaration of Independence and the Constitution of the United
/// States, in the public domain.
const EMBEDDED: &[u8] = include_bytes!("default_text.txt");

/// A text that is found: a file, or a folder of them.
struct Place {
    name: String,
    path: PathBuf,
}

/// A text and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its bytes; at least one.
    pub bytes: Vec<u8>,
    /// Files, a corpus, `data` or `embedded`.
    pub sources: Vec<String>,
}

/// What a result says of its text.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct TextFacts {
    /// Files, a corpus, `data` or `embedded`.
    pub sources: Vec<String>,
    /// Length in bytes.
    pub bytes: usize,
    /// SHA-256 of its bytes, in hexadecimal: shows whether a repeated run searched the same text.
    pub sha256: String,
    /// Number of different bytes.
    pub alphabet: usize,
    /// Shannon entropy of single bytes.
    pub entropy_bits_per_byte: f64,
}

impl Text {
    /// Finds or makes the text of an experiment.
    ///
    /// # Errors
    /// If there is no such text, it is empty, or a corpus fails.
    pub fn new(spec: &TextSpec, seed: u64, registry: &Registry, console: &Console) -> Result<Self> {
        let (bytes, sources) = if let Some(corpus) = &spec.corpus {
            (generate(corpus, spec.bytes, seed, registry)?, vec![corpus.clone()])
        } else if let Some(data) = &spec.data {
            (data.as_bytes().to_vec(), vec!["data".to_owned()])
        } else if spec.files.is_empty() {
            (EMBEDDED.to_vec(), vec!["embedded".to_owned()])
        } else {
            read_all(&find_all(&spec.files, registry)?, spec.bytes, console)?
        };
        let mut text = Text { bytes, sources };
        if text.bytes.is_empty() {
            return Err(Error::new(format!("the text is empty ({})", text.sources.join(", "))));
        }
        text.bytes.truncate(spec.bytes);
        if spec.fill_buffer {
            let missing = spec.bytes - text.bytes.len();
            text.bytes.try_reserve_exact(missing).map_err(|_| no_memory(spec.bytes))?;
        }
        while spec.fill_buffer && text.bytes.len() < spec.bytes {
            let missing = (spec.bytes - text.bytes.len()).min(text.bytes.len());
            text.bytes.extend_from_within(..missing);
        }
        Ok(text)
    }

    /// What a result says of it.
    pub fn facts(&self) -> TextFacts {
        let mut counts = [0u64; 256];
        for &byte in &self.bytes {
            counts[byte as usize] += 1;
        }
        let total = self.bytes.len() as f64;
        let share = |&count: &u64| count as f64 / total;
        let present = counts.iter().filter(|count| **count > 0);
        TextFacts {
            sources: self.sources.clone(),
            bytes: self.bytes.len(),
            sha256: hex::encode(Sha256::digest(&self.bytes)),
            alphabet: present.clone().count(),
            entropy_bits_per_byte: present.map(share).map(|p| -p * p.log2()).sum::<f64>().max(0.0),
        }
    }
}

fn generate(corpus: &str, bytes: usize, seed: u64, registry: &Registry) -> Result<Vec<u8>> {
    let (corpus, parameter) = registry.corpus(corpus)?;
    corpus.generate(Request { seed, parameter }, bytes, Before::Pattern)
}

fn no_memory(bytes: usize) -> Error {
    Error::new(format!("there is no memory for a text of {bytes} bytes")).remedy("give a smaller --text-size")
}

/// Joins files until the text is long enough, and reads no more of them: one may have no end.
fn read_all(places: &[Place], bytes: usize, console: &Console) -> Result<(Vec<u8>, Vec<String>)> {
    let (mut text, mut sources) = (Vec::new(), Vec::new());
    for Place { name, path } in places {
        let files = texts::files(path)?;
        if text.len() >= bytes {
            console.warn(&format!("the text is full with {bytes} bytes before `{name}`: raise --text-size"));
        }
        for file in files {
            if text.len() >= bytes {
                break;
            }
            let missing = (bytes - text.len()) as u64;
            File::open(&file)
                .and_then(|open| open.take(missing).read_to_end(&mut text))
                .map_err(|error| Error::io("read the text", &file, &error))?;
            sources.push(file.display().to_string());
        }
    }
    Ok((text, sources))
}

/// Finds the texts of these names. A word that is no text may be something else that the user knows.
fn find_all(names: &[String], registry: &Registry) -> Result<Vec<Place>> {
    let found = |name: &String| texts::find(name).map(|path| Place { name: name.clone(), path });
    let places: Vec<Option<Place>> = names.iter().map(found).collect();
    let Some(missing) = places.iter().position(Option::is_none) else {
        return Ok(places.into_iter().flatten().collect());
    };
    let name = &names[missing];
    let others = places.iter().flatten().map(|place| format!("`{}` is there; ", place.name));
    let others: String = others.take(1).collect();
    let instead = |what: &str, remedy: String| {
        Error::new(format!("{others}there is no text `{name}`, but {what} of this name")).remedy(remedy)
    };
    Err(if selection::named(name, registry).is_ok() {
        let remedy = format!("all words behind --text are texts; write `assay run {name} --text ..`");
        instead("an algorithm", remedy)
    } else if registry.corpus(name).is_ok() {
        instead("a corpus", format!("write `--corpus {name}`"))
    } else {
        texts::missing(name).after(&others)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::io::console::Color;

    fn console() -> Console {
        Console::new(false, true, Color::Never)
    }

    fn place(path: &Path) -> Place {
        Place { name: "text".to_owned(), path: path.to_owned() }
    }

    #[test]
    fn facts_of_a_text() {
        let text = Text { bytes: b"abab".to_vec(), sources: vec![] };
        let facts = text.facts();
        assert_eq!((facts.bytes, facts.alphabet, facts.entropy_bits_per_byte), (4, 2, 1.0));
    }

    #[test]
    fn no_more_is_read_than_is_needed() {
        let (text, _) = read_all(&[place("/dev/zero".as_ref())], 1000, &console()).unwrap();
        assert_eq!(text, [0; 1000]);
    }

    #[test]
    fn a_folder_is_its_files_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("b", "2"), ("a", "1"), (".hidden", "3")] {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let (text, sources) = read_all(&[place(folder.path())], 100, &console()).unwrap();
        assert_eq!((text.as_slice(), sources.len()), (&b"12"[..], 2));
    }
}
