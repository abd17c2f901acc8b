//! The line of pith-bench for the crate bpe-openai: its `count`, which makes no ids. The
//! vocabulary is loaded before the clock starts.
//!
//!     tokens-rs-peer FILE FROM tokens [--seconds S]

#[path = "../../toon_rs/src/measure.rs"]
mod measure;

use std::error::Error;
use std::time::Instant;

use measure::{Run, Task};

/// The version that Cargo.toml asks for.
const CRATE_VERSION: &str = "0.3.2";

fn run() -> Result<(), Box<dyn Error>> {
    let task = Task::from_args()?;
    if task.to != "tokens" {
        return Err(format!("it counts tokens and writes no {}", task.to).into());
    }
    let vocabulary = bpe_openai::o200k_base();
    measure::measure("bpe-openai-rs", CRATE_VERSION, &task, |text| {
        let start = Instant::now();
        let output = vocabulary.count(text);
        let whole = start.elapsed().as_secs_f64();
        Ok(Run {
            whole,
            halves: None,
            output,
        })
    })
}

fn main() {
    if let Err(err) = run() {
        eprintln!("tokens-rs-peer: {err}");
        std::process::exit(1);
    }
}
