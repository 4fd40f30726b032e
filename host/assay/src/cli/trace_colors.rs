//! The colours of a trace on the terminal.

use std::io::{self, Write};

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, printable};
use assay_trace::signs;

const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";

/// Prints a trace, with colours if data have them.
///
/// # Errors
/// If it can't be written. A reader that has gone away wants no more: that is no error.
pub(super) fn print_colored(trace: &str, console: &Console) -> Result<()> {
    if !console.colors_data() {
        return console.print(trace);
    }
    let colored = colored(&printable(trace));
    let mut out = io::stdout().lock();
    match out.write_all(colored.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::new(format!("can't write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// A printable trace with its matches in green and its mismatches in red.
fn colored(trace: &str) -> String {
    let line = |line: &str| match signs(line) {
        Some(signs) => {
            let colored =
                signs.replace('=', &format!("{GREEN}={PLAIN}")).replace('x', &format!("{RED}x{PLAIN}"));
            format!("{}{colored}", &line[..line.len() - signs.len()])
        }
        None => line.to_owned(),
    };
    trace.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_colours_and_all_else_is_as_it_was() {
        let trace = "a: x=\n  pattern  x=x\n  result   x=\n  shift 1\n";
        let marked = colored(trace);
        assert_eq!(marked.matches(GREEN).count(), 1);
        assert!(marked.contains("\n  result   \x1b[31mx\x1b[0m\x1b[32m=\x1b[0m\n"), "{marked:?}");
        assert_eq!([GREEN, RED, PLAIN].iter().fold(marked, |text, code| text.replace(code, "")), trace);
    }
}
