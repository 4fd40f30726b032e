//! GNU grep kwset, one keyword (`kwset`).
//!
//! Pays on long patterns whose last character is rare; linear where Boyer-Moore is not.
//! Departures: the program is under the GPL, so its source was not read, only its authors' mails. They leave
//! open how many steps the fast loop has (three here, as in [`tunedbm`](crate::occurrence::tunedbm)) and
//! which characters guard a comparison (none here). There is no copy of the last character after the text:
//! the loop ends where three shifts could leave the text.

use assay_plugin_api::prelude::*;

use super::good_suffixes::GoodSuffixes;
use crate::shifts::fill_distances;

/// The searcher: both shift tables.
#[derive(Default)]
pub struct Kwset {
    /// For each byte, the distance from its last occurrence in the pattern to the end: none for the last one,
    /// so that the fast loop stands still where it matches, and need not ask in each step.
    delta: ByteTable<u32>,
    good: GoodSuffixes,
}

/// The mail that gives the shifts after a comparison, and the rule of Galil.
const GALIL: Reference = Reference {
    authors: &["N. Tanaka"],
    title: "grep: use the Galil rule for Boyer-Moore algorithm in KWSet",
    howpublished: "Mail to bug-grep",
    url: "https://mail-archive.com/bug-grep@gnu.org/msg04946.html",
    year: 2014,
    ..Reference::UNKNOWN
};

impl Algorithm for Kwset {
    const ABOUT: About = About {
        id: "kwset",
        name: "GNU grep kwset, one keyword",
        reference: Reference {
            authors: &["M. Haertel"],
            title: "why GNU grep is fast",
            howpublished: "Mail to freebsd-current",
            year: 2010,
            note: "of a program of 1989; after Boyer and Moore, and Hume and Sunday",
            related: Some(("extended in", &GALIL)),
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The authors' mails were seen, not the program: the steps of its fast loop, its \
                guards and its use of memchr are ours.",
        ),
        after: &["bm", "tunedbm", "bmg"],
        idea: "Blind shifts by the last character; then good suffixes, of which what matched before is not \
            compared again.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 4 (m + 1) bytes and 1 KiB",
        worst_case: "O(n)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_distances(&mut self.delta, pattern);
        self.good.prepare(pattern);
        probe.table(&self.delta);
        probe.table(&self.good.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (delta, good) = (self.delta.view(probe), self.good.shift.view(probe));
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let mut skip = delta.at(text.at(end)) as usize;
            probe.writes(1);
            while probe.branch(skip > 0 && n - end > 3 * m) {
                for _ in 0..3 {
                    end += skip;
                    if skip > 0 {
                        probe.jump();
                    }
                    skip = delta.at(text.at(end)) as usize;
                    probe.writes(2);
                }
            }
            if probe.branch(skip > 0) {
                end += skip;
                probe.writes(1);
                probe.jump();
                continue;
            }
            // The last character matches. Of the window, the `memory` characters before the last `shift` are
            // known to match.
            let (mut i, mut shift, mut memory) = (m - 1, m, 0);
            probe.writes(3);
            loop {
                while probe.branch(i > 0 && pattern.at(i - 1) == text.at(end + i - m)) {
                    i -= 1;
                    probe.writes(1);
                    if probe.branch(i == m - shift) {
                        i -= memory;
                        probe.writes(1);
                    }
                }
                if probe.branch(i == m) {
                    // Not even the last character, which the fast loop knows better how to pass.
                    break;
                }
                if probe.verify(i == 0) {
                    found.at(end + 1 - m);
                }
                shift = good.at(i) as usize;
                memory = (m - i).min(m - shift);
                end += shift;
                i = m;
                probe.writes(4);
                probe.jump();
                if !probe.branch(end < n) {
                    return;
                }
            }
        }
    }
}

register!(algorithm Kwset);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::Field;
    use assay_plugin_api::probe::CountingReading;
    use assay_plugin_api::testing::{Candidate, Subject};

    /// The example of the mail about the rule of Galil, and patterns that occur everywhere.
    #[test]
    fn no_text_is_read_more_than_a_few_times() {
        let n = 6000;
        for (pattern, unit) in [
            (&[&b"k"[..], &[b'j'; 19]].concat()[..], &b"j"[..]),
            (&[b'a'; 100], b"a"),
            (&b"ab".repeat(50), b"ab"),
            (&[&b"ab".repeat(50)[..], b"b", &b"ab".repeat(50)].concat(), b"ab"),
            (&[&[b'a'; 60][..], b"b", &[b'a'; 60]].concat(), b"a"),
        ] {
            let text: Vec<u8> = unit.iter().copied().cycle().take(n).collect();
            let mut subject = Subject::<Kwset, CountingReading>::default();
            subject.prepare(pattern, &text).unwrap().count(&text).unwrap();
            let read = subject.measurements().fields[Field::TextBytesRead as usize].unwrap();
            assert!(read <= 3 * n as u64, "{read} characters for {}", pattern.escape_ascii());
        }
    }
}
