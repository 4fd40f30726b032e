//! A map of the best set: a column for each value of the range, a row for each text, and in each field the
//! colours of those that are best there. Algorithms that share a field are tied.

use std::collections::BTreeSet;

use assay_base::io::console::counted;
use assay_experiment::range::Over;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::contest::{Contest, ContestCell, ContestText};
use super::label::{shortened_apart, width};
use super::palette::Palette;
use super::sheet::{DrawResult, FAINT, GRID, INK, LINE, Sheet};

const WIDE: f64 = 720.0;
const TOP: f64 = 14.0;
const MARGIN: f64 = 16.0;
/// The height below the fields, for the axis and the note.
const FOOT: f64 = 62.0;
/// The greatest width of a name next to a row or below a column; longer names are shortened.
const LONGEST: f64 = 160.0;

/// The places and labels of the map, in pixels.
struct Layout {
    values: Vec<u64>,
    /// The lines beside each row: the text, the CPU if there are several, and the number of letters.
    rows: Vec<Vec<String>>,
    /// The labels below the columns; `None` if there is no room.
    labels: Vec<Option<String>>,
    /// Whether the labels stand upright, because they are wider than the columns.
    upright: bool,
    /// The left end of the fields.
    left: f64,
    /// The width of a field.
    across: f64,
    /// The height of a field.
    down: f64,
    /// The key: the algorithms whose names do not fit into their fields, each with its place from the left and its
    /// line.
    key: Vec<(String, f64, usize)>,
}

impl Layout {
    /// The layout of the map of a contest.
    fn new(contest: &Contest) -> Self {
        let values = contest.values();
        let is_over_texts = contest.axis.over == Over::Text;
        let rows = row_lines(&contest.texts, is_over_texts);
        let left = rows.iter().flatten().map(|line| width(line)).fold(width("256 letters"), f64::max) + 24.0;
        let across = (WIDE - MARGIN - left) / values.len() as f64;
        let names: Vec<String> = values.iter().map(|value| contest.axis.label(*value)).collect();
        let upright = !contest.axis.is_number() && names.iter().any(|name| width(name) + GAP > across);
        let labels = if upright { upright_labels(&names, across) } else { level_labels(&names, across) };
        // A field has room for the names of all algorithms that share it.
        let best = contest.cells().map(|cell| cell.best.len()).max().unwrap_or_default();
        let lines = rows.iter().map(Vec::len).max().unwrap_or_default();
        let down = (LINE * best.max(lines) as f64 + 12.0).max(44.0);
        let key = key(contest, across);
        Layout { values, rows, labels, upright, left, across, down, key }
    }

    /// The lower end of the fields.
    fn bottom(&self) -> f64 {
        TOP + self.down * self.rows.len() as f64
    }

    /// The height of the names below the columns beyond that of a line.
    fn extra_height(&self) -> f64 {
        let names = self.labels.iter().flatten().filter(|_| self.upright);
        names.map(|name| width(name) - LINE).fold(0.0, f64::max)
    }

    /// The height of the key.
    fn key_height(&self) -> f64 {
        self.key.last().map_or(0.0, |(_, _, line)| LINE * (*line as f64 + 1.5))
    }

    /// The middle of a column.
    fn middle(&self, column: usize) -> f64 {
        self.left + self.across * (column as f64 + 0.5)
    }
}

/// The lines beside each row. Texts and CPUs are shortened apart from each other, so rows that differ in
/// either look different. If the range varies the texts, their names may be too long, and their number takes
/// their place.
fn row_lines(texts: &[ContestText], is_over_texts: bool) -> Vec<Vec<String>> {
    let name = |text: &ContestText| match width(&text.name) > LONGEST && is_over_texts {
        true => counted(text.cells.len(), "text"),
        false => text.name.clone(),
    };
    let names = shortened_apart(&texts.iter().map(name).collect::<Vec<_>>(), LONGEST);
    let cpus: Vec<String> = texts.iter().filter_map(|text| text.cpu.clone()).collect();
    let mut cpus = shortened_apart(&cpus, LONGEST).into_iter();
    let rows = texts.iter().zip(names).map(|(text, name)| {
        let cpu = text.cpu.as_ref().and_then(|_| cpus.next());
        let letters = text.alphabet.map(|letters| format!("{letters} letters"));
        [Some(name), cpu, letters].into_iter().flatten().collect()
    });
    rows.collect()
}

/// The least space between two names in a line.
const GAP: f64 = 6.0;
/// From a marker of the key to its name, and between two entries.
const KEY_GAP: f64 = 10.0;

/// Whether the name of an algorithm fits into its field.
fn fits(algorithm: &str, across: f64) -> bool {
    width(algorithm) + GAP <= across
}

/// The entries of the key, in lines that are as wide as the picture.
fn key(contest: &Contest, across: f64) -> Vec<(String, f64, usize)> {
    let drawn: BTreeSet<usize> = contest.cells().flat_map(|cell| cell.best.iter().copied()).collect();
    let (mut x, mut line) = (MARGIN, 0);
    let names = drawn.into_iter().map(|number| contest.algorithms[number].clone());
    names
        .filter(|name| !fits(name, across))
        .map(|name| {
            let needed = width(&name) + 3.0 * KEY_GAP;
            if x > MARGIN && x + needed > WIDE - MARGIN {
                (x, line) = (MARGIN, line + 1);
            }
            let place = (name, x, line);
            x += needed;
            place
        })
        .collect()
}

/// The labels of columns of this width. Numbers without room are left out, because readers can guess them.
fn level_labels(names: &[String], across: f64) -> Vec<Option<String>> {
    let mut free = f64::NEG_INFINITY;
    let places = names.iter().enumerate().map(|(column, name)| {
        let (middle, half) = (across * column as f64, width(name) / 2.0);
        let has_room = middle - half >= free;
        if has_room {
            free = middle + half + GAP;
        }
        has_room.then(|| name.clone())
    });
    places.collect()
}

/// The upright labels of columns of this width, shortened. If columns are narrower than a line, only every
/// second or third has a label.
fn upright_labels(names: &[String], across: f64) -> Vec<Option<String>> {
    let every = (LINE / across).ceil() as usize;
    let columns = shortened_apart(names, LONGEST).into_iter().enumerate();
    columns.map(|(column, name)| (column % every == 0).then_some(name)).collect()
}

/// The height below the fields, with a line more if the rounds are too few.
fn foot(contest: &Contest) -> f64 {
    FOOT + if contest.undecided().is_some() { LINE } else { 0.0 }
}

/// The size in pixels.
pub(super) fn size(contest: &Contest) -> (f64, f64) {
    let layout = Layout::new(contest);
    (WIDE, layout.bottom() + layout.extra_height() + foot(contest) + layout.key_height())
}

/// Draws the map.
pub(super) fn draw<D: DrawingBackend>(
    contest: &Contest,
    palette: &Palette,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    let layout = Layout::new(contest);
    let Layout { left, across, down, .. } = layout;
    for (row, (text, lines)) in contest.texts.iter().zip(&layout.rows).enumerate() {
        let top = TOP + down * row as f64;
        let first = top + down / 2.0 - LINE * (lines.len() - 1) as f64 / 2.0;
        for (number, line) in lines.iter().enumerate() {
            let ink = if number == 0 { INK } else { FAINT };
            sheet.text(line, (left - 10.0, first + LINE * number as f64), HPos::Right, ink)?;
        }
        for (column, value) in layout.values.iter().enumerate() {
            let from = (left + across * column as f64, top);
            let to = (from.0 + across, top + down);
            if let Some(cell) = text.cells.iter().find(|cell| cell.value == *value) {
                field(contest, cell, palette, (from, to), sheet)?;
            }
            sheet.frame(from, to, GRID, 1.0)?;
        }
    }
    let bottom = layout.bottom();
    for (column, label) in layout.labels.iter().enumerate() {
        let (Some(label), x) = (label, layout.middle(column)) else { continue };
        if layout.upright {
            sheet.hanging(label, (x, bottom + 6.0), INK)?
        } else {
            sheet.text(label, (x, bottom + 11.0), HPos::Center, INK)?
        }
    }
    let bottom = bottom + layout.extra_height();
    let middle = f64::midpoint(left, WIDE - MARGIN);
    sheet.text(&contest.axis.title(), (middle, bottom + 29.0), HPos::Center, INK)?;
    let note = format!(
        "best by {}; algorithms in one field: neither is known to be slower; ?: not known",
        contest.time
    );
    sheet.text(&note, (14.0, bottom + FOOT - 12.0), HPos::Left, FAINT)?;
    let foot = foot(contest);
    if let Some(undecided) = contest.undecided() {
        sheet.text(&undecided.sentence(), (14.0, bottom + foot - 12.0), HPos::Left, FAINT)?;
    }
    for (name, x, line) in &layout.key {
        let y = bottom + foot + LINE * (*line as f64 + 0.5);
        sheet.marker(palette.look(name), (*x, y))?;
        sheet.text(name, (x + KEY_GAP, y), HPos::Left, INK)?;
    }
    Ok(())
}

/// Two opposite corners of a field.
type Corners = ((f64, f64), (f64, f64));

/// Draws a stripe for each of the best algorithms, with its name if there is room.
fn field<D: DrawingBackend>(
    contest: &Contest,
    cell: &ContestCell,
    palette: &Palette,
    (from, to): Corners,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
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
        // A name that does not fit is in the key, beside its marker.
        if fits(algorithm, to.0 - from.0) {
            sheet.text(algorithm, (middle.0, y), HPos::Center, INK)?;
        } else {
            sheet.marker(look, (middle.0, y))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{ContestKind, Picture, contest};
    use super::*;

    fn texts(labels: &[Option<String>]) -> Vec<&str> {
        labels.iter().map(|label| label.as_deref().unwrap_or_default()).collect()
    }

    #[test]
    fn rows_differ_by_text_and_by_cpu() {
        let text = |name: &str, cpu: &str| ContestText {
            name: format!("a/long/path/of/texts/that/are/searched/{name}.txt"),
            cpu: Some(format!("Intel(R) Xeon(R) Gold {cpu}")),
            alphabet: Some(4),
            present: Vec::new(),
            cells: Vec::new(),
            undecided: None,
        };
        let cpus = ["6130 CPU @ 2.10GHz", "6248R CPU @ 3.00GHz"];
        let texts: Vec<ContestText> =
            ["map", "prose"].iter().flat_map(|name| cpus.map(|cpu| text(name, cpu))).collect();
        let rows = row_lines(&texts, false);
        assert!(rows.iter().all(|lines| lines.len() == 3 && lines[2] == "4 letters"), "{rows:?}");
        assert!(rows[0][0].contains("map") && rows[2][0].contains("prose"), "{rows:?}");
        assert!(rows[0][1].contains("2.10GHz") && rows[1][1].contains("3.00GHz"), "{rows:?}");
    }

    #[test]
    fn a_line_below_the_map_says_that_rounds_are_too_few() {
        let drawn = |contest| Picture::of_contest(ContestKind::Map, contest, String::new()).svg();
        assert!(!drawn(contest::tests::example()).contains("too few"));
        let map = drawn(contest::tests::undecided());
        assert!(map.contains("2 rounds are too few: up to 1 other may be as fast as the best"), "{map}");
        // The other lines keep their places: the picture is higher by the line.
        let mut decided = contest::tests::undecided();
        let (_, high) = size(&decided);
        decided.texts[0].undecided = None;
        assert_eq!(size(&decided).1, high - LINE);
    }

    #[test]
    fn numbers_that_have_no_room_are_left_out() {
        let names = ["2", "4", "1024", "2048", "4096"].map(str::to_owned);
        assert_eq!(texts(&level_labels(&names, 60.0)), names);
        assert_eq!(texts(&level_labels(&names, 23.0)), ["2", "4", "", "2048", ""]);
    }

    #[test]
    fn names_of_texts_are_upright_and_no_nearer_than_lines() {
        let names: Vec<String> =
            (0..6).map(|i| format!("a/long/path/of/a/text/that/nobody/reads/{i}.txt")).collect();
        let all = upright_labels(&names, LINE);
        assert!(all.iter().flatten().all(|name| width(name) <= LONGEST && name.contains('…')), "{all:?}");
        assert_eq!(all.iter().flatten().count(), 6);
        assert_eq!(upright_labels(&names, LINE / 2.5).iter().flatten().count(), 2);
    }
}
