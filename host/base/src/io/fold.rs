//! Folds prose into lines that fit a terminal. Other output is not folded, because programs that read it need
//! whole lines.

use std::os::fd::AsFd;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The width of the terminal that is written to, in columns; `None` if it is no terminal.
pub fn width(output: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(output).ok()?;
    // A terminal of unknown size reports 0 columns; most have 80.
    Some(if size.ws_col == 0 { 80 } else { size.ws_col.into() })
}

/// Prose for standard output, folded if that is a terminal; see [`folded`].
pub fn for_output(text: &str, margin: usize) -> String {
    folded(text, width(std::io::stdout()), margin)
}

/// Prose in lines of this width. Each line of the text keeps its indentation. What does not fit goes on in
/// further lines, which are indented by at least `margin`, and deeper than the line that they belong to.
pub(crate) fn folded(text: &str, width: Option<usize>, margin: usize) -> String {
    let Some(width) = width else { return text.to_owned() };
    text.split('\n').map(|line| folded_line(line, width, margin)).collect::<Vec<_>>().join("\n")
}

fn folded_line(line: &str, width: usize, margin: usize) -> String {
    let words = line.trim_start_matches(' ');
    let indent = &line[..line.len() - words.len()];
    // In a very narrow terminal, half of it is left for words.
    let margin = " ".repeat(margin.max(indent.len() + 2).min(width / 2));
    textwrap::fill(words, between_words(width).initial_indent(indent).subsequent_indent(&margin))
}

/// The text in lines of this width, broken at spaces only. Blanks at its end stay, because in a column of
/// numbers a blank takes the place of a mark.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let words = text.trim_end_matches(' ');
    textwrap::fill(words, between_words(width)) + &text[words.len()..]
}

/// Lines are broken at spaces only, because names, paths and commands must stay in one piece to be copied.
fn between_words(width: usize) -> Options<'static> {
    Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_continue_after_the_margin() {
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
    fn blanks_at_the_end_keep_the_place_of_a_mark() {
        assert_eq!(wrapped("2.00 ", 80), "2.00 ");
        assert_eq!(wrapped("one two ", 4), "one\ntwo ");
    }

    #[test]
    fn what_is_no_terminal_has_no_width() {
        assert_eq!(width(tempfile::tempfile().unwrap()), None);
    }
}
