use super::{Outcome, Session};
use crate::error::Result;

/// TODO
#[derive(clap::Args, Debug)]
pub struct Args {}

pub fn run(_: Args, _: &Session) -> Result<Outcome> {
    Ok(Outcome::Done)
}
