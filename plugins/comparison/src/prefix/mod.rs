//! From left to right: borders and periods.

pub mod ac;
pub mod bf;
pub mod bgm_rt;
mod border_lengths;
pub mod col;
pub mod flpm;
pub mod gbf;
pub mod gg;
pub mod gpr;
pub mod gs;
pub mod kmp;
pub mod lfpm;
pub mod mp;
pub mod musl_tw;
mod noholes;
pub mod nsn;
pub mod papm;
pub mod scout;
pub mod smoa;
pub mod smoa_s;
pub mod split;
pub mod ts;
pub mod tw;
mod words;

assay_plugin_api::register!(family "comparison-prefix");
