//! Plugin libraries: where they are found, how they are loaded, what they bring.
