//! What the twin of an algorithm counted, as curves over the pattern length and as a table.

use assay_base::io::numbers::grouped;
use assay_plugin_api::Field;
use assay_report::RangeAxis;
use assay_report::export::picture::series::{Band, Curve, CurvePoint, Series};
use assay_report::export::picture::{Picture, SeriesKind};
use assay_store::Status;
use maud::{Markup, PreEscaped, html};

use crate::{Atlas, AtlasEntry, AtlasRun};

/// The counts that are shown: those that grow with the text, with their names.
const SHOWN: [(Field, &str); 4] = [
    (Field::TextBytesRead, "bytes of the text read"),
    (Field::PatternBytesRead, "bytes of the pattern read"),
    (Field::Lookups, "lookups"),
    (Field::Branches, "branches"),
];

/// A section for each run of counts that has the algorithm; `None` if there is none.
pub(crate) fn section(atlas: &Atlas, entry: &AtlasEntry) -> Option<Markup> {
    let runs: Vec<Markup> = atlas.counted.iter().filter_map(|run| of_run(run, &entry.id)).collect();
    (!runs.is_empty()).then(|| html! { section { h2 { "What it does" } @for run in &runs { (run) } } })
}

/// The counts of a run, for each character of its text.
fn of_run(run: &AtlasRun, id: &str) -> Option<Markup> {
    let lengths: Vec<u64> = run.lengths();
    let shown: Vec<(&str, Vec<Option<f64>>)> = SHOWN
        .iter()
        .map(|(field, name)| (*name, lengths.iter().map(|length| count(run, id, *length, *field)).collect()))
        .collect();
    shown.iter().flat_map(|(_, counts)| counts).flatten().next()?;
    Some(html! {
        h3 { (run.text()) }
        p { "For each character of the text, median over the searches." }
        (PreEscaped(picture(run, id, &lengths, &shown).inline()))
        div.scroll { table {
            thead { tr { th scope="col" { "pattern length" } @for (name, _) in &shown { th scope="col" { (name) } } } }
            tbody { @for (place, length) in lengths.iter().enumerate() { tr {
                th scope="row" { (length) }
                @for (_, counts) in &shown { td { (counts[place].map_or("-".to_owned(), |count| grouped(count, 3))) } }
            } } }
        } }
    })
}

/// A count at a pattern length, for each character of the text.
pub(crate) fn count(run: &AtlasRun, id: &str, length: u64, field: Field) -> Option<f64> {
    let cell = run.cell(id, length).filter(|cell| cell.status == Status::Ok)?;
    Some(cell.stats.get(field.name())?.med / run.facts().text.bytes as f64)
}

/// The curves, or bars if there is one pattern length.
fn picture(run: &AtlasRun, id: &str, lengths: &[u64], shown: &[(&str, Vec<Option<f64>>)]) -> Picture {
    let lines = shown.iter().map(|(name, counts)| {
        // 0 has no place on a logarithmic axis.
        let points = lengths.iter().zip(counts).filter_map(|(value, count)| {
            let median = count.filter(|count| *count > 0.0)?;
            Some(CurvePoint { value: *value, median, band: None, repetitions: Vec::new() })
        });
        Curve { algorithm: (*name).to_owned(), points: points.collect(), gaps: Vec::new() }
    });
    let series = Series {
        quantity: "for each character of the text".to_owned(),
        axis: RangeAxis::new(run.facts()),
        band: Band::None,
        asked: lengths.to_vec(),
        lines: lines.filter(|line| !line.points.is_empty()).collect(),
    };
    let kind = if lengths.len() > 1 { SeriesKind::Lines } else { SeriesKind::Bars };
    Picture::of_series(kind, series, format!("What {id} does for each character of {}", run.text()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    #[test]
    fn counts_are_for_each_character_of_the_text() {
        let atlas = atlas();
        assert_eq!(count(&atlas.counted[0], "hor", 4, Field::TextBytesRead), Some(0.125));
        let shown = section(&atlas, &atlas.entries[1]).unwrap().into_string();
        assert!(shown.contains("<td>0.125</td>") && shown.contains("<svg"), "{shown}");
        assert!(section(&atlas, &atlas.entries[2]).is_none(), "it was not counted");
    }
}
