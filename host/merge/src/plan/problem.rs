//! A checked request: the events that are in every sub-experiment, and the demands on pairs of the others.

use std::collections::HashSet;

use assay_base::columns;
use assay_base::error::{Error, Result, excerpt, unknown};

use super::covering::graph::{Graph, PairDemand};
use super::{Method, OF_TWINS, PlanRequest};

/// Greatest number of events. The tables of pairs grow with its square, and machines have some hundred
/// events.
const MOST: usize = 1000;

/// The covering problem that a request stands for; events are numbers.
#[derive(Debug)]
pub(crate) struct CoveringProblem {
    /// The events that are counted everywhere: the anchor, then those that need no counter.
    pub everywhere: Vec<usize>,
    /// All other events. They are the points of `graph`, in this order.
    pub free: Vec<usize>,
    /// Number of free events for which a sub-experiment has room.
    pub slots: usize,
    /// The demands on pairs of free events.
    pub graph: Graph,
    /// The pairs of events that can't be counted together.
    pub apart: Vec<[usize; 2]>,
}

impl CoveringProblem {
    /// Checks a request.
    ///
    /// # Errors
    /// If it contradicts itself, with the options to change.
    pub(super) fn new(request: &PlanRequest) -> Result<CoveringProblem> {
        let PlanRequest { events, counters, method, .. } = request;
        check_events(events)?;
        if *counters == 0 {
            return Err(Error::new("--counters must be at least 1")
                .remedy("give the number of events that can be counted together"));
        }
        let place = |what: &str, name: &String| {
            let found = events.iter().position(|event| event == name);
            found.ok_or_else(|| unknown(what, name, events.iter().map(String::as_str)))
        };
        let anchor = request.anchor.as_ref().map(|anchor| place("anchor", anchor)).transpose()?;
        let fixed =
            request.fixed.iter().map(|name| place("fixed event", name)).collect::<Result<Vec<_>>>()?;
        if let Some((_, twice)) = fixed.iter().enumerate().find(|(at, event)| fixed[..*at].contains(event)) {
            return Err(Error::new(format!("--fixed names `{}` twice", excerpt(&events[*twice])))
                .remedy("name each event once"));
        }
        let taken = usize::from(anchor.is_some_and(|anchor| !fixed.contains(&anchor)));
        let mut everywhere: Vec<usize> = anchor.into_iter().collect();
        everywhere.extend(fixed.iter().filter(|event| Some(**event) != anchor));
        let free: Vec<usize> = (0..events.len()).filter(|event| !everywhere.contains(event)).collect();

        let pairs = |option: &str, given: &[String]| {
            given.iter().map(|pair| pair_of(option, pair, events)).collect::<Result<Vec<_>>>()
        };
        let (apart, wanted) = (pairs("--conflict", &request.conflicts)?, pairs("--wanted", &request.wanted)?);
        for [a, b] in &apart {
            if let Some(event) = [a, b].into_iter().find(|event| everywhere.contains(event)) {
                let (event, other) = (&events[*event], &events[if event == a { *b } else { *a }]);
                return Err(Error::new(format!(
                    "`{event}` is to be counted in every sub-experiment, and `{other}` can't be counted beside it"
                ))
                .remedy("leave out the conflict or one of the events, or choose another anchor"));
            }
        }
        if let Some([a, b]) = wanted.iter().find(|pair| apart.iter().any(|apart| same(apart, pair))) {
            return Err(Error::new(format!(
                "`{}` and `{}` are wanted together, and can't be counted together",
                events[*a], events[*b]
            ))
            .remedy("leave out --wanted or --conflict for them"));
        }

        let slots = counters - taken;
        check_room(request, free.len(), slots)?;
        // If there were more slots than events, some would stay empty.
        let slots = slots.min(free.len());
        let mut graph =
            Graph::new(free.len(), if wanted.is_empty() { PairDemand::Wanted } else { PairDemand::Free });
        let point = |event: &usize| free.iter().position(|free| free == event);
        for (pairs, asked) in [(&wanted, PairDemand::Wanted), (&apart, PairDemand::Apart)] {
            for [a, b] in pairs {
                if let (Some(a), Some(b)) = (point(a), point(b)) {
                    graph.set(a, b, asked);
                }
            }
        }
        if *method == Method::Hrm && anchor.is_none() {
            return Err(Error::new("HRM needs an anchor, an event that every sub-experiment counts")
                .remedy("name it with --anchor; where there is none, take --method much"));
        }
        Ok(CoveringProblem { everywhere, free, slots, graph, apart })
    }
}

fn check_events(events: &[String]) -> Result<()> {
    if events.len() < 2 {
        let words = if events.is_empty() { "no event is named" } else { "one event needs no plan" };
        return Err(Error::new(words).remedy("name two or more: --events A,B,.."));
    }
    if events.len() > MOST {
        return Err(Error::new(format!("{} events are more than {MOST}", events.len()))
            .remedy("plan for those that matter"));
    }
    if events.iter().any(|event| event.trim().is_empty()) {
        return Err(Error::new("--events has an empty name").remedy("remove the superfluous comma"));
    }
    if let Some(event) = events.iter().find(|event| event.contains(char::is_control)) {
        return Err(Error::new(format!("the event {event:?} has a control character"))
            .remedy("remove it, for example a line feed, from --events"));
    }
    let mut seen = HashSet::new();
    if let Some(event) = events.iter().find(|event| !seen.insert(event.as_str())) {
        return Err(Error::new(format!("the event `{}` is named twice", excerpt(event)))
            .remedy("name each event once in --events"));
    }
    check_twins(events.iter().map(String::as_str))
}

/// Refuses events that instrumented variants don't count, and a mixture of theirs with other events.
pub(crate) fn check_twins<'a>(events: impl Iterator<Item = &'a str> + Clone) -> Result<()> {
    for event in events.clone().filter_map(|event| event.strip_prefix(OF_TWINS)) {
        if columns::instrumented().all(|column| column != event) {
            return Err(unknown(
                &format!("event of {OF_TWINS}"),
                event,
                columns::instrumented().collect::<Vec<_>>(),
            ));
        }
    }
    let of_twin = events.clone().find(|event| event.starts_with(OF_TWINS));
    let counted = events.clone().find(|event| !event.starts_with(OF_TWINS));
    if let (Some(of_twin), Some(counted)) = (of_twin, counted) {
        return Err(Error::new(format!(
            "no run can count both: `{of_twin}` needs instrumented variants, and `{}` the plain ones",
            excerpt(counted)
        ))
        .remedy("make a plan for each kind"));
    }
    Ok(())
}

/// The two events of `A:B`. Names may have colons themselves.
fn pair_of(option: &str, given: &str, events: &[String]) -> Result<[usize; 2]> {
    let place = |name: &str| events.iter().position(|event| event == name);
    let splits = || given.match_indices(':').map(|(at, _)| (&given[..at], &given[at + 1..]));
    let found = splits().find_map(|(a, b)| Some([place(a)?, place(b)?]));
    match found {
        Some([a, b]) if a == b => {
            Err(Error::new(format!("{option} {given}: these are one event")).remedy("name two events, A:B"))
        }
        Some(pair) => Ok(pair),
        None => {
            // If one half is an event, the other is misspelt.
            let rest = splits().find_map(|(a, b)| match (place(a), place(b)) {
                (Some(_), None) => Some(b),
                (None, Some(_)) => Some(a),
                _ => None,
            });
            match rest.or_else(|| splits().next().map(|(a, _)| a)) {
                Some(name) => {
                    Err(unknown(&format!("event of {option}"), name, events.iter().map(String::as_str)))
                }
                None => Err(Error::new(format!("{option} {}: a pair of events is expected", excerpt(given)))
                    .remedy("write A:B")),
            }
        }
    }
}

fn same(one: &[usize; 2], other: &[usize; 2]) -> bool {
    one == other || [one[1], one[0]] == *other
}

/// Refuses requests with too few counters for the method.
fn check_room(request: &PlanRequest, free: usize, slots: usize) -> Result<()> {
    let counters = request.counters;
    let anchor = request.anchor.as_deref().unwrap_or_default();
    if slots == 0 && free > 0 {
        return Err(Error::new(format!(
            "`{anchor}` takes the only counter, and nothing can be counted beside it"
        ))
        .remedy("take 2 --counters or more, or --fixed for an anchor that needs none"));
    }
    if request.method == Method::Much && slots == 1 && free > 1 {
        let why = match counters {
            1 => "MUCH counts events in pairs, and a pair needs two counters".to_owned(),
            _ => format!("MUCH needs all pairs of events, and beside `{anchor}` there is only one counter"),
        };
        return Err(Error::new(why).remedy("take more --counters, or --method hrm with an --anchor"));
    }
    if request.blocks == Some(0) {
        return Err(
            Error::new("--blocks must be at least 1").remedy("leave it out for as many as are needed")
        );
    }
    Ok(())
}
