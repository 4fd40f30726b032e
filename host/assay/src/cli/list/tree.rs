//! The picture of `assay list --tree`: each algorithm under the one on which it builds.

use super::lineage::{Lineage, year};

/// The greatest number of columns of a line.
const WIDTH: usize = 80;

/// A name that is cut to fewer columns than that says nothing.
const SHORTEST_NAME: usize = 8;

/// How many further parents a line names, so that the name of the algorithm has room.
const NAMED_PARENTS: usize = 2;

/// The trees of the algorithms. An algorithm that builds on several stands under the first of them that is
/// there, and its line names the others.
pub(super) fn draw(lineage: &Lineage) -> String {
    let count = lineage.rows().len();
    let parents: Vec<Option<usize>> =
        (0..count).map(|row| lineage.parents(row).find_map(|(_, place)| place)).collect();
    let mut children = vec![Vec::new(); count];
    for (row, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(row);
        }
    }
    let mut drawing = TreeDrawing { lineage, children, drawn: vec![false; count], text: String::new() };
    let roots = (0..count).filter(|row| parents[*row].is_none());
    // Rows that build on each other in a circle have no root, so the first of them is drawn as one.
    for row in roots.chain(0..count) {
        drawing.add(row, None, "", "");
    }
    drawing.text
}

/// What is drawn so far.
struct TreeDrawing<'l, 'a> {
    lineage: &'l Lineage<'a>,
    /// The rows that stand under each row, in their order.
    children: Vec<Vec<usize>>,
    /// Which rows are in the text already.
    drawn: Vec<bool>,
    text: String,
}

impl TreeDrawing<'_, '_> {
    /// Draws a row and what stands under it, unless it is drawn already: `lead` stands before the row, and
    /// `margin` before the rows under it.
    fn add(&mut self, row: usize, parent: Option<usize>, lead: &str, margin: &str) {
        if std::mem::replace(&mut self.drawn[row], true) {
            return;
        }
        let line = self.line(row, parent, lead);
        self.text += &line;
        self.text.push('\n');
        let children: Vec<usize> =
            self.children[row].iter().copied().filter(|child| !self.drawn[*child]).collect();
        for (place, child) in children.iter().enumerate() {
            let is_last = place + 1 == children.len();
            let (branch, space) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.add(*child, Some(row), &format!("{margin}{branch}"), &format!("{margin}{space}"));
        }
    }

    /// The line of a row: year, ids, as much of the name as fits, and the parents under which it does not
    /// stand.
    fn line(&self, row: usize, parent: Option<usize>, lead: &str) -> String {
        let shown = &self.lineage.rows()[row];
        let year = year(shown.first()).map(|year| format!("{year} ")).unwrap_or_default();
        let head = format!("{lead}{year}{}", shown.ids());
        let note = self.other_parents(row, parent);
        let room = WIDTH.saturating_sub(head.chars().count() + "  ".len() + note.chars().count());
        match shortened(&shown.title().unwrap_or_default(), room) {
            name if name.is_empty() => head + &note,
            name => format!("{head}  {name}{note}"),
        }
    }

    /// The parents under which a row does not stand, as the end of its line.
    fn other_parents(&self, row: usize, parent: Option<usize>) -> String {
        let others: Vec<String> = self
            .lineage
            .parents(row)
            .filter(|(_, place)| place.is_none() || *place != parent)
            .map(|named| self.lineage.label(named))
            .collect();
        let also = if parent.is_some() { "also " } else { "" };
        match others.len() {
            0 => String::new(),
            count if count <= NAMED_PARENTS => format!(", {also}after {}", others.join(" and ")),
            count => {
                let first = others[..NAMED_PARENTS].join(", ");
                format!(", {also}after {first} and {} more", count - NAMED_PARENTS)
            }
        }
    }
}

/// A name in this many columns: without what ends it in brackets, or else cut, with dots at its end, or empty
/// if that leaves too little of it.
fn shortened(name: &str, columns: usize) -> String {
    let without_brackets = name.rsplit_once(" (").map_or(name, |(base, _)| base);
    if let Some(name) = [name, without_brackets].into_iter().find(|name| name.chars().count() <= columns) {
        return name.to_owned();
    }
    if columns < SHORTEST_NAME {
        return String::new();
    }
    let cut: String = without_brackets.chars().take(columns - "..".len()).collect();
    cut.trim_end().to_owned() + ".."
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::Listing;

    use super::super::lineage::tests::algorithm;
    use super::*;

    /// The picture of these algorithms, line by line.
    fn drawn(algorithms: &[Listing]) -> Vec<String> {
        draw(&Lineage::new(algorithms, true)).lines().map(str::to_owned).collect()
    }

    #[test]
    fn children_stand_under_their_first_parent_by_year_and_then_by_id() {
        let algorithms = [
            algorithm("kr", "1987", ""),
            algorithm("undated", "", "hor"),
            algorithm("zt", "1987", "bm"),
            algorithm("br", "1999", "zt, hor"),
            algorithm("hor", "1980", "bm"),
            algorithm("bmh2", "2008", "hor"),
            algorithm("bmh4", "2008", "hor"),
            algorithm("bm", "1977", ""),
        ];
        let expected = [
            "1977 bm  Search",
            "├─ 1980 hor  Search",
            "│  ├─ 2008 bmh2..4  Search (2 variants)",
            "│  └─ undated  Search",
            "└─ 1987 zt  Search",
            "   └─ 1999 br  Search, also after hor",
            "1987 kr  Search",
        ];
        assert_eq!(drawn(&algorithms), expected);
    }

    #[test]
    fn what_is_not_listed_is_named_by_what_builds_on_it() {
        let algorithms = [
            algorithm("bndm", "1998", "rf, so"),
            algorithm("sbndm", "2003", "elsewhere, bndm"),
            algorithm("own", "2026", "a, b, c, bndm"),
        ];
        let expected = [
            "1998 bndm  Search, after rf and so",
            "├─ 2003 sbndm  Search, also after elsewhere",
            "└─ 2026 own  Search, also after a, b and 1 more",
        ];
        assert_eq!(drawn(&algorithms), expected);
    }

    #[test]
    fn algorithms_that_build_on_each_other_are_drawn_once() {
        let algorithms =
            [algorithm("one", "1990", "two"), algorithm("two", "1991", "one"), algorithm("it", "1992", "it")];
        assert_eq!(
            drawn(&algorithms),
            ["1992 it  Search, after it", "1990 one  Search, after two", "└─ 1991 two  Search"]
        );
    }

    #[test]
    fn a_long_name_is_cut_and_a_line_stays_within_its_columns() {
        let mut long = algorithm("fsbndmq-b21", "2014", "fsbndmq, sbndm");
        long.facts[0].1 = "Forward SBNDM with q-grams, f look-ahead characters and 2-byte reads".to_owned();
        let [line] = drawn(std::slice::from_ref(&long)).try_into().unwrap();
        assert!(line.ends_with(".., after fsbndmq and sbndm") && line.chars().count() <= WIDTH, "{line}");
        assert_eq!(["Ďurian", "A name that is long"].map(|name| shortened(name, 8)), ["Ďurian", "A name.."]);
        assert_eq!(
            ["A name (9 variants)", "A name that is long"].map(|name| shortened(name, 7)),
            ["A name", ""]
        );
    }
}
