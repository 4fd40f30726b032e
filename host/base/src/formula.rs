//! Formulas with numbers, names, `+ - * /` and parentheses. Event sets use them for metrics, and `--runs-by`
//! for the number of repetitions of a point. A name consists of letters, digits and `_`, so that a `-` is
//! always a minus.

use std::fmt;

/// A formula. Its names are numbered in the order in which they first occur.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    names: Vec<String>,
    root: Term,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Number(f64),
    Name(usize),
    Negated(Box<Term>),
    Both(Operator, Box<[Term; 2]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

/// A mistake in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Its position, in bytes from the beginning of the formula.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is expected at letter {}", self.expected, self.at + 1)
    }
}

/// Greatest depth of nested parentheses and signs. The parser is recursive, so deeper ones would overflow the
/// stack. Formulas that people write need less than ten.
const DEEPEST: usize = 50;
/// Greatest number of numbers and names, because the function that computes a value calls itself for each
/// operator.
const MOST_TERMS: usize = 1000;

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// The first mistake.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let mut reader = Reader { text, at: 0, names: Vec::new(), depth: 0, terms: 0 };
        let root = reader.sum()?;
        match reader.next() {
            None => Ok(Formula { names: reader.names, root }),
            Some(_) => Err(reader.mistake("an operator")),
        }
    }

    /// The names in it, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The value of the formula for these values of the names, in the order of [`names`](Self::names). `None`
    /// if it is no finite number, as after a division by 0.
    pub fn value(&self, values: &[f64]) -> Option<f64> {
        Some(self.root.value(values)).filter(|value| value.is_finite())
    }
}

impl Term {
    fn value(&self, values: &[f64]) -> f64 {
        match self {
            Term::Number(number) => *number,
            Term::Name(name) => values[*name],
            Term::Negated(term) => -term.value(values),
            Term::Both(operator, terms) => {
                let [left, right] = terms.each_ref().map(|term| term.value(values));
                match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::Over => left / right,
                }
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    names: Vec<String>,
    depth: usize,
    terms: usize,
}

impl<'a> Reader<'a> {
    fn sum(&mut self) -> Result<Term, FormulaError> {
        self.chain(&[('+', Operator::Plus), ('-', Operator::Minus)], Self::product)
    }

    fn product(&mut self) -> Result<Term, FormulaError> {
        self.chain(&[('*', Operator::Times), ('/', Operator::Over)], Self::factor)
    }

    /// Terms that are joined by operators of one precedence, from left to right.
    fn chain(
        &mut self,
        operators: &[(char, Operator)],
        part: fn(&mut Self) -> Result<Term, FormulaError>,
    ) -> Result<Term, FormulaError> {
        let mut term = part(self)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.next() == Some(*sign)) {
            self.at += 1;
            term = Term::Both(*operator, Box::new([term, part(self)?]));
        }
        Ok(term)
    }

    fn factor(&mut self) -> Result<Term, FormulaError> {
        self.depth += 1;
        self.terms += 1;
        if self.depth > DEEPEST {
            return Err(self.mistake("a formula with fewer parentheses and signs within each other"));
        }
        if self.terms >= MOST_TERMS {
            return Err(self.mistake("a formula of fewer than 1000 numbers and names"));
        }
        let term = match self.next() {
            Some('(') => {
                self.at += 1;
                let term = self.sum()?;
                if self.next() != Some(')') {
                    return Err(self.mistake("`)`"));
                }
                self.at += 1;
                term
            }
            Some('-') => {
                self.at += 1;
                Term::Negated(Box::new(self.factor()?))
            }
            Some(letter) if letter.is_ascii_digit() => {
                let at = self.at;
                self.word(|letter| letter.is_ascii_digit() || letter == '.' || letter == 'e');
                let signed =
                    self.text[at..self.at].ends_with('e') && self.text[self.at..].starts_with(['+', '-']);
                if signed {
                    self.at += 1;
                    self.word(|letter| letter.is_ascii_digit());
                }
                Term::Number(
                    self.text[at..self.at]
                        .parse()
                        .map_err(|_| FormulaError { at, expected: "a number such as 1000, 0.5 or 1e-9" })?,
                )
            }
            Some(letter) if letter.is_ascii_alphabetic() || letter == '_' => {
                let word = self.word(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                let known = self.names.iter().position(|name| name == word);
                Term::Name(known.unwrap_or_else(|| {
                    self.names.push(word.to_owned());
                    self.names.len() - 1
                }))
            }
            _ => return Err(self.mistake("a number, a name or `(`")),
        };
        self.depth -= 1;
        Ok(term)
    }

    /// The next token, after blanks.
    fn next(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn word(&mut self, belongs: fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let word = &rest[..rest.find(|letter| !belongs(letter)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn mistake(&self, expected: &'static str) -> FormulaError {
        FormulaError { at: self.at, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, values: &[f64]) -> Option<f64> {
        Formula::parse(text).unwrap().value(values)
    }

    #[test]
    fn operators_bind_as_in_school() {
        assert_eq!(value("1 + 2 * 3 - 4 / 2", &[]), Some(5.0));
        assert_eq!(value("10 - 3 - 2", &[]), Some(5.0));
        assert_eq!(value("100 / 10 / 2", &[]), Some(5.0));
        assert_eq!(value("-(1 + 2) * -2", &[]), Some(6.0));
        assert_eq!(value("1e3 * 0.5", &[]), Some(500.0));
        assert_eq!(value("2e-3 + 1e+1-1", &[]), Some(9.002));
    }

    #[test]
    fn names_have_their_values_in_the_order_of_their_first_place() {
        let formula = Formula::parse("100 * misses / (misses+hits_2)").unwrap();
        assert_eq!(formula.names(), ["misses", "hits_2"]);
        assert_eq!(formula.value(&[1.0, 3.0]), Some(25.0));
        assert_eq!(formula.value(&[0.0, 0.0]), None, "0 over 0 is no number");
        assert_eq!(value("1 / a", &[0.0]), None, "nor is 1 over 0");
    }

    #[test]
    fn what_is_no_formula_is_refused_with_the_place() {
        let at = |text: &str| Formula::parse(text).map_err(|mistake| (mistake.at, mistake.expected));
        assert_eq!(at(""), Err((0, "a number, a name or `(`")));
        assert_eq!(at("a +"), Err((3, "a number, a name or `(`")));
        assert_eq!(at("(a"), Err((2, "`)`")));
        assert_eq!(at("a b"), Err((2, "an operator")));
        assert_eq!(at("a * 1.2.3"), Err((4, "a number such as 1000, 0.5 or 1e-9")));
        assert!(at("1e-").is_err() && at("1e - 2").is_err());
        let many = |terms: usize| vec!["w"; terms].join("+");
        assert!(Formula::parse(&many(999)).is_ok() && Formula::parse(&many(60_000)).is_err());
        assert_eq!(
            at(&format!("{}w", "-".repeat(60))),
            Err((50, "a formula with fewer parentheses and signs within each other"))
        );
        assert_eq!(at("a ü"), Err((2, "an operator")));
        assert!(at(&"(".repeat(100_000)).is_err() && at(&"-".repeat(100_000)).is_err());
        assert_eq!(
            Formula::parse("a +").unwrap_err().to_string(),
            "a number, a name or `(` is expected at letter 4"
        );
    }
}
