//! Prefixes of the pattern as bits, read from left to right.

pub mod aoso;
pub mod faoso;
mod fast;
pub mod fndm;
pub mod forward;
pub mod fso;
pub mod interleaved;
pub mod ksa;
pub mod rle_sa;
pub mod sa;
mod scan;
pub mod so;
pub mod tsa;
pub mod tso;
pub mod ufndmq;

assay_plugin_api::register!(family "bitparallel-shift");
