//! The JSON of a crossover.

use assay_base::columns::Call;
use assay_crossover::{GridAxis, GridPoint};
use serde_json::{Value, json};

use super::shown::ShownCrossover;

impl ShownCrossover<'_> {
    /// Everything that was found, for programs.
    pub(super) fn json(&self) -> Value {
        let names = |algorithms: &mut dyn Iterator<Item = usize>| {
            algorithms.map(|algorithm| self.ids[algorithm].clone()).collect::<Vec<String>>()
        };
        let points = self.crossover.points.iter().map(|(point, standings)| {
            let mut object: serde_json::Map<String, Value> = coordinates(point).collect();
            object.insert("leaders".to_owned(), json!(names(&mut standings.leaders().into_iter())));
            let ranked = self.ids.iter().zip(&standings.0).filter_map(|(id, standing)| {
                let standing = (*standing)?;
                Some(json!({"algorithm": id, "rank": standing.rank, "to_best": standing.to_best}))
            });
            object.insert("standings".to_owned(), ranked.collect());
            Value::Object(object)
        });
        let lines = self.lines.iter().map(|line| {
            let mut object: serde_json::Map<String, Value> =
                coordinates(&line.begin).filter(|(column, _)| column != line.axis.column()).collect();
            object.insert("along".to_owned(), json!(line.axis));
            let regions = line.regions.iter().map(|region| {
                json!({
                    "from": region.from,
                    "to": region.to,
                    "points": region.points,
                    "leaders": names(&mut region.leaders.iter().copied()),
                    "lead": region.lead.map(|(least, greatest)| json!({"least": least, "greatest": greatest})),
                })
            });
            object.insert("regions".to_owned(), regions.collect());
            object.insert("not_measured".to_owned(), json!(line.not_measured));
            let borders = line.overtakings.iter().map(|one| {
                json!({
                    "low": one.low,
                    "high": one.high,
                    "from": names(&mut one.from.iter().copied()),
                    "to": names(&mut one.to.iter().copied()),
                    "tied": one.tied.map(|(least, greatest)| [least, greatest]),
                    "is_missing": one.is_missing,
                })
            });
            object.insert("borders".to_owned(), borders.collect());
            Value::Object(object)
        });
        let dispatcher = self.dispatcher.as_ref().map(|dispatcher| {
            let cells = dispatcher.cells.iter().map(|cell| {
                json!({
                    "alphabet": cell.alphabets.map(|(least, greatest)| [least, greatest]),
                    "pattern_length": [cell.lengths.0, cell.lengths.1],
                    "algorithm": self.ids[cell.algorithm],
                    "regret": cell.regret,
                })
            });
            let always = self.ids.iter().zip(&dispatcher.always);
            let always = always.map(|(id, regret)| json!({"algorithm": id, "regret": regret}));
            json!({
                "cells": cells.collect::<Vec<_>>(),
                "regret": dispatcher.regret,
                "always": always.collect::<Vec<_>>(),
            })
        });
        let call = self.call.map_or("all", Call::name);
        json!({
            "schema": 1,
            "algorithms": self.ids,
            "call": call,
            "machine": self.facts.machine,
            "seed": self.facts.seed,
            "points": points.collect::<Vec<_>>(),
            "lines": lines.collect::<Vec<_>>(),
            "dispatcher": dispatcher,
            "left": self.crossover.left,
            "end": self.crossover.end.name(),
        })
    }
}

/// The coordinates of a point by the names of their columns.
fn coordinates(point: &GridPoint) -> impl Iterator<Item = (String, Value)> {
    GridAxis::ALL.map(|axis| (axis.column().to_owned(), json!(point.get(axis)))).into_iter()
}
