//! The smallest coverings that our searches have ever found, as recipes in a file.
//!
//! A line of the file holds the number of slots, that of points, that of blocks, and the recipe. For blocks
//! of two or three points there are none, because they are soon made.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::recipe::Recipe;

/// The number of points and that of slots.
type Size = (usize, usize);

/// The number of blocks and the recipe.
type Line = (usize, &'static str);

/// The lines of the file.
static LINES: LazyLock<HashMap<Size, Line>> =
    LazyLock::new(|| include_str!("best_known.txt").lines().filter_map(line).collect());

fn line(line: &'static str) -> Option<(Size, Line)> {
    let mut fields = line.splitn(4, ' ');
    let mut number = || fields.next()?.parse().ok();
    let (slots, points, blocks) = (number()?, number()?, number()?);
    Some(((points, slots), (blocks, fields.next()?)))
}

/// The number of blocks of the best known covering.
pub(super) fn size(points: usize, slots: usize) -> Option<usize> {
    LINES.get(&(points, slots)).map(|(blocks, _)| *blocks)
}

/// How the best known covering is made.
pub(super) fn recipe(points: usize, slots: usize) -> Option<Recipe> {
    LINES.get(&(points, slots)).and_then(|(_, recipe)| Recipe::parse(recipe))
}

#[cfg(test)]
mod record;
#[cfg(test)]
mod tests;
