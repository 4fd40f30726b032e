//! The measurements of each call of a repetition, by the number of the call.

use assay_base::error::Result;

use super::{Data, combine_calls};

/// What was counted in a repetition: `[call][counter]`; `None` is missing.
type RepetitionCounts = Vec<Vec<Option<f64>>>;

impl<'a> Data<'a> {
    /// The names of the calls, in order: `prepare`, `search1` .. With a sum-range, they are those at its first
    /// value, and each stands for the calls at the same place after every preparation.
    pub fn calls(&self) -> Vec<&'a str> {
        self.0.calls(0)
    }

    /// What a counter counted in the call of this number in each repetition, summed over the sum-range; of a
    /// level, the last reading. `None` is missing.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value, call or counter.
    pub fn counts_of(&self, range: usize, callid: usize, counter: usize) -> Result<Vec<Option<f64>>> {
        let is_level = self.0.rawdata.counters()[counter].is_level;
        let values = 0..self.0.sumrange();
        combine_calls(is_level, values.map(|sumrange| self.0.counts_of(range, sumrange, callid, counter)))
    }

    /// All counts at a range value: `[repetition][call][counter]`, so that a figure has the address
    /// `data.counts_at(range)?[repetition][call][counter]`. They are in memory together, so take one range
    /// value after the other.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn counts_at(&self, range: usize) -> Result<Vec<RepetitionCounts>> {
        let (calls, counters) = (self.calls().len(), self.0.rawdata.counters().len());
        let mut all = vec![vec![vec![None; counters]; calls]; self.0.repetitions(range)];
        for call in 0..calls {
            for counter in 0..counters {
                let counts = self.counts_of(range, call, counter)?;
                all.iter_mut().zip(counts).for_each(|(repetition, count)| repetition[call][counter] = count);
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use assay_store::range::CallFacts;

    use crate::tests::with_columns;
    use crate::{Call, Quantity, Report};

    /// A report on two repetitions with a counter. Each prepares and searches 9 and 90 bytes, twice.
    fn with_sum_range() -> Report {
        let calls = ["prepare1", "search1", "search2", "prepare2", "search3", "search4"];
        let times = calls.map(|name| format!("{name}_ns,{name}:tsc:cycles")).join(",");
        let rows = "a,8,0,ok,3,5,100,105,500,10000,2,200,10,1000,20,2000,3,300,30,3000,40,4000\n\
                    a,8,1,ok,3,5,101,106,500,10000,2,200,11,1000,20,2000,3,300,30,3000,40,\n";
        let columns = format!(",prepare:tsc:cycles,tsc:cycles,{times}");
        let mut report = with_columns(&columns, rows).unwrap();
        let call = |name: &str| CallFacts {
            name: name.to_owned(),
            call: if name.starts_with('p') { Call::Prepare } else { Call::Search },
            text: Vec::new(),
            bytes: if ["search2", "search4"].contains(&name) { 90 } else { 9 },
        };
        report.facts.calls = calls.map(call).to_vec();
        report
    }

    #[test]
    fn each_count_has_an_address() {
        let report = with_sum_range();
        let data = report.data("a").unwrap();
        assert_eq!(data.calls(), ["prepare1", "search1", "search2"]);
        let counts = data.counts_at(0).unwrap();
        assert_eq!((counts.len(), counts[0].len(), counts[0][0].len()), (2, 3, 2));
        assert_eq!([counts[0][0][0], counts[0][1][0], counts[0][2][0]], [5.0, 40.0, 60.0].map(Some));
        assert_eq!([counts[1][1][0], counts[1][1][1], counts[1][2][1]], [Some(41.0), Some(4000.0), None]);
    }

    #[test]
    fn each_value_of_a_sum_range_has_the_same_calls() {
        let (prepare, search) = (Call::Prepare, Call::Search);
        let message = |calls: &[Call]| {
            let call = |call: &Call| CallFacts {
                name: call.name().to_owned(),
                call: *call,
                text: Vec::new(),
                bytes: 9,
            };
            let mut facts = with_columns("", "a,8,0,ok,3,1,2,3\n").unwrap().facts;
            facts.calls = calls.iter().map(call).collect();
            let columns =
                "algorithm,pattern_length,repetition,status,occurrences,prepare_ns,search_ns,total_ns\n";
            let report = Report::new(facts, crate::tests::rawdata(columns).unwrap());
            report.map_or_else(|error| error.to_string(), |_| String::new())
        };
        assert_eq!(message(&[prepare, search, search, prepare, search, search]), "");
        assert!(
            message(&[prepare, search, prepare, search, search]).contains("calls that are no repetition")
        );
    }

    #[test]
    fn a_metric_is_of_one_call_or_of_all() {
        let report = with_sum_range();
        let values = |call| report.apply_metric(&Quantity::Measured("ns".into()), call, "a").unwrap().values;
        assert_eq!(values(Some(1)), [[Some(40.0), Some(41.0)]]);
        assert_eq!(values(Some(0)), [[Some(5.0); 2]]);
        assert_eq!(values(None), [[Some(105.0), Some(106.0)]]);
        let error = report.apply_metric(&Quantity::Measured("ns".into()), Some(3), "a").unwrap_err();
        assert_eq!(error.to_string(), "there is no call 3: the calls are 0 to 2");
    }

    #[test]
    fn a_call_that_is_selected_stands_for_its_kind() {
        let report = with_sum_range();
        let (selected, kind) = report.select_call("search4").unwrap();
        assert_eq!(
            (kind, selected.call_name(Some(kind)), report.call_name(Some(kind))),
            (Call::Search, "search4", "search")
        );
        let counts = selected.data("a").unwrap().counts(0, Some(kind), 0).unwrap();
        assert_eq!(counts, [Some(40.0); 2]);
        assert_eq!(
            (selected.text_length(8, Some(kind)), report.text_length(8, Some(kind))),
            (Some(90.0), Some(198.0))
        );
        let error = report.select_call("serch4").unwrap_err();
        assert!(error.to_string().starts_with("unknown call `serch4`\n  help: did you mean search4,"));
        let ordinary = with_columns("", "a,8,0,ok,3,1,2,3\n").unwrap();
        let (search, kind) = ordinary.select_call("search").unwrap();
        assert_eq!((search.selected_call(Some(kind)), kind), (None, Call::Search));
        assert!(ordinary.select_call("search1").is_err());
    }

    #[test]
    fn times_of_a_selected_call_are_compared() {
        let columns = ",search1_ns,search2_ns,round";
        let mut rows = String::new();
        for (round, more) in [0, 1, 2, 3, 4, 5].into_iter().zip([0, 3, 1, 4, 1, 5]) {
            rows += &format!("a,8,{round},ok,3,5,{},0,{},900,{round}\n", 1000 + more, 100 + more);
            rows += &format!("b,8,{round},ok,3,5,{},0,{},100,{round}\n", 1000 + more, 900 + more);
        }
        let mut report = with_columns(columns, &rows).unwrap();
        let call = |name: &str, call| CallFacts { name: name.to_owned(), call, text: Vec::new(), bytes: 9 };
        report.facts.calls = vec![
            call("prepare", Call::Prepare),
            call("search1", Call::Search),
            call("search2", Call::Search),
        ];
        let best = |name| {
            let (selected, kind) = report.select_call(name).unwrap();
            let ranks = selected.ranks(Some(kind)).unwrap().remove(0);
            ranks.iter().map(|rank| rank.is_best()).collect::<Vec<_>>()
        };
        assert_eq!((best("search1"), best("search2")), (vec![true, false], vec![false, true]));
    }

    #[test]
    fn calls_of_a_sum_range_are_there_one_by_one_and_summed() {
        let columns = ",prepare1_ns,search1_ns,search2_ns,prepare2_ns,search3_ns,search4_ns";
        let mut report = with_columns(columns, "a,8,0,ok,3,5,100,105,2,10,20,3,30,40\n").unwrap();
        let call = |name: &str, call| CallFacts { name: name.to_owned(), call, text: Vec::new(), bytes: 9 };
        let (prepare, search) = (Call::Prepare, Call::Search);
        report.facts.calls = vec![
            call("prepare1", prepare),
            call("search1", search),
            call("search2", search),
            call("prepare2", prepare),
            call("search3", search),
            call("search4", search),
        ];
        let (full, data) = (report.fulldata("a").unwrap(), report.data("a").unwrap());
        assert_eq!((full.sumrange(), full.calls(1)), (2, vec!["prepare2", "search3", "search4"]));
        let count = |sumrange, callid| full.counts_of(0, sumrange, callid, 0).unwrap()[0];
        assert_eq!([count(0, 0), count(0, 2), count(1, 1)], [Some(2.0), Some(20.0), Some(30.0)]);
        let kind = |sumrange, call| full.counts(0, sumrange, call, 0).unwrap()[0];
        assert_eq!([kind(0, search), kind(1, search), kind(1, prepare)], [Some(30.0), Some(70.0), Some(3.0)]);
        let all = |call| data.counts(0, call, 0).unwrap()[0];
        assert_eq!([all(Some(search)), all(Some(prepare)), all(None)], [Some(100.0), Some(5.0), Some(105.0)]);
    }
}
