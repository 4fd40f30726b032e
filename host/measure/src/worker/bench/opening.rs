//! What a worker makes before its first repetition: searcher, texts and counters, with the times of its
//! start.

use assay_base::columns::Call;
use assay_load::plugin::{Failure, Searcher};
use assay_load::process::OriginalProcess;

use super::super::batch_share::StartTiming;
use super::super::clock::now_ns;
use super::super::clock_floor::clock_floor_ns;
use super::super::counters::Counters;
use super::super::eviction::Eviction;
use super::super::heartbeat::{Heartbeat, Phase};
use super::super::pattern::PatternMemory;
use super::super::pauses::Pauses;
use super::super::protocol::{Halt, Setup};
use super::super::scheduling::SchedulingWatch;
use super::super::texts::open_texts;
use super::Bench;

impl Bench {
    /// Loads the library, makes the searcher, maps the texts and opens the counters.
    ///
    /// # Errors
    /// If a library, an algorithm, a text or a counter can't be used.
    pub(in super::super) fn new(setup: &Setup, heartbeat: &Heartbeat) -> Result<Self, Halt> {
        heartbeat.enter(Phase::Load);
        // Verified before the clock starts: hashing the file and entering the sandbox are precautions of
        // ours, not costs of the library.
        let scheduling = SchedulingWatch::start();
        let library = setup.library.verify_in_sandbox().map_err(Failure::Error)?;
        let begun = now_ns();
        let algorithm = library.load_algorithm(&setup.algorithm).map_err(Failure::Error)?;
        let loaded = now_ns();
        // Moves the searcher that is allocated next, so that each round has another placement of its tables.
        let before_searcher = Vec::with_capacity(setup.offsets.searcher);
        heartbeat.enter(Phase::Create);
        let searcher = Searcher::new(&algorithm)?;
        heartbeat.enter(Phase::Idle);
        let texts = open_texts(setup, [false; 2])?;
        let counters = Counters::open(&setup.counters, setup.cpu, heartbeat)?;
        let start = if setup.times_start {
            StartTiming::Initialised { load_ns: loaded - begun, made_ns: now_ns() - loaded }
        } else {
            StartTiming::Untimed
        };
        Ok(Bench {
            setup: setup.clone(),
            library,
            algorithm,
            searcher,
            texts,
            used_up: false,
            counters,
            pattern: PatternMemory::new(setup.offsets.pattern),
            floor_ns: clock_floor_ns()?,
            taken: Vec::with_capacity(Call::ALL.len()),
            pauses: Pauses::default(),
            warmup_ns: 0,
            together: None,
            simulated: setup.simulated,
            start,
            eviction: setup.cold.then(Eviction::here),
            read_back_ns: 0,
            ended_ns: 0,
            original: OriginalProcess::here(),
            scheduling,
            _before_searcher: before_searcher,
        })
    }
}
