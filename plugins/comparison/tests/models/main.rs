//! Models of algorithms of this library, written from the literature, with which their twins are compared.

mod bm;
mod br;
mod col;
mod fs;
mod hor;
mod kmp;
mod mp;
mod nsn;
mod qs;
mod raita;
mod shifts;
mod skip;
mod smith;
mod ssabs;
mod tbm;
mod tvsbs;
mod tw;
mod zt;
