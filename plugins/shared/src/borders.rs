//! The table of borders that searches from left to right share, and the search with it.

use assay_plugin_api::prelude::*;

/// In state `j + 1`, the pattern's first `j` characters have matched. State 0 is "no prefix is left", which
/// papers give as a border of -1.
#[derive(Clone, Copy, Default)]
pub struct Step {
    /// The character that has to come next.
    pub byte: u8,
    /// The state to go on from if it does not.
    pub border: u32,
}

/// Fills in the state of the longest border of each prefix.
pub fn borders(pattern: &[u8], steps: &mut Table<Step>) {
    steps.reset(pattern.len() + 2, Step::default());
    let mut border = 0;
    for (state, &byte) in (1..).zip(pattern) {
        steps[state] = Step { byte, border: border as u32 };
        while border > 0 && steps[border].byte != byte {
            border = steps[border].border as usize;
        }
        border += 1;
    }
    steps[pattern.len() + 1].border = border as u32;
}

/// Fills in the state of the longest border of each prefix that another character follows.
pub fn strict_borders(pattern: &[u8], steps: &mut Table<Step>) {
    borders(pattern, steps);
    // The border of each border is already a strict one when its turn comes, so one step suffices.
    for state in 1..=pattern.len() {
        let Step { byte, border } = steps[state];
        let next = steps[border as usize];
        if border > 0 && next.byte == byte {
            steps[state].border = next.border;
        }
    }
}

/// The search of Morris and Pratt, with whatever borders the table holds. A comparison reads the pattern's
/// character in the table, and a look-up is a border that is followed.
#[inline(always)]
pub fn scan<P: Probe>(steps: TableView<Step, P>, m: usize, text: Text<P>, found: &mut impl Found, probe: P) {
    let (n, mut state, mut i) = (text.len(), 1, 0);
    probe.writes(2);
    while probe.branch(i < n) {
        while probe.branch(steps.placed_character_at(state, state - 1).byte != text.at(i)) {
            state = steps.at(state).border as usize;
            probe.writes(1);
            if state == 0 {
                // The loop's condition: a border is left, and another character follows it.
                probe.branch(false);
                break;
            }
        }
        state += 1;
        i += 1;
        probe.writes(2);
        if probe.verify(state == m + 1) {
            found.at(i - m);
            state = steps.at(state).border as usize;
            probe.writes(1);
        }
        probe.jump();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_the_longest_borders() {
        let mut steps = Table::default();
        borders(b"abacabab", &mut steps);
        let borders: Vec<u32> = steps[1..].iter().map(|step| step.border).collect();
        assert_eq!(borders, [0, 1, 1, 2, 1, 2, 3, 4, 3]);
    }

    #[test]
    fn strict_borders_are_followed_by_another_character() {
        let mut steps = Table::default();
        strict_borders(b"abacabab", &mut steps);
        let borders: Vec<u32> = steps[1..].iter().map(|step| step.border).collect();
        assert_eq!(borders, [0, 1, 0, 2, 0, 1, 0, 4, 3]);
    }
}
