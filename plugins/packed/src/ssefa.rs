//! SSEF for AVX2.
//!
//! Pays where [`ssef`](super::ssef) does, if 16 bits are too few to distinguish the blocks of the text from
//! those of the pattern.
//! Departures: those of `ssef`. A signature of 32 bits is hashed to 16, which index the table; the paper's
//! own order of the tables in memory is not known to us.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::bits::BitFilter;

/// The searcher.
#[derive(Default)]
pub struct Ssefa(BitFilter<32>);

impl Algorithm for Ssefa {
    const ABOUT: About = About {
        id: "ssefa",
        name: "SSEF for AVX2",
        reference: papers::PACKED_ON_AVX2,
        status: Status::FromAbstract(
            "The first page of the paper was seen, and series and venue were not; the hash of signatures and \
                the order of the tables are ours.",
        ),
        idea: "SSEF with registers of 32 bytes: a bit of each makes a signature of 32 bits.",
        preparation_time: "O(m)",
        space: "O(m): 256 KiB and 4 bytes a character",
        worst_case: "O(mn)",
        average_case: "O(n/m)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = BitFilter::<32>::NEEDS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm Ssefa);
