//! `assay explain`: why one algorithm is faster than another.

mod cells;
mod runs;

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::console::abridged;
use assay_base::io::fold;
use assay_explain::{Explanation, bars, explain, picture, text};
use assay_report::wording;
use assay_store::USUAL;
use assay_store::provenance::Machine;
use clap::{ValueEnum, ValueHint};
use serde::Serialize;

use super::run::{Options, with_default};
use super::{Outcome, Session};
use runs::{ExplainedRuns, LENGTHS, RUNS};

/// Explain why one algorithm is faster than another
///
/// It says what each does, what that costs here, and how sure that is. The times of the algorithms are measured, and
/// their twins count what they do with the same patterns. A cost model takes the time of a search as the sum of what
/// its work costs, at the same costs for all algorithms. It explains a difference only if it predicts it without having
/// seen the two algorithms.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay explain hor bndm --text book.txt --plen 8,16,64
  assay explain bf kmp so --corpus english
  assay explain hor bm --with bf kmp qs om ag bom so kr --plen 8
  assay explain hor bndm --rand 4 --to hor-and-bndm.svg
  assay explain hor bndm --format json
  assay explain last hor bm         two algorithms of a saved run

The first algorithm is compared with each of the others. So that the cost model has enough to be fitted to, a dozen classical \
algorithms are measured beside them: those of assay's own libraries that say `yardstick` in `assay info`, because their timed search does exactly \
what their twin counts. --with names others in their place; if seven algorithms or more are named, none are added. A \
saved run is explained by its own algorithms, and only their twins are run.

Each algorithm is predicted by costs that were fitted without it, and each difference by costs that were fitted without \
both. A range after `fits` goes from the least to the greatest prediction if one algorithm more is left out. Where the \
predictions are poor, the output says so and gives no reason. JSON has the costs of each kind of work on this CPU, all counts, \
and all predictions.",
mut_arg("plen", |arg| with_default(arg, &LENGTHS.map(|length| length.to_string()).join(","))),
mut_arg("runs", |arg| with_default(arg, &RUNS.to_string())))]
pub(super) struct Args {
    /// The algorithms to explain: ids or names, two at least; or a saved run, by its folder, its id or `last`, and then
    /// those of its algorithms
    #[arg(value_name = "ALGO|results/ID|last", required = true)]
    names: Vec<String>,
    /// Measure these algorithms beside them, for the cost model, instead of the yardsticks
    #[arg(long, value_name = "ALGO|REGEX", num_args = 1..)]
    with: Vec<String>,
    #[command(flatten)]
    options: Options,
    /// The folder in which ids of saved runs are looked up
    #[arg(long, value_name = "DIR", default_value = USUAL, value_hint = ValueHint::DirPath)]
    out: PathBuf,
    /// Draw the bars in FILE, as SVG, instead of printing anything
    #[arg(long, value_name = "FILE.svg", conflicts_with = "format", value_hint = ValueHint::FilePath)]
    to: Option<PathBuf>,
    /// Output format
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: ExplainFormat,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// Sentences and bars
    Text,
    /// Costs, counts, predictions and differences
    Json,
}

/// An explanation with what it is about.
#[derive(Serialize)]
struct ExplanationFile<'a> {
    /// The machine, whose costs these are.
    machine: &'a Machine,
    /// The text.
    text: &'a [String],
    /// Bytes of the text.
    text_bytes: usize,
    seed: u64,
    /// The algorithms that are explained.
    algorithms: &'a [String],
    /// The algorithms that the cost model was fitted to besides them.
    beside: &'a [String],
    #[serde(flatten)]
    explanation: &'a Explanation,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    if let Some(file) =
        args.to.as_deref().filter(|file| file.extension().is_none_or(|ending| ending != "svg"))
    {
        return Err(Error::new(format!("--to draws SVG, and `{}` does not end in .svg", file.display()))
            .remedy("name a file such as why.svg"));
    }
    let output = args.to.as_deref().map(|file| Ok((file, Output::create(file)?))).transpose()?;
    let Some(runs) = ExplainedRuns::new(args, session)? else {
        console.warn("interrupted: too little was measured to explain anything");
        return Ok(Outcome::Interrupted);
    };
    let counted = runs.cells(console)?;
    let explanation = explain(&counted.cells, &runs.asked(&counted)?);
    let title = in_words(&runs.algorithms);
    match output {
        Some((file, output)) => {
            let drawn = picture(&explanation, &runs.algorithms, &format!("Why: {title}"));
            output.write(|out| out.write_all(drawn.as_bytes()))?;
            console.note(&format!("{} is written", file.display()));
        }
        None if args.format == ExplainFormat::Json => {
            let facts = &runs.times.facts;
            let file = ExplanationFile {
                machine: &facts.machine,
                text: &facts.text.sources,
                text_bytes: facts.text.bytes,
                seed: facts.seed,
                algorithms: &runs.algorithms,
                beside: &runs.beside,
                explanation: &explanation,
            };
            let json = serde_json::to_string_pretty(&file).expect("values that came from here");
            console.print(&(json + "\n"))?;
        }
        None => {
            let prose = fold::for_output(&format!("{}\n\n{}", heading(&runs), text(&explanation)), 0);
            let bars = bars(&explanation, &runs.algorithms);
            console.print(&if bars.is_empty() { prose } else { format!("{prose}\n{bars}") })?;
        }
    }
    Ok(if runs.failed { Outcome::SomethingFailed } else { Outcome::Done })
}

/// The most algorithms whose names fit into a sentence: more than there are yardsticks.
const ALL_NAMED: usize = 16;

/// What was measured, in a sentence, and what is special about it.
fn heading(runs: &ExplainedRuns) -> String {
    let text = &runs.times.facts.text;
    let beside = match &runs.beside[..] {
        [] => "nothing else".to_owned(),
        few if few.len() <= ALL_NAMED => few.join(", "),
        many => abridged(many),
    };
    let mut lines = vec![format!(
        "{} in {} ({} bytes). The cost model was fitted to them and to {beside}.",
        in_words(&runs.algorithms),
        text.sources.join(", "),
        text.bytes,
    )];
    lines.extend(wording::unusual_conditions(&runs.times.facts));
    lines.join("\n")
}

/// Names as a sentence has them: "a, b and c".
fn in_words(names: &[String]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        let words =
            |names: &[&str]| in_words(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            [words(&["a", "b", "c"]), words(&["a", "b"]), words(&["a"])],
            ["a, b and c", "a and b", "a"]
        );
    }
}
