//! Cases with texts that repeat themselves, or as little as possible.

use super::Case;
use super::draws::Draws;

/// Length of a text. It has few windows for a long pattern, because some searches read the whole pattern in
/// each.
fn length(m: usize) -> usize {
    m + if m <= 64 { 3 * m + 40 } else { 150 }
}

/// a^m in a^n; with another letter at one place of the pattern, or now and then in the text.
pub fn one_letter(draws: &mut Draws, m: usize) -> Vec<Case> {
    let n = length(m);
    let (letter, other) = (draws.one_of(&[0, b'a', 128, 255]), draws.one_of(&[1, b'b', 254]));
    let text = vec![letter; n];
    let changed = |length: usize, every: usize| {
        let letters = (1..=length).map(|i| if i % every == 0 { other } else { letter });
        letters.collect::<Vec<u8>>()
    };
    let plain = vec![letter; m];
    let mut odd = plain.clone();
    odd[draws.below(m)] = other;
    vec![
        (plain.clone(), text.clone()),
        (plain, changed(n, m + 1 + m / 2)),
        (odd.clone(), text),
        (odd.clone(), odd.repeat(3)),
    ]
}

/// A factor of a periodic text: of a^n b, of (ab)^n, of a random word that is repeated; whole or with a byte
/// changed.
pub fn periodic(draws: &mut Draws, m: usize) -> Vec<Case> {
    let n = length(m);
    let two = draws.alphabet(2);
    let (run, word) = (1 + draws.below(m.min(90)), 1 + draws.below(9));
    let blocks = [[vec![b'a'; run], vec![b'b']].concat(), b"ab".to_vec(), draws.letters(two, word)];
    let mut cases = Vec::new();
    for block in blocks {
        let text: Vec<u8> = block.iter().copied().cycle().take(n + block.len()).collect();
        let from = draws.below(block.len());
        let pattern = text[from..from + m].to_vec();
        let mut broken = text.clone();
        broken[draws.below(n)] ^= 1;
        cases.extend([(pattern.clone(), text), (pattern, broken)]);
    }
    cases
}

/// A factor of a Fibonacci word, in which every prefix has long borders: from its start, and from anywhere.
pub fn fibonacci(draws: &mut Draws, m: usize) -> Vec<Case> {
    let text = fibonacci_word(length(m) + 20);
    let from = draws.below(20);
    [0, from].map(|from| (text[from..from + m].to_vec(), text.clone())).into()
}

/// The first letters of the infinite Fibonacci word.
pub fn fibonacci_word(length: usize) -> Vec<u8> {
    let (mut previous, mut word) = (b"b".to_vec(), b"a".to_vec());
    while word.len() < length {
        let next = [&word[..], &previous].concat();
        previous = std::mem::replace(&mut word, next);
    }
    word.truncate(length);
    word
}

/// A factor of a de Bruijn sequence, from anywhere: short factors occur as evenly as can be.
pub fn de_bruijn(draws: &mut Draws, m: usize) -> Vec<Case> {
    let n = length(m);
    let order = n.ilog2() + 1;
    let text: Vec<u8> = de_bruijn_sequence(order)
        .into_iter()
        .map(|bit| b'0' + bit)
        .cycle()
        .skip(draws.below(50))
        .take(n)
        .collect();
    let from = draws.below(n - m + 1);
    vec![(text[from..from + m].to_vec(), text)]
}

/// A binary de Bruijn sequence by the greedy rule that prefers 1 (M. H. Martin, 1934): each word of `order`
/// bits comes once.
fn de_bruijn_sequence(order: u32) -> Vec<u8> {
    let size = 1_usize << order;
    let mask = size - 1;
    let (mut word, mut seen) = (0, vec![false; size]);
    seen[0] = true;
    let mut sequence = vec![0; order as usize];
    loop {
        let next = [1, 0]
            .into_iter()
            .map(|bit| (bit, (word << 1 | usize::from(bit)) & mask))
            .find(|(_, next)| !seen[*next]);
        let Some((bit, next)) = next else { return sequence };
        (word, seen[next]) = (next, true);
        sequence.push(bit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_comes_once_in_a_de_bruijn_sequence() {
        let sequence = de_bruijn_sequence(6);
        let words: std::collections::BTreeSet<&[u8]> = sequence.windows(6).collect();
        assert_eq!((words.len(), sequence.windows(6).count()), (64, 64));
    }

    #[test]
    fn a_fibonacci_word_is_its_own_begin() {
        assert_eq!(fibonacci_word(13), b"abaababaabaab");
    }
}
