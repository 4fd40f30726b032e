//! How sure it is that the algorithms of a run are the published ones.

use std::collections::BTreeMap;

use assay_experiment::Resolved;
use assay_plugin_api::Status as Declared;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How sure it is that an algorithm is the published one, as its library says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct AlgorithmStatus {
    /// In a few words: `from the paper`, `reconstructed` ..
    pub status: String,
    /// What of the publication was seen, and what in the code is not the publication's.
    #[serde(default)]
    pub note: String,
}

impl AlgorithmStatus {
    /// The statuses of the algorithms of an experiment, by their ids. An algorithm whose library says nothing
    /// is left out.
    pub(crate) fn all(resolved: &Resolved) -> BTreeMap<String, Self> {
        let statuses = resolved.algorithms.iter().filter_map(|chosen| {
            let fact = |name| chosen.listing.fact(name).map(str::to_owned);
            let status =
                AlgorithmStatus { status: fact("status")?, note: fact("status_note").unwrap_or_default() };
            Some((chosen.id.clone(), status))
        });
        statuses.collect()
    }

    /// Whether figures of the algorithm are those of the published one.
    pub fn is_as_published(&self) -> bool {
        Declared::AS_PUBLISHED.contains(&self.status.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_the_paper_or_the_authors_program_is_as_published() {
        let is = |status: Declared| {
            let (status, note) = (status.words().to_owned(), status.note().to_owned());
            AlgorithmStatus { status, note }.is_as_published()
        };
        assert!(is(Declared::FromPaper("")) && is(Declared::FromAuthorsProgram("")));
        let others = [
            Declared::FromAnotherImplementation(""),
            Declared::FromAbstract(""),
            Declared::Reconstructed(""),
            Declared::ImprovedHere(""),
        ];
        assert!(!others.into_iter().any(is));
    }
}
