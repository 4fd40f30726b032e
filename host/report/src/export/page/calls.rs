//! The calls of a repetition that has several, as far as a page has their times.

use assay_base::columns::{Call, call_time};
use assay_experiment::calls::are_several;
use assay_store::range::CallFacts;

/// Up to this many calls, a page has the time of each; otherwise only those of the first and the last of each
/// kind, because the page grows with each.
const MOST: usize = 8;

/// Those that are one of several of their kind, and whose times a page has.
pub(super) fn shown(calls: &[CallFacts]) -> Vec<&CallFacts> {
    let mut shown = each(calls);
    if shown.len() > MOST {
        let of_kind = |kind: Call| calls.iter().filter(move |call| call.call == kind);
        let ends = |kind: Call| [of_kind(kind).next(), of_kind(kind).next_back()];
        shown.retain(|call| ends(call.call).contains(&Some(*call)));
    }
    shown
}

/// What is said where the times of some are left out.
pub(super) fn left_out(calls: &[CallFacts], run: &str) -> Option<String> {
    let (all, shown) = (each(calls), shown(calls));
    let one = all.iter().find(|call| !shown.contains(call))?;
    let names = shown.iter().map(|call| call.name.as_str()).collect::<Vec<_>>().join(", ");
    let (all, one) = (all.len(), call_time(&one.name));
    Some(format!("Times of single calls: {names}, of {all}; assay report {run} --metric {one} shows another"))
}

fn each(calls: &[CallFacts]) -> Vec<&CallFacts> {
    let kinds = || calls.iter().map(|call| call.call);
    calls.iter().filter(|call| are_several(kinds(), call.call)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(names: &[(Call, usize)]) -> Vec<CallFacts> {
        let call = |&(call, number): &(Call, usize)| CallFacts {
            name: format!("{}{number}", call.name()),
            call,
            text: vec!["t".to_owned()],
            bytes: 1,
        };
        names.iter().map(call).collect()
    }

    fn names(calls: &[CallFacts]) -> Vec<&str> {
        shown(calls).into_iter().map(|call| call.name.as_str()).collect()
    }

    #[test]
    fn a_few_calls_are_all_there_and_of_many_the_ends_of_each_kind() {
        let searches = |count| (1..=count).map(|i| (Call::Search, i)).collect::<Vec<_>>();
        let one_preparation = |count| calls(&[vec![(Call::Prepare, 0)], searches(count)].concat());
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
