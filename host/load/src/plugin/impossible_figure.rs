//! Figures of a twin that no search can have counted.

use assay_plugin_api::Field;

/// No search counts to this number, because it would last for months. It is also the least whole number
/// whose successor is no `f64`.
const ENDLESS: u64 = 1 << 53;

/// A figure that no search of a text of `n` bytes can have counted, in words: more jumps than bytes, or so
/// much of anything that no search lasts so long. `fields` are in the order of [`Field`].
pub fn impossible_figure(fields: &[Option<u64>], extra: &[Option<u64>], n: usize) -> Option<String> {
    let jumps = fields.get(Field::Jumps as usize).copied().flatten().filter(|jumps| *jumps > n as u64);
    let jumps = jumps.map(|jumps| format!("{jumps} jumps in {n} bytes of text"));
    let standard = Field::ALL.iter().map(|field| field.name()).zip(fields);
    let mut all = standard.chain(std::iter::repeat("an extra field").zip(extra));
    let endless = |(name, figure): (&str, &Option<u64>)| {
        figure.filter(|figure| *figure >= ENDLESS).map(|figure| format!("{name}: {figure}"))
    };
    jumps.or_else(|| all.find_map(endless))
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::{EXTRA_FIELDS, FIELDS};

    use super::*;

    #[test]
    fn figures_that_no_search_can_have_are_impossible() {
        let with = |field: Field, figure| {
            let mut fields = [None; FIELDS];
            fields[field as usize] = Some(figure);
            impossible_figure(&fields, &[None; EXTRA_FIELDS], 10)
        };
        assert_eq!((impossible_figure(&[], &[], 10), with(Field::Jumps, 10)), (None, None));
        assert_eq!(with(Field::Jumps, 11).unwrap(), "11 jumps in 10 bytes of text");
        assert_eq!(with(Field::Branches, ENDLESS - 1), None);
        assert!(with(Field::Branches, ENDLESS).unwrap().ends_with(": 9007199254740992"));
        assert!(with(Field::Branches, u64::MAX).unwrap().ends_with(": 18446744073709551615"));
        let extra = impossible_figure(&[None; FIELDS], &[Some(u64::MAX); EXTRA_FIELDS], 10);
        assert!(extra.unwrap().starts_with("an extra field: "));
    }
}
