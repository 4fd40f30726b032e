//! Checks of experiments in which several threads search together.

use assay_base::error::{Error, Result};
use assay_plugin_api::Scope;

use super::counters::BackendCounters;
use super::definition::{Experiment, Stats};
use super::range::Over;
use super::validation::wrong;

/// Few machines have more CPUs, and threads without a CPU of their own only wait for each other.
const MOST_THREADS: usize = 1024;

impl Experiment {
    /// Checks the number of threads, and that nothing is asked for that several threads can't do.
    pub(super) fn validate_threads(&self) -> Result<()> {
        self.validate_parallel()?;
        if self.most_threads() > MOST_THREADS {
            return wrong(
                format!("at most {MOST_THREADS} threads can search together"),
                "give fewer --threads",
            );
        }
        if self.threads > 1 && self.over() == Over::Threads {
            return wrong("both --threads and a range over threads are given", "leave out one of them");
        }
        if !self.has_several_threads() {
            return Ok(());
        }
        if self.stats == Stats::Algo {
            return wrong(
                "instrumented twins count only one thread",
                "leave out --threads, --calls-parallel and --sum-range-parallel, or --stats algo",
            );
        }
        if self.cold {
            return wrong(
                "several threads search copies of the text, which --cold does not flush",
                "leave out --cold, or --threads, --calls-parallel and --sum-range-parallel",
            );
        }
        if self.in_process {
            return wrong(
                "several threads need a worker process",
                "leave out --in-process, or --threads, --calls-parallel and --sum-range-parallel",
            );
        }
        Ok(())
    }

    /// Checks that what is to be done at the same time is several searches.
    fn validate_parallel(&self) -> Result<()> {
        if self.sumrange_parallel && self.sumrange.is_none() {
            return wrong(
                "--sum-range-parallel needs the texts of a sum-range",
                "give --sum-range, or leave it out",
            );
        }
        if self.is_parallel() && self.most_threads() < 2 {
            return wrong(
                "--calls-parallel needs several searches after a preparation",
                "give --searches 2 or more, several [[call]], or --sum-range-parallel for the texts of a sum-range",
            );
        }
        if self.is_parallel() && (self.threads > 1 || self.over() == Over::Threads) {
            return wrong(
                "each parallel call has one thread, and several threads are to search each text",
                "leave out --threads, or --calls-parallel and --sum-range-parallel",
            );
        }
        if self.is_parallel() && self.calls_have_complexity() {
            return wrong(
                "parallel calls have one time together, and each declares a number of operations",
                "declare the operations of all with --complexity, or leave out --calls-parallel and --sum-range-parallel",
            );
        }
        Ok(())
    }

    /// Whether several threads search together at some range value.
    fn has_several_threads(&self) -> bool {
        self.most_threads() > 1 || self.over() == Over::Threads
    }

    /// Refuses events that count only a part of several threads: they are read by one thread, around the calls
    /// of all.
    ///
    /// # Errors
    /// If there is such an event.
    pub(crate) fn check_scopes(&self, counters: &[BackendCounters]) -> Result<()> {
        if !self.has_several_threads() {
            return Ok(());
        }
        let is_narrow = |scope| matches!(scope, Scope::Thread | Scope::Core);
        let found = counters.iter().find_map(|group| {
            let event = group.events.iter().find(|event| is_narrow(event.scope))?;
            Some(format!("{}:{}", group.backend, event.name))
        });
        match found {
            None => Ok(()),
            Some(counter) => Err(Error::new(format!(
                "`{counter}` counts one thread or one core, and several threads search: it would miss what the others do"
            ))
            .remedy(
                "count events whose scope is the process or the system, such as tsc:cycles (`assay counters list` shows the scopes), \
                 or leave out --threads, --calls-parallel and --sum-range-parallel",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_counting::EventFacts;
    use assay_plugin_api::Semantics;

    use super::*;
    use crate::calls::CallSpec;
    use crate::range::Range;

    fn message(change: impl Fn(&mut Experiment)) -> String {
        let mut experiment = Experiment { threads: 2, ..Experiment::default() };
        change(&mut experiment);
        experiment.validate_threads().map_or_else(|error| error.to_string(), |()| String::new())
    }

    fn alphabets() -> Option<Range> {
        Some(Range::Alphabet(vec![2, 4]))
    }

    #[test]
    fn threads_search_several_texts_one_after_the_other() {
        let calls = vec![CallSpec { searches: 3, ..CallSpec::default() }];
        assert_eq!(message(|two| two.calls.clone_from(&calls)), "");
        assert_eq!(message(|two| two.sumrange = alphabets()), "");
        assert!(message(|two| two.cold = true).contains("--cold"));
        assert!(message(|two| two.stats = Stats::Algo).contains("count only one thread"));
        assert!(message(|two| two.range = Some(Range::Threads(vec![1, 2]))).starts_with("both --threads"));
    }

    #[test]
    fn parallel_calls_are_several_calls_with_a_thread_each() {
        let parallel = |searches, change: fn(&mut Experiment)| {
            message(|experiment| {
                experiment.threads = 1;
                experiment.calls_parallel = true;
                experiment.calls = vec![CallSpec { searches, ..CallSpec::default() }];
                change(experiment);
            })
        };
        assert_eq!(parallel(2, |_| {}), "");
        assert!(parallel(1, |_| {}).starts_with("--calls-parallel needs several searches"));
        assert!(parallel(1, |one| one.sumrange = alphabets()).starts_with("--calls-parallel needs several"));
        assert_eq!(parallel(1, |one| (one.sumrange, one.sumrange_parallel) = (alphabets(), true)), "");
        assert!(parallel(2, |two| two.threads = 2).starts_with("each parallel call has one thread"));
        assert!(parallel(2, |two| two.sumrange_parallel = true).contains("needs the texts of a sum-range"));
        assert!(parallel(2, |two| two.stats = Stats::Algo).contains("count only one thread"));
        let declared = parallel(2, |two| two.calls[0].complexity = Some("text_length".parse().unwrap()));
        assert!(declared.starts_with("parallel calls have one time together"), "{declared}");
        assert!(parallel(2000, |_| {}).starts_with("at most 1024 threads"));
    }

    #[test]
    fn counters_of_several_threads_count_all_of_them() {
        let group = |scope| BackendCounters {
            backend: "x".to_owned(),
            events: vec![EventFacts {
                name: "y".to_owned(),
                unit: String::new(),
                summary: String::new(),
                semantics: Semantics::Counter,
                scope,
                grain_ns: 0,
            }],
            options: Vec::new(),
        };
        let is_refused = |threads, scope| {
            Experiment { threads, ..Experiment::default() }.check_scopes(&[group(scope)]).is_err()
        };
        let scopes = [Scope::Thread, Scope::Core, Scope::Process, Scope::System];
        assert_eq!(scopes.map(|scope| is_refused(2, scope)), [true, true, false, false]);
        assert_eq!(scopes.map(|scope| is_refused(1, scope)), [false; 4]);
        let calls = vec![CallSpec { searches: 2, ..CallSpec::default() }];
        let parallel = Experiment { calls, calls_parallel: true, ..Experiment::default() };
        let refusal = parallel.check_scopes(&[group(Scope::Thread)]).unwrap_err().to_string();
        for part in [
            "`x:y` counts one thread",
            "it would miss what the others do",
            "leave out --threads, --calls-parallel",
        ] {
            assert!(refusal.contains(part), "{refusal}");
        }
    }
}
