//! String matching by automata of the pattern.

pub mod aut;
pub mod bom;
pub mod bom2;
pub mod bsdm;
mod dfa;
pub mod dfdm;
pub mod ebom;
mod fast_loop;
pub mod fbom;
pub mod fdm;
pub mod ildm;
pub mod ldm;
mod oracle;
pub mod rf;
pub mod sbdm;
pub mod sebom;
pub mod sfbom;
pub mod simon;
mod suffix_automaton;
mod transitions;
pub mod trf;
pub mod two_block;
pub mod ww;

assay_plugin_api::register!(family "automata");
