//! The calls of a repetition whose times a page shows.

use assay_base::columns::call_time;
use assay_experiment::calls::are_several;
use assay_store::range::CallFacts;

/// Up to this number of calls, a page has the time of each. Of more calls, it has the first and the last of
/// each kind, because each call makes the page larger.
const MOST: usize = 8;

/// The calls whose times a page shows, of those that are one of several of their kind.
pub(super) fn shown(calls: &[CallFacts]) -> Vec<&CallFacts> {
    let mut shown = each(calls);
    if shown.len() > MOST {
        shown.retain(|call| {
            let mut same_kind = calls.iter().filter(|other| other.call == call.call);
            let (first, last) = (same_kind.next(), same_kind.next_back());
            first == Some(*call) || last == Some(*call)
        });
    }
    shown
}

/// A note on the calls whose times are left out; `None` if all are shown.
pub(super) fn left_out(calls: &[CallFacts], run: &str) -> Option<String> {
    let (all, shown) = (each(calls), shown(calls));
    let one = all.iter().find(|call| !shown.contains(call))?;
    let names = shown.iter().map(|call| call.name.as_str()).collect::<Vec<_>>().join(", ");
    let (all, one) = (all.len(), call_time(&one.name));
    Some(format!("Times of single calls: {names}, of {all}; assay report {run} --metric {one} shows another"))
}

/// The calls that are one of several of their kind.
fn each(calls: &[CallFacts]) -> Vec<&CallFacts> {
    calls.iter().filter(|call| are_several(calls.iter().map(|other| other.call), call.call)).collect()
}

#[cfg(test)]
mod tests {
    use assay_base::columns::Call;

    use super::*;

    fn calls(names: &[(Call, usize)]) -> Vec<CallFacts> {
        let calls = names.iter().map(|&(call, number)| CallFacts {
            name: format!("{}{number}", call.name()),
            call,
            text: vec!["t".to_owned()],
            bytes: 1,
        });
        calls.collect()
    }

    /// One preparation and this number of searches.
    fn one_preparation(searches: usize) -> Vec<CallFacts> {
        let searches = (1..=searches).map(|i| (Call::Search, i));
        calls(&std::iter::once((Call::Prepare, 0)).chain(searches).collect::<Vec<_>>())
    }

    fn names(calls: &[CallFacts]) -> Vec<&str> {
        shown(calls).into_iter().map(|call| call.name.as_str()).collect()
    }

    #[test]
    fn a_few_calls_are_all_there_and_of_many_the_ends_of_each_kind() {
        assert_eq!(names(&one_preparation(2)), ["search1", "search2"]);
        assert_eq!((names(&one_preparation(8)).len(), left_out(&one_preparation(8), "r")), (8, None));
        let many = one_preparation(9);
        assert_eq!(names(&many), ["search1", "search9"]);
        let sentence =
            "Times of single calls: search1, search9, of 9; assay report r --metric search2_ns shows another";
        assert_eq!(left_out(&many, "r").as_deref(), Some(sentence));
        let pairs: Vec<(Call, usize)> =
            (1..=5).flat_map(|i| [(Call::Prepare, i), (Call::Search, i)]).collect();
        assert_eq!(names(&calls(&pairs)), ["prepare1", "search1", "prepare5", "search5"]);
        assert_eq!(names(&one_preparation(1)), [""; 0], "an ordinary repetition has no other times");
    }
}
