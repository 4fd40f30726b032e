//! The blocks of a run, from `blocks.csv`: the conditions of each block of repetitions, and the times of the
//! start of its worker.

use std::collections::{BTreeMap, HashMap};

use assay_base::columns::STARTS;
use assay_store::blocks::{BlockRecord, Blocks};
use assay_store::{Start, StartResult};

/// The blocks of a run, in the order in which they were measured.
#[derive(Debug, Default)]
pub(super) struct MeasuredBlocks {
    all: Vec<BlockRecord>,
    /// Places in `all`, by algorithm and value of the range. They are indexed, because a run may have
    /// thousands of values, and a report looks up each of them.
    places: HashMap<String, BTreeMap<u64, Vec<usize>>>,
    /// Whether the file has the columns of starts.
    pub have_starts: bool,
}

/// The number of a column of starts.
pub(super) fn column(name: &str) -> Option<usize> {
    STARTS.iter().position(|start| *start == name)
}

impl MeasuredBlocks {
    /// Indexes the blocks of a file.
    pub(crate) fn new(blocks: Blocks) -> Self {
        let mut places = HashMap::<String, BTreeMap<u64, Vec<usize>>>::new();
        for (place, block) in blocks.records.iter().enumerate() {
            let by_value = places.entry(block.algorithm.clone()).or_default();
            by_value.entry(block.range).or_default().push(place);
        }
        MeasuredBlocks { all: blocks.records, places, have_starts: blocks.have_starts }
    }

    /// The blocks, in the order in which they were measured.
    pub(crate) fn records(&self) -> std::slice::Iter<'_, BlockRecord> {
        self.all.iter()
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

#[cfg(test)]
mod tests {
    use assay_store::noise::Noise;

    use super::*;

    fn noise(text: &str) -> Noise {
        Noise::of_blocks(read(text).records(), &[])
    }

    fn read(text: &str) -> MeasuredBlocks {
        MeasuredBlocks::new(Blocks::parse(text.as_bytes()).unwrap())
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
        let two = noise(&format!("{head}\n0,8,hor,31,900,1,50,100,0\n1,8,bf,33,1000,,100,100,2\n"));
        assert_eq!(
            (two.floor_ns, two.reference_slow_ns, two.measured_again),
            (Some(31.0), Some(1000), Some(2))
        );
        assert_eq!((two.cpu_used_percent, two.involuntary_switches), (Some(75.0), None));
        assert_eq!(two.throughput_ns, None, "an earlier version has no such column");
        let with_throughput = head.replace("reference_ns", "reference_ns,throughput_ns");
        let rows =
            "0,8,hor,31,900,500,1,50,100,0\n1,8,bf,33,1000,700,,100,100,2\n2,8,bf,33,1000,600,,100,100,2\n";
        assert_eq!(noise(&format!("{with_throughput}\n{rows}")).throughput_ns, Some(600));
        assert_eq!(noise("round,pattern_length,algorithm\n0,8,hor\n"), Noise::default());
    }

    #[test]
    fn a_run_of_an_earlier_version_has_no_starts() {
        assert!(!read("round,pattern_length,algorithm,floor_ns\n0,8,hor,31\n").have_starts);
        assert!(!read("").have_starts);
    }
}
