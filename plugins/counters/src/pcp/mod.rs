//! Metrics of Performance Co-Pilot from a running daemon (`pmcd`): all numbers that its agents provide, about
//! the whole system.
//!
//! A read requests all metrics of the set at once. It takes more than 100 µs, and longer if agents read files
//! of the kernel or run outside of the daemon. The numbers include all other work of the machine, and the
//! request itself.

mod context;
mod library;
mod listing;
mod metric;

use std::ffi::c_int;

use assay_plugin_api::{Access, Backend, Event, EventCount, Open, register};

use self::context::{Context, NO_INSTANCE};
use self::library::{Code, Descriptor};
use self::metric::{Value, parts};
use crate::refusal::Refusal;

/// An open set of metrics.
#[derive(Debug)]
pub struct Pcp {
    context: Context,
    /// The numbers of the requested metrics, each once.
    metrics: Vec<u32>,
    counted: Vec<Counted>,
}

/// An event of the set.
#[derive(Debug)]
struct Counted {
    /// Index of its metric among the requested ones.
    place: usize,
    descriptor: Descriptor,
    instance: c_int,
    /// The value at the start, of a counter.
    base: Option<Value>,
}

impl Backend for Pcp {
    const ID: &'static str = "pcp";
    const SUMMARY: &'static str = "Metrics of Performance Co-Pilot, of the whole system, from a running pmcd: any number, with an instance as in kernel.all.load[5 minute].";
    const OPTIONS: &'static [(&'static str, &'static str)] = &[(
        "host",
        "where the daemon is asked: local:, unix://SOCKET or HOST:PORT; without it what PCP_HOST says, else local:",
    )];
    const ACCESS: Access = Access {
        network: true,
        files: &[
            "/etc/pcp.conf",
            "/etc/pcp",
            "/var/lib/pcp",
            // The C library looks up the name of the host, and the user whom the daemon asks for.
            "/etc/hosts",
            "/etc/host.conf",
            "/etc/nsswitch.conf",
            "/etc/resolv.conf",
            "/etc/gai.conf",
            "/etc/services",
            "/etc/passwd",
            "/etc/group",
        ],
        ..Access::NOTHING
    };

    fn events() -> Vec<Event> {
        listing::events(&host(&Open::default()))
    }

    fn find(name: &str) -> Result<Option<Event>, String> {
        Ok(listing::find(&host(&Open::default()), name))
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        let context =
            Context::new(&host(request)).map_err(|refusal| refusal.of_all(Self::ID, request.events))?;
        let mut pcp = Pcp { context, metrics: Vec::new(), counted: Vec::new() };
        for name in request.events {
            pcp.add(name).map_err(|refusal| refusal.sentence(Self::ID, name))?;
        }
        pcp.narrow().map_err(|code| pcp.failed(code))?;
        Ok(pcp)
    }

    fn start(&mut self) -> Result<(), String> {
        let answer = self.context.fetch(&self.metrics).map_err(|code| self.failed(code))?;
        for counted in &mut self.counted {
            let value = answer.value(counted.place, &counted.descriptor, counted.instance).ok();
            counted.base = value.filter(|_| counted.descriptor.counts());
        }
        Ok(())
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        let answer = self.context.fetch(&self.metrics).map_err(|code| self.failed(code))?;
        for (count, counted) in counts.iter_mut().zip(&self.counted) {
            let value = answer.value(counted.place, &counted.descriptor, counted.instance).ok();
            let count_or_level = if counted.descriptor.counts() {
                value.zip(counted.base).map(|(value, base)| value.since(base))
            } else {
                value.map(Value::level)
            };
            *count = count_or_level.map_or(EventCount::missing(), EventCount::complete);
        }
        Ok(())
    }
}

register!(backend Pcp);

/// The daemon to connect to: that of the option, or the one that the programs of PCP use.
fn host(request: &Open<'_>) -> String {
    let given = request.options.iter().find(|(name, _)| *name == "host").map(|(_, host)| (*host).to_owned());
    let named = || std::env::var("PCP_HOST").ok();
    given.or_else(named).filter(|host| !host.is_empty()).unwrap_or_else(|| "local:".to_owned())
}

impl Pcp {
    /// Looks up an event, and adds its metric to the request.
    fn add(&mut self, name: &str) -> Result<(), Refusal> {
        let (descriptor, instance) = resolved(&self.context, name)?;
        let place = self.metrics.iter().position(|metric| *metric == descriptor.metric);
        let place = place.unwrap_or_else(|| {
            self.metrics.push(descriptor.metric);
            self.metrics.len() - 1
        });
        self.counted.push(Counted { place, descriptor, instance, base: None });
        Ok(())
    }

    /// Restricts answers to the instances that are counted, because a domain may have thousands.
    fn narrow(&self) -> Result<(), Code> {
        let mut domains: Vec<u32> = self.counted.iter().map(|counted| counted.descriptor.domain).collect();
        domains.sort_unstable();
        domains.dedup();
        for domain in domains {
            let of: Vec<&Counted> =
                self.counted.iter().filter(|counted| counted.descriptor.domain == domain).collect();
            if of[0].descriptor.has_instances() {
                let instances: Vec<c_int> = of.iter().map(|counted| counted.instance).collect();
                self.context.only(domain, &instances)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn failed(&self, code: Code) -> String {
        format!("pcp: the daemon was asked and says {}", code.message(self.context.functions))
    }
}

/// The metric and the instance that the name of an event stands for.
fn resolved(context: &Context, name: &str) -> Result<(Descriptor, c_int), Refusal> {
    let (metric, instance) = parts(name);
    let refused = |code: Code| code.refusal(context.functions);
    let descriptor = context.descriptor(metric).map_err(refused)?;
    if Value::widest(descriptor.kind).is_none() {
        return Err(Refusal::new(
            "it is no number",
            "choose a metric of numbers: `pminfo -d METRIC` shows its type",
        ));
    }
    let instance = match instance {
        Some(instance) if descriptor.has_instances() => {
            context.instance(descriptor.domain, instance).map_err(refused)?
        }
        None if !descriptor.has_instances() => NO_INSTANCE,
        Some(_) => return Err(Refusal::new("it has no instances", format!("write pcp:{metric}"))),
        None => return Err(instances_wanted(context, metric, &descriptor)),
    };
    Ok((descriptor, instance))
}

/// The refusal of a metric with instances that is named without an instance.
fn instances_wanted(context: &Context, metric: &str, descriptor: &Descriptor) -> Refusal {
    let instances = context.instances(descriptor.domain).unwrap_or_default();
    match instances.first() {
        Some((_, first)) => Refusal::new(
            format!("it has {} instances", instances.len()),
            format!("name one, as in {metric}[{first}]; `pminfo -f {metric}` lists them"),
        ),
        None => Refusal::new("it has no instance now", "choose another metric"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_names_the_daemon() {
        let socket = "unix:///no/such/socket";
        let request = Open { options: &[("host", socket)], ..Open::events(&["hinv.ncpu"]) };
        assert_eq!(host(&request), socket);
        let error = Pcp::open(&request).unwrap_err();
        assert!(error.starts_with("pcp:hinv.ncpu can't be counted here: "), "{error}");
        assert!(error.contains(socket) || error.contains("libpcp is not installed"), "{error}");
    }
}
