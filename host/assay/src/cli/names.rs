//! Option values that are lists of names.

use std::convert::Infallible;
use std::str::FromStr;

use assay_counting as counters;

/// The names in one value of an option, separated by commas.
#[derive(Clone, Debug)]
pub(super) struct NameList(Vec<String>);

impl FromStr for NameList {
    type Err = Infallible;
    fn from_str(list: &str) -> Result<Self, Infallible> {
        Ok(NameList(counters::split(list).into_iter().map(|name| name.trim().to_owned()).collect()))
    }
}

/// The names in all values of an option.
pub(super) fn all(values: &[NameList]) -> Vec<String> {
    values.iter().flat_map(|names| names.0.clone()).collect()
}
