//! Models of algorithms of this library, written from the literature, with which their twins are compared.

mod hash;
mod kr;
mod qf;
mod wfr;
