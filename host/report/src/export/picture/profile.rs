//! Performance profiles (E. D. Dolan, J. J. More: Benchmarking optimization software with performance
//! profiles, 2002): the share of all cases in which an algorithm takes at most a given multiple of the best
//! time.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::contest::{Contest, ContestCell};
use super::label::width;
use super::lines::labels;
use super::palette::Palette;
use super::sheet::{DrawResult, FAINT, LINE, Pixel, Plot, Sheet};

/// The size in pixels.
pub(super) fn size(contest: &Contest) -> (f64, f64) {
    (720.0, (LINE * contest.algorithms.len() as f64 + 90.0).max(430.0))
}

/// The numbers of the algorithms that were measured on every text. Others are left out, because a missing
/// measurement would count as a failure.
fn everywhere(contest: &Contest) -> Vec<usize> {
    let all = 0..contest.algorithms.len();
    all.filter(|number| contest.texts.iter().all(|text| text.present.contains(number))).collect()
}

/// The ratios of some algorithms, ascending, and the number of cases.
fn ratios(contest: &Contest, numbers: &[usize]) -> (Vec<Vec<f64>>, usize) {
    let compared: Vec<&ContestCell> = contest.cells().filter(|cell| !cell.best.is_empty()).collect();
    let mut by_algorithm = Vec::new();
    for &number in numbers {
        let mut ratios: Vec<f64> = compared.iter().filter_map(|cell| cell.ratios[number]).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        by_algorithm.push(ratios);
    }
    (by_algorithm, compared.len())
}

/// Draws the profile. Cases without a known best algorithm are left out. A case in which an algorithm has no
/// time is never reached by its line.
pub(super) fn draw<D: DrawingBackend>(
    contest: &Contest,
    palette: &Palette,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    let numbers = everywhere(contest);
    let (ratios, cases) = ratios(contest, &numbers);
    let algorithms: Vec<&str> = numbers.iter().map(|&number| contest.algorithms[number].as_str()).collect();
    let greatest = ratios.iter().flatten().copied().fold(2.0, f64::max);
    let Some(x) = Axis::covering([1.0, greatest * 1.05]) else { return Ok(()) };
    let (wide, high) = size(contest);
    let names = algorithms.iter().map(|name| width(name)).fold(0.0, f64::max);
    let plot = Plot {
        left: 62.0,
        top: 14.0,
        right: wide - names - 44.0,
        bottom: high - 62.0,
        x,
        y: Axis::linear(0.0, 1.02),
    };
    sheet.grid(&plot)?;
    let name = format!("{} over that of the best", contest.time);
    sheet.names(&plot, &name, "share of the cases")?;
    let absent = contest.algorithms.len() - algorithms.len();
    let left_out = match absent {
        0 => String::new(),
        count => format!("; {count} not on every text: left out"),
    };
    let note = format!("{cases} cases: {} and texts{left_out}", contest.axis.over.plural());
    sheet.text(&note, (plot.left, high - 12.0), HPos::Left, FAINT)?;
    let mut ends = Vec::new();
    for (algorithm, ratios) in algorithms.iter().zip(&ratios) {
        let look = palette.look(algorithm);
        let mut path: Vec<Pixel> = vec![plot.at(1.0, 0.0)];
        for (done, &ratio) in ratios.iter().enumerate() {
            path.extend([plot.at(ratio, share(done, cases)), plot.at(ratio, share(done + 1, cases))]);
        }
        let end = (plot.right, plot.y_at(share(ratios.len(), cases)));
        path.push(end);
        sheet.line(&path, look.colour, 1.8)?;
        // Points have markers, because lines may lie on each other.
        for (done, &ratio) in ratios.iter().enumerate() {
            sheet.marker(look, plot.at(ratio, share(done + 1, cases)))?;
        }
        ends.push(end);
    }
    // The labels of lines that end at one place are in the order in which the lines came there. An invisible
    // shift by the area above a line decides this order.
    for (end, ratios) in ends.iter_mut().zip(&ratios) {
        end.1 += 1e-6 * ratios.iter().map(|ratio| ratio.ln()).sum::<f64>();
    }
    let ends: Vec<Option<Pixel>> = ends.into_iter().map(Some).collect();
    labels(&algorithms, &ends, palette, &plot, sheet)
}

/// The share of the cases that are done.
fn share(done: usize, cases: usize) -> f64 {
    done as f64 / cases.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::contest::ContestText;
    use super::*;

    #[test]
    fn a_profile_counts_the_cases_with_a_known_best() {
        let (ratios, cases) = ratios(&super::super::contest::tests::example(), &[0, 1, 2]);
        assert_eq!((cases, ratios.iter().map(Vec::len).collect::<Vec<_>>()), (2, vec![1, 1, 2]));
        assert_eq!(ratios[2][0], 1.0);
    }

    #[test]
    fn algorithms_that_were_not_on_every_text_are_left_out() {
        let mut contest = super::super::contest::tests::example();
        contest.texts.push(ContestText { present: vec![0, 2], ..contest.texts[0].clone() });
        assert_eq!(everywhere(&contest), [0, 2]);
    }
}
