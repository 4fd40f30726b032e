//! Answers to command lines with mistakes in them.

use std::ffi::OsString;

use assay_base::error::{Error, excerpt, near};
use clap::{Arg, Command};

use super::smart::options;

/// Words that other programs have for a command of ours: the command that they follow, the words, and the
/// remedy.
const INSTEAD: &[(&str, &[&str], &str)] = &[
    ("assay", &["bench", "benchmark", "measure", "time"], "`assay run ALGO..` measures algorithms"),
    (
        "assay",
        &["chart", "picture", "plot", "show"],
        "`assay report --chart` and `--picture` draw a saved run",
    ),
    (
        "assay",
        &["check", "verify"],
        "`assay test ALGO..` tests algorithms, `assay plugins check FILE` a library",
    ),
    ("assay", &["cite", "references"], "`assay bibtex ALGO..` prints references"),
    ("assay", &["diff"], "`assay compare RUN RUN` compares saved runs"),
    (
        "assay",
        &["create", "init", "new"],
        "the page `Your first algorithm` of the book has a library to copy",
    ),
    ("assay", &["sets"], "`assay select list` lists the sets of algorithms"),
    ("assay", &["version"], "`assay --version` prints the version"),
    (
        "plugins",
        &["add", "install", "remove"],
        "libraries are found in folders: those of --plugin-dir and ASSAY_PLUGIN_PATH, ~/.local/share/assay/plugins, and \
         that of the program",
    ),
];

/// The names that other programs have for our options: a word without dashes, and the option.
const MEANT: &[(&str, &str)] = &[
    ("csv", "--format csv"),
    ("file", "--text"),
    ("iterations", "--runs"),
    ("json", "--format json"),
    ("length", "--plen"),
    ("lengths", "--plen"),
    ("plugins", "--plugin-dir"),
    ("repetitions", "--runs"),
    ("size", "--text-size"),
    ("timeout", "--time-limit"),
];

/// Whether this is a word after a single dash, rather than a number, or one or more options of one letter.
pub(super) fn is_dashed_word(arg: &str) -> bool {
    let Some(word) = arg.strip_prefix('-') else { return false };
    let letters = word.chars().all(|letter| "hqvV".contains(letter));
    word.len() > 1 && word.starts_with(char::is_alphabetic) && !letters
}

/// "unknown option `-pst`", with similar options of the command; of SMART's spellings, those with one dash.
pub(super) fn unknown(option: &str, args: &[OsString], command: &Command) -> Error {
    let common = command.get_arguments();
    let options = common.chain(chosen(args, command).get_arguments()).filter_map(|arg| arg.get_long());
    let ours: Vec<String> = options.map(|long| format!("--{long}")).collect();
    let smart = if option.starts_with("--") { Vec::new() } else { options::aliases(&ours) };
    let known: Vec<&str> = smart.into_iter().chain(ours.iter().map(String::as_str)).collect();
    let meant = MEANT.iter().find(|(name, meant)| {
        bare(option) == *name && known.iter().any(|known| meant.split(' ').next() == Some(known))
    });
    let close = near(bare(option), known.iter().map(|option| bare(option)));
    let close = close.iter().filter_map(|name| known.iter().copied().find(|option| bare(option) == *name));
    let close: Vec<&str> = match meant {
        Some((_, meant)) => vec![meant],
        None => close.collect(),
    };
    Error::new(format!("unknown option `{}`", excerpt(option))).remedy(match close.join(", ").as_str() {
        "" => "`--help` shows all options; write --OPTION=VALUE if it is a value".to_owned(),
        close => format!("did you mean {close}?"),
    })
}

/// An option without its dashes, which must not count as similarity.
fn bare(option: &str) -> &str {
    option.trim_start_matches('-')
}

/// The error for a word that is none of the commands that can stand there, with the command that does what
/// the user probably wants.
pub(super) fn unknown_command(word: &str, args: &[OsString], command: &Command) -> Error {
    let chosen = chosen(args, command);
    let of = chosen.get_name();
    let names = chosen.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
    let close = near(word, names);
    let meant = if close.is_empty() { String::new() } else { format!("did you mean {}? ", close.join(", ")) };
    let lower = word.to_lowercase();
    let instead =
        INSTEAD.iter().find(|(command, words, _)| *command == of && words.contains(&lower.as_str()));
    let remedy = match (of, instead) {
        (_, Some((_, _, instead))) => (*instead).to_owned(),
        ("select", None) => format!("{meant}`assay select add ALGO..` selects algorithms"),
        ("assay", None) if can_be_listed(&lower, command) => format!("`assay list {lower}` lists them"),
        ("assay", None) => format!("{meant}`assay -h` lists the commands"),
        (of, None) => format!("{meant}`assay {of} -h` lists its commands"),
    };
    let word = excerpt(word);
    let message = if of == "assay" {
        format!("there is no command `{word}`")
    } else {
        format!("`{of}` has no command `{word}`")
    };
    Error::new(message).remedy(remedy)
}

/// The command that the words of a line call.
fn chosen<'a>(args: &[OsString], command: &'a Command) -> &'a Command {
    args.iter().skip(1).fold(command, |chosen, arg| chosen.find_subcommand(arg).unwrap_or(chosen))
}

/// Whether `assay list` lists what this word names.
fn can_be_listed(word: &str, command: &Command) -> bool {
    let list = command.find_subcommand("list");
    let kinds = list.into_iter().flat_map(Command::get_positionals).flat_map(Arg::get_possible_values);
    kinds.into_iter().any(|kind| kind.matches(word, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(words: &[&str]) -> String {
        let options = ["text", "plen", "no-save", "runs"].map(|name| Arg::new(name).long(name));
        let common = ["quiet", "plugin-dir"].map(|name| Arg::new(name).long(name));
        let command = Command::new("assay").args(common);
        let command = command.subcommand(Command::new("run").args(options)).subcommand(Command::new("list"));
        let args: Vec<OsString> = ["assay"].iter().chain(words).map(OsString::from).collect();
        unknown(words.last().unwrap(), &args, &command).to_string()
    }

    #[test]
    fn an_unknown_word_is_named_whole_with_what_the_command_has() {
        for (word, meant) in [
            ("-no-save", "--no-save"),
            ("-txet", "-text"),
            ("-quite", "--quiet"),
            ("--plugins", "--plugin-dir"),
            ("--iterations", "--runs"),
        ] {
            let expected = format!("unknown option `{word}`\n  help: did you mean {meant}?");
            assert_eq!(answer(&["run", word]), expected);
        }
        assert!(answer(&["run", "-foo"]).contains("`-foo`\n  help: `--help` shows all options"));
        for other in ["-txet", "--iterations"] {
            assert!(answer(&["list", other]).contains("--help"), "{other}");
        }
    }

    #[test]
    fn an_unknown_command_is_answered_with_the_one_that_does_it() {
        let kinds = clap::builder::PossibleValuesParser::new(["algorithms", "corpora"]);
        let commands = [
            Command::new("run"),
            Command::new("list").arg(Arg::new("kind").value_parser(kinds)),
            Command::new("select").subcommand(Command::new("add")),
            Command::new("plugins").subcommand(Command::new("list")),
        ];
        let command = Command::new("assay").subcommands(commands);
        for (words, message) in [
            ("corpora", "there is no command `corpora`\n  help: `assay list corpora` lists them"),
            ("benchmark", "there is no command `benchmark`\n  help: `assay run ALGO..` measures algorithms"),
            ("rnu", "there is no command `rnu`\n  help: did you mean run? `assay -h` lists the commands"),
            ("xyzzy", "there is no command `xyzzy`\n  help: `assay -h` lists the commands"),
            (
                "select ad",
                "`select` has no command `ad`\n  help: did you mean add? `assay select add ALGO..` selects algorithms",
            ),
            (
                "plugins add",
                "`plugins` has no command `add`\n  help: libraries are found in folders: those of --plugin-dir",
            ),
            (
                "plugins lst",
                "`plugins` has no command `lst`\n  help: did you mean list? `assay plugins -h` lists its commands",
            ),
        ] {
            let args: Vec<OsString> =
                ["assay"].into_iter().chain(words.split(' ')).map(OsString::from).collect();
            let word = words.split(' ').next_back().unwrap();
            let answer = unknown_command(word, &args, &command).to_string();
            assert!(answer.starts_with(message), "{words}: {answer}");
        }
    }

    #[test]
    fn letters_and_numbers_after_a_dash_are_no_words() {
        assert!(is_dashed_word("-all") && is_dashed_word("-ns"));
        for other in ["-v", "-vq", "-1", "-", "--all", "all"] {
            assert!(!is_dashed_word(other), "{other}");
        }
    }
}
