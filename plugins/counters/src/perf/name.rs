//! Translates a name, as `perf list` writes it, to an event of this machine.

use std::io;

use perf_event_open_sys::bindings::{
    HW_BREAKPOINT_R, HW_BREAKPOINT_W, HW_BREAKPOINT_X, PERF_TYPE_BREAKPOINT, PERF_TYPE_HARDWARE,
    PERF_TYPE_HW_CACHE, PERF_TYPE_RAW, PERF_TYPE_TRACEPOINT,
};

use super::cache::cache_events;
use super::general::general;
use super::kernel::{Encoding, Modes};
use super::machine::{Core, Machine};
use super::meaning::meaning;
use super::pmu::{Pmu, is_name};
use super::refusal::Refusal;
use super::request::{Request, Source};
use super::terms::words;

type Resolved = Result<Option<Request>, Refusal>;

impl Machine {
    /// The event of a name; `None` if no event has this name.
    ///
    /// # Errors
    /// If the name has the form of an event that this machine does not have.
    pub fn resolve(&self, name: &str) -> Resolved {
        let named = |request: Request| Request { name: name.to_owned(), ..request };
        if let Some(place) = name.strip_prefix("mem:") {
            return breakpoint(place).map(named).map(Some);
        }
        if let Some((unit, rest)) = name.split_once('/') {
            return self.in_terms(unit, rest).map(|request| request.map(named));
        }
        if let Some(request) = self.plain(name)? {
            return Ok(Some(named(request)));
        }
        let Some((front, last)) = name.rsplit_once(':') else { return Ok(None) };
        let modes = Modes::of_letters(last);
        if modes.is_some()
            && let Some(request) = self.plain(front)?
        {
            return Ok(Some(named(Request { modes, ..request })));
        }
        Ok(match front.split_once(':') {
            None => self.tracepoint(front, last)?.map(named),
            Some((system, event)) if modes.is_some() => {
                self.tracepoint(system, event)?.map(|request| named(Request { modes, ..request }))
            }
            Some(_) => None,
        })
    }

    /// A name without colon and slash.
    fn plain(&self, name: &str) -> Resolved {
        if let Some(general) = general(name) {
            let config = u64::from(general.config);
            let request = Request {
                in_kernel: general.in_kernel,
                clock: general.unit == "ns",
                unit: general.unit.to_owned(),
                ..request(general.kind, config, general.summary)
            };
            let hardware = general.kind == PERF_TYPE_HARDWARE;
            return if hardware {
                self.of_the_core(request, general.names[0]).map(Some)
            } else {
                Ok(Some(request))
            };
        }
        if let Some(event) = cache_events().find(|event| event.name == name) {
            let request = request(PERF_TYPE_HW_CACHE, event.config, &event.summary);
            return self.of_the_core(request, name).map(Some);
        }
        if let Some(config) = raw(name) {
            return self.raw(config).map(Some);
        }
        let core = self.core().filter(|core| core.pmu.event(name).is_some());
        core.map(|core| self.of_a_unit(core.pmu, name)).transpose()
    }

    /// A general name means the unit of the thread's core; where there are several kinds of cores, that has
    /// to be said.
    fn of_the_core(&self, request: Request, name: &str) -> Result<Request, Refusal> {
        let mut summary = request.summary;
        if let Some(meaning) = self.processor().and_then(|processor| meaning(processor, name)) {
            summary = format!("{summary}; {meaning}");
        }
        let mut encoding = request.encoding;
        if let Some(Core { pmu, one_of_several: true }) = self.core_or_refusal()? {
            encoding.config[0] |= u64::from(pmu.kind) << 32;
            summary = format!("{summary}, of {pmu}");
        }
        Ok(Request { source: Source::General, summary, encoding, ..request })
    }

    /// `rNNN`: the number of an event of the core's unit.
    fn raw(&self, config: u64) -> Result<Request, Refusal> {
        let summary = format!("The event of the CPU's number {config:#x}");
        Ok(match self.core_or_refusal()? {
            Some(Core { pmu, one_of_several: true }) => {
                request(pmu.kind, config, &format!("{summary}, of {pmu}")).of(Source::Core)
            }
            _ => request(PERF_TYPE_RAW, config, &summary).of(Source::Core),
        })
    }

    /// The unit of the core of the thread; `None` if the machine has no such unit.
    fn core_or_refusal(&self) -> Result<Option<Core<'_>>, Refusal> {
        let core = self.core();
        match (self.cpu(), self.core_pmus().next()) {
            (Some(cpu), Some(_)) if core.is_none() => {
                let units: Vec<String> = self.core_pmus().map(ToString::to_string).collect();
                Err(Refusal::new(
                    format!(
                        "no unit counts on CPU {cpu}, where the thread runs; there are {}",
                        units.join(", ")
                    ),
                    "measure on one of those CPUs (`--pin`)",
                ))
            }
            _ => Ok(core),
        }
    }

    /// `UNIT/TERMS/`, and modes after that.
    fn in_terms(&self, unit: &str, rest: &str) -> Resolved {
        let Some((terms, modes)) = rest.rsplit_once('/') else { return Ok(None) };
        let letters = modes.strip_prefix(':').unwrap_or(modes);
        let modes = Modes::of_letters(letters);
        if !letters.is_empty() && modes.is_none() {
            return Err(Refusal::new(
                format!("`{letters}` after the last slash is not known"),
                "write `u` for user mode, `k` for the kernel, `h` for the hypervisor",
            ));
        }
        let Some(pmu) = self.pmu(unit) else {
            let units: Vec<&str> = self.pmus().iter().map(|pmu| pmu.name.as_str()).collect();
            let (reason, units) = (format!("there is no counting unit `{unit}` here"), units.join(", "));
            return Err(Refusal::new(&reason, format!("choose from {units}")));
        };
        Ok(Some(Request { modes, ..self.of_a_unit(pmu, terms)? }))
    }

    fn of_a_unit(&self, pmu: &Pmu, terms: &str) -> Result<Request, Refusal> {
        if pmu.shared {
            return Err(Refusal::new(
                format!("{} counts for all who share it, and not for a thread", pmu.name),
                "count an event of the cores",
            ));
        }
        if let Some(cpu) = self.cpu().filter(|cpu| !pmu.covers(*cpu)) {
            return Err(Refusal::new(
                format!("{pmu} does not count on CPU {cpu}, where the thread runs"),
                "measure on one of its CPUs (`--pin`)",
            ));
        }
        let encoded = |terms: &str| {
            let remedy = "compare it with what the kernel and the CPU's manual say of its events";
            let words = words(pmu, terms).map_err(|reason| Refusal::new(&reason, remedy))?;
            Ok(Encoding { kind: pmu.kind, config: words, breakpoint: 0 })
        };
        let first = terms.split(',').next().unwrap_or_default();
        // The kernel counts shares of the slots only in a group that is led by the event of all slots.
        let of_slots = pmu.core && first.starts_with("topdown-") && pmu.event("slots").is_some();
        let (scale, unit) = pmu.scale(first);
        Ok(Request {
            encoding: encoded(terms)?,
            leader: of_slots.then(|| encoded("slots")).transpose()?,
            unit: unit.unwrap_or_else(|| "events".to_owned()),
            scale,
            ..request(pmu.kind, 0, &format!("The event {terms} of {pmu}"))
        }
        .of(if pmu.core { Source::Core } else { Source::Unit }))
    }

    fn tracepoint(&self, system: &str, event: &str) -> Resolved {
        if !is_name(system) || !is_name(event) {
            return Ok(None);
        }
        let folders = ["sys/kernel/tracing/events", "sys/kernel/debug/tracing/events"];
        let id = |folder: &str| self.text(&format!("{folder}/{system}/{event}/id"));
        let ids = folders.map(id);
        if let Some(id) = ids.iter().flatten().find_map(|id| id.parse().ok()) {
            let summary = format!("Passes of the kernel's tracepoint {system}:{event}");
            let request = Request { in_kernel: true, ..request(PERF_TYPE_TRACEPOINT, id, &summary) };
            return Ok(Some(request.of(Source::Tracepoint)));
        }
        let denied = |id: &io::Result<String>| {
            id.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        };
        if ids.iter().any(denied) {
            return Err(Refusal::new(
                "tracepoints are described in /sys/kernel/tracing, which this user may not read",
                "run as root, or let an administrator open the folder",
            ));
        }
        if folders.iter().all(|folder| !self.has(folder)) {
            return Err(Refusal::new(
                "tracepoints are described in /sys/kernel/tracing, where nothing is mounted",
                "let an administrator run `mount -t tracefs none /sys/kernel/tracing`",
            ));
        }
        Ok(None)
    }
}

/// The hexadecimal number after an `r`.
fn raw(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('r')?;
    let hexadecimal = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_hexdigit());
    hexadecimal.then(|| u64::from_str_radix(digits, 16).ok())?
}

/// `ADDRESS[/LENGTH][:rwx][:modes]`.
fn breakpoint(place: &str) -> Result<Request, Refusal> {
    let wrong = || {
        let reason = format!("`mem:{place}` is no breakpoint");
        Refusal::new(&reason, "write mem:ADDRESS, mem:ADDRESS/LENGTH or mem:ADDRESS/LENGTH:rwx")
    };
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).map_err(|_| wrong()),
        None => text.parse::<u64>().map_err(|_| wrong()),
    };
    let kinds = |letters: &str| {
        letters.chars().try_fold(0, |kinds, letter| match letter {
            'r' => Some(kinds | HW_BREAKPOINT_R),
            'w' => Some(kinds | HW_BREAKPOINT_W),
            'x' => Some(kinds | HW_BREAKPOINT_X),
            _ => None,
        })
    };
    let mut parts = place.split(':');
    let at = parts.next().unwrap_or_default();
    let (mut access, mut modes) = (None, None);
    for part in parts {
        match (kinds(part).filter(|kinds| *kinds != 0), Modes::of_letters(part)) {
            (Some(kinds), _) if access.is_none() && modes.is_none() => access = Some((kinds, part)),
            (None, Some(letters)) if modes.is_none() => modes = Some(letters),
            _ => return Err(wrong()),
        }
    }
    let (kinds, letters) = access.unwrap_or((HW_BREAKPOINT_R | HW_BREAKPOINT_W, "rw"));
    let (address, length) = match at.split_once('/') {
        Some((address, length)) => (number(address)?, number(length)?),
        // perf_event_open(2) requires the length of a word for instructions.
        None if kinds & HW_BREAKPOINT_X != 0 => (number(at)?, size_of::<usize>() as u64),
        None => (number(at)?, 4),
    };
    let encoding =
        Encoding { kind: PERF_TYPE_BREAKPOINT, config: [0, address, length, 0], breakpoint: kinds };
    let summary = format!("Accesses ({letters}) to {length} bytes at {address:#x}");
    Ok(Request { encoding, modes, ..request(PERF_TYPE_BREAKPOINT, 0, &summary) }.of(Source::Breakpoint))
}

/// A request without special properties.
fn request(kind: u32, config: u64, summary: &str) -> Request {
    Request {
        name: String::new(),
        unit: "events".to_owned(),
        summary: summary.to_owned(),
        source: Source::Software,
        encoding: Encoding { kind, config: [config, 0, 0, 0], breakpoint: 0 },
        leader: None,
        modes: None,
        in_kernel: false,
        clock: false,
        scale: 1.0,
    }
}

impl Request {
    fn of(self, source: Source) -> Self {
        Request { source, ..self }
    }
}
