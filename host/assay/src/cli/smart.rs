//! SMART's spellings: each of its options becomes an option of ours, or is refused with the option or command
//! that does the same here.

pub(super) mod options;
mod select;

use std::ffi::OsString;

use assay_base::error::{Error, Result};
use clap::Command;

use super::mistakes;
use options::{FIRST_VERSION, OF_TEST, OPTIONS, Translation};

use Translation::{Made, Ours, Refused};

/// The arguments with SMART's options in our spelling.
///
/// # Errors
/// If an option does not exist here. Unknown words with a single dash are refused here because
/// clap would take them for several options of one letter.
pub(super) fn spelled_out(args: &[OsString], command: &Command) -> Result<Vec<OsString>> {
    let select = select::spelled_out(args, command)?;
    let args = select.as_deref().unwrap_or(args);
    let (mut spelled, mut of_command): (_, &[_]) = (Vec::new(), &[]);
    let mut words = args.iter().peekable();
    while let Some(arg) = words.next() {
        if arg == "--" {
            spelled.push(arg.clone());
            spelled.extend(words.by_ref().cloned());
            break;
        }
        if arg == "test"
            && spelled.iter().skip(1).all(|word: &OsString| word.as_encoded_bytes().starts_with(b"-"))
        {
            of_command = OF_TEST;
        }
        match of_command.iter().chain(OPTIONS).chain(FIRST_VERSION).find(|(smart, _)| arg == *smart) {
            Some((_, Ours(ours))) => spelled.push(ours.into()),
            Some((_, Made(_, make))) => spelled.extend(make(&mut words)?),
            Some((smart, Refused(instead))) => {
                return Err(Error::new(format!("`{smart}` of SMART is not here")).remedy(*instead));
            }
            None if mistakes::is_dashed_word(&arg.to_string_lossy()) => {
                return Err(mistakes::unknown(&arg.to_string_lossy(), args, command));
            }
            None => spelled.push(arg.clone()),
        }
    }
    Ok(spelled)
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn spelled(args: &str) -> Result<String, String> {
        let options = ["text", "plen", "pattern", "no-save"].map(|name| Arg::new(name).long(name));
        let command = Command::new("assay").arg(Arg::new("quiet").long("quiet"));
        let command = command.subcommand(Command::new("run").args(options)).subcommand(Command::new("test"));
        let args: Vec<OsString> = format!("assay {args}").split(' ').map(OsString::from).collect();
        let spelled = spelled_out(&args, &command).map_err(|error| error.to_string())?;
        let words: Vec<String> = spelled[1..].iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        Ok(words.join(" "))
    }

    #[test]
    fn smart_spells_options_with_one_dash() {
        for (smart, ours) in [
            ("run bf -text englishTexts -vq -1 -", "run bf --text englishTexts -vq -1 -"),
            ("run -plen 2 8 hor", "run --plen=2 8 hor"),
            ("run --plen 2,4,8 hor", "run --plen=2,4,8 hor"),
            ("run --plen 2 -1", "run --plen=2 -1"),
            ("run -stats -all", "run --stats=algo --all"),
            ("run -stats perf", "run --stats=perf"),
            ("run -stats prf", "run --stats prf"),
            ("run -pin hor -pin 1", "run --pin=last hor --pin=1"),
            ("run -cstats first branch hor", "run --cpu-stats=first,branch hor"),
            ("run -cstats", "run --cpu-stats=first,branch"),
            ("run -inc + 4 -inc *2", "run --increment=+4 --increment *2"),
            ("run hor -tex", "run hor --format=latex"),
            ("run hor -simple ab abab", "run hor --pattern=ab --data=abab --runs=1"),
            ("-- -all -foo", "-- -all -foo"),
            ("test hor -q -fo -d", "test hor --quick --fail-only --verbose"),
            ("-q test hor -update", "-q test hor --update"),
            ("run test -q", "run test -q"),
        ] {
            assert_eq!(spelled(smart).as_deref(), Ok(ours), "{smart}");
        }
    }

    #[test]
    fn what_is_not_here_is_refused_with_the_way_to_get_it() {
        for (given, message) in [
            ("run hor -php", "`-php` of SMART is not here\n  help: `--format html` writes a page"),
            ("run hor -text all", "`-text all` of SMART is not here\n  help: name them: `--range text="),
            ("run -simple a", "`-simple` needs a pattern and a text"),
        ] {
            let error = spelled(given).unwrap_err();
            assert!(error.starts_with(message), "{given}: {error}");
        }
    }

    /// A user looks up a spelling in the first column of this page.
    #[test]
    fn every_spelling_is_in_the_book() {
        let page = include_str!("../../../../docs/src/smart-options.md");
        let words: Vec<&str> = page.split(['`', ' ', '\n']).collect();
        let missing: Vec<&str> = OPTIONS
            .iter()
            .chain(FIRST_VERSION)
            .chain(OF_TEST)
            .map(|(smart, _)| *smart)
            .chain(select::spellings())
            .filter(|smart| !words.contains(smart))
            .collect();
        assert!(missing.is_empty(), "docs/src/smart-options.md lacks {missing:?}");
    }
}
