//! SMART's spellings of `select`: each of its options is a command of ours.

use std::ffi::{OsStr, OsString};

use assay_base::error::{Error, Result, near};
use clap::Command;

use crate::cli::mistakes;

/// An option, the words that stand for it here, and whether a name must follow.
const OPTIONS: &[(&str, &[&str], bool)] = &[
    ("-a", &["add"], true),
    ("-all", &["add", "--all"], false),
    ("-r", &["remove"], true),
    ("-n", &["none"], false),
    ("-sa", &["show", "--all"], false),
    ("-ss", &["show"], false),
    ("-sn", &["show"], true),
    ("-ln", &["list"], false),
    ("-save", &["save"], true),
    ("-set", &["use"], true),
];

/// The arguments with SMART's option in our spelling; `None` for another command, and if there is no such
/// option.
///
/// # Errors
/// If there are several options, or one without its name, or an unknown one.
pub(super) fn spelled_out(args: &[OsString], command: &Command) -> Result<Option<Vec<OsString>>> {
    let first_command = (1..args.len()).find(|&at| command.find_subcommand(&args[at]).is_some());
    let Some(select) = first_command.filter(|&at| args[at] == "select") else { return Ok(None) };
    let (before, words) = args.split_at(select + 1);
    let Some((at, (smart, ours, named))) =
        words.iter().enumerate().find_map(|(at, word)| Some((at, spelling(word)?)))
    else {
        return unknown(words).map_or(Ok(None), Err);
    };
    let rest = &words[at + 1..];
    if let Some((second, ..)) = rest.iter().find_map(|word| spelling(word)) {
        return Err(
            Error::new(format!("`{smart}` and `{second}` at once")).remedy("write a command for each")
        );
    }
    if *named && rest.first().is_none_or(|word| word.as_encoded_bytes().starts_with(b"-")) {
        let value = if matches!(*smart, "-a" | "-r") { "the ids of algorithms" } else { "the name of a set" };
        return Err(Error::new(format!("`{smart}` needs {value} after it"))
            .remedy(format!("write {value} after `{smart}`; `assay list algorithms` shows the ids")));
    }
    let ours = ours.iter().map(OsString::from);
    let spelled = before.iter().chain(&words[..at]).cloned().chain(ours).chain(rest.iter().cloned());
    Ok(Some(spelled.collect()))
}

/// The entry of an option.
fn spelling(word: &OsStr) -> Option<&'static (&'static str, &'static [&'static str], bool)> {
    OPTIONS.iter().find(|(smart, ..)| word == *smart)
}

/// The error for an unknown word with a dash, if it resembles an option.
fn unknown(words: &[OsString]) -> Option<Error> {
    let words = words.iter().filter_map(|word| word.to_str());
    let word = words.into_iter().find(|word| mistakes::is_dashed_word(word))?;
    let options = OPTIONS.iter().map(|(smart, ..)| smart.trim_start_matches('-'));
    let close: Vec<String> =
        near(word.trim_start_matches('-'), options).iter().map(|close| format!("-{close}")).collect();
    (!close.is_empty()).then(|| {
        Error::new(format!("unknown option `{word}`")).remedy(format!("did you mean {}?", close.join(", ")))
    })
}

/// All spellings, for the test of their documentation.
#[cfg(test)]
pub(super) fn spellings() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|(smart, ..)| *smart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(words: &str) -> Result<Option<String>, String> {
        let command = Command::new("assay").subcommands([Command::new("select"), Command::new("run")]);
        let args: Vec<OsString> = format!("assay {words}").split(' ').map(OsString::from).collect();
        let spelled = spelled_out(&args, &command).map_err(|error| error.to_string())?;
        Ok(spelled.map(|args| args[1..].join(OsStr::new(" ")).into_string().unwrap()))
    }

    #[test]
    fn an_option_is_a_command() {
        for (smart, ours) in [
            ("select -a hor bm -v", "select add hor bm -v"),
            ("-q --plugin-dir x select -r b.*", "-q --plugin-dir x select remove b.*"),
            ("select --format json -sa", "select --format json show --all"),
            ("select -sn mine", "select show mine"),
        ] {
            assert_eq!(spelled(smart), Ok(Some(ours.to_owned())));
        }
        for other in ["select add hor", "select -h", "run -a", "run select -a hor"] {
            assert_eq!(spelled(other), Ok(None), "{other}");
        }
    }

    #[test]
    fn what_makes_no_command_is_refused() {
        for (smart, message) in [
            ("select -a hor -r bm", "`-a` and `-r` at once\n  help: write a command for each"),
            ("select -save", "`-save` needs the name of a set"),
            ("select -a -v", "`-a` needs the ids of algorithms"),
            ("select -svae mine", "unknown option `-svae`\n  help: did you mean -save"),
        ] {
            let error = spelled(smart).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
