//! What a crossover has found, for people and for programs.

use assay_base::columns::Call;
use assay_base::io::console::{counted, moves};
use assay_base::io::fold::for_output;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_crossover::{
    Crossover, CrossoverGrid, Dispatcher, GridAxis, LineFindings, PointStandings, Regret, findings, in_words,
};
use assay_experiment::size;
use assay_report::wording;
use assay_store::ExperimentFacts;

use crate::cli::report::IncludedCalls;

/// What was found about some algorithms.
pub(super) struct ShownCrossover<'a> {
    pub(super) ids: &'a [String],
    grid: &'a CrossoverGrid,
    pub(super) crossover: &'a Crossover,
    pub(super) facts: &'a ExperimentFacts,
    pub(super) call: IncludedCalls,
    pub(super) lines: Vec<LineFindings>,
    pub(super) dispatcher: Option<Dispatcher>,
}

impl<'a> ShownCrossover<'a> {
    /// What was measured on a grid. `facts` are those of one of the runs.
    pub(super) fn new(
        ids: &'a [String],
        grid: &'a CrossoverGrid,
        crossover: &'a Crossover,
        facts: &'a ExperimentFacts,
        call: IncludedCalls,
    ) -> Self {
        let lines = findings(grid, crossover);
        let dispatcher = Dispatcher::new(grid, crossover, ids.len()).ok();
        ShownCrossover { ids, grid, crossover, facts, call, lines, dispatcher }
    }

    /// Everything, in one of the formats of tables, ending with a line feed.
    pub(super) fn in_format(&self, format: OutputFormat) -> String {
        match format {
            OutputFormat::Json => format!("{:#}\n", self.json()),
            OutputFormat::Table => self.text(),
            other => self.regions().render(other),
        }
    }

    /// What was measured, in sentences.
    pub(super) fn about(&self) -> Vec<String> {
        let facts = self.facts;
        let span = |axis: GridAxis| {
            let values = self.grid.values(axis);
            let ends = values.first().zip(values.last());
            ends.map(|(least, greatest)| wording::from_to((*least, *greatest))).unwrap_or_default()
        };
        let sizes = &self.grid.text_sizes;
        let size = match sizes[..] {
            [_] => size::words(facts.text.bytes),
            _ => format!("{} to {}", size::words(sizes[0]), size::words(sizes[sizes.len() - 1])),
        };
        let text = match self.grid.alphabets[..] {
            [] => format!("{} of {size}", facts.text.sources.join(", ").replace(moves, " ")),
            _ => {
                let corpus = facts.text.sources.join(", ");
                let corpus = corpus.trim_end_matches(|letter: char| letter.is_ascii_digit());
                format!("{corpus} of {size} with {} letters", span(GridAxis::Alphabet))
            }
        };
        let call = self.call.map_or("preparation and search", |call| match call {
            Call::Prepare => "preparation",
            Call::Search => "search",
        });
        let definition = facts.definition.as_ref();
        let design = definition.map_or_else(String::new, |definition| {
            format!(
                ", {} each in {}",
                counted(definition.runs, "pattern"),
                counted(definition.rounds, "round")
            )
        });
        let machine = &facts.machine;
        let mut lines = vec![
            format!("{}, by the times of their {call}.", self.ids.join(", ")),
            format!(
                "Text: {text}. Patterns of {} bytes. {}{design}; seed {}.",
                span(GridAxis::PatternLength),
                counted(self.crossover.points.len(), "point"),
                facts.seed,
            ),
            format!(
                "Measured on {} by assay {}.",
                machine.cpu.as_deref().unwrap_or(&machine.architecture),
                machine.assay
            ),
        ];
        lines.extend(wording::unusual_conditions(facts));
        lines
    }

    fn text(&self) -> String {
        let mut parts = vec![self.about().join("\n")];
        for axis in GridAxis::ALL {
            let lines = self.lines.iter().filter(|line| line.axis == axis);
            let lines: Vec<String> = lines.map(|line| self.sentence(line)).collect();
            parts.extend((!lines.is_empty()).then(|| lines.join("\n")));
        }
        if self.lines.is_empty() {
            let alone = self.crossover.points.values().map(|standings| self.at_one_point(standings));
            parts.extend(alone);
        }
        if let Some(dispatcher) = &self.dispatcher {
            if self.ids.len() > 2 {
                parts.push(self.cells(dispatcher).render(OutputFormat::Table).trim_end().to_owned());
            }
            parts.push(self.regrets(dispatcher));
        }
        for_output(&parts.join("\n\n"), 2) + "\n"
    }

    /// Who leads at the only point of a grid without lines.
    fn at_one_point(&self, standings: &PointStandings) -> String {
        let leaders: Vec<&str> =
            standings.leaders().into_iter().map(|algorithm| self.ids[algorithm].as_str()).collect();
        match leaders[..] {
            [] => "nothing could be compared".to_owned(),
            [one] => format!("{one} is the fastest"),
            _ => format!("{} are tied", leaders.join(" and ")),
        }
    }

    /// What was found along a line, after what all its points have in common.
    fn sentence(&self, line: &LineFindings) -> String {
        let mut place: Vec<String> = Vec::new();
        for axis in GridAxis::ALL.into_iter().filter(|axis| *axis != line.axis) {
            let is_needed = self.grid.values(axis).len() > 1;
            place.extend(line.begin.get(axis).filter(|_| is_needed).map(|value| coordinate(axis, value)));
        }
        let words = in_words(line, self.ids, &|value| coordinate(line.axis, value));
        if place.is_empty() { words } else { format!("{}: {words}", place.join(", ")) }
    }

    /// The cells of the dispatcher, for people.
    fn cells(&self, dispatcher: &Dispatcher) -> Table {
        let mut table = Table::new(["letters", "m", "take", "points", "mean regret %", "greatest %"]);
        for cell in &dispatcher.cells {
            let range = |range: (usize, usize)| Datum::Text(wording::from_to(range));
            table.push([
                cell.alphabets.map_or(Datum::Text("any".to_owned()), range),
                range(cell.lengths),
                Datum::Text(self.ids[cell.algorithm].clone()),
                Datum::Number(cell.regret.points as f64, 0),
                percent(cell.regret.mean),
                percent(cell.regret.greatest),
            ]);
        }
        table
    }

    /// What the dispatcher loses against the best, and what one algorithm alone would lose.
    fn regrets(&self, dispatcher: &Dispatcher) -> String {
        let with_dispatcher = regret_words(&dispatcher.regret);
        let mut lines = vec![format!("slower than the best, with this dispatcher: {with_dispatcher}")];
        for (id, regret) in self.ids.iter().zip(&dispatcher.always) {
            lines.push(format!("slower than the best, always {id}: {}", regret_words(regret)));
        }
        let points = counted(self.crossover.points.len(), "point");
        lines.push(format!(
            "(over the {points} that were measured, with 0 for ties; they have also decided the choice, so expect more elsewhere)"
        ));
        lines.join("\n")
    }

    /// A row for each region of each line.
    fn regions(&self) -> Table {
        let axes = GridAxis::ALL.map(GridAxis::column);
        let columns = ["along", axes[0], axes[1], axes[2]];
        let rest = ["from", "to", "points", "leaders", "lead_least", "lead_greatest"];
        let mut table = Table::new(columns.into_iter().chain(rest));
        let whole = |value: usize| Datum::Number(value as f64, 0);
        for line in &self.lines {
            for region in &line.regions {
                let fixed = GridAxis::ALL.map(|axis| {
                    let value = line.begin.get(axis).filter(|_| axis != line.axis);
                    value.map_or(Datum::Missing, whole)
                });
                let leaders: Vec<&str> =
                    region.leaders.iter().map(|algorithm| self.ids[*algorithm].as_str()).collect();
                let lead = |lead: Option<f64>| lead.map_or(Datum::Missing, |lead| Datum::Number(lead, 3));
                let along = std::iter::once(Datum::Text(line.axis.column().to_owned()));
                table.push(along.chain(fixed).chain([
                    whole(region.from),
                    whole(region.to),
                    whole(region.points),
                    Datum::Text(leaders.join(" ")),
                    lead(region.lead.map(|lead| lead.0)),
                    lead(region.lead.map(|lead| lead.1)),
                ]));
            }
        }
        table
    }
}

/// "12.3 % at most, 1.2 % on average, no times at 2 points".
fn regret_words(regret: &Regret) -> String {
    // A second digit only where there is no other.
    let in_percent = |share: f64| format!("{:.*} %", usize::from(share < 0.1), 100.0 * share);
    let figure = |share: Option<f64>| share.map_or("-".to_owned(), in_percent);
    let missing = match regret.missing {
        0 => String::new(),
        missing => format!(", no times at {}", counted(missing, "point")),
    };
    format!("{} at most, {} on average{missing}", figure(regret.greatest), figure(regret.mean))
}

/// A coordinate for people: "m = 8", "4 letters", "64 KiB".
fn coordinate(axis: GridAxis, value: usize) -> String {
    match axis {
        GridAxis::PatternLength => format!("m = {value}"),
        GridAxis::Alphabet => format!("{value} letters"),
        GridAxis::TextBytes => size::words(value),
    }
}

/// A share in percent.
fn percent(share: Option<f64>) -> Datum {
    share.map_or(Datum::Missing, |share| Datum::Number(100.0 * share, 1))
}
