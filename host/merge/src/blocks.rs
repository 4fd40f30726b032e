//! Tables in the wide form, cut into sub-experiments.

use std::collections::HashSet;

use assay_base::error::{self, Error, Result, excerpt};
use assay_base::io::console::{Console, counted};
use assay_base::io::csv_input::Numbers;
use assay_plugin_api::{Block, Column};

use super::codes::{Codes, code};
use super::titles::Titles;

/// A table whose rows were measured together: a block of columns of a file in the wide form, or a whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct SubExperiment {
    /// File and columns, for messages.
    pub source: String,
    /// Name and code of each event.
    pub events: Vec<(String, Option<String>)>,
    /// The counts of each event; NaN where one is missing.
    pub columns: Vec<Vec<f64>>,
}

impl SubExperiment {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Keeps only the events for which `kept` holds.
    pub(super) fn keep(&mut self, kept: impl Fn(&str) -> bool) {
        let keeps: Vec<bool> = self.events.iter().map(|(name, _)| kept(name)).collect();
        retain(&mut self.events, &keeps);
        retain(&mut self.columns, &keeps);
    }
}

impl From<SubExperiment> for Block<'_> {
    fn from(table: SubExperiment) -> Self {
        let named = table.events.into_iter().zip(table.columns);
        let columns = named.map(|((name, _), values)| Column { name, values: values.into() });
        Block { source: table.source, columns: columns.collect() }
    }
}

/// Keeps only the items with a `true` in `keeps`.
pub(super) fn retain<T>(list: &mut Vec<T>, keeps: &[bool]) {
    let mut keeps = keeps.iter();
    list.retain(|_| keeps.next().is_none_or(|keep| *keep));
}

/// A table that is one sub-experiment.
///
/// # Errors
/// If a column has no title, or an event stands twice in it.
pub fn whole(table: Numbers, codes: Option<&Codes>, console: &Console) -> Result<SubExperiment> {
    Ok(groups(vec![table], None, codes, console)?.remove(0))
}

/// Cuts each table into groups of `counters` columns; without that number, each of several tables is one
/// sub-experiment. The last group of a table may have fewer columns.
///
/// # Errors
/// If one table comes without a number, a table has fewer columns than the number, or an event stands twice
/// in a group.
pub fn split(
    tables: Vec<Numbers>,
    counters: Option<usize>,
    codes: Option<&Codes>,
    console: &Console,
) -> Result<Vec<SubExperiment>> {
    if counters.is_none() && tables.len() == 1 {
        return Err(Error::new(format!("how many columns of {} were measured together?", tables[0].source))
            .remedy("say so with --counters K, or give one file a sub-experiment"));
    }
    groups(tables, counters, codes, console)
}

fn groups(
    tables: Vec<Numbers>,
    counters: Option<usize>,
    codes: Option<&Codes>,
    console: &Console,
) -> Result<Vec<SubExperiment>> {
    for table in &tables {
        if let Some(place) = table.titles.iter().position(String::is_empty) {
            return Err(Error::new(format!("{}: column {} has no title", table.source, place + 1))
                .remedy("each event needs a name in the header"));
        }
    }
    let titles: Vec<Vec<String>> = tables.iter().map(|table| table.titles.clone()).collect();
    let (mut blocks, mut unknown) = (Vec::new(), Vec::new());
    for (table, titles) in tables.into_iter().zip(&titles) {
        let width = counters.unwrap_or(titles.len());
        if width > titles.len() {
            return Err(Error::new(format!(
                "{} has {}, fewer than --counters {width}",
                table.source,
                counted(titles.len(), "column")
            ))
            .remedy("--counters is the number of columns that were measured together"));
        }
        let naming = Titles::new(titles, counters, codes)
            .map_err(|error| error.after(&format!("{}: ", table.source)))?;
        unknown.extend(titles.iter().map(String::as_str).filter(|title| !naming.is_known(title)));
        let mut columns = table.columns.into_iter();
        for (group, titles) in titles.chunks(width).enumerate() {
            let (first, last) = (group * width + 1, group * width + titles.len());
            let source = match titles.len() {
                all if all == table.titles.len() => table.source.clone(),
                1 => format!("{}, column {first}", table.source),
                _ => format!("{}, columns {first} to {last}", table.source),
            };
            if titles.len() < width {
                let columns = counted(titles.len(), "column");
                console.warn(&format!("{source}: a sub-experiment of {columns}, not {width}"));
            }
            let events =
                titles.iter().map(|title| (naming.event(title).to_owned(), code(title).map(str::to_owned)));
            let block = SubExperiment {
                source,
                events: events.collect(),
                columns: columns.by_ref().take(titles.len()).collect(),
            };
            refuse_repetition(&block)?;
            blocks.push(block);
        }
    }
    if let Some(codes) = codes {
        warn_of_unknown(&unknown, codes, console);
    }
    Ok(blocks)
}

fn warn_of_unknown(titles: &[&str], codes: &Codes, console: &Console) {
    if !titles.is_empty() {
        console.warn(&format!(
            "`{}` has no name for these columns, which keep their titles: {}",
            codes.source(),
            titles.join(", ")
        ));
    }
}

fn refuse_repetition(block: &SubExperiment) -> Result<()> {
    let mut seen = HashSet::new();
    match block.events.iter().find(|(name, _)| !seen.insert(name)) {
        None => Ok(()),
        Some((name, _)) => {
            Err(Error::new(format!("{}: event `{}` stands there twice", block.source, excerpt(name))).remedy(
                "events of a sub-experiment differ; is --counters the number that were measured together?",
            ))
        }
    }
}

/// The name of an event that the user gave by name or code.
///
/// # Errors
/// If no sub-experiment has it; the message has similar names.
pub fn event<'a>(blocks: &'a [SubExperiment], given: &str) -> Result<&'a str> {
    let events = || blocks.iter().flat_map(|block| &block.events);
    let named = events().find(|(name, _)| name == given);
    let found = named.or_else(|| events().find(|(_, code)| code.as_deref() == Some(given)));
    found.map(|(name, _)| name.as_str()).ok_or_else(|| {
        let known: HashSet<&str> = events().map(|(name, _)| name.as_str()).collect();
        error::unknown("event", given, known)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use assay_base::io::console::Color;
    use assay_base::io::csv_input::{Gaps, Selection};

    use super::*;

    /// A console that says nothing.
    pub(crate) fn console() -> Console {
        Console::new(false, true, Color::Never)
    }

    /// A file with this text.
    pub(crate) fn table(source: &str, text: &str) -> Numbers {
        Numbers::from_reader(source, text.as_bytes(), Gaps::Missing, &Selection::default()).unwrap()
    }

    /// The sub-experiments of files.
    pub(crate) fn cut(texts: &[&str], counters: Option<usize>) -> Result<Vec<SubExperiment>> {
        split(texts.iter().map(|text| table("x.csv", text)).collect(), counters, None, &console())
    }

    /// The events of a sub-experiment.
    pub(crate) fn names(block: &SubExperiment) -> Vec<&str> {
        block.events.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn groups_of_columns_are_sub_experiments() {
        let blocks = cut(&["X1,X2,X1.1,X3,X1.2\n1,2,3,4,5\n"], Some(2)).unwrap();
        assert_eq!(
            blocks.iter().map(names).collect::<Vec<_>>(),
            [vec!["X1", "X2"], vec!["X1", "X3"], vec!["X1"]]
        );
        assert_eq!(blocks[1].columns, [[3.0], [4.0]]);
        assert_eq!(blocks[2].source, "x.csv, column 5");
        assert_eq!(cut(&["a,b\n1,2\n"], Some(1)).unwrap().len(), 2);
    }

    #[test]
    fn so_are_files() {
        let blocks = cut(&["a,b\n1,2\n", "a,c\n3,4\n5,6\n"], None).unwrap();
        assert_eq!(blocks.iter().map(names).collect::<Vec<_>>(), [["a", "b"], ["a", "c"]]);
        assert_eq!(blocks[1].source, "x.csv");
    }

    #[test]
    fn a_number_is_that_of_r_only_in_a_file_that_is_cut() {
        let two = ["A,load\n1,2\n", "A,load.1\n3,4\n"];
        let events = |counters| -> Vec<String> {
            let blocks = cut(&two, counters).unwrap();
            blocks.iter().map(|block| names(block).join(" ")).collect()
        };
        assert_eq!(events(None), ["A load", "A load.1"]);
        assert_eq!(events(Some(2)), ["A load", "A load.1"], "no file has both");
        let ideal = whole(table("ideal.csv", "A,load,load.1\n1,2,3\n"), None, &console()).unwrap();
        assert_eq!(names(&ideal), ["A", "load", "load.1"]);
        let twice = whole(table("ideal.csv", "A,A\n1,2\n"), None, &console()).unwrap_err();
        assert!(twice.to_string().contains("event `A` stands there twice"), "{twice}");
    }

    #[test]
    fn wrong_groups_are_refused() {
        let error = |texts: &[&str], counters| cut(texts, counters).unwrap_err().to_string();
        assert!(error(&["a,b\n1,2\n"], None).contains("--counters K"));
        assert!(error(&["a,b\n1,2\n"], Some(3)).contains("x.csv has 2 columns, fewer than --counters 3"));
        assert!(error(&["a,\n1,2\n"], Some(2)).contains("x.csv: column 2 has no title"));
        assert!(error(&["a,a.1\n1,2\n"], Some(2)).contains("event `a` stands there twice"));
    }

    #[test]
    fn an_event_is_found_by_name_or_code() {
        let blocks = cut(&["X1,X24\n1,2\n"], Some(2)).unwrap();
        assert_eq!(event(&blocks, "X24"), Ok("X24"));
        assert_eq!(event(&blocks, "24"), Ok("X24"));
        assert!(event(&blocks, "X2").unwrap_err().to_string().contains("did you mean X24, X1?"));
    }

    #[test]
    fn a_sub_experiment_is_called_by_its_file_and_columns() {
        let sources = |text: &str, counters| -> Vec<String> {
            cut(&[text], Some(counters)).unwrap().into_iter().map(|block| block.source).collect()
        };
        assert_eq!(
            sources("a,b,c,d,e\n1,2,3,4,5\n", 2),
            ["x.csv, columns 1 to 2", "x.csv, columns 3 to 4", "x.csv, column 5"]
        );
        assert_eq!(sources("a,b\n1,2\n", 2), ["x.csv"]);
    }
}
