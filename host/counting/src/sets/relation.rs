//! Relations that hold for the counts of every search: `misses <= accesses`, `0 < instructions`.

use assay_base::formula::Formula;

/// Two formulas: the first must be less than the second, or at most equal to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Relation {
    text: String,
    sides: [Formula; 2],
    strict: bool,
}

impl Relation {
    /// Reads a relation.
    ///
    /// # Errors
    /// Says in a sentence what is wrong.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (sides, strict) = match (text.split_once("<="), text.split_once('<')) {
            (Some(sides), _) => (sides, false),
            (None, Some(sides)) => (sides, true),
            (None, None) => return Err(format!("`{text}` has neither `<` nor `<=`")),
        };
        let side =
            |side: &str| Formula::parse(side).map_err(|mistake| format!("in `{}`: {mistake}", side.trim()));
        let sides = [side(sides.0)?, side(sides.1)?];
        Ok(Relation { text: text.to_owned(), sides, strict })
    }

    /// The names in it, first those of the left side. A name on both sides is listed twice.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.sides.iter().flat_map(Formula::names).map(String::as_str).collect()
    }

    /// The relation with other names in the place of its own.
    pub(crate) fn in_words(&self, called: impl Fn(&str) -> String) -> String {
        let mut names: Vec<&str> = self.names();
        // One name may be the beginning of another, so the longer one is replaced first.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        let mut sentence = String::new();
        let mut rest = self.text.as_str();
        while let Some(letter) = rest.chars().next() {
            let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let word = &rest[..rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())];
            let part = if word.is_empty() { &rest[..letter.len_utf8()] } else { word };
            sentence += &if names.contains(&word) { called(word) } else { part.to_owned() };
            rest = &rest[part.len()..];
        }
        sentence
    }

    /// Whether it holds for these values, in the order of [`names`](Self::names).
    pub(crate) fn holds(&self, values: &[f64]) -> bool {
        let (left, right) = values.split_at(self.sides[0].names().len());
        match (self.sides[0].value(left), self.sides[1].value(right)) {
            (Some(left), Some(right)) if self.strict => left < right,
            (Some(left), Some(right)) => left <= right,
            // A side without a value, such as a division by 0, contradicts nothing.
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_holds_or_not() {
        let at_most = Relation::parse("hits <= all - misses").unwrap();
        assert_eq!(at_most.names(), ["hits", "all", "misses"]);
        assert!(at_most.holds(&[3.0, 5.0, 2.0]) && !at_most.holds(&[4.0, 5.0, 2.0]));
        let more = Relation::parse("0 < n").unwrap();
        assert!(more.holds(&[1.0]) && !more.holds(&[0.0]));
        assert!(Relation::parse("1 / n < 5").unwrap().holds(&[0.0]));
        assert!(Relation::parse("n = 5").is_err() && Relation::parse("n < ").is_err());
    }

    #[test]
    fn it_is_printed_with_the_names_of_events() {
        let sentence = Relation::parse("miss <= 2*misses").unwrap().in_words(|name| format!("perf:{name}"));
        assert_eq!(sentence, "perf:miss <= 2*perf:misses");
    }
}
