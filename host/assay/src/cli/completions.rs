//! `assay completions`: a script with which a shell completes our command lines. The script asks this program
//! at each press of the key, so that it knows what is installed and saved at that moment.

mod candidates;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use assay_base::error::{Error, Result};
use clap::{Arg, Command, CommandFactory};
use clap_complete::engine::ArgValueCompleter;
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use super::{Cli, Outcome, Session};
use candidates::{ArgumentKind, candidates};

/// The environment variable by which the script of a shell asks for the words that may follow.
const QUESTION: &str = "ASSAY_COMPLETE";

/// Print a script that lets a shell complete command lines
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay completions bash >~/.local/share/bash-completion/completions/assay
  assay completions fish >~/.config/fish/completions/assay.fish
  assay completions zsh >~/.assay.zsh

For zsh, add the line `source ~/.assay.zsh` to ~/.zshrc. A shell that you start afterwards completes commands, options \
and their values: algorithms, sets, metrics, statistics, counters, corpora, texts and saved runs. The script asks assay \
for them, so it knows what is there when you press the key. Print it again after an update of assay.")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let name = args.shell.to_string();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).ok_or_else(|| {
        Error::new(format!("there is no script for {name}"))
            .remedy("use bash, elvish, fish, powershell or zsh")
    })?;
    let mut script = Vec::new();
    let program = program(session.words.first());
    shell
        .write_registration(QUESTION, "assay", "assay", &program, &mut script)
        .expect("memory can be written to");
    session.console.print(&String::from_utf8(script).expect("made of texts"))?;
    Ok(Outcome::Done)
}

/// The program that the script calls: its name if it was found on `PATH`, or else its path from anywhere.
fn program(called: Option<&OsString>) -> String {
    let called = called.map_or(Path::new("assay"), Path::new);
    let has_folder = called.components().count() > 1;
    let path = if has_folder { called.canonicalize().ok() } else { None };
    path.as_deref().unwrap_or(called).to_string_lossy().into_owned()
}

/// Answers a shell that asks for the words that may follow. Returns `None` if none asks.
pub(super) fn serve(args: &[OsString]) -> Option<ExitCode> {
    let folder = env::current_dir().ok();
    let answer = CompleteEnv::with_factory(command).var(QUESTION).try_complete(args, folder.as_deref());
    match answer {
        Ok(false) => None,
        Ok(true) => Some(ExitCode::SUCCESS),
        Err(error) => {
            // Best effort: a shell does not show it.
            let _ = error.print();
            Some(ExitCode::from(2))
        }
    }
}

/// The command line, whose arguments know their values.
fn command() -> Command {
    with_values(Cli::command())
}

fn with_values(command: Command) -> Command {
    command.mut_args(with_candidates).mut_subcommands(with_values)
}

/// An argument, with the values that it can have on this machine.
fn with_candidates(arg: Arg) -> Arg {
    match ArgumentKind::of_argument(&arg) {
        Some(subject) => {
            arg.add(ArgValueCompleter::new(move |word: &std::ffi::OsStr| candidates(subject, word)))
        }
        None => arg,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_know_what_they_name() {
        let command = command();
        for (words, id, subject) in [
            ("run", "algorithms", Some(ArgumentKind::Experiment)),
            ("run", "sets", Some(ArgumentKind::Set)),
            ("run", "metric", Some(ArgumentKind::Metric)),
            ("run", "counters", Some(ArgumentKind::Counter)),
            ("run", "corpus", Some(ArgumentKind::Corpus)),
            ("run", "text", Some(ArgumentKind::Text)),
            ("run", "resume", Some(ArgumentKind::Run)),
            ("run", "description", None),
            ("report", "result", Some(ArgumentKind::Run)),
            ("report", "stat", Some(ArgumentKind::Statistic)),
            ("report", "only", Some(ArgumentKind::Algorithm)),
            ("report", "baseline", Some(ArgumentKind::Algorithm)),
            ("report", "family", Some(ArgumentKind::Family)),
            ("compare", "results", Some(ArgumentKind::Run)),
            ("results export", "results", Some(ArgumentKind::Run)),
            ("select use", "name", Some(ArgumentKind::Set)),
            ("select save", "name", None),
            ("counters sets", "name", Some(ArgumentKind::EventSet)),
            ("counters list", "backend", Some(ArgumentKind::Counter)),
            ("test", "algorithms", Some(ArgumentKind::Algorithm)),
            ("test", "text", None),
            ("trace", "algorithm", Some(ArgumentKind::Algorithm)),
            ("trace", "text", Some(ArgumentKind::Text)),
            ("info", "id", Some(ArgumentKind::Item)),
        ] {
            let of = words.split(' ').fold(&command, |of, word| of.find_subcommand(word).expect(words));
            let arg = of.get_arguments().find(|arg| arg.get_id() == id).expect(id);
            assert_eq!(ArgumentKind::of_argument(arg), subject, "{words} {id}");
            assert_eq!(arg.get::<ArgValueCompleter>().is_some(), subject.is_some(), "{words} {id}");
        }
    }

    #[test]
    fn the_script_calls_the_program_by_its_name_or_by_a_whole_path() {
        assert_eq!(program(Some(&"assay".into())), "assay");
        assert_eq!(program(None), "assay");
        let here = program(Some(&"./Cargo.toml".into()));
        assert!(Path::new(&here).is_absolute() && here.ends_with("/Cargo.toml"), "{here}");
    }
}
