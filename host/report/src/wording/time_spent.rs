//! Where the wall time of a run went, in words.

use assay_base::io::numbers::grouped;
use assay_store::ExperimentFacts;

/// The activities of a run with their times and their share of the wall time, which comes first: `wall time`,
/// `12.3 s`; `searching`, `8.1 s (66 %)`. The reason why they are not known, otherwise.
pub fn time_spent(facts: &ExperimentFacts) -> Result<Vec<(&'static str, String)>, &'static str> {
    let spent = facts.spent().ok_or_else(|| why_unknown(facts))?;
    let wall = spent.wall_ns();
    let share = |ns: u64| 100.0 * ns as f64 / wall.max(1) as f64;
    let activities =
        spent.activities().map(|(name, ns)| (name, format!("{} ({:.0} %)", seconds(ns), share(ns))));
    Ok(std::iter::once(("wall time", seconds(wall))).chain(activities).collect())
}

/// The same in one sentence.
pub fn time_spent_in_words(facts: &ExperimentFacts) -> String {
    match time_spent(facts) {
        Err(why) => format!("where the time went is not known: {why}"),
        Ok(times) => {
            let (wall, activities) = times.split_first().expect("the wall time is there");
            let activities: Vec<String> =
                activities.iter().map(|(name, time)| format!("{name} {time}")).collect();
            let parts = facts.parts.len();
            let all = if parts > 1 { format!(" in {parts} parts") } else { String::new() };
            format!("the run took {}{all}: {}", wall.1, activities.join(", "))
        }
    }
}

fn why_unknown(facts: &ExperimentFacts) -> &'static str {
    match facts.parts.last() {
        Some(last) if last.ended.is_none() && !last.killed => "the run has not ended",
        _ if facts.parts.iter().any(|part| part.killed) => "a part of the run was killed",
        _ => "an earlier version of assay measured the run",
    }
}

/// Milliseconds are the least that a user can act on.
fn seconds(ns: u64) -> String {
    format!("{} s", grouped(ns as f64 / 1e9, 3))
}

#[cfg(test)]
mod tests {
    use assay_store::parts::Part;
    use assay_store::{TimeSpent, testing};

    use super::*;

    #[test]
    fn times_have_shares_and_missing_ones_a_reason() {
        let mut facts = testing::run().experiment;
        let spent = TimeSpent {
            searching_ns: 1_500_000_000,
            warmup_ns: 250_000_000,
            rest_ns: 250_000_000,
            ..TimeSpent::default()
        };
        let ended = Part { ended: Some("2026-01-02T03:04:05Z".to_owned()), ..Part::default() };
        facts.parts = vec![Part { spent: Some(spent), ..ended.clone() }];
        assert_eq!(
            time_spent_in_words(&facts),
            "the run took 2.000 s: searching 1.500 s (75 %), preparing patterns 0.000 s (0 %), warm-up 0.250 s (12 %), \
             starting workers 0.000 s (0 %), set-up 0.000 s (0 %), reference counts 0.000 s (0 %), \
             writing 0.000 s (0 %), the rest 0.250 s (12 %)"
        );
        facts.parts.push(facts.parts[0].clone());
        assert!(
            time_spent_in_words(&facts)
                .starts_with("the run took 4.000 s in 2 parts: searching 3.000 s (75 %)")
        );
        let unknown = |parts| {
            let words = time_spent_in_words(&ExperimentFacts { parts, ..facts.clone() });
            words.strip_prefix("where the time went is not known: ").unwrap_or(&words).to_owned()
        };
        assert_eq!(unknown(vec![ended.clone()]), "an earlier version of assay measured the run");
        assert_eq!(unknown(Vec::new()), "an earlier version of assay measured the run");
        assert_eq!(
            unknown(vec![Part { killed: true, ..ended.clone() }, ended.clone()]),
            "a part of the run was killed"
        );
        assert_eq!(unknown(vec![Part::default()]), "the run has not ended");
    }
}
