//! Models of the algorithms with automata, written from the literature alone.

mod aut;
mod bom2;
mod ebom;
mod fdm;
mod oracle;
mod rf;
mod words;
