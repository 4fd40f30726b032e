//! A character of the pattern and its position.
//!
//! Not that of the search library, whose offset is a `usize`: twins count the bytes of their tables, and four
//! are enough for an offset.

/// A character of the pattern and its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From the pattern's first character on.
    pub offset: u32,
    /// The character.
    pub byte: u8,
}
