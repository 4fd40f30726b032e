//! Tables against ideal ones that were worked out by hand.

use super::*;

fn column(name: &str, values: &[f64]) -> Column<'static> {
    Column { name: name.to_owned(), values: values.to_vec().into() }
}

fn measure<'a>(validation: &'a Validation, what: &str) -> &'a Measure {
    &validation.measures.iter().find(|(measure, _)| measure.what.starts_with(what)).unwrap().0
}

#[test]
fn a_table_is_as_far_from_itself_as_nothing() {
    let rising: Vec<f64> = (0..40).map(f64::from).collect();
    let bent: Vec<f64> = rising.iter().map(|x| (x - 15.0).abs()).collect();
    let table = [column("a", &rising), column("b", &bent)];
    let validation = validate(&table, &table, Some("a")).unwrap();
    assert_eq!((validation.rows, validation.measures.len()), (40, 7));
    for (measure, noise) in &validation.measures {
        assert_eq!((measure.mean, measure.mean_square, measure.largest), (0.0, 0.0, 0.0), "{}", measure.what);
        assert!(noise.as_ref().unwrap().mean_size >= 0.0);
    }
}

#[test]
fn a_reversed_column_is_seen_by_each_measure_of_pairs_and_by_none_of_single_events() {
    let rising: Vec<f64> = (0..100).map(f64::from).collect();
    let falling: Vec<f64> = rising.iter().rev().copied().collect();
    let ideal = [column("a", &rising), column("b", &rising)];
    let made = [column("b", &falling), column("a", &rising), column("unknown", &rising)];
    let validation = validate(&made, &ideal, None).unwrap();
    let near = |what: &str, expected: f64| {
        let found = measure(&validation, what).mean;
        assert!((found - expected).abs() < 1e-9, "{what}: {found}");
    };
    near("Pearson", -2.0);
    near("Spearman", -2.0);
    near("chance that both", -0.1);
    near("quantiles", 0.0);
    // At tenths u and v the ideal has min(u, v), the result max(u + v - 1, 0).
    let grid = (1..10).flat_map(|u| (1..10).map(move |v| (f64::from(u) / 10.0, f64::from(v) / 10.0)));
    let apart: Vec<f64> = grid.map(|(u, v): (f64, f64)| (u + v - 1.0).max(0.0) - u.min(v)).collect();
    let mean = |of: fn(&f64) -> f64| apart.iter().map(of).sum::<f64>() / 81.0;
    near("joint", mean(|by| *by));
    let joint = measure(&validation, "joint");
    assert!((joint.mean_size - mean(|by| by.abs())).abs() < 1e-9);
    assert!((joint.mean_square - mean(|by| by * by)).abs() < 1e-9);
    assert!((joint.largest + 0.5).abs() < 1e-9, "at the middle of both");
    assert_eq!(measure(&validation, "Pearson").of, ["a", "b"]);
}

#[test]
fn quantile_errors_are_in_deviations() {
    let values: Vec<f64> = (0..101).map(f64::from).collect();
    let moved: Vec<f64> = values.iter().map(|value| value + 10.0 * f64::from(*value > 50.0)).collect();
    let ideal = [column("a", &values), column("b", &values)];
    let validation = validate(&[column("a", &moved), column("b", &values)], &ideal, None).unwrap();
    let quantiles = measure(&validation, "quantiles");
    let step = 10.0 / deviation(&values);
    assert!((quantiles.largest - step).abs() < 1e-9);
    assert_eq!((quantiles.compared, quantiles.of.as_slice()), (2, &["a".to_owned()][..]));
    // 49 of 99 quantiles of one of two events.
    assert!((quantiles.mean_size - step * 49.0 / 198.0).abs() < 1e-9, "{quantiles:?}");
}

#[test]
fn what_never_changes_or_is_in_one_table_only_is_left_out_and_named() {
    let rising: Vec<f64> = (0..1001).map(f64::from).collect();
    let other: Vec<f64> = rising.iter().map(|x| (x * 37.0) % 1001.0).collect();
    // The sum of many 0.1 is no multiple of 0.1.
    let k = || column("k", &[0.1; 1001]);
    let ideal = [column("a", &rising), column("b", &other), k(), column("only ideal", &rising)];
    let made = [column("a", &rising), column("b", &rising), k(), column("only merged", &rising)];
    let validation = validate(&made, &ideal, Some("a")).unwrap();
    for what in ["Pearson", "Spearman"] {
        assert_eq!(measure(&validation, what).compared, 1, "{what}");
    }
    let pearson = measure(&validation, "Pearson");
    assert!(pearson.mean_size > 0.5 && pearson.mean_size == pearson.largest.abs(), "{pearson:?}");
    assert_eq!(measure(&validation, "quantiles").compared, 2);
    let notes = validation.notes();
    assert!(notes[0].ends_with("since the merged table lacks them: only ideal"), "{notes:?}");
    assert!(notes[1].ends_with("since the ideal table lacks them: only merged"), "{notes:?}");
    assert!(notes[2].contains("since they never change: k"), "{notes:?}");
    let constants = [k(), column("l", &[7.0; 1001])];
    let nothing = validate(&constants, &constants, None).unwrap();
    assert!(nothing.measures.iter().all(|(measure, _)| measure.what != "Pearson correlation"));
}

#[test]
fn what_cannot_be_compared_is_refused_and_noise_needs_rows() {
    let (a, b) = (|| column("a", &[1.0, 2.0]), || column("b", &[2.0, 1.0]));
    let error =
        |made: &[Column<'_>], ideal: &[Column<'_>]| validate(made, ideal, None).unwrap_err().to_string();
    assert!(error(&[a(), b()], &[a(), column("c", &[1.0])]).contains("less than two events in common"));
    assert!(error(&[a(), b()], &[a(), a(), b()]).contains("holds `a` twice"));
    assert!(
        error(&[a(), column("b", &[f64::NAN])], &[a(), b()])
            .contains("the merged table lacks a value of `b`")
    );
    assert!(error(&[a(), b()], &[a(), column("b", &[])]).contains("the ideal table lacks a value of `b`"));
    let validation = validate(&[a(), b()], &[a(), b()], None).unwrap();
    assert!(validation.measures.iter().all(|(_, noise)| noise.is_none()));
    assert!(validation.render(OutputFormat::Csv).starts_with("measure,compared,mean,size,size_by_chance"));
    let json: serde_json::Value = serde_json::from_str(&validation.render(OutputFormat::Json)).unwrap();
    assert_eq!(
        (&json["ideal_rows"], &json["measures"][0]["size_by_chance"]),
        (&2.into(), &serde_json::Value::Null)
    );
}
