//! Prose in lines that fit a terminal. What goes elsewhere is not folded: a program that reads it wants its lines whole.

use std::os::fd::AsFd;

/// The columns of a terminal; `None` of what is none.
pub fn width(of: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(of).ok()?;
    // A terminal that does not know its size says 0.
    Some(if size.ws_col == 0 { 80 } else { size.ws_col.into() })
}

/// Prose for standard output, folded if that is a terminal. What goes on below has at least this margin, and a deeper one than
/// the line that it goes on from.
pub fn for_output(text: &str, margin: usize) -> String {
    folded(text, width(std::io::stdout()), margin)
}

/// The same for a width.
pub fn folded(text: &str, width: Option<usize>, margin: usize) -> String {
    let Some(width) = width else { return text.to_owned() };
    let fold = |line: &str| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let margin = margin.max(indent + 2).min(width / 2);
        let wrapped = wrapped_from(&line[indent..], indent, margin, width);
        format!("{:indent$}{wrapped}", "")
    };
    text.split('\n').map(fold).collect::<Vec<_>>().join("\n")
}

/// The text in lines of this width, broken at spaces only.
pub fn wrapped(text: &str, width: usize) -> String {
    wrapped_from(text, 0, 0, width)
}

/// The same where the first line begins in a column, and the others behind a margin.
fn wrapped_from(text: &str, column: usize, margin: usize, width: usize) -> String {
    let (mut lines, mut taken, mut begun) = (String::new(), column, false);
    for word in text.split(' ') {
        let length = word.chars().count();
        if begun && taken + 1 + length > width {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', margin));
            taken = margin;
        } else if begun {
            lines.push(' ');
            taken += 1;
        }
        lines.push_str(word);
        taken += length;
        begun = true;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_go_on_behind_the_margin() {
        let text = "error: it is wrong\n  help: do it again";
        assert_eq!(folded(text, Some(13), 2), "error: it is\n  wrong\n  help: do it\n    again");
        assert_eq!(folded(text, None, 2), text);
        assert_eq!(folded("a-word-that-is-too-long for it", Some(8), 2), "a-word-that-is-too-long\n  for it");
    }

    #[test]
    fn folding_loses_and_adds_no_word() {
        let text = "one two  three\n\nfour  five six ";
        for width in 1..30 {
            let folded = folded(text, Some(width), 4);
            assert!(folded.split_whitespace().eq(text.split_whitespace()), "{width}: {folded}");
        }
    }

    #[test]
    fn what_is_no_terminal_has_no_width() {
        assert_eq!(width(tempfile::tempfile().unwrap()), None);
    }
}
