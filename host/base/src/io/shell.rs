//! Quoting the words of commands that are printed for the user to copy.

/// A word as the shell takes it: in quotes if it has characters that mean something to the shell.
pub fn quoted(word: &str) -> String {
    let mut bytes = word.bytes();
    if !word.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_./:@+,%=".contains(&byte)) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_read_more_in_it() {
        for (word, written) in
            [("hor", "hor"), ("far:hor", "far:hor"), ("b.*", "'b.*'"), ("", "''"), ("it's", r"'it'\''s'")]
        {
            assert_eq!(quoted(word), written);
        }
    }
}
