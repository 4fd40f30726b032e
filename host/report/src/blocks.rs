//! The blocks of a run, from `blocks.csv`: the conditions of each block of repetitions, and the times of the
//! start of its worker.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use assay_base::columns::{ALGORITHM, ROUND, STARTS};
use assay_base::error::{Error, Result};
use assay_experiment::range::Over;
use assay_store::noise::{BlockNoise, Noise};
use assay_store::{Start, StartResult};

/// The blocks of a run, in the order in which they were measured.
#[derive(Debug, Default)]
pub(super) struct MeasuredBlocks {
    all: Vec<MeasuredBlock>,
    /// Places in `all`, by algorithm and value of the range. They are indexed, because a run may have
    /// thousands of values, and a report looks up each of them.
    places: HashMap<String, BTreeMap<u64, Vec<usize>>>,
    /// Whether the file has the columns of starts.
    pub have_starts: bool,
}

#[derive(Debug)]
struct MeasuredBlock {
    round: u32,
    /// `None` if an earlier version wrote the file without these columns.
    noise: Option<BlockNoise>,
    /// `None` unless its worker started with this block.
    start: Option<Start>,
}

/// The number of a column of starts.
pub(super) fn column(name: &str) -> Option<usize> {
    STARTS.iter().position(|start| *start == name)
}

impl MeasuredBlocks {
    /// Reads `blocks.csv`. There are no blocks where there is no such file.
    ///
    /// # Errors
    /// If it can't be read.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(MeasuredBlocks::default()),
            Err(error) => Err(Error::io("read", path, &error)),
            Ok(text) => MeasuredBlocks::parse(&text).map_err(|error| error.within(path)),
        }
    }

    /// Reads the text of such a file. A last line without its end is left out.
    ///
    /// # Errors
    /// If it is no CSV.
    pub(crate) fn parse(text: &[u8]) -> Result<Self> {
        let complete = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        let mut reader = csv::Reader::from_reader(&text[..complete]);
        let header = reader.headers().map_err(csv_error)?.clone();
        let range = Over::of_columns(header.iter()).column();
        let mut columns = HashMap::new();
        for (place, name) in header.iter().enumerate() {
            // If two columns have one name, the first counts.
            columns.entry(name).or_insert(place);
        }
        if !columns.contains_key(ALGORITHM) || !columns.contains_key(range) {
            return Ok(MeasuredBlocks::default());
        }
        let mut all = Vec::new();
        let mut places = HashMap::<String, BTreeMap<u64, Vec<usize>>>::new();
        for record in reader.records() {
            let row = BlockRow { columns: &columns, record: record.map_err(csv_error)? };
            let Some(range) = row.number(range) else { continue };
            let start = Start { times: STARTS.map(|name| row.number(name)).into(), ..Start::default() };
            let by_value = places.entry(row.cell(ALGORITHM).unwrap_or_default().to_owned()).or_default();
            by_value.entry(range).or_default().push(all.len());
            all.push(MeasuredBlock {
                round: row.number(ROUND).and_then(|round| u32::try_from(round).ok()).unwrap_or_default(),
                noise: row.noise(),
                start: start.figures().iter().any(Option::is_some).then_some(start),
            });
        }
        Ok(MeasuredBlocks { all, places, have_starts: STARTS.iter().all(|name| columns.contains_key(name)) })
    }

    /// The conditions of all blocks together.
    pub(crate) fn noise(&self) -> Noise {
        Noise::of_blocks(self.all.iter().filter_map(|block| block.noise.as_ref()))
    }

    /// A figure of the start of each worker of an algorithm that started with this value of the range.
    pub(crate) fn start_values(&self, algorithm: &str, range: u64, column: usize) -> Vec<Option<f64>> {
        let places = self.places.get(algorithm).and_then(|by_value| by_value.get(&range));
        let starts = places.into_iter().flatten().filter_map(|&place| self.all[place].start);
        starts.map(|start| start.figures()[column].map(|ns| ns as f64)).collect()
    }

    /// The times of the starts of an algorithm's workers, whatever range value they started with; `None` if
    /// none is known.
    pub(crate) fn starts(&self, algorithm: &str) -> Option<StartResult> {
        let places = self.places.get(algorithm).into_iter().flat_map(BTreeMap::values).flatten();
        let blocks = places.map(|&place| &self.all[place]);
        let mut starts: Vec<(u32, Start)> =
            blocks.filter_map(|block| Some((block.round, block.start?))).collect();
        starts.sort_by_key(|(round, _)| *round);
        StartResult::new(algorithm, &starts)
    }
}

/// A row of `blocks.csv`.
struct BlockRow<'a> {
    /// The places of the columns by name.
    columns: &'a HashMap<&'a str, usize>,
    record: csv::StringRecord,
}

impl BlockRow<'_> {
    /// The cell of a column; `None` if there is no such column.
    fn cell(&self, column: &str) -> Option<&str> {
        self.record.get(*self.columns.get(column)?)
    }

    /// The number in a column; `None` if there is none.
    fn number(&self, column: &str) -> Option<u64> {
        self.cell(column)?.parse().ok()
    }

    /// The conditions of the block; `None` if one is missing that each version since the first with these
    /// columns writes.
    fn noise(&self) -> Option<BlockNoise> {
        Some(BlockNoise {
            floor_ns: self.number("floor_ns")?,
            reference_ns: self.number("reference_ns")?,
            throughput_ns: self.number("throughput_ns"),
            involuntary_switches: self.number("involuntary_switches"),
            cpu_ns: self.number("cpu_ns")?,
            elapsed_ns: self.number("elapsed_ns")?,
            measured_again: self.number("measured_again")?,
            start: None,
        })
    }
}

fn csv_error(error: csv::Error) -> Error {
    Error::new(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> MeasuredBlocks {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        MeasuredBlocks::read(file.path()).unwrap()
    }

    #[test]
    fn starts_are_those_of_the_blocks_in_which_a_worker_began() {
        let starts = read(&format!(
            "algorithm,pattern_length,{}\nhor,8,1,2,3,4,5\nhor,8,,,,,\nhor,4,1,2,,,\nbf,8,7,7,7,7,7\nbf,4,9,9",
            STARTS.join(",")
        ));
        let values = |algorithm, range, name| starts.start_values(algorithm, range, column(name).unwrap());
        assert_eq!(values("hor", 8, "first_search_ns"), [Some(4.0)]);
        assert_eq!(values("hor", 4, "first_search_ns"), [None]);
        assert_eq!(values("bf", 8, "load_ns"), [Some(7.0)]);
        assert_eq!(values("bf", 4, "load_ns"), []);
        assert!(starts.have_starts && column("search_ns").is_none());
    }

    #[test]
    fn conditions_are_those_of_all_blocks_and_what_is_missing_is_not_0() {
        let head = "round,pattern_length,algorithm,floor_ns,reference_ns,involuntary_switches,cpu_ns,elapsed_ns,measured_again";
        let blocks = read(&format!("{head}\n0,8,hor,31,900,1,50,100,0\n1,8,bf,33,1000,,100,100,2\n"));
        let noise = blocks.noise();
        assert_eq!(
            (noise.floor_ns, noise.reference_slow_ns, noise.measured_again),
            (Some(31.0), Some(1000), Some(2))
        );
        assert_eq!((noise.cpu_used_percent, noise.involuntary_switches), (Some(75.0), None));
        assert_eq!(noise.throughput_ns, None, "an earlier version has no such column");
        let with_throughput = head.replace("reference_ns", "reference_ns,throughput_ns");
        let rows =
            "0,8,hor,31,900,500,1,50,100,0\n1,8,bf,33,1000,700,,100,100,2\n2,8,bf,33,1000,600,,100,100,2\n";
        assert_eq!(read(&format!("{with_throughput}\n{rows}")).noise().throughput_ns, Some(600));
        assert_eq!(read("round,pattern_length,algorithm\n0,8,hor\n").noise(), Noise::default());
    }

    #[test]
    fn a_run_of_an_earlier_version_has_no_starts() {
        assert!(!read("round,pattern_length,algorithm,floor_ns\n0,8,hor,31\n").have_starts);
        assert!(
            !read("").have_starts
                && !MeasuredBlocks::read(Path::new("nowhere/blocks.csv")).unwrap().have_starts
        );
    }
}
