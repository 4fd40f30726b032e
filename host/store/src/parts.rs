//! The parts of a run: one, and another each time that it was resumed. A run that was gathered from the tasks
//! of a campaign has those of all tasks.

use assay_base::moment;
use assay_experiment::definition::Experiment;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ExperimentFacts;
use crate::TimeSpent;
use crate::blocks::{BlockRecord, Commit};
use crate::gathered::PartTask;
use crate::noise::{Noise, PartNoise};
use crate::provenance::LibraryFacts;

/// A part of a run: what was measured without an interruption.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Part {
    /// When it began, in UTC.
    pub began: String,
    /// When it ended, in UTC: for a part that was killed, its beginning and `measuring_s`. `null` if it is
    /// still measuring, or was killed before its first block was complete.
    #[serde(default)]
    pub ended: Option<String>,
    /// Time from the start of its first worker to its last measurement, without the reference counts between
    /// them, in seconds: for a part that was killed, all time to the end of its last block. `null` as `ended`
    /// is.
    #[serde(default)]
    pub measuring_s: Option<f64>,
    /// What its wall time went to; `null` if it did not end by itself, or if an earlier version measured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<TimeSpent>,
    /// Whether its process was killed. Then `noise` has of it what was known at its last block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub killed: bool,
    /// What was different than in the first part, in words. Only `--force` continues a run then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
    /// Where it comes from, if the run was gathered from the tasks of a campaign.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub task: Option<PartTask>,
}

impl Part {
    /// A part that begins now.
    pub fn begin() -> Self {
        Part { began: moment::now(), ..Part::default() }
    }

    /// Ends the part now, after it has measured for this number of seconds.
    pub fn end(&mut self, measuring_s: f64) {
        (self.ended, self.measuring_s) = (Some(moment::now()), Some(measuring_s));
    }

    /// Ends a part that was killed, which had measured for this number of milliseconds when its last block
    /// was complete; `None` if no block was. The times of files say nothing, because copies have others.
    fn end_of_killed(&mut self, measuring_ms: Option<u64>) {
        self.killed = true;
        let began: Option<Timestamp> = self.began.parse().ok();
        let measured = measuring_ms.and_then(|ms| i64::try_from(ms).ok()).map(SignedDuration::from_millis);
        self.ended = began
            .zip(measured)
            .and_then(|(began, measured)| began.checked_add(measured).ok())
            .map(moment::to_second);
        self.measuring_s = measured.map(|measured| measured.as_secs_f64());
    }
}

impl ExperimentFacts {
    /// Completes what is known of a run with these blocks if its last part was killed or goes on: the part
    /// could not write its noise. Returns whether that is so.
    pub fn add_unfinished_part<'a>(
        &mut self,
        blocks: impl DoubleEndedIterator<Item = &'a BlockRecord> + Clone,
    ) -> bool {
        let is_unfinished = self.parts.last().is_some_and(|part| part.ended.is_none());
        if is_unfinished {
            let last = self.last_commit(blocks.clone());
            let part_noise = last.map_or(PartNoise::OF_NO_BLOCK, |commit| commit.part_noise);
            let of_blocks = Noise::of_blocks(blocks, &self.counters);
            let (begun, is_first) = (std::mem::take(&mut self.noise), self.parts.len() == 1);
            self.noise = begun.with_unfinished_part(of_blocks, part_noise, is_first);
        }
        is_unfinished
    }

    /// For how long the parts have measured that have ended, in seconds. A part that was killed before its
    /// first block was complete has measured nothing.
    pub fn parts_measuring_s(&self) -> f64 {
        self.parts.iter().filter_map(|part| part.measuring_s).sum()
    }

    /// What the wall time of all parts went to; `None` if that of a part is not known.
    pub fn spent(&self) -> Option<TimeSpent> {
        let mut parts = self.parts.iter().map(|part| part.spent);
        let first = parts.next()??;
        parts.try_fold(first, |sum, part| Some(sum.and(&part?)))
    }

    /// Ends the last part of a run with these blocks if it was killed.
    pub(crate) fn end_killed_part<'a>(
        &mut self,
        blocks: impl DoubleEndedIterator<Item = &'a BlockRecord> + Clone,
    ) {
        let measuring_ms = self.last_commit(blocks.clone()).and_then(|commit| commit.measuring_ms);
        if self.add_unfinished_part(blocks)
            && let Some(part) = self.parts.last_mut()
        {
            part.end_of_killed(measuring_ms);
        }
    }

    /// What the last of these blocks says, if the last part measured it.
    fn last_commit<'a>(
        &self,
        mut blocks: impl DoubleEndedIterator<Item = &'a BlockRecord>,
    ) -> Option<&'a Commit> {
        let commit = blocks.next_back()?.commit.as_ref()?;
        (commit.part as usize == self.parts.len()).then_some(commit)
    }
}

/// What has changed since a run began, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartDifferences {
    /// What makes it another experiment, whose rows can't be in one run.
    pub work: Vec<String>,
    /// What may change its times: another part can be measured, but not compared with the others.
    pub conditions: Vec<String>,
}

/// What differs between an experiment as it was when its run began, and as it is now.
pub fn differences(first: &ExperimentFacts, now: &ExperimentFacts) -> PartDifferences {
    PartDifferences { work: other_work(first, now), conditions: other_conditions(first, now) }
}

/// What makes it another experiment.
fn other_work(first: &ExperimentFacts, now: &ExperimentFacts) -> Vec<String> {
    let mut all = Vec::new();
    // Texts are compared by their hashes, and algorithms by name.
    let asked = |facts: &ExperimentFacts| {
        let mut definition = facts.definition.clone().map(Experiment::without_records);
        definition.iter_mut().for_each(|experiment| experiment.algorithms.clear());
        definition
    };
    if asked(first) != asked(now) {
        all.push(format!("the experiment: `experiment.toml` was edited since run {} began", first.id));
    }
    let algorithms = |facts: &ExperimentFacts| {
        let ids = facts.definition.as_ref().map(|experiment| experiment.algorithms.join(", "));
        ids.unwrap_or_else(unknown)
    };
    all.extend(difference("the algorithms", &algorithms(first), &algorithms(now)));
    all.extend(difference("the seed", &first.seed.to_string(), &now.seed.to_string()));
    all.extend(difference("the text", &sha256(&first.text.sha256), &sha256(&now.text.sha256)));
    if first.range != now.range {
        all.push("the texts or values of the range".to_owned());
    }
    let counters = |facts: &ExperimentFacts| {
        let names: Vec<&str> = facts.counters.iter().map(|counter| counter.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    all.extend(difference("the counters", &counters(first), &counters(now)));
    all
}

/// What may change its times.
fn other_conditions(first: &ExperimentFacts, now: &ExperimentFacts) -> Vec<String> {
    let cpu = |facts: &ExperimentFacts| facts.machine.cpu.clone().unwrap_or_else(unknown);
    let number = |facts: &ExperimentFacts| facts.cpu.map_or_else(unknown, |cpu| cpu.to_string());
    let sandbox = |facts: &ExperimentFacts| match facts.sandbox.as_deref() {
        None => unknown(),
        Some([]) => "none".to_owned(),
        Some(parts) => parts.join(", "),
    };
    let built = |facts: &ExperimentFacts| if facts.machine.optimised { "release" } else { "debug" };
    let facts = [
        difference("the CPU", &cpu(first), &cpu(now)),
        difference("the number of the CPU", &number(first), &number(now)),
        difference("the kernel", &first.machine.kernel, &now.machine.kernel),
        difference("the compiler of assay", &first.machine.compiler, &now.machine.compiler),
        difference("the version of assay", &first.machine.assay, &now.machine.assay),
        difference("the build of assay", built(first), built(now)),
        difference("the environment", &first.machine.environment(), &now.machine.environment()),
        difference("the sandbox", &sandbox(first), &sandbox(now)),
    ];
    let mut all: Vec<String> = facts.into_iter().flatten().collect();
    for library in &first.libraries {
        let LibraryFacts { path, sha256: before, .. } = library;
        let what = format!("the library `{path}`");
        match now.libraries.iter().find(|other| other.path == *path) {
            Some(other) => all.extend(difference(&what, &sha256(before), &sha256(&other.sha256))),
            None if now.libraries.iter().any(|other| other.sha256 == *before) => {}
            None => all.extend(difference(&what, &sha256(before), "not in use")),
        }
    }
    all
}

/// The line on a fact that has changed; `None` if it has not.
fn difference(what: &str, first: &str, now: &str) -> Option<String> {
    (first != now).then(|| format!("{what}: {first} when the run began, {now} now"))
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// A hash in words, short enough to compare by eye.
fn sha256(hash: &str) -> String {
    format!("SHA-256 {}..", hash.get(..12).unwrap_or(hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn what_differs_is_named_with_what_was_there_and_what_is_there() {
        let library = |sha256: &str| LibraryFacts {
            path: "l.so".to_owned(),
            name: "l".to_owned(),
            version: "1".to_owned(),
            sha256: sha256.to_owned(),
            debug: None,
        };
        let mut then = testing::run().experiment;
        then.libraries = vec![library("00ffeeddccbb")];
        assert_eq!(differences(&then, &then.clone()), PartDifferences::default());
        let mut now = then.clone();
        now.machine.kernel = "Linux 9".to_owned();
        (then.sandbox, now.sandbox) = (Some(vec!["limits".to_owned()]), Some(Vec::new()));
        now.text.sha256 = "00112233445566".to_owned();
        now.libraries = vec![library("aabbccddeeff0011")];
        now.definition = None;
        let PartDifferences { work, conditions } = differences(&then, &now);
        assert_eq!((work.len(), conditions.len()), (3, 3), "{work:?}{conditions:?}");
        assert!(work[0].starts_with("the experiment: "), "{work:?}");
        assert!(work[1].ends_with(" when the run began, unknown now"), "{work:?}");
        let text = &work[2];
        assert!(text.starts_with("the text: SHA-256 ") && text.ends_with("001122334455.. now"), "{text}");
        let kernel = &conditions[0];
        assert!(kernel.starts_with("the kernel: ") && kernel.ends_with("Linux 9 now"), "{kernel}");
        let library =
            "the library `l.so`: SHA-256 00ffeeddccbb.. when the run began, SHA-256 aabbccddeeff.. now";
        assert_eq!(conditions[1], "the sandbox: limits when the run began, none now");
        assert_eq!(conditions[2], library);
    }

    #[test]
    fn a_killed_part_ends_with_its_last_block() {
        let mut part = Part { began: "2026-01-02T03:04:05Z".to_owned(), ..Part::default() };
        part.end_of_killed(None);
        assert_eq!((&part.ended, part.measuring_s, part.killed), (&None, None, true), "it measured nothing");
        part.end_of_killed(Some(10_000));
        assert_eq!((part.ended.as_deref(), part.measuring_s), (Some("2026-01-02T03:04:15Z"), Some(10.0)));
    }
}
