//! Titles of columns, and the events that they stand for.
//!
//! R numbers titles that are repeated in a file: the columns X1, X1 and X1 become X1, X1.1 and X1.2. A file
//! of several sub-experiments repeats events, so there the number has to go. A part of such a file may lack
//! the title without a number. Then a title that R made of a code (`X1.2`) is still clear, but a name
//! (`load.5`) is not: the number may be part of it. In a file of one sub-experiment the number of a name is
//! always part of it, because events of a sub-experiment differ.

use std::collections::HashSet;

use assay_base::error::{Error, Result, excerpt};

use super::codes::Codes;

/// The titles of one file.
pub(crate) struct Titles<'a> {
    titles: HashSet<&'a str>,
    codes: Option<&'a Codes>,
    /// Whether sub-experiments stand side by side in it, so that R numbers the titles that they share.
    is_wide: bool,
}

impl<'a> Titles<'a> {
    /// Titles in the order of the file, and the table of names if there is one. Each `width` columns are a
    /// sub-experiment; without a width, all are one.
    ///
    /// # Errors
    /// If titles may stand for one event or for several.
    pub(crate) fn new(titles: &'a [String], width: Option<usize>, codes: Option<&'a Codes>) -> Result<Self> {
        let known = titles.iter().map(String::as_str).collect();
        let all = Titles { titles: known, codes, is_wide: width.is_some() };
        if let Some(width) = width.filter(|_| all.titles.len() == titles.len()) {
            all.refuse_ambiguous(titles, width)?;
        }
        Ok(all)
    }

    /// The name of a column's event: by its code from the table, else the title without the number that R
    /// gave it.
    pub(crate) fn event(&self, title: &'a str) -> &'a str {
        self.listed(title).unwrap_or_else(|| self.without_number(title))
    }

    /// Whether the table has the event; true if there is no table.
    pub(crate) fn is_known(&self, title: &'a str) -> bool {
        self.codes
            .is_none_or(|codes| self.listed(title).is_some() || codes.has_name(self.without_number(title)))
    }

    fn listed(&self, title: &str) -> Option<&'a str> {
        self.codes.and_then(|codes| codes.name_of_title(title))
    }

    fn without_number(&self, title: &'a str) -> &'a str {
        match numbered(title) {
            Some(stem) if is_code_of_r(stem) || (self.is_wide && self.titles.contains(stem)) => stem,
            _ => title,
        }
    }

    /// Titles such as `load.1` and `load.5`, without `load`: one event that R numbered, whose first column
    /// was left out, or two events. They are two for certain if they were measured together, or if the file
    /// repeats a title, since R would have numbered that.
    fn refuse_ambiguous(&self, titles: &[String], width: usize) -> Result<()> {
        let mut groups: Vec<(&str, Vec<(usize, &str)>)> = Vec::new();
        for (column, title) in titles.iter().enumerate() {
            let is_open = self.listed(title).is_none() && self.without_number(title) == title;
            let Some(stem) = numbered(title).filter(|_| is_open) else { continue };
            match groups.iter_mut().find(|(other, _)| *other == stem) {
                Some((_, columns)) => columns.push((column / width, title)),
                None => groups.push((stem, vec![(column / width, title)])),
            }
        }
        for (stem, columns) in groups {
            let sub_experiments: HashSet<usize> = columns.iter().map(|(group, _)| *group).collect();
            if let [(_, first), (_, second), ..] = columns[..]
                && sub_experiments.len() == columns.len()
            {
                let [stem, first, second] = [stem, first, second].map(excerpt);
                return Err(Error::new(format!(
                    "`{first}` and `{second}` may be one event, `{stem}`, in columns that R numbered, or two events"
                ))
                .remedy(format!(
                    "if they are one, title each of its columns `{stem}`; if they are two, end neither title with \
                     a dot and a number"
                )));
            }
        }
        Ok(())
    }
}

/// A title without the number at its end: R counts 1, 2, 3 ..
fn numbered(title: &str) -> Option<&str> {
    let (stem, number) = title.rsplit_once('.')?;
    let counts = !number.starts_with('0') && is_number(number);
    (counts && !stem.is_empty()).then_some(stem)
}

/// Whether a title stands for a number: `X24`, as R writes it, or `24`, as some programs do.
fn is_code_of_r(stem: &str) -> bool {
    is_number(stem.strip_prefix('X').unwrap_or(stem))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::codes::tests::codes;
    use super::*;

    fn events(titles: &str, width: usize, codes: Option<&Codes>) -> Result<String> {
        let titles: Vec<String> = titles.split(',').map(str::to_owned).collect();
        let all = Titles::new(&titles, Some(width), codes)?;
        Ok(titles.iter().map(|title| all.event(title)).collect::<Vec<_>>().join(","))
    }

    #[test]
    fn a_code_is_what_stands_before_the_dot_in_any_part_of_a_file() {
        for (titles, expected) in [
            ("X1,X24,X1.1,X3", "X1,X24,X1,X3"),
            ("X1.1,X24,X1.2,X3", "X1,X24,X1,X3"),
            ("X1.7,X24.1,X3,X1.2", "X1,X24,X3,X1"),
            ("24.1,1,24.2,7", "24,1,24,7"),
        ] {
            assert_eq!(events(titles, 2, None).unwrap(), expected);
        }
        assert_eq!(events("X1.1,X3", 2, None).unwrap(), "X1,X3", "a file of one sub-experiment");
    }

    #[test]
    fn a_name_loses_its_number_only_beside_the_same_name_without_one() {
        assert_eq!(events("a,b,a.1,c,a.2,b.1", 2, None).unwrap(), "a,b,a,c,a,b");
        assert_eq!(events("a,load.1", 2, None).unwrap(), "a,load.1", "another file may have `load`");
        assert_eq!(events("a,p99.9,a.1,b", 2, None).unwrap(), "a,p99.9,a,b", "nothing to confuse it with");
        assert_eq!(events("a.1,b,a.01,a.x", 2, None).unwrap(), "a.1,b,a.01,a.x", "R numbers otherwise");
    }

    #[test]
    fn in_a_file_of_one_sub_experiment_names_keep_their_numbers() {
        let titles = ["A", "load", "load.1", "X1.1"].map(str::to_owned);
        let all = Titles::new(&titles, None, None).unwrap();
        assert_eq!(titles.each_ref().map(|title| all.event(title)), ["A", "load", "load.1", "X1"]);
    }

    #[test]
    fn titles_that_may_be_one_event_or_several_are_refused() {
        let error = events("a,load.1,a.1,load.5", 2, None).unwrap_err().to_string();
        assert!(
            error.starts_with("`load.1` and `load.5` may be one event, `load`, in columns that R numbered"),
            "{error}"
        );
        assert!(error.contains("title each of its columns `load`"), "{error}");
        // They are two events, because they are in one sub-experiment or the file repeats titles.
        let together = "load.1,load.5,a,b";
        assert_eq!(events(together, 2, None).unwrap(), together);
        let repeated = "a,load.1,a,load.5";
        assert_eq!(events(repeated, 2, None).unwrap(), repeated);
    }

    #[test]
    fn names_come_from_the_table_else_from_the_title() {
        let codes = codes("code,hems\r\n1, CYCLES\n24,STALLS\n").unwrap();
        let titles = ["X1", "X1.1", "X24", "X99", "X99.1", "STALLS", "a.1"].map(str::to_owned);
        let all = Titles::new(&titles, Some(1), Some(&codes)).unwrap();
        assert_eq!(
            titles.each_ref().map(|title| all.event(title)),
            ["CYCLES", "CYCLES", "STALLS", "X99", "X99", "STALLS", "a.1"]
        );
        let known = titles.each_ref().map(|title| all.is_known(title));
        assert_eq!(known, [true, true, true, false, false, true, false]);
        let all = Titles::new(&titles, Some(1), None).unwrap();
        assert!(all.is_known("X99"));
    }
}
