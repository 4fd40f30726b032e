//! Words and their places in others, by definition; and what is not known of tables.

/// Whether a word is a factor of another.
pub fn is_factor(word: &[u8], whole: &[u8]) -> bool {
    word.is_empty() || whole.windows(word.len()).any(|factor| factor == word)
}

/// Where a word ends in another, each time that it occurs there.
pub fn ends(word: &[u8], whole: &[u8]) -> Vec<usize> {
    (word.len()..=whole.len()).filter(|&end| whole[..end].ends_with(word)).collect()
}

/// Fields that the papers leave open: an automaton may have a column for each byte, or one for each character
/// of the pattern, beside a table that maps bytes to columns.
pub const SIZES: [&str; 2] = ["lookup_entries", "lookup_entries2"];
