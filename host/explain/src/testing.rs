//! Machines for tests, whose costs are known.

use crate::work::{KINDS, PerWork, WorkCell};

/// A machine, and what was measured on it.
pub(crate) struct SyntheticMachine {
    /// What each kind of work costs on it.
    pub(crate) costs: PerWork<f64>,
    /// One for each algorithm and range value, in this order.
    pub(crate) cells: Vec<WorkCell>,
}

/// Numbers from 0 to 1 that follow from the seed: Weyl's sequence, mixed as in SplitMix64.
pub(crate) struct SeededNumbers(pub(crate) u64);

impl SeededNumbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as f64 / u64::MAX as f64
    }
}

/// This many algorithms at this many range values. Times differ from the sum of the costs by up to `noise` of it.
pub(crate) fn machine_cells(algorithms: usize, values: u64, noise: f64, seed: u64) -> SyntheticMachine {
    let mut numbers = SeededNumbers(seed);
    // One kind costs nothing, because a processor does some of the work while it waits for other work.
    let costs: [f64; KINDS] = [0.8, 1.2, 0.6, 0.0, 2.5];
    let mut cells = Vec::new();
    for algorithm in 0..algorithms {
        // Each algorithm does some kinds of work, and how much of each depends on the length.
        let habits: [f64; KINDS] = std::array::from_fn(|_| (3.0 * numbers.next() - 1.0).max(0.0));
        for value in 1..=values {
            let work = habits.map(|habit| 1000.0 * (habit + 0.02) * (0.6 + numbers.next()) / value as f64);
            let sum: f64 = work.iter().zip(costs).map(|(work, cost)| work * cost).sum();
            cells.push(WorkCell {
                algorithm: format!("a{algorithm}"),
                value,
                at: format!("m={value}"),
                time_ns: sum * (1.0 + noise * (2.0 * numbers.next() - 1.0)),
                work: PerWork(work),
            });
        }
    }
    SyntheticMachine { costs: PerWork(costs), cells }
}

/// The same work with times that have nothing to do with it.
pub(crate) fn unexplainable_cells(algorithms: usize, values: u64, seed: u64) -> Vec<WorkCell> {
    let mut numbers = SeededNumbers(seed ^ 0xffff);
    let SyntheticMachine { mut cells, .. } = machine_cells(algorithms, values, 0.0, seed);
    cells.iter_mut().for_each(|cell| cell.time_ns = 100.0 * (4.0 * numbers.next()).exp());
    cells
}
