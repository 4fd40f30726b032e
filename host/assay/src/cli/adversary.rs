//! `assay adversary`: searches for the input on which an algorithm works most.

mod shown;

use std::cell::Cell;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use assay_adversary::{
    AdversaryPlan, InputFolder, InputSize, SearchEnd, SearchInput, TwinInChild, WorkMeasure, WorstCaseClaim,
    default_lengths, search,
};
use assay_base::error::{Error, Result};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::shell::quoted;
use assay_base::work_budget::WorkBudget;
use assay_load::plugin::{Kind, Listing};
use assay_load::process::Interrupt;
use clap::builder::PossibleValuesParser;

use super::one_algorithm::with_twin;
use super::run::values::{Lengths, parse_count, parse_lengths};
use super::work_budget::work_budget;
use super::{Outcome, Session};
use shown::Shown;

/// Search for the text and pattern on which an algorithm works most
///
/// The work is compared with the worst case that the algorithm claims.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay adversary hor
  assay adversary kmp --by text_bytes_read
  assay adversary tw --plen 16 256 --budget 60s
  assay adversary qs --alphabet 2 --seed 7 --save worst-of-qs

The search begins with words of the literature (runs, small periods, Fibonacci, Thue-Morse and de Bruijn words, near \
misses), changes and crosses them, and goes on from those on which the twin of the algorithm works most. Work is what \
the twin counts, so no clock decides anything: the same seed and number of searches give the same result everywhere.

Each pattern length gets an equal share of the budget. If the work for each character of the text grows faster with the \
pattern than the algorithm's worst case allows, the claim is contradicted. If it does not, the claim is not refuted, \
which is no proof of it.

Exit status: 0 the search ended, whatever it found; 1 the algorithm crashed, hung, failed, found wrong occurrences, or \
can't search for such patterns; 2 wrong usage; 130 interrupted (the worst input so far is printed).")]
pub(super) struct Args {
    /// The algorithm: its id or name
    #[arg(value_name = "ALGO")]
    algorithm: String,
    /// Lengths of the pattern: one, from MIN to MAX by doublings, or a list [default: 8 to 64, or what the
    /// algorithm takes and its claim covers]
    #[arg(long, value_name = "MIN [MAX]|N,N,..", value_parser = parse_lengths)]
    plen: Option<Lengths>,
    /// Length of the text, in characters [default: 64 times that of the pattern]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    text_length: Option<NonZero<usize>>,
    /// Number of letters that patterns and texts may have
    #[arg(long, value_name = "SIGMA", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    alphabet: u16,
    /// What counts as work: the sum of these counts of the twin
    #[arg(
        long,
        value_name = "FIELD,..",
        value_delimiter = ',',
        default_value = "text_bytes_read,lookups",
        value_parser = PossibleValuesParser::new(WorkMeasure::names_of_searches())
    )]
    by: Vec<String>,
    /// Number of searches, or a time such as 60s or 10min: then the result depends on the machine
    #[arg(long, value_name = "N|TIME", default_value = "8000", value_parser = parse_budget)]
    budget: WorkBudget,
    /// Decides what is drawn
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Keep the worst input in this folder, as the files `text` and `pattern`
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

/// A number of searches, or a time.
fn parse_budget(word: &str) -> Result<WorkBudget, String> {
    work_budget(word, "a number of searches from 1 on or a time is expected: 20000, 60s, 10min")
}

/// Characters of the text for each of the pattern. What happens at the ends of the text is then little of the
/// work.
const TEXT_FOR_PATTERN: usize = 64;
/// The longest text, because thousands of searches of a longer one would take hours.
const LONGEST_TEXT: usize = 1 << 20;
/// Steps of the progress bar.
const STEPS: f64 = 1000.0;

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let registry = session.registry()?;
    let (id, twin) = with_twin(&args.algorithm, "adversary", &registry)?;
    let listing = registry.find(Kind::Algorithm, &id)?;
    let longest = number(listing, "max_pattern").unwrap_or(usize::MAX);
    let claim =
        WorstCaseClaim::read(listing.fact("worst_case").unwrap_or_default()).for_patterns_up_to(longest);
    let plan = AdversaryPlan {
        sizes: args.sizes(number(listing, "min_pattern").unwrap_or(1), longest, &claim)?,
        alphabet: args.alphabet.into(),
        seed: args.seed,
        budget: args.budget,
        measure: WorkMeasure::by_names(&args.by)?,
    };
    let folder = args
        .save
        .as_deref()
        .map(|place| InputFolder::new(place).map(|folder| (place, folder)))
        .transpose()?;
    let mut twin = TwinInChild::new(twin)?;
    let interrupt = Interrupt::watch();
    let look = || match interrupt.flag().load(Ordering::Relaxed) {
        true => Err(Error::interruption("interrupted")),
        false => Ok(()),
    };
    let bar = console.progress(STEPS as u64);
    let most = Cell::new(0.0_f64);
    let result = search(&plan, &mut |inputs| twin.count(inputs, &look), &mut |share, worst| {
        most.set(most.get().max(worst.per_character()));
        bar.set_position((share * STEPS) as u64);
        bar.set_message(format!("m {}: {:.2} for each character", worst.input.pattern.len(), most.get()));
    });
    bar.finish_and_clear();
    let result = result?;
    let shown = Shown::new(&id, listing, &claim, &plan, &result);
    console.print(&shown.in_format(args.format))?;
    if let (Some((place, folder)), Some(worst)) = (folder, shown.worst()) {
        keep((place, folder), &id, &worst.input, &shown.note(worst), session)?;
    }
    match &result.end {
        SearchEnd::Complete if result.worst.is_empty() => {
            let reason = result.refusal.as_deref().unwrap_or("it refused all patterns");
            console.warn(&format!("`{id}` can't search for these patterns: {reason}"));
            Ok(Outcome::SomethingFailed)
        }
        SearchEnd::Complete => Ok(Outcome::Done),
        SearchEnd::Interrupted => {
            console.warn("interrupted: the rest of the budget was not searched");
            Ok(Outcome::Interrupted)
        }
        SearchEnd::Failed(message, input) => {
            let (m, n) = (input.pattern.len(), input.text_length);
            console.warn(&format!("`{id}` {message} (pattern of {m} bytes, text of {n})"));
            if let Some(place) = args.save.as_deref().map(|place| place.join("failed")) {
                let note = format!("On this input, the twin of `{id}` {message}.\n");
                keep((&place, InputFolder::new(&place)?), &id, input, &note, session)?;
            }
            Ok(Outcome::SomethingFailed)
        }
    }
}

/// Saves an input in the folder at a place, and prints the command that searches it.
fn keep(
    (place, folder): (&Path, InputFolder),
    id: &str,
    input: &SearchInput,
    note: &str,
    session: &Session,
) -> Result<()> {
    let command = command(place, id, input, &session.common.plugin_dir);
    folder.keep(input, &format!("{note}\nSearch it again:\n  {command}\n"))?;
    session.console.note(&format!("the input is in {}; search it again with `{command}`", place.display()));
    Ok(())
}

/// The command that searches an input saved at a place, with libraries of these folders, and shows the counts.
fn command(place: &Path, id: &str, input: &SearchInput, plugin_folders: &[PathBuf]) -> String {
    let text = quoted(&place.join("text").to_string_lossy());
    let pattern = hex::encode(&input.pattern);
    let folder = |folder: &PathBuf| format!(" --plugin-dir {}", quoted(&folder.to_string_lossy()));
    let folders: String = plugin_folders.iter().map(folder).collect();
    format!("assay run {id} --text {text} --pattern-hex {pattern} --stats algo --runs 1 --no-save{folders}")
}

/// A fact that is a number.
fn number(listing: &Listing, fact: &str) -> Option<usize> {
    listing.fact(fact)?.parse().ok()
}

impl Args {
    /// The sizes of the inputs, in ascending order.
    fn sizes(&self, shortest: usize, longest: usize, claim: &WorstCaseClaim) -> Result<Vec<InputSize>> {
        let mut lengths = match &self.plen {
            Some(lengths) => lengths.all(None)?,
            None => default_lengths(claim, shortest, longest),
        };
        lengths.sort_unstable();
        lengths.dedup();
        let sizes = lengths.into_iter().map(|pattern| {
            let text = self.text_length.map_or(pattern.saturating_mul(TEXT_FOR_PATTERN), NonZero::get);
            InputSize { pattern, text }
        });
        let sizes: Vec<InputSize> = sizes.collect();
        if let Some(size) = sizes.iter().find(|size| size.text > LONGEST_TEXT || size.text < size.pattern) {
            return Err(Error::new(format!(
                "a text of {} characters is not searched for patterns of {}",
                size.text, size.pattern
            ))
            .remedy(format!("take --text-length from the length of the pattern to {LONGEST_TEXT}")));
        }
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_names_the_saved_text() {
        let input = SearchInput { pattern: b"ab".to_vec(), block: b"a".to_vec(), text_length: 9 };
        let command = command(Path::new("a folder"), "x", &input, &["my plugins".into()]);
        assert!(command.starts_with("assay run x --text 'a folder/text' --pattern-hex 6162 "), "{command}");
        assert!(command.ends_with(" --plugin-dir 'my plugins'"), "{command}");
    }
}
