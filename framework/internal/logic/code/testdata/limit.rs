//! Limits.
use std::fmt;

/// Requests a minute.
pub const LIMIT: u32 = 1_000;
static NAMES: [&str; 2] = ["{", r#"a "quoted" }"#];

#[derive(Debug, Clone)]
pub enum State { Open, Closed { since: u64 } }

pub struct Bucket<'a, T: 'a>(&'a T);

impl<'a, T: fmt::Debug> fmt::Display for Bucket<'a, T> where T: Clone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = '{'; /* nested /* } */ } */
        write!(f, "{:?}{c}", self.0)
    }
}

/// Tells what is to be done.
#[inline]
pub(crate) async unsafe fn check<F>(left: u32, done: F) -> Result<State, Error>
where
    F: Fn(u32) -> bool,
{
    if left >= LIMIT {
        return Err(Error::TooMany("slow down"));
    }
    match left {
        0 => Ok(State::Open),
        n if n > 10 => Err(Error::Odd),
        _ => Ok(State::Closed { since: 1 }),
    }
}

trait Shape { fn area(&self) -> f64; fn twice(&self) -> f64 { self.area() * 2.0 } }

macro_rules! twice { ($x:expr) => { fn hidden() {} }; }

mod inner { pub fn helper() {} }
