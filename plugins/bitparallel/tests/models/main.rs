//! Models of the algorithms with the bits of a word, written from the literature alone.

mod aoso;
mod bndm;
mod bndmq;
mod bww;
mod fndm;
mod fsbndm;
mod sa;
mod sabp;
mod sbndmq;
mod svm;
mod words;
