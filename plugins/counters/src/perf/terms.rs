//! The terms of an event, such as `event=0x3c,umask=0x1`, and the bits to which they belong.

use super::pmu::Pmu;

/// The words `config` to `config3` of an event that is given in terms.
///
/// # Errors
/// Says in a sentence which term is wrong, and why.
pub fn words(pmu: &Pmu, terms: &str) -> Result<[u64; 4], String> {
    let mut words = [0; 4];
    put_all(pmu, terms, &mut words, true)?;
    Ok(words)
}

/// Puts the terms into the words. With `names`, a term may also be a named event of the unit, which stands
/// for terms without further names.
fn put_all(pmu: &Pmu, terms: &str, words: &mut [u64; 4], names: bool) -> Result<(), String> {
    for term in terms.split(',') {
        match term.split_once('=') {
            None if names && pmu.event(term).is_some() => {
                put_all(pmu, &pmu.event(term).unwrap_or_default(), words, false)?;
            }
            None => put(pmu, term, 1, words)?,
            Some((name, value)) => {
                let number = number(value).ok_or_else(|| format!("`{term}` gives no number to {name}"))?;
                put(pmu, name, number, words)?;
            }
        }
    }
    Ok(())
}

/// Decimal, or hexadecimal after `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The index of the word that `config`, `config1`, `config2` or `config3` names.
fn word(name: &str) -> Option<usize> {
    ["config", "config1", "config2", "config3"].iter().position(|word| *word == name)
}

fn put(pmu: &Pmu, term: &str, value: u64, words: &mut [u64; 4]) -> Result<(), String> {
    if let Some(word) = word(term) {
        words[word] = value;
        return Ok(());
    }
    let format = pmu.format(term).ok_or_else(|| no_term(pmu, term))?;
    let (word, bits) = bits(&format).ok_or_else(|| format!("the kernel describes {term} as `{format}`"))?;
    if bits.len() < 64 && value >> bits.len() != 0 {
        return Err(format!("{term} has {} bits, too few for {value:#x}", bits.len()));
    }
    for (i, bit) in bits.iter().enumerate() {
        words[word] = words[word] & !(1 << bit) | (value >> i & 1) << bit;
    }
    Ok(())
}

fn no_term(pmu: &Pmu, term: &str) -> String {
    let mut known = pmu.terms();
    known.push("config".to_owned());
    let (name, known) = (&pmu.name, known.join(", "));
    format!("{name} has no event and no term `{term}`; its terms are {known}")
}

/// The word and its bits, lowest first, from a description such as `config:0-7,32-35`.
fn bits(format: &str) -> Option<(usize, Vec<u32>)> {
    let (name, ranges) = format.split_once(':')?;
    let mut bits = Vec::new();
    for range in ranges.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        bits.extend(first.parse::<u32>().ok()?..=last.parse::<u32>().ok().filter(|last| *last < 64)?);
    }
    (bits.len() <= 64).then_some((word(name)?, bits))
}

#[cfg(test)]
mod tests {
    use super::super::fake::Folder;
    use super::*;

    fn encoded(terms: &str) -> Result<[u64; 4], String> {
        let folder = Folder::new();
        // Those of an AMD processor, and two of an Intel one.
        folder.pmu(
            "cpu",
            4,
            &[
                ("format/event", "config:0-7,32-35"),
                ("format/umask", "config:8-15"),
                ("format/inv", "config:23"),
                ("format/cmask", "config:24-31"),
                ("format/ldlat", "config1:0-15"),
                ("format/all", "config2:0-63"),
                ("format/odd", "configuration"),
                ("events/cpu-cycles", "event=0x76"),
                ("events/asks", "event=0x1,umask=?"),
            ],
        );
        let machine = folder.machine(None);
        words(machine.pmu("cpu").unwrap(), terms)
    }

    #[test]
    fn terms_go_where_the_kernel_says() {
        assert_eq!(encoded("event=0x3c,umask=0x1"), Ok([0x13c, 0, 0, 0]));
        assert_eq!(encoded("event=0x28f,umask=3"), Ok([0x2_0000_038f, 0, 0, 0]), "twelve bits in two places");
        assert_eq!(encoded("event=0x0e,cmask=0x10,inv"), Ok([0x1080_000e, 0, 0, 0]));
        assert_eq!(encoded("event=1,ldlat=30"), Ok([1, 30, 0, 0]));
        assert_eq!(encoded("all=0xffffffffffffffff"), Ok([0, 0, u64::MAX, 0]));
        assert_eq!(encoded("config=0x13c,config3=7"), Ok([0x13c, 0, 0, 7]));
    }

    #[test]
    fn a_name_of_the_unit_stands_for_its_terms_and_later_terms_win() {
        assert_eq!(encoded("cpu-cycles"), Ok([0x76, 0, 0, 0]));
        assert_eq!(encoded("cpu-cycles,umask=2"), Ok([0x276, 0, 0, 0]));
        assert_eq!(encoded("event=0xff,event=0x1"), Ok([1, 0, 0, 0]));
    }

    #[test]
    fn what_is_wrong_with_a_term_is_said() {
        assert_eq!(encoded("umask=0x100").unwrap_err(), "umask has 8 bits, too few for 0x100");
        assert_eq!(encoded("event=0x3c,umask=x").unwrap_err(), "`umask=x` gives no number to umask");
        assert_eq!(encoded("asks").unwrap_err(), "`umask=?` gives no number to umask");
        assert_eq!(encoded("odd=1").unwrap_err(), "the kernel describes odd as `configuration`");
        let unknown = encoded("evnt=0x3c").unwrap_err();
        assert!(
            unknown.starts_with("cpu has no event and no term `evnt`; its terms are all, cmask, event,"),
            "{unknown}"
        );
        assert!(encoded("").unwrap_err().contains("no term ``"));
    }
}
