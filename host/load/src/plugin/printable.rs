//! Makes texts of libraries and files printable: each becomes one line without control characters, so that it
//! can't disturb a terminal or forge a line of output.

use assay_base::io::console::moves;
use serde_json::Value;

/// Greatest length of a message, in bytes. Longer ones are cut, because their beginning says enough, and a
/// library may send a MiB.
const LONGEST_MESSAGE: usize = 1 << 10;

/// Returns a text as one line. Escape sequences are left out. Each other character that would move the
/// cursor, change the direction of writing or begin a new line becomes a blank.
pub fn line(text: &str) -> String {
    console::strip_ansi_codes(text).chars().map(|letter| if moves(letter) { ' ' } else { letter }).collect()
}

/// Whether each text in this JSON certainly is one line already, as all are that a run writes, so that
/// [`lines`] would change nothing. It has no character that moves the cursor, except the line feeds between
/// texts, and no escape of any.
pub fn is_json_of_lines(json: &str) -> bool {
    let escapes = ["\\n", "\\r", "\\t", "\\b", "\\f", "\\u"];
    !json.contains(|letter| letter != '\n' && moves(letter))
        && !escapes.iter().any(|escape| json.contains(escape))
}

/// Makes each text of a JSON value one line, names included.
pub fn lines(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(moves) => *text = line(text),
        Value::Array(values) => values.iter_mut().for_each(lines),
        Value::Object(fields) => {
            if fields.keys().any(|name| name.contains(moves)) {
                *fields =
                    std::mem::take(fields).into_iter().map(|(name, value)| (line(&name), value)).collect();
            }
            fields.values_mut().for_each(lines);
        }
        _ => {}
    }
}

/// Returns a message as one line, cut to [`LONGEST_MESSAGE`].
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
    fn every_text_of_a_file_is_one_line() {
        let mut json = serde_json::json!({"\u{9b}a": ["b\n", {"c": "\x1b[31md"}], "e": 1, "f": "é"});
        lines(&mut json);
        assert_eq!(json, serde_json::json!({" a": ["b ", {"c": "d"}], "e": 1, "f": "é"}));
    }

    #[test]
    fn json_without_anything_to_change_is_recognised() {
        for text in
            ["a", "é\"/\\", "a\nb", "\u{1b}[31m", "\u{9b}", "\u{202e}", "\u{2028}", "\r", "\t", "\0", "\\n"]
        {
            let before = serde_json::json!({ text: [text, 1] });
            let mut after = before.clone();
            lines(&mut after);
            let known = is_json_of_lines(&serde_json::to_string_pretty(&before).unwrap());
            assert!(!known || before == after, "{text:?}");
        }
        assert!(is_json_of_lines("{\n  \"é\": \"a b\\\"\"\n}\n"));
    }

    #[test]
    fn of_a_long_message_the_beginning_is_shown() {
        assert_eq!(message("  short\n"), "short");
        let long = "é".repeat(2000);
        let shown = message(&long);
        assert!(shown.len() <= LONGEST_MESSAGE + 2 && shown.ends_with("é.."), "{}", shown.len());
    }
}
