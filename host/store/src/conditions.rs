//! Under which conditions the figures of a run were taken, and what disturbed them, in words.

use assay_experiment::definition::Stats;

use super::noise::Noise;
use super::schema::ExperimentFacts;

impl ExperimentFacts {
    /// Whether the instrumented readings were run: what they take says nothing about the algorithms.
    pub fn instrumented(&self) -> bool {
        self.stats == Stats::Algo
    }

    /// Whether what a call takes says something about the algorithm on this machine.
    pub fn has_times(&self) -> bool {
        !self.instrumented() && self.launcher.is_empty()
    }

    /// Whether the start of each worker was timed: a process of its own has one.
    pub fn times_starts(&self) -> bool {
        self.has_times() && self.definition.as_ref().is_none_or(|definition| !definition.in_process)
    }

    /// How the figures were taken, if that is not ordinary, a sentence each: whoever reads them must know.
    pub fn conditions(&self) -> Vec<String> {
        self.design().into_iter().chain(self.unusual()).collect()
    }

    /// Under which unusual conditions they were taken, whatever was measured.
    pub fn unusual(&self) -> Vec<String> {
        let cold = self.definition.as_ref().is_some_and(|definition| definition.cold);
        let cold = cold.then(|| "Cold: the text was put out of the caches before each repetition".to_owned());
        let debug = (!self.instrumented()).then(|| self.debug_builds()).flatten();
        let debug = debug.map(|whose| format!("Debug build: {whose}; times of a release build are others"));
        let kind = self.definition.as_ref().and_then(|definition| definition.patterns.kind.condition());
        cold.into_iter().chain(kind).chain(debug).collect()
    }

    /// What took part as a debug build: "assay, assay-comparison".
    fn debug_builds(&self) -> Option<String> {
        let host = (!self.machine.optimised).then_some("assay");
        let libraries = self.libraries.iter().filter(|library| library.debug == Some(true));
        let all: Vec<&str> = host.into_iter().chain(libraries.map(|library| library.name.as_str())).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// What disturbed the figures; where there are no times, what disturbed the counts.
    pub fn remarks(&self) -> Vec<String> {
        let fault = self.counters.iter().find_map(|facts| facts.cost.fault.as_ref());
        let unknown = fault.map(|fault| format!("what counting costs in this run is not known: {fault}"));
        let disturbed = if self.has_times() { self.noise.remarks() } else { self.remarks_on_counts() };
        unknown.into_iter().chain(disturbed).collect()
    }

    /// What disturbed the counts.
    pub fn remarks_on_counts(&self) -> Vec<String> {
        let Noise { left_out, lost_backends, impossible, .. } = self.noise.clone();
        Noise { left_out, lost_backends, impossible, ..Noise::default() }.remarks()
    }

    /// Why a run under a simulator has no times, and which backend that is.
    pub fn simulation_note(&self) -> String {
        let backend =
            self.counters.first().and_then(|facts| facts.name.split(':').next()).unwrap_or_default();
        format!(
            "{backend} ran the searches in a simulation, whose times are no times of this machine: none are shown or compared"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::LostBackend;
    use crate::testing;

    #[test]
    fn where_there_are_no_times_only_what_disturbed_the_counts_is_said() {
        let mut facts = testing::run().experiment;
        let [backend, place, fault] = ["mem", "hor m=2", "it crashed"].map(str::to_owned);
        let lost = LostBackend { backend, place, fault };
        facts.noise = Noise {
            cpu_used_percent: Some(50.0),
            shared_cpu: Some(true),
            measured_again: Some(3),
            lost_backends: vec![lost.clone()],
            ..Noise::default()
        };
        assert_eq!(facts.remarks().len(), 4, "{:?}", facts.remarks());
        let of_counts = vec![lost.remark()];
        let instrumented = ExperimentFacts { stats: Stats::Algo, ..facts.clone() };
        let simulated = ExperimentFacts { launcher: vec!["x".to_owned()], ..facts };
        assert_eq!([instrumented.remarks(), simulated.remarks()], [of_counts.clone(), of_counts]);
    }
}
