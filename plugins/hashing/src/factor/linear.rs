//! What makes a search with a filter linear: windows are compared as Knuth, Morris and Pratt do, and what was
//! compared or filtered once is not read again for the same end.

use assay_plugin_api::prelude::*;

/// For each length of a prefix of the pattern, one more than that of its longest border that another
/// character follows; 0 if there is none.
#[derive(Default)]
pub(crate) struct Borders(Table<u32>);

impl Borders {
    /// Fills in the table.
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.reset(pattern.len() + 1, 0);
        // One more than the longest border of the prefix, whatever follows it.
        let mut border = 0;
        for (length, byte) in pattern.iter().enumerate() {
            // Whether the next character also follows `border`. The shorter borders in the table are strict
            // already.
            let follows = |border: u32| border > 0 && pattern[border as usize - 1] == *byte;
            self.0[length] = if follows(border) { self.0[border as usize - 1] } else { border };
            while border > 0 && !follows(border) {
                border = self.0[border as usize - 1];
            }
            border += 1;
        }
        self.0[pattern.len()] = border;
        probe.table(&self.0);
    }

    /// The table as a search sees it.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> TableView<'_, u32, P> {
        self.0.view(probe)
    }
}

/// The prefix of the pattern that is known to end at a position of the text.
#[derive(Clone, Copy, Default)]
pub(crate) struct Prefix {
    /// The place.
    end: usize,
    /// Its length.
    length: usize,
}

impl Prefix {
    /// Compares the window at `s`, from where the prefix ends if that lies in it, and until no prefix is left
    /// that begins there. Answers where the next begins.
    ///
    /// # Panics
    /// If the window is not in the text.
    #[cold]
    #[inline(never)]
    pub fn compare<P: Probe>(
        &mut self,
        s: usize,
        borders: TableView<u32, P>,
        (pattern, text): (Pattern<P>, Text<P>),
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let Prefix { mut end, mut length } = *self;
        if probe.branch(end < s) {
            (end, length) = (s, 0);
            probe.writes(2);
        }
        let mut whole;
        loop {
            while probe.branch(length < pattern.len() && pattern.at(length) == text.at(end)) {
                length += 1;
                end += 1;
                probe.writes(2);
            }
            whole = length == pattern.len();
            match borders.at(length) {
                0 => (end, length) = (end + 1, 0),
                border => length = border as usize - 1,
            }
            probe.writes(2);
            if probe.branch(end - length > s) {
                break;
            }
        }
        // Prefixes that began before `s` were none of an occurrence: the filter has passed their windows.
        if probe.verify(whole) {
            found.at(s);
        }
        *self = Prefix { end, length };
        end - length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_borders_that_another_character_follows() {
        let mut borders = Borders::default();
        borders.fill(b"abacabab", Off);
        assert_eq!(*borders.0, [0, 1, 0, 2, 0, 1, 0, 4, 3]);
    }
}
