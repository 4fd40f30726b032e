//! Texts that libraries give: for readers, so each is one line that can be printed anywhere.

/// Of a longer message its beginning is shown.
const LONGEST_MESSAGE: usize = 1 << 10;

/// A text as one line. Escape sequences are left out; what else would move the cursor, turn the writing or forge another line is
/// a blank.
pub fn line(text: &str) -> String {
    let moves = |letter: char| {
        letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    console::strip_ansi_codes(text).chars().map(|letter| if moves(letter) { ' ' } else { letter }).collect()
}

/// A message as one line, not too long.
pub fn message(text: &str) -> String {
    let mut end = text.len().min(LONGEST_MESSAGE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let rest = if end < text.len() { ".." } else { "" };
    line(text[..end].trim()) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_forges_no_line_and_colours_nothing() {
        assert_eq!(line("a\x1b[31m\r\nb\u{9b}2J\u{202e}c\u{2028}d é"), "a  b c d é");
    }

    #[test]
    fn of_a_long_message_the_beginning_is_shown() {
        assert_eq!(message("  short\n"), "short");
        let long = "é".repeat(2000);
        let shown = message(&long);
        assert!(shown.len() <= LONGEST_MESSAGE + 2 && shown.ends_with("é.."), "{}", shown.len());
    }
}
