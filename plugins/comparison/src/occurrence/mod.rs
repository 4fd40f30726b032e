//! Algorithms that shift by the position in the pattern of one or two characters of the text.

mod approach;
mod backward;
mod both_ends;
pub mod br;
pub mod eersa;
pub mod ersa;
pub mod etsw;
mod four;
pub mod fsw;
pub mod gqs;
pub mod graspm;
pub mod hor;
pub mod iom;
pub mod jom;
pub mod mas;
pub mod ms;
pub mod om;
mod optimal;
pub mod pbmh;
pub mod pivot_loop;
pub mod qlqs;
pub mod qs;
pub mod raita;
pub mod rsa;
mod sampled;
pub mod smith;
pub mod ssabs;
pub mod tsw;
pub mod tunedbm;
pub mod tvsbs;
pub mod tvsbs_w;
pub mod wc;
pub mod wom;
pub mod z;

assay_plugin_api::register!(family "comparison-occurrence");
