//! What is known of a run that was gathered from the tasks of a campaign: its machines, and the tasks that
//! are missing in it.

use assay_doctor::CheckRecord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::noise::Noise;
use crate::provenance::Machine;

/// A run that was gathered from the tasks of a campaign. Each part belongs to one task; a task that was
/// resumed has several parts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct GatheredFacts {
    /// SHA-256 of the manifest of the campaign.
    pub campaign_sha256: String,
    /// The algorithm that all tasks have measured.
    pub reference: String,
    /// The number of the group of algorithms and the number of groups, if the algorithms of a value were too
    /// many for a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<[usize; 2]>,
    /// The machines.
    pub nodes: Vec<NodeFacts>,
    /// The tasks on this text, with these algorithms, that are missing in this run.
    pub missing: Vec<MissingTask>,
}

impl GatheredFacts {
    /// A short hash of the campaign, the group and these words.
    pub fn hash_with(&self, words: &[&str]) -> String {
        let key = format!("{}\n{:?}\n{}", self.campaign_sha256, self.group, words.join("\n"));
        hex::encode(&Sha256::digest(key.as_bytes())[..4])
    }
}

/// A machine that has measured tasks.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct NodeFacts {
    /// Its name.
    pub node: String,
    /// CPU, caches, kernel, clocks: when it measured the first of its tasks.
    pub machine: Machine,
    /// Number of the CPU of the workers; `null` if the system chose it.
    pub cpu: Option<usize>,
    /// Whether it was fit to measure, before the first of its tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckRecord>,
    /// Disturbances and other conditions during all of its tasks: the governor, the clock floor, the speed.
    pub noise: Noise,
}

/// How the state of a task begins whose run was removed, or does not match its checksums or its task.
pub const DAMAGED: &str = "damaged";

/// A task that is missing in a gathered run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct MissingTask {
    /// Its number.
    pub task: u32,
    /// Its pattern lengths, or other values of the range.
    pub values: Vec<u64>,
    /// Its state, such as `failed`, and the reason if one is known.
    pub state: String,
}

impl MissingTask {
    /// Whether it was measured, and its run is damaged.
    pub fn is_damaged(&self) -> bool {
        self.state.starts_with(DAMAGED)
    }
}

/// The task that a part of a gathered run comes from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct PartTask {
    /// Its number.
    pub task: u32,
    /// The id of its run.
    pub run: String,
    /// The name of the machine, one of `gathered.nodes`.
    pub node: String,
}
