//! The child's side of a test: it searches. Before each case it notes the number of the case in shared
//! memory, because the host must know which case was running if the child crashes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use assay_base::error::reason;
use assay_load::process;
use assay_plugin_api::testing::cases::{Case, Plan, Size};
use assay_plugin_api::testing::{Fault, Trial, in_one_thread, in_two_threads};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::loaded::{LoadedSearcher, LoadedVariant};
use super::subject::Subject;

/// A request to a child.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Work {
    /// The algorithm and its twin.
    pub subject: Subject,
    /// What to try.
    pub workload: Workload,
}

/// What a child tries with a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Workload {
    /// Try all cases of a plan, and then two searchers at a time.
    All {
        /// Seed of the plan.
        seed: u64,
        /// Whether the plan has [`Size::Quick`].
        quick: bool,
        /// Pattern lengths of the plan.
        lengths: Vec<usize>,
    },
    /// Try one case.
    One(Case),
}

impl Workload {
    /// All cases of a plan.
    pub(crate) fn all(plan: &Plan) -> Self {
        Workload::All { seed: plan.seed, quick: plan.size == Size::Quick, lengths: plan.lengths.clone() }
    }
}

/// The answer of a child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseVerdict {
    /// All results were right.
    Right {
        /// Number of cases that were searched. The algorithm and its twin count as one.
        cases: usize,
        /// Number of cases that were refused although other patterns of their length were searched for, and
        /// although the declared needs give no reason.
        refused: usize,
        /// Whether the functions begin at multiples of 64 bytes.
        aligned: bool,
        /// The reason for the last refusal that `refused` counts. If it counts none: the reason for which the
        /// last case could not be searched.
        refusal: String,
        /// Length of the shortest pattern that all variants take.
        least: usize,
        /// The pattern length at which a case took too long. Further cases of this length and above were not
        /// tried.
        slow: Option<usize>,
    },
    /// A result was wrong.
    Wrong {
        /// What was wrong, in a sentence.
        message: String,
        /// As in [`Fault`].
        in_other_text: bool,
    },
    /// The subject could not be tried, because its library has changed or no thread could be started.
    Gone(String),
}

/// A step of a test. A note holds the step and the index of the variant that performs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestStep {
    /// Loading the library, and asking for its needs.
    Begin,
    /// The case with this number in the plan.
    Case(usize),
    /// Two searchers in one thread.
    TwoSearchers,
    /// Two searchers in two threads.
    TwoThreads,
}

/// A file in shared memory that names the running step.
#[derive(Debug)]
pub(crate) struct Note(File);

impl Note {
    /// A note in a file that the host has created.
    pub(crate) fn new(file: File) -> Self {
        Note(file)
    }

    /// Notes that a step begins. If writing fails, a report on a crash does not name the step.
    fn begin(&self, step: TestStep, variant: usize) {
        let number = match step {
            TestStep::Begin => 0,
            TestStep::TwoSearchers => 1,
            TestStep::TwoThreads => 2,
            TestStep::Case(number) => 3 + number as u64,
        };
        let words = [number.to_le_bytes(), (variant as u64).to_le_bytes()].concat();
        let _ = self.0.write_all_at(&words, 0);
    }

    /// The last noted step, with the index of its variant.
    pub(crate) fn read(&self) -> (TestStep, usize) {
        let mut words = [[0; 8]; 2];
        let read = self.0.read_exact_at(words.as_flattened_mut(), 0);
        let [number, variant] =
            words.map(|word| usize::try_from(u64::from_le_bytes(word)).unwrap_or_default());
        let step = match number {
            1 => TestStep::TwoSearchers,
            2 => TestStep::TwoThreads,
            3.. => TestStep::Case(number - 3),
            _ => TestStep::Begin,
        };
        if read.is_ok() { (step, variant) } else { (TestStep::Begin, 0) }
    }
}

/// Answers the requests of the host until there are no more.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let note = Note(process::receive_file(host)?);
    let mut known: Option<(Subject, Vec<LoadedVariant>)> = None;
    process::answer_items(host, |work: Work| -> CaseVerdict {
        let mut done = || -> Result<CaseVerdict, String> {
            note.begin(TestStep::Begin, 0);
            let variants = match known.take() {
                Some((subject, variants)) if subject == work.subject => variants,
                _ => load(&work.subject)?,
            };
            let verdict = attempt(&variants, &work.workload, &note);
            known = Some((work.subject.clone(), variants));
            Ok(verdict)
        };
        done().unwrap_or_else(CaseVerdict::Gone)
    })
}

/// Loads the variants of a subject.
fn load(subject: &Subject) -> Result<Vec<LoadedVariant>, String> {
    let load = |variant: &super::TestedVariant| {
        let catalogue = variant.library.verify_in_sandbox()?.load()?;
        let id = catalogue.own_id(&variant.id);
        let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == id);
        entry
            .map(|entry| LoadedVariant::new(entry, !catalogue.library.abi.is_empty()))
            .ok_or_else(|| format!("`{}` is gone", variant.id))
    };
    subject.variants.iter().map(load).collect()
}

/// Does a workload.
fn attempt(variants: &[LoadedVariant], workload: &Workload, note: &Note) -> CaseVerdict {
    let wrong = |(variant, Fault { message, in_other_text }): (usize, Fault)| CaseVerdict::Wrong {
        message: if variant == 0 { message } else { format!("its twin: {message}") },
        in_other_text,
    };
    match workload {
        Workload::One(case) => {
            let tried = one(variants, case, note);
            tried.map_or_else(wrong, |searched| right(variants, usize::from(searched)))
        }
        Workload::All { seed, quick, lengths } => {
            let size = if *quick { Size::Quick } else { Size::Full };
            let plan = Plan { seed: *seed, size, lengths: lengths.clone() };
            all(variants, &plan, note).unwrap_or_else(wrong)
        }
    }
}

/// The verdict that this number of cases was searched and nothing was wrong.
fn right(variants: &[LoadedVariant], cases: usize) -> CaseVerdict {
    let refusal = variants.first().map(LoadedVariant::refusal).unwrap_or_default();
    let least = variants
        .iter()
        .filter_map(|variant| variant.needs(1).ok())
        .map(|needs| needs.raw().min_pattern)
        .max();
    let aligned = variants.iter().all(LoadedVariant::is_aligned);
    CaseVerdict::Right { cases, refused: 0, aligned, refusal, least: least.unwrap_or(1), slow: None }
}

/// Tries one case with new searchers. Returns whether it was searched.
fn one(variants: &[LoadedVariant], case: &Case, note: &Note) -> Result<bool, (usize, Fault)> {
    let mut searchers: Vec<_> = variants.iter().map(LoadedVariant::searcher).collect();
    judge(&mut searchers, &Trial::new(case.clone()), TestStep::Case(0), note)
}

/// Lets all variants try a case. Returns whether they searched it. It is a fault if only some of them did,
/// because the twin must search what its algorithm searches.
fn judge(
    searchers: &mut [LoadedSearcher<'_>],
    trial: &Trial,
    step: TestStep,
    note: &Note,
) -> Result<bool, (usize, Fault)> {
    let mut searched = None;
    for (variant, searcher) in searchers.iter_mut().enumerate() {
        note.begin(step, variant);
        let here = trial.judge(searcher).map_err(|fault| (variant, fault))?;
        if searched.is_some_and(|searched| searched != here) {
            let fault = if here {
                "it searches what its algorithm can't"
            } else {
                "it can't search what its algorithm can"
            };
            return Err((variant, fault.to_owned().into()));
        }
        searched = Some(here);
    }
    Ok(searched == Some(true))
}

/// If a case of a long pattern takes longer than this, no more cases of its length or above are tried,
/// because a preparation may take time cubic in the length.
const SLOW: Duration = Duration::from_millis(150);
/// Patterns of up to this many bytes count as short.
const SHORT: usize = 64;

/// The most cases that are searched with a record of the events.
const TRACED: usize = 40;

/// Whether a case is searched with a record of the events, which takes several times as long: short texts will do.
fn is_traced((pattern, text): &Case) -> bool {
    (1..=64).contains(&pattern.len()) && (pattern.len()..=256).contains(&text.len())
}

/// CPU time of this thread.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The results of the cases of one pattern length.
#[derive(Default)]
struct LengthOutcome {
    searched: usize,
    /// Number of refused cases that the declared needs allow.
    refused: usize,
    /// Reason for the last of them.
    refusal: String,
}

/// Tries all cases, and then two searchers at a time.
fn all(variants: &[LoadedVariant], plan: &Plan, note: &Note) -> Result<CaseVerdict, (usize, Fault)> {
    for (variant, loaded) in variants.iter().enumerate() {
        note.begin(TestStep::Begin, variant);
        let needs = loaded.needs(1).map_err(|fault| (variant, fault.into()))?;
        if needs.fresh_process() {
            let searched = first_case(loaded, plan, note).map_err(|fault| (variant, fault.into()))?;
            return Ok(right(variants, usize::from(searched)));
        }
    }
    let mut searchers: Vec<_> = variants.iter().map(LoadedVariant::searcher).collect();
    let (mut lengths, mut slow_from) = (BTreeMap::<usize, LengthOutcome>::new(), None);
    for (number, (_, case)) in plan.cases().enumerate() {
        let [m, n] = [case.0.len(), case.1.len()];
        if slow_from.is_some_and(|slow| m >= slow) {
            continue;
        }
        let begun = thread_time();
        let searched = judge(&mut searchers, &Trial::new(case), TestStep::Case(number), note)?;
        // A text that is shorter than the pattern is answered by the host, and shows nothing about the
        // algorithm.
        if m <= n {
            let outcome = lengths.entry(m).or_default();
            if searched {
                outcome.searched += 1;
            } else if variants.iter().all(|variant| variant.accepts(m, n)) {
                outcome.refused += 1;
                outcome.refusal = variants.first().map(LoadedVariant::refusal).unwrap_or_default();
            }
        }
        if m > SHORT && thread_time().saturating_sub(begun) > SLOW {
            slow_from = Some(m);
        }
    }
    for (variant, loaded) in variants.iter().enumerate().filter(|(_, loaded)| loaded.counts()) {
        for (number, (_, case)) in
            plan.cases().enumerate().filter(|(_, (_, case))| is_traced(case)).step_by(20).take(TRACED)
        {
            note.begin(TestStep::Case(number), variant);
            let traced = loaded.trace(&case.0, &case.1);
            traced.map_err(|fault| (variant, fault.into()))?;
        }
    }
    for (variant, loaded) in variants.iter().enumerate() {
        note.begin(TestStep::TwoSearchers, variant);
        in_one_thread(&|| Box::new(loaded.searcher())).map_err(|fault| (variant, fault.into()))?;
        note.begin(TestStep::TwoThreads, variant);
        match in_two_threads(&|| Box::new(loaded.searcher())) {
            Ok(undisturbed) => undisturbed.map_err(|fault| (variant, fault.into()))?,
            // Most likely the machine has no room for a thread, so the algorithm is not blamed.
            Err(error) => {
                let message = format!(
                    "it could not be tried in two threads, because none could be started: {}",
                    reason(&error)
                );
                return Ok(CaseVerdict::Gone(message));
            }
        }
    }
    let mut verdict = right(variants, lengths.values().map(|outcome| outcome.searched).sum());
    if let CaseVerdict::Right { refused, refusal, slow, .. } = &mut verdict {
        *slow = slow_from;
        let searched_some = |outcome: &LengthOutcome| outcome.searched > 0 && outcome.refused > 0;
        for outcome in lengths.into_values().filter(searched_some) {
            *refused += outcome.refused;
            *refusal = outcome.refusal;
        }
    }
    Ok(verdict)
}

/// Tries the first case that is not refused. There is only one, because this algorithm needs a fresh process
/// for each pattern.
fn first_case(variant: &LoadedVariant, plan: &Plan, note: &Note) -> Result<bool, String> {
    for (number, (_, case)) in plan.cases().enumerate() {
        note.begin(TestStep::Case(number), 0);
        if Trial::new(case).once(&mut variant.searcher())? {
            return Ok(true);
        }
    }
    Ok(false)
}
