//! A table of correlations that a user asks for.

use nalgebra::DMatrix;

/// Greatest number of events that a sentence names, so that it stays readable.
const MOST_NAMED: usize = 20;
/// A correlation stands in the table twice. The two numbers may differ by this much, through rounding.
const ROUNDING: f64 = 1e-6;

/// Correlations of named events.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    names: Vec<String>,
    correlations: DMatrix<f64>,
}

impl Target {
    /// Reads a CSV table: a header with a cell of any content and the names, then for each of them a row with
    /// its name and its correlations, in the same order.
    ///
    /// # Errors
    /// Says in a sentence which row and column is wrong.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
        let refused = |what: String| format!("option target: {what}");
        let header = reader.headers().map_err(|error| refused(error.to_string()))?;
        let names: Vec<String> = header.iter().skip(1).map(str::to_owned).collect();
        let d = names.len();
        if let Some(twice) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
            return Err(refused(format!("it names {} twice", twice.1)));
        }
        let mut correlations = DMatrix::<f64>::identity(d, d);
        let mut rows = 0;
        for record in reader.records() {
            let record = record.map_err(|error| refused(error.to_string()))?;
            let name = record.get(0).unwrap_or_default();
            if names.get(rows).is_none_or(|expected| expected != name) || record.len() != d + 1 {
                return Err(refused(format!(
                    "row {} below the header is `{name}` with {} cells: a square table needs {}",
                    rows + 1,
                    record.len(),
                    names.get(rows).map_or(format!("{d} rows"), |name| format!("`{name}` with {}", d + 1)),
                )));
            }
            for (column, cell) in record.iter().skip(1).enumerate() {
                let place = || format!("the correlation of {name} and {}", names[column]);
                let value: f64 =
                    cell.parse().map_err(|_| refused(format!("{} is `{cell}`, no number", place())))?;
                let expected = if rows == column { (1.0 - ROUNDING, 1.0 + ROUNDING) } else { (-1.0, 1.0) };
                if !(expected.0..=expected.1).contains(&value) {
                    let may = if rows == column { "it is 1" } else { "it lies from -1 to 1" };
                    return Err(refused(format!("{} is {value}: {may}", place())));
                }
                if column < rows && (value - correlations[(column, rows)]).abs() > ROUNDING {
                    let other = correlations[(column, rows)];
                    return Err(refused(format!("{} is {value} here and {other} there", place())));
                }
                if rows != column {
                    correlations[(rows, column)] = value;
                }
            }
            rows += 1;
        }
        if d == 0 || rows != d {
            return Err(refused(format!(
                "{d} names in the header and {rows} rows below: a square table is needed"
            )));
        }
        let correlations = (&correlations + correlations.transpose()) * 0.5;
        Ok(Target { names, correlations })
    }

    /// Whether an event is in the table.
    pub fn knows(&self, event: &str) -> bool {
        self.names.iter().any(|name| name == event)
    }

    /// Checks that all its events were measured.
    ///
    /// # Errors
    /// If one was not. The message has the names of those that were measured.
    pub fn check_names(&self, measured: &[&str]) -> Result<(), String> {
        let unknown: Vec<&str> =
            self.names.iter().map(String::as_str).filter(|name| !measured.contains(name)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let named = measured.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = if measured.len() > MOST_NAMED { ", .." } else { "" };
        Err(format!("option target: it names {}, and measured were {named}{more}", unknown.join(", ")))
    }

    /// The correlations of these events.
    ///
    /// # Errors
    /// If one is missing.
    pub fn correlations(&self, events: &[&str]) -> Result<DMatrix<f64>, String> {
        let place = |event: &&str| {
            let found = self.names.iter().position(|name| name == event);
            found.ok_or_else(|| format!("option target: it lacks {event}"))
        };
        let places: Vec<usize> = events.iter().map(place).collect::<Result<_, _>>()?;
        Ok(self.correlations.select_rows(&places).select_columns(&places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_correlations_are_read() {
        let target = Target::read("HEM,a,\"b, c\"\na,1,0.5\n\"b, c\", 0.5,1\n").unwrap();
        assert!(target.knows("b, c") && !target.knows("HEM"));
        assert_eq!(
            target.correlations(&["b, c", "a"]).unwrap(),
            DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 1.0])
        );
        assert!(target.check_names(&["z", "b, c", "a"]).is_ok());
        let error = target.check_names(&["b", "a"]).unwrap_err();
        assert_eq!(error, "option target: it names b, c, and measured were b, a");
        assert_eq!(target.correlations(&["x"]).unwrap_err(), "option target: it lacks x");
    }

    #[test]
    fn what_is_no_matrix_of_correlations_is_refused_with_its_place() {
        for (text, expected) in [
            ("", "0 names"),
            ("HEM,a\n", "1 names in the header and 0 rows"),
            ("HEM,a,a\na,1,1\na,1,1\n", "names a twice"),
            ("HEM,a,b\nb,1,0\na,0,1\n", "row 1 below the header is `b`"),
            ("HEM,a,b\na,1,0\nb,0\n", "row 2 below the header is `b` with 2 cells"),
            ("HEM,a,b\na,1,0\nb,0,1\nc,0,0\n", "needs 2 rows"),
            ("HEM,a,b\na,1,x\nb,0,1\n", "of a and b is `x`, no number"),
            ("HEM,a,b\na,1,NaN\nb,0,1\n", "of a and b is NaN"),
            ("HEM,a,b\na,1,1.5\nb,1.5,1\n", "of a and b is 1.5: it lies from -1 to 1"),
            ("HEM,a,b\na,0.9,0\nb,0,1\n", "of a and a is 0.9: it is 1"),
            ("HEM,a,b\na,1,0.2\nb,0.3,1\n", "of b and a is 0.3 here and 0.2 there"),
        ] {
            let error = Target::read(text).unwrap_err();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
