//! The file of patterns of a saved run.

use std::io::{self, Write};

use assay_base::columns;
use assay_experiment::Resolved;
use assay_experiment::points::Point;

/// A row for each pattern: its length and repetition, the position from which it was drawn, the reference
/// count of all searches of the repetition; its bytes, where there is no position to find them at; and the
/// value of what else varies.
pub(crate) fn patterns(
    file: &mut dyn Write,
    resolved: &Resolved,
    occurrences: &dyn Fn(usize, usize) -> Option<u64>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    let range = resolved.experiment.over().own_column();
    let header =
        [columns::PATTERN_LENGTH, columns::REPETITION, "position", columns::OCCURRENCES, "pattern_hex"];
    writer.write_record(header.into_iter().chain(range))?;
    let asked_for = resolved.asked_for();
    for (number, Point { set, value, rounds, .. }) in resolved.points.iter().enumerate() {
        for repetition in 0..resolved.experiment.most_repetitions(*rounds, asked_for) {
            let Some(occurrences) = occurrences(number, repetition) else { continue };
            let (position, bytes) = match set.position(repetition) {
                Some(position) => (position.to_string(), String::new()),
                None => {
                    (String::new(), hex::encode(set.pattern(&resolved.text_of(number).bytes, repetition)))
                }
            };
            let (length, repetition) = (set.length.to_string(), repetition.to_string());
            let record = [length, repetition, position, occurrences.to_string(), bytes];
            writer.write_record(record.into_iter().chain(range.map(|_| value.to_string())))?;
        }
    }
    writer.flush()
}
