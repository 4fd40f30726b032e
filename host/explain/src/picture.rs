//! Stacked bars as a picture: how long each kind of work takes by the model, and the measured times.

use maud::{Markup, html};

use crate::bars::{by_value, predicted};
use crate::explanation::{ExplainedCell, Explanation};
use crate::work::WorkKind;

/// Places in pixels: of names, of bars, and of times after them.
const NAME_END: f64 = 150.0;
const BAR_BEGIN: f64 = 158.0;
const BAR_END: f64 = 640.0;
const WIDTH: f64 = 720.0;
/// Heights of a line of letters, and of a bar in it.
const LINE: f64 = 22.0;
const BAR: f64 = 14.0;
const MARGIN: f64 = 16.0;
const INK: &str = "#1c2127";

/// The bars of these algorithms as SVG, at one scale for each range value. A model that is too poor to show has no
/// parts: the bars are then the measured times.
pub fn picture(explanation: &Explanation, algorithms: &[String], title: &str) -> String {
    let groups = by_value(explanation, algorithms);
    let mut top = MARGIN + 4.0 * LINE;
    let mut drawn = Vec::new();
    for cells in &groups {
        drawn.push(group(cells, explanation.claims, top));
        top += (cells.len() + 1) as f64 * LINE + 6.0;
    }
    let height = top + MARGIN;
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (round(height)) } width=(WIDTH) height=(round(height))
            font-family="sans-serif" font-size="12" fill=(INK) {
            title { (title) }
            rect width="100%" height="100%" fill="#ffffff" {}
            text x=(MARGIN) y=(MARGIN + 0.5 * LINE) font-size="13" font-weight="bold" { (title) }
            (legend(explanation.claims))
            @for group in drawn { (group) }
        }
    };
    drawing.into_string() + "\n"
}

/// What the colours mean.
fn legend(has_parts: bool) -> Markup {
    let note = if has_parts {
        "Time of a search by the cost model; the black line is the measured time."
    } else {
        "Measured time of a search. The cost model does not explain this run, so there are no parts."
    };
    html! {
        text x=(MARGIN) y=(MARGIN + 1.4 * LINE) { (note) }
        @if has_parts {
            @for (place, kind) in WorkKind::ALL.into_iter().enumerate() {
                @let x = MARGIN + (place % 3) as f64 * 190.0;
                @let y = MARGIN + (2.0 + (place / 3) as f64 * 0.8) * LINE;
                rect x=(round(x)) y=(round(y)) width="12" height="12" fill=(kind.colour()) {}
                text x=(round(x + 18.0)) y=(round(y + 10.5)) { (kind.plural()) }
            }
        }
    }
}

/// The bars at a range value.
fn group(cells: &[&ExplainedCell], has_parts: bool, top: f64) -> Markup {
    let end = |cell: &ExplainedCell| if has_parts { predicted(cell).max(cell.time_ns) } else { cell.time_ns };
    let longest = cells.iter().map(|cell| end(cell)).fold(0.0, f64::max);
    let scale = (BAR_END - BAR_BEGIN) / longest;
    html! {
        text x=(MARGIN) y=(round(top + 15.0)) font-weight="bold" { (cells[0].at) }
        @for (row, cell) in cells.iter().enumerate() {
            @let y = top + (row + 1) as f64 * LINE;
            text x=(NAME_END) y=(round(y + 11.0)) text-anchor="end" { (cell.algorithm) }
            @for (begin, width, colour) in bar(cell, has_parts, scale) {
                rect x=(round(begin)) y=(round(y)) width=(round(width)) height=(BAR) fill=(colour) {}
            }
            @let measured = BAR_BEGIN + cell.time_ns * scale;
            rect x=(round(measured - 1.0)) y=(round(y - 2.0)) width="2" height=(BAR + 4.0) fill=(INK) {}
            text x=(round(BAR_BEGIN + end(cell) * scale + 6.0)) y=(round(y + 11.0)) {
                (format!("{:.1} µs", cell.time_ns / 1000.0))
            }
        }
    }
}

/// The pieces of a bar: where each begins, how wide it is, and its colour.
fn bar(cell: &ExplainedCell, has_parts: bool, scale: f64) -> Vec<(f64, f64, &'static str)> {
    let Some(parts) = cell.parts_ns.filter(|_| has_parts) else {
        return vec![(BAR_BEGIN, cell.time_ns * scale, "#767676")];
    };
    let mut begin = BAR_BEGIN;
    let mut pieces = Vec::new();
    for kind in WorkKind::ALL.into_iter().filter(|kind| parts.get(*kind) > 0.0) {
        let width = parts.get(kind) * scale;
        pieces.push((begin, width, kind.colour()));
        begin += width;
    }
    pieces
}

/// A position with two decimals, which is exact enough.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::explain;
    use crate::testing::{machine_cells, unexplainable_cells};

    #[test]
    fn each_algorithm_has_a_bar_of_its_parts_at_each_value() {
        let mut cells = machine_cells(12, 3, 0.01, 2).cells;
        cells
            .iter_mut()
            .filter(|cell| cell.algorithm == "a1")
            .for_each(|cell| cell.algorithm = "a<1".to_owned());
        let explanation = explain(&cells, &[]);
        let drawn = picture(&explanation, &["a3".to_owned(), "a<1".to_owned()], "a3 & a<1");
        assert!(drawn.starts_with("<svg xmlns=") && drawn.ends_with("</svg>\n"), "{drawn}");
        assert_eq!(drawn.matches("a&lt;1</text>").count(), 4, "the title and three names: {drawn}");
        assert!(!drawn.contains("a<1"), "{drawn}");
        let cells: Vec<&ExplainedCell> =
            by_value(&explanation, &["a3".to_owned(), "a<1".to_owned()]).concat();
        for kind in WorkKind::ALL {
            let parts = cells.iter().filter(|cell| cell.parts_ns.unwrap().get(kind) > 0.0).count();
            assert_eq!(drawn.matches(kind.colour()).count(), parts + 1, "{kind:?} and its legend");
        }
    }

    #[test]
    fn a_poor_model_shows_no_parts() {
        let drawn = picture(&explain(&unexplainable_cells(12, 3, 2), &[]), &["a3".to_owned()], "a3");
        assert!(drawn.contains("The cost model does not explain this run"), "{drawn}");
        assert!(WorkKind::ALL.iter().all(|kind| !drawn.contains(kind.colour())), "{drawn}");
        assert_eq!(drawn.matches("#767676").count(), 3);
    }
}
