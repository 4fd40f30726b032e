//! The colours and markers of algorithms: the same in every picture of a run, and as far as possible in all
//! runs.
//!
//! A hash of its id gives an algorithm its preferred colour. If algorithms of the run with lesser ids have
//! this colour already, it gets the next colour that the fewest have. So a colour depends neither on the
//! order on the command line nor on the algorithms that a picture leaves out. Of more than [`MANY`] algorithms,
//! whose colours would repeat too often, maps and pages give colours to those alone that they show.

use std::collections::{BTreeMap, BTreeSet};

use plotters::style::RGBColor;

/// Six of the eight colours of M. Okabe and K. Ito (Color Universal Design, 2008), which people with any
/// colour vision can distinguish, and a grey. Their yellow is left out because it is invisible on white, and
/// their black because it is invisible on a dark page.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(118, 118, 118),
];

/// Of more algorithms, a map and the chart of a page have colours for a choice of them only, because a reader
/// can't distinguish more, and a browser takes long to lay out more lines and rows. The script of the page has
/// the same number.
pub(crate) const MANY: usize = 15;

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Marker {
    /// A disk.
    Disk,
    /// A square on a side.
    Square,
    /// A triangle on a side.
    Triangle,
    /// A square on a corner.
    Diamond,
    /// A triangle on a corner.
    Wedge,
    /// Two strokes.
    Cross,
}

impl Marker {
    /// In a word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Marker::Disk => "disk",
            Marker::Square => "square",
            Marker::Triangle => "triangle",
            Marker::Diamond => "diamond",
            Marker::Wedge => "wedge",
            Marker::Cross => "cross",
        }
    }
}

const MARKERS: [Marker; 6] =
    [Marker::Disk, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Wedge, Marker::Cross];

/// The colour and the marker of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// The colour of its line.
    pub colour: RGBColor,
    /// The shape of its points, which differs among algorithms of one colour.
    pub marker: Marker,
}

impl Look {
    /// The colour as style sheets write it.
    pub(crate) fn css(self) -> String {
        let RGBColor(red, green, blue) = self.colour;
        format!("#{red:02X}{green:02X}{blue:02X}")
    }
}

/// The looks of some algorithms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette(BTreeMap<String, Look>);

impl Palette {
    /// The looks of the algorithms of a run, or of several runs that are shown together.
    pub(crate) fn new<'a>(algorithms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut taken = [0; COLOURS.len()];
        let mut looks = BTreeMap::new();
        for algorithm in algorithms.into_iter().collect::<BTreeSet<_>>() {
            let preferred = hash(algorithm) as usize % COLOURS.len();
            let order = (preferred..preferred + COLOURS.len()).map(|number| number % COLOURS.len());
            let colour = order.min_by_key(|&number| taken[number]).expect("there are colours");
            let marker = MARKERS[(colour + taken[colour]) % MARKERS.len()];
            taken[colour] += 1;
            looks.insert(algorithm.to_owned(), Look { colour: COLOURS[colour], marker });
        }
        Palette(looks)
    }

    /// The look of an algorithm. One that is not among them has the look that it would have alone.
    pub(crate) fn look(&self, algorithm: &str) -> Look {
        let preferred = COLOURS[hash(algorithm) as usize % COLOURS.len()];
        self.0.get(algorithm).copied().unwrap_or(Look { colour: preferred, marker: MARKERS[0] })
    }
}

/// FNV-1a, because its result is the same on every machine and in every version of Rust.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_depends_on_the_algorithms_and_not_on_their_order() {
        let ids = ["bf", "bm", "hor", "kmp", "so", "tunedbm", "bndm"];
        let (forth, back) = (Palette::new(ids), Palette::new(ids.into_iter().rev()));
        let colours: BTreeSet<String> = ids.iter().map(|id| format!("{:?}", forth.look(id).colour)).collect();
        assert_eq!(colours.len(), COLOURS.len(), "seven are enough for seven");
        assert!(ids.iter().all(|id| forth.look(id) == back.look(id)));
        // A lone one has the colour that it prefers, in every run.
        assert_eq!(Palette::new(["bf"]).look("bf").colour, COLOURS[hash("bf") as usize % COLOURS.len()]);
    }

    #[test]
    fn looks_of_many_algorithms_differ_in_colour_or_marker() {
        let ids: Vec<String> = (0..COLOURS.len() * MARKERS.len()).map(|i| format!("a{i}")).collect();
        let palette = Palette::new(ids.iter().map(String::as_str));
        let looks: BTreeSet<String> = ids.iter().map(|id| format!("{:?}", palette.look(id))).collect();
        assert_eq!(looks.len(), ids.len());
    }
}
