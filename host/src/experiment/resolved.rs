//! An experiment with all that it names at hand: found and checked before anything is measured.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::build;
use super::calls::{CallSpec, steps};
use super::counters::{self, Counters, Group};
use super::cpu;
use super::definition::TextSpec;
use super::definition::{Experiment, Stats};
use super::patterns;
use super::range::{Point, Range, Step, named};
use super::recorded::{self, Recorded};
use super::rounds::Rounds;
use super::selection::{self, Chosen};
use super::text::{Text, TextFacts};
use crate::columns::Call;
use crate::counters::sets::{BoundRelation, EventSet, bound};
use crate::error::{Error, Result};
use crate::io::console::Console;
use crate::plugin::Registry;
use crate::process::{Launch, SLOWER};

/// An experiment with all that it names at hand.
#[derive(Debug)]
pub struct Resolved {
    /// The experiment, its algorithms replaced by their ids and its seed drawn.
    pub experiment: Experiment,
    /// Decides everything that is drawn.
    pub seed: u64,
    /// The algorithms.
    pub algorithms: Vec<Chosen>,
    /// The texts: the first is that of the first point.
    pub texts: Vec<Text>,
    /// What is measured of each algorithm: one for each value of the range.
    pub points: Vec<Point>,
    /// The counters that are read around each call.
    pub counters: Vec<Group>,
    /// The event sets that were asked for: what is computed of the counts.
    pub event_sets: Vec<EventSet>,
    /// What must hold of the counts.
    pub relations: Vec<BoundRelation>,
    /// How the workers are started; none if as ever.
    pub launch: Option<Launch>,
    /// The CPU to measure on, if it matters.
    pub cpu: Option<usize>,
    /// The CPUs of the threads, where several search and the system does not place them.
    pub team: Vec<usize>,
    /// When the search for all this began.
    pub since: Instant,
}

impl Experiment {
    /// Finds all that the experiment names.
    ///
    /// # Errors
    /// If anything of it is missing or makes no sense.
    pub fn resolve(mut self, registry: &Registry, console: &Console) -> Result<Resolved> {
        let since = Instant::now();
        self.validate()?;
        let algorithms = selection::select(&self.algorithms, self.stats, registry, console)?;
        build::check(&algorithms, self.stats, self.allow_debug, console)?;
        self.algorithms = algorithms.iter().map(|chosen| chosen.id.clone()).collect();
        let seed = *self.seed.get_or_insert_with(|| rand::random::<u32>().into());
        let cpu = cpu::choose(self.pin)?;
        let team = cpu::team(cpu, self.most_threads())?;
        let Counters { groups, sets: event_sets, known_sets } =
            counters::resolve(&self.counters, cpu, registry, console)?;
        known_sets.unusable().for_each(|told| console.note(&told));
        let counters = counters::with_options(groups, &self.counter_options)?;
        if cpu.is_none() {
            counters::check_stamps(&counters, registry)?;
        }
        let launch = counters::launch(&counters, self.multiplex, cpu, registry)?;
        if let (true, Some(group), Some(_)) = (self.in_process, counters.first(), &launch) {
            return Err(Error::new(format!(
                "{} starts the workers by itself, and with --in-process there are none",
                group.backend
            ))
            .remedy("leave out --in-process"));
        }
        if let (true, Some(group), Some(_)) = (self.cold, counters.first(), &launch) {
            return Err(Error::new(format!(
                "{} counts in a simulation with caches of its own, which nothing can flush",
                group.backend
            ))
            .remedy("leave out --cold"));
        }
        if let (true, Some(group), Some(_)) = (self.goes_on(), counters.first(), &launch) {
            return Err(Error::new(format!(
                "{} runs the searches in a simulation, and its times are none to go on by",
                group.backend
            ))
            .remedy("leave out --until and --budget"));
        }
        if launch.is_some() {
            // A simulation counts the same in every round, and takes long to start.
            self.rounds = 1;
        }
        let counters =
            counters::rehearsed(counters, self.multiplex, cpu, launch.as_ref(), registry, console)?;
        if launch.is_some() && counters.is_empty() {
            return Err(Error::new("nothing is left that could be counted, and this run has no times")
                .remedy("see the warning above, or leave out --counters"));
        }
        let mut texts = Texts { seed, registry, console, found: Vec::new() };
        let points = self.points(&mut texts)?;
        let (texts, recorded): (Vec<Text>, Vec<Vec<Recorded>>) =
            texts.found.into_iter().map(|(_, text, recorded)| (text, recorded)).unzip();
        (self.text.recorded, self.text.force) = (recorded::all(recorded.into_iter().flatten()), false);
        let names: Vec<String> = counters.iter().flat_map(Group::names).collect();
        let relations = if names.is_empty() { Vec::new() } else { bound(&known_sets, &names) };
        for (name, path) in relations.iter().filter_map(|of: &BoundRelation| {
            let name = of.set.as_ref()?;
            Some((name, known_sets.place(name)?))
        }) {
            console.detail(&format!(
                "what must hold of counts by the event set `{name}` is of {}",
                path.display()
            ));
        }
        Ok(Resolved {
            experiment: self,
            seed,
            algorithms,
            texts,
            points,
            counters,
            event_sets,
            relations,
            launch,
            cpu,
            team,
            since,
        })
    }
}

/// The texts of an experiment, each found once.
struct Texts<'a> {
    seed: u64,
    registry: &'a Registry,
    console: &'a Console,
    found: Vec<(TextSpec, Text, Vec<Recorded>)>,
}

impl Texts<'_> {
    /// The number of a text.
    fn number(&mut self, spec: &TextSpec) -> Result<usize> {
        if let Some(number) = self.found.iter().position(|(known, _, _)| known == spec) {
            return Ok(number);
        }
        let (text, recorded) = Text::new(spec, self.seed, self.registry, self.console)?;
        self.found.push((spec.clone(), text, recorded));
        Ok(self.found.len() - 1)
    }

    fn numbers(&mut self, specs: &[TextSpec]) -> Result<Vec<usize>> {
        specs.iter().map(|spec| self.number(spec)).collect()
    }

    /// Whether each text that these calls search has the size that was asked for.
    ///
    /// # Errors
    /// The first that is shorter; the range goes to `label`.
    fn are_long_enough(&self, steps: &[Step], label: &str) -> Result<()> {
        let short = |step: &&Step| self.bytes(step.text).len() < self.found[step.text].0.bytes;
        let Some(step) = steps.iter().find(short) else { return Ok(()) };
        let text = &self.found[step.text].1;
        let (name, bytes) = (text.sources.join(", "), text.bytes.len());
        Err(Error::new(format!("the text {name} has {bytes} bytes, and the range goes to {label}"))
            .remedy("give a longer --text, --fill-buffer, or smaller sizes"))
    }

    /// Whether no text that these calls search is shorter than the longest pattern.
    ///
    /// # Errors
    /// The first that is, by its name.
    fn hold_patterns(&self, steps: &[Step], length: usize) -> Result<()> {
        let Some(short) = steps.iter().find(|step| self.bytes(step.text).len() < length) else {
            return Ok(());
        };
        let Text { bytes, sources } = &self.found[short.text].1;
        Err(patterns::too_long(
            length,
            &format!("the text of {} bytes ({})", bytes.len(), sources.join(", ")),
        ))
    }

    /// How many bytes these calls search.
    fn searched(&self, steps: &[Step]) -> usize {
        let searches = steps.iter().filter(|step| step.call == Call::Search);
        searches.map(|step| self.bytes(step.text).len()).sum()
    }

    /// The texts that these calls search; patterns are drawn from the first.
    fn searched_by(&self, steps: &[Step]) -> Vec<&[u8]> {
        let mut numbers: Vec<usize> = Vec::new();
        for step in steps {
            if !numbers.contains(&step.text) {
                numbers.push(step.text);
            }
        }
        numbers.into_iter().map(|number| self.bytes(number)).collect()
    }

    fn bytes(&self, number: usize) -> &[u8] {
        &self.found[number].1.bytes
    }
}

/// What a repetition does at some points, whose patterns are still to be drawn.
struct Planned {
    steps: Vec<Step>,
    threads: usize,
    /// How many bytes it searches.
    bytes: usize,
    /// The value of the range, where that is not the length of the patterns.
    value: Option<u64>,
    /// Decides the patterns.
    seed: u64,
    /// The lengths of the patterns, and the repetitions with each.
    lengths: Vec<(usize, Rounds)>,
}

impl Experiment {
    /// What is measured of each algorithm.
    fn points(&self, texts: &mut Texts<'_>) -> Result<Vec<Point>> {
        let planned = self.planned(texts)?;
        let all = || planned.iter().flat_map(|planned| &planned.lengths).map(|(_, rounds)| *rounds);
        let asked_for = all().map(|rounds| rounds.count()).max().unwrap_or(1);
        let most = |rounds: Rounds| self.most_repetitions(rounds, asked_for);
        self.check_size(self.algorithms.len(), &all().map(most).collect::<Vec<_>>())?;
        let mut points = Vec::new();
        for Planned { steps, threads, bytes, value, seed, lengths } in planned {
            let most =
                |length| lengths.iter().find(|(known, _)| *known == length).map_or(0, |(_, of)| most(*of));
            texts.hold_patterns(&steps, lengths.iter().map(|(length, _)| *length).max().unwrap_or(0))?;
            let sets = patterns::draw(&self.patterns, most, seed, &texts.searched_by(&steps))?;
            points.extend(sets.into_iter().zip(&lengths).map(|(set, (length, rounds))| Point {
                value: value.unwrap_or(*length as u64),
                set,
                steps: steps.clone(),
                threads,
                bytes,
                rounds: *rounds,
            }));
        }
        Ok(points)
    }

    /// Looks whether the declared operations are a number of them.
    fn check_operations(&self, text_length: usize, pattern_length: usize) -> Result<()> {
        let Some(formula) = &self.complexity else { return Ok(()) };
        let operations = match formula.value(text_length, pattern_length) {
            Some(operations) if operations >= 0.0 => return Ok(()),
            Some(operations) => operations.to_string(),
            None => "no number of".to_owned(),
        };
        Err(Error::new(format!(
            "`{formula}` is {operations} operations where {text_length} bytes are searched for patterns of {pattern_length}"
        ))
        .remedy("give --complexity a formula that is 0 or more everywhere, as 2 * text_length"))
    }

    /// The points, those with the same text together.
    fn planned(&self, texts: &mut Texts<'_>) -> Result<Vec<Planned>> {
        let lengths = |steps: &[Step], texts: &Texts<'_>| -> Result<Vec<(usize, Rounds)>> {
            let shortest = steps.iter().map(|step| texts.bytes(step.text).len()).min().unwrap_or_default();
            let lengths = self.patterns.all_lengths(shortest);
            let searched = texts.searched(steps);
            let of_length = |length| {
                self.check_operations(searched, length)?;
                Ok((length, self.rounds_at(searched, length)?))
            };
            lengths.into_iter().map(of_length).collect()
        };
        let Some(range) = &self.range else {
            let steps = self.steps(&self.text, texts)?;
            let (bytes, lengths) = (texts.searched(&steps), lengths(&steps, texts)?);
            let (threads, seed) = (self.threads, texts.seed);
            return Ok(vec![Planned { steps, threads, bytes, value: None, seed, lengths }]);
        };
        let specs = range.texts(&self.text)?;
        let mut all = Vec::new();
        for (i, (value, label)) in range.values().into_iter().enumerate() {
            let spec = specs.as_ref().map_or(&self.text, |specs| &specs[i]);
            let steps = self.steps(spec, texts)?;
            if let Range::TextBytes(_) = range {
                texts.are_long_enough(&steps, &label)?;
            }
            let seed = seed_of(texts.seed, value);
            let threads = if let Range::Threads(_) = range { value as usize } else { self.threads };
            let (bytes, lengths) = (texts.searched(&steps), lengths(&steps, texts)?);
            all.push(Planned { steps, threads, bytes, value: Some(value), seed, lengths });
        }
        Ok(all)
    }

    /// The calls of a repetition on this text.
    fn steps(&self, text: &TextSpec, texts: &mut Texts<'_>) -> Result<Vec<Step>> {
        let own = |texts: &mut Texts<'_>, call: &CallSpec| -> Result<(Option<usize>, usize)> {
            let own = call.text.as_ref().map(|name| texts.number(&named(name, text))).transpose()?;
            Ok((own, call.searches))
        };
        let sum = match &self.sumrange {
            Some(sumrange) => sumrange.texts(text)?.expect("a sum-range goes over texts"),
            // The first call stands for all: each brings its own.
            None if self.calls_name_all_texts() => {
                self.calls.iter().flat_map(|call| &call.text).take(1).map(|name| named(name, text)).collect()
            }
            None => vec![text.clone()],
        };
        let sum = texts.numbers(&sum)?;
        if let Some(Range::TextBytes(_)) = &self.sumrange {
            texts.are_long_enough(&steps(&sum, &[]), "more")?;
        }
        let calls = self.calls.iter().map(|call| own(texts, call)).collect::<Result<Vec<_>>>()?;
        Ok(steps(&sum, &calls))
    }
}

/// What decides the patterns of a value of the range: each has fresh ones. Of a text, that is its place in the list.
fn seed_of(seed: u64, value: u64) -> u64 {
    // The golden ratio's bits spread small numbers over all of them.
    seed ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Resolved {
    /// What is told of the texts from which patterns are drawn, by their numbers.
    pub fn text_facts(&self) -> BTreeMap<usize, TextFacts> {
        let numbers: BTreeSet<usize> = self.points.iter().map(Point::text).collect();
        numbers.into_iter().map(|number| (number, self.texts[number].facts())).collect()
    }

    /// The text from which the patterns of a point are drawn.
    pub fn text_of(&self, point: usize) -> &Text {
        &self.texts[self.points[point].text()]
    }

    /// How many patterns are searched for, by each algorithm, if it does not go on.
    pub fn searches(&self) -> u64 {
        self.points.iter().map(|point| point.rounds.runs() as u64).sum()
    }

    /// How many rounds are asked for: those of the point that has most.
    pub fn asked_for(&self) -> usize {
        self.points.iter().map(|point| point.rounds.count()).max().unwrap_or(1)
    }

    /// How long the calls of a repetition may take: as long for each search as for a preparation and a search.
    pub fn time_limit_ms(&self) -> u64 {
        let slower = if self.launch.is_some() { SLOWER } else { 1 };
        let searches = self.points.iter().map(|point| point.searched().count() as u64).max().unwrap_or(1);
        self.experiment.time_limit_ms.saturating_mul(slower.into()).saturating_mul(searches)
    }

    /// Whether the start of each worker is timed: a process of its own has one, and it tells something where searches are timed.
    pub fn times_starts(&self) -> bool {
        self.experiment.stats == Stats::Perf && self.launch.is_none() && !self.experiment.in_process
    }

    /// Names of the counters, in the order of their columns.
    pub fn counter_names(&self) -> Vec<String> {
        self.counters.iter().flat_map(Group::names).collect()
    }

    /// What is about to be measured, for those who want to know more.
    pub fn describe(&self) -> String {
        let variant = |chosen: &Chosen| {
            format!("\n  {} of {}", chosen.listing.id, chosen.listing.library.path.display())
        };
        let cpu = self.cpu.map_or_else(|| "any CPU".to_owned(), |cpu| format!("CPU {cpu}"));
        format!("measuring on {cpu}:{}", self.algorithms.iter().map(variant).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::experiment::testing::example;

    #[test]
    fn searches_are_those_of_all_points() {
        let mut resolved = example(1, 10).in_rounds(10, 4);
        assert_eq!((resolved.searches(), resolved.asked_for()), (20, 4));
        resolved.points[1].rounds = Rounds::new(3, 4);
        assert_eq!((resolved.searches(), resolved.asked_for()), (13, 4));
    }
}
