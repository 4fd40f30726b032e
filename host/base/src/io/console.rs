//! The terminal. Standard output gets only data; messages go to standard error.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::{ColorChoice, ValueEnum};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::fold;
use crate::error::{Error, Result};

/// The time left is estimated after this time, because the first steps of a run are unlike the others: they gave
/// minutes for runs of seconds.
const ESTIMATED_AFTER: Duration = Duration::from_secs(3);

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The amount and the colours of messages.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Whether details are printed too.
    pub verbose: bool,
    /// Whether only errors are printed.
    pub quiet: bool,
    color: bool,
    /// Whether data have colours, where they have a meaning that words have too.
    color_data: bool,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

impl Console {
    /// The console for these options.
    pub fn new(verbose: bool, quiet: bool, color: Color) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colored = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !unwanted,
        };
        let (color, color_data) = (colored(io::stderr().is_terminal()), colored(io::stdout().is_terminal()));
        Console { verbose, quiet, color, color_data }
    }

    /// Whether a progress bar can be shown.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Whether data have colours.
    pub fn colors_data(&self) -> bool {
        self.color_data
    }

    /// Whether the user can be asked: questions go to standard error, and answers come from standard input.
    pub fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Asks the user a question, which is answered by yes or no. Anything but yes is no, also the end of the
    /// input.
    ///
    /// # Errors
    /// If the answer can't be read.
    pub fn ask(&self, question: &str) -> Result<bool> {
        let mut out = io::stderr().lock();
        let failed = |error: io::Error| Error::new(format!("can't ask on this terminal: {error}"));
        write!(out, "{} [y/N] ", printable(question)).and_then(|()| out.flush()).map_err(failed)?;
        let mut answer = String::new();
        if io::stdin().read_line(&mut answer).map_err(failed)? == 0 {
            // The terminal still stands at the end of the question.
            let _ = writeln!(out);
        }
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// A bar that shows the number of finished steps and the time left. It is invisible if no bar can be
    /// shown.
    pub fn progress(&self, steps: u64) -> ProgressBar {
        if !self.shows_progress() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %{left}  {msg}");
        let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            if state.pos() > 0 && state.elapsed() >= ESTIMATED_AFTER {
                let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
            }
        };
        ProgressBar::new(steps).with_style(style.expect("a valid template").with_key("left", left))
    }

    /// Prints a warning: something that endangers the result.
    pub fn warn(&self, message: &str) {
        if !self.quiet {
            self.say("warning: ", "\x1b[33m", message);
        }
    }

    /// Prints a note: something worth knowing.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            self.say("note: ", "\x1b[36m", message);
        }
    }

    /// Prints a detail, only with `--verbose`.
    pub fn detail(&self, message: &str) {
        if self.verbose {
            self.say("", "\x1b[2m", message);
        }
    }

    /// Prints the error that ends the program.
    pub fn error(&self, message: &str) {
        self.say("error: ", "\x1b[31m", message);
    }

    /// Messages quote input of the user, so they are made printable here.
    fn say(&self, label: &str, start: &str, message: &str) {
        let message = fold::folded(&format!("{label}{}", printable(message)), fold::width(io::stderr()), 2);
        let message = message.strip_prefix(label).unwrap_or(&message);
        let (start, end) = if self.color && !start.is_empty() { (start, "\x1b[0m") } else { ("", "") };
        // If standard error is closed, there is no place to report that.
        let _ = if label.is_empty() {
            writeln!(io::stderr(), "{start}{message}{end}")
        } else {
            writeln!(io::stderr(), "{start}{label}{end}{message}")
        };
    }

    /// Writes data to standard output. Control characters are escaped, because anybody may have written the
    /// data.
    ///
    /// # Errors
    /// If it can't be written, for example to a full disk. A reader that has gone away (`| head`) wants no
    /// more: that is no error.
    pub fn print(&self, data: &str) -> Result<()> {
        self.write(&printable(data))
    }

    /// Writes data as [`print`](Self::print) does. If data have colours, the first word of each line gets the
    /// one that `color` has for it, as a sequence for the terminal.
    ///
    /// # Errors
    /// As [`print`](Self::print).
    pub fn print_lines(&self, data: &str, color: impl Fn(&str) -> Option<&'static str>) -> Result<()> {
        let data = printable(data);
        if !self.color_data {
            return self.write(&data);
        }
        let colored = |line: &str| {
            let end = line.find([' ', '\n']).unwrap_or(line.len());
            let (word, rest) = line.split_at(end);
            match color(word) {
                Some(start) => format!("{start}{word}\x1b[0m{rest}"),
                None => line.to_owned(),
            }
        };
        self.write(&data.split_inclusive('\n').map(colored).collect::<String>())
    }

    fn write(&self, data: &str) -> Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(data.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Error::new(format!("can't write to standard output: {error}"))
                .remedy("send it to a file or pipe that takes all of it")),
            Ok(()) => Ok(()),
        }
    }
}

/// Whether a letter moves the cursor, turns the writing or forges another line.
pub fn moves(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text with control characters other than line feeds escaped, so that it can't change what a terminal
/// shows.
pub fn printable(text: &str) -> Cow<'_, str> {
    let harmful = |letter: char| moves(letter) && letter != '\n';
    if !text.contains(harmful) {
        return Cow::Borrowed(text);
    }
    let escape =
        |letter: char| if harmful(letter) { letter.escape_default().to_string() } else { letter.to_string() };
    Cow::Owned(text.chars().map(escape).collect())
}

/// "1 row", "2 rows".
pub fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Greatest number of names that are listed. Of the others only the number is given.
const NAMED: usize = 6;

/// Some names: "bf bm hor". If there are many, the first and their number: "a b c d e f .. (9 in all)".
pub fn abridged(names: &[String]) -> String {
    match names.get(NAMED) {
        Some(_) => format!("{} .. ({} in all)", names[..NAMED].join(" "), names.len()),
        None => names.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(printable("a\x1b[31mb\r\tc\nd é─"), "a\\u{1b}[31mb\\r\\tc\nd é─");
        assert!(matches!(printable("plain\n"), Cow::Borrowed(_)));
    }
}
