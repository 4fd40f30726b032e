//! `assay completions`: a script with which a shell completes our command lines.

use assay_base::error::Result;
use assay_experiment::sets::Sets;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use super::sets::SET;
use super::{Cli, Outcome, Session};

/// Print a script that lets a shell complete commands, options and their values
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay completions bash >~/.local/share/bash-completion/completions/assay
  assay completions zsh >~/.zfunc/_assay
  assay completions fish >~/.config/fish/completions/assay.fish

A shell that you start afterwards completes assay. For zsh, the folder must be in fpath before compinit runs. Names of sets are \
completed, too: those that `assay select` keeps when you print the script.")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let mut script = Vec::new();
    // Hidden commands are left out, because only the program itself calls them.
    let mut command = Cli::command();
    let visible: Vec<Command> = command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned().collect();
    command = Command::new("assay").args(command.get_arguments().cloned()).subcommands(visible);
    command = with_sets(command, &names_of_sets(session));
    clap_complete::generate(args.shell, &mut command, "assay", &mut script);
    session.console.print(&String::from_utf8(script).expect("made of texts"))?;
    Ok(Outcome::Done)
}

/// The names of the user's sets. They are leaked, because clap needs values that live as long as the program.
fn names_of_sets(session: &Session) -> Vec<&'static str> {
    match Sets::open() {
        Ok(sets) => sets.named().map(|(name, _)| &*name.to_owned().leak()).collect(),
        Err(error) => {
            session.console.warn(&error.to_string());
            Vec::new()
        }
    }
}

/// The command, with these names as the possible values of all arguments that name a set.
fn with_sets(command: Command, names: &[&'static str]) -> Command {
    let command = command.mut_args(|arg| {
        if is_set(&arg) { arg.value_parser(PossibleValuesParser::new(names.iter().copied())) } else { arg }
    });
    command.mut_subcommands(|command| with_sets(command, names))
}

/// Whether an argument names a set.
fn is_set(arg: &Arg) -> bool {
    arg.get_value_names().is_some_and(|names| names.len() == 1 && names[0] == SET)
}
