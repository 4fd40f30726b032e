//! What an algorithm claims about its worst case: the leading form of the sentence, such as `O(n)` or `O(n
//! log m)`.

/// How the work for each character of the text may grow with the length of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Growth {
    /// The power of the length.
    pub power: i32,
    /// The power of its logarithm.
    pub logarithms: u32,
}

impl Growth {
    /// The work for each character is bounded.
    pub const BOUNDED: Growth = Growth { power: 0, logarithms: 0 };

    /// What the growth allows at this length, but for a constant factor.
    pub fn at(self, length: usize) -> f64 {
        let length = length as f64;
        length.powi(self.power) * (1.0 + length.log2()).powi(self.logarithms as i32)
    }
}

/// The claim of an algorithm about its worst case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstCaseClaim {
    /// The claim in words.
    pub text: String,
    /// What the leading form allows; none if it can't be read.
    pub growth: Option<Growth>,
    /// The greatest length of a pattern for which the leading form is claimed, if there is one.
    pub up_to: Option<usize>,
    /// Whether the claim names another form for cases that an input may have, such as many occurrences, or
    /// takes a length that is limited for a constant ("m is at most 256 where windows are compared again", or an
    /// algorithm whose patterns are all short).
    pub has_exceptions: bool,
}

impl WorstCaseClaim {
    /// Reads a claim, such as `O(n) for m <= 64, else O(mn)`.
    pub fn read(text: &str) -> Self {
        let unread =
            WorstCaseClaim { text: text.to_owned(), growth: None, up_to: None, has_exceptions: false };
        let Some((form, rest)) = text.trim_start().strip_prefix("O(").and_then(|after| after.split_once(')'))
        else {
            return unread;
        };
        let (up_to, rest) = match rest.strip_prefix(" for m <= ").map(split_number) {
            Some((Some(number), after)) => {
                (Some(number), after.strip_prefix(", else O(").map_or(after, |_| ""))
            }
            _ => (None, rest),
        };
        WorstCaseClaim {
            growth: growth(form),
            up_to,
            has_exceptions: rest.contains("O(") || rest.contains("at most"),
            ..unread
        }
    }

    /// The claim of an algorithm that takes patterns of at most `longest` characters.
    pub fn for_patterns_up_to(mut self, longest: usize) -> Self {
        self.has_exceptions |= longest <= GREATEST_CONSTANT;
        self
    }
}

/// Greatest limit of patterns that a claim may take for a constant: limits of words, registers and bytes are not
/// above it. Greater ones are those of integers, which no pattern reaches.
const GREATEST_CONSTANT: usize = 256;

/// The number at the start, and what follows it.
fn split_number(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].parse().ok(), &text[end..])
}

/// What a sum of products of `m`, `n`, logarithms, numbers and other letters allows for each character, if
/// the text grows with the pattern. The other letters are sizes of words, q-grams and alphabets, which do
/// not.
fn growth(form: &str) -> Option<Growth> {
    let form: String = form.chars().filter(|letter| !letter.is_whitespace()).collect();
    form.split('+').map(product).collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// As [`growth`], of one product.
fn product(mut rest: &str) -> Option<Growth> {
    let (mut power, mut logarithms, mut sign, mut last) = (0, 0, 1, 0);
    if rest.is_empty() {
        return None;
    }
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        if let Some(after) = rest.strip_prefix("log") {
            if sign < 0 {
                return None;
            }
            // With its argument, if that is not a logarithm too.
            let argument = after.chars().next().filter(|_| !after.starts_with("log"));
            rest = &after[argument.map_or(0, char::len_utf8)..];
            (logarithms, last) = (logarithms + 1, 0);
            continue;
        }
        match letter {
            '/' => {
                (sign, rest) = (-1, after);
                continue;
            }
            '^' => {
                let (exponent, after) = split_number(after);
                power += last * (i32::try_from(exponent?).ok()? - 1);
                rest = after;
                continue;
            }
            'm' | 'n' | 'N' => (last, rest) = (sign, after),
            '0'..='9' | '.' => {
                last = 0;
                rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            }
            letter if letter.is_alphabetic() => (last, rest) = (0, after),
            _ => return None,
        }
        power += last;
        sign = 1;
    }
    Some(Growth { power: power - 1, logarithms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_forms_are_read() {
        let growth = |text| WorstCaseClaim::read(text).growth.map(|growth| (growth.power, growth.logarithms));
        for (text, expected) in [
            ("O(n)", (0, 0)),
            ("O(n + m)", (0, 0)),
            ("O(n): 2n - m comparisons", (0, 0)),
            ("O(nq)", (0, 0)),
            ("O(mn)", (1, 0)),
            ("O(n m): mn comparisons", (1, 0)),
            ("O(mN), N the text's length", (1, 0)),
            ("O(mn/w), w bytes to a register", (1, 0)),
            ("O(nm^2/64)", (2, 0)),
            ("O(m^2 n)", (2, 0)),
            ("O(n + m^2)", (1, 0)),
            ("O(n log m)", (0, 1)),
            ("O(n log log m / m)", (-1, 2)),
        ] {
            assert_eq!(growth(text), Some(expected), "{text}");
        }
        for unreadable in ["", "linear", "O()", "O(n", "O(min(m, n))", "O(n - m)", "O(n^k)", "O(mn / log m)"]
        {
            assert_eq!(growth(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn limits_and_exceptions_of_a_claim_are_read() {
        let read = |text| {
            let claim = WorstCaseClaim::read(text);
            (claim.up_to, claim.has_exceptions)
        };
        assert_eq!(read("O(n) for m <= 64, else O(mn)"), (Some(64), false));
        assert_eq!(read("O(n) for m <= 64, else and with 2-grams O(mn)"), (Some(64), true));
        assert_eq!(read("O(n) to an occurrence, so O(mn) to all of them"), (None, true));
        assert_eq!(read("O(n): m is at most 32 where windows are compared again"), (None, true));
        assert_eq!(read("O(n): 2n - m comparisons"), (None, false));
    }

    #[test]
    fn to_an_algorithm_for_short_patterns_their_length_is_a_constant() {
        let excepted = |longest| WorstCaseClaim::read("O(n)").for_patterns_up_to(longest).has_exceptions;
        assert_eq!([8, 256, 257, usize::MAX].map(excepted), [true, true, false, false]);
    }

    #[test]
    fn what_is_allowed_grows_as_claimed() {
        let doubles = |power, logarithms| {
            let growth = Growth { power, logarithms };
            growth.at(64) / growth.at(32)
        };
        assert_eq!([doubles(0, 0), doubles(1, 0), doubles(2, 0)], [1.0, 2.0, 4.0]);
        assert!((1.1..1.2).contains(&doubles(0, 1)));
    }
}
