//! Differences between a merged table and an ideal one, in which all events were measured together.

mod compared;

use assay_base::error::{Error, Result};
use assay_base::io::console::{abridged, counted};
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_plugin_api::Column;

use compared::Pairs;

use super::statistics::deviation;

/// Titles of the table of measures.
const TITLES: [&str; 9] =
    ["measure", "compared", "mean", "size", "size_by_chance", "square", "square_by_chance", "largest", "of"];
/// Explanation of the titles, for people.
const LEGEND: &str = "\
Differences are merged less ideal. compared: pairs, or events, of the mean; size: mean of the differences without their signs;
square: mean of their squares; by_chance: the same between even and odd rows of the ideal, halved (squares quartered).
";
/// Decimals of the measures, because squares of differences are small.
const DECIMALS: usize = 6;

/// A measure over pairs of events (or over events): differences, merged less ideal.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// What is compared.
    pub what: &'static str,
    /// Number of pairs or events.
    pub compared: usize,
    /// Mean of the differences, with their signs.
    pub mean: f64,
    /// Mean of their sizes.
    pub mean_size: f64,
    /// Mean of their squares.
    pub mean_square: f64,
    /// The largest difference, with its sign.
    pub largest: f64,
    /// The event or the two events with the largest difference.
    pub of: Vec<String>,
}

/// A merged table against an ideal one.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// Rows of the ideal table.
    pub rows: usize,
    /// Events that the ideal table holds and the merged one does not.
    pub not_merged: Vec<String>,
    /// Events that the merged table holds and the ideal one does not.
    pub not_ideal: Vec<String>,
    /// Events that never change in one of the tables: they have no correlation, and no deviation.
    pub constant: Vec<String>,
    /// Each measure, with the value that chance alone gives it in the ideal table: its even rows compared
    /// with its odd ones. The two halves differ by twice the error of the whole, so half of their difference
    /// is the limit below which a measure shows nothing. `None` if the ideal table has fewer than 4 rows.
    pub measures: Vec<(Measure, Option<Measure>)>,
}

/// Compares the events that both tables hold; pairs with `anchor`, if there is one, also get lines of their
/// own.
///
/// # Errors
/// If the tables have less than two events in common, one has no row, the ideal holds an event twice, or a
/// value is not finite.
pub fn validate(merged: &[Column<'_>], ideal: &[Column<'_>], anchor: Option<&str>) -> Result<Validation> {
    let mut common = Vec::new();
    for column in ideal {
        if ideal.iter().filter(|other| other.name == column.name).count() > 1 {
            return Err(Error::new(format!("the ideal table holds `{}` twice", column.name))
                .remedy("remove one of the two columns"));
        }
        if let Some(made) = merged.iter().find(|made| made.name == column.name) {
            for (table, values) in [("merged", &made.values), ("ideal", &column.values)] {
                if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
                    let name = &column.name;
                    return Err(Error::new(format!("the {table} table lacks a value of `{name}`"))
                        .remedy("remove the column, or the rows without a value"));
                }
            }
            common.push((column.name.as_str(), &*made.values, &*column.values));
        }
    }
    if common.len() < 2 {
        return Err(Error::new("the merged and the ideal table have less than two events in common")
            .remedy("the ideal table needs the same names of events in its header"));
    }
    let names: Vec<&str> = common.iter().map(|(name, ..)| *name).collect();
    let made: Vec<&[f64]> = common.iter().map(|(_, made, _)| *made).collect();
    let true_ones: Vec<&[f64]> = common.iter().map(|(.., ideal)| *ideal).collect();
    let rows = true_ones[0].len();
    let measures = compare(&names, &Pairs::from_columns(&made), &Pairs::from_columns(&true_ones), anchor);
    let noise = (rows >= 4).then(|| {
        let half = |from: usize| -> Vec<Vec<f64>> {
            true_ones.iter().map(|values| values.iter().skip(from).step_by(2).copied().collect()).collect()
        };
        let [even, odd] = [half(0), half(1)];
        let slices =
            |half: &'_ [Vec<f64>]| Pairs::from_columns(&half.iter().map(Vec::as_slice).collect::<Vec<_>>());
        compare(&names, &slices(&even), &slices(&odd), anchor).into_iter().map(Measure::halved).collect()
    });
    let lacking = |one: &[Column<'_>], other: &[Column<'_>]| {
        let has = |column: &&Column<'_>| !other.iter().any(|known| known.name == column.name);
        one.iter().filter(has).map(|column| column.name.clone()).collect()
    };
    let changes = |values: &[f64]| deviation(values) > 0.0;
    let constant = common.iter().filter(|(_, made, ideal)| !changes(made) || !changes(ideal));
    Ok(Validation {
        rows,
        not_merged: lacking(ideal, merged),
        not_ideal: lacking(merged, ideal),
        constant: constant.map(|(name, ..)| (*name).to_owned()).collect(),
        measures: paired(measures, noise),
    })
}

/// Pairs each measure with that of chance of the same kind.
fn paired(measures: Vec<Measure>, noise: Option<Vec<Measure>>) -> Vec<(Measure, Option<Measure>)> {
    let mut noise = noise.unwrap_or_default();
    measures
        .into_iter()
        .map(|measure| {
            let place = noise.iter().position(|noise| noise.what == measure.what);
            (measure, place.map(|place| noise.swap_remove(place)))
        })
        .collect()
}

impl Validation {
    /// All measures in the format; as JSON an object with the rows of the ideal beside them.
    pub fn render(&self, format: OutputFormat) -> String {
        let mut table = Table::new(TITLES);
        let number =
            |value: Option<f64>| value.map_or(Datum::Missing, |value| Datum::Number(value, DECIMALS));
        for (measure, noise) in &self.measures {
            let noise = noise.as_ref();
            table.push([
                measure.what.into(),
                Datum::Number(measure.compared as f64, 0),
                number(Some(measure.mean)),
                number(Some(measure.mean_size)),
                number(noise.map(|noise| noise.mean_size)),
                number(Some(measure.mean_square)),
                number(noise.map(|noise| noise.mean_square)),
                number(Some(measure.largest)),
                measure.of.join(", ").into(),
            ]);
        }
        match format {
            OutputFormat::Json => {
                let object = serde_json::json!({
                    "ideal_rows": self.rows,
                    "not_merged": self.not_merged,
                    "not_ideal": self.not_ideal,
                    "constant": self.constant,
                    "measures": table.json(),
                });
                format!("{object:#}\n")
            }
            OutputFormat::Table => table.render(format) + LEGEND,
            format => table.render(format),
        }
    }

    /// A sentence for each kind of events that are not compared.
    pub fn notes(&self) -> Vec<String> {
        let note = |events: &[String], what: &str| {
            (!events.is_empty()).then(|| format!("not compared, {what}: {}", abridged(events)))
        };
        let constant = note(&self.constant, "but for their joint distribution, since they never change");
        let pairs = counted(self.constant.len(), "event");
        [
            note(&self.not_merged, "since the merged table lacks them"),
            note(&self.not_ideal, "since the ideal table lacks them"),
            constant.map(|note| format!("{note} ({pairs})")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl Measure {
    /// The measure of these differences, one or more for each pair or event; `None` if there are none.
    fn new<'a>(
        what: &'static str,
        differences: impl Iterator<Item = (Vec<f64>, Vec<&'a str>)>,
    ) -> Option<Self> {
        let differences: Vec<_> = differences.filter(|(by, _)| !by.is_empty()).collect();
        let all = || differences.iter().flat_map(|(by, _)| by);
        let count = all().count() as f64;
        let mean = |of: fn(f64) -> f64| all().map(|by| of(*by)).sum::<f64>() / count;
        let single = differences.iter().flat_map(|(by, of)| by.iter().map(move |by| (*by, of)));
        let (largest, of) = single.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
        let of = of.iter().map(|name| (*name).to_owned()).collect();
        let [mean, mean_size, mean_square] = [mean(|by| by), mean(f64::abs), mean(|by| by * by)];
        Some(Measure { what, compared: differences.len(), mean, mean_size, mean_square, largest, of })
    }

    fn halved(self) -> Self {
        Measure {
            mean: self.mean / 2.0,
            mean_size: self.mean_size / 2.0,
            mean_square: self.mean_square / 4.0,
            largest: self.largest / 2.0,
            ..self
        }
    }
}

fn compare(names: &[&str], made: &Pairs, ideal: &Pairs, anchor: Option<&str>) -> Vec<Measure> {
    let d = names.len();
    let pairs = || (0..d).flat_map(move |i| (i + 1..d).map(move |j| (i, j)));
    let with_anchor =
        |&(i, j): &(usize, usize)| [names[i], names[j]].into_iter().any(|name| Some(name) == anchor);
    let difference = |of: &dyn Fn(&Pairs) -> &[Option<f64>], what: &'static str, only_anchor: bool| {
        let pairs = pairs().filter(|pair| !only_anchor || with_anchor(pair));
        let apart = pairs.map(|(i, j)| {
            let difference = of(made)[i * d + j].zip(of(ideal)[i * d + j]).map(|(made, ideal)| made - ideal);
            (difference.into_iter().collect(), vec![names[i], names[j]])
        });
        Measure::new(what, apart)
    };
    let apart = |made: &[f64], ideal: &[f64], scale: f64| -> Vec<f64> {
        made.iter().zip(ideal).map(|(made, ideal)| (made - ideal) / scale).collect()
    };
    let copula =
        pairs().map(|(i, j)| (apart(&made.copula(i, j), &ideal.copula(i, j), 1.0), vec![names[i], names[j]]));
    let copula = Measure::new("joint distribution of two events", copula);
    let changing = names.iter().enumerate().filter(|(i, _)| ideal.deviation[*i] > 0.0);
    let quantiles = changing
        .map(|(i, name)| (apart(&made.quantiles[i], &ideal.quantiles[i], ideal.deviation[i]), vec![*name]));
    let mut measures = vec![
        difference(&|pairs| &pairs.pearson, "Pearson correlation", false),
        difference(&|pairs| &pairs.spearman, "Spearman correlation", false),
        copula,
        difference(&|pairs| &pairs.top, "chance that both are in the top tenth", false),
        Measure::new("quantiles, in standard deviations", quantiles),
    ];
    if anchor.is_some() {
        measures.push(difference(&|pairs| &pairs.pearson, "Pearson correlation with the anchor", true));
        measures.push(difference(&|pairs| &pairs.spearman, "Spearman correlation with the anchor", true));
    }
    measures.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
