//! The mark of algorithms that are not as published, and its legend.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::natural_order;
use assay_experiment::selection;
use assay_store::{AlgorithmStatus, Run};

/// Follows the name of an algorithm that comes neither from the paper nor from the authors' program.
pub(super) const MARK: &str = "†";

/// For more algorithms, the legend names none, because the line would be longer than the table.
const NAMED: usize = 8;

/// The status of an algorithm that is not as published; `None` if it is, or if its status is not known.
pub(super) fn of_unpublished<'a>(run: &'a Run, algorithm: &str) -> Option<&'a AlgorithmStatus> {
    run.experiment.statuses.as_ref()?.get(algorithm).filter(|status| !status.is_as_published())
}

/// The meaning of the mark, with the algorithms of each status; `None` if no algorithm has it.
pub(super) fn note(run: &Run) -> Option<String> {
    let mut by_status = BTreeMap::<&str, BTreeSet<&str>>::new();
    let statuses = run.experiment.statuses.iter().flatten();
    for (id, status) in statuses.filter(|(_, status)| !status.is_as_published()) {
        // A copy is the same algorithm.
        by_status.entry(&status.status).or_default().insert(selection::original(id));
    }
    let named = if by_status.values().map(BTreeSet::len).sum::<usize>() > NAMED {
        "`assay list` says what each is".to_owned()
    } else {
        let of_status = |(status, ids): (&str, BTreeSet<&str>)| {
            let mut ids: Vec<&str> = ids.into_iter().collect();
            ids.sort_unstable_by(|one, other| natural_order(one, other));
            format!("{status}: {}", ids.join(" "))
        };
        by_status.clone().into_iter().map(of_status).collect::<Vec<_>>().join("; ")
    };
    let is_there = !by_status.is_empty();
    is_there.then(|| format!("{MARK} neither from the paper nor from the authors' program ({named})"))
}

#[cfg(test)]
mod tests {
    use assay_store::testing;

    use super::*;

    /// A run of algorithms with these statuses.
    fn run(statuses: &[(&str, &str)]) -> Run {
        let status = |status: &str| AlgorithmStatus { status: status.to_owned(), note: String::new() };
        let mut run = testing::run();
        let statuses = statuses.iter().map(|(id, words)| ((*id).to_owned(), status(words)));
        run.experiment.statuses = Some(statuses.collect());
        run
    }

    #[test]
    fn what_is_not_as_published_is_marked_and_named_once_with_its_status() {
        let run = run(&[
            ("akc", "reconstructed"),
            ("hor", "from the paper"),
            ("lbndm-t", "improved here"),
            ("lbndm-t@2", "improved here"),
            ("memmem", "from the authors' program"),
        ]);
        let marked = ["akc", "hor", "lbndm-t", "lbndm-t@2", "memmem", "foreign"];
        let marked = marked.map(|id| of_unpublished(&run, id).is_some());
        assert_eq!(marked, [true, false, true, true, false, false]);
        assert_eq!(
            note(&run).unwrap(),
            "† neither from the paper nor from the authors' program (improved here: lbndm-t; reconstructed: akc)"
        );
    }

    #[test]
    fn a_run_of_published_algorithms_or_of_unknown_ones_has_no_legend() {
        assert_eq!(note(&run(&[("hor", "from the paper")])), None);
        assert_eq!(note(&Run { ..testing::run() }), None, "an earlier version wrote it");
    }

    #[test]
    fn many_algorithms_are_not_named() {
        let ids: Vec<String> = (0..9).map(|number| format!("a{number}")).collect();
        let many: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "reconstructed")).collect();
        assert!(note(&run(&many)).unwrap().ends_with("(`assay list` says what each is)"));
    }
}
