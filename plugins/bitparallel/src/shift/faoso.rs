//! Fast Average Optimal Shift-Or (`faoso2`, `faoso4`, `faoso6`).
//!
//! Pays where [`aoso`](super::aoso) does; it tests its state half as often.
//! Departures: of patterns that a word does not hold, the first bytes are searched for; each window that may
//! hold an occurrence is compared as a whole. The last windows, where two characters can't be read, are
//! compared apart. One computation = one step of the state, or one window that is worked out.

use assay_plugin_api::prelude::*;

use super::interleaved::Interleaved;

const ABOUT: About = About {
    id: "faoso",
    name: "Fast Average Optimal Shift-Or",
    parameters: "u=2",
    after: &["aoso"],
    idea: "Average-optimal Shift-Or with one test of the state for u characters that are read.",
    status: Status::FromAbstract(
        "The paper was not seen; its unrolled, interleaved state is generally described, and the filter \
            for patterns longer than a word is ours.",
    ),
    ..Interleaved::<2, 2>::ABOUT
};

register!(algorithm
    Interleaved<2, 2>, id: "faoso2", name: "Fast Average Optimal Shift-Or (q=2, u=2)", parameters: "q=2",
        about: ABOUT;
    Interleaved<4, 2>, id: "faoso4", name: "Fast Average Optimal Shift-Or (q=4, u=2)", parameters: "q=4",
        about: ABOUT;
    Interleaved<6, 2>, id: "faoso6", name: "Fast Average Optimal Shift-Or (q=6, u=2)", parameters: "q=6",
        about: ABOUT
);
