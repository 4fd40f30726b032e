//! SMART's single-dash options: each is an alias of a long one.

use std::ffi::OsString;

use clap::Command;

use crate::error::{Error, Result, excerpt, near};

/// SMART's spelling and ours.
const ALIASES: &[(&str, &str)] = &[
    ("-text", "--text"),
    ("-rand", "--rand"),
    ("-data", "--data"),
    ("-stats", "--stats"),
    ("-plen", "--plen"),
    ("-inc", "--increment"),
    ("-short", "--short"),
    ("-vshort", "--very-short"),
    ("-pat", "--pattern"),
    ("-all", "--all"),
    ("-runs", "--runs"),
    ("-ts", "--text-size"),
    ("-fb", "--fill-buffer"),
    ("-rs", "--seed"),
    ("-pre", "--preprocessing"),
    ("-occ", "--occurrences"),
    ("-tb", "--time-limit"),
    ("-pin", "--pin"),
    ("-cstats", "--cpu-stats"),
    ("-desc", "--description"),
    ("-ns", "--no-save"),
    ("-prec", "--precision"),
];

/// The arguments with SMART's options spelled out. SMART's users write algorithms behind `-text NAME` too: it takes the
/// first word, and those that follow as long as they are texts; `--text` takes all. Whether one is, only the disk knows:
/// `is_text` asks it.
///
/// # Errors
/// If a word with a single dash is no option: the parser would take it for several options of one letter.
pub fn spelled_out(
    args: &[OsString],
    command: &Command,
    is_text: impl Fn(&str) -> bool,
) -> Result<Vec<OsString>> {
    let mut spelled = Vec::new();
    let mut left = args.iter().peekable();
    while let Some(arg) = left.next() {
        if arg == "--" {
            spelled.push(arg.clone());
            spelled.extend(left.by_ref().cloned());
        } else if let Some((smart, ours)) = ALIASES.iter().find(|(smart, _)| arg == *smart) {
            let before = spelled.len();
            let belongs = |word: &OsString, is_first: bool| {
                let is_option = word.as_encoded_bytes().starts_with(b"-");
                !is_option && (is_first || is_text(&word.to_string_lossy()))
            };
            while *smart == "-text"
                && let Some(name) = left.next_if(|word| belongs(word, spelled.len() == before))
            {
                let mut option = OsString::from("--text=");
                option.push(name);
                spelled.push(option);
            }
            if spelled.len() == before {
                spelled.push(OsString::from(ours));
            }
        } else if is_dashed_word(&arg.to_string_lossy()) {
            return Err(unknown(&arg.to_string_lossy(), args, command));
        } else {
            spelled.push(arg.clone());
        }
    }
    Ok(spelled)
}

/// Whether it is a word behind a single dash: not a number, nor one or more options of one letter.
fn is_dashed_word(arg: &str) -> bool {
    let Some(word) = arg.strip_prefix('-') else { return false };
    let letters = word.chars().all(|letter| "hqvV".contains(letter));
    word.len() > 1 && word.starts_with(char::is_alphabetic) && !letters
}

/// "unknown option `-pst`", with the near ones that the command has; with one dash as in SMART where it has them.
pub fn unknown(option: &str, args: &[OsString], command: &Command) -> Error {
    let common = command.get_arguments();
    let chosen =
        args.iter().skip(1).fold(command, |chosen, arg| chosen.find_subcommand(arg).unwrap_or(chosen));
    let options = common.chain(chosen.get_arguments()).filter_map(|arg| arg.get_long());
    let ours: Vec<String> = options.map(|long| format!("--{long}")).collect();
    let smart = ALIASES.iter().filter(|(_, alias)| ours.iter().any(|ours| ours == alias));
    let smart = smart.filter(|_| !option.starts_with("--"));
    let known: Vec<&str> = smart.map(|(smart, _)| *smart).chain(ours.iter().map(String::as_str)).collect();
    // The dashes make no option nearer.
    let bare = |option: &str| option.trim_start_matches('-').to_owned();
    let names: Vec<String> = known.iter().map(|option| bare(option)).collect();
    let close = near(&bare(option), names.iter().map(String::as_str));
    let close = close.iter().filter_map(|name| known.iter().copied().find(|option| bare(option) == *name));
    let close = close.collect::<Vec<_>>().join(", ");
    Error::new(format!("unknown option `{}`", excerpt(option))).remedy(match close.as_str() {
        "" => "`--help` tells all options; write --OPTION=VALUE if it is a value".to_owned(),
        close => format!("did you mean {close}?"),
    })
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn spelled(args: &[&str]) -> Result<Vec<String>, String> {
        let options = ["text", "pattern", "no-save"].map(|name| Arg::new(name).long(name));
        let command = Command::new("assay").arg(Arg::new("quiet").long("quiet"));
        let command = command.subcommand(Command::new("run").args(options));
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let spelled = spelled_out(&args, &command, |word| word == "proteins");
        let text = |arg: OsString| arg.into_string().unwrap();
        spelled.map(|args| args.into_iter().map(text).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn smart_spells_options_with_one_dash() {
        let args = ["assay", "run", "bf", "-text", "englishTexts", "hor", "-plen", "2", "-vq", "-1", "-"];
        let expected = ["assay", "run", "bf", "--text=englishTexts", "hor", "--plen", "2", "-vq", "-1", "-"];
        assert_eq!(spelled(&args).unwrap(), expected);
        let texts = ["assay", "-text", "englishTexts", "proteins", "hor"];
        assert_eq!(spelled(&texts).unwrap(), ["assay", "--text=englishTexts", "--text=proteins", "hor"]);
        assert_eq!(spelled(&["assay", "-text", "-all"]).unwrap(), ["assay", "--text", "--all"]);
        assert_eq!(spelled(&["assay", "--", "-all", "-foo"]).unwrap(), ["assay", "--", "-all", "-foo"]);
    }

    #[test]
    fn an_unknown_word_is_named_whole_with_what_the_command_has() {
        let error = |word| spelled(&["assay", "run", word]).unwrap_err();
        assert_eq!(error("-no-save"), "unknown option `-no-save`\n  help: did you mean --no-save?");
        assert_eq!(error("-txet"), "unknown option `-txet`\n  help: did you mean -text?");
        assert_eq!(error("-quite"), "unknown option `-quite`\n  help: did you mean --quiet?");
        assert!(error("-foo").contains("`-foo`\n  help: `--help` tells all options"));
        assert!(spelled(&["assay", "list", "-txet"]).unwrap_err().contains("--help"));
    }
}
