//! The line of pith-bench for the crate toon-format.
//!
//! A run is what a program does that converts one text: `serde_json` into a value,
//! the crate's `encode_default` of it, or `decode_default` and `serde_json` back, and
//! everything freed.
//!
//!     toon-rs-peer FILE FROM TO [--seconds S]

mod measure;

use std::error::Error;
use std::time::Instant;

use measure::{Run, Task};
use serde_json::Value;

/// The version that Cargo.toml asks for.
const CRATE_VERSION: &str = "0.7.0";

struct Way {
    decode: fn(&str) -> Result<Value, Box<dyn Error>>,
    encode: fn(&Value) -> Result<String, Box<dyn Error>>,
}

fn way(from: &str, to: &str) -> Result<Way, Box<dyn Error>> {
    match (from, to) {
        ("json", "toon") => Ok(Way {
            decode: |text| Ok(serde_json::from_str(text)?),
            encode: |value| Ok(toon_format::encode_default(value)?),
        }),
        ("toon", "json") => Ok(Way {
            decode: |text| Ok(toon_format::decode_default(text)?),
            encode: |value| Ok(serde_json::to_string(value)?),
        }),
        _ => Err(format!("{from} to {to} is not among what it converts").into()),
    }
}

fn run_once(way: &Way, text: &str) -> Result<Run, Box<dyn Error>> {
    let start = Instant::now();
    let value = (way.decode)(text)?;
    let decode = start.elapsed().as_secs_f64();
    let middle = Instant::now();
    let written = (way.encode)(&value)?;
    let encode = middle.elapsed().as_secs_f64();
    let output = written.len();
    drop(written);
    drop(value);
    let whole = start.elapsed().as_secs_f64();
    Ok(Run {
        whole,
        halves: Some((decode, encode)),
        output,
    })
}

fn run() -> Result<(), Box<dyn Error>> {
    let task = Task::from_args()?;
    let way = way(&task.from, &task.to)?;
    measure::measure("toon-rs", CRATE_VERSION, &task, |text| run_once(&way, text))
}

fn main() {
    if let Err(err) = run() {
        eprintln!("toon-rs-peer: {err}");
        std::process::exit(1);
    }
}
