//! The names of algorithms in tables, with their marks.

use std::collections::BTreeSet;

use assay_store::Run;

use crate::export::statuses;

/// Follows an algorithm that has not passed its test.
const UNTESTED: char = '*';

/// The names of the algorithms of a run in its tables.
pub(super) struct Names<'a> {
    run: &'a Run,
    /// The algorithms that had not passed their test; `None` if that is not known.
    untested: Option<&'a BTreeSet<String>>,
    /// Whether none had passed. A mark on every name would say nothing.
    is_none_tested: bool,
}

impl<'a> Names<'a> {
    pub(super) fn new(run: &'a Run) -> Self {
        let untested = run.experiment.untested.as_ref();
        let is_none_tested = untested
            .is_some_and(|untested| run.results.iter().all(|cell| untested.contains(&cell.algorithm)));
        Names { run, untested, is_none_tested }
    }

    /// The name of an algorithm. As in SMART, an algorithm that has not passed its test is in lower case, with a
    /// mark if others have, and those are in upper case. If it is not known which passed, all have their id. An
    /// algorithm that is not as published has another mark.
    pub(super) fn shown(&self, algorithm: &str) -> String {
        let name = match self.untested {
            None => algorithm.to_owned(),
            Some(_) if self.is_none_tested => algorithm.to_lowercase(),
            Some(untested) if untested.contains(algorithm) => {
                format!("{}{UNTESTED}", algorithm.to_lowercase())
            }
            Some(_) => algorithm.to_uppercase(),
        };
        if statuses::of_unpublished(self.run, algorithm).is_some() { name + statuses::MARK } else { name }
    }

    /// The meanings of the marks, a line each.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        self.untested_note().into_iter().chain(statuses::note(self.run))
    }

    /// Which algorithms have not passed their test, and how to test them; `None` if there are none.
    fn untested_note(&self) -> Option<String> {
        /// For more ids, the note names all algorithms, because the command would be too long to type.
        const NAMED: usize = 6;
        let untested = self.untested.filter(|untested| !untested.is_empty())?;
        // An algorithm that is measured twice is tested once.
        let ids: BTreeSet<&str> = untested.iter().map(|id| id.split('@').next().unwrap_or(id)).collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        let command = if ids.len() > NAMED { "--all --update".to_owned() } else { ids.join(" ") };
        Some(if self.is_none_tested {
            format!("no algorithm was tested before this run (assay test {command})")
        } else {
            format!(
                "{UNTESTED} not tested before this run (assay test {command}); names of tested algorithms are in capitals"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use assay_store::{AlgorithmStatus, CellResult, testing};

    use super::*;

    /// The names of three algorithms and the note, with these untested algorithms.
    fn shown(untested: Option<&[&str]>) -> ([String; 3], Option<String>) {
        let mut run = testing::run();
        run.experiment.untested = untested.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect());
        let ids = ["Hor", "Hor@2", "bm"];
        run.results =
            ids.map(|id| CellResult { algorithm: id.to_owned(), ..testing::cell() }).into_iter().collect();
        let names = Names::new(&run);
        (ids.map(|id| names.shown(id)), names.untested_note())
    }

    #[test]
    fn what_is_not_tested_is_in_lower_case_with_a_mark_that_is_explained() {
        let (names, note) = shown(Some(&["Hor", "Hor@2"]));
        assert_eq!(names, ["hor*", "hor@2*", "BM"]);
        assert_eq!(
            note.unwrap(),
            "* not tested before this run (assay test Hor); names of tested algorithms are in capitals"
        );
        assert_eq!(shown(Some(&[])), (["HOR", "HOR@2", "BM"].map(str::to_owned), None));
        assert_eq!(shown(None), (["Hor", "Hor@2", "bm"].map(str::to_owned), None), "it is not known");
    }

    #[test]
    fn where_none_was_tested_one_line_says_so_and_no_name_has_a_mark() {
        let (names, note) = shown(Some(&["Hor", "Hor@2", "bm"]));
        assert_eq!(names, ["hor", "hor@2", "bm"]);
        assert_eq!(note.unwrap(), "no algorithm was tested before this run (assay test Hor bm)");
        let many = ["Hor", "Hor@2", "bm", "a1", "a2", "a3", "a4", "a5"];
        assert!(shown(Some(&many)).1.unwrap().ends_with("(assay test --all --update)"));
    }

    #[test]
    fn what_is_not_as_published_has_a_mark_after_that_of_the_test() {
        let mut run = testing::run();
        let status = AlgorithmStatus { status: "reconstructed".to_owned(), note: String::new() };
        run.experiment.statuses = Some([("akc".to_owned(), status)].into());
        run.experiment.untested = Some(["akc".to_owned()].into());
        let ids = ["akc", "bm"];
        run.results =
            ids.map(|id| CellResult { algorithm: id.to_owned(), ..testing::cell() }).into_iter().collect();
        let names = Names::new(&run);
        assert_eq!(ids.map(|id| names.shown(id)), ["akc*†", "BM"]);
        let notes: Vec<String> = names.notes().collect();
        assert!(notes[0].starts_with("* not tested") && notes[1].starts_with("† neither"), "{notes:?}");
    }
}
