//! The options of SMART, and their translations.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::slice::Iter;

use assay_base::error::{Error, Result};

/// The translation of an option of SMART.
#[derive(Clone, Copy)]
pub(super) enum Translation {
    /// An option of ours, with the next word as its value.
    Ours(&'static str),
    /// An option of ours, made from the next words.
    Made(&'static str, fn(&mut SmartWords) -> Result<Vec<OsString>>),
    /// None: the option is refused with this remedy.
    Refused(&'static str),
}

use Translation::{Made, Ours, Refused};

/// The words of the command line that are not translated yet.
pub(super) type SmartWords<'a> = Peekable<Iter<'a, OsString>>;

/// The spellings of SMART's present version: the short ones, and the long ones where they differ from ours.
pub(super) const OPTIONS: &[(&str, Translation)] = &[
    ("-text", Made("--text", text)),
    ("--text-files", Made("--text", text)),
    ("-rand", Ours("--rand")),
    ("--rand-text", Ours("--rand")),
    ("-data", Ours("--data")),
    ("--data-to-search", Ours("--data")),
    ("-stats", Made("--stats", stats)),
    ("--statistics", Made("--stats", stats)),
    ("-plen", Made("--plen", lengths)),
    ("--plen", Made("--plen", lengths)),
    ("--patt-len", Made("--plen", lengths)),
    ("-inc", Made("--increment", increment)),
    ("-short", Ours("--short")),
    ("--short-patterns", Ours("--short")),
    ("-vshort", Ours("--very-short")),
    ("-pat", Ours("--pattern")),
    ("-use", Ours("--use")),
    ("--use-algos", Ours("--use")),
    ("-all", Ours("--all")),
    ("--all-algos", Ours("--all")),
    ("-runs", Ours("--runs")),
    ("--num-runs", Ours("--runs")),
    ("-ts", Ours("--text-size")),
    ("-fb", Ours("--fill-buffer")),
    ("-rs", Ours("--seed")),
    ("--rand-seed", Ours("--seed")),
    ("-pre", Ours("--preprocessing")),
    ("--pre-time", Ours("--preprocessing")),
    ("-occ", Ours("--occurrences")),
    ("-tb", Ours("--time-limit")),
    ("--time-bound", Ours("--time-limit")),
    ("-pin", Made("--pin", pin)),
    ("--pin-cpu", Made("--pin", pin)),
    ("-cstats", Made("--cpu-stats", cpu_stats)),
    ("-desc", Ours("--description")),
    ("-ns", Ours("--no-save")),
    ("-prec", Ours("--precision")),
];

/// The spellings that only SMART's first version had.
pub(super) const FIRST_VERSION: &[(&str, Translation)] = &[
    ("-pset", Ours("--runs")),
    ("-tsize", Ours("--text-size")),
    ("-simple", Made("--pattern", simple)),
    ("-txt", Made("--format", |_| Ok(vec!["--format=table".into()]))),
    ("-tex", Made("--format", |_| Ok(vec!["--format=latex".into()]))),
    (
        "-php",
        Refused(
            "`--format html` writes a page, as each saved run has it, and `--format json` is for programs",
        ),
    ),
    ("-dif", Refused("`assay report last --stat min,max` shows the best and the worst of the saved run")),
    ("-std", Refused("`assay report last --stat avg,std` shows it for the saved run")),
];

/// The spellings of its command `test` that mean something else in other commands, or nothing.
pub(super) const OF_TEST: &[(&str, Translation)] = &[
    ("-fo", Ours("--fail-only")),
    ("-q", Ours("--quick")),
    ("-update", Ours("--update")),
    ("-d", Ours("--verbose")),
    ("-sel", Ours("--selected")),
];

/// SMART's short spellings of these options of ours, for suggestions.
pub(in crate::cli) fn aliases(ours: &[String]) -> Vec<&'static str> {
    let mut aliases = Vec::new();
    for (smart, translation) in OPTIONS.iter().filter(|(smart, _)| !smart.starts_with("--")) {
        if let Ours(option) | Made(option, _) = translation
            && ours.iter().any(|ours| ours == option)
        {
            aliases.push(*smart);
        }
    }
    aliases
}

/// The next word, if it is of this kind.
fn next_if(words: &mut SmartWords, kind: impl Fn(&str) -> bool) -> Option<String> {
    let word = words.next_if(|word| word.to_str().is_some_and(&kind))?;
    Some(word.to_string_lossy().into_owned())
}

/// A name or a file; SMART's first version measured each of its texts after `-text all`.
fn text(words: &mut SmartWords) -> Result<Vec<OsString>> {
    if words.peek().is_some_and(|word| *word == "all") {
        let remedy = "name them: `--range text=englishTexts,protein` measures each of them in one run; \
                      `assay list texts` shows all";
        return Err(Error::new("`-text all` of SMART is not here").remedy(remedy));
    }
    Ok(vec!["--text".into()])
}

/// `perf` or `algo`; without a word it means `algo`.
fn stats(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let Some(kind) = next_if(words, |word| word == "perf" || word == "algo") else {
        // A misspelt word is refused as a value here, because otherwise it would be taken for an algorithm.
        return Ok(vec![match words.peek() {
            Some(word) if !word.as_encoded_bytes().starts_with(b"-") => "--stats".into(),
            _ => "--stats=algo".into(),
        }]);
    };
    Ok(vec![format!("--stats={kind}").into()])
}

/// All numbers that follow become one value. Then algorithms may follow them, and the parser can refuse too
/// many numbers.
fn lengths(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let numbers: Vec<String> = std::iter::from_fn(|| next_if(words, is_number)).collect();
    Ok(vec![match numbers.as_slice() {
        [] => "--plen".into(),
        numbers => format!("--plen={}", numbers.join(" ")).into(),
    }])
}

/// Whether a word begins like a number, which may be negative.
fn is_number(word: &str) -> bool {
    word.strip_prefix('-').unwrap_or(word).starts_with(|c: char| c.is_ascii_digit())
}

/// `+ 4` in two words becomes one value.
fn increment(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let Some(operator) = next_if(words, |word| word == "+" || word == "*") else {
        return Ok(vec!["--increment".into()]);
    };
    let amount = next_if(words, |_| true).unwrap_or_default();
    Ok(vec![format!("--increment={operator}{amount}").into()])
}

/// A CPU; without a word it means `last`.
fn pin(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let cpu = next_if(words, |word| word == "off" || word == "last" || word.parse::<usize>().is_ok());
    Ok(vec![format!("--pin={}", cpu.as_deref().unwrap_or("last")).into()])
}

/// Several words become one value; without one it means the first cache and branches.
fn cpu_stats(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let next =
        || next_if(words, |word| word.split(',').all(|kind| ["first", "last", "branch"].contains(&kind)));
    let kinds: Vec<String> = std::iter::from_fn(next).collect();
    let kinds = if kinds.is_empty() { "first,branch".to_owned() } else { kinds.join(",") };
    Ok(vec![format!("--cpu-stats={kinds}").into()])
}

/// One search for a pattern in a text.
fn simple(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let (Some(pattern), Some(data)) = (words.next(), words.next()) else {
        return Err(Error::new("`-simple` needs a pattern and a text").remedy("-simple PATTERN TEXT"));
    };
    Ok(vec![joined("--pattern=", pattern), joined("--data=", data), "--runs=1".into()])
}

/// An option with its value in one word.
fn joined(option: &str, value: &OsStr) -> OsString {
    let mut joined = OsString::from(option);
    joined.push(value);
    joined
}
