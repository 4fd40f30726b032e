//! The statistics that the host computes by itself are those of the plugins of the same names, to the last bit:
//! `run` and `report` print the same figures.

use assay_plugin_api::Statistic;
use assay_plugin_api::private::{Item, Registration, inventory};
use assay_statistics as _;
use assay_stats::Summary;
use proptest::prelude::*;

/// The statistic plugin of this name.
fn plugin(id: &str) -> &'static Statistic {
    let mut statistics =
        inventory::iter::<Registration>.into_iter().filter_map(|registration| match registration.item {
            Item::Statistic(statistic) => Some(statistic),
            _ => None,
        });
    statistics.find(|statistic| statistic.id == id).unwrap_or_else(|| panic!("no statistic {id}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn host_and_plugins_agree(
        values in prop::collection::vec(prop_oneof![0.0..1e12, 0.0..1.0, (0..99_u32).prop_map(f64::from)], 1..200)
    ) {
        for (name, value) in Summary::new(&values).unwrap().named() {
            prop_assert_eq!((plugin(name).reduce)(&values), [value], "{}", name);
        }
    }
}
