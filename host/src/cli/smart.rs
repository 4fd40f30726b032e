//! SMART's single-dash options: each is an alias of a long one.

use std::ffi::OsString;

/// SMART's spelling and ours.
const ALIASES: &[(&str, &str)] = &[
    ("-text", "--text"),
    ("-rand", "--rand"),
    ("-data", "--data"),
    ("-stats", "--stats"),
    ("-plen", "--plen"),
    ("-inc", "--increment"),
    ("-short", "--short"),
    ("-vshort", "--very-short"),
    ("-pat", "--pattern"),
    ("-use", "--use"),
    ("-all", "--all"),
    ("-runs", "--runs"),
    ("-ts", "--text-size"),
    ("-fb", "--fill-buffer"),
    ("-rs", "--seed"),
    ("-pre", "--preprocessing"),
    ("-occ", "--occurrences"),
    ("-tb", "--time-limit"),
    ("-pin", "--pin"),
    ("-cstats", "--cpu-stats"),
    ("-desc", "--description"),
    ("-ns", "--no-save"),
    ("-prec", "--precision"),
];

/// The arguments with SMART's options spelled out.
pub fn spelled_out(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let spelled = |arg: OsString| match ALIASES.iter().find(|(smart, _)| arg == *smart) {
        Some((_, ours)) => OsString::from(ours),
        None => arg,
    };
    args.into_iter().map(spelled).collect()
}
