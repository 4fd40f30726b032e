//! Scripts for batch systems. They hold the paths of the program and of the campaign in quotes, so any
//! character may be in them.

use assay_base::io::shell::quoted;

use crate::folder::CampaignFolder;
use crate::submission::SubmitOptions;

/// The script of an array of jobs: the element of a number measures the task at this place of the list.
pub(crate) fn of_array(folder: &CampaignFolder, how: &SubmitOptions, tasks: &[u32]) -> String {
    let numbers: Vec<String> = tasks.iter().map(u32::to_string).collect();
    format!(
        "#!/bin/sh\n# Written by `assay campaign`: element 0 measures the first of these tasks.\nset -- {}\nshift \
         \"$SLURM_ARRAY_TASK_ID\"\nexec {}\n",
        numbers.join(" "),
        command(folder, how, "\"$1\"")
    )
}

/// The script of one task.
pub(crate) fn of_task(folder: &CampaignFolder, how: &SubmitOptions, task: u32) -> String {
    format!(
        "#!/bin/sh\n# Written by `assay campaign`: measures task {task}.\nexec {}\n",
        command(folder, how, &task.to_string())
    )
}

/// The command that measures a task. `number` is the number of the task, as the shell reads it.
pub(crate) fn command(folder: &CampaignFolder, how: &SubmitOptions, number: &str) -> String {
    let mut words: Vec<&str> = how.program.iter().map(String::as_str).collect();
    words.extend(["campaign", "task"]);
    words.extend(how.ignore_doctor.then_some("--ignore-doctor"));
    words.extend(["--", folder.text()]);
    let quoted: String = words.into_iter().map(|word| quoted(word) + " ").collect();
    quoted + number
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::submission::SubmitTarget;

    #[test]
    fn an_element_measures_the_task_at_its_place_wherever_the_campaign_lies() {
        let folder = tempfile::tempdir().unwrap();
        let print = folder.path().join("print it's %a");
        std::fs::write(&print, "#!/bin/sh\nprintf '%s|' \"$@\"\n").unwrap();
        let how = SubmitOptions {
            target: SubmitTarget::Slurm,
            options: Vec::new(),
            exclusive: true,
            array_limit: None,
            ignore_doctor: true,
            program: vec!["sh".to_owned(), print.to_str().unwrap().to_owned()],
        };
        let campaign = CampaignFolder::at(Path::new("/no such/it's \"$HOME\" %a")).unwrap();
        let run = |script: &str| {
            let mut shell = std::process::Command::new("sh");
            let output = shell.args(["-c", script]).env("SLURM_ARRAY_TASK_ID", "1").output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let expected =
            |task: u32| format!("campaign|task|--ignore-doctor|--|/no such/it's \"$HOME\" %a|{task}|");
        assert_eq!(run(&of_array(&campaign, &how, &[3, 17, 4])), expected(17));
        assert_eq!(run(&of_task(&campaign, &how, 9)), expected(9));
        assert_eq!(
            run(&crate::submit::task_command(&campaign, &how, 9)),
            expected(9),
            "as --dry-run prints it"
        );
    }
}
