//! Characters a pattern's length apart, and where the pattern has them.

pub mod askip;
pub mod dz;
pub mod dz_tuned;
pub mod kmpskip;
#[expect(clippy::module_inception, reason = "the algorithm gave the family its name")]
pub mod skip;

assay_plugin_api::register!(family "comparison-skip");
