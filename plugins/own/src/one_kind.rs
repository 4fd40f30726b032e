//! The search by methods of one kind alone: one algorithm for each kind.

use assay_finder::decision::Kind;
use assay_plugin_api::prelude::*;

use crate::reading::{DECISIONS, OURS, OwnSearch};

/// The searcher. `KIND` is the number of the kind in [`Kind::ALL`].
#[derive(Default)]
pub struct OneKind<const KIND: usize>(OwnSearch);

impl<const KIND: usize> OneKind<KIND> {
    /// The kind of methods.
    const KIND: Kind = {
        assert!(Kind::ALL[KIND] as usize == KIND, "the number of another kind");
        Kind::ALL[KIND]
    };

    /// The features of a CPU that has the instructions of this kind.
    const CPU: &[&str] = match Self::KIND {
        Kind::Packed => &["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"],
        Kind::Planes => &[
            "avx2",
            "bmi1",
            "bmi2",
            "lzcnt",
            "popcnt",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512vbmi",
            "avx512vbmi2",
            "gfni",
        ],
        Kind::AllCharacters | Kind::SomeCharacters | Kind::Windows | Kind::TwoWay => &[],
    };
}

impl<const KIND: usize> Algorithm for OneKind<KIND> {
    const ABOUT: About =
        About { preparation_time: "O(m)", average_case: "O(n/w), w bytes to a register", ..OURS };

    const NEEDS: Needs = {
        let (min_pattern, max_pattern) = Self::KIND.lengths();
        Needs { min_pattern, max_pattern, cpu: Self::CPU, ..Needs::NOTHING }
    };

    const EXTRA: &'static [&'static str] = DECISIONS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern);
    }

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, probe: P) -> Result<(), CannotSearch> {
        OwnSearch::allow(Self::KIND)?;
        self.prepare(pattern, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(Some(Self::KIND), text, found, probe);
    }
}
