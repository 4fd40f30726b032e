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
    ("html", "--format html"),
    ("json", "--format json"),
    ("latex", "--format latex"),
    ("length", "--plen"),
    ("lengths", "--plen"),
    ("markdown", "--format markdown"),
    ("output", "--to"),
    ("pdf", "--format pdf"),
    ("plugins", "--plugin-dir"),
    ("png", "--format png"),
    ("repetitions", "--runs"),
    ("size", "--text-size"),
    ("svg", "--format svg"),
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
    if let Some(word) = negative(option, args) {
        return Error::new(format!("`{}` is negative, which nothing here may be", excerpt(&word)))
            .remedy("`--help` shows what each option takes");
    }
    if let Some(owner) = owner_of(option, args, command) {
        return Error::new(format!("`{}` is an option of a command, and none is named", excerpt(option)))
            .remedy(format!("begin with the command: `assay {owner}`"));
    }
    let common = command.get_arguments();
    let options = common.chain(chosen(args, command).get_arguments()).filter_map(|arg| arg.get_long());
    let ours: Vec<String> = options.chain(["help", "version"]).map(|long| format!("--{long}")).collect();
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
        "" => {
            "`--help` shows all options; a value that begins with a dash is written --OPTION=VALUE".to_owned()
        }
        close => format!("did you mean {close}?"),
    })
}

/// The whole word that begins with this option, if it is a negative number, with or without a unit.
fn negative(option: &str, args: &[OsString]) -> Option<String> {
    let is_number = option.strip_prefix('-')?.starts_with(|letter: char| letter.is_ascii_digit());
    let words = args.iter().filter_map(|arg| arg.to_str());
    is_number.then(|| words.into_iter().find(|word| word.starts_with(option)).unwrap_or(option).to_owned())
}

/// The first command that has this option, if the line names no command.
fn owner_of<'a>(option: &str, args: &[OsString], command: &'a Command) -> Option<&'a str> {
    if chosen(args, command).get_name() != command.get_name() {
        return None;
    }
    let name = Some(bare(option).split('=').next()?);
    let has = |command: &&Command| command.get_arguments().any(|arg| arg.get_long() == name);
    Some(command.get_subcommands().find(has)?.get_name())
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

/// The error for a word that comes after all that a command takes.
pub(super) fn one_too_many(word: &str, args: &[OsString], command: &Command) -> Error {
    let chosen = chosen(args, command);
    let takes: Vec<String> = chosen.get_positionals().map(|arg| arg.to_string()).collect();
    let takes = if takes.is_empty() { "no words".to_owned() } else { takes.join(" ") };
    let remedy = match chosen.get_arguments().any(|arg| arg.get_long() == Some("with")) {
        true => format!("for two side by side: `--with {word}`"),
        false => format!("`assay {} --help` explains what it takes", chosen.get_name()),
    };
    Error::new(format!("`{}` is one word too many: `{}` takes {takes}", excerpt(word), chosen.get_name()))
        .remedy(remedy)
}

/// A message of clap with the range of a number in words: "not in 1..=4294967295" is "not 1 or more".
pub(super) fn range_in_words(message: &str) -> String {
    // The greatest number of a type is no limit that anybody has chosen.
    const OF_TYPES: [u64; 4] = [u16::MAX as u64, u32::MAX as u64, i64::MAX as u64, u64::MAX];
    let words = |range: &str| -> Option<String> {
        let (least, rest) = range.split_once("..")?;
        least.parse::<i128>().ok()?;
        let most = rest.trim_start_matches('=');
        Some(match most.parse::<u64>() {
            Ok(most) if !OF_TYPES.contains(&most) => format!("from {least} to {most}"),
            _ => format!("{least} or more"),
        })
    };
    let Some((before, range)) = message.split_once(" is not in ") else { return message.to_owned() };
    let (range, after) = range.split_once(char::is_whitespace).unwrap_or((range, ""));
    words(range).map_or_else(
        || message.to_owned(),
        |words| format!("{before} is not {words} {after}").trim_end().to_owned(),
    )
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
    fn ranges_are_said_in_words() {
        for (message, words) in [
            ("invalid value '0' for '--top <N>': 0 is not in 1..=4294967295", "0 is not 1 or more"),
            ("invalid value '99' for '--precision <N>': 99 is not in 0..=9", "99 is not from 0 to 9"),
            ("'--jobs <N>': 100001 is not in 1..=100000", "100001 is not from 1 to 100000"),
            ("invalid value 'x' for '--to': y is not in z", "y is not in z"),
        ] {
            let said = range_in_words(message);
            assert!(said.ends_with(words), "{said}");
        }
    }

    #[test]
    fn a_negative_value_and_an_option_without_its_command_are_named() {
        assert!(answer(&["run", "-5"]).starts_with("`-5` is negative"));
        let said = answer(&["--runs"]);
        assert!(said.contains("is an option of a command") && said.contains("`assay run`"), "{said}");
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
