//! The figures of a report as one JSON object, which says what they are of.

use assay_experiment::definition::Stats;
use assay_experiment::text::TextFacts;
use assay_store::ExperimentFacts;
use assay_store::parts::Part;
use assay_store::range::RangeFacts;
use schemars::JsonSchema;
use serde::Serialize;

/// The version of this form. Within one, fields are added and none is renamed.
const SCHEMA: u32 = 1;

/// Figures, with the run and the text that they are of.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunFigures<'a> {
    /// Version of this form.
    pub schema: u32,
    /// The run.
    pub run: RunFacts<'a>,
    /// The text; of the first value, where it varies.
    pub text: &'a TextFacts,
    /// The range, if something else than the pattern length varied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<&'a RangeFacts>,
    /// One for each metric, algorithm, pattern length and statistic.
    pub figures: Vec<Figure<'a>>,
}

/// The facts about a run that are needed to read its figures; `report.json` has all.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunFacts<'a> {
    /// Name of the run.
    pub id: &'a str,
    /// The description that the user gave; empty if there is none.
    pub description: &'a str,
    /// Whether it ended early.
    pub interrupted: bool,
    /// What the figures are of, in words, if some algorithms or values of the range are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subset: Option<&'a str>,
    /// The parts in which it was measured: one, unless it was resumed. Empty if an earlier version wrote it.
    pub parts: &'a [Part],
    /// `perf` or `algo`.
    pub stats: Stats,
    /// The seed, which decides everything that is drawn at random.
    pub seed: u64,
    /// The model of the CPU; `null` if unknown.
    pub cpu: Option<&'a str>,
    /// Version of the program that measured.
    pub assay: &'a str,
}

/// One figure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Figure<'a> {
    /// Id of the algorithm.
    pub algorithm: &'a str,
    /// Length of the patterns in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern_length: Option<u64>,
    /// The range value, if something else than the pattern length varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_value: Option<u64>,
    /// Id of the metric, or name of the counter or column.
    pub metric: &'a str,
    /// Unit of the value, which is that of the metric unless the statistic has its own; empty for plain
    /// numbers.
    pub unit: &'a str,
    /// Id of the statistic.
    pub statistic: &'a str,
    /// `prepare`, `search`, `all` (both together), or the name of one call: `search3`.
    pub call: &'a str,
    /// Number of repetitions that it summarises.
    pub repetitions: usize,
    /// The figure.
    pub value: Value<'a>,
}

/// A number, `null` if it is missing, or a list if the statistic gives several values.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Value<'a> {
    /// A number, or none.
    One(Option<f64>),
    /// A list.
    List(&'a [f64]),
}

impl<'a> RunFigures<'a> {
    /// Figures of a run.
    pub fn new(facts: &'a ExperimentFacts, figures: Vec<Figure<'a>>) -> Self {
        let run = RunFacts {
            id: &facts.id,
            description: facts.definition.as_ref().map_or("", |definition| &definition.description),
            interrupted: facts.interrupted,
            subset: facts.subset.as_deref(),
            parts: &facts.parts,
            stats: facts.stats,
            seed: facts.seed,
            cpu: facts.machine.cpu.as_deref(),
            assay: &facts.machine.assay,
        };
        RunFigures { schema: SCHEMA, run, text: &facts.text, range: facts.range.as_ref(), figures }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// `UPDATE_SCHEMA=1 cargo test -p assay figures_schema` writes the file anew.
    #[test]
    fn the_published_figures_schema_is_that_of_the_types() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/figures.schema.json");
        let schema =
            serde_json::to_string_pretty(&schemars::schema_for!(RunFigures<'static>)).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &schema).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            published == schema,
            "docs/src/figures.schema.json is old: set UPDATE_SCHEMA=1 for this test"
        );
    }
}
