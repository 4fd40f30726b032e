//! Does one set of programs rank the algorithms as another one does?

use std::collections::BTreeMap;

/// A rank that differs by more places than this is listed.
const PLACES: usize = 20;

/// Times of one id at one length in two sets of programs: ours and theirs.
pub type Times = [f64; 2];

/// Prints, for each length, Spearman's correlation of the two rankings, and every id whose ranks differ by more
/// than 20 places at some length. `cells` has the times by length and id.
pub fn print(cells: &BTreeMap<usize, BTreeMap<String, Times>>) {
    let mut outliers: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    println!("\nranks of ours and theirs: Spearman's correlation");
    for (m, times) in cells.iter().filter(|(_, times)| times.len() > 1) {
        let ranks = [0, 1].map(|i| ranks(&times.values().map(|times| times[i]).collect::<Vec<_>>()));
        println!("{m:>8} {:>6.3} ({} ids)", correlation(&ranks), times.len());
        for (id, (ours, theirs)) in times.keys().zip(ranks[0].iter().zip(&ranks[1])) {
            if ours.abs_diff(*theirs) > PLACES {
                outliers.entry(id).or_default().push(format!("m={m}: {ours} and {theirs}"));
            }
        }
    }
    println!("ids whose ranks differ by more than {PLACES} places, with ours and theirs: {}", outliers.len());
    for (id, places) in outliers {
        println!("  {id:<10} {}", places.join(", "));
    }
}

/// The rank of each time, from 1 for the least on.
fn ranks(times: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    let mut ranks = vec![0; times.len()];
    for (rank, i) in order.into_iter().enumerate() {
        ranks[i] = rank + 1;
    }
    ranks
}

/// Spearman's correlation of two rankings without ties.
fn correlation([ours, theirs]: &[Vec<usize>; 2]) -> f64 {
    let n = ours.len() as f64;
    let squares: f64 = ours.iter().zip(theirs).map(|(a, b)| a.abs_diff(*b).pow(2) as f64).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0))
}
