//! The first table of a page, which is also there without a script.

use assay_base::io::numbers::{decimals, grouped};
use assay_store::{CellResult, Status};
use maud::{Markup, html};

use super::grid::Grid;
use super::quantity::{PageQuantity, half_width};
use crate::export::marks::BEST;

/// A row for each of these algorithms, a column for each value of the range; cells have medians.
pub(super) fn table(quantity: &PageQuantity<'_>, grid: &Grid<'_>, algorithms: &[&str]) -> Markup {
    let medians = grid.ok().filter_map(|cell| quantity.summary(cell)).map(|summary| summary.med);
    let decimals = decimals(medians.map(|median| median / quantity.scale));
    html! {
        table style=(format!("--columns: {}", grid.values.len())) {
            thead { tr {
                th scope="col" { "algorithm" }
                @for value in &grid.values { th scope="col" { (grid.axis.label(*value)) } }
            } }
            tbody { @for algorithm in algorithms { tr {
                th scope="row" { (algorithm) }
                @for &value in &grid.values { (shown(quantity, grid, algorithm, value, decimals)) }
            } } }
        }
    }
}

/// A cell: the median, its mark, the ratio to the best, and the half-width of its interval.
fn shown(
    quantity: &PageQuantity<'_>,
    grid: &Grid<'_>,
    algorithm: &str,
    value: u64,
    decimals: usize,
) -> Markup {
    let cell = grid.get(algorithm, value);
    let Some((cell, summary)) = cell.and_then(|cell| Some((cell, quantity.summary(cell)?))) else {
        return match absent(cell) {
            words if words.is_empty() => html! { td.faint { "-" } },
            words => html! { td.status { (words) } },
        };
    };
    let mark = quantity.mark(cell, grid);
    html! {
        td.best[mark == BEST] {
            (grouped(summary.med / quantity.scale, decimals)) @if mark != ' ' { (mark) }
            small {
                @if let Some(ratio) = quantity.times_as_long(cell, grid) { span { "× " (format!("{ratio:.2}")) } " " }
                @if let Some(width) = half_width(summary) { span { "± " (format!("{width:.1}")) " %" } }
            }
        }
    }
}

/// The text of a cell without a figure; empty if the algorithm is not made for it, which is no failure.
pub(super) fn absent(cell: Option<&CellResult>) -> String {
    match cell.map(|cell| cell.status) {
        None | Some(Status::Ok) => "-".to_owned(),
        Some(Status::CannotSearch) => String::new(),
        Some(status) => status.words(),
    }
}
