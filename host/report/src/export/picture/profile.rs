//! Performance profiles (E. D. Dolan, J. J. More: Benchmarking optimization software with performance
//! profiles, 2002): in the share of all cases in which an algorithm takes at most a given multiple of the
//! best time.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::contest::Contest;
use super::label::width;
use super::lines::labels;
use super::palette::Palette;
use super::sheet::{Drawn, FAINT, LINE, Pixel, Plot, Sheet};

/// The size in pixels.
pub(super) fn size(contest: &Contest) -> (f64, f64) {
    (720.0, (LINE * contest.algorithms.len() as f64 + 90.0).max(430.0))
}

/// The numbers of the algorithms that were measured on every text: who was not there did not fail.
fn everywhere(contest: &Contest) -> Vec<usize> {
    let there = |number: &usize| contest.texts.iter().all(|text| text.present.contains(number));
    (0..contest.algorithms.len()).filter(there).collect()
}

/// The ratios of some algorithms, ascending, and the number of cases.
fn ratios(contest: &Contest, numbers: &[usize]) -> (Vec<Vec<f64>>, usize) {
    let compared = || contest.cells().filter(|cell| !cell.best.is_empty());
    let curve = |number: usize| {
        let mut ratios: Vec<f64> = compared().filter_map(|cell| cell.ratios[number]).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios
    };
    (numbers.iter().map(|&number| curve(number)).collect(), compared().count())
}

/// Draws it. Cases without any comparison are left out. A case in which the algorithm has no time counts as
/// never reached.
pub(super) fn draw<D: DrawingBackend>(
    contest: &Contest,
    palette: &Palette,
    sheet: &Sheet<'_, D>,
) -> Drawn<D> {
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
        let share = |done: usize| done as f64 / cases.max(1) as f64;
        let mut path: Vec<Pixel> = vec![plot.at(1.0, 0.0)];
        for (done, &ratio) in ratios.iter().enumerate() {
            path.extend([plot.at(ratio, share(done)), plot.at(ratio, share(done + 1))]);
        }
        let end = (plot.right, plot.y_at(share(ratios.len())));
        path.push(end);
        sheet.line(&path, look.colour, 1.8)?;
        // Where lines lie on each other, the points still tell whose they are.
        for (done, &ratio) in ratios.iter().enumerate() {
            sheet.marker(look, plot.at(ratio, share(done + 1)))?;
        }
        ends.push(Some(end));
    }
    // Those whose lines end at one place stand in the order in which they came there.
    let area = |ratios: &Vec<f64>| ratios.iter().map(|ratio| ratio.ln()).sum::<f64>();
    let nudged = ends.iter().zip(&ratios).map(|(end, ratios)| end.map(|(x, y)| (x, y + 1e-6 * area(ratios))));
    labels(&algorithms, &nudged.collect::<Vec<_>>(), palette, &plot, sheet)
}

#[cfg(test)]
mod tests {
    use super::super::contest::ContestText;
    use super::*;

    #[test]
    fn a_profile_counts_the_cases_that_can_be_told() {
        let (ratios, cases) = ratios(&super::super::contest::tests::example(), &[0, 1, 2]);
        assert_eq!((cases, ratios.iter().map(Vec::len).collect::<Vec<_>>()), (2, vec![1, 1, 2]));
        assert_eq!(ratios[2][0], 1.0);
    }

    #[test]
    fn who_was_not_on_every_text_is_left_out() {
        let mut contest = super::super::contest::tests::example();
        contest.texts.push(ContestText { present: vec![0, 2], ..contest.texts[0].clone() });
        assert_eq!(everywhere(&contest), [0, 2]);
    }
}
