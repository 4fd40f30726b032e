//! The search times as a drawing: over the pattern length, both on logarithmic axes, a line for each algorithm.

use std::fmt::Write;

use maud::{Markup, html};

use super::grid::Grid;
use crate::io::numbers::{decimals, grouped};

/// Where the lines are drawn, in the units of the drawing.
const LEFT: f64 = 60.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 14.0;
/// Least distance of two labels, below each other and beside each other.
const LINE: f64 = 15.0;
const BESIDE: f64 = 34.0;
/// Room on the right for the names of the algorithms.
const NAMES: f64 = 150.0;

/// A figure of the drawing: pattern length and microseconds.
type Point = (f64, f64);

/// A logarithmic axis: a value lies between these ends, and is drawn between those.
struct Axis {
    values: (f64, f64),
    places: (f64, f64),
}

impl Axis {
    /// An axis that has room for all of some positive values; `None` of less than two different ones.
    fn of(values: impl Iterator<Item = f64> + Clone, places: (f64, f64)) -> Option<Self> {
        let (least, greatest) = (values.clone().reduce(f64::min)?, values.reduce(f64::max)?);
        (0.0 < least && least < greatest).then_some(Axis { values: (least, greatest), places })
    }

    fn at(&self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.places);
        from + (to - from) * (value / low).ln() / (high / low).ln()
    }

    /// Round values along the axis: 1, 2, 5, 10 ..
    fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.values;
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let steps: &[f64] = if high / low > 1000.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all = decades.flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
        all.filter(|tick| (low..=high).contains(tick)).collect()
    }
}

/// The drawing; nothing where there are not two pattern lengths and two times.
pub(super) fn section(grid: &Grid<'_>) -> Markup {
    let line = |algorithm: &&str| -> Vec<Point> {
        let cells = grid.lengths.iter().filter_map(|&length| grid.get(algorithm, length));
        // A time of 0 has no logarithm.
        let points = cells.filter_map(|cell| Some((cell.pattern_length as f64, cell.search_ns?.med / 1e3)));
        points.filter(|point| point.1 > 0.0).collect()
    };
    let lines: Vec<Vec<Point>> = grid.algorithms.iter().map(line).collect();
    let points = lines.iter().flatten();
    // Each algorithm has a line of its own for its name.
    let bottom = TOP + (LINE * lines.len() as f64).max(300.0);
    let x = Axis::of(points.clone().map(|point| point.0), (LEFT, RIGHT));
    let y = Axis::of(points.map(|point| point.1), (bottom, TOP));
    let Some((x, y)) = x.zip(y) else { return html! {} };
    html! {
        section {
            h2 { "Search times" }
            p.faint { "The medians of the next table over the pattern length, in µs: both axes are logarithmic." }
            (drawing(grid, &lines, &x, &y))
        }
    }
}

fn drawing(grid: &Grid<'_>, lines: &[Vec<Point>], x: &Axis, y: &Axis) -> Markup {
    let bottom = y.places.0;
    let (width, height) = (RIGHT + NAMES, bottom + 2.5 * LINE);
    let decimals = decimals(y.ticks());
    let ends: Vec<f64> =
        lines.iter().map(|line| line.last().map_or(f64::NAN, |point| y.at(point.1))).collect();
    let named = (0..).zip(&grid.algorithms).zip(lines.iter().zip(apart(&ends, bottom)));
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img"
            aria-label="Median search time over the pattern length" {
            @for tick in y.ticks() {
                line.grid x1=(LEFT) x2=(RIGHT) y1=(place(y.at(tick))) y2=(place(y.at(tick))) {}
                text x=(LEFT - 6.0) y=(place(y.at(tick) + 4.0)) text-anchor="end" { (grouped(tick, decimals)) }
            }
            @for length in labelled(grid.lengths.iter().map(|&length| length as f64), x) {
                line.grid x1=(place(x.at(length))) x2=(place(x.at(length))) y1=(bottom) y2=(bottom + 4.0) {}
                text x=(place(x.at(length))) y=(bottom + 1.2 * LINE) text-anchor="middle" { (length) }
            }
            text x=(f64::midpoint(LEFT, RIGHT)) y=(bottom + 2.2 * LINE) text-anchor="middle" { "pattern length in bytes" }
            @for ((number, algorithm), (line, label)) in named {
                @if let Some(&(last, _)) = line.last() {
                    polyline points=(path(line, x, y)) style=(style(number)) {}
                    @for &(length, time) in line {
                        circle cx=(place(x.at(length))) cy=(place(y.at(time))) r="2.5" style=(filled(number)) {}
                    }
                    @let end = ends[number];
                    line.lead x1=(place(x.at(last) + 4.0)) y1=(place(end)) x2=(RIGHT + 16.0) y2=(place(label))
                        style=(format!("{}; stroke-width: 0.7", style(number))) {}
                    text x=(RIGHT + 20.0) y=(place(label + 4.0)) style=(filled(number)) { (algorithm) }
                }
            }
        }
    }
}

/// A place in the drawing, as short as it needs to be.
fn place(at: f64) -> String {
    format!("{at:.1}")
}

fn path(line: &[Point], x: &Axis, y: &Axis) -> String {
    let mut path = String::new();
    for &(length, time) in line {
        let _ = write!(path, "{},{} ", place(x.at(length)), place(y.at(time)));
    }
    path.trim_end().to_owned()
}

/// Colours far from each other that show on light and dark, and dashes where they begin anew.
fn colour(number: usize) -> String {
    const HUES: [u32; 8] = [210, 25, 140, 330, 275, 50, 180, 0];
    let (hue, lightness) = (HUES[number % HUES.len()], if number % HUES.len() == 5 { 38 } else { 48 });
    format!("hsl({hue} 65% {lightness}%)")
}

fn style(number: usize) -> String {
    let dashes = ["", "; stroke-dasharray: 6 3", "; stroke-dasharray: 2 3"];
    format!("stroke: {}{}", colour(number), dashes[number / 8 % dashes.len()])
}

fn filled(number: usize) -> String {
    format!("fill: {}", colour(number))
}

/// The places of labels that want to stand at some, moved apart so that none hides another.
fn apart(wanted: &[f64], bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).filter(|&i| wanted[i].is_finite()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut places = wanted.to_vec();
    let mut least = TOP;
    for &i in &order {
        places[i] = places[i].max(least);
        least = places[i] + LINE;
    }
    let mut greatest = bottom;
    for &i in order.iter().rev() {
        places[i] = places[i].min(greatest);
        greatest = places[i] - LINE;
    }
    places
}

/// Those that have room for a label below the axis.
fn labelled(values: impl Iterator<Item = f64>, axis: &Axis) -> Vec<f64> {
    let mut shown: Vec<f64> = Vec::new();
    for value in values {
        if shown.last().is_none_or(|last| axis.at(value) - axis.at(*last) >= BESIDE) {
            shown.push(value);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_has_equal_steps_for_equal_factors() {
        let axis = Axis::of([1.0, 100.0, 10.0].into_iter(), (0.0, 200.0)).unwrap();
        assert_eq!([1.0, 10.0, 100.0].map(|value| axis.at(value).round()), [0.0, 100.0, 200.0]);
        assert_eq!(axis.ticks(), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(labelled([1.0, 1.1, 10.0, 100.0].into_iter(), &axis), [1.0, 10.0, 100.0]);
        assert!(Axis::of([3.0, 3.0].into_iter(), (0.0, 1.0)).is_none());
        assert!(Axis::of([0.0, 3.0].into_iter(), (0.0, 1.0)).is_none());
    }

    #[test]
    fn no_label_hides_another_and_none_leaves_the_drawing() {
        let bottom = TOP + 4.0 * LINE;
        let places = apart(&[20.0, 20.0, 21.0, f64::NAN, bottom], bottom);
        let mut found: Vec<f64> = places.into_iter().filter(|place| place.is_finite()).collect();
        found.sort_by(f64::total_cmp);
        assert!(found.windows(2).all(|pair| pair[1] - pair[0] >= LINE - 1e-9), "{found:?}");
        assert!(found[0] >= TOP && found[3] <= bottom, "{found:?}");
    }
}
