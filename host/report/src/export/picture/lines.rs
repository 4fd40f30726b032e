//! Lines over the range, with their bands and the names of the algorithms at their ends.

use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::label::width;
use super::palette::Palette;
use super::series::{CurvePoint, Series};
use super::sheet::{DrawResult, FAINT, INK, LINE, Pixel, Plot, Sheet};

/// The size in pixels. The height grows with the algorithms, because each needs a line for its name.
pub(super) fn size(series: &Series) -> (f64, f64) {
    (720.0, (LINE * series.lines.len() as f64 + 90.0).max(430.0))
}

/// Draws the picture; without any figure, it stays empty.
pub(super) fn draw<D: DrawingBackend>(
    series: &Series,
    palette: &Palette,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    let (wide, high) = size(series);
    let names = series.lines.iter().map(|line| width(&line.algorithm)).fold(0.0, f64::max);
    let ends = series.points().flat_map(|point| match point.band {
        Some(band) => [band.low, point.median, band.high],
        None => [point.median; 3],
    });
    let Some(y) = Axis::covering(ends) else { return Ok(()) };
    let figures = y.ticks().iter().map(|(_, text)| width(text)).fold(0.0, f64::max);
    let (left, right) = (figures + 34.0, wide - names - 44.0);
    let Some(x) = Axis::of_range(&series.values(), &series.axis, right - left) else { return Ok(()) };
    let plot = Plot { left, top: 14.0, right, bottom: high - 62.0, x, y };
    sheet.grid(&plot)?;
    sheet.names(&plot, &series.axis.title(), &series.quantity)?;
    sheet.text(&series.note(), (left, high - 12.0), HPos::Left, FAINT)?;
    marks(series, &plot, sheet)?;
    for line in &series.lines {
        for piece in line.pieces(&series.asked) {
            band(piece, palette.look(&line.algorithm).colour, &plot, sheet)?;
        }
    }
    for line in &series.lines {
        let look = palette.look(&line.algorithm);
        for piece in line.pieces(&series.asked) {
            let path: Vec<Pixel> = piece.iter().map(|point| plot.at_point(point)).collect();
            sheet.line(&path, look.colour, 1.8)?;
            for &place in &path {
                sheet.marker(look, place)?;
            }
        }
    }
    let names: Vec<&str> = series.lines.iter().map(|line| line.algorithm.as_str()).collect();
    let ends = series.lines.iter().map(|line| Some(plot.at_point(line.points.last()?)));
    labels(&names, &ends.collect::<Vec<_>>(), palette, &plot, sheet)
}

/// Dashed lines at the marks of the axis, such as the sizes of caches.
fn marks<D: DrawingBackend>(series: &Series, plot: &Plot, sheet: &Sheet<'_, D>) -> DrawResult<D> {
    let values = series.values();
    let (Some(least), Some(greatest)) = (values.first(), values.last()) else { return Ok(()) };
    for (value, name) in series.axis.marks(*least, *greatest) {
        let x = plot.x_at(value as f64);
        let dashes = (0..).map(|i| plot.top + 8.0 * f64::from(i)).take_while(|y| *y < plot.bottom);
        for y in dashes {
            sheet.line(&[(x, y), (x, (y + 4.0).min(plot.bottom))], FAINT, 1.0)?;
        }
        sheet.text(&name, (x + 4.0, plot.bottom - 8.0), HPos::Left, FAINT)?;
    }
    Ok(())
}

fn band<D: DrawingBackend>(
    points: &[CurvePoint],
    colour: RGBColor,
    plot: &Plot,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    let bands = points.iter().filter_map(|point| Some((point.value as f64, point.band?)));
    let above = bands.clone().map(|(value, band)| plot.at(value, band.high));
    let below = bands.rev().map(|(value, band)| plot.at(value, band.low));
    let path: Vec<Pixel> = above.chain(below).collect();
    sheet.fill(&path, colour, 0.18)
}

/// The name of each algorithm on the right, as near to the end of its line as the other names allow.
pub(super) fn labels<D: DrawingBackend>(
    names: &[&str],
    ends: &[Option<Pixel>],
    palette: &Palette,
    plot: &Plot,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    let wanted: Vec<f64> = ends.iter().map(|end| end.map_or(f64::NAN, |end| end.1)).collect();
    let labels = apart(&wanted, plot.top, plot.bottom);
    for ((name, end), label) in names.iter().zip(ends).zip(labels) {
        let Some(end) = end else { continue };
        let look = palette.look(name);
        let at = (plot.right + 24.0, label);
        sheet.line(&[(end.0 + 4.0, end.1), (at.0 - 4.0, at.1)], look.colour, 0.7)?;
        sheet.marker(look, at)?;
        sheet.text(name, (at.0 + 8.0, at.1), HPos::Left, INK)?;
    }
    Ok(())
}

/// The places of labels, as near to the wanted places as possible without hiding each other.
fn apart(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).filter(|&i| wanted[i].is_finite()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut places = wanted.to_vec();
    let mut least = top;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_hides_another_and_none_leaves_the_drawing() {
        let (top, bottom) = (14.0, 14.0 + 4.0 * LINE);
        let places = apart(&[20.0, 20.0, 21.0, f64::NAN, bottom], top, bottom);
        let mut found: Vec<f64> = places.into_iter().filter(|place| place.is_finite()).collect();
        found.sort_by(f64::total_cmp);
        assert!(found.windows(2).all(|pair| pair[1] - pair[0] >= LINE - 1e-9), "{found:?}");
        assert!(found[0] >= top && found[3] <= bottom, "{found:?}");
    }
}
