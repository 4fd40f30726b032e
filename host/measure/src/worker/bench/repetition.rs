//! One repetition in the worker's own thread: what happens between two readings of the clock and right around
//! them, and the row that is made of it.

use assay_base::columns::Call;
use assay_experiment::points::Step;
use assay_load::plugin::{Failure, FittedText, Needs};
use assay_plugin_api::{Hints, Measurements};
use assay_store::{Cost, Measured, Row};

use super::super::clock::now_ns;
use super::super::heartbeat::{Heartbeat, Phase};
use super::Bench;

impl Bench {
    /// Measures one repetition: its preparations, and the searches after each of them. Around each call, the
    /// order is
    ///
    /// ```text
    /// read counters, note the phase, read the clock, CALL, read the clock, read counters
    /// ```
    ///
    /// Nothing but the call happens between the two readings of the clock, so a time contains the call and
    /// one reading of the clock. Counters are read outside, so their cost is in no time; a count contains the
    /// two readings of the clock and the noting of the phase. Results are unpacked and checked after the last
    /// reading. In a repetition that prepares once and searches once, nothing is allocated from the first
    /// reading to the last.
    pub(super) fn repetition(
        &mut self,
        steps: &[Step],
        texts: &mut [FittedText<'_>],
        needs: &Needs,
        heartbeat: &Heartbeat,
    ) -> Result<Row, Failure> {
        let Bench { algorithm, searcher, counters, pattern, taken, .. } = self;
        let pattern = pattern.bytes();
        taken.clear();
        let (mut measured, mut own_ns, mut found_at) = (None::<Measured>, None, 0);
        // Each preparation, with the searches that use its tables.
        for calls in steps.chunk_by(|_, next| next.call == Call::Search) {
            let text = &mut texts[calls[0].text];
            text.clear_around();
            let sample = needs.raw().sample.min(text.bytes().len());
            let hints = Hints { sample: &text.bytes()[..sample], text_length: text.bytes().len() };

            counters.read_before(taken.len(), heartbeat);
            heartbeat.enter(Phase::Prepare(taken.len()));
            let start = now_ns();
            let prepared = searcher.prepare(pattern, hints);
            let prepare_ns = now_ns() - start;
            counters.read_after(taken.len(), heartbeat);
            let mut prepared = prepared?;
            taken.push((prepare_ns, 0));

            for (i, call) in calls[1..].iter().enumerate() {
                let text = &mut texts[call.text];
                // The search before may have written around its text. The text of the first search was
                // cleared before the preparation, which does not write to it.
                if i > 0 || call.text != calls[0].text {
                    text.clear_around();
                }
                counters.read_before(taken.len(), heartbeat);
                heartbeat.enter(Phase::Search(taken.len()));
                let start = now_ns();
                let found = prepared.count(text);
                found_at = now_ns();
                counters.read_after(taken.len(), heartbeat);
                // Reading back measurements is the algorithm's code, too, so the phase is that of the search
                // again.
                heartbeat.enter(Phase::Search(taken.len()));
                let found = found?;
                if algorithm.instrumented || needs.own_times() {
                    let reported = prepared.measurements()?;
                    let Measurements { fields, extra } = reported.figures;
                    let of_search = Measured { fields, extra };
                    measured = Some(measured.map_or(of_search, |before| before.and(&of_search)));
                    let own = [reported.own_prepare_ns, reported.own_search_ns];
                    own_ns = needs.own_times().then(|| own.map(|ns| ns.map(|ns| ns.round() as u64)));
                }
                taken.push((found_at - start, found));
            }
        }
        let mut row = self.row(steps);
        row.measured = measured.filter(|_| self.algorithm.instrumented).map(Box::new);
        row.own_ns = own_ns;
        if own_ns.is_some() {
            // Such an algorithm prepares and searches in one call, so the counts are those of both.
            row.calls[0].counts.fill(None);
        }
        self.ended_ns = now_ns();
        self.read_back_ns = self.ended_ns - found_at;
        Ok(row)
    }

    /// Makes the row of a repetition from the times, counts and occurrences of its calls.
    pub(super) fn row(&self, steps: &[Step]) -> Row {
        let Bench { counters, taken, .. } = self;
        let cost = |call: usize| Cost { ns: taken[call].0, counts: counters.costs(call) };
        if steps.len() == Call::ALL.len() {
            return Row { occurrences: taken[1].1, calls: [cost(0), cost(1)], ..Row::default() };
        }
        let searches = steps.iter().zip(taken).filter(|(step, _)| step.call == Call::Search);
        let found = searches.map(|(_, (_, found))| *found).collect();
        Row::of_calls(steps, (0..steps.len()).map(cost).collect(), found, |event| counters.is_level(event))
    }
}
