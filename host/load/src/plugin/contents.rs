//! The contents of a library as data, for lists and for the cache: its kinds of items, and a listing for each
//! item.

use std::fmt;
use std::sync::Arc;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::backend_access::BackendAccess;
use super::call::Facts;
use super::catalogue::Catalogue;
use super::library_info::{LibraryInfo, LibraryOrigin};

/// The kinds of items that libraries bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A string-search algorithm.
    #[value(alias = "algorithms")]
    Algorithm,
    /// A counter backend.
    #[value(alias = "counters")]
    Counter,
    /// A quantity computed from what was measured.
    #[value(alias = "metrics")]
    Metric,
    /// A reduction of a list of numbers.
    #[value(alias = "statistics")]
    Statistic,
    /// A method that merges sub-experiments into one data set.
    #[value(alias = "mergers")]
    Merger,
    /// A source of texts.
    #[value(alias = "corpora")]
    Corpus,
}

impl Kind {
    /// The kind's name in the singular.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Algorithm => "algorithm",
            Kind::Counter => "counter",
            Kind::Metric => "metric",
            Kind::Statistic => "statistic",
            Kind::Merger => "merger",
            Kind::Corpus => "corpus",
        }
    }

    /// The name with its article: "a metric", "an algorithm".
    pub(crate) fn with_article(self) -> String {
        let article = if self == Kind::Algorithm { "an" } else { "a" };
        format!("{article} {}", self.noun())
    }

    /// The name with a number: "1 metric", "2 corpora".
    pub fn counted(self, number: usize) -> String {
        match (number, self) {
            (1, _) => format!("1 {}", self.noun()),
            (_, Kind::Corpus) => format!("{number} corpora"),
            _ => format!("{number} {}s", self.noun()),
        }
    }

    /// The noun for messages. The name `counter`, in options and files, stands for a counter backend; a
    /// counter is an event that a run counts.
    pub(crate) fn noun(self) -> &'static str {
        if self == Kind::Counter { "counter backend" } else { self.name() }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One item of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// Its kind.
    pub kind: Kind,
    /// Its id, unique within its kind.
    pub id: String,
    /// Facts about it, by name: `name`, `authors`, `year` and others of an algorithm, `summary` and others of
    /// other kinds.
    pub facts: Vec<(String, String)>,
    /// Whether it is an algorithm that counts what it does, for example a twin.
    pub instrumented: bool,
    /// The id of the algorithm of which it is the twin.
    pub twin_of: Option<String>,
    /// Names of an algorithm's extra fields.
    pub extra: Vec<String>,
    /// Features that the CPU must have for an algorithm.
    pub cpu: Vec<String>,
    /// Whether the functions of an algorithm begin at multiples of 64 bytes, as those of all algorithms
    /// should, so that times can be compared.
    pub aligned: bool,
    /// Names of a metric's inputs.
    pub inputs: Vec<String>,
    /// Names of the options that a merger or a counter backend takes.
    pub options: Vec<String>,
    /// What a counter backend may do in addition to what every plugin may.
    pub access: BackendAccess,
    /// The least and the greatest number that may follow the id of a corpus.
    pub parameter: Option<(usize, usize)>,
    /// The library of the item, shared by all items of a library. It is not kept in the cache, because the
    /// cache describes a content, and its file may move.
    #[serde(skip)]
    pub library: Arc<LibraryOrigin>,
}

impl Listing {
    /// A listing with these facts and nothing else.
    pub(super) fn new(kind: Kind, Facts { id, facts }: &Facts) -> Self {
        Listing {
            kind,
            id: id.clone(),
            facts: facts.clone(),
            instrumented: false,
            twin_of: None,
            extra: Vec::new(),
            cpu: Vec::new(),
            aligned: true,
            inputs: Vec::new(),
            options: Vec::new(),
            access: BackendAccess::default(),
            parameter: None,
            library: Arc::default(),
        }
    }

    /// A fact by name.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| value.as_str())
    }

    /// Its id and the facts about it.
    pub fn facts(&self) -> Facts {
        Facts { id: self.id.clone(), facts: self.facts.clone() }
    }

    /// The text that describes it in a list: the name of an algorithm, the summary of any other kind.
    pub fn title(&self) -> Option<&str> {
        self.fact("name").or_else(|| self.fact("summary"))
    }

    /// The ids that users may write for it: `rand2..rand256` for a corpus with a parameter.
    pub fn ids(&self) -> String {
        match self.parameter {
            Some((least, greatest)) => format!("{0}{least}..{0}{greatest}", self.id),
            None => self.id.clone(),
        }
    }
}

/// The contents of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// The description of the library itself.
    pub library: LibraryInfo,
    /// Its items, sorted by kind and id.
    pub listings: Vec<Listing>,
}

impl Contents {
    /// The contents that a catalogue shows.
    pub(super) fn new(catalogue: &Catalogue) -> Self {
        Contents { library: catalogue.library.clone(), listings: listings(catalogue) }
    }

    /// The number of items of each kind: "2 algorithms, 1 metric".
    pub fn summary(&self) -> String {
        let count = |kind| self.listings.iter().filter(|listing| listing.kind == kind).count();
        let counts = Kind::value_variants().iter().map(|&kind| (kind, count(kind)));
        let counted: Vec<String> =
            counts.filter(|(_, count)| *count > 0).map(|(kind, count)| kind.counted(count)).collect();
        counted.join(", ")
    }
}

/// The listings of all items of a library, in the order of the kinds.
pub(super) fn listings(catalogue: &Catalogue) -> Vec<Listing> {
    let algorithms = catalogue.algorithms.iter().map(|entry| Listing {
        instrumented: entry.instrumented,
        twin_of: entry.twin_of.clone(),
        extra: entry.extra.clone(),
        cpu: entry.cpu.clone(),
        aligned: entry.is_aligned(),
        ..Listing::new(Kind::Algorithm, &entry.facts)
    });
    let counters = catalogue.counters.iter().map(|entry| Listing {
        options: entry.options.clone(),
        access: entry.access.clone(),
        ..Listing::new(Kind::Counter, &entry.facts)
    });
    let metrics = catalogue
        .metrics
        .iter()
        .map(|entry| Listing { inputs: entry.inputs.clone(), ..Listing::new(Kind::Metric, &entry.facts) });
    let statistics = catalogue.statistics.iter().map(|entry| Listing::new(Kind::Statistic, &entry.facts));
    let mergers = catalogue
        .mergers
        .iter()
        .map(|entry| Listing { options: entry.options.clone(), ..Listing::new(Kind::Merger, &entry.facts) });
    let corpora = catalogue.corpora.iter().map(|entry| Listing {
        parameter: entry.parameter.as_ref().map(|range| (*range.start(), *range.end())),
        ..Listing::new(Kind::Corpus, &entry.facts)
    });
    algorithms.chain(counters).chain(metrics).chain(statistics).chain(mergers).chain(corpora).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::testing::{contents, listing};

    #[test]
    fn a_corpus_with_a_parameter_is_listed_with_its_range() {
        let mut corpus = listing(Kind::Corpus, "rand", "/a.so", "1");
        assert_eq!(corpus.ids(), "rand");
        corpus.parameter = Some((2, 256));
        assert_eq!(corpus.ids(), "rand2..rand256");
    }

    #[test]
    fn what_a_library_brings_is_counted_by_kind() {
        let listing = |kind, id| listing(kind, id, "/a.so", "1");
        let brought = contents(vec![
            listing(Kind::Algorithm, "a"),
            listing(Kind::Algorithm, "b"),
            listing(Kind::Corpus, "c"),
        ]);
        assert_eq!(brought.summary(), "2 algorithms, 1 corpus");
    }
}
