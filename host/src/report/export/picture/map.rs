//! A map of the best set: a column for each value of the range, a row for each text, and in each field the colours of those
//! who are best there. Those who share it are not to be told from each other.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::contest::{Cell, Contest};
use super::palette::Palette;
use super::sheet::{Drawn, FAINT, GRID, INK, LINE, Sheet, width};

const WIDE: f64 = 720.0;
const TOP: f64 = 14.0;
/// Below the fields: the axis and the note.
const FOOT: f64 = 62.0;

fn height(contest: &Contest) -> f64 {
    // A field has room for the names of all that share it.
    let names = contest.cells().map(|cell| cell.best.len()).max().unwrap_or_default();
    (LINE * names as f64 + 12.0).max(44.0)
}

/// The size in pixels.
pub fn size(contest: &Contest) -> (f64, f64) {
    (WIDE, TOP + height(contest) * contest.texts.len() as f64 + FOOT)
}

/// Draws it.
pub fn draw<D: DrawingBackend>(contest: &Contest, palette: &Palette, sheet: &Sheet<'_, D>) -> Drawn<D> {
    const NAME: usize = 22;
    let values = contest.values();
    let label = |name: &str| match name.chars().count() {
        0..=NAME => name.to_owned(),
        // The end tells files of one folder apart.
        count => format!("…{}", name.chars().skip(count - NAME + 1).collect::<String>()),
    };
    let names: Vec<String> = contest.texts.iter().map(|text| label(&text.name)).collect();
    let left = names.iter().map(|name| width(name)).fold(width("256 letters"), f64::max) + 24.0;
    let (across, down) = ((WIDE - 16.0 - left) / values.len() as f64, height(contest));
    for (row, (text, name)) in contest.texts.iter().zip(&names).enumerate() {
        let top = TOP + down * row as f64;
        let middle = top + down / 2.0;
        sheet.text(name, (left - 10.0, middle - LINE / 2.0), HPos::Right, INK)?;
        let letters = text.alphabet.map_or_else(String::new, |letters| format!("{letters} letters"));
        sheet.text(&letters, (left - 10.0, middle + LINE / 2.0), HPos::Right, FAINT)?;
        for (column, value) in values.iter().enumerate() {
            let from = (left + across * column as f64, top);
            let to = (from.0 + across, top + down);
            if let Some(cell) = text.cells.iter().find(|cell| cell.value == *value) {
                field(contest, cell, palette, (from, to), sheet)?;
            }
            sheet.frame(from, to, GRID, 1.0)?;
        }
    }
    let bottom = TOP + down * contest.texts.len() as f64;
    for (column, value) in values.iter().enumerate() {
        let x = left + across * (column as f64 + 0.5);
        sheet.text(&contest.axis.label(*value), (x, bottom + 11.0), HPos::Center, INK)?;
    }
    sheet.text(
        &contest.axis.title(),
        (f64::midpoint(left, WIDE - 16.0), bottom + 29.0),
        HPos::Center,
        INK,
    )?;
    let note = format!(
        "best by {}; those who share a field are not to be told from the best; ?: nothing can be told",
        contest.by
    );
    sheet.text(&note, (14.0, bottom + FOOT - 12.0), HPos::Left, FAINT)
}

type Corners = ((f64, f64), (f64, f64));

/// A stripe for each of the best, with its name where there is room.
fn field<D: DrawingBackend>(
    contest: &Contest,
    cell: &Cell,
    palette: &Palette,
    (from, to): Corners,
    sheet: &Sheet<'_, D>,
) -> Drawn<D> {
    let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
    if cell.best.is_empty() {
        return sheet.text("?", middle, HPos::Center, FAINT);
    }
    let down = (to.1 - from.1) / cell.best.len() as f64;
    for (row, &number) in cell.best.iter().enumerate() {
        let algorithm = &contest.algorithms[number];
        let look = palette.look(algorithm);
        let (top, bottom) = (from.1 + down * row as f64, from.1 + down * (row + 1) as f64);
        sheet.rectangle((from.0, top), (to.0, bottom), look.colour, 0.45)?;
        let y = f64::midpoint(top, bottom);
        // Where a name has no room, the marker is left: pictures of the same run have it beside the name.
        if width(algorithm) <= to.0 - from.0 {
            sheet.text(algorithm, (middle.0, y), HPos::Center, INK)?;
        } else {
            sheet.marker(look, (middle.0, y))?;
        }
    }
    Ok(())
}
