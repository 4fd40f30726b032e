//! A copy of the pattern after the text: a loop that stops there at the latest needs no test for the text's
//! end.

use assay_plugin_api::prelude::*;

/// Characters that the search writes after the text. The searcher keeps a copy, because only the pattern that
/// it was prepared for is sure to stop its loop.
#[derive(Default)]
pub(crate) struct Sentinel(Vec<u8>);

impl Sentinel {
    /// What an algorithm with it needs.
    pub const NEEDS: Needs = Needs { slack: |m| m, writes_slack: true, ..Needs::NOTHING };

    /// Keeps a copy.
    pub fn keep(&mut self, copy: &[u8]) {
        self.0.clear();
        self.0.extend_from_slice(copy);
    }

    /// Writes it after the text.
    ///
    /// # Panics
    /// If the sentinel does not have this length, or if the slack of the text is shorter.
    pub fn write<P: Probe>(&self, length: usize, text: Text<P>) {
        assert_eq!(self.0.len(), length, "prepared for another pattern");
        for (i, &byte) in self.0.iter().enumerate() {
            text.set_slack(text.len() + i, byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_stands_right_after_the_text() {
        let mut memory = *b"text....";
        // SAFETY: the array outlives the view, and nothing else touches it meanwhile.
        let text = unsafe { Text::with_slack(memory.as_mut_ptr(), 4, 4, true, Off) };
        let mut sentinel = Sentinel::default();
        sentinel.keep(b"longer");
        sentinel.keep(b"abc");
        sentinel.write(3, text);
        assert_eq!([4, 5, 6, 7].map(|i| text.at(i)), *b"abc.");
    }
}
