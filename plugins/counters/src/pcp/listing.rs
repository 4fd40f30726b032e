//! Lists the metrics of a daemon as events. Each is requested once to learn whether it can be counted.

use std::collections::HashMap;
use std::ffi::c_int;
use std::time::{Duration, Instant};

use assay_plugin_api::{Availability, Cost, Event, Scope, Semantics};

use super::context::{Answer, Context, NO_INSTANCE};
use super::library::{Code, Descriptor};
use super::metric::{Value, listable, parts};
use super::{instances_wanted, resolved};
use crate::refusal::{Refusal, availability};

/// The event that is listed if PCP can't be used, to show the reason.
const USUAL: &str = "kernel.all.pswitch";

/// Limits for the number of listed events and the time to request metrics. Other events are found by their
/// names.
const MOST: usize = 2000;
const PATIENCE: Duration = Duration::from_secs(2);

/// A domain with more instances than this has one line, which says so.
const MOST_INSTANCES: usize = 16;

/// All metrics with numeric values. Metrics with few instances are listed by instance.
pub fn events(host: &str) -> Vec<Event> {
    let context = match Context::new(host) {
        Ok(context) => context,
        Err(refusal) => return vec![missing(USUAL, refusal)],
    };
    match all(&context) {
        Ok(events) if events.is_empty() => {
            vec![missing(USUAL, Refusal::new("the daemon knows no numbers", "give it agents: pmcd.conf"))]
        }
        Ok(events) => events,
        Err(code) => vec![missing(USUAL, code.refusal(context.functions))],
    }
}

/// The event of a name; `None` if the daemon has no such metric.
pub fn find(host: &str, name: &str) -> Option<Event> {
    let found = Context::new(host).and_then(|context| {
        if context.descriptor(parts(name).0) == Err(Code::NAME) {
            return Ok(None);
        }
        let (descriptor, instance) = resolved(&context, name)?;
        let refused = |code: Code| code.refusal(context.functions);
        let answer = context.fetch(&[descriptor.metric]).map_err(refused)?;
        let value = answer.value(0, &descriptor, instance).map_err(refused);
        Ok(Some(event(name, &descriptor, &context.summary(descriptor.metric), availability(value))))
    });
    found.unwrap_or_else(|refusal| Some(missing(name, refusal)))
}

fn all(context: &Context) -> Result<Vec<Event>, Code> {
    let begin = Instant::now();
    let mut names = context.names()?;
    names.sort_unstable();
    let described = |name: String| {
        let descriptor = context.descriptor(&name).ok()?;
        Value::widest(descriptor.kind).map(|_| (name, descriptor))
    };
    let in_time = |_: &String| begin.elapsed() < PATIENCE;
    let metrics: Vec<(String, Descriptor)> =
        names.into_iter().take_while(in_time).filter_map(described).take(MOST).collect();
    let numbers: Vec<u32> = metrics.iter().map(|(_, descriptor)| descriptor.metric).collect();
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let answer = context.fetch(&numbers)?;
    let mut domains = HashMap::new();
    let mut events = Vec::new();
    for (place, (name, descriptor)) in metrics.iter().enumerate() {
        if events.len() >= MOST || begin.elapsed() >= PATIENCE {
            break;
        }
        let instances = domains.entry(descriptor.domain).or_insert_with(|| instances(context, descriptor));
        let listed = Listed { context, answer: &answer, place, name, descriptor };
        listed.push(instances, &mut events);
    }
    Ok(events)
}

/// The instances of a domain. A metric without instances has one without a name.
fn instances(context: &Context, descriptor: &Descriptor) -> Vec<(c_int, Option<String>)> {
    if !descriptor.has_instances() {
        return vec![(NO_INSTANCE, None)];
    }
    let found = context.instances(descriptor.domain).unwrap_or_default();
    found.into_iter().map(|(number, name)| (number, Some(name))).collect()
}

/// A metric that is listed.
struct Listed<'a> {
    context: &'a Context,
    answer: &'a Answer,
    place: usize,
    name: &'a str,
    descriptor: &'a Descriptor,
}

impl Listed<'_> {
    fn push(&self, instances: &[(c_int, Option<String>)], events: &mut Vec<Event>) {
        let summary = self.context.summary(self.descriptor.metric);
        let mut push =
            |name: &str, availability| events.push(event(name, self.descriptor, &summary, availability));
        if instances.is_empty() || instances.len() > MOST_INSTANCES {
            push(self.name, instances_wanted(self.context, self.name, self.descriptor).into());
            return;
        }
        for (number, instance) in instances {
            let value = self.answer.value(self.place, self.descriptor, *number);
            let value = value.map_err(|code| code.refusal(self.context.functions));
            if let Some(name) = listable(self.name, instance.as_deref()) {
                push(&name, availability(value));
            }
        }
    }
}

fn missing(name: &str, refusal: Refusal) -> Event {
    event(name, &Descriptor { semantics: 1, units: 0x0010_0000, ..Descriptor::default() }, "", refusal.into())
}

fn event(name: &str, descriptor: &Descriptor, summary: &str, availability: Availability) -> Event {
    let summary = if summary.is_empty() { "A metric of Performance Co-Pilot." } else { summary };
    Event {
        semantics: if descriptor.counts() { Semantics::Counter } else { Semantics::Instant },
        scope: Scope::System,
        cost: Cost::Slow,
        availability,
        ..Event::new(name, &descriptor.unit(), summary)
    }
}
