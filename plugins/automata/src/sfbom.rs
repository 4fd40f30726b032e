//! Simplified Forward Backward Oracle Matching.
//!
//! Pays where [`fbom`](super::fbom) does.
//! Departures: its table of pairs has one dimension, that of FBOM two; the machine lays out both alike, so
//! the search is the same.
//! Timed: as `fbom` is.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::fbom::ForwardBackwardOracle;

const ABOUT: About = About {
    id: "sfbom",
    name: "Simplified Forward Backward Oracle Matching",
    reference: papers::FAST_VARIANTS_OF_BOM,
    status: Status::FromPaper(
        "The paper has a table of pairs of one dimension where FBOM has two; compiled, both are the same \
            search.",
    ),
    idea: "Forward Backward Oracle Matching with the table of two characters as one flat array.",
    parameters: "table=flat",
    ..ForwardBackwardOracle::ABOUT
};

register!(algorithm ForwardBackwardOracle, about: ABOUT);
