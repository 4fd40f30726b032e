//! String matching with the bits of a machine word.
