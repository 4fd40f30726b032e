//! String matching by automata of the pattern.

pub mod backward_oracle;
