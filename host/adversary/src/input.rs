//! A pattern, and a text that repeats a block.
//!
//! A change of the block changes the text everywhere, so a better block shows at once. A change of one
//! character of a long text would hardly be noticed.

use serde::{Deserialize, Serialize};

/// The lengths of an input, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputSize {
    /// Length of the pattern, at least 1.
    pub pattern: usize,
    /// Length of the text, at least that of the pattern.
    pub text: usize,
}

/// What is searched for, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SearchInput {
    /// The pattern, which is not empty.
    pub pattern: Vec<u8>,
    /// The bytes that the text repeats, at least one and no more than the text has.
    pub block: Vec<u8>,
    /// Length of the text.
    pub text_length: usize,
}

impl SearchInput {
    /// An input of this size: the pattern is cut or continued from its start, and the block is cut.
    pub(crate) fn fitted(mut pattern: Vec<u8>, mut block: Vec<u8>, size: InputSize) -> Self {
        if pattern.len() < size.pattern {
            pattern = repeated(&pattern, size.pattern);
        }
        pattern.truncate(size.pattern);
        block.truncate(size.text);
        SearchInput { pattern, block, text_length: size.text }
    }

    /// The text.
    pub fn text(&self) -> Vec<u8> {
        repeated(&self.block, self.text_length)
    }

    /// The same pattern and block, with a text of this length.
    #[must_use]
    pub fn with_text_length(&self, text_length: usize) -> Self {
        SearchInput { text_length, ..self.clone() }
    }
}

/// A word, repeated to this length.
pub(crate) fn repeated(word: &[u8], length: usize) -> Vec<u8> {
    word.iter().copied().cycle().take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_fitted_to_its_size() {
        let size = InputSize { pattern: 5, text: 7 };
        let short = SearchInput::fitted(b"ab".to_vec(), b"abc".to_vec(), size);
        assert_eq!((short.pattern.as_slice(), short.text().as_slice()), (&b"ababa"[..], &b"abcabca"[..]));
        let long = SearchInput::fitted(b"abcdefg".to_vec(), b"abcdefghi".to_vec(), size);
        assert_eq!((long.pattern.as_slice(), long.block.as_slice()), (&b"abcde"[..], &b"abcdefg"[..]));
        assert_eq!(short.with_text_length(2).text(), b"ab");
    }
}
