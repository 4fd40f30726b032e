//! What a search for the worst input has found, for people and for programs.

use assay_adversary::{
    AdversaryPlan, AdversaryResult, GrowthVerdict, SearchEnd, SearchInput, WorstCaseClaim, WorstInput, judge,
    words_of,
};
use assay_base::io::fold::for_output;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_load::plugin::Listing;
use serde_json::{Value, json};

/// What was found about an algorithm.
pub(super) struct Shown<'a> {
    id: &'a str,
    name: &'a str,
    claim: &'a WorstCaseClaim,
    plan: &'a AdversaryPlan,
    result: &'a AdversaryResult,
    verdict: GrowthVerdict,
}

impl<'a> Shown<'a> {
    /// The result of a plan.
    pub(super) fn new(
        id: &'a str,
        listing: &'a Listing,
        claim: &'a WorstCaseClaim,
        plan: &'a AdversaryPlan,
        result: &'a AdversaryResult,
    ) -> Self {
        let in_long_text =
            result.worst.iter().map(|worst| Some((worst, worst.per_character_of_long_text()?)));
        // A size that was not finished says nothing about growth.
        let found: Vec<(usize, f64)> =
            in_long_text.flatten().map(|(worst, work)| (worst.input.pattern.len(), work)).collect();
        let name = listing.fact("name").unwrap_or(id);
        Shown { id, name, claim, plan, result, verdict: judge(claim, &found) }
    }

    /// The input with the most work for each character; of equal ones, the one with the shortest pattern.
    pub(super) fn worst(&self) -> Option<&WorstInput> {
        let by_work =
            |one: &&WorstInput, other: &&WorstInput| other.per_character().total_cmp(&one.per_character());
        self.result.worst.iter().min_by(by_work)
    }

    /// Everything, in one of the formats of tables, ending with a line feed.
    pub(super) fn in_format(&self, format: OutputFormat) -> String {
        match format {
            OutputFormat::Json => format!("{:#}\n", self.json()),
            OutputFormat::Csv => self.table(true).render(format),
            OutputFormat::Table => self.text(),
            other => self.table(false).render(other),
        }
    }

    /// What counts as work, as a sum.
    fn work(&self) -> String {
        self.plan.measure.names().join(" + ")
    }

    fn text(&self) -> String {
        let claim = if self.claim.text.is_empty() { "none" } else { &self.claim.text };
        let mut lines = vec![
            format!("{}: {}", self.id, self.name),
            format!("claimed worst case: {claim}"),
            format!("work: {}, for each character of the text", self.work()),
        ];
        if !self.result.worst.is_empty() {
            lines.push(format!("\n{}", self.table(false).render(OutputFormat::Table).trim_end()));
            lines.extend(self.worst().map(|worst| format!("\n{}", in_words(&worst.input))));
        }
        lines.push(format!("\n{}", self.verdict_in_words()));
        for_output(&lines.join("\n"), 2) + "\n"
    }

    /// A row for each size. With the inputs, it is for programs.
    fn table(&self, with_inputs: bool) -> Table {
        let for_programs = [
            "m",
            "n",
            "searches",
            "work",
            "per_character",
            "per_character_of_long_text",
            "occurrences",
            "pattern_hex",
            "block_hex",
        ];
        let for_people = ["m", "n", "searches", "work", "per character", "in a long text", "occurrences"];
        let mut table = Table::new(if with_inputs { for_programs.to_vec() } else { for_people.to_vec() });
        for worst in &self.result.worst {
            let WorstInput { input, work, occurrences, searches, .. } = worst;
            let whole = |number: usize| Datum::Number(number as f64, 0);
            let share = |number: f64| Datum::Number(number, 2);
            let numbers = [
                whole(input.pattern.len()),
                whole(input.text_length),
                whole(*searches),
                Datum::Number(*work as f64, 0),
                share(worst.per_character()),
                worst.per_character_of_long_text().map_or(Datum::Missing, share),
                Datum::Number(*occurrences as f64, 0),
            ];
            let inputs = [&input.pattern, &input.block].map(|bytes| Datum::Text(hex::encode(bytes)));
            table.push(numbers.into_iter().chain(inputs.into_iter().filter(|_| with_inputs)));
        }
        table
    }

    fn json(&self) -> Value {
        let sizes = self.result.worst.iter().map(|worst| {
            let mut object = input_object(&worst.input);
            object["searches"] = worst.searches.into();
            object["work"] = worst.work.into();
            object["work_per_character"] = worst.per_character().into();
            object["work_per_character_of_long_text"] = worst.per_character_of_long_text().into();
            object["occurrences"] = worst.occurrences.into();
            object
        });
        let (end, failure) = match &self.result.end {
            SearchEnd::Complete => ("complete", Value::Null),
            SearchEnd::Interrupted => ("interrupted", Value::Null),
            SearchEnd::Failed(message, failed) => {
                let mut object = input_object(failed);
                object["message"] = message.as_str().into();
                ("failed", object)
            }
        };
        let (verdict, reason) = match &self.verdict {
            GrowthVerdict::Contradicted => ("contradicted", None),
            GrowthVerdict::PerhapsExcepted => ("perhaps_excepted", None),
            GrowthVerdict::NotRefuted => ("not_refuted", None),
            GrowthVerdict::NotJudged(reason) => ("not_judged", Some(reason)),
        };
        json!({
            "schema": 1,
            "algorithm": self.id,
            "claim": self.claim.text,
            "work": self.plan.measure.names(),
            "seed": self.plan.seed,
            "alphabet": self.plan.alphabet,
            "sizes": sizes.collect::<Vec<_>>(),
            "verdict": verdict,
            "reason": reason,
            "end": end,
            "failure": failure,
        })
    }

    fn verdict_in_words(&self) -> String {
        let claim = &self.claim.text;
        match &self.verdict {
            GrowthVerdict::Contradicted => format!(
                "contradicted: the work for each character grows with the pattern, faster than `{claim}` allows"
            ),
            GrowthVerdict::PerhapsExcepted => format!(
                "the work for each character grows with the pattern, and `{claim}` has exceptions, of which this input \
                 may be one"
            ),
            GrowthVerdict::NotRefuted => format!(
                "not refuted: no work was found that grows faster with the pattern than `{claim}` allows, which is no proof"
            ),
            GrowthVerdict::NotJudged(reason) => format!("the claim is not judged: {reason}"),
        }
    }

    /// A note on an input, for the folder in which it is kept.
    pub(super) fn note(&self, worst: &WorstInput) -> String {
        format!(
            "The input on which `{}` ({}) worked most: {:.2} for each character of the text ({}).\nSeed {}, alphabet of \
             {} letters.\n{}\n{}\n",
            self.id,
            self.name,
            worst.per_character(),
            self.work(),
            self.plan.seed,
            self.plan.alphabet,
            in_words(&worst.input),
            self.verdict_in_words()
        )
    }
}

/// An input for people.
fn in_words(input: &SearchInput) -> String {
    format!(
        "pattern: {}\ntext: {}, repeated to {} characters",
        words_of(&input.pattern),
        words_of(&input.block),
        input.text_length
    )
}

/// An input, with its bytes in hexadecimal digits.
fn input_object(input: &SearchInput) -> Value {
    json!({
        "pattern_length": input.pattern.len(),
        "text_length": input.text_length,
        "pattern_hex": hex::encode(&input.pattern),
        "block_hex": hex::encode(&input.block),
    })
}
