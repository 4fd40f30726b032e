//! What `-h` shows of a command: the most used options, a line each, on one screen. `--help` shows
//! everything.

use clap::{Arg, Command};

/// Arguments that `-h` shows of the commands that have too many for one screen. Of other commands it shows
/// all.
const SHOWN: &[(&str, &[&str])] = &[
    (
        "run",
        &[
            "algorithms",
            "all",
            "stats",
            "text",
            "plen",
            "runs",
            "until",
            "counters",
            "metric",
            "format",
            "out",
        ],
    ),
    ("plan", &["events", "counters", "method", "anchor", "fixed", "conflict", "blocks", "out", "format"]),
    ("collect", &["plan", "algorithms", "all", "text", "plen", "runs", "ideal", "resume", "out"]),
    (
        "merge",
        &["method", "inputs", "counters", "anchor", "names", "diagnostics", "picture", "out", "format"],
    ),
    ("test", &["algorithms", "all", "update", "quick", "plen", "seed", "jobs", "fail_only", "format"]),
    (
        "report",
        &[
            "result", "baseline", "metric", "stat", "only", "top", "at", "chart", "picture", "format", "to",
            "out",
        ],
    ),
    ("adversary", &["algorithm", "plen", "by", "budget", "save", "format"]),
    ("crossover", &["algorithms", "budget", "range", "rand", "plen", "emit", "to", "format"]),
    ("explain", &["names", "with", "text", "to", "format"]),
    ("compare", &["results", "fail_if_slower", "ranks", "only", "at", "format", "to", "out"]),
];

/// Commands that `assay -h` leaves out, because they are used once, to set up a shell.
const OF_SETUP: [&str; 2] = ["completions", "man"];

/// The examples that are shown of each command.
const EXAMPLES: usize = 3;

/// A longer name of a value would leave too little room for the help beside it.
const LONGEST_NAME: usize = 16;

/// The parts of `assay -h`. Options are left out: those that it lists for `--help` go with every command.
const OVERVIEW: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\nCommands:\n{subcommands}{after-help}";

/// The last line of `assay -h`.
const NEXT: &str = "Try `assay run bf bm hor`. `assay COMMAND -h` summarizes, `--help` shows all.";

/// The command line with the help of `-h` in its short form.
pub(super) fn summarized(command: Command) -> Command {
    let command = command
        .disable_help_subcommand(true)
        .help_template(OVERVIEW)
        .after_help(NEXT)
        .mut_args(|arg| arg.hide_short_help(true));
    command.mut_subcommands(|command| {
        let is_left_out = command.is_hide_set() || OF_SETUP.contains(&command.get_name());
        let words = command.get_name().to_owned();
        short_form(command, &words).hide(is_left_out)
    })
}

/// A command, which these words call, and its subcommands in their short form.
fn short_form(command: Command, words: &str) -> Command {
    let shown = SHOWN.iter().find(|(of, _)| *of == words).map(|(_, shown)| *shown);
    let examples = command.get_after_help().and_then(|help| first_examples(&help.to_string()));
    let command = command.mut_args(|arg| {
        let is_shown = shown.is_none_or(|shown| shown.contains(&arg.get_id().as_str()));
        let is_hidden = !is_shown || arg.is_hide_short_help_set();
        let arg = arg.hide_short_help(is_hidden).help_heading(None::<&'static str>);
        with_short_values(arg)
    });
    let command = match examples {
        Some(examples) => command.after_help(examples),
        None => command,
    };
    command.mut_subcommands(|command| {
        let words = format!("{words} {}", command.get_name());
        short_form(command, &words)
    })
}

/// An option without the list of its values, and with the first of the alternatives in the name of its value
/// if that is long.
fn with_short_values(arg: Arg) -> Arg {
    let name = match arg.get_value_names() {
        Some([name]) if name.len() > LONGEST_NAME => name.split('|').next().map(str::to_owned),
        _ => None,
    };
    let has_value = !arg.is_positional() && arg.get_action().takes_values();
    let arg = if has_value { arg.hide_possible_values(true) } else { arg };
    match name {
        // Leaked, because clap needs names that live as long as the program, which ends after its help.
        Some(name) => arg.value_name(&*name.leak()),
        None => arg,
    }
}

/// The first examples of a help text, with their heading; `None` if it has none.
fn first_examples(help: &str) -> Option<String> {
    const HEADING: &str = "Examples:\n";
    let (_, examples) = help.split_once(HEADING)?;
    let mut count = 0;
    // The lines of an example that go on are indented further.
    let lines = examples.lines().take_while(|line| {
        count += usize::from(!line.starts_with("    "));
        line.starts_with("  ") && count <= EXAMPLES
    });
    Some(HEADING.to_owned() + &lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    /// The lines of a screen, and some that scroll out of it.
    const MOST_LINES: usize = 30;

    /// Adds what `-h` prints of a command and of its subcommands, each with the words that call it.
    fn add_summaries(command: &mut Command, words: &str, found: &mut Vec<(String, String)>) {
        found.push((words.to_owned(), command.render_help().to_string()));
        for command in command.get_subcommands_mut() {
            let words = format!("{words} {}", command.get_name());
            add_summaries(command, &words, found);
        }
    }

    fn summaries() -> Vec<(String, String)> {
        let mut command = summarized(Cli::command().term_width(80));
        command.build();
        let mut found = Vec::new();
        add_summaries(&mut command, "assay", &mut found);
        found
    }

    #[test]
    fn each_summary_fits_a_screen() {
        for (words, help) in summaries() {
            let lines = help.lines().count();
            assert!(lines <= MOST_LINES, "`{words} -h` has {lines} lines:\n{help}");
            let wide = help.lines().find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "`{words} -h`");
        }
    }

    #[test]
    fn summaries_have_examples_and_leave_common_options_to_the_full_help() {
        for (words, help) in summaries() {
            assert!(!help.contains("--plugin-dir <"), "`{words} -h`:\n{help}");
            assert!(words == "assay" || help.contains("\nExamples:\n  "), "`{words} -h`:\n{help}");
        }
    }

    #[test]
    fn every_argument_that_is_shown_exists() {
        let mut command = Cli::command();
        command.build();
        for (words, shown) in SHOWN {
            let of = words.split(' ').fold(&command, |command, word| {
                command.find_subcommand(word).unwrap_or_else(|| panic!("there is no command `{words}`"))
            });
            for id in *shown {
                assert!(of.get_arguments().any(|arg| arg.get_id() == *id), "`{words}` has no `{id}`");
            }
        }
        for name in OF_SETUP {
            assert!(command.find_subcommand(name).is_some(), "there is no command `{name}`");
        }
    }

    #[test]
    fn the_first_examples_are_whole() {
        let help = "x\n\nExamples:\n  a \\\n    b\n  c\n  d\n  e\n\nmore";
        assert_eq!(first_examples(help).as_deref(), Some("Examples:\n  a \\\n    b\n  c\n  d"));
        assert_eq!(first_examples("Examples:\n  a\n\n  no example").as_deref(), Some("Examples:\n  a"));
        assert_eq!(first_examples("none"), None);
    }
}
