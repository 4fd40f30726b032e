//! The command line, one file for each command. A command parses its flags into a plain struct and calls the
//! library.

mod adversary;
mod atlas;
mod bibtex;
mod campaign;
mod changed_ids;
mod child;
mod collect;
mod compare;
mod completions;
mod config;
mod counters;
mod crossover;
mod describe;
mod doctor;
mod explain;
mod export;
mod info;
mod input_part;
mod list;
mod man;
mod merge;
mod mistakes;
mod names;
mod one_algorithm;
mod plan;
mod plugins;
mod report;
mod results;
mod run;
mod select;
mod sets;
mod sheets;
mod smart;
mod subset;
mod summary;
mod test;
mod trace;
mod trace_colors;
mod trust;
mod work_budget;

use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::num::{IntErrorKind, ParseIntError};
use std::path::PathBuf;
use std::process::ExitCode;

use assay_base::error::{Error, Result};
use assay_base::io::console::{Color, Console};
use assay_experiment::size::parse_size;
use assay_load::plugin::{Judge, Registry, TrustPolicies, TrustPolicy};
use assay_load::process;
use assay_load::process::sandbox::{self, SandboxPolicy, Support};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

/// A laboratory for exact string-search algorithms.
///
/// Algorithms, counters, metrics, statistics, mergers and corpora are plugins: shared libraries in the
/// folders of --plugin-dir and ASSAY_PLUGIN_PATH, in the user's data folder, and beside this binary.
#[derive(Parser, Debug)]
#[command(name = "assay", version, arg_required_else_help = true, max_term_width = 110)]
#[command(after_help = "\
Examples:
  assay run bf bm hor               measure three algorithms
  assay report                      figures of the newest run
  assay list algorithms
  assay help run                    explain a command

Exit status: 0 success; 1 the command was carried out, but something in it failed; 2 wrong usage or unusable input; 130 \
interrupted (what was measured is kept).")]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// A process that runs plugins needs about this much memory of its own to start.
const LEAST_MEMORY: usize = 4 << 20;

/// The value of `--memory-limit`.
fn parse_memory_limit(text: &str) -> Result<usize, String> {
    match parse_size(text)? {
        bytes if bytes < LEAST_MEMORY => Err("a process that runs plugins needs 4MiB or more".to_owned()),
        bytes => Ok(bytes),
    }
}

/// The options that every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Common {
    /// Look for plugin libraries in DIR first (repeatable)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Common options")]
    pub plugin_dir: Vec<PathBuf>,
    /// End with exit status 2 if a plugin library can't be used, instead of warning
    #[arg(long, global = true, help_heading = "Common options")]
    pub strict: bool,
    /// What to do with a library that you have not accepted (see `assay help plugins trust`)
    #[arg(long, global = true, value_name = "POLICY", help_heading = "Common options")]
    pub trust: Option<TrustPolicy>,
    /// Run plugins without a sandbox, for profilers and debuggers
    #[arg(long, global = true, help_heading = "Common options")]
    pub no_sandbox: bool,
    /// Limit on the private memory of each process that runs plugins, and on that of `merge --engine`; a bare
    /// number is MiB [default: a quarter of the machine's]
    #[arg(
        long,
        global = true,
        value_name = "N[B|KiB|MiB|GiB]",
        value_parser = parse_memory_limit,
        conflicts_with = "no_sandbox",
        help_heading = "Common options"
    )]
    pub memory_limit: Option<usize>,
    /// Print more: why a library can't be used, what is measured
    #[arg(short, long, global = true, help_heading = "Common options")]
    pub verbose: bool,
    /// Print results and errors, but no warnings, notes or progress
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Common options")]
    pub quiet: bool,
    /// Use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Common options")]
    pub color: Color,
}

impl Common {
    /// Whether plugins run in a sandbox, and with how much memory.
    fn sandbox_policy(&self) -> SandboxPolicy {
        let usual = SandboxPolicy::default();
        let memory = self.memory_limit.map_or(usual.memory, |bytes| bytes as u64);
        SandboxPolicy { enabled: !self.no_sandbox, memory }
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    Run(Box<run::Args>),
    Select(select::Args),
    List(list::Args),
    Info(info::Args),
    Plugins(plugins::Args),
    Counters(counters::Args),
    Describe(describe::Args),
    Plan(Box<plan::Args>),
    Collect(Box<collect::Args>),
    Merge(merge::Args),
    Test(test::Args),
    Trace(trace::Args),
    Explain(Box<explain::Args>),
    Crossover(Box<crossover::Args>),
    Adversary(adversary::Args),
    Report(report::Args),
    Compare(compare::Args),
    Results(results::Args),
    Atlas(atlas::Args),
    Campaign(campaign::Args),
    Doctor(doctor::Args),
    Bibtex(bibtex::Args),
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// How a command ended that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is well: exit status 0.
    Done,
    /// The command was carried out, but something in it failed: exit status 1.
    SomethingFailed,
    /// This machine can't measure now, and another one could: exit status 75, which `sysexits.h` calls a
    /// temporary failure.
    TryLater,
    /// The user interrupted it; what was measured is kept: exit status 130.
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::SomethingFailed => 1,
            Outcome::TryLater => 75,
            Outcome::Interrupted => 130,
        })
    }
}

/// The context of a command.
pub(crate) struct Session {
    /// The common flags.
    pub common: Common,
    /// The console for output, notes and warnings.
    pub console: Console,
    /// The command line.
    words: Vec<OsString>,
}

impl Session {
    /// Whether the user typed an option, which is named without its hyphens.
    fn has_typed(&self, option: &str) -> bool {
        let mut names =
            self.words.iter().filter_map(|word| word.to_str()?.strip_prefix("--")?.split('=').next());
        names.any(|name| name == option)
    }

    /// Who decides which libraries are trusted. Nobody is asked.
    ///
    /// # Errors
    /// If what the user has said about trust can't be read.
    fn judge(&self) -> Result<Judge> {
        Judge::new(TrustPolicies::resolve(self.common.trust)?)
    }

    /// Finds the plugin libraries, and warns of those that can't be used or that are not trusted. On a
    /// terminal, the user may be asked about the latter.
    ///
    /// # Errors
    /// With `--strict`, if a library can't be used.
    fn registry(&self) -> Result<Registry> {
        if sandbox::policy().enabled
            && let Some(missing) = Support::here().missing()
        {
            self.console.note(&format!("this kernel can't keep plugins from: {missing}"));
        }
        let (judge, console) = (self.judge()?, self.console);
        let can_ask = console.can_ask();
        self.registry_by(if can_ask { judge.asking(move |about| trust::ask(&console, about)) } else { judge })
    }

    /// The libraries without any questions and warnings, for what can be left out; `None` if they can't be
    /// found.
    fn registry_in_silence(&self) -> Option<Registry> {
        Registry::open(&self.common.plugin_dir).ok().map(|(registry, _)| registry)
    }

    /// As [`registry`](Session::registry), with this judge of trust.
    ///
    /// # Errors
    /// As there.
    fn registry_by(&self, judge: Judge) -> Result<Registry> {
        let console = self.console;
        let (registry, problems) = Registry::open_with(&self.common.plugin_dir, judge)?;
        let unusable = problems.iter().filter(|problem| !problem.is_used);
        let lines: Vec<&str> = unusable.map(|problem| problem.message.as_str()).collect();
        if self.common.strict && !lines.is_empty() {
            return Err(not_in_order(&lines));
        }
        for problem in &problems {
            self.console.warn(&problem.message);
            if !problem.details.is_empty() {
                self.console.detail(&problem.details);
            }
        }
        // Each library is looked at once, so this is said once.
        for library in registry.libraries().iter().filter(|library| library.is_new) {
            let contents = library.outcome.as_ref().ok();
            if let Some(remark) = contents.and_then(|contents| contents.library.remark_on_newer_abi()) {
                self.console.note(&remark);
            }
        }
        Ok(registry.announcing(move |line| console.note(line)))
    }
}

/// The error of `--strict` that something is wrong with libraries.
fn not_in_order(lines: &[impl AsRef<str>]) -> Error {
    let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    Error::new(format!("plugin libraries are not in order:\n  {}", lines.join("\n  ")))
        .remedy("repair or move them, or leave out --strict")
}

/// Runs the command line, and returns the exit status of the program.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    if let Some(status) = args.get(1).and_then(|first| serve_child(first)) {
        return status;
    }
    if let Some(status) = completions::serve(&args) {
        return status;
    }
    let cli = match parse(&args) {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let console = Console::new(cli.common.verbose, cli.common.quiet, cli.common.color);
    sandbox::set_policy(cli.common.sandbox_policy());
    let session = Session { common: cli.common, console, words: args };
    match dispatch(cli.command, &session) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            console.error(&error.to_string());
            if error.is_interruption() { Outcome::Interrupted.into() } else { ExitCode::from(2) }
        }
    }
}

/// Serves as a child process. A program that is built on this library must call this first: if the library
/// started the process as a child of the same program, this does the child's task and returns the exit
/// status; otherwise it returns `None`.
pub fn serve_as_child() -> Option<ExitCode> {
    serve_child(&std::env::args_os().nth(1)?)
}

/// Does the task of a child process if the first argument says that this is one.
fn serve_child(first: &OsStr) -> Option<ExitCode> {
    match first {
        first if first == process::ENTRY => Some(child::main()),
        first if first == process::LAUNCHED => Some(child::launched()),
        _ => None,
    }
}

/// The value of `--color`, which errors in the rest of the command line need as well.
fn color(args: &[OsString]) -> Color {
    let texts: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    let joined = texts.iter().filter_map(|arg| arg.strip_prefix("--color="));
    let apart = texts.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    joined.chain(apart).find_map(|value| Color::from_str(value, true).ok()).unwrap_or_default()
}

/// An argument to which a negative number can be given. Without this, clap would call a negative number an
/// unknown option rather than a wrong value.
fn with_negative_numbers(arg: Arg) -> Arg {
    let has_a_value = !arg.is_positional() && arg.get_action().takes_values();
    if has_a_value { arg.allow_negative_numbers(true) } else { arg }
}

/// Parses the command line. The error is the exit status after help or a message was printed.
fn parse(args: &[OsString]) -> Result<Cli, ExitCode> {
    let color = color(args);
    let command =
        Cli::command().mut_subcommands(|command| command.mut_args(with_negative_numbers)).color(color.into());
    let spelled = smart::spelled_out(args, &command).map_err(|error| refuse(&error, color))?;
    let matches = command.clone().try_get_matches_from(&spelled);
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| {
        if let Some(message) = usage(&error, args, &command) {
            return refuse(&message, color);
        }
        let error = if asks_for_all_help(args) {
            error
        } else {
            summary::summarized(command).try_get_matches_from(spelled).err().unwrap_or(error)
        };
        // clap prints help that was asked for to standard output with status 0, and help that replaces a
        // missing command to standard error.
        let _ = error.print();
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}

/// Whether help that is asked for is that of `--help`, and not the summary of `-h`.
fn asks_for_all_help(args: &[OsString]) -> bool {
    args.iter().any(|arg| arg == "--help" || arg == "help")
}

/// Prints why a command line is refused. Returns the exit status.
fn refuse(error: &Error, color: Color) -> ExitCode {
    Console::new(false, false, color).error(&error.to_string());
    ExitCode::from(2)
}

/// The error of a command line that clap refuses; `None` if it asks for help.
fn usage(error: &clap::Error, args: &[OsString], command: &clap::Command) -> Option<Error> {
    if let (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
        && option.starts_with('-')
    {
        return Some(mistakes::unknown(option, args, command));
    }
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        return Some(mistakes::unknown_command(word, args, command));
    }
    if let (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    {
        return Some(mistakes::one_too_many(word, args, command));
    }
    let text = error.to_string();
    let message = text.strip_prefix("error: ")?.trim_end();
    let message = message.strip_suffix("For more information, try '--help'.").unwrap_or(message).trim_end();
    let no_number = error.source().and_then(|source| source.downcast_ref::<ParseIntError>());
    let error = Error::new(match no_number.filter(|fault| *fault.kind() != IntErrorKind::PosOverflow) {
        Some(fault) => message.replace(&fault.to_string(), "a whole number is expected"),
        None => mistakes::range_in_words(message),
    });
    Some(error.remedy("the same command with --help explains what it takes"))
}

fn dispatch(command: Command, session: &Session) -> Result<Outcome> {
    match command {
        Command::Run(args) => run::run(&args, session),
        Command::Select(args) => select::run(args, session),
        Command::List(args) => list::run(args, session),
        Command::Plugins(args) => plugins::run(args, session),
        Command::Counters(args) => counters::run(args, session),
        Command::Describe(args) => describe::run(args, session),
        Command::Plan(args) => plan::run(*args, session),
        Command::Collect(args) => collect::run(*args, session),
        Command::Merge(args) => merge::run(args, session),
        Command::Info(args) => info::run(&args, session),
        Command::Test(args) => test::run(&args, session),
        Command::Trace(args) => trace::run(&args, session),
        Command::Explain(args) => explain::run(&args, session),
        Command::Crossover(args) => crossover::run(&args, session),
        Command::Adversary(args) => adversary::run(&args, session),
        Command::Report(args) => report::run(args, session),
        Command::Compare(args) => compare::run(&args, session),
        Command::Results(args) => results::run(&args, session),
        Command::Atlas(args) => atlas::run(&args, session),
        Command::Campaign(args) => campaign::run(args, session),
        Command::Doctor(args) => doctor::run(&args, session),
        Command::Bibtex(args) => bibtex::run(&args, session),
        Command::Config(args) => config::run(&args, session),
        Command::Completions(args) => completions::run(&args, session),
        Command::Man(args) => man::run(&args, session),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }

    /// Adds a command that users see and its subcommands, each with the words that call it.
    fn commands(command: &clap::Command, words: &str, found: &mut Vec<(String, clap::Command)>) {
        found.push((words.to_owned(), command.clone()));
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            commands(sub, &format!("{words} {}", sub.get_name()), found);
        }
    }

    fn all() -> Vec<(String, clap::Command)> {
        let mut found = Vec::new();
        commands(&super::Cli::command(), "assay", &mut found);
        found
    }

    /// The command lines of the examples in a help text, without pipes, redirections and explanations.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let lines = help.replace("\\\n    ", "");
        let lines =
            lines.lines().filter_map(|line| line.strip_prefix("  ")).flat_map(|line| line.split([';', '|']));
        lines.filter_map(example).collect()
    }

    /// The words of a line that is an example.
    fn example(line: &str) -> Option<Vec<String>> {
        let line = line.trim().split("  ").next()?;
        let words = line.split(' ').take_while(|word| !word.starts_with('>'));
        line.starts_with("assay ").then(|| words.map(|word| word.trim_matches('\'').to_owned()).collect())
    }

    #[test]
    fn every_help_has_examples_and_they_are_right() {
        for (words, command) in all() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = examples(&help);
            assert!(help.contains("Examples:") && !examples.is_empty(), "`{words}` has no example");
            for example in examples.iter().filter(|example| example[1] != "help") {
                let args: Vec<std::ffi::OsString> = example.iter().map(Into::into).collect();
                assert!(super::parse(&args).is_ok(), "`{}` in the help of `{words}`", example.join(" "));
            }
        }
    }
}
