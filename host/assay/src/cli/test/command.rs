//! The command that repeats a failure.

use std::str::FromStr;

use assay_base::io::shell::quoted;
use assay_conformance::Repeat;

use super::Args;
use crate::cli::Session;

/// A text given in hexadecimal, which may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HexBytes(pub Vec<u8>);

impl FromStr for HexBytes {
    type Err = String;

    fn from_str(digits: &str) -> Result<Self, String> {
        hex::decode(digits)
            .map(HexBytes)
            .map_err(|_| format!("`{digits}` is no text in hexadecimal: two digits a byte, 616263 is abc"))
    }
}

/// The command as the user would write it in a shell.
pub(super) fn command_line(id: &str, repeat: &Repeat, args: &Args, session: &Session) -> String {
    let mut words = vec!["assay".to_owned(), "test".to_owned(), quoted(id)];
    match repeat {
        Repeat::Case((pattern, text)) => words.extend([bytes("pattern", pattern), bytes("text", text)]),
        Repeat::Place(place) => {
            words.extend(plan_options(args));
            words.push(format!("--case {place}"));
        }
        Repeat::Plan => words.extend(plan_options(args)),
    }
    if let Some(ms) = args.time_limit {
        words.push(format!("--time-limit {ms}"));
    }
    for folder in &session.common.plugin_dir {
        words.push(format!("--plugin-dir {}", quoted(&folder.to_string_lossy())));
    }
    words.join(" ")
}

/// The options that decide the cases of a plan.
fn plan_options(args: &Args) -> Vec<String> {
    let mut options = vec![format!("--seed {}", args.seed)];
    options.extend(args.quick.then(|| "--quick".to_owned()));
    if let Some(lengths) = args.plen.as_ref().and_then(|lengths| lengths.all(args.increment).ok()) {
        let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
        options.push(format!("--plen {}", lengths.join(",")));
    }
    options
}

/// An option with bytes: as text if a terminal and a shell do not change them, and otherwise in hexadecimal.
fn bytes(option: &str, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text)
            if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') && !text.starts_with('-') =>
        {
            format!("--{option} {}", quoted(text))
        }
        _ => format!("--{option}-hex {}", hex::encode(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_a_shell_takes_them() {
        for (given, written) in [
            (&b"abc"[..], "--text abc"),
            (b"", "--text ''"),
            (b"it's", r"--text 'it'\''s'"),
            (b"-a", "--text-hex 2d61"),
            (b"a\n", "--text-hex 610a"),
            (&[255, 0], "--text-hex ff00"),
        ] {
            assert_eq!(bytes("text", given), written);
        }
        assert_eq!("".parse(), Ok(HexBytes(Vec::new())));
        assert!("6".parse::<HexBytes>().is_err());
    }
}
