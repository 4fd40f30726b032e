//! A model of Extended Backward Oracle Matching. It is written from S. Faro and T. Lecroq, Efficient variants
//! of the Backward-Oracle-Matching algorithm, Prague Stringology Conference, 2008.

use assay_automata::ebom::ExtendedBackwardOracle;
use assay_plugin_api::testing::{Tally, agrees};

use crate::oracle::oracle;
use crate::words::SIZES;

/// Backward Oracle Matching whose first two characters are one lookup. If the oracle fails at them, the
/// window moves by all but one of its characters.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let oracle = oracle(pattern);
    let m = pattern.len();
    let next = |state: usize, c: u8| oracle[state].get(&c).copied();
    let mut tally = Tally { writes: 1, ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        tally.text += 2;
        tally.lookups += 1;
        tally.writes += 1;
        let mut state = next(0, text[s + m - 1]).and_then(|state| next(state, text[s + m - 2]));
        if tally.branch(state.is_none()) {
            s += m - 1;
            tally.jump();
            continue;
        }
        let mut i = m - 2;
        tally.writes += 1;
        while tally.branch(state.is_some() && i > 0) {
            i -= 1;
            tally.text += 1;
            tally.lookups += 1;
            // The state and the place.
            tally.writes += 2;
            state = state.and_then(|state| next(state, text[s + i]));
        }
        tally.verify(state.is_some(), s);
        s += i + 1;
        tally.jump();
    }
    tally
}

#[test]
fn extended_backward_oracle_matching_counts_as_its_model() {
    agrees::<ExtendedBackwardOracle>(model, &SIZES);
}
