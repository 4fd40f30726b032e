//! The relations of all event sets whose events are counted in a run.

use super::{EventSets, Relation};

/// A relation of some counters of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundRelation {
    /// The relation with the names of the counters: `perf:branch-misses <= perf:branches`.
    pub sentence: String,
    /// The event set that declares it; `None` if the set comes with the program.
    pub set: Option<String>,
    /// The indices of its counters.
    pub counters: Vec<usize>,
    relation: Relation,
}

impl BoundRelation {
    /// Whether it holds for the counts of a call; `None` if one of them is missing.
    pub fn holds(&self, counts: &[Option<f64>]) -> Option<bool> {
        let values = self.counters.iter().map(|counter| counts.get(*counter).copied().flatten());
        Some(self.relation.holds(&values.collect::<Option<Vec<f64>>>()?))
    }
}

/// The relations that apply to these counters, each once. A relation of a set also applies to events of other
/// backends that have the same names.
pub fn bound(sets: &EventSets, counters: &[String]) -> Vec<BoundRelation> {
    let backends = counters.iter().filter_map(|counter| Some(counter.split_once(':')?.0));
    let mut backends: Vec<&str> = backends.collect();
    backends.dedup();
    let mut all: Vec<BoundRelation> = Vec::new();
    for set in sets.usable() {
        let other = (!sets.is_shipped(&set.name)).then(|| set.name.clone());
        let by_others = backends.iter().map(|backend| set.clone().for_backend(backend)).collect::<Vec<_>>();
        for set in std::iter::once(&set).chain(&by_others) {
            for relation in set.always.iter().filter_map(|text| Relation::parse(text).ok()) {
                let place = |name: &&str| {
                    let event = set.events.get(*name)?;
                    counters.iter().position(|counter| counter == event)
                };
                let places: Option<Vec<usize>> = relation.names().iter().map(place).collect();
                let sentence = relation.in_words(|name| set.events.get(name).cloned().unwrap_or_default());
                if let Some(counters) = places.filter(|_| all.iter().all(|other| other.sentence != sentence))
                {
                    all.push(BoundRelation { sentence, set: other.clone(), counters, relation });
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::Processor;
    use super::*;

    #[test]
    fn relations_apply_where_all_their_events_are_counted_whoever_counts_them() {
        let bound = |counters: &[&str]| {
            let counters: Vec<String> = counters.iter().map(|counter| (*counter).to_owned()).collect();
            let intel = Processor { arch: "x86_64".to_owned(), vendor: "GenuineIntel".to_owned() };
            bound(&EventSets::for_processor(&[], intel), &counters)
        };
        assert_eq!(bound(&["perf:branches", "clock:ns"]), []);
        let clock = bound(&["perf:task-clock"]);
        assert_eq!(clock[0].sentence, "0 < perf:task-clock");
        assert_eq!(clock[0].holds(&[Some(0.0)]), Some(false), "a clock that stands still");
        let perf = bound(&["clock:ns", "perf:branch-misses", "perf:branches"]);
        assert_eq!((perf.len(), perf[0].sentence.as_str()), (1, "perf:branch-misses <= perf:branches"));
        assert_eq!(perf[0].holds(&[None, Some(5.0), Some(5.0)]), Some(true));
        assert_eq!(perf[0].holds(&[None, Some(6.0), Some(5.0)]), Some(false));
        assert_eq!(perf[0].holds(&[None, None, Some(5.0)]), None);
        let simulated =
            bound(&["cachegrind:branches", "cachegrind:branch-misses", "cachegrind:instructions"]);
        let sentences: Vec<&str> = simulated.iter().map(|relation| relation.sentence.as_str()).collect();
        assert_eq!(
            sentences,
            ["cachegrind:branch-misses <= cachegrind:branches", "0 < cachegrind:instructions"]
        );
        let last = bound(&[
            "perf:L1-dcache-loads",
            "perf:L1-dcache-stores",
            "perf:instructions",
            "perf:cache-references",
            "perf:cache-misses",
        ]);
        let hits = "perf:cache-references - perf:cache-misses <= perf:L1-dcache-loads + perf:L1-dcache-stores + perf:instructions";
        assert!(last.iter().any(|relation| relation.sentence == hits), "{last:?}");
    }
}
