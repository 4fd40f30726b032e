//! Notes on ids of saved runs that mean other algorithms now.

use std::path::Path;

use assay_experiment::definition::Experiment;
use assay_experiment::former_ids;
use assay_load::plugin::Registry;
use assay_report::Report;
use assay_store::{EXPERIMENT, ExperimentFacts, RESULTS, Run};

use super::Session;

impl Session {
    /// Notes the ids of a saved run that mean other algorithms now. Libraries are not looked at if this
    /// version made the run and recorded what they mean.
    pub(super) fn note_changed_ids(&self, report: &Report) {
        let facts = &report.facts;
        if facts.statuses.is_some() && facts.machine.assay == env!("CARGO_PKG_VERSION") {
            return;
        }
        let Some(registry) = self.registry_in_silence() else { return };
        self.note_changed_ids_in(facts, report.algorithms(), &registry);
    }

    /// As [`note_changed_ids`](Session::note_changed_ids), for the experiment of a file that is measured again.
    /// A saved run has the file of its results beside it. Of a file without records nothing is known, because
    /// somebody may have written it today.
    pub(super) fn note_changed_ids_of_file(&self, file: &Path, experiment: &Experiment, registry: &Registry) {
        let ids = experiment.algorithms.iter().map(String::as_str);
        if file.file_name().is_some_and(|name| name == EXPERIMENT)
            && let Ok(run) = Run::read(&file.with_file_name(RESULTS))
        {
            self.note_changed_ids_in(&run.experiment, ids, registry);
        } else if !experiment.text.recorded.is_empty() {
            let owner = format!("`{}`", file.display());
            let note = former_ids::note(&owner, ids, &experiment.changed_ids, registry);
            note.iter().for_each(|note| self.console.note(note));
        }
    }

    /// Notes which of these ids of a run mean other algorithms in the libraries that are found.
    pub(super) fn note_changed_ids_in<'a>(
        &self,
        facts: &ExperimentFacts,
        ids: impl IntoIterator<Item = &'a str>,
        registry: &Registry,
    ) {
        let run = format!("run {}", facts.id);
        let note = former_ids::note(&run, ids, &facts.changed_ids, registry);
        note.iter().for_each(|note| self.console.note(note));
    }
}
