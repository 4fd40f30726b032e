//! A text that is searched: found or generated, and cut to its length.

use assay_base::error::{Error, Result};
use assay_base::io::console::Console;
use assay_load::plugin::{InitialContent, Registry};
use assay_plugin_api::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files;
use crate::recorded::{self, TextRecord};
pub use crate::text_bytes::TextBytes;
use crate::text_spec::TextSpec;

/// The text that is searched if the user asks for none: the Declaration of Independence and the Constitution
/// of the United States. It is in the public domain, so it can be part of the program, and a first run needs
/// no file.
const EMBEDDED: &[u8] = include_bytes!("default_text.txt");

/// A text and its sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The bytes of the text, at least one.
    pub bytes: TextBytes,
    /// Paths of files, the id of a corpus, `data` or `embedded`.
    pub sources: Vec<String>,
}

/// The facts about a text that results have.
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
    /// Finds or makes a text of an experiment. Returns it with the records of what it is made of, for
    /// repetitions of the experiment.
    ///
    /// # Errors
    /// If there is no such text, it is empty, a corpus fails, or the text differs from what the experiment
    /// has recorded.
    pub fn new(
        spec: &TextSpec,
        seed: u64,
        registry: &Registry,
        console: &Console,
    ) -> Result<(Self, Vec<TextRecord>)> {
        let then = if spec.force { &[] } else { spec.recorded.as_slice() };
        let (mut bytes, sources, recorded) = if let Some(corpus) = &spec.corpus {
            let seed = spec.seed.unwrap_or(seed);
            let bytes = generate(corpus, spec.bytes, seed, registry)?;
            let recorded = recorded::made(corpus, Some(seed), &bytes, then)?;
            (bytes, vec![corpus.clone()], vec![recorded])
        } else if let Some(data) = &spec.data {
            (data.as_bytes().to_vec(), vec!["data".to_owned()], Vec::new())
        } else if spec.files.is_empty() {
            let recorded = recorded::made("embedded", None, EMBEDDED, then)?;
            (EMBEDDED.to_vec(), vec!["embedded".to_owned()], vec![recorded])
        } else {
            let joined = files::read(spec, registry, console)?;
            let recorded = joined.records();
            (joined.bytes, joined.sources, recorded)
        };
        if bytes.is_empty() {
            return Err(Error::new(format!("the text is empty ({})", sources.join(", "))).remedy(
                "name a file that has at least one byte, or another source (--rand, --corpus, --data)",
            ));
        }
        bytes.truncate(spec.bytes);
        if spec.fill_buffer {
            let missing = spec.bytes - bytes.len();
            bytes.try_reserve_exact(missing).map_err(|_| no_memory(spec.bytes))?;
        }
        while spec.fill_buffer && bytes.len() < spec.bytes {
            let missing = (spec.bytes - bytes.len()).min(bytes.len());
            bytes.extend_from_within(..missing);
        }
        let length = bytes.len();
        let bytes = TextBytes::new(bytes).map_err(|_| no_memory(length))?;
        Ok((Text { bytes, sources }, recorded))
    }

    /// The facts about this text.
    pub fn facts(&self) -> TextFacts {
        let mut counts = [0u64; 256];
        for &byte in &*self.bytes {
            counts[byte as usize] += 1;
        }
        let total = self.bytes.len() as f64;
        let share = |&count: &u64| count as f64 / total;
        let present = counts.iter().filter(|count| **count > 0);
        TextFacts {
            sources: self.sources.clone(),
            bytes: self.bytes.len(),
            sha256: hex::encode(Sha256::digest(&*self.bytes)),
            alphabet: present.clone().count(),
            entropy_bits_per_byte: present.map(share).map(|p| -p * p.log2()).sum::<f64>().max(0.0),
        }
    }
}

/// Generates a text of a corpus.
///
/// # Errors
/// If there is no such corpus, or it fails.
fn generate(corpus: &str, bytes: usize, seed: u64, registry: &Registry) -> Result<Vec<u8>> {
    let (corpus, parameter) = registry.corpus(corpus)?;
    corpus.generate(Request { seed, parameter }, bytes, InitialContent::Pattern)
}

/// The error that a text is too large.
fn no_memory(bytes: usize) -> Error {
    Error::new(format!("there is no memory for a text of {bytes} bytes")).remedy("give a smaller --text-size")
}

#[cfg(test)]
mod tests {
    use assay_base::io::console::Color;
    use assay_load::plugin::testing::with_corpus;

    use super::*;

    #[test]
    fn a_corpus_makes_the_text_from_the_seed_and_the_number_after_its_id() {
        let registry = with_corpus(assay_plugin_api::Corpus {
            id: "letters",
            parameter: Some(1..=9),
            generate: |Request { seed, parameter }, text| {
                let letters = (seed as usize..).map(|place| b'a' + (place % parameter) as u8);
                text.iter_mut().zip(letters).for_each(|(byte, letter)| *byte = letter);
                Ok(())
            },
            ..assay_plugin_api::Corpus::UNKNOWN
        });
        let text = |corpus: &str| {
            let spec = TextSpec { corpus: Some(corpus.to_owned()), bytes: 7, ..TextSpec::default() };
            Text::new(&spec, 5, &registry, &Console::new(false, true, Color::Never))
        };
        let (made, recorded) = text("letters3").unwrap();
        assert_eq!((&*made.bytes, made.sources), (&b"cabcabc"[..], vec!["letters3".to_owned()]));
        let recorded = &recorded[0];
        assert_eq!((recorded.seed, recorded.bytes, recorded.used), (Some(5), Some(7), 7));
        assert!(text("letters").unwrap_err().to_string().contains("takes a number from 1 to 9"));
    }

    #[test]
    fn facts_of_a_text() {
        let text = Text { bytes: b"abab".to_vec().into(), sources: vec![] };
        let facts = text.facts();
        assert_eq!((facts.bytes, facts.alphabet, facts.entropy_bits_per_byte), (4, 2, 1.0));
    }

    #[test]
    fn a_frequent_letter_has_less_entropy() {
        let facts = Text { bytes: b"aaab".to_vec().into(), sources: vec![] }.facts();
        assert!((facts.entropy_bits_per_byte - 0.811_278_124_459_132_8).abs() < 1e-12, "{facts:?}");
        assert_eq!(
            Text { bytes: b"aaaa".to_vec().into(), sources: vec![] }.facts().entropy_bits_per_byte,
            0.0
        );
    }
}
