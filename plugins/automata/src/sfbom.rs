//! Simplified Forward Backward Oracle Matching (`sfbom`).
//!
//! Pays where [`fbom`](super::fbom) does.
//! Departures: the paper was not seen. Others say that it simplifies FBOM, and that its table of pairs has
//! one dimension in place of two; the machine lays out both alike, so the search is the same.
//! Timed: for patterns of up to 31 characters, the pairs of two windows are looked up before one test,
//! because most pairs do not occur in the pattern and two windows then often share a cache line; if the first
//! pair occurs, the second look-up is wasted.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::fbom::ForwardBackwardOracle;

const ABOUT: About = About {
    id: "sfbom",
    name: "Simplified Forward Backward Oracle Matching",
    reference: papers::FAST_VARIANTS_OF_BOM,
    status: Status::FromAbstract(
        "The paper was not seen; as others say, its table of pairs has one dimension where that of FBOM has \
            two, and compiled, both are the same search.",
    ),
    after: &["fbom"],
    idea: "Forward Backward Oracle Matching with the table of two characters as one flat array.",
    parameters: "table=flat",
    ..ForwardBackwardOracle::ABOUT
};

register!(algorithm ForwardBackwardOracle, about: ABOUT);
