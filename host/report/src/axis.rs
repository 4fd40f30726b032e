//! The axis of a table or a picture: the range of a run, with the names and labels of its values.

use assay_base::io::table::Datum;
use assay_experiment::range::Over;
use assay_experiment::size;
use assay_load::plugin::printable::line;
use assay_store::ExperimentFacts;
use assay_store::caches::CpuCache;

/// What varies along an axis of a table or a picture: the range of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeAxis {
    /// What varies.
    pub over: Over,
    /// The values that have labels, with these.
    labels: Vec<(u64, String)>,
    /// The caches of the machine, if the size of the text varies.
    caches: Vec<CpuCache>,
}

impl RangeAxis {
    /// The axis of a run: its range, or the pattern lengths if it has none.
    pub fn new(facts: &ExperimentFacts) -> Self {
        let Some(range) = &facts.range else { return RangeAxis::default() };
        let labels = range.values.iter().map(|value| (value.value, line(&value.label))).collect();
        let caches = if range.over == Over::TextBytes { facts.machine.caches.clone() } else { Vec::new() };
        RangeAxis { over: range.over, labels, caches }
    }

    /// The name of the range: `pattern length`, `text size` ..
    pub fn words(&self) -> &'static str {
        self.over.words()
    }

    /// The heading of a column of its values: `m`, `text size`.
    pub fn symbol(&self) -> &'static str {
        match self.over {
            Over::PatternLength => "m",
            _ => self.words(),
        }
    }

    /// The title of the axis of a picture, with the unit: `pattern length in bytes`.
    pub fn title(&self) -> String {
        match (self.over, self.over.unit()) {
            (Over::TextBytes, _) | (_, "") => self.words().to_owned(),
            (_, unit) => format!("{} in {unit}", self.words()),
        }
    }

    /// The heading of a panel about one value: `patterns of 8 bytes`, `text size 64 KiB`.
    pub fn heading(&self, value: u64) -> String {
        match self.over {
            Over::PatternLength => format!("patterns of {value} bytes"),
            _ => self.at(value),
        }
    }

    /// A value in a column head of a table in the terminal: `m=8`, `64 KiB`.
    pub fn short(&self, value: u64) -> String {
        match self.over {
            Over::PatternLength => format!("m={value}"),
            _ => self.label(value),
        }
    }

    /// The name of the column in files.
    pub fn column(&self) -> &'static str {
        self.over.column()
    }

    /// A value without the name of the range: `8`, `64 KiB`, `english.txt`.
    pub fn label(&self, value: u64) -> String {
        let label = self.labels.iter().find(|(known, _)| *known == value);
        label.map_or_else(|| value.to_string(), |(_, label)| label.clone())
    }

    /// A value as a cell of a table.
    pub fn cell(&self, value: u64) -> Datum {
        match self.over {
            Over::PatternLength | Over::Alphabet | Over::Threads => Datum::Number(value as f64, 0),
            Over::TextBytes | Over::Text => self.label(value).into(),
        }
    }

    /// A value in running text: `m=8`, `text size 64 KiB`.
    pub fn at(&self, value: u64) -> String {
        match self.over {
            Over::PatternLength => format!("m={value}"),
            _ => format!("{} {}", self.words(), self.label(value)),
        }
    }

    /// The sizes of the caches from `least` to below `greatest`, with names, if the size of the text varies.
    /// They matter because a text that is larger than a cache is searched at another speed.
    pub fn marks(&self, least: u64, greatest: u64) -> impl Iterator<Item = (u64, String)> {
        let within = self.caches.iter().filter(move |cache| (least..greatest).contains(&cache.bytes));
        within.map(|cache| (cache.bytes, format!("{} {}", cache.name, size::words(cache.bytes as usize))))
    }

    /// Whether the values are numbers, which have places on a scale. Texts have names only.
    pub fn is_number(&self) -> bool {
        self.over != Over::Text
    }
}

#[cfg(test)]
mod tests {
    use assay_store::testing;

    use super::*;

    #[test]
    fn the_default_axis_has_pattern_lengths() {
        let axis = RangeAxis::default();
        assert_eq!((axis.title().as_str(), axis.short(8).as_str()), ("pattern length in bytes", "m=8"));
        assert_eq!((axis.at(8).as_str(), axis.heading(8).as_str()), ("m=8", "patterns of 8 bytes"));
        assert!(axis.is_number() && axis.marks(1, 1 << 40).next().is_none());
    }

    #[test]
    fn sizes_have_labels_and_marks_for_the_caches_between_them() {
        let mut facts = testing::run_over_sizes(&[4096, 1 << 20]);
        let caches = [("L1d", 32 << 10), ("L2", 1 << 20), ("L3", 8 << 20)];
        facts.machine.caches = caches.map(|(name, bytes)| CpuCache { name: name.to_owned(), bytes }).into();
        let axis = RangeAxis::new(&facts);
        assert_eq!((axis.label(4096).as_str(), axis.label(7).as_str()), ("4 KiB", "7"));
        assert_eq!(axis.at(1 << 20), "text size 1 MiB");
        let marks: Vec<(u64, String)> = axis.marks(4096, 1 << 20).collect();
        assert_eq!(marks, [(32 << 10, "L1d 32 KiB".to_owned())]);
    }
}
