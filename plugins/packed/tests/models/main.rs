//! Models of the algorithms with packed characters, written from the literature alone.

mod simdnaive;
