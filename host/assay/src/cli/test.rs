//! `assay test`: tests whether algorithms are correct.

mod command;
mod shown;

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_conformance::{
    Pass, Passes, Progress, Subject, TestReport, TestStatus, TrialLimits, side_by_side, try_case, try_plan,
};
use assay_experiment::cpu;
use assay_experiment::pattern_spec::Pattern;
use assay_experiment::selection::named;
use assay_load::plugin::Registry;
use assay_load::process::{self, Interrupt};
use assay_plugin_api::testing::cases::{Case, Place, Plan, Size};
use clap::ArgGroup;
use clap::builder::NonEmptyStringValueParser;

use command::HexBytes;

use super::run::values::{Increment, Lengths, parse_count, parse_increment, parse_lengths};
use super::sets::{SetOptions, all_or_named};
use super::{Outcome, Session};

const EXAMPLES: &str = "\
Examples:
  assay test hor bm
  assay test 'bndm.*' --quick
  assay test --all --update         what has not passed since it changed
  assay test --all --fail-only --format json
  assay test hor --plen 1 64 --increment +1 --seed 7
  assay test hor --pattern aab --text abaab
  assay test hor --seed 0 --case periodic:12

An algorithm is tried in a child process, with its instrumented twin: on fixed and on generated texts, with bytes around \
text and pattern that would continue a match, in memory that ends where its needs end. Number and positions of the \
occurrences are compared with a naive search. What fails is made small, and printed as a command that repeats it. \
\"Testing\" in the book tells all that is tried.

A test that was passed is remembered until a library of the algorithm changes: `assay run` marks what was not tested. Quick \
tests, and those of some lengths or cases, are not enough for that.

Exit status: 0 all passed; 1 something failed; 2 wrong usage; 130 interrupted (what was found by then is printed).";

/// Test whether algorithms find what a naive search finds
///
/// Also, whether they touch nothing else.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("one_pattern").args(["pattern", "pattern_hex"]).requires("one_text"))]
#[command(group = ArgGroup::new("one_text").args(["text", "text_hex"]).requires("one_pattern"))]
pub(super) struct Args {
    /// Algorithms by id, name, shell pattern or regular expression
    #[arg(value_name = "ALGO|REGEX")]
    algorithms: Vec<String>,
    /// All algorithms
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    sets: SetOptions,
    /// Test only what has not passed since it changed
    ///
    /// An algorithm changes when its library, or that of its twin, does
    #[arg(long)]
    update: bool,

    /// Try fewer cases
    ///
    /// Enough to find most mistakes, but the algorithm does not count as tested. In `assay test`, -q is short for
    /// this option, as in SMART; write --quiet in full
    #[arg(long, help_heading = "Cases")]
    quick: bool,
    /// Decides what is drawn
    #[arg(long, value_name = "S", default_value_t = 0, help_heading = "Cases")]
    seed: u64,
    /// Pattern lengths: one, from MIN to MAX, a list
    ///
    /// [default: 1 to 65, and near powers of two up to 4096]
    #[arg(long, value_name = "MIN [MAX]|N,N,..", value_parser = parse_lengths, help_heading = "Cases")]
    plen: Option<Lengths>,
    /// How to get from one length to the next: '*2' or '+4' [default: *2]
    #[arg(long, value_name = "*N|+N", requires = "plen", value_parser = parse_increment, help_heading = "Cases")]
    increment: Option<Increment>,
    /// Try only this case, named as in the output of a test with the same seed, size and lengths
    #[arg(long, value_name = "GROUP:NUMBER", conflicts_with_all = ["one_pattern", "one_text"], help_heading = "Cases")]
    case: Option<Place>,
    /// Try only this pattern, in the text of --text or --text-hex
    #[arg(long, value_name = "STRING", value_parser = NonEmptyStringValueParser::new(), help_heading = "Cases")]
    pattern: Option<String>,
    /// Try only this pattern, given in hexadecimal
    #[arg(long, value_name = "HEX", help_heading = "Cases")]
    pattern_hex: Option<Pattern>,
    /// The text itself in which the pattern is searched for, not a file name
    #[arg(long, value_name = "STRING", help_heading = "Cases")]
    text: Option<String>,
    /// The text to search for the pattern, given in hexadecimal
    #[arg(long, value_name = "HEX", help_heading = "Cases")]
    text_hex: Option<HexBytes>,

    /// Time limit of a case; all cases of an algorithm together may take 60 times as long [default: 5000, or
    /// ASSAY_PATIENCE_MS]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    time_limit: Option<u32>,
    /// Algorithms at the same time [default: all CPUs]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    jobs: Option<NonZero<usize>>,
    /// Print only the algorithms that failed
    #[arg(long)]
    fail_only: bool,
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

/// The cases of a test.
enum Cases {
    /// Those of a plan.
    Plan(Plan),
    /// A single case.
    One(Case),
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let cases = args.cases()?;
    let registry = session.registry()?;
    let mut passes = Passes::open();
    let mut subjects = args.subjects(&registry, session)?;
    let chosen = subjects.len();
    subjects.retain(|subject| !args.update || !passes.has_passed(subject));
    if subjects.len() < chosen {
        console.note(&format!(
            "{} passed before, with the same libraries",
            counted(chosen - subjects.len(), "algorithm")
        ));
    }
    let limits = TrialLimits::new(match args.time_limit {
        Some(ms) => Duration::from_millis(ms.into()),
        None => process::patience()?,
    });
    let (interrupt, begun) = (Interrupt::watch(), Instant::now());
    let bar = TestProgress::new(console, &subjects, limits);
    let check_in = || {
        bar.refresh();
        if interrupt.flag().load(Ordering::Relaxed) {
            return Err(Error::interruption("interrupted"));
        }
        Ok(())
    };
    let test = |subject: &Subject| {
        check_in()?;
        if let Some(missing) = subject.variants.iter().find_map(|variant| cpu::lacks(&variant.cpu)) {
            return Ok(TestReport::new(TestStatus::CannotSearch, missing));
        }
        match &cases {
            Cases::Plan(plan) => try_plan(subject, plan, limits, &check_in),
            Cases::One(case) => try_case(subject, case, limits, &check_in),
        }
    };
    let jobs = args.jobs.map_or_else(jobs, NonZero::get);
    let is_whole_plan = matches!(&cases, Cases::Plan(plan) if plan.lengths.is_empty());
    let (reports, ended) = side_by_side(&subjects, jobs, &test, |progress| {
        // A pass is remembered at once, because all tests may take half an hour, and an interruption should
        // not lose it.
        if let Progress::Done(number, report) = progress
            && is_whole_plan
        {
            let pass = (report.status == TestStatus::Passed).then(|| Pass::now(args.quick));
            passes.remember(&subjects[number], pass);
        }
        bar.show(&progress);
    });
    bar.clear();
    let done: Vec<(&Subject, TestReport)> =
        subjects.iter().zip(reports).filter_map(|(subject, report)| Some((subject, report?))).collect();
    shown::print(args, session, &done)?;
    let failed = done.iter().any(|(_, report)| report.status.is_failure());
    console.note(&shown::summary(&done, begun.elapsed()));
    match ended {
        Err(error) if error.is_interruption() => {
            console.warn(&format!("interrupted: {} of {} were tested", done.len(), subjects.len()));
            Ok(Outcome::Interrupted)
        }
        Err(error) => Err(error),
        Ok(()) if failed => Ok(Outcome::SomethingFailed),
        Ok(()) => Ok(Outcome::Done),
    }
}

/// The default number of child processes at a time.
pub(super) fn jobs() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

impl Args {
    /// The plan of cases.
    fn plan(&self) -> Result<Plan> {
        let lengths = self.plen.as_ref().map(|lengths| lengths.all(self.increment)).transpose()?;
        let size = if self.quick { Size::Quick } else { Size::Full };
        Ok(Plan { seed: self.seed, size, lengths: lengths.unwrap_or_default() })
    }

    /// The cases that are asked for: a single one, or those of the plan.
    fn cases(&self) -> Result<Cases> {
        let plan = self.plan()?;
        if let Some(place) = self.case {
            let case = plan.case(place).ok_or_else(|| {
                Error::new(format!("there is no case `{place}` with this seed, size and these lengths"))
                    .remedy("take it with all options of the command that a test printed")
            })?;
            return Ok(Cases::One(case));
        }
        let pattern = match (&self.pattern, &self.pattern_hex) {
            (Some(pattern), _) => pattern.clone().into_bytes(),
            (None, Some(pattern)) => pattern.0.clone(),
            (None, None) => return Ok(Cases::Plan(plan)),
        };
        let text = match (&self.text, &self.text_hex) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, hex) => hex.clone().unwrap_or_default().0,
        };
        Ok(Cases::One((pattern, text)))
    }

    /// The algorithms that are asked for, each once.
    fn subjects(&self, registry: &Registry, session: &Session) -> Result<Vec<Subject>> {
        let all = Subject::all(registry);
        if all.is_empty() {
            return Err(Error::new("no plugin library brings an algorithm")
                .remedy("`assay plugins list` shows what was found; name a folder with --plugin-dir"));
        }
        if all_or_named(self.all, &self.algorithms)? {
            return Ok(all);
        }
        if self.algorithms.is_empty() && !self.sets.any() {
            return Err(Error::new("no algorithm is named").remedy(
                "name some (`assay test bf hor`), give a regular expression (`'bndm.*'`), or --all",
            ));
        }
        let mut ids: Vec<&str> = Vec::new();
        for name in &self.sets.with(&self.algorithms, registry, session)? {
            let named = named(name, registry)?;
            ids.extend(named.into_iter().filter(|id| !ids.contains(id)).collect::<Vec<_>>());
        }
        Ok(ids.into_iter().filter_map(|id| all.iter().find(|subject| subject.id == id).cloned()).collect())
    }
}

/// A progress bar with the algorithms that are being tested, and the time of those that take long.
struct TestProgress<'a> {
    bar: indicatif::ProgressBar,
    subjects: &'a [Subject],
    limits: TrialLimits,
    /// The algorithms that are being tested, by number, each with its start.
    running: Mutex<Vec<(usize, Instant)>>,
}

/// The time is shown from here on. It is chosen, because most algorithms are done earlier.
const LONG: Duration = Duration::from_secs(5);

impl<'a> TestProgress<'a> {
    fn new(console: &Console, subjects: &'a [Subject], limits: TrialLimits) -> Self {
        TestProgress {
            bar: console.progress(subjects.len() as u64),
            subjects,
            limits,
            running: Mutex::default(),
        }
    }

    fn show(&self, progress: &Progress<'_>) {
        if let Ok(mut running) = self.running.lock() {
            match *progress {
                Progress::Begun(number) => running.push((number, Instant::now())),
                Progress::Done(number, _) => {
                    running.retain(|(other, _)| *other != number);
                    self.bar.inc(1);
                }
            }
        }
        self.refresh();
    }

    /// Updates the message. It must be called repeatedly, because the times in it grow while nothing else
    /// happens.
    fn refresh(&self) {
        let Ok(running) = self.running.lock() else { return };
        let words = running.iter().map(|(number, since)| {
            running_for(&self.subjects[*number].id, since.elapsed(), self.limits.whole)
        });
        let words = words.collect::<Vec<_>>().join(" ");
        self.bar.set_message(format!("{}/{} {words}", self.bar.position(), self.subjects.len()));
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The id of an algorithm that is being tested; if it takes long, with its time and its time limit.
fn running_for(id: &str, time: Duration, limit: Duration) -> String {
    if time < LONG {
        return id.to_owned();
    }
    format!("{id} ({} of at most {} s)", time.as_secs(), limit.as_secs())
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::testing::cases::GROUPS;

    use super::*;

    #[test]
    fn an_algorithm_that_takes_long_is_shown_with_its_time_limit() {
        let shown = |seconds| running_for("hor", Duration::from_secs(seconds), Duration::from_secs(300));
        assert_eq!([shown(4), shown(47)], ["hor", "hor (47 of at most 300 s)"]);
    }

    #[test]
    fn the_book_lists_every_group_of_cases() {
        let page = include_str!("../../../../docs/src/testing.md");
        let rows = page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 3);
        let listed: Vec<&str> = rows.take(GROUPS.len()).collect();
        let groups: Vec<String> =
            GROUPS.iter().map(|group| format!("| `{}` | {} |", group.name, group.about)).collect();
        assert_eq!(listed, groups);
    }
}
