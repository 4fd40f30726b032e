//! Models of the algorithms that join two ideas, written from the literature alone.

mod bmh_sbndm;
mod fjs;
