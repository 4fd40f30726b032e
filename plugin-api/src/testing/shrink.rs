//! Makes a failing case smaller.

use super::cases::Case;
use super::kit::{Fault, Trial};

/// Greatest number of tries while a case is made smaller in the tests of a crate.
pub const SHRINKS: usize = 5000;

/// The smallest failing case that is found, with its fault; `None` if the case itself does not fail. `fails`
/// returns the fault of a case. It may return `None` for all cases once it has been called often enough.
///
/// A fault that only the other text of a trial shows becomes a case of that text, if this fails by itself. A
/// text is not made shorter than its pattern.
pub fn shrunk(mut case: Case, mut fails: impl FnMut(&Case) -> Option<Fault>) -> Option<(Fault, Case)> {
    let mut fault = fails(&case)?;
    if fault.in_other_text {
        let other = Trial::other(&case);
        if let Some(itself) = fails(&other).filter(|fault| !fault.in_other_text) {
            (fault, case) = (itself, other);
        }
    }
    let fits = |(pattern, text): &Case| text.len() >= pattern.len();
    loop {
        let smaller = smaller(&case).filter(|smaller| fits(smaller) || !fits(&case));
        let failing = smaller.into_iter().find_map(|smaller| {
            let found = fails(&smaller).filter(|found| fault.in_other_text || !found.in_other_text);
            Some((found?, smaller))
        });
        let Some(smallest) = failing else { return Some((fault, case)) };
        (fault, case) = smallest;
    }
}

/// Smaller cases: without a part of the text, of the pattern or of both, large parts first; then the case in
/// readable letters.
fn smaller(case: &Case) -> impl Iterator<Item = Case> {
    let (pattern, text) = case;
    let texts = without_a_part(text).map(|shorter| (pattern.clone(), shorter));
    let patterns = without_a_part(pattern).map(|shorter| (shorter, text.clone()));
    let both = without_an_end(pattern, text);
    let readable = Some(in_letters(case)).filter(|readable| readable != case);
    texts.chain(patterns).chain(both).filter(|(pattern, _)| !pattern.is_empty()).chain(readable)
}

/// Cases without a common beginning or end of pattern and text.
fn without_an_end(pattern: &[u8], text: &[u8]) -> impl Iterator<Item = Case> {
    let sizes = sizes(pattern.len());
    sizes.flat_map(move |size| {
        let start =
            text.starts_with(&pattern[..size]).then(|| (pattern[size..].to_vec(), text[size..].to_vec()));
        let [kept, left] = [pattern, text].map(|bytes| bytes.len().checked_sub(size));
        let end = kept.zip(left).filter(|(kept, _)| text.ends_with(&pattern[*kept..]));
        let end = end.map(|(kept, left)| (pattern[..kept].to_vec(), text[..left].to_vec()));
        start.into_iter().chain(end)
    })
}

/// The bytes without one part, for parts of all sizes and places.
fn without_a_part(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    sizes(bytes.len()).flat_map(move |size| {
        let starts = (0..bytes.len()).step_by(size);
        starts.map(move |start| [&bytes[..start], &bytes[(start + size).min(bytes.len())..]].concat())
    })
}

/// Sizes of parts: half the length, a quarter, and so on down to 1.
fn sizes(length: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(length.div_ceil(2)), |size| (*size > 1).then_some(size / 2))
        .filter(|size| *size > 0)
}

/// The case with the letters `a`, `b`, .. in the order in which they appear. A case with more than 26
/// different bytes stays as it is.
fn in_letters((pattern, text): &Case) -> Case {
    let mut seen: Vec<u8> = Vec::new();
    for byte in pattern.iter().chain(text) {
        if !seen.contains(byte) {
            seen.push(*byte);
        }
    }
    if seen.len() > 26 {
        return (pattern.clone(), text.clone());
    }
    let letter = |byte: &u8| b'a' + seen.iter().position(|other| other == byte).expect("it was seen") as u8;
    (pattern.iter().map(letter).collect(), text.iter().map(letter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_case_still_fails_and_is_readable() {
        let fails = |(pattern, text): &Case| {
            (pattern.len() > 3 && text.windows(pattern.len()).any(|window| window == pattern))
                .then(|| String::new().into())
        };
        let text: Vec<u8> = (0..200).collect();
        let (_, (pattern, text)) = shrunk((text[50..90].to_vec(), text), fails).unwrap();
        assert_eq!((pattern, text), (b"abcd".to_vec(), b"abcd".to_vec()));
        assert!(shrunk((vec![1], vec![1]), fails).is_none());
    }
}
