//! A model of Backward Oracle Matching 2. It is written from C. Allauzen, M. Crochemore and M. Raffinot,
//! Factor oracle: a new structure for pattern matching, SOFSEM, 1999.

use assay_automata::bom2::BackwardOracleTable;
use assay_plugin_api::testing::{Tally, agrees};

use crate::oracle::oracle;
use crate::words::SIZES;

/// Reads each window backward with the oracle of the reversed pattern. The next window begins after the
/// character at which the oracle fails, or after the first one of an occurrence.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let oracle = oracle(pattern);
    let (m, mut s) = (pattern.len(), 0);
    let mut tally = Tally { writes: 1, ..Tally::default() };
    while tally.branch(s + m <= text.len()) {
        let (mut i, mut state) = (m, Some(0));
        loop {
            i -= 1;
            tally.text += 1;
            tally.lookups += 1;
            tally.writes += 2;
            state = state.and_then(|state| oracle[state].get(&text[s + i]).copied());
            if !tally.branch(state.is_some() && i > 0) {
                break;
            }
        }
        tally.verify(state.is_some(), s);
        s += i + 1;
        tally.jump();
    }
    tally
}

#[test]
fn backward_oracle_matching_counts_as_its_model() {
    agrees::<BackwardOracleTable>(model, &SIZES);
}
