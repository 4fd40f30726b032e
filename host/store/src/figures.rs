//! Statistics of what was measured, each under its name.

use std::borrow::Cow;
use std::fmt;

use assay_stats::Summary;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Quantities by name, in order; `None` for one that is missing in some repetition. In JSON, one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(Vec<(String, Option<Summary>)>);

impl Figures {
    /// Whether there are no quantities.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The quantity of this name, if it is not missing.
    pub fn get(&self, name: &str) -> Option<&Summary> {
        self.iter().find_map(|(found, summary)| if found == name { summary } else { None })
    }

    /// The same of counts less what an empty call counts, where that is known.
    #[must_use]
    pub fn less(self, empty: impl Fn(&str) -> Option<f64>) -> Self {
        let less = |(name, summary): (String, Option<Summary>)| {
            let empty = empty(&name).unwrap_or(0.0);
            (
                name,
                summary
                    .map(|summary| summary.minus(empty))
                    .filter(|summary| empty == 0.0 || summary.med >= 0.0),
            )
        };
        self.0.into_iter().map(less).collect()
    }

    /// Names and statistics.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&Summary>)> {
        self.0.iter().map(|(name, summary)| (name.as_str(), summary.as_ref()))
    }
}

impl FromIterator<(String, Option<Summary>)> for Figures {
    fn from_iter<I: IntoIterator<Item = (String, Option<Summary>)>>(figures: I) -> Self {
        Figures(figures.into_iter().collect())
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Figures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Figures;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of statistics")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Figures, A::Error> {
        let mut figures = Vec::new();
        while let Some(figure) = map.next_entry()? {
            figures.push(figure);
        }
        Ok(Figures(figures))
    }
}

impl JsonSchema for Figures {
    fn schema_name() -> Cow<'static, str> {
        "Figures".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let statistics = generator.subschema_for::<Option<Summary>>();
        schemars::json_schema!({
            "description": "Quantities by name; `null` for one that is missing in some repetition.",
            "type": "object",
            "additionalProperties": statistics,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_an_object_in_order_and_what_is_missing_is_null() {
        let figures: Figures =
            [("b".to_owned(), None), ("a".to_owned(), Summary::new(&[1.0]))].into_iter().collect();
        let json = serde_json::to_string(&figures).unwrap();
        assert_eq!(json, r#"{"b":null,"a":{"min":1.0,"med":1.0,"avg":1.0,"std":0.0,"max":1.0}}"#);
        assert_eq!(serde_json::from_str::<Figures>(&json).unwrap(), figures);
        assert_eq!((figures.get("a").map(|summary| summary.med), figures.get("b")), (Some(1.0), None));
        let error = serde_json::from_str::<Figures>("[]").unwrap_err().to_string();
        assert!(error.contains("expected an object of statistics"), "{error}");
    }
}
