//! String matching by automata of the pattern.
