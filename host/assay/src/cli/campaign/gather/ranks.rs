//! Whether the models of CPU that a campaign has measured rank alike.

use std::collections::BTreeSet;
use std::path::Path;

use assay_base::error::Result;
use assay_base::io::console::Console;
use assay_report::agreement::{Agreement, agreement};
use assay_report::{Call, Report};

use super::GatheredRun;
use crate::cli::compare::rank_sheets;
use crate::cli::sheets::Sheets;

/// How the models of CPU agree that have measured the same text; `None` if there is no such text. The runs
/// are gathered whatever their ranks say, so what can't be compared is noted.
pub(super) fn agreement_of(out: &Path, runs: &[GatheredRun], console: &Console) -> Option<Sheets> {
    let key = |gathered: &GatheredRun| {
        let facts = &gathered.run.experiment;
        (facts.texts(), facts.gathered.as_ref().and_then(|gathered| gathered.group))
    };
    let timed: Vec<&GatheredRun> = runs.iter().filter(|one| one.run.experiment.has_times()).collect();
    let shared = timed.iter().filter(|one| {
        let cpu = &one.run.experiment.machine.cpu;
        timed.iter().any(|other| other.run.experiment.machine.cpu != *cpu && key(other) == key(one))
    });
    let shared: Vec<&&GatheredRun> = shared.collect();
    if shared.is_empty() {
        return None;
    }
    let call = Some(Call::Search);
    let reports: Result<Vec<Report>> =
        shared.iter().map(|one| Report::begun(&out.join(&one.run.experiment.id))).collect();
    let compared = reports.and_then(|reports| Ok((agreement(&reports, call)?, reports)));
    let (found, reports) = match compared {
        Ok(compared) => compared,
        Err(error) => {
            console.warn(&format!("ranks are not compared: {}", error.message()));
            return None;
        }
    };
    if !found.not_compared.is_empty() {
        console.note(&not_compared(&found, &reports));
    }
    (!found.groups.is_empty()).then(|| rank_sheets(&found, &reports, call, false))
}

/// "ranks can't be compared on english: no pattern length was measured on two CPUs".
fn not_compared(found: &Agreement, reports: &[Report]) -> String {
    let unranked = || found.not_compared.iter().map(|one| &reports[one.run]);
    let texts: BTreeSet<String> = unranked().map(|report| report.facts.texts_in_words()).collect();
    let has_common_value = texts.iter().any(|text| {
        let of_text = unranked().filter(|report| report.facts.texts_in_words() == *text);
        let mut values: Vec<u64> = of_text.flat_map(Report::range).collect();
        values.sort_unstable();
        values.windows(2).any(|pair| pair[0] == pair[1])
    });
    let value = reports[0].facts.over().singular();
    let reason = if has_common_value {
        format!("no two algorithms have ranks at the same {value} on two CPUs")
    } else {
        format!("no {value} was measured on two CPUs")
    };
    let texts: Vec<String> = texts.into_iter().collect();
    format!("ranks can't be compared on {}: {reason}", texts.join(", "))
}
