//! The factor oracle by its definition. It is that of C. Allauzen, M. Crochemore and M. Raffinot, Factor
//! oracle: a new structure for pattern matching, SOFSEM, 1999.

use std::collections::{BTreeSet, HashMap};

use crate::words::ends;

/// For each state of the factor oracle of the reversed pattern, the states to which characters lead, by the
/// definition that comes first in the paper: the shortest word `u` that leads to a state ends there; wherever
/// else `uc` occurs first, the character `c` leads from the state to the end of that occurrence.
pub fn oracle(pattern: &[u8]) -> Vec<HashMap<u8, usize>> {
    let word: Vec<u8> = pattern.iter().rev().copied().collect();
    let mut states = vec![HashMap::new(); word.len() + 1];
    let mut shortest: Vec<Option<Vec<u8>>> = vec![None; word.len() + 1];
    shortest[0] = Some(Vec::new());
    for state in 0..word.len() {
        // All transitions to a state come from states before it.
        let u = shortest[state].clone().expect("the state before it leads here");
        let rest = &word[state - u.len()..];
        for c in word.iter().copied().collect::<BTreeSet<u8>>() {
            let extended = [&u[..], &[c]].concat();
            let Some(end) = ends(&extended, rest).first().copied() else { continue };
            let target = if c == word[state] { state + 1 } else { state - u.len() + end };
            states[state].insert(c, target);
            if shortest[target].as_ref().is_none_or(|known| extended.len() < known.len()) {
                shortest[target] = Some(extended);
            }
        }
    }
    states
}
