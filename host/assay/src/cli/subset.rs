//! The options that choose what of saved runs is shown: algorithms, their order, and range values.

mod order;
mod range_value;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assay_base::error::{Error, Result, unknown};
use assay_base::io::shell::quoted;
use assay_experiment::selection::{listing, measured_ids, original};
use assay_report::{Call, Report, Subset};

use super::Session;
use super::list::family;
use order::AlgorithmOrder;
use range_value::range_value;

const HEADING: &str = "What is shown";

/// What of saved runs is shown.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct SubsetOptions {
    /// Show only these algorithms: ids, regular expressions for whole ids, or names, in any case
    #[arg(long, value_name = "ALGO|REGEX", num_args = 1.., help_heading = HEADING)]
    only: Vec<String>,
    /// Leave these algorithms out
    #[arg(long, value_name = "ALGO|REGEX", num_args = 1.., help_heading = HEADING)]
    not: Vec<String>,
    /// Show only the algorithms of this family: see `assay list --family`
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    family: Option<String>,
    /// Show only the N best, by their rank over all values that are shown; with --sort m=64, by their time at
    /// this length
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = HEADING)]
    top: Option<u32>,
    /// Order of the algorithms: by rank, by name, by year of publication, or by time at a pattern length or
    /// other range value [default: that of the run; with --top, rank]
    #[arg(long, value_name = "rank|name|year|m=64", help_heading = HEADING)]
    sort: Option<String>,
    /// Show only these range values: pattern lengths, unless something else varies
    #[arg(long, value_name = "VALUE,..", value_delimiter = ',', help_heading = HEADING)]
    at: Vec<String>,
}

impl SubsetOptions {
    /// Reduces the reports of a command to what is shown; of several, ranks and times in the first decide.
    /// The `baseline` is shown in any case, because ratios are to it.
    ///
    /// # Errors
    /// If an option names something that was not measured, or needs times that the first run does not have.
    pub(super) fn reduced(
        &self,
        reports: Vec<Report>,
        baseline: Option<&str>,
        call: Option<Call>,
        session: &Session,
    ) -> Result<Vec<Report>> {
        if self.is_default() {
            return Ok(reports);
        }
        let ids = ids(&reports);
        if let Some(baseline) = baseline.filter(|baseline| !ids.contains(baseline)) {
            return Err(unknown("algorithm of this run", baseline, ids));
        }
        let named = Subset {
            algorithms: Some(self.named(&ids, session)?),
            values: self.values(&reports)?,
            options: self.in_words(baseline),
        };
        let (mut chosen, note) = self.ordered(&subsets(&reports, &named)?, call, session)?;
        // It comes first, because the others are compared with it.
        if let Some(baseline) = baseline.filter(|baseline| !chosen.iter().any(|id| id == baseline)) {
            chosen.insert(0, baseline.to_owned());
        }
        let options = named.options.clone() + &note;
        subsets(&reports, &Subset { algorithms: Some(chosen), options, ..named })
    }

    /// Whether none of the options was given.
    fn is_default(&self) -> bool {
        let SubsetOptions { only, not, family, top, sort, at } = self;
        only.is_empty() && not.is_empty() && at.is_empty() && (family, top, sort) == (&None, &None, &None)
    }

    /// The algorithms that `--only`, `--not` and `--family` leave, in the order of the runs.
    fn named(&self, ids: &[&str], session: &Session) -> Result<Vec<String>> {
        let all = || ids.iter().map(|id| (*id).to_owned()).collect();
        if self.only.is_empty() && self.not.is_empty() && self.family.is_none() {
            return Ok(all());
        }
        // Names of the literature and families are those of the libraries that are here now.
        let registry = session.registry_in_silence();
        let listing = |id: &str| registry.as_ref().and_then(|registry| listing(id, registry));
        let name = |id: &str| listing(id).and_then(|listing| listing.title()).unwrap_or_default();
        let known: BTreeMap<&str, &str> = ids.iter().map(|&id| (id, name(id))).collect();
        let matching = |names: &[String]| {
            measured_ids(names, &known).map_err(|error| match names.iter().find(|name| is_run(name)) {
                Some(name) => error.remedy(format!(
                    "`{name}` is read as an algorithm here: name runs before --only and --not"
                )),
                None => error,
            })
        };
        let (only, not) = (matching(&self.only)?, matching(&self.not)?);
        let family = |id: &str| listing(original(id)).and_then(family);
        if let Some(wanted) = &self.family {
            let families: BTreeSet<&str> = ids.iter().filter_map(|id| family(id)).collect();
            if !families.contains(wanted.as_str()) {
                return Err(unknown("family of algorithms of this run", wanted, families));
            }
        }
        let mut left: Vec<String> = all();
        left.retain(|id| {
            let is_wanted = self.only.is_empty() || only.contains(id.as_str());
            let is_of_family = self.family.is_none() || family(id) == self.family.as_deref();
            is_wanted && is_of_family && !not.contains(id.as_str())
        });
        if left.is_empty() {
            return Err(Error::new(format!("no algorithm of this run is left by {}", self.in_words(None)))
                .remedy("leave out one of these options"));
        }
        Ok(left)
    }

    /// The values of `--at`; `None` for all.
    fn values(&self, reports: &[Report]) -> Result<Option<Vec<u64>>> {
        let value = |asked: &String| {
            range_value(asked, reports).map_err(|known| {
                Error::new(format!("no {} of the run is {asked}", reports[0].facts.over().words()))
                    .remedy(format!("`--at` takes some of {known}"))
            })
        };
        let values: Vec<u64> = self.at.iter().map(value).collect::<Result<_>>()?;
        Ok((!values.is_empty()).then_some(values))
    }

    /// The algorithms in the order of `--sort`, or those of them that `--top` leaves with a note on ties.
    fn ordered(
        &self,
        reports: &[Report],
        call: Option<Call>,
        session: &Session,
    ) -> Result<(Vec<String>, String)> {
        let order = match &self.sort {
            Some(asked) => AlgorithmOrder::new(asked, reports)?,
            None if self.top.is_some() => AlgorithmOrder::Rank,
            None => AlgorithmOrder::Run,
        };
        let (mut ids, note) = match self.top {
            Some(top) => order.best(top as usize, &reports[0], call)?,
            None => (order.all(reports, call)?, String::new()),
        };
        if order == AlgorithmOrder::Name {
            ids.sort();
        }
        if order == AlgorithmOrder::Year
            && let Some(registry) = session.registry_in_silence()
        {
            ids.sort_by_cached_key(|id| {
                let year = listing(original(id), &registry).and_then(|listing| listing.fact("year"));
                // Algorithms that were never published come last.
                (year.and_then(|year| year.parse().ok()).unwrap_or(u32::MAX), id.clone())
            });
        }
        Ok((ids, note))
    }

    /// The options as they were given, for captions.
    fn in_words(&self, baseline: Option<&str>) -> String {
        let several = |option: &str, words: &[String]| {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            (!words.is_empty()).then(|| format!("{option} {}", words.join(" ")))
        };
        let one = |option: &str, word: Option<&str>| word.map(|word| format!("{option} {}", quoted(word)));
        let at = self.at.join(",");
        let options = [
            several("--only", &self.only),
            several("--not", &self.not),
            one("--family", self.family.as_deref()),
            self.top.map(|top| format!("--top {top}")),
            one("--sort", self.sort.as_deref()),
            one("--at", (!at.is_empty()).then_some(&at)),
            one("--baseline", baseline),
        ];
        options.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The algorithms of all reports, each once.
fn ids(reports: &[Report]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    reports.iter().flat_map(Report::algorithms).filter(|id| seen.insert(*id)).collect()
}

/// The reports on a subset of each run.
fn subsets(reports: &[Report], subset: &Subset) -> Result<Vec<Report>> {
    reports.iter().map(|report| report.subset(subset)).collect()
}

/// Whether a word is probably meant to name a saved run.
fn is_run(word: &str) -> bool {
    word == "last" || Path::new(word).is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_have_the_options_as_a_shell_takes_them() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let none = SubsetOptions::default();
        assert!(none.is_default() && none.in_words(None).is_empty());
        let some = SubsetOptions {
            only: words(&["bndm.*", "hor"]),
            top: Some(5),
            at: words(&["8", "m=64"]),
            ..none.clone()
        };
        assert!(!some.is_default());
        assert_eq!(some.in_words(Some("hor")), "--only 'bndm.*' hor --top 5 --at 8,m=64 --baseline hor");
        let sorted = SubsetOptions { sort: Some("year".to_owned()), not: words(&["bf"]), ..none };
        assert_eq!(sorted.in_words(None), "--not bf --sort year");
    }

    #[test]
    fn a_word_may_be_meant_to_name_a_run() {
        assert!(is_run("last") && is_run(env!("CARGO_MANIFEST_DIR")) && !is_run("hor"));
    }
}
