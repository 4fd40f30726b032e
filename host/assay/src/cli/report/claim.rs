//! The output of `report --claim`.

use assay_base::error::Result;
use assay_base::io::fold::for_output;
use assay_base::io::latex_escape::as_typed;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::markdown;
use assay_report::claim::Claim;
use assay_report::wording;
use assay_report::{Call, Report};
use serde_json::json;

use super::baseline;
use crate::cli::export::Content;

/// What a report on two algorithms shows of the first of them, compared with the second.
pub(super) fn content(
    report: &Report,
    call: Option<Call>,
    [subject, other]: [&str; 2],
    form: OutputFormat,
    label: &str,
) -> Result<Content> {
    let compared = report.baseline(other, call)?;
    let claim = Claim::new(report, call, [subject, other], &compared);
    let noise = wording::remarks(&report.facts);
    let Claim { over_all, at_each, basis } = &claim;
    Ok(match form {
        OutputFormat::Table => {
            let parts = over_all.iter().cloned().chain([at_each.join("\n"), basis.clone()]);
            let noise = Some(noise.join("\n")).filter(|noise| !noise.is_empty());
            let parts: Vec<String> = parts.chain(noise).collect();
            Content::Text(for_output(&parts.join("\n\n"), 0) + "\n")
        }
        OutputFormat::Latex => {
            let noise = noise.iter().map(|line| format!("% {line}\n"));
            let start = format!("% From the run {}\n", report.facts.id) + &noise.collect::<String>();
            let claims: Vec<String> = over_all.iter().chain(at_each).map(|line| as_typed(line)).collect();
            Content::Text(format!("{start}{}\n\n{}\n", claims.join("\n"), as_typed(basis)))
        }
        OutputFormat::Markdown => {
            let first = over_all.iter().map(|line| markdown::escaped(line) + "\n\n");
            let claims = at_each.iter().map(|line| format!("- {}\n", markdown::escaped(line)));
            let noise = noise.iter().map(|line| format!("\n{}\n", markdown::escaped(line)));
            let all: String = first.chain(claims).collect();
            Content::Text(format!("{all}\n{}\n{}", markdown::escaped(basis), noise.collect::<String>()))
        }
        OutputFormat::Json => {
            let mut object = baseline::sheets(report, other, call)?.object;
            object["claim"] = json!({"over_all": over_all, "at_each": at_each, "basis": basis});
            Content::Text(format!("{object:#}\n"))
        }
        form => baseline::sheets(report, other, call)?.content(form, label, false)?,
    })
}
