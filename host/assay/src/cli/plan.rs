//! `assay plan`: plans the events that are counted together.

mod countable;
mod view;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::console::{Console, counted};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_load::process::Interrupt;
use assay_merge::plan::{Method, Plan, PlanAnswer, PlanRequest, ROUND, Survey};

use view::PlanView;

use super::names::{self, NameList};
use super::{Outcome, Session};

/// Plan which events to count together, where not all can be
///
/// A machine counts only a few events at a time. A plan assigns events to sub-experiments, and needs few of
/// them. For HRM, each event is counted once together with the anchor; for MUCH, each pair of events is
/// counted together at least once. `assay collect` runs a plan, and `assay merge` merges the tables that it
/// collects.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay plan --events A,B,C,D,E,F,G --counters 3 --method much
  assay plan --events A,B,C,D,E,F,G --counters 3 --method hrm --anchor A
  assay plan --method much --counters 4 --out plan.toml \\
    --events stats:jumps,stats:branches,stats:lookups,stats:writes,stats:text_bytes_read
  assay plan --events A,B,C,D,E,F --counters 3 --method much --conflict B:C
  assay plan --events A,B,C,D,E,F,G --counters 3 --method much --blocks 4

The result also has a lower bound: the number of sub-experiments that every plan needs. The search is limited by steps, not \
by time, so the same command gives the same plan on every machine. More --effort or another --seed may find a smaller plan. \
Ctrl-C ends the search after its round with the best plan so far; --resume continues that of --out.

An event can have any name. `BACKEND:EVENT` can be collected on this machine, and so can the counts of instrumented \
algorithms, such as `stats:branches`. Events of installed backends are looked up; --try opens each set of events.")]
pub(super) struct Args {
    /// The events (repeatable)
    #[arg(long, value_name = "EVENT,..", required = true)]
    events: Vec<NameList>,
    /// Number of events that can be counted together
    #[arg(long, value_name = "K")]
    counters: usize,
    /// The method of merging for which the plan is made
    #[arg(long, value_name = "METHOD")]
    method: Method,
    /// The event that every sub-experiment counts; required for HRM
    #[arg(long, value_name = "EVENT")]
    anchor: Option<String>,
    /// Events that need none of the K counters, such as software events; they are in every sub-experiment
    #[arg(long, value_name = "EVENT,..", help_heading = "What the machine can do")]
    fixed: Vec<NameList>,
    /// Events that can't be counted together (repeatable)
    #[arg(long, value_name = "A:B,..", help_heading = "What the machine can do")]
    conflict: Vec<NameList>,
    /// Open each set of events on this machine, and report those that can't be counted (exit status 1)
    #[arg(long = "try", help_heading = "What the machine can do")]
    tries: bool,
    /// Count only these pairs together, instead of all pairs
    #[arg(long, value_name = "A:B,..", help_heading = "What is wanted")]
    wanted: Vec<NameList>,
    /// At most N sub-experiments, with as many pairs as possible
    #[arg(long, value_name = "N", help_heading = "What is wanted")]
    blocks: Option<usize>,
    /// Rounds of the search, which take one or two seconds each; 0 takes the first plan
    // `--seconds` was its name before a search had rounds.
    #[arg(long, alias = "seconds", value_name = "ROUNDS", default_value_t = 1.0, value_parser = rounds)]
    #[arg(help_heading = "The search")]
    effort: f64,
    /// Continue the search for the plan in the file of --out, which has it after each round
    #[arg(long, requires = "out", conflicts_with = "blocks", help_heading = "The search")]
    resume: bool,
    /// Seed of the search; another seed may find another plan
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "The search")]
    seed: u64,
    /// Rows of each sub-experiment, to compute the number of all rows
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Output")]
    rows: Option<u32>,
    /// Milliseconds that a row takes, to compute the time of all rows
    #[arg(long, value_name = "MS", requires = "rows", value_parser = milliseconds, help_heading = "Output")]
    row_ms: Option<f64>,
    /// Write the plan to this file, for `assay collect`
    #[arg(long, value_name = "PLAN.toml", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "table",
        help_heading = "Output",
        value_parser = table_formats()
    )]
    format: OutputFormat,
}

/// The longest search that may be asked for: a million rounds, which take more than a week.
const LONGEST: f64 = 1e6;

fn rounds(given: &str) -> Result<f64, String> {
    let rounds = given.parse().ok().filter(|rounds| (0.0..=LONGEST).contains(rounds));
    rounds.ok_or_else(|| format!("a number from 0 to {LONGEST} is expected"))
}

fn milliseconds(given: &str) -> Result<f64, String> {
    let milliseconds = given.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    milliseconds.ok_or_else(|| "a number greater than 0 is expected".to_owned())
}

/// All names, without the blanks that may stand next to commas.
fn trimmed(values: &[NameList]) -> Vec<String> {
    names::all(values).iter().map(|name| name.trim().to_owned()).collect()
}

/// Refuses to overwrite a file that holds no plan.
///
/// # Errors
/// If there is a file that holds no plan.
fn refuse_other_file(path: &Path) -> Result<()> {
    let something = path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    if something && Plan::load(path).is_err() {
        return Err(Error::new(format!("--out would overwrite `{}`, which is not a plan", path.display()))
            .remedy("name another file with --out, or remove this one"));
    }
    Ok(())
}

/// Makes the plan, round by round, and returns whether the user has interrupted it. After each round but the
/// last, `out` has what was found so far.
fn search(
    mut request: PlanRequest,
    effort: f64,
    out: Option<&Path>,
    console: &Console,
) -> Result<(PlanAnswer, bool)> {
    let all = (effort * ROUND as f64) as u64;
    // The search for most pairs in few blocks has no rounds. An interrupt ends it at once.
    let in_rounds = request.method == Method::Much && request.blocks.is_none();
    let interrupt = in_rounds.then(Interrupt::watch);
    let bar = console.progress(all);
    loop {
        let done = request.earlier.as_ref().map_or(0, |plan| u64::from(plan.rounds()) * ROUND);
        let left = all.saturating_sub(done);
        request.steps = if in_rounds { left.min(ROUND) } else { left };
        bar.set_position(done);
        let answer = request.plan(&mut |enough, steps| {
            bar.set_message(format!("{enough} sub-experiments"));
            bar.inc(steps);
        })?;
        let least = answer.plan.blocks.len() <= answer.at_least;
        let interrupted = interrupt.as_ref().is_some_and(|seen| seen.flag().load(Ordering::SeqCst));
        if request.steps == left || least || interrupted {
            bar.finish_and_clear();
            return Ok((answer, interrupted));
        }
        // A pipe gets the last plan alone.
        if let Some(path) = out.filter(|path| path.is_file() || !path.exists()) {
            Output::create(path)?.write(|file| file.write_all(answer.plan.to_toml().as_bytes()))?;
        }
        request.earlier = Some(answer.plan);
    }
}

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let events = trimmed(&args.events);
    let request = PlanRequest {
        events: events.clone(),
        counters: args.counters,
        method: args.method,
        anchor: args.anchor,
        fixed: trimmed(&args.fixed),
        conflicts: trimmed(&args.conflict),
        wanted: trimmed(&args.wanted),
        blocks: args.blocks,
        seed: args.seed,
        steps: 0,
        earlier: args.out.as_deref().filter(|_| args.resume).map(Plan::load).transpose()?,
    };
    args.out.as_deref().map_or(Ok(()), refuse_other_file)?;
    let output = args.out.as_deref().map(Output::create).transpose()?;
    let (answer, interrupted) = search(request.clone(), args.effort, args.out.as_deref(), console)?;
    let outcome = countable::check(&answer.plan, args.tries, session)?;
    let PlanAnswer { plan, at_least, enough } = &answer;
    let survey = Survey::new(plan, &events);
    let shown = PlanView {
        plan,
        survey: &survey,
        at_least: *at_least,
        enough: *enough,
        all_pairs: request.wanted.is_empty(),
        rows: args.rows,
        row_ms: args.row_ms,
    };
    if let Some(output) = output {
        output.write(|file| file.write_all(plan.to_toml().as_bytes()))?;
    }
    console.print(&shown.render(args.format))?;
    shown.warnings().iter().for_each(|warning| console.warn(warning));
    shown.notes().iter().for_each(|note| console.note(note));
    if let Some(path) = &args.out {
        console.note(&format!("written to {}: `assay collect` runs it", path.display()));
    }
    if interrupted {
        let rounds = counted(plan.rounds() as usize, "round");
        let continues = if args.out.is_some() { "; --resume continues it" } else { "" };
        console.warn(&format!("interrupted after {rounds} of the search{continues}"));
        return Ok(Outcome::Interrupted);
    }
    Ok(outcome)
}
