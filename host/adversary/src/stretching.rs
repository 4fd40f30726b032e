//! Longer inputs that are made like a shorter one.
//!
//! What makes a search work has a form, such as a run and then another letter. A search at the next length
//! begins with the forms that were found, and need not find them again.

use crate::input::{InputSize, SearchInput, repeated};

/// The input in each way in which it can be made longer: each letter several times, or the longest run
/// longer; the pattern also repeated, or with its start or its end repeated.
pub(crate) fn stretched(input: &SearchInput, size: InputSize) -> Vec<SearchInput> {
    let (pattern, block) = (&input.pattern, &input.block);
    let more = size.pattern.saturating_sub(pattern.len());
    let times = size.pattern.div_ceil(pattern.len());
    let half = pattern.len().div_ceil(2);
    let start_again = [repeated(&pattern[..half], more + half), pattern[half..].to_vec()].concat();
    let end_again = [&pattern[..half], &repeated(&pattern[half..], more + pattern.len())].concat();
    let patterns = [
        with_letters_repeated(pattern, times),
        with_longest_run(pattern, more),
        repeated(pattern, size.pattern),
        start_again,
        if half < pattern.len() { end_again } else { pattern.clone() },
    ];
    let blocks = [block.clone(), with_letters_repeated(block, times), with_longest_run(block, more)];
    let pairs =
        patterns.iter().flat_map(|pattern| blocks.iter().map(move |block| (pattern.clone(), block.clone())));
    pairs.map(|(pattern, block)| SearchInput::fitted(pattern, block, size)).collect()
}

/// Each letter this often.
fn with_letters_repeated(word: &[u8], times: usize) -> Vec<u8> {
    word.iter().flat_map(|&letter| std::iter::repeat_n(letter, times)).collect()
}

/// The first of the longest runs of one letter, longer by `more`.
fn with_longest_run(word: &[u8], more: usize) -> Vec<u8> {
    let (mut longest, mut end, mut begin) = (0..0, 0, 0);
    for run in word.chunk_by(|one, next| one == next) {
        end += run.len();
        if run.len() > longest.len() {
            longest = begin..end;
        }
        begin = end;
    }
    let mut longer = word.to_vec();
    if let Some(&letter) = word.get(longest.start) {
        longer.splice(longest.start..longest.start, std::iter::repeat_n(letter, more));
    }
    longer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_kept_in_each_way() {
        let size = InputSize { pattern: 8, text: 32 };
        let input = SearchInput { pattern: b"aaab".to_vec(), block: b"ab".to_vec(), text_length: 16 };
        let longer = stretched(&input, size);
        let has = |pattern: &[u8], block: &[u8]| {
            longer.contains(&SearchInput {
                pattern: pattern.to_vec(),
                block: block.to_vec(),
                text_length: 32,
            })
        };
        assert!(has(b"aaaaaabb", b"aabb") && has(b"aaaaaaab", b"ab") && has(b"aaabaaab", b"aaaaab"));
        assert!(has(b"aaaaaaab", b"aabb") && has(b"aaababab", b"ab"));
        assert!(longer.iter().all(|input| input.pattern.len() == 8 && input.text().len() == 32));
        let one = SearchInput { pattern: b"a".to_vec(), block: b"a".to_vec(), text_length: 16 };
        assert!(stretched(&one, size).iter().all(|input| input.pattern == b"aaaaaaaa"));
    }
}
