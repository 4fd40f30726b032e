//! The options of SMART, and what each becomes here.

use std::ffi::OsString;
use std::iter::Peekable;
use std::slice::Iter;

use assay_base::error::{Error, Result};

/// What an option of SMART becomes.
#[derive(Clone, Copy)]
pub(super) enum Translation {
    /// An option of ours; the word that follows is its value.
    Ours(&'static str),
    /// An option of ours, made from the words that follow.
    Made(&'static str, fn(&mut SmartWords) -> Result<Vec<OsString>>),
    /// Nothing: it is refused, with what does the same here.
    Refused(&'static str),
}

use Translation::{Made, Ours, Refused};

/// The words of the command line that are still to be looked at.
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

/// Those that only its first version had.
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

/// Those of its command `test`, where they mean something else than in other commands, or nothing in these.
pub(super) const OF_TEST: &[(&str, Translation)] = &[
    ("-fo", Ours("--fail-only")),
    ("-q", Ours("--quick")),
    ("-update", Ours("--update")),
    ("-d", Ours("--verbose")),
    ("-sel", Ours("--selected")),
];

/// SMART's short spellings of these options of ours, for suggestions.
pub(in crate::cli) fn aliases(ours: &[String]) -> Vec<&'static str> {
    let is_one = |translation: &Translation| match translation {
        Ours(option) | Made(option, _) => ours.iter().any(|ours| ours == option),
        Refused(_) => false,
    };
    let aliases = OPTIONS.iter().filter(|(smart, ours)| !smart.starts_with("--") && is_one(ours));
    aliases.map(|(smart, _)| *smart).collect()
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
    let of_option = |word: &str| !word.starts_with('-') && (word == "perf" || word == "algo");
    let Some(kind) = next_if(words, of_option) else {
        // A misspelt word is refused as a value here, because otherwise it would be taken for an algorithm.
        return Ok(vec![match words.peek() {
            Some(word) if !word.as_encoded_bytes().starts_with(b"-") => "--stats".into(),
            _ => "--stats=algo".into(),
        }]);
    };
    Ok(vec![format!("--stats={kind}").into()])
}

/// All numbers that follow become one value, so that algorithms may follow them, and the parser can say if
/// there are too many.
fn lengths(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let digits =
        |word: &str| word.strip_prefix('-').unwrap_or(word).starts_with(|c: char| c.is_ascii_digit());
    let numbers: Vec<String> = std::iter::from_fn(|| next_if(words, digits)).collect();
    Ok(vec![match numbers.as_slice() {
        [] => "--plen".into(),
        numbers => format!("--plen={}", numbers.join(" ")).into(),
    }])
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
    let cpu = |word: &str| word == "off" || word == "last" || word.parse::<usize>().is_ok();
    let cpu = next_if(words, cpu).unwrap_or_else(|| "last".to_owned());
    Ok(vec![format!("--pin={cpu}").into()])
}

/// Several words become one value; without one it means the first cache and branches.
fn cpu_stats(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let kind = |word: &str| word.split(',').all(|kind| ["first", "last", "branch"].contains(&kind));
    let kinds: Vec<String> = std::iter::from_fn(|| next_if(words, kind)).collect();
    let kinds = if kinds.is_empty() { "first,branch".to_owned() } else { kinds.join(",") };
    Ok(vec![format!("--cpu-stats={kinds}").into()])
}

/// One search for a pattern in a text.
fn simple(words: &mut SmartWords) -> Result<Vec<OsString>> {
    let (Some(pattern), Some(data)) = (words.next(), words.next()) else {
        return Err(Error::new("`-simple` needs a pattern and a text").remedy("-simple PATTERN TEXT"));
    };
    let joined = |option: &str, value: &OsString| {
        let mut joined = OsString::from(option);
        joined.push(value);
        joined
    };
    Ok(vec![joined("--pattern=", pattern), joined("--data=", data), "--runs=1".into()])
}
