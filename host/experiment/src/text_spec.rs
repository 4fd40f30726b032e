//! Which text an experiment searches, as flags or a file name it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::recorded::TextRecord;

/// Before the name of a corpus where a text may be named as well: in ranges and calls.
pub(super) const CORPUS_PREFIX: &str = "corpus:";

/// Where the text comes from: at most one of `files`, `corpus` and `data`. Without any of them it is the text
/// embedded in the host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TextSpec {
    /// Names of texts, files or folders, which are joined in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The corpus that generates the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// The seed of a generated text; if left out, the seed of the experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The text itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Greatest length of the text in bytes; a generated text has exactly this length.
    pub bytes: usize,
    /// Repeats a shorter text until it has the greatest length.
    pub fill_buffer: bool,
    /// Whether to take the text as it is now, even if it differs from what is recorded.
    #[serde(skip)]
    pub force: bool,
    /// What the text was made of when this experiment was prepared. The text is refused if it has changed
    /// since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<TextRecord>,
}

impl Default for TextSpec {
    fn default() -> Self {
        TextSpec {
            files: Vec::new(),
            corpus: None,
            seed: None,
            data: None,
            bytes: 1 << 20,
            fill_buffer: false,
            force: false,
            recorded: Vec::new(),
        }
    }
}

impl TextSpec {
    /// The text of this name, a corpus if it begins with `corpus:`, with the size and all else as in this
    /// one.
    pub fn renamed(&self, name: &str) -> TextSpec {
        let unnamed = TextSpec { files: Vec::new(), corpus: None, data: None, ..self.clone() };
        match name.strip_prefix(CORPUS_PREFIX) {
            Some(corpus) => TextSpec { corpus: Some(corpus.to_owned()), ..unnamed },
            None => TextSpec { files: vec![name.to_owned()], ..unnamed },
        }
    }
}
