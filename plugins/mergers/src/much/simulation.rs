//! Simulations: each puts the values of the events in the order of normal variables. The best one is kept.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use nalgebra::DMatrix;
use rand::RngExt;

use super::Settings;
use crate::gaussian::{Gaussian, stream};
use crate::ranks::{lay_out, order_into};
use crate::scatter::mean;
use crate::unit::{in_unit, unit};

/// The data that all simulations share.
pub struct Simulations<'a> {
    gaussian: &'a Gaussian,
    asked: &'a DMatrix<f64>,
    settings: Settings,
    /// The drawn values of each event in ascending order, one column each.
    values: Vec<Vec<f64>>,
    /// The same values with mean 0 and length 1, so that products of columns are correlations.
    scaled: Vec<Vec<f64>>,
}

/// A finished simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// Its number, from 0.
    pub number: usize,
    /// Mean square of the differences between requested and reached correlations, over the whole matrix.
    pub error: f64,
}

impl Simulated {
    /// The better of two simulations; the earlier one if they are equally good.
    fn better(self, other: Self) -> Self {
        let order = self.error.total_cmp(&other.error).then(self.number.cmp(&other.number));
        if order.is_le() { self } else { other }
    }
}

/// The memory of a thread.
struct Room {
    independent: DMatrix<f64>,
    drawn: DMatrix<f64>,
    laid_out: DMatrix<f64>,
    transposed: DMatrix<f64>,
    reached: DMatrix<f64>,
    keys: Vec<(u64, u32)>,
    order: Vec<u32>,
}

impl<'a> Simulations<'a> {
    /// Draws values from the margins, with replacement.
    pub fn new(
        gaussian: &'a Gaussian,
        asked: &'a DMatrix<f64>,
        margins: &[&[f64]],
        settings: Settings,
    ) -> Self {
        let mut random = stream(settings.seed, 0);
        let draw = |margin: &&[f64]| {
            let mut values: Vec<f64> =
                (0..settings.runs).map(|_| margin[random.random_range(0..margin.len())]).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let values: Vec<Vec<f64>> = margins.iter().map(draw).collect();
        let scaled = values.iter().map(|values| scaled(values)).collect();
        Simulations { gaussian, asked, settings, values, scaled }
    }

    /// Runs all simulations on all processors, and returns the best; `None` if `progress` returned false.
    /// Each has random numbers of its own, so the result does not depend on the thread that runs it.
    pub fn best(&self, progress: &(dyn Fn(f64) -> bool + Sync)) -> Option<Simulated> {
        let sims = self.settings.sims;
        let (next, done, stopped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut room = self.room();
            let mut best = None::<Simulated>;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= sims || stopped.load(Ordering::Relaxed) {
                    return best;
                }
                let simulated = Simulated { number, error: self.error(number, &mut room) };
                best = Some(best.map_or(simulated, |best| best.better(simulated)));
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if !progress(done as f64 / sims as f64) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get()).min(sims);
        let best = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others = others.into_iter().filter_map(|other| match other.join() {
                Ok(best) => best,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            own.into_iter().chain(others).reduce(Simulated::better)
        });
        best.filter(|_| !stopped.load(Ordering::Relaxed))
    }

    /// The columns of a simulation.
    pub fn columns(&self, simulated: Simulated) -> Vec<Vec<f64>> {
        let mut room = self.room();
        self.draw(simulated.number, &mut room);
        let lay_out = |(variable, values): (usize, &Vec<f64>)| {
            order_into(room.drawn.column(variable).as_slice(), &mut room.keys, &mut room.order);
            let mut column = vec![0.0; values.len()];
            lay_out(values, &room.order, &mut column);
            column
        };
        self.values.iter().enumerate().map(lay_out).collect()
    }

    fn room(&self) -> Room {
        let (rows, events) = (self.settings.runs, self.gaussian.variables());
        Room {
            independent: DMatrix::zeros(rows, events),
            drawn: DMatrix::zeros(rows, events),
            laid_out: DMatrix::zeros(rows, events),
            transposed: DMatrix::zeros(events, rows),
            reached: DMatrix::zeros(events, events),
            keys: Vec::with_capacity(rows),
            order: vec![0; rows],
        }
    }

    fn draw(&self, number: usize, room: &mut Room) {
        // Stream 0 was used to draw the values.
        let mut random = stream(self.settings.seed, number as u64 + 1);
        self.gaussian.draw(&mut random, &mut room.independent, &mut room.drawn);
    }

    fn error(&self, number: usize, room: &mut Room) -> f64 {
        self.draw(number, room);
        for (variable, scaled) in self.scaled.iter().enumerate() {
            order_into(room.drawn.column(variable).as_slice(), &mut room.keys, &mut room.order);
            lay_out(scaled, &room.order, room.laid_out.column_mut(variable).as_mut_slice());
        }
        room.laid_out.transpose_to(&mut room.transposed);
        room.reached.gemm(1.0, &room.transposed, &room.laid_out, 0.0);
        let events = self.scaled.len();
        let pairs = (0..events).flat_map(|a| (0..a).map(move |b| (a, b)));
        let squares: f64 = pairs.map(|pair| (room.reached[pair] - self.asked[pair]).powi(2)).sum();
        if events == 0 { 0.0 } else { 2.0 * squares / (events * events) as f64 }
    }
}

/// The values with mean 0 and length 1; all 0 if they are equal, because then they correlate with nothing.
fn scaled(values: &[f64]) -> Vec<f64> {
    let values = in_unit(values, unit(values));
    let mean = mean(&values);
    let length = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>().sqrt();
    let scale = if length > 0.0 { length.recip() } else { 0.0 };
    values.iter().map(|value| (value - mean) * scale).collect()
}
