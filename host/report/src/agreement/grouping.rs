//! Which runs are compared with each other, and what they are called.

use crate::Report;

/// What distinguishes runs that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsDifferBy {
    /// The model of the CPU.
    Cpu,
    /// The text.
    Text,
    /// Neither: one CPU has measured one text more than once.
    Run,
}

impl RunsDifferBy {
    /// The word for one of them.
    pub fn singular(self) -> &'static str {
        match self {
            RunsDifferBy::Cpu => "CPU",
            RunsDifferBy::Text => "text",
            RunsDifferBy::Run => "run",
        }
    }

    /// The word for several of them.
    pub fn plural(self) -> &'static str {
        match self {
            RunsDifferBy::Cpu => "CPUs",
            RunsDifferBy::Text => "texts",
            RunsDifferBy::Run => "runs",
        }
    }
}

/// The runs of each text that several runs have, with its name; those of different groups of algorithms are
/// kept apart. If there is no such text, all runs, each of which has another one.
pub(super) fn by_text(reports: &[Report]) -> Vec<(Option<String>, Vec<usize>)> {
    let group = |report: &Report| report.facts.gathered.as_ref().and_then(|gathered| gathered.group);
    let mut groups: Vec<(Option<String>, Vec<usize>)> = Vec::new();
    for (number, report) in reports.iter().enumerate() {
        let same = |(_, runs): &&mut (Option<String>, Vec<usize>)| {
            let first = &reports[runs[0]];
            first.facts.has_the_texts_of(&report.facts) && group(first) == group(report)
        };
        match groups.iter_mut().find(same) {
            Some((_, runs)) => runs.push(number),
            None => {
                let text = report.facts.texts_in_words();
                let of_group =
                    group(report).map(|[number, of]| format!(" (algorithm group {number} of {of})"));
                groups.push((Some(text + &of_group.unwrap_or_default()), vec![number]));
            }
        }
    }
    let is_divided = reports.iter().any(|report| group(report).is_some());
    if groups.iter().all(|(_, runs)| runs.len() == 1) && !is_divided {
        return vec![(None, (0..reports.len()).collect())];
    }
    groups.retain(|(_, runs)| runs.len() > 1);
    groups
}

/// What distinguishes runs, and what they are called.
pub(super) fn names(reports: &[Report], runs: &[usize], by_text: bool) -> (RunsDifferBy, Vec<String>) {
    let name = |run: &usize| {
        let facts = &reports[*run].facts;
        if by_text {
            facts.texts_in_words()
        } else {
            facts.machine.cpu.clone().unwrap_or_else(|| "unknown CPU".to_owned())
        }
    };
    let names: Vec<String> = runs.iter().map(name).collect();
    let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let by = match (by_text, names.iter().all(is_unique)) {
        (true, _) => RunsDifferBy::Text,
        (false, true) => RunsDifferBy::Cpu,
        (false, false) => RunsDifferBy::Run,
    };
    let with_id = |(name, run): (&String, &usize)| match is_unique(name) {
        true => name.clone(),
        false => format!("{name} ({})", reports[*run].facts.id),
    };
    (by, names.iter().zip(runs).map(with_id).collect())
}
