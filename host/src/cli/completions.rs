//! `assay completions`: what a shell must know to complete our command lines.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Outcome, Session};
use crate::error::Result;

/// Print a script that lets a shell complete commands, options and their values
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay completions bash >~/.local/share/bash-completion/completions/assay
  assay completions zsh >~/.zfunc/_assay
  assay completions fish >~/.config/fish/completions/assay.fish

A new shell has it. Of zsh the folder must be in fpath, before compinit.")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let mut script = Vec::new();
    // Hidden commands are for the program itself.
    let mut command = Cli::command();
    let visible: Vec<clap::Command> =
        command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned().collect();
    command = clap::Command::new("assay").args(command.get_arguments().cloned()).subcommands(visible);
    clap_complete::generate(args.shell, &mut command, "assay", &mut script);
    session.console.print(&String::from_utf8(script).expect("made of texts"))?;
    Ok(Outcome::Done)
}
