//! The page of a saved run: one file that needs no network. It begins with the first quantity as text and
//! drawing; a script redraws it from the figures in the page as the reader chooses.

mod calls;
mod data;
mod facts;
mod grid;
mod head;
mod quantity;
mod rest;
mod table;
#[cfg(test)]
mod tests;

use assay_base::io::page_style::STYLE;
use assay_experiment::range::Over;
use assay_store::Run;
use assay_store::overall::Place;
use maud::{Markup, html};

use data::PageData;
use grid::Grid;
use quantity::{PageQuantity, capitalised};

use crate::export::picture::palette::Palette;
use crate::export::picture::series::Series;
use crate::export::picture::{Picture, SeriesKind};

const TEMPLATE: &str = include_str!("page.html");
/// The parts of the script; each uses only parts before it.
const SCRIPT: [&str; 8] = [
    include_str!("figures.js"),
    include_str!("scale.js"),
    include_str!("chart.js"),
    include_str!("steps.js"),
    include_str!("table.js"),
    include_str!("copy.js"),
    include_str!("point.js"),
    include_str!("page.js"),
];

/// The page that shows a run.
pub fn page(run: &Run) -> String {
    let grid = Grid::new(run);
    let quantities = PageQuantity::all(run, &grid);
    let first = quantities.first();
    filled(|slot| match slot {
        "axis" => grid.axis.words().to_owned(),
        // The labels of other ranges contain their units.
        "unit" => if grid.axis.over == Over::PatternLength { "bytes" } else { "" }.to_owned(),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.concat(),
        "title" => escaped(&head::title(&run.experiment, &grid)),
        "summary" => escaped(&head::summary(&run.experiment, &grid)),
        "notices" => head::notices(run, &grid, first).into_string(),
        "heading" => heading(first).into_string(),
        "about" => first.map_or_else(String::new, |first| {
            escaped(&format!("{} Median of {} repetitions.", first.about, grid.repetitions()))
        }),
        "chart" => first.map_or_else(String::new, |first| drawing(first, &grid)),
        "overall" => first.map_or_else(String::new, |first| overall(run, first, &grid).into_string()),
        "table" => first.map_or_else(String::new, |first| table::table(first, &grid).into_string()),
        "legend" => first.map_or_else(String::new, |first| {
            html! { @for line in first.legend(&grid) { p { (line) } } }.into_string()
        }),
        "data" => PageData::new(run, &grid, &quantities).json(),
        "rest" => rest::rest(run).into_string(),
        _ => unreachable!("the template has no such slot"),
    })
}

/// A text as HTML.
fn escaped(text: &str) -> String {
    html! { (text) }.into_string()
}

/// The template with its slots filled. A filling may contain braces, because fillings are not searched for
/// slots.
fn filled(fill: impl Fn(&str) -> String) -> String {
    let mut parts = TEMPLATE.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (slot, text) = part.split_once("}}").expect("a slot ends");
        page += &fill(slot);
        page += text;
    }
    page
}

fn heading(quantity: Option<&PageQuantity<'_>>) -> Markup {
    html! {
        @match quantity {
            None => "There are no figures",
            Some(quantity) => {
                (capitalised(&quantity.name))
                @if !quantity.unit.is_empty() { " " small { "in " (quantity.unit) } }
            }
        }
    }
}

/// The medians of a quantity as lines over the range, or as bars if its values are not numbers.
fn drawing(quantity: &PageQuantity<'_>, grid: &Grid<'_>) -> String {
    let series = Series::of_cells(quantity.caption(), grid.axis.clone(), grid.ok(), |cell| {
        quantity.summary(cell).map(|summary| summary.divided_by(quantity.scale))
    });
    let kind =
        if series.values().len() > 1 && grid.axis.is_number() { SeriesKind::Lines } else { SeriesKind::Bars };
    let title = format!("Median {} over the {}", quantity.name, grid.axis.words());
    Picture::of_series(kind, series, title).inline()
}

/// The rank of each algorithm over all values of the range.
fn overall(run: &Run, quantity: &PageQuantity<'_>, grid: &Grid<'_>) -> Markup {
    let palette = Palette::new(grid.algorithms.iter().copied());
    let places = quantity.time().into_iter().flat_map(|call| {
        run.overall
            .iter()
            .filter_map(move |overall| Some((overall.algorithm.as_str(), (*overall.places.get(call))?)))
    });
    let mut places: Vec<(&str, Place)> = places.filter(|_| !grid.is_alone()).collect();
    places.sort_by(|(_, a), (_, b)| {
        let ranks = a.rank.unwrap_or(usize::MAX).cmp(&b.rank.unwrap_or(usize::MAX));
        ranks.then(a.to_best.ratio.total_cmp(&b.to_best.ratio))
    });
    // The caption has the number of rounds in the mean, if the values differ in their rounds.
    let uneven = run.rounds().is_some_and(|(least, most)| least < most);
    let rounds = places.iter().filter_map(|(_, place)| place.rounds).min().filter(|_| uneven);
    let counted = places.iter().map(|(_, place)| place.lengths).max().unwrap_or(0);
    html! {
        @if !places.is_empty() {
            table {
                caption { (over_all(grid, counted)) ", times as long as the best" @if let Some(rounds) = rounds { (format!(", from {rounds} rounds that all have")) } }
                thead { tr { th scope="col" { "rank" } th scope="col" { "algorithm" } th scope="col" { "mean" } } }
                tbody { @for (algorithm, place) in places { tr {
                    td.best[place.rank == Some(1)] { (place.rank.map_or("-".to_owned(), |rank| rank.to_string())) }
                    th scope="row" {
                        span.key style=(format!("color: {}", palette.look(algorithm).css())) { "■" } " " (algorithm)
                    }
                    td {
                        (format!("{:.2}", place.to_best.ratio))
                        small { (format!("{:.2} to {:.2}", place.to_best.low, place.to_best.high)) }
                    }
                } } }
            }
        }
    }
}

fn over_all(grid: &Grid<'_>, counted: usize) -> String {
    let words = grid.axis.over.plural();
    match grid.values.len() {
        all if counted < all => format!("Over {counted} of the {all} {words}"),
        _ => format!("Over all {words}"),
    }
}

impl PageQuantity<'_> {
    /// The name and the unit, for an axis.
    fn caption(&self) -> String {
        match self.unit {
            "" => self.name.clone(),
            unit => format!("{} in {unit}", self.name),
        }
    }
}
