//! From right to left: good suffixes.

pub mod ag;
pub mod akc;
pub mod bfs;
pub mod bm;
pub mod bm_ft;
pub mod bmg;
pub mod brfs;
pub mod ffs;
pub mod fs;
pub mod fs_w;
pub mod ghor;
pub mod kwset;
pub mod msh;
pub mod rcolussi;
pub mod tbm;
pub mod zt;

use assay_shared::good_suffixes;

assay_plugin_api::register!(family "comparison-suffix");
