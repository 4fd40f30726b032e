//! Draws correlations: the requested ones, the reached ones and their difference, side by side on one scale.

use std::collections::BTreeMap;

use assay_base::error::{Error, Result};
use assay_plugin_api::{Cells, Merged};
use maud::{Markup, html};

/// Greatest width of a matrix, and the least and greatest size of its cells.
const MATRIX: f64 = 400.0;
const CELL: (f64, f64) = (2.0, 40.0);
/// Least size of cells that have room for a number, and of cells that have room for a name beside them.
const NUMBERED: f64 = 22.0;
const NAMED: f64 = 6.0;
const FONT: f64 = 11.0;
/// Width of a capital letter, as a share of the size of the font.
const LETTER: f64 = 0.72;
/// Number of letters of a name that are shown.
const LONGEST: usize = 40;
const GAP: f64 = 28.0;
const HEADING: f64 = 26.0;
/// Width of the scale with its numbers.
const SCALE: f64 = 70.0;

/// The scale goes from blue over white to orange, because people who can't distinguish red from green can
/// distinguish these.
const COLOURS: [(f64, [f64; 3]); 5] = [
    (-1.0, [33.0, 102.0, 172.0]),
    (-0.5, [146.0, 197.0, 222.0]),
    (0.0, [247.0, 247.0, 247.0]),
    (0.5, [253.0, 184.0, 99.0]),
    (1.0, [179.0, 88.0, 6.0]),
];
const UNKNOWN: &str = "#9a9a9a";
/// Number of colours from -1 to 1.
const STEPS: f64 = 200.0;

/// The correlations that a merger reports.
struct Correlations<'a> {
    events: Vec<&'a str>,
    asked: Vec<Option<f64>>,
    reached: Vec<Option<f64>>,
}

impl<'a> Correlations<'a> {
    /// The correlations of the table `pairs`, without events that are not in the result.
    fn from_merged(merged: &'a Merged<'_>) -> Option<Self> {
        let sheet = merged.tables.iter().find(|sheet| sheet.title == "pairs")?;
        let cells =
            |name: &str| sheet.columns.iter().find(|(column, _)| column == name).map(|(_, cells)| cells);
        let (Cells::Texts(one), Cells::Texts(other), Cells::Numbers(asked), Cells::Numbers(reached)) =
            (cells("event")?, cells("other")?, cells("asked")?, cells("reached")?)
        else {
            return None;
        };
        let events: Vec<&str> = merged.columns.iter().map(|column| column.name.as_str()).collect();
        let place = |name: &String| events.iter().position(|event| event == name);
        let mut correlations = Correlations {
            asked: vec![None; events.len() * events.len()],
            reached: vec![None; events.len() * events.len()],
            events: events.clone(),
        };
        for event in 0..events.len() {
            correlations.asked[event * events.len() + event] = Some(1.0);
            correlations.reached[event * events.len() + event] = Some(1.0);
        }
        for row in 0..one.len() {
            let (Some(a), Some(b)) = (place(&one[row]), place(&other[row])) else { continue };
            for cell in [a * events.len() + b, b * events.len() + a] {
                correlations.asked[cell] = asked[row].is_finite().then_some(asked[row]);
                correlations.reached[cell] = reached[row].is_finite().then_some(reached[row]);
            }
        }
        Some(correlations)
    }

    fn differences(&self) -> Vec<Option<f64>> {
        self.asked.iter().zip(&self.reached).map(|(asked, reached)| Some((*reached)? - (*asked)?)).collect()
    }
}

/// The drawing, as SVG.
///
/// # Errors
/// If the merger does not report correlations.
pub fn picture(merged: &Merged<'_>) -> Result<String> {
    let correlations = Correlations::from_merged(merged).ok_or_else(|| {
        Error::new("this merger tells no correlations to draw")
            .remedy("leave --picture out, or use another merger")
    })?;
    let count = correlations.events.len();
    let cell = (MATRIX / count as f64).clamp(CELL.0, CELL.1);
    let font = FONT.min(cell);
    let names: Vec<String> = correlations.events.iter().map(|event| label(event)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let named = cell >= NAMED;
    let left = if named { longest as f64 * font * LETTER + 8.0 } else { 8.0 };
    let side = cell * count as f64;
    // A heading may be wider than a small matrix.
    let step = side.max(150.0) + GAP;
    let top = HEADING + left;
    let (width, height) = (left + 3.0 * step + SCALE, top + side.max(120.0) + 12.0);
    let differences = correlations.differences();
    let largest = differences.iter().flatten().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let matrices = [
        ("asked".to_owned(), &correlations.asked),
        ("reached".to_owned(), &correlations.reached),
        (format!("difference (at most {largest:.1e})"), &differences),
    ];
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (round(width)) " " (round(height)) }
            width=(round(width)) height=(round(height)) font-family="sans-serif" font-size=(round(font)) {
            title { "Correlations that were asked, reached, and their difference" }
            rect width="100%" height="100%" fill="#ffffff" {}
            @if named {
                @for (row, event) in names.iter().enumerate() {
                    text x=(round(left - 4.0)) y=(round(top + (row as f64 + 0.5) * cell + font * 0.35)) text-anchor="end" { (event) }
                }
            }
            @for (number, (heading, values)) in matrices.iter().enumerate() {
                g transform={ "translate(" (round(left + number as f64 * step)) " " (round(top)) ")" } {
                    text x="0" y=(round(HEADING - 12.0 - top)) font-size="13" font-weight="bold" { (heading) }
                    @if named {
                        @for (column, event) in names.iter().enumerate() {
                            @let x = round((column as f64 + 0.5) * cell + font * 0.35);
                            text transform={ "translate(" (x) " -4) rotate(-90)" } { (event) }
                        }
                    }
                    (cells(values, count, cell))
                }
            }
            (scale(left + 3.0 * step, top))
        }
    };
    Ok(drawing.into_string() + "\n")
}

/// One path for all cells of a colour, because a picture of 200 events has 120,000 cells.
fn cells(values: &[Option<f64>], count: usize, cell: f64) -> Markup {
    let mut paths: BTreeMap<String, String> = BTreeMap::new();
    let side = round(cell);
    for (place, value) in values.iter().enumerate() {
        let (x, y) = (round((place % count) as f64 * cell), round((place / count) as f64 * cell));
        paths.entry(colour(*value)).or_default().push_str(&format!("M{x} {y}h{side}v{side}h-{side}z"));
    }
    html! {
        @for (colour, path) in &paths { path fill=(colour) d=(path) {} }
        @if cell >= NUMBERED {
            g font-size="9" text-anchor="middle" {
                @for (place, value) in values.iter().enumerate() {
                    @if let Some(value) = value {
                        @let (x, y) = ((place % count) as f64 + 0.5, (place / count) as f64 + 0.5);
                        text x=(round(x * cell)) y=(round(y * cell + 3.0))
                            fill=(if value.abs() > 0.85 { "#ffffff" } else { "#000000" }) { (short(*value)) }
                    }
                }
            }
        }
    }
}

/// The legend: the colours from 1 to -1, and the colour of unknown values.
fn scale(x: f64, top: f64) -> Markup {
    let height = 100.0;
    html! {
        g transform={ "translate(" (round(x)) " " (round(top)) ")" } font-size="11" {
            @for step in 0..50 {
                rect x="0" y=(2 * step) width="14" height="2.5" fill=(colour(Some(1.0 - f64::from(step) / 24.5))) {}
            }
            @for (place, label) in ["1", "0.5", "0", "-0.5", "-1"].iter().enumerate() {
                text x="19" y=(round(height * place as f64 / 4.0 + 4.0)) { (label) }
            }
            rect x="0" y=(round(height + 8.0)) width="14" height="12" fill=(UNKNOWN) {}
            text x="19" y=(round(height + 18.0)) { "unknown" }
        }
    }
}

fn colour(value: Option<f64>) -> String {
    let Some(value) = value else { return UNKNOWN.to_owned() };
    let value = (value.clamp(-1.0, 1.0) * STEPS / 2.0).round() * 2.0 / STEPS;
    let above = COLOURS.iter().position(|(at, _)| value <= *at).unwrap_or(COLOURS.len() - 1).max(1);
    let ((low, from), (high, to)) = (COLOURS[above - 1], COLOURS[above]);
    let share = (value - low) / (high - low);
    let part = |i: usize| (from[i] + share * (to[i] - from[i])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", part(0), part(1), part(2))
}

/// The name of an event, or its beginning.
fn label(event: &str) -> String {
    let shown: String = event.chars().take(LONGEST).collect();
    if shown.len() < event.len() { shown + ".." } else { shown }
}

/// `.57`, `-.03`, `1`.
fn short(value: f64) -> String {
    match format!("{value:.2}").as_str() {
        "1.00" => "1".to_owned(),
        "-1.00" => "-1".to_owned(),
        "0.00" | "-0.00" => "0".to_owned(),
        other => other.replacen("0.", ".", 1),
    }
}

/// A position with two decimals, which is exact enough.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Column, Sheet};

    use super::*;

    fn merged(events: &[&str], asked: &[f64], reached: &[f64]) -> Merged<'static> {
        let column = |name: &&str| Column { name: (*name).to_owned(), values: vec![1.0].into() };
        let pairs = || (0..events.len()).flat_map(|a| (a + 1..events.len()).map(move |b| (a, b)));
        let sheet = Sheet::new("pairs")
            .texts("event", pairs().map(|(a, _)| events[a]))
            .texts("other", pairs().map(|(_, b)| events[b]))
            .numbers("asked", asked.iter().copied())
            .numbers("reached", reached.iter().copied());
        Merged { columns: events.iter().map(column).collect(), tables: vec![sheet], ..Merged::default() }
    }

    #[test]
    fn every_pair_stands_on_both_sides_of_the_diagonal() {
        let merged = merged(&["a", "b", "c"], &[0.5, -0.5, f64::NAN], &[0.25, -0.5, 0.0]);
        let correlations = Correlations::from_merged(&merged).unwrap();
        let (one, half) = (Some(1.0), Some(0.5));
        assert_eq!(correlations.asked, [one, half, Some(-0.5), half, one, None, Some(-0.5), None, one]);
        assert_eq!(correlations.differences()[1..4], [Some(-0.25), Some(0.0), Some(-0.25)]);
        let drawing = picture(&merged).unwrap();
        for part in [
            ">asked<",
            ">reached<",
            ">difference (at most 2.5e-1)<",
            ">.25<",
            ">-.50<",
            UNKNOWN,
            "rotate(-90)",
        ] {
            assert!(drawing.contains(part), "{part} in {drawing}");
        }
    }

    #[test]
    fn names_can_not_break_the_drawing_and_many_events_are_small() {
        let drawing = picture(&merged(&["a<b>&", "c"], &[0.1], &[0.2])).unwrap();
        assert!(drawing.contains("a&lt;b&gt;&amp;") && !drawing.contains("<b>"), "{drawing}");
        let names: Vec<String> = (0..200).map(|i| format!("event{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let values: Vec<f64> = (0..19_900).map(|i| f64::from(i % 201 - 100) / 100.0).collect();
        let drawing = picture(&merged(&names, &values, &values)).unwrap();
        assert!(drawing.len() < 4_000_000 && !drawing.contains("event7"), "{}", drawing.len());
    }

    #[test]
    fn a_merger_without_correlations_has_no_drawing() {
        let without = Merged { tables: vec![Sheet::new("pairs").texts("event", ["a"])], ..Merged::default() };
        assert!(picture(&without).unwrap_err().to_string().contains("no correlations to draw"));
    }

    #[test]
    fn colours_run_from_blue_over_white_to_orange() {
        let colour_of = |value| colour(Some(value));
        assert_eq!([colour_of(-1.0), colour_of(0.0), colour_of(1.0)], ["#2166ac", "#f7f7f7", "#b35806"]);
        assert_eq!(
            (colour_of(-7.0), colour_of(7.0), colour_of(0.501)),
            (colour_of(-1.0), colour_of(1.0), colour_of(0.5))
        );
        assert_eq!(colour(None), UNKNOWN);
        assert_eq!((label("cycles"), label(&"é".repeat(41)).len()), ("cycles".to_owned(), 82));
        assert_eq!([0.999, -1.0, -0.001, -0.57].map(short), ["1", "-1", "0", "-.57"]);
    }
}
