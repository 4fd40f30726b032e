//! The data of pictures of a quantity: its median for each algorithm and value of the range, with a band
//! around it.

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_stats::{Interval, Summary};
use assay_store::CellResult;
use clap::ValueEnum;

use super::is_drawable;
use crate::RangeAxis;
use crate::export::caption::named;
use crate::{Gap, Quantity, Report};

/// What is drawn around a median.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Band {
    /// The interval that covers the median with 95 %, by how rounds differ
    #[default]
    Interval,
    /// From the least repetition to the greatest
    Range,
    /// From the first quartile to the third
    Quartiles,
    /// Nothing
    None,
}

impl Band {
    /// In words.
    pub fn words(self) -> Option<&'static str> {
        match self {
            Band::Interval => Some("95 % interval of the median"),
            Band::Range => Some("from the least repetition to the greatest"),
            Band::Quartiles => Some("from the first quartile to the third"),
            Band::None => None,
        }
    }
}

/// A quantity of several algorithms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name of the quantity with its unit: "search time in µs".
    pub quantity: String,
    /// What varies along the lines.
    pub axis: RangeAxis,
    /// The kind of band.
    pub band: Band,
    /// The values that are asked for, ascending, including those without a figure, at which lines break.
    pub asked: Vec<u64>,
    /// One for each algorithm, in the order of the run.
    pub lines: Vec<Curve>,
}

/// A quantity of one algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its id.
    pub algorithm: String,
    /// The points with a figure, ascending by value of the range.
    pub points: Vec<CurvePoint>,
    /// The values without a figure, because the quantity is missing in some repetitions.
    pub gaps: Vec<Gap>,
}

/// A quantity of one algorithm at one value of the range.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// The value: the pattern length in bytes, unless something else varies.
    pub value: u64,
    /// Its median over the repetitions.
    pub median: f64,
    /// The band around it.
    pub band: Option<Interval>,
    /// The figures of the repetitions, ascending; empty if pictures need the median alone.
    pub repetitions: Vec<f64>,
}

impl Series {
    /// The series of a report.
    ///
    /// # Errors
    /// If a metric fails, or the measurements can't be read again.
    pub fn of_report(report: &Report, quantity: &Quantity, call: Option<Call>, band: Band) -> Result<Self> {
        let mut lines = Vec::new();
        for algorithm in report.algorithms() {
            let full = report.fulldata(algorithm).expect("it is one of them");
            let (mut points, mut gaps) = (Vec::new(), Vec::new());
            for (range, value) in full.range().enumerate() {
                let found =
                    report.metric_values(quantity, call, algorithm, range..range + 1)?.values.remove(0);
                gaps.extend(Gap::new(value, &found));
                // A quantity that is missing in one repetition has no figure.
                let Some(found) = found.into_iter().collect::<Option<Vec<f64>>>() else { continue };
                let pairs = report.by_round(quantity, full, range, found)?.into_iter();
                let pairs = pairs.filter(|(_, value)| is_drawable(*value));
                points.extend(CurvePoint::new(value, pairs.collect(), band));
            }
            lines.push(Curve { algorithm: algorithm.to_owned(), points, gaps });
        }
        Ok(Series {
            quantity: named(report, quantity, call),
            axis: RangeAxis::new(&report.facts),
            band,
            asked: report.range(),
            lines,
        })
    }

    /// The series of results, whose statistics are known.
    pub(crate) fn of_cells<'a>(
        quantity: String,
        axis: RangeAxis,
        cells: impl Iterator<Item = &'a CellResult>,
        summary: impl Fn(&CellResult) -> Option<Summary>,
    ) -> Self {
        let (mut lines, mut asked): (Vec<Curve>, Vec<u64>) = Default::default();
        for cell in cells {
            asked.push(cell.value());
            let drawable = summary(cell).filter(|summary| is_drawable(summary.med));
            let points = drawable.map(|Summary { med, ci95, .. }| CurvePoint {
                value: cell.value(),
                median: med,
                band: ci95,
                repetitions: Vec::new(),
            });
            match lines.iter_mut().find(|line| line.algorithm == cell.algorithm) {
                Some(line) => line.points.extend(points),
                None => lines.push(Curve {
                    algorithm: cell.algorithm.clone(),
                    points: points.into_iter().collect(),
                    gaps: Vec::new(),
                }),
            }
        }
        for line in &mut lines {
            line.points.sort_by_key(|point| point.value);
        }
        asked.sort_unstable();
        asked.dedup();
        Series { quantity, axis, band: Band::Interval, asked, lines }
    }

    /// The values of the range with figures, ascending.
    pub fn values(&self) -> Vec<u64> {
        let mut values: Vec<u64> = self.points().map(|point| point.value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The algorithms for which the quantity is missing in some repetitions, with these gaps.
    pub fn gaps(&self) -> impl Iterator<Item = (&str, &[Gap])> {
        let lines = self.lines.iter().filter(|line| !line.gaps.is_empty());
        lines.map(|line| (line.algorithm.as_str(), &line.gaps[..]))
    }

    /// Every point of every line.
    pub fn points(&self) -> impl Iterator<Item = &CurvePoint> + Clone {
        self.lines.iter().flat_map(|line| &line.points)
    }

    /// The explanation below a picture.
    pub fn note(&self) -> String {
        let shown = self.points().any(|point| point.band.is_some());
        match self.band.words().filter(|_| shown) {
            Some(words) => format!("median; band: {words}"),
            None => "median".to_owned(),
        }
    }
}

impl Curve {
    /// The points in pieces that a line joins. The line breaks at a value that was asked for and has no
    /// figure.
    pub fn pieces(&self, asked: &[u64]) -> impl Iterator<Item = &[CurvePoint]> {
        self.points.chunk_by(|one, next| {
            let mut between = asked.iter().filter(|value| (one.value + 1..next.value).contains(value));
            between.next().is_none()
        })
    }

    /// The point at a value of the range.
    pub fn at(&self, value: u64) -> Option<&CurvePoint> {
        self.points.iter().find(|point| point.value == value)
    }
}

impl CurvePoint {
    /// The point of these repetitions, each with its round. `None` if there are none.
    fn new(value: u64, repetitions: Vec<(u32, f64)>, band: Band) -> Option<Self> {
        let mut values: Vec<f64> = repetitions.iter().map(|(_, value)| *value).collect();
        let Summary { min, med, max, ci95, .. } = Summary::of_rounds(repetitions)?;
        values.sort_unstable_by(f64::total_cmp);
        let band = match band {
            Band::Interval => ci95,
            Band::Range => Some(Interval { low: min, high: max }),
            Band::Quartiles => Some(Interval { low: quantile(&values, 0.25), high: quantile(&values, 0.75) }),
            Band::None => None,
        };
        Some(CurvePoint { value, median: med, band, repetitions: values })
    }
}

/// A quantile of ascending values, with linear interpolation between the two next to it.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let place = share * (values.len() - 1) as f64;
    let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subset;
    use crate::tests::report;

    fn series(band: Band, values: Option<Vec<u64>>) -> Series {
        let rows =
            "a,4,0,ok,3,1,2,3\na,4,1,ok,3,1,6,7\na,4,2,ok,3,1,4,5\na,8,0,ok,3,1,9,9\nb,4,0,crashed,,,,\n";
        let report = report(rows).subset(&Subset { values, ..Subset::default() }).unwrap();
        Series::of_report(&report, &Quantity::Measured("ns".into()), Some(Call::Search), band).unwrap()
    }

    #[test]
    fn a_point_is_the_median_with_its_band() {
        for (band, expected) in [
            (Band::Interval, None),
            (Band::Range, Some((2.0, 6.0))),
            (Band::Quartiles, Some((3.0, 5.0))),
            (Band::None, None),
        ] {
            let series = series(band, None);
            assert_eq!((series.values(), series.lines[0].points[0].median), (vec![4, 8], 4.0));
            assert_eq!(series.lines[1].points, [], "a crashed cell has no figure");
            let ends = series.lines[0].points[0].band.map(|band| (band.low, band.high));
            assert_eq!(ends, expected, "{band:?}");
        }
    }

    /// The numbers of points in the pieces of the first line.
    fn pieces(series: &Series) -> Vec<usize> {
        series.lines[0].pieces(&series.asked).map(<[CurvePoint]>::len).collect()
    }

    #[test]
    fn what_is_missing_in_one_repetition_is_not_drawn() {
        let rows =
            "a,2,0,ok,3,1,2,3\na,4,0,ok,3,1,2,3\na,4,1,ok,3,1,,7\na,8,0,ok,3,1,9,9\na,16,0,ok,3,1,9,9\n";
        let ns = Quantity::Measured("ns".into());
        let report = report(rows);
        let series = |values| {
            let report = report.subset(&Subset { values, ..Subset::default() }).unwrap();
            Series::of_report(&report, &ns, Some(Call::Search), Band::None).unwrap()
        };
        let all = series(None);
        let gap = Gap { value: 4, missing: 1, of: 2 };
        assert_eq!((all.values(), all.lines[0].gaps.as_slice()), (vec![2, 8, 16], &[gap][..]));
        assert_eq!(pieces(&all), [1, 2], "the line breaks where its only algorithm has no figure");
        assert_eq!(pieces(&series(Some(vec![2, 8]))), [2], "a series without 4 has no gap");
    }

    #[test]
    fn some_values_can_be_chosen_and_the_quantity_is_named() {
        let series = series(Band::Range, Some(vec![8]));
        assert_eq!((series.values(), series.quantity.as_str()), (vec![8], "search time in ns"));
        assert_eq!(series.note(), "median; band: from the least repetition to the greatest");
    }

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!(
            [0.0, 0.25, 0.5, 1.0].map(|share| quantile(&[1.0, 2.0, 4.0], share)),
            [1.0, 1.5, 2.0, 4.0]
        );
        assert_eq!(quantile(&[3.0], 0.9), 3.0);
    }
}
