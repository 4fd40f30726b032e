//! Whether an experiment makes sense: what no type can tell.

use std::collections::HashSet;

use super::calls;
use super::definition::{Experiment, Order, Stats};
use super::range::{Over, Range};
use crate::error::{Error, Result};
use crate::plugin::foreign;

impl Experiment {
    /// Checks what no type can: that figures make sense together.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<()> {
        let wrong = |message: &str, remedy: &str| Err(Error::new(message).remedy(remedy));
        if self.runs == 0 {
            return wrong("zero runs measure nothing", "give --runs 1 or more");
        }
        if self.rounds == 0 {
            return wrong("zero rounds measure nothing", "give --rounds 1 or more");
        }
        if self.time_limit_ms == 0 {
            return wrong(
                "a time limit of zero lets nothing run",
                "give --time-limit 1 or more (milliseconds)",
            );
        }
        if self.patterns.lengths.contains(&0) {
            return wrong("a pattern of length 0 occurs everywhere and nowhere", "give --plen 1 or more");
        }
        let mut lengths = HashSet::new();
        if let Some(length) = self.patterns.lengths.iter().find(|length| !lengths.insert(**length)) {
            return wrong(&format!("the pattern length {length} is given twice"), "give each length once");
        }
        if !self.patterns.lengths.is_empty() && self.patterns.given.is_some() {
            return wrong("both a pattern and pattern lengths are given", "leave out one of them");
        }
        if !self.patterns.kind.is_drawn() && self.patterns.given.is_some() {
            return wrong(
                &format!("both a pattern and a kind of patterns (`{}`) are given", self.patterns.kind),
                "leave out one of them",
            );
        }
        if foreign::line(&self.description) != self.description {
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
                "what instrumented algorithms count is the same whatever the caches hold",
                "leave out --cold, or --stats algo",
            );
        }
        if self.stats == Stats::Algo && !self.counters.is_empty() {
            return wrong(
                "counters around instrumented algorithms would measure the instruments",
                "leave out --counters, or --stats algo",
            );
        }
        Ok(())
    }

    fn validate_how_long(&self) -> Result<()> {
        let wrong = |message: &str, remedy: &str| Err(Error::new(message).remedy(remedy));
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
                &format!("{option} goes on after --runs {}, and --most-runs is less", self.runs),
                "give more --most-runs, or fewer --runs",
            );
        }
        let (rounds, most) = (self.rounds(), self.most_runs.unwrap_or(usize::MAX));
        if rounds.of(most) <= rounds.count() && self.order != Order::Sequential {
            return wrong(
                &format!("{option} goes on by whole rounds, and --most-runs {most} has no room for another"),
                &format!("give --most-runs {} or more", rounds.before(rounds.count() + 1)),
            );
        }
        if self.stats == Stats::Algo {
            return wrong(
                &format!("{option} goes by intervals of times, and --stats algo has none"),
                &format!("leave out {option}, or --stats algo"),
            );
        }
        if self.order == Order::Sequential {
            return wrong(
                &format!("{option} needs rounds, and the order `sequential` has one"),
                "measure in the order `interleaved` or `shuffled`",
            );
        }
        Ok(())
    }

    fn validate_range(&self) -> Result<()> {
        let wrong = |message: String, remedy: &str| Err(Error::new(message).remedy(remedy));
        self.range.as_ref().map_or(Ok(()), Range::validate)?;
        self.sumrange.as_ref().map_or(Ok(()), Range::validate)?;
        calls::validate(&self.calls, self.sumrange.as_ref().map_or(1, Range::len))?;
        let lengths = self.patterns.lengths.len() + usize::from(self.patterns.given.is_some());
        if let (Some(range), true) = (&self.range, lengths != 1) {
            return wrong(
                format!("the range goes over {}, so there is one pattern length", range.over().words()),
                "give it with --plen, or the pattern with --pattern",
            );
        }
        if let Some(Range::Threads(_)) = &self.sumrange {
            return wrong(
                "a sum-range goes over texts, and not over threads".to_owned(),
                "give --range threads=.. for one column each",
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
        if self.varies(Over::Text) && (!text.files.is_empty() || text.corpus.is_some() || text.data.is_some())
        {
            return wrong(
                "both a text and a range over texts are given".to_owned(),
                "name all texts in the range, and leave out any other (--text, --corpus, --data)",
            );
        }
        if self.peak_gflops.is_some() && self.complexity.is_none() {
            return wrong(
                "a peak is compared with operations, and none are declared".to_owned(),
                "give --complexity too, or leave out --peak-gflops",
            );
        }
        if self.peak_gflops.is_some_and(|peak| !(peak.is_finite() && peak > 0.0)) {
            return wrong("a peak is a number above 0".to_owned(), "give --peak-gflops 16, or leave it out");
        }
        let texts_vary = self.sumrange.is_some() || self.over().varies_texts();
        if self.calls_name_all_texts() && texts_vary {
            return wrong(
                "each call names its text, so no text can vary".to_owned(),
                "leave out the text of one of them, or the range and the sum-range",
            );
        }
        if self.threads == 0 {
            return wrong("0 threads search nothing".to_owned(), "give --threads 1 or more");
        }
        self.validate_threads()
    }

    fn validate_threads(&self) -> Result<()> {
        /// More would only wait for each other.
        const MOST_THREADS: usize = 1024;
        let wrong = |message: &str, remedy: &str| Err(Error::new(message).remedy(remedy));
        if self.most_threads() > MOST_THREADS {
            return wrong(
                &format!("no text is searched by more than {MOST_THREADS} threads"),
                "give fewer --threads",
            );
        }
        let many = self.threads > 1 || self.over() == Over::Threads;
        if self.threads > 1 && self.over() == Over::Threads {
            return wrong("both --threads and a range over threads are given", "leave out one of them");
        }
        if many && !self.counters.is_empty() {
            return wrong(
                "counters count what the thread does that reads them, and several threads search",
                "leave out --counters, or --threads",
            );
        }
        if many && self.stats == Stats::Algo {
            return wrong(
                "what instrumented algorithms count is that of one thread",
                "leave out --threads, or --stats algo",
            );
        }
        if many && self.has_calls() {
            return wrong(
                "several threads search one text once",
                "leave out --threads, or --searches and --sum-range",
            );
        }
        if many && self.cold {
            return wrong(
                "several threads search copies of the text, which --cold does not flush",
                "leave out --cold, or --threads",
            );
        }
        if many && self.in_process {
            return wrong("several threads search in a worker alone", "leave out --in-process, or --threads");
        }
        Ok(())
    }
}
