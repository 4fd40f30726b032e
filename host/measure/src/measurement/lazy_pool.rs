//! The workers of a turn, which are made when the first of them is needed: all blocks of the turn may have been
//! measured by an earlier part of the run.

use assay_base::error::Result;

use crate::pool::Pool;

/// The workers of a turn, if they were needed yet.
pub(super) struct LazyPool<'a> {
    make: &'a mut dyn FnMut() -> Result<Pool>,
    pub(super) made: Option<Pool>,
}

impl<'a> LazyPool<'a> {
    /// Workers that are yet to be made.
    pub(super) fn new(make: &'a mut dyn FnMut() -> Result<Pool>) -> Self {
        LazyPool { make, made: None }
    }

    /// The workers. New ones do not use these counter backends.
    pub(super) fn get(&mut self, lost_backends: &[usize]) -> Result<&mut Pool> {
        if self.made.is_none() {
            let mut pool = (self.make)()?;
            lost_backends.iter().for_each(|backend| pool.leave_out(*backend));
            self.made = Some(pool);
        }
        Ok(self.made.as_mut().expect("it was just made"))
    }
}
