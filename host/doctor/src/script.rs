//! The remedies of findings as a script for a shell, which nobody runs but the user.

use super::finding::{CheckOutcome, Finding};

/// The first lines of the script.
pub const FIX_HEADER: &str = "\
#!/bin/sh
# What would repair the findings of `assay doctor` on this machine. Nothing was run: read each
# command first, and run those that you want. Settings of the system last until it is started again.
";

/// A script with the remedies of all findings that are warnings or problems, each with the command that
/// undoes it.
pub fn script(findings: &[Finding]) -> String {
    let mut script = FIX_HEADER.to_owned();
    let wrong = findings.iter().filter(|finding| finding.outcome >= CheckOutcome::Warning);
    for finding in wrong {
        let Some(remedy) = &finding.remedy else { continue };
        script.push('\n');
        comment(&mut script, &format!("{}, {}: {}", finding.outcome.word(), finding.name, finding.found));
        for words in finding.effect.iter().chain(&remedy.advice) {
            comment(&mut script, words);
        }
        for command in &remedy.commands {
            script.push_str(command);
            script.push('\n');
        }
        for command in &remedy.undo {
            comment(&mut script, &format!("undo: {command}"));
        }
    }
    script
}

/// Adds a comment of one line, whatever the text holds: names of files and processes come from others, and
/// what follows a line feed would be a command.
fn comment(script: &mut String, text: &str) {
    script.push_str("# ");
    script.extend(text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }));
    script.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Remedy;

    #[test]
    fn a_script_has_the_commands_and_comments_of_one_line() {
        let remedy = Remedy { commands: vec!["a".to_owned()], undo: vec!["b".to_owned()], advice: None };
        let warning = Finding::warning("turbo", "on\nrm -rf x", "it varies", remedy);
        let findings = [Finding::ok("swap", "none"), warning];
        let script = script(&findings);
        let body = script.strip_prefix(FIX_HEADER).unwrap();
        assert_eq!(body, "\n# warning, turbo: on rm -rf x\n# it varies\na\n# undo: b\n");
    }
}
