//! The child's side of a test: searches here. Before each case it notes which one that is, where the host can read it when
//! there is no child any more.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use assay_plugin_api::testing::cases::{Case, Plan, Size};
use assay_plugin_api::testing::{Fault, Trial, in_one_thread, in_two_threads};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::loaded;
use super::subject::Subject;
use crate::error::reason;
use crate::process;

/// What a child is to do.
#[derive(Debug, Serialize, Deserialize)]
pub struct Work {
    /// With whom.
    pub subject: Subject,
    /// What.
    pub deed: Deed,
    /// Where to note the case in work.
    pub note: PathBuf,
}

/// What is done with a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deed {
    /// Try all cases of a plan, and then two searchers at a time.
    All {
        /// Of the plan.
        seed: u64,
        /// Whether it is [`Size::Quick`].
        quick: bool,
        /// Of the plan.
        lengths: Vec<usize>,
    },
    /// Try one case.
    One(Case),
}

impl Deed {
    /// All cases of a plan.
    pub fn all(plan: &Plan) -> Self {
        Deed::All { seed: plan.seed, quick: plan.size == Size::Quick, lengths: plan.lengths.clone() }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// So many cases were searched, and all was right.
    Right {
        /// How many; the twin's are not counted apart.
        cases: usize,
        /// How many others were refused, though patterns of the same length were searched for, and nothing in the declared
        /// needs says why.
        refused: usize,
        /// Whether the functions begin where those of others do.
        aligned: bool,
        /// Why one of those was refused; or, if there is none, the last case that could not be searched.
        refusal: String,
        /// The length of the shortest pattern that it takes.
        least: usize,
        /// From this pattern length on, what was left was not tried: a case took too long.
        slow: Option<usize>,
    },
    /// This is wrong.
    Wrong {
        /// In words.
        message: String,
        /// As in [`Fault`].
        in_other_text: bool,
    },
    /// It could not be tried: the library is not what it was, or the machine had no room for another thread.
    Gone(String),
}

/// What is in work: a step, and which voice of the subject does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The library is loaded, or asked what it needs.
    Begin,
    /// The case of this number, among all of the plan.
    Case(usize),
    /// Two searchers in one thread.
    TwoSearchers,
    /// Two searchers in two threads.
    TwoThreads,
}

/// A file in memory that says what is in work.
#[derive(Debug)]
pub struct Note(File);

impl Note {
    /// Opens the file that the host made, or takes a new one.
    pub fn new(file: File) -> Self {
        Note(file)
    }

    /// Notes what begins. A step that can't be noted will not be named.
    fn begin(&self, step: Step, voice: usize) {
        let number = match step {
            Step::Begin => 0,
            Step::TwoSearchers => 1,
            Step::TwoThreads => 2,
            Step::Case(number) => 3 + number as u64,
        };
        let words = [number.to_le_bytes(), (voice as u64).to_le_bytes()].concat();
        let _ = self.0.write_all_at(&words, 0);
    }

    /// What was noted last.
    pub fn read(&self) -> (Step, usize) {
        let mut words = [[0; 8]; 2];
        let read = self.0.read_exact_at(words.as_flattened_mut(), 0);
        let [number, voice] = words.map(|word| usize::try_from(u64::from_le_bytes(word)).unwrap_or_default());
        let step = match number {
            1 => Step::TwoSearchers,
            2 => Step::TwoThreads,
            3.. => Step::Case(number - 3),
            _ => Step::Begin,
        };
        if read.is_ok() { (step, voice) } else { (Step::Begin, 0) }
    }
}

/// Works for the host until it has no more to do.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let mut known: Option<(Subject, Vec<loaded::Voice>)> = None;
    process::answer(host, |work: Work| -> Verdict {
        let mut done = || -> Result<Verdict, String> {
            let note = File::options().read(true).write(true).open(&work.note);
            let note = Note(note.map_err(|error| error.to_string())?);
            note.begin(Step::Begin, 0);
            let voices = match known.take() {
                Some((subject, voices)) if subject == work.subject => voices,
                _ => load(&work.subject)?,
            };
            let verdict = attempt(&voices, &work.deed, &note);
            known = Some((work.subject.clone(), voices));
            Ok(verdict)
        };
        done().unwrap_or_else(Verdict::Gone)
    })
}

/// The voices of a subject, loaded here.
fn load(subject: &Subject) -> Result<Vec<loaded::Voice>, String> {
    let load = |voice: &super::Voice| {
        let catalogue = voice.library.pin()?.load()?;
        let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == voice.id);
        entry
            .map(|entry| loaded::Voice::new(entry, !catalogue.library.abi.is_empty()))
            .ok_or_else(|| format!("`{}` is gone", voice.id))
    };
    subject.voices.iter().map(load).collect()
}

fn attempt(voices: &[loaded::Voice], deed: &Deed, note: &Note) -> Verdict {
    let wrong = |(voice, Fault { message, in_other_text }): (usize, Fault)| Verdict::Wrong {
        message: if voice == 0 { message } else { format!("its twin: {message}") },
        in_other_text,
    };
    match deed {
        Deed::One(case) => {
            let tried = one(voices, case, note);
            tried.map_or_else(wrong, |searched| right(voices, usize::from(searched)))
        }
        Deed::All { seed, quick, lengths } => {
            let size = if *quick { Size::Quick } else { Size::Full };
            let plan = Plan { seed: *seed, size, lengths: lengths.clone() };
            all(voices, &plan, note).unwrap_or_else(wrong)
        }
    }
}

fn right(voices: &[loaded::Voice], cases: usize) -> Verdict {
    let refusal = voices.first().map(loaded::Voice::refusal).unwrap_or_default();
    let least =
        voices.iter().filter_map(|voice| voice.needs(1).ok()).map(|needs| needs.raw().min_pattern).max();
    let aligned = voices.iter().all(loaded::Voice::is_aligned);
    Verdict::Right { cases, refused: 0, aligned, refusal, least: least.unwrap_or(1), slow: None }
}

/// Tries one case with fresh searchers.
fn one(voices: &[loaded::Voice], case: &Case, note: &Note) -> Result<bool, (usize, Fault)> {
    let mut searchers: Vec<_> = voices.iter().map(loaded::Voice::searcher).collect();
    judge(&mut searchers, &Trial::new(case.clone()), Step::Case(0), note)
}

/// Lets all voices try a case: all search it, or none.
fn judge(
    searchers: &mut [loaded::Loaded<'_>],
    trial: &Trial,
    step: Step,
    note: &Note,
) -> Result<bool, (usize, Fault)> {
    let mut searched = None;
    for (voice, searcher) in searchers.iter_mut().enumerate() {
        note.begin(step, voice);
        let here = trial.judge(searcher).map_err(|fault| (voice, fault))?;
        if searched.is_some_and(|searched| searched != here) {
            let fault = if here {
                "it searches what its algorithm can't"
            } else {
                "it can't search what its algorithm can"
            };
            return Err((voice, fault.to_owned().into()));
        }
        searched = Some(here);
    }
    Ok(searched == Some(true))
}

/// A case of a long pattern that takes longer is the last of its length, and of longer patterns: preparations may be cubic.
const SLOW: Duration = Duration::from_millis(150);
/// Patterns of up to so many bytes are not long.
const SHORT: usize = 64;

/// How long this thread has had a CPU.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// What became of the cases with patterns of one length.
#[derive(Default)]
struct OfLength {
    searched: usize,
    /// Those that were refused, though the declared needs say nothing against them; and why the last one was.
    refused: usize,
    refusal: String,
}

/// Tries all cases, and then two searchers at a time.
fn all(voices: &[loaded::Voice], plan: &Plan, note: &Note) -> Result<Verdict, (usize, Fault)> {
    for (voice, loaded) in voices.iter().enumerate() {
        note.begin(Step::Begin, voice);
        let needs = loaded.needs(1).map_err(|fault| (voice, fault.into()))?;
        if needs.fresh_process() {
            let searched = once(loaded, plan, note).map_err(|fault| (voice, fault.into()))?;
            return Ok(right(voices, usize::from(searched)));
        }
    }
    let mut searchers: Vec<_> = voices.iter().map(loaded::Voice::searcher).collect();
    let (mut lengths, mut slow_from) = (BTreeMap::<usize, OfLength>::new(), None);
    for (number, (_, case)) in plan.cases().enumerate() {
        let [m, n] = [case.0.len(), case.1.len()];
        if slow_from.is_some_and(|slow| m >= slow) {
            continue;
        }
        let begun = worked();
        let searched = judge(&mut searchers, &Trial::new(case), Step::Case(number), note)?;
        // The host itself answers a text that is shorter than the pattern.
        if m <= n {
            let of_length = lengths.entry(m).or_default();
            if searched {
                of_length.searched += 1;
            } else if voices.iter().all(|voice| voice.accepts(m, n)) {
                of_length.refused += 1;
                of_length.refusal = voices.first().map(loaded::Voice::refusal).unwrap_or_default();
            }
        }
        if m > SHORT && worked().saturating_sub(begun) > SLOW {
            slow_from = Some(m);
        }
    }
    for (voice, loaded) in voices.iter().enumerate() {
        note.begin(Step::TwoSearchers, voice);
        in_one_thread(&|| Box::new(loaded.searcher())).map_err(|fault| (voice, fault.into()))?;
        note.begin(Step::TwoThreads, voice);
        match in_two_threads(&|| Box::new(loaded.searcher())) {
            Ok(undisturbed) => undisturbed.map_err(|fault| (voice, fault.into()))?,
            // The machine's lack, unless the library itself has taken what there was.
            Err(error) => {
                let lack = format!(
                    "it could not be tried in two threads, since none could be started: {}",
                    reason(&error)
                );
                return Ok(Verdict::Gone(lack));
            }
        }
    }
    let mut verdict = right(voices, lengths.values().map(|of_length| of_length.searched).sum());
    if let Verdict::Right { refused, refusal, slow, .. } = &mut verdict {
        *slow = slow_from;
        for of_length in lengths.into_values().filter(|of| of.searched > 0 && of.refused > 0) {
            *refused += of_length.refused;
            *refusal = of_length.refusal;
        }
    }
    Ok(verdict)
}

/// Tries the first case that is not refused: a process that each pattern wants for itself is used up by it.
fn once(voice: &loaded::Voice, plan: &Plan, note: &Note) -> Result<bool, String> {
    for (number, (_, case)) in plan.cases().enumerate() {
        note.begin(Step::Case(number), 0);
        if Trial::new(case).once(&mut voice.searcher())? {
            return Ok(true);
        }
    }
    Ok(false)
}
