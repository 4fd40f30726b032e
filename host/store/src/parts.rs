//! The parts of a run: one, and another each time that it was resumed.

use std::path::Path;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::provenance::LibraryFacts;
use crate::{BLOCKS, ExperimentFacts};

/// A part of a run: what was measured without an interruption.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Part {
    /// When it began, in UTC.
    pub began: String,
    /// When it ended, in UTC: for a part that was killed, when its last block was complete. `null` if it goes
    /// on.
    #[serde(default)]
    pub ended: Option<String>,
    /// Time from the start of its first worker to its last measurement, in seconds: for a part that was
    /// killed, from its beginning to its end. `null` if it goes on.
    #[serde(default)]
    pub measuring_s: Option<f64>,
    /// What was different than in the first part, in words. Only `--force` continues a run then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
}

impl Part {
    /// A part that begins now.
    pub fn begin() -> Self {
        Part { began: written(Timestamp::now()), ..Part::default() }
    }

    /// Ends the part now, after it has measured for this number of seconds.
    pub fn end(&mut self, measuring_s: f64) {
        (self.ended, self.measuring_s) = (Some(written(Timestamp::now())), Some(measuring_s));
    }

    /// Ends a part that was killed, when it last wrote to the folder of its run.
    pub(crate) fn end_of_killed(&mut self, folder: &Path) {
        let last = std::fs::metadata(folder.join(BLOCKS)).and_then(|file| file.modified()).ok();
        let last = last.and_then(|last| Timestamp::try_from(last).ok());
        let began: Option<Timestamp> = self.began.parse().ok();
        self.ended = last.map(written);
        self.measuring_s = began
            .zip(last)
            .map(|(began, last)| (last - began).total(jiff::Unit::Second).unwrap_or(0.0).max(0.0));
    }
}

/// A moment to the second.
fn written(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// What makes figures of two parts incomparable, in words: what was there `then`, and what is there `now`.
pub fn differences(then: &ExperimentFacts, now: &ExperimentFacts) -> Vec<String> {
    let mut all = Vec::new();
    // Records of the text are compared below, by its hash.
    let asked = |facts: &ExperimentFacts| {
        let mut definition = facts.definition.clone();
        definition.iter_mut().for_each(|experiment| experiment.text.recorded.clear());
        definition
    };
    if asked(then) != asked(now) {
        all.push(format!("the experiment: `experiment.toml` was edited since run {} began", then.id));
    }
    let mut compare = |what: &str, then: &str, now: &str| {
        if then != now {
            all.push(format!("{what}: {then} then, {now} now"));
        }
    };
    let unknown = || "unknown".to_owned();
    compare("the seed", &then.seed.to_string(), &now.seed.to_string());
    compare("the text", &sha256(&then.text.sha256), &sha256(&now.text.sha256));
    let cpu = |facts: &ExperimentFacts| facts.machine.cpu.clone().unwrap_or_else(unknown);
    compare("the CPU", &cpu(then), &cpu(now));
    let number = |facts: &ExperimentFacts| facts.cpu.map_or_else(unknown, |cpu| cpu.to_string());
    compare("the number of the CPU", &number(then), &number(now));
    compare("the kernel", &then.machine.kernel, &now.machine.kernel);
    compare("the compiler of assay", &then.machine.compiler, &now.machine.compiler);
    compare("the version of assay", &then.machine.assay, &now.machine.assay);
    let built = |facts: &ExperimentFacts| if facts.machine.optimised { "release" } else { "debug" };
    compare("the build of assay", built(then), built(now));
    let counters = |facts: &ExperimentFacts| {
        let names: Vec<&str> = facts.counters.iter().map(|counter| counter.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    compare("the counters", &counters(then), &counters(now));
    for library in &then.libraries {
        let LibraryFacts { path, sha256: before, .. } = library;
        match now.libraries.iter().find(|other| other.path == *path) {
            Some(other) => compare(&format!("the library `{path}`"), &sha256(before), &sha256(&other.sha256)),
            None if now.libraries.iter().any(|other| other.sha256 == *before) => {}
            None => compare(&format!("the library `{path}`"), &sha256(before), "not in use"),
        }
    }
    if then.range != now.range {
        all.push("the texts or values of the range".to_owned());
    }
    all
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
        assert_eq!(differences(&then, &then.clone()), [] as [&str; 0]);
        let mut now = then.clone();
        now.machine.kernel = "Linux 9".to_owned();
        now.text.sha256 = "00112233445566".to_owned();
        now.libraries = vec![library("aabbccddeeff0011")];
        now.definition = None;
        let all = differences(&then, &now);
        assert_eq!(all.len(), 4, "{all:?}");
        assert!(all[0].starts_with("the experiment: "), "{all:?}");
        assert!(
            all[1].starts_with("the text: SHA-256 ") && all[1].ends_with("SHA-256 001122334455.. now"),
            "{all:?}"
        );
        assert!(all[2].starts_with("the kernel: ") && all[2].ends_with(" then, Linux 9 now"), "{all:?}");
        assert!(
            all[3].starts_with("the library `l.so`: ") && all[3].ends_with("SHA-256 aabbccddeeff.. now"),
            "{all:?}"
        );
    }

    #[test]
    fn a_killed_part_ends_when_it_last_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let mut part = Part { began: "2026-01-02T03:04:05Z".to_owned(), ..Part::default() };
        part.end_of_killed(folder.path());
        assert_eq!((&part.ended, part.measuring_s), (&None, None), "it wrote nothing");
        let file = std::fs::File::create(folder.path().join(BLOCKS)).unwrap();
        let moment: Timestamp = "2026-01-02T03:04:15Z".parse().unwrap();
        file.set_modified(moment.into()).unwrap();
        part.end_of_killed(folder.path());
        assert_eq!((part.ended.as_deref(), part.measuring_s), (Some("2026-01-02T03:04:15Z"), Some(10.0)));
    }
}
