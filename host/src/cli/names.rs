//! Values of options that are lists of names.

use std::convert::Infallible;
use std::str::FromStr;

use crate::counters;

/// The names in one value of an option.
#[derive(Clone, Debug)]
pub struct Names(Vec<String>);

impl FromStr for Names {
    type Err = Infallible;
    fn from_str(list: &str) -> Result<Self, Infallible> {
        Ok(Names(counters::split(list).into_iter().map(|name| name.trim().to_owned()).collect()))
    }
}

/// The names in all values of an option.
pub fn all(values: &[Names]) -> Vec<String> {
    values.iter().flat_map(|names| names.0.clone()).collect()
}
