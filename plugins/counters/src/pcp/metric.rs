//! Metrics: their names with an instance in brackets, their units in words, and their exact values.

use super::library::Descriptor;

/// Metric and instance of an event's name: `kernel.all.load[5 minute]`.
pub fn parts(name: &str) -> (&str, Option<&str>) {
    match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((metric, instance)) => (metric, Some(instance)),
        None => (name, None),
    }
}

/// The name of an event, if it can stand in a list of the host.
pub fn listable(metric: &str, instance: Option<&str>) -> Option<String> {
    let name = match instance {
        Some(instance) => format!("{metric}[{instance}]"),
        None => metric.to_owned(),
    };
    let plain = instance.is_none_or(|instance| !instance.contains(['[', ']']));
    (plain && name.len() <= 256 && !name.contains(char::is_control)).then_some(name)
}

/// A number of PCP. Numbers of 64 bits stay exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Signed(i64),
    Unsigned(u64),
    Real(f64),
}

/// The codes of types in descriptors.
const SIGNED_32: i32 = 0;
const UNSIGNED_32: i32 = 1;
const SIGNED_64: i32 = 2;
const UNSIGNED_64: i32 = 3;
const FLOAT: i32 = 4;
const DOUBLE: i32 = 5;

impl Value {
    /// The type in which a value is requested, so that nothing of it is lost; `None` if it is no number.
    pub fn widest(kind: i32) -> Option<i32> {
        match kind {
            SIGNED_32 | SIGNED_64 => Some(SIGNED_64),
            UNSIGNED_32 | UNSIGNED_64 => Some(UNSIGNED_64),
            FLOAT | DOUBLE => Some(DOUBLE),
            _ => None,
        }
    }

    /// The value of these bits, of one of the types that [`widest`](Value::widest) returns.
    pub fn from_bits(widest: i32, bits: u64) -> Self {
        match widest {
            SIGNED_64 => Value::Signed(bits.cast_signed()),
            UNSIGNED_64 => Value::Unsigned(bits),
            _ => Value::Real(f64::from_bits(bits)),
        }
    }

    /// The value as a number, for a level.
    pub fn level(self) -> f64 {
        match self {
            Value::Signed(value) => value as f64,
            Value::Unsigned(value) => value as f64,
            Value::Real(value) => value,
        }
    }

    /// The growth of a counter since `base`; negative if it went backwards.
    pub fn since(self, base: Value) -> f64 {
        match (self, base) {
            (Value::Signed(value), Value::Signed(base)) => value.wrapping_sub(base) as f64,
            (Value::Unsigned(value), Value::Unsigned(base)) => value.wrapping_sub(base).cast_signed() as f64,
            (value, base) => value.level() - base.level(),
        }
    }
}

impl Descriptor {
    const COUNTER: i32 = 1;
    const NO_INSTANCES: u32 = u32::MAX;

    /// Whether it only grows.
    pub fn counts(&self) -> bool {
        self.semantics == Self::COUNTER
    }

    /// Whether it has instances.
    pub fn has_instances(&self) -> bool {
        self.domain != Self::NO_INSTANCES
    }

    /// The unit in words: space, time and events, each with a dimension of four bits and a scale.
    pub fn unit(&self) -> String {
        const SPACE: [&str; 9] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
        const TIME: [&str; 6] = ["ns", "us", "ms", "s", "min", "h"];
        let bits = |shift: u32| (self.units >> shift) & 0xf;
        let signed = |shift| (bits(shift) << 28).cast_signed() >> 28;
        let name = |names: &[&str], scale: u32| names.get(scale as usize).copied().unwrap_or("?").to_owned();
        let events = match signed(8) {
            0 => "events".to_owned(),
            scale => format!("10^{scale} events"),
        };
        let dimensions =
            [(signed(28), name(&SPACE, bits(16))), (signed(24), name(&TIME, bits(12))), (signed(20), events)];
        let side = |sign: i32| {
            let of = dimensions.iter().filter(|(dimension, _)| dimension.signum() == sign);
            let power = |(dimension, name): &(i32, String)| match dimension.abs() {
                1 => name.clone(),
                power => format!("{name}^{power}"),
            };
            of.map(power).collect::<Vec<_>>().join(" ")
        };
        match (side(1), side(-1)) {
            (above, below) if below.is_empty() => {
                if above.is_empty() {
                    "number".to_owned()
                } else {
                    above
                }
            }
            (above, below) if above.is_empty() => format!("1/{below}"),
            (above, below) => format!("{above}/{below}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_stands_in_brackets() {
        assert_eq!(parts("kernel.all.load[5 minute]"), ("kernel.all.load", Some("5 minute")));
        assert_eq!(parts("filesys.free[/dev/vda,1]"), ("filesys.free", Some("/dev/vda,1")));
        assert_eq!(parts("hinv.ncpu"), ("hinv.ncpu", None));
        assert_eq!(listable("a.b", Some("/dev/vda")), Some("a.b[/dev/vda]".to_owned()));
        assert_eq!(listable("a.b", None), Some("a.b".to_owned()));
        assert_eq!([listable("a", Some("x]y")), listable("a", Some("x\n"))], [None, None]);
    }

    #[test]
    fn counters_of_64_bits_stay_exact() {
        let big = 1u64 << 63;
        assert_eq!(Value::from_bits(UNSIGNED_64, big + 3).since(Value::from_bits(UNSIGNED_64, big)), 3.0);
        assert_eq!(
            Value::from_bits(SIGNED_64, (1 << 62) + 1).since(Value::from_bits(SIGNED_64, 1 << 62)),
            1.0
        );
        assert_eq!(Value::from_bits(UNSIGNED_64, 3).since(Value::from_bits(UNSIGNED_64, 5)), -2.0);
        assert_eq!(Value::from_bits(DOUBLE, 1.5f64.to_bits()).since(Value::Real(1.0)), 0.5);
        assert_eq!(Value::from_bits(SIGNED_64, u64::MAX).level(), -1.0);
    }

    #[test]
    fn what_is_no_number_has_no_type_to_ask_for() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 9, -1].map(Value::widest).map(|kind| kind.unwrap_or(-9)),
            [2, 3, 2, 3, 5, 5, -9, -9, -9]
        );
    }

    #[test]
    fn units_are_words() {
        let unit = |units| Descriptor { units, ..Descriptor::default() }.unit();
        assert_eq!(unit(0), "number");
        assert_eq!(unit(0x0010_0000), "events");
        assert_eq!(unit(0x0100_2000), "ms");
        assert_eq!(unit(0x1001_0000), "KiB");
        assert_eq!(unit(0x1f02_3000), "MiB/s");
        assert_eq!(unit(0x0f00_3000), "1/s");
        assert_eq!(unit(0x0020_0300), "10^3 events^2");
    }
}
