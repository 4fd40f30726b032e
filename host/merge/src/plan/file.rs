//! The file of a plan.

use std::path::Path;

use assay_base::error::{Error, Result, excerpt};
use assay_base::io::toml_input;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::problem::check_twins;

/// The method for which a plan is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Every sub-experiment counts one event in common, the anchor, and each other event is counted once
    Hrm,
    /// Each two events are counted together in some sub-experiment
    Much,
}

/// Which events are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The method for which it is made.
    pub method: Method,
    /// Number of events that are counted together, in addition to those of `fixed`.
    pub counters: usize,
    /// The event that is in every block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Events that are in every block and need none of the counters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<String>,
    /// Pairs of events that can't be counted together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<[String; 2]>,
    /// The search that has found it so far, if it may be continued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<FinishedRounds>,
    /// The sub-experiments.
    #[serde(rename = "block")]
    pub blocks: Vec<PlannedBlock>,
}

/// The rounds of a search that are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishedRounds {
    /// The seed of the search.
    pub seed: u64,
    /// Number of rounds.
    pub rounds: u32,
}

/// A sub-experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedBlock {
    /// Its events, each once.
    pub events: Vec<String>,
}

impl Plan {
    /// Reads and checks a TOML file.
    ///
    /// # Errors
    /// If it can't be read, or holds no plan: the message names the file, and the line or the block.
    pub fn load(path: &Path) -> Result<Plan> {
        let remedy = "`assay plan .. --out PLAN.toml` writes a plan";
        let plan: Plan = toml_input::read(path).map_err(|error| error.remedy(remedy))?;
        plan.check().map_err(|error| error.within(path))?;
        Ok(plan)
    }

    /// The plan as a TOML file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a plan has a TOML form")
    }

    /// All events, in the order in which they first appear.
    pub fn events(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for event in self.blocks.iter().flat_map(|block| &block.events) {
            if !all.contains(&event.as_str()) {
                all.push(event);
            }
        }
        all
    }

    /// Number of rounds of the search that has found it.
    pub fn rounds(&self) -> u32 {
        self.search.map_or(0, |search| search.rounds)
    }

    /// Whether both count the same events together under the same conditions. How long was searched for them
    /// does not matter.
    pub fn is_same(&self, other: &Plan) -> bool {
        let without_search = |plan: &Plan| Plan { search: None, ..plan.clone() };
        without_search(self) == without_search(other)
    }

    /// Number of columns of the widest block.
    pub fn width(&self) -> usize {
        self.blocks.iter().map(|block| block.events.len()).max().unwrap_or(0)
    }

    fn check(&self) -> Result<()> {
        let wrong = |block: usize, what: String| {
            Err(Error::new(format!("block {}: {what}", block + 1))
                .remedy("correct this block, or make the plan again: `assay plan`"))
        };
        if self.blocks.is_empty() {
            return Err(Error::new("a plan without a [[block]] has nothing to run").remedy(
                "`assay plan` writes plans; a block begins with [[block]] and has a list of events",
            ));
        }
        if self.method == Method::Hrm && self.anchor.is_none() {
            return Err(Error::new(
                "a plan for HRM names no `anchor`, by which its sub-experiments are joined",
            )
            .remedy("add the event that all blocks count: anchor = \"..\""));
        }
        for (number, PlannedBlock { events }) in self.blocks.iter().enumerate() {
            if events.is_empty() {
                return wrong(number, "it has no events".to_owned());
            }
            if events.iter().any(|event| event.trim().is_empty()) {
                return wrong(number, "an event has no name".to_owned());
            }
            if let Some(event) = events.iter().find(|event| event.contains(char::is_control)) {
                return wrong(number, format!("the name {event:?} has a control character"));
            }
            if let Some([a, b]) =
                self.apart.iter().find(|pair| pair.iter().all(|event| events.contains(event)))
            {
                let (a, b) = (excerpt(a), excerpt(b));
                return wrong(number, format!("`{a}` and `{b}` are `apart`, and can't be counted together"));
            }
            if let Some((_, event)) =
                events.iter().enumerate().find(|(at, event)| events[..*at].contains(event))
            {
                return wrong(number, format!("`{}` stands there twice", excerpt(event)));
            }
            let counted = events.iter().filter(|event| !self.fixed.contains(event)).count();
            if counted > self.counters {
                return wrong(number, format!("{counted} events, and `counters` is {}", self.counters));
            }
            if let Some(anchor) = self.anchor.as_ref().filter(|anchor| !events.contains(anchor)) {
                return wrong(number, format!("the anchor `{}` is missing", excerpt(anchor)));
            }
        }
        check_twins(self.events().into_iter())
    }
}
