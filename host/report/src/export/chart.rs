//! A chart of medians over the range for terminals. It has dots for the lines and a letter for each algorithm
//! at each point, because it must be readable without colours.

use super::picture::Axis;
use super::picture::series::{Curve, Series};

/// Lines of text between the axes, so that a chart fits a terminal of 24 lines.
const HEIGHT: usize = 20;
/// The width in columns if that of the terminal is not known: that of most terminals.
const WIDTH: usize = 80;
/// Dots of a braille character, across and down.
const DOTS: (usize, usize) = (2, 4);
/// The letters of the algorithms; they are used again if there are more algorithms.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/// Marks a place with points of several algorithms.
const SEVERAL: char = '*';

/// The chart, as wide as the terminal; `None` if there is no figure.
pub fn render(series: &Series, width: Option<usize>) -> Option<String> {
    let y = Axis::covering(series.points().map(|point| point.median))?;
    let lines: Vec<&Curve> = series.lines.iter().filter(|line| !line.points.is_empty()).collect();
    let names = lines.iter().map(|line| line.algorithm.chars().count() + 2).max()?;
    let figures = y.ticks().iter().map(|(_, text)| text.len()).max().unwrap_or_default();
    let width = width.unwrap_or(WIDTH).saturating_sub(figures + names + 4).clamp(16, 160);
    let values = series.values();
    let x = Axis::of_range(&values, &series.axis, 7.0 * width as f64)?;
    let mut canvas = Canvas { width, cells: vec![ChartCell::default(); width * HEIGHT] };
    let at = |value: u64, figure: f64| {
        let across = x.share(value as f64) * (DOTS.0 * width - 1) as f64;
        (across, (1.0 - y.share(figure)) * (DOTS.1 * HEIGHT - 1) as f64)
    };
    for line in &lines {
        for pair in line.pieces(&series.asked).flat_map(|piece| piece.windows(2)) {
            canvas.line(at(pair[0].value, pair[0].median), at(pair[1].value, pair[1].median));
        }
    }
    for (number, line) in lines.iter().enumerate() {
        for point in &line.points {
            canvas.mark(at(point.value, point.median), letter(number));
        }
    }
    let mut names_by_row = vec![String::new(); HEIGHT];
    for (number, line) in lines.iter().enumerate() {
        // The nearest line of text that has no name yet.
        let wanted = row_of(&y, line.points.last()?.median);
        let free = (0..HEIGHT).filter(|&i| names_by_row[i].is_empty()).min_by_key(|&i| i.abs_diff(wanted));
        let name = format!("{} {}", letter(number), line.algorithm);
        match free {
            Some(place) => names_by_row[place] = name,
            None => names_by_row.push(name),
        }
    }
    let ticks: Vec<(usize, &str)> =
        y.ticks().iter().map(|(value, text)| (row_of(&y, *value), text.as_str())).collect();
    let mut text =
        format!("{}, {}\n", series.quantity, if y.is_logarithmic() { "logarithmic" } else { "linear" });
    for (number, name) in names_by_row.iter().enumerate() {
        let tick = ticks.iter().find(|(row, _)| *row == number);
        let (figure, axis) = tick.map_or(("", '│'), |(_, text)| (*text, '┤'));
        let drawn = if number < HEIGHT { canvas.row(number) } else { " ".repeat(width) };
        let line = format!("{figure:>figures$} {axis}{drawn} {name}");
        text += line.trim_end();
        text.push('\n');
    }
    text += &format!("{:figures$} └{}\n", "", "─".repeat(width));
    text += &labels_below(&x, width, figures + 2);
    text += &format!("{:indent$}{}\n", "", series.axis.title(), indent = figures + 2);
    let ends = values.first().zip(values.last());
    let marks: Vec<String> = ends
        .into_iter()
        .flat_map(|(least, most)| series.axis.marks(*least, *most))
        .map(|(_, name)| name)
        .collect();
    if !marks.is_empty() {
        text += &format!("{:indent$}caches: {}\n", "", marks.join(", "), indent = figures + 2);
    }
    if canvas.cells.iter().any(|cell| cell.mark == Some(SEVERAL)) {
        text += &format!("{SEVERAL} several at one place\n");
    }
    Some(text)
}

/// The letter of an algorithm.
fn letter(number: usize) -> char {
    char::from(LETTERS[number % LETTERS.len()])
}

/// The line of text of a value.
fn row_of(y: &Axis, value: f64) -> usize {
    ((1.0 - y.share(value)) * (DOTS.1 * HEIGHT - 1) as f64).round() as usize / DOTS.1
}

/// The line with the values of the range, each below its place.
fn labels_below(x: &Axis, width: usize, indent: usize) -> String {
    let mut line = vec![' '; indent + width + 8];
    for (value, text) in x.ticks() {
        let middle = indent + (x.share(*value) * (width - 1) as f64).round() as usize;
        let start = (middle + 1).saturating_sub(text.len().div_ceil(2));
        for (place, letter) in line[start..].iter_mut().zip(text.chars()) {
            *place = letter;
        }
    }
    line.into_iter().collect::<String>().trim_end().to_owned() + "\n"
}

/// A character of the drawing.
#[derive(Clone, Copy, Default)]
struct ChartCell {
    /// The dots that are set, as bits of a braille character.
    dots: u8,
    /// The letter of a point, which hides the dots.
    mark: Option<char>,
}

/// The characters between the axes, row by row.
struct Canvas {
    width: usize,
    cells: Vec<ChartCell>,
}

impl Canvas {
    /// The character at a place in dots, and the dot within it.
    fn cell(&mut self, (x, y): (f64, f64)) -> (&mut ChartCell, usize, usize) {
        let (x, y) = (x.round().max(0.0) as usize, y.round().max(0.0) as usize);
        let (column, row) = ((x / DOTS.0).min(self.width - 1), (y / DOTS.1).min(HEIGHT - 1));
        (&mut self.cells[row * self.width + column], x % DOTS.0, y % DOTS.1)
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let share = step as f64 / steps;
            let (cell, x, y) =
                self.cell((from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share));
            // Unicode numbers the upper three dots of the left side, then those of the right side, then the
            // fourth row.
            cell.dots |= [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]][x][y];
        }
    }

    fn mark(&mut self, at: (f64, f64), letter: char) {
        let cell = self.cell(at).0;
        cell.mark = Some(if cell.mark.is_some() { SEVERAL } else { letter });
    }

    fn row(&self, number: usize) -> String {
        let cells = &self.cells[number * self.width..(number + 1) * self.width];
        cells.iter().map(ChartCell::character).collect()
    }
}

impl ChartCell {
    fn character(&self) -> char {
        match (self.mark, self.dots) {
            (Some(mark), _) => mark,
            (None, 0) => ' ',
            // The block of braille begins with the character without dots.
            (None, dots) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::RangeAxis;

    use super::super::picture::series::{Band, CurvePoint};
    use super::*;

    fn series(lines: &[(&str, &[(u64, f64)])]) -> Series {
        Series {
            quantity: "time in µs".to_owned(),
            axis: RangeAxis::default(),
            band: Band::None,
            asked: Vec::new(),
            lines: lines.iter().map(|(algorithm, points)| curve(algorithm, points)).collect(),
        }
    }

    fn curve(algorithm: &str, points: &[(u64, f64)]) -> Curve {
        let points = points.iter().map(|&(value, median)| CurvePoint {
            value,
            median,
            band: None,
            repetitions: Vec::new(),
        });
        Curve { algorithm: algorithm.to_owned(), points: points.collect(), gaps: Vec::new() }
    }

    #[test]
    fn each_point_has_the_letter_of_its_algorithm_and_fits_the_width() {
        let chart = render(
            &series(&[("hor", &[(2, 100.0), (16, 10.0)]), ("bm", &[(2, 100.0), (16, 1.0)]), ("none", &[])]),
            Some(60),
        )
        .unwrap();
        assert!(chart.lines().all(|line| line.chars().count() <= 60), "{chart}");
        let rows: Vec<&str> = chart.lines().collect();
        assert!(
            rows[0] == "time in µs, logarithmic" && chart.ends_with("* several at one place\n"),
            "{chart}"
        );
        let row = |text: &str| rows.iter().position(|row| row.contains(text)).unwrap();
        assert!(row("a hor") < row("b bm") && row("*") < row("a hor"), "{chart}");
        assert!(
            rows[row("b bm")].matches('b').count() == 3 && chart.contains("2") && chart.contains("16"),
            "{chart}"
        );
        assert!(!chart.contains("none") && chart.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c)));
    }

    #[test]
    fn there_is_no_chart_of_nothing_and_one_of_more_than_there_are_lines() {
        assert_eq!(render(&series(&[("a", &[])]), None), None);
        let names: Vec<String> = (0..30).map(|i| format!("x{i}")).collect();
        let points: &[(u64, f64)] = &[(2, 1.0), (4, 1.0)];
        let lines: Vec<(&str, &[(u64, f64)])> = names.iter().map(|name| (name.as_str(), points)).collect();
        let chart = render(&series(&lines), Some(200)).unwrap();
        assert!(names.iter().all(|name| chart.contains(name)), "{chart}");
    }
}
