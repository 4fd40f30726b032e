//! What was found along a line, in words.

use std::collections::BTreeSet;

use crate::findings::{LeaderRegion, LineFindings, Overtaking};

/// A sentence on a line, without a full stop. `names` are those of the algorithms; `value` writes a value of
/// the line's axis.
pub fn in_words(line: &LineFindings, names: &[String], value: &dyn Fn(usize) -> String) -> String {
    let changes: Vec<String> = line.overtakings.iter().map(|one| overtaking(one, names, value)).collect();
    let mut sentence =
        if changes.is_empty() { without_change(line, names, value) } else { changes.join("; ") };
    let leads: Vec<String> = (0..names.len()).filter_map(|algorithm| lead(line, names, algorithm)).collect();
    if !leads.is_empty() {
        sentence += &format!(" (greatest lead: {})", leads.join(", "));
    }
    if !line.regions.is_empty() && !line.not_measured.is_empty() {
        let values: Vec<String> = line.not_measured.iter().map(|left| value(*left)).collect();
        sentence += &format!("; not measured: {}", values.join(", "));
    }
    sentence
}

/// Names with "or" before the last.
pub fn one_of(algorithms: &BTreeSet<usize>, names: &[String]) -> String {
    joined(algorithms, names, "or")
}

fn joined(algorithms: &BTreeSet<usize>, names: &[String], word: &str) -> String {
    let names: Vec<&str> = algorithms.iter().map(|algorithm| names[*algorithm].as_str()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {word} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

fn overtaking(one: &Overtaking, names: &[String], value: &dyn Fn(usize) -> String) -> String {
    let Overtaking { from, to, low, high, tied, is_missing } = one;
    let (from, to) = (one_of(from, names), one_of(to, names));
    let between = format!("between {} and {}", value(*low), value(*high));
    if *is_missing {
        return format!("{to} takes the place of {from}, which has no times there, {between}");
    }
    let tied = tied.map_or_else(String::new, |tied| format!(" (tied {})", at(tied, value)));
    format!("{to} overtakes {from} {between}{tied}")
}

/// "at 8" or "from 8 to 12".
fn at((least, greatest): (usize, usize), value: &dyn Fn(usize) -> String) -> String {
    if least == greatest {
        format!("at {}", value(least))
    } else {
        format!("from {} to {}", value(least), value(greatest))
    }
}

fn without_change(line: &LineFindings, names: &[String], value: &dyn Fn(usize) -> String) -> String {
    let last = &line.last;
    let leaders = joined(last, names, "and");
    let is_tie = |region: &&LeaderRegion| region.leaders.len() > 1;
    let ties: Vec<String> =
        line.regions.iter().filter(is_tie).map(|region| at((region.from, region.to), value)).collect();
    let places = compared(line, value);
    match last.len() {
        0 if line.regions.is_empty() => "not measured".to_owned(),
        0 => "nothing could be compared".to_owned(),
        1 if ties.is_empty() && line.regions.iter().all(|region| region.lead.is_none()) => {
            format!("only {leaders} has times that can be compared, {places}")
        }
        1 if ties.is_empty() && names.len() == 2 => format!("{leaders} is faster {places}"),
        1 if ties.is_empty() => format!("{leaders} is the fastest {places}"),
        1 if names.len() == 2 => format!("{leaders} is faster, or tied {}", ties.join(", ")),
        1 => format!("{leaders} is the fastest, or tied with others {}", ties.join(", ")),
        _ if last.len() == names.len() => format!("{leaders} are tied {places}"),
        _ => format!("{leaders} are the fastest and tied {places}"),
    }
}

/// Where algorithms were compared: "throughout" if that is so at all points of the line.
fn compared(line: &LineFindings, value: &dyn Fn(usize) -> String) -> String {
    let (mut places, mut is_everywhere) = (Vec::<(usize, usize)>::new(), line.not_measured.is_empty());
    let mut goes_on = false;
    for region in &line.regions {
        if region.leaders.is_empty() {
            (is_everywhere, goes_on) = (false, false);
            continue;
        }
        match places.last_mut() {
            Some(place) if goes_on => place.1 = region.to,
            _ => places.push((region.from, region.to)),
        }
        goes_on = true;
    }
    if is_everywhere {
        return "throughout".to_owned();
    }
    places.into_iter().map(|place| at(place, value)).collect::<Vec<_>>().join(" and ")
}

/// The name of an algorithm with its greatest lead, if it ever leads alone.
fn lead(line: &LineFindings, names: &[String], algorithm: usize) -> Option<String> {
    let alone = line.regions.iter().filter(|region| region.leaders == BTreeSet::from([algorithm]));
    let greatest = alone.filter_map(|region| Some(region.lead?.1)).reduce(f64::max)?;
    Some(format!("{} {greatest:.2}", names[algorithm]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::findings;
    use crate::testing::{line_of, standings_of};

    /// The sentence on a line of these leaders at 1, 2, 3 .., of the first algorithms of three.
    fn sentence(algorithms: usize, leaders: &[&[usize]]) -> String {
        let values: Vec<usize> = (1..=leaders.len()).collect();
        let standings = leaders.iter().map(|leaders| {
            let mut standings = standings_of(leaders);
            standings.0.truncate(algorithms);
            standings
        });
        let (grid, crossover) = line_of(&values, standings);
        let names = ["a", "b", "c"][..algorithms].iter().map(|name| (*name).to_owned());
        in_words(&findings(&grid, &crossover)[0], &names.collect::<Vec<_>>(), &|value| value.to_string())
    }

    #[test]
    fn a_line_of_two_has_a_sentence() {
        for (leaders, expected) in [
            (&[&[0][..], &[1]][..], "b overtakes a between 1 and 2 (greatest lead: a 2.00, b 2.00)"),
            (
                &[&[0], &[0, 1], &[1]],
                "b overtakes a between 1 and 3 (tied at 2) (greatest lead: a 2.00, b 2.00)",
            ),
            (&[&[1], &[1]], "b is faster throughout (greatest lead: b 2.00)"),
            (&[&[0, 1], &[0, 1]], "a and b are tied throughout"),
            (&[&[0, 1], &[0, 1], &[0]], "a is faster, or tied from 1 to 2 (greatest lead: a 2.00)"),
            (&[&[], &[]], "nothing could be compared"),
            (&[&[0], &[], &[0], &[0]], "a is faster at 1 and from 3 to 4 (greatest lead: a 2.00)"),
            (&[&[], &[0, 1]], "a and b are tied at 2"),
        ] {
            assert_eq!(sentence(2, leaders), expected);
        }
    }

    #[test]
    fn a_line_of_three_names_those_that_lead() {
        for (leaders, expected) in [
            (&[&[0, 1][..], &[2]][..], "c overtakes a or b between 1 and 2 (greatest lead: c 2.00)"),
            (&[&[0, 1], &[0, 1, 2]], "a and b are the fastest and tied throughout"),
            (&[&[0], &[0, 2]], "a is the fastest, or tied with others at 2 (greatest lead: a 2.00)"),
            (&[&[0], &[0]], "a is the fastest throughout (greatest lead: a 2.00)"),
        ] {
            assert_eq!(sentence(3, leaders), expected);
        }
    }

    #[test]
    fn what_the_budget_left_out_is_not_measured() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let sentence = |measured: &[usize]| {
            let (grid, mut crossover) =
                line_of(&[2, 4, 16], [&[0][..], &[0], &[0]].map(standings_of).into_iter());
            crossover.points.retain(|point, _| measured.contains(&point.pattern_length));
            in_words(&findings(&grid, &crossover)[0], &names, &|value| value.to_string())
        };
        assert_eq!(sentence(&[]), "not measured");
        assert_eq!(sentence(&[2]), "a is the fastest at 2 (greatest lead: a 2.00); not measured: 4, 16");
        assert_eq!(
            sentence(&[2, 4]),
            "a is the fastest from 2 to 4 (greatest lead: a 2.00); not measured: 16"
        );
        assert_eq!(sentence(&[2, 4, 16]), "a is the fastest throughout (greatest lead: a 2.00)");
    }

    #[test]
    fn an_algorithm_without_rival_is_not_called_the_fastest() {
        let (grid, mut crossover) = line_of(&[2, 4], [&[0][..], &[0]].map(standings_of).into_iter());
        crossover.points.values_mut().for_each(|standings| standings.0[1..].fill(None));
        let names = ["a", "b", "c"].map(str::to_owned);
        let sentence = in_words(&findings(&grid, &crossover)[0], &names, &|value| value.to_string());
        assert_eq!(sentence, "only a has times that can be compared, throughout");
    }

    #[test]
    fn what_has_no_times_is_replaced_and_not_overtaken() {
        let (grid, mut crossover) = line_of(&[64, 128], [&[0][..], &[1]].into_iter().map(standings_of));
        let last = crossover.points.values_mut().last().unwrap();
        last.0[0] = None;
        let names = ["a", "b", "c"].map(str::to_owned);
        let sentence = in_words(&findings(&grid, &crossover)[0], &names, &|value| format!("{value} B"));
        assert!(
            sentence
                .starts_with("b takes the place of a, which has no times there, between 64 B and 128 B (")
        );
    }
}
