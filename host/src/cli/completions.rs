//! `assay completions`: what a shell must know to complete our command lines.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use super::sets::SET;
use super::{Cli, Outcome, Session};
use crate::error::Result;
use crate::experiment::sets::Sets;

/// Print a script that lets a shell complete commands, options and their values
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay completions bash >~/.local/share/bash-completion/completions/assay
  assay completions zsh >~/.zfunc/_assay
  assay completions fish >~/.config/fish/completions/assay.fish

A new shell has it. Of zsh the folder must be in fpath, before compinit. Sets that `assay select` keeps are completed, too: \
those that are there when the script is printed.")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let mut script = Vec::new();
    // Hidden commands are for the program itself.
    let mut command = Cli::command();
    let visible: Vec<Command> = command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned().collect();
    command = Command::new("assay").args(command.get_arguments().cloned()).subcommands(visible);
    command = with_sets(command, &names_of_sets(session));
    clap_complete::generate(args.shell, &mut command, "assay", &mut script);
    session.console.print(&String::from_utf8(script).expect("made of texts"))?;
    Ok(Outcome::Done)
}

/// A parser of the command line keeps its texts for as long as the program runs.
fn names_of_sets(session: &Session) -> Vec<&'static str> {
    match Sets::open() {
        Ok(sets) => sets.named().map(|(name, _)| &*name.to_owned().leak()).collect(),
        Err(error) => {
            session.console.warn(&error.to_string());
            Vec::new()
        }
    }
}

/// A command whose values that name a set are these.
fn with_sets(command: Command, names: &[&'static str]) -> Command {
    let is_set = |arg: &Arg| arg.get_value_names().is_some_and(|names| names.len() == 1 && names[0] == SET);
    let known = |arg: Arg| match is_set(&arg) {
        true => arg.value_parser(PossibleValuesParser::new(names.iter().copied())),
        false => arg,
    };
    command.mut_args(known).mut_subcommands(|command| with_sets(command, names))
}
