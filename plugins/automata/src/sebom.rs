//! Simplified Extended Backward Oracle Matching.
//!
//! Pays where [`ebom`](super::ebom) does.
//! Departures: its table of pairs has one dimension, that of EBOM two; the machine lays out both alike, so
//! the search is the same.
//! Timed: as `ebom` is.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::ebom::ExtendedBackwardOracle;

const ABOUT: About = About {
    id: "sebom",
    name: "Simplified Extended Backward Oracle Matching",
    reference: papers::FAST_VARIANTS_OF_BOM,
    status: Status::FromPaper(
        "The paper has a table of pairs of one dimension where EBOM has two; compiled, both are the same \
            search.",
    ),
    idea: "Extended Backward Oracle Matching with the table of two characters as one flat array.",
    parameters: "table=flat",
    ..ExtendedBackwardOracle::ABOUT
};

register!(algorithm ExtendedBackwardOracle, about: ABOUT);
