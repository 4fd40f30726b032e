//! Checks of an experiment that its types can't make: whether its fields make sense together.

use std::collections::HashSet;

use assay_base::error::{Error, Result};
use assay_load::plugin::printable;

use super::calls;
use super::definition::{Experiment, Order, Stats};
use super::range::{Over, Range};

/// The most repetitions before a block, because a block is measured within a few seconds, and even the
/// shortest searches take 0.1 us.
const MOST_WARMUP: usize = 1_000_000;

/// The error that something is wrong with an experiment.
pub(super) fn wrong(message: impl Into<String>, remedy: &str) -> Result<()> {
    Err(Error::new(message).remedy(remedy))
}

impl Experiment {
    /// Checks that the fields of the experiment make sense, by themselves and together.
    ///
    /// # Errors
    /// Describes the first mistake.
    pub fn validate(&self) -> Result<()> {
        if self.runs == 0 {
            return wrong("the number of runs must be at least 1", "give --runs 1 or more");
        }
        if self.rounds == 0 {
            return wrong("the number of rounds must be at least 1", "give --rounds 1 or more");
        }
        if self.warmup > MOST_WARMUP {
            return wrong(
                format!("--warmup {} is more than {MOST_WARMUP}", self.warmup),
                "give fewer: caches and branch predictors need a few repetitions, and each block has them anew",
            );
        }
        if self.time_limit_ms == 0 {
            return wrong(
                "the time limit must be at least 1 ms",
                "give --time-limit 1 or more (milliseconds)",
            );
        }
        if self.patterns.lengths.contains(&0) {
            return wrong("a pattern length of 0 can't be searched for", "give --plen 1 or more");
        }
        let mut lengths = HashSet::new();
        if let Some(length) = self.patterns.lengths.iter().find(|length| !lengths.insert(**length)) {
            return wrong(format!("the pattern length {length} is given twice"), "give each length once");
        }
        if !self.patterns.lengths.is_empty() && self.patterns.given.is_some() {
            return wrong("both a pattern and pattern lengths are given", "leave out one of them");
        }
        if !self.patterns.kind.is_drawn() && self.patterns.given.is_some() {
            return wrong(
                format!("both a pattern and a kind of patterns (`{}`) are given", self.patterns.kind),
                "leave out one of them",
            );
        }
        if printable::line(&self.description) != self.description {
            return wrong("the description has control characters", "give --description one line of text");
        }
        let text = &self.text;
        let sources = [!text.files.is_empty(), text.corpus.is_some(), text.data.is_some()]
            .into_iter()
            .filter(|given| *given);
        if sources.count() > 1 {
            return wrong("more than one kind of text is given", "use one of --text, --corpus and --data");
        }
        if text.bytes == 0 {
            return wrong("a text of 0 bytes can't be searched", "give a greater --text-size");
        }
        self.validate_how_long()?;
        self.validate_range()?;
        if self.stats == Stats::Algo && self.cold {
            return wrong(
                "--cold does not change what instrumented twins count",
                "leave out --cold, or --stats algo",
            );
        }
        let counts = !self.counters.is_empty() || self.first_counter.is_some();
        if self.stats == Stats::Algo && counts {
            return wrong(
                "counters around instrumented twins would count the instrumentation",
                "leave out --counters, or --stats algo",
            );
        }
        Ok(())
    }

    /// Checks `until`, `budget` and `most_runs`.
    fn validate_how_long(&self) -> Result<()> {
        if !self.goes_on() {
            return match self.most_runs {
                Some(_) => wrong(
                    "--most-runs is the limit of --until and --budget, and neither is given",
                    "give one of them, or --runs alone",
                ),
                None => Ok(()),
            };
        }
        let option = if self.until.is_some() { "--until" } else { "--budget" };
        if self.most_runs.is_some_and(|most| most < self.runs) {
            return wrong(
                format!("{option} continues after --runs {}, and --most-runs is less", self.runs),
                "give more --most-runs, or fewer --runs",
            );
        }
        let (rounds, most) = (self.rounds(), self.most_runs.unwrap_or(usize::MAX));
        if rounds.round_of(most) <= rounds.count() && self.order != Order::Sequential {
            return wrong(
                format!(
                    "{option} continues in whole rounds, and --most-runs {most} leaves no room for another"
                ),
                &format!("give --most-runs {} or more", rounds.before(rounds.count() + 1)),
            );
        }
        if self.stats == Stats::Algo {
            return wrong(
                format!("{option} needs intervals of times, and --stats algo has no times"),
                &format!("leave out {option}, or --stats algo"),
            );
        }
        if self.order == Order::Sequential {
            return wrong(
                format!("{option} needs several rounds, and the order `sequential` has only one"),
                "measure in the order `interleaved` or `shuffled`",
            );
        }
        Ok(())
    }

    /// Checks the range, the sum-range, the calls and what depends on them.
    fn validate_range(&self) -> Result<()> {
        self.range.as_ref().map_or(Ok(()), Range::validate)?;
        self.sumrange.as_ref().map_or(Ok(()), Range::validate)?;
        calls::validate(&self.calls, self.sumrange.as_ref().map_or(1, Range::len))?;
        let lengths = self.patterns.lengths.len() + usize::from(self.patterns.given.is_some());
        if let (Some(range), true) = (&self.range, lengths != 1) {
            return wrong(
                format!(
                    "the range goes over {}, so exactly one pattern length is needed",
                    range.over().words()
                ),
                match range.over() {
                    Over::Text => {
                        "give it with --plen, or the pattern with --pattern; `assay campaign plan` takes several texts \
                         and several lengths"
                    }
                    _ => "give it with --plen, or the pattern with --pattern",
                },
            );
        }
        if let Some(Range::Threads(_)) = &self.sumrange {
            return wrong(
                "a sum-range can't go over threads",
                "use --range threads=.., which has a column for each number of threads",
            );
        }
        if let (Some(range), Some(sumrange)) = (&self.range, &self.sumrange)
            && range.over() == sumrange.over()
        {
            return wrong(
                format!("both range and sum-range go over {}", range.over().words()),
                "leave out one of them, or let one go over something else",
            );
        }
        let text = &self.text;
        if self.varies(Over::Text) && self.varies(Over::Alphabet) {
            return wrong(
                "one range goes over the alphabet, which generates its own texts, and the other names texts",
                "leave out one of them",
            );
        }
        if self.varies(Over::Text) && (!text.files.is_empty() || text.corpus.is_some() || text.data.is_some())
        {
            return wrong(
                "both a text and a range over texts are given",
                "name all texts in the range, and leave out any other (--text, --corpus, --data)",
            );
        }
        if self.calls_have_complexity() {
            if self.complexity.is_some() {
                return wrong(
                    "both the experiment and its calls declare a number of operations",
                    "leave out --complexity, or the complexity of each [[call]]",
                );
            }
            if self.calls.iter().any(|call| call.complexity.is_none()) {
                return wrong(
                    "some calls declare a number of operations, and others do not",
                    "give each [[call]] a complexity, or none",
                );
            }
        }
        if self.peak_gflops.is_some() && self.complexity.is_none() && !self.calls_have_complexity() {
            return wrong(
                "--peak-gflops needs a number of operations, and none is declared",
                "give --complexity too, or leave out --peak-gflops",
            );
        }
        if self.peak_gflops.is_some_and(|peak| !(peak.is_finite() && peak > 0.0)) {
            return wrong("--peak-gflops must be a number above 0", "for example 16, or leave it out");
        }
        let texts_vary = self.sumrange.is_some() || self.over().varies_texts();
        if self.calls_name_all_texts() && texts_vary {
            return wrong(
                "each call names its text, so no text can vary",
                "leave out the text of one of them, or the range and the sum-range",
            );
        }
        if self.threads == 0 {
            return wrong("zero threads search nothing", "give --threads 1 or more");
        }
        self.validate_threads()
    }
}
