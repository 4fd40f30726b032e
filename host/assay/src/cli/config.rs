//! `assay config`: every folder, file and default in force, and where each comes from.

use std::fmt::Display;
use std::path::PathBuf;

use assay_base::error::Result;
use assay_base::io::folders;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::setting::{Setting, SettingSource, variable};
use assay_base::io::table::{Datum, Table};
use assay_experiment::Experiment;
use assay_experiment::sets::SETS_FILE;
use assay_experiment::texts;
use assay_load::plugin::{ACCEPTED_FILE, POLICY_FILE, TrustPolicies, plugin_folders};
use assay_load::process::{PATIENCE_VARIABLE, patience};
use assay_store::USUAL;
use serde_json::Value;

use super::{Outcome, Session};

/// List the folders, files and defaults in force, and their origin
///
/// `source` names an option, an environment variable or a file; a value that nothing has set is a default.
/// `exists` says whether a file or a folder is there. The defaults of an experiment have the names that they
/// have in its file.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay config
  assay config --format json
  ASSAY_TRUST=deny assay config       what a variable changes")]
pub(super) struct Args {
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let mut page = SettingsTable(Table::new(["setting", "value", "source", "exists"]));
    if let Some(folder) = folders::config_setting() {
        for (name, file) in [
            ("settings", POLICY_FILE),
            ("trusted libraries", ACCEPTED_FILE),
            ("sets of algorithms", SETS_FILE),
        ] {
            page.place(name, folder.clone().map(|folder| folder.join(file)));
        }
    }
    if let Some(folder) = folders::cache_setting() {
        page.place("cache", folder);
    }
    for folder in plugin_folders(&session.common.plugin_dir) {
        page.place("plugin folder", folder);
    }
    for folder in texts::folder_settings() {
        page.place("text folder", folder);
    }
    page.place("saved runs", Setting::default(PathBuf::from(USUAL)));
    let policies = TrustPolicies::resolve(session.common.trust)?;
    page.value("trust in folders of --plugin-dir", &policies.named.value, &policies.named.source);
    page.value("trust in other folders", &policies.found.value, &policies.found.source);
    let source = variable(PATIENCE_VARIABLE).map_or(SettingSource::Default, |setting| setting.source);
    page.value("time limit for plugins (ms)", &patience()?.as_millis(), &source);
    let experiment = serde_json::to_value(Experiment::default()).expect("an experiment has a JSON form");
    page.defaults("", &experiment);
    session.console.print(&page.0.render(args.format))?;
    Ok(Outcome::Done)
}

/// The settings, with a row for each.
struct SettingsTable(Table);

impl SettingsTable {
    /// Adds a file or a folder.
    fn place(&mut self, name: &str, Setting { value: path, source }: Setting<PathBuf>) {
        let exists = if path.exists() { "yes" } else { "no" };
        self.0.push([
            name.into(),
            path.display().to_string().into(),
            source.to_string().into(),
            Datum::from(exists),
        ]);
    }

    /// Adds any other value.
    fn value(&mut self, name: &str, value: &dyn Display, source: &SettingSource) {
        self.0.push([name.into(), value.to_string().into(), source.to_string().into(), Datum::Missing]);
    }

    /// Adds the defaults of an experiment, without those that are empty.
    fn defaults(&mut self, name: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                    self.defaults(&name, value);
                }
            }
            Value::Null => {}
            Value::Array(values) if values.is_empty() => {}
            Value::String(text) => self.value(name, text, &SettingSource::Default),
            other => self.value(name, other, &SettingSource::Default),
        }
    }
}
