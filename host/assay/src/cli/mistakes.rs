//! Answers to command lines with mistakes in them.

use std::ffi::OsString;

use assay_base::error::{Error, excerpt, near};
use clap::Command;

use super::smart::options;

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
    let chosen =
        args.iter().skip(1).fold(command, |chosen, arg| chosen.find_subcommand(arg).unwrap_or(chosen));
    let options = common.chain(chosen.get_arguments()).filter_map(|arg| arg.get_long());
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

/// The error for a word after `select` that is none of its commands.
pub(super) fn selecting(word: &str, command: &Command) -> Error {
    let select = command.find_subcommand("select");
    let commands = select.into_iter().flat_map(Command::get_subcommands).map(Command::get_name);
    let close = near(word, commands);
    let meant = if close.is_empty() { String::new() } else { format!("did you mean {}? ", close.join(", ")) };
    Error::new(format!("`select` has no command `{}`", excerpt(word)))
        .remedy(format!("{meant}`assay select add ALGO..` selects algorithms"))
}

#[cfg(test)]
mod tests {
    use clap::Arg;

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
    fn letters_and_numbers_after_a_dash_are_no_words() {
        assert!(is_dashed_word("-all") && is_dashed_word("-ns"));
        for other in ["-v", "-vq", "-1", "-", "--all", "all"] {
            assert!(!is_dashed_word(other), "{other}");
        }
    }
}
