//! The page of a saved run, or of several: one file that needs no network. It begins with the first quantity
//! of the first run as text and drawing; a script redraws it from the figures in the page as the reader
//! chooses.

mod across;
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

use std::collections::BTreeSet;

use assay_base::io::page_style::STYLE;
use assay_experiment::range::Over;
use assay_store::Run;
use assay_store::overall::Place;
use assay_store::rank::WIDEST_TIE;
use maud::{Markup, html};

use data::PageData;
use grid::Grid;
use quantity::{PageQuantity, capitalised};

use crate::across::AcrossRuns;
use crate::export::picture::palette::{MANY, Palette};
use crate::export::picture::series::Series;
use crate::export::picture::{Picture, SeriesKind};

const TEMPLATE: &str = include_str!("page.html");
/// The parts of the script; each uses only parts before it.
const SCRIPT: [&str; 10] = [
    include_str!("figures.js"),
    include_str!("sort.js"),
    include_str!("scale.js"),
    include_str!("chart.js"),
    include_str!("steps.js"),
    include_str!("table.js"),
    include_str!("copy.js"),
    include_str!("link.js"),
    include_str!("point.js"),
    include_str!("page.js"),
];

/// The page that shows a run.
pub fn page(run: &Run) -> String {
    page_of(&[run], None)
}

/// The page that shows several runs, with their ranking.
pub fn page_of_runs(runs: &[Run], across: &AcrossRuns) -> String {
    page_of(&runs.iter().collect::<Vec<_>>(), Some(across))
}

fn page_of(runs: &[&Run], across: Option<&AcrossRuns>) -> String {
    let grids: Vec<Grid<'_>> = runs.iter().map(|run| Grid::new(run)).collect();
    let quantities: Vec<Vec<PageQuantity<'_>>> =
        runs.iter().zip(&grids).map(|(run, grid)| PageQuantity::all(run, grid)).collect();
    let (run, grid, first) = (runs[0], &grids[0], quantities[0].first());
    // A part of the page for each run, of which the script shows one.
    let of_each = |part: &dyn Fn(usize) -> Markup| match across {
        None => part(0).into_string(),
        Some(_) => {
            html! { @for number in 0..runs.len() { div data-run=(number) { (part(number)) } } }.into_string()
        }
    };
    filled(|slot| match slot {
        "kind" => across.map_or_else(String::new, |across| capitalised(across.by.singular())),
        "across" => across.map_or_else(String::new, |across| across::section(across, grid).into_string()),
        "axis" => grid.axis.words().to_owned(),
        // The labels of other ranges contain their units.
        "unit" => if grid.axis.over == Over::PatternLength { "bytes" } else { "" }.to_owned(),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.concat(),
        "title" => escaped(&across.map_or_else(|| head::title(&run.experiment, grid), across::title)),
        "summary" => match across {
            None => escaped(&head::summary(&run.experiment, grid)),
            Some(across) => escaped(&across::summary(across)),
        },
        "notices" => of_each(&|number| {
            let notices = head::notices(runs[number], &grids[number], quantities[number].first());
            let experiment = &runs[number].experiment;
            html! {
                @if across.is_some() {
                    p.faint { b { (head::title(experiment, &grids[number])) } ", " (head::summary(experiment, &grids[number])) }
                }
                (notices)
            }
        }),
        "heading" => heading(first).into_string(),
        "about" => first.map_or_else(String::new, |first| {
            escaped(&format!("{} Median of {} repetitions.", first.about, grid.repetitions()))
        }),
        "chart" => first.map_or_else(String::new, |first| before_script(drawing(first, grid), grid)),
        "overall" => first
            .map_or_else(String::new, |first| before_script(overall(run, first, grid).into_string(), grid)),
        "table" => first.map_or_else(String::new, |first| {
            before_script(table::table(first, grid, &ranked(run, first, grid)).into_string(), grid)
        }),
        "legend" => first.map_or_else(String::new, |first| {
            html! { @for line in first.legend(grid) { p { (line) } } }.into_string()
        }),
        "data" => {
            let palette = Palette::new(grids.iter().flat_map(|grid| grid.algorithms.iter().copied()));
            let data =
                |number: usize| PageData::new(runs[number], &grids[number], &quantities[number], &palette);
            match across {
                None => data::json(&data(0)),
                Some(across) => data::json_of_runs(across.names.iter().zip((0..runs.len()).map(data))),
            }
        }
        "rest" => of_each(&|number| rest::rest(runs[number])),
        _ => unreachable!("the template has no such slot"),
    })
}

/// What stands in the page before the script replaces it. If it is large, browsers that run the script don't
/// read it, because that takes long.
fn before_script(html: String, grid: &Grid<'_>) -> String {
    if grid.algorithms.len() > MANY { format!("<noscript>{html}</noscript>") } else { html }
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

/// The medians of a quantity as lines over the range, or as bars if its values are not numbers; of many
/// algorithms, those that are best at some value.
fn drawing(quantity: &PageQuantity<'_>, grid: &Grid<'_>) -> String {
    let mut series = Series::of_cells(quantity.caption(), grid.axis.clone(), grid.ok(), |cell| {
        quantity.summary(cell).map(|summary| summary.divided_by(quantity.scale))
    });
    let best: BTreeSet<&str> =
        grid.ok().filter(|cell| quantity.rank(cell).is_best()).map(|cell| cell.algorithm.as_str()).collect();
    if grid.algorithms.len() > MANY && !best.is_empty() {
        series.lines.retain(|line| best.contains(line.algorithm.as_str()));
    }
    let kind =
        if series.values().len() > 1 && grid.axis.is_number() { SeriesKind::Lines } else { SeriesKind::Bars };
    let title = format!("Median {} over the {}", quantity.name, grid.axis.words());
    Picture::of_series(kind, series, title).inline()
}

/// The places of the algorithms over all values of the range, best first; none if there is only one
/// algorithm, or the quantity is not ranked.
fn places<'a>(run: &'a Run, quantity: &PageQuantity<'_>, grid: &Grid<'_>) -> Vec<(&'a str, Place)> {
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
    places
}

/// The algorithms in the order of their ranks; in that of the run if another order was asked for.
fn ranked<'a>(run: &'a Run, quantity: &PageQuantity<'_>, grid: &Grid<'a>) -> Vec<&'a str> {
    if is_ordered(run) {
        return grid.algorithms.clone();
    }
    let mut ranked: Vec<&str> = places(run, quantity, grid).into_iter().map(|(id, _)| id).collect();
    let others = grid.algorithms.iter().copied().filter(|id| !ranked.contains(id)).collect::<Vec<_>>();
    ranked.extend(others);
    ranked
}

/// Whether the reader of the page asked for an order of the algorithms by `--sort`.
fn is_ordered(run: &Run) -> bool {
    run.experiment.subset.as_ref().is_some_and(|subset| subset.contains("--sort "))
}

/// The rank of each algorithm over all values of the range.
fn overall(run: &Run, quantity: &PageQuantity<'_>, grid: &Grid<'_>) -> Markup {
    let palette = Palette::new(grid.algorithms.iter().copied());
    let places = places(run, quantity, grid);
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
                    td.best[place.rank == Some(1) && place.to_best.high < WIDEST_TIE] { (place.rank.map_or("-".to_owned(), |rank| rank.to_string())) }
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
