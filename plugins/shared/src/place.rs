//! A character of the pattern and its position.

/// A character of the pattern and its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From the pattern's first character on.
    pub offset: u32,
    /// The character.
    pub byte: u8,
}
