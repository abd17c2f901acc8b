//! The line of pith-bench for the crate toon-format.
//!
//! A run is what a program does that converts one text: `serde_json` into a value,
//! the crate's `encode_default` of it, or `decode_default` and `serde_json` back, and
//! everything freed. In the peer's favour the text is known to be UTF-8 before the
//! clock starts. There are at least two runs, unless one took so long that another
//! would tell no more; the fastest counts. Memory is noted behind the first.
//!
//!     toon-rs-peer FILE FROM TO [--seconds S]

use std::error::Error;
use std::time::Instant;

use serde_json::{json, Value};

/// The version that Cargo.toml asks for.
const CRATE_VERSION: &str = "0.7.0";
const LONG_RUN_SECONDS: f64 = 10.0;

struct Run {
    whole: f64,
    decode: f64,
    encode: f64,
    output_bytes: usize,
    peak_bytes: usize,
}

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

/// The most memory this process ever had resident; 0 where the kernel does not tell.
fn resident_peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|text| text.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0) * 1024
}

fn run_once(way: &Way, text: &str) -> Result<Run, Box<dyn Error>> {
    let start = Instant::now();
    let value = (way.decode)(text)?;
    let decode = start.elapsed().as_secs_f64();
    let middle = Instant::now();
    let output = (way.encode)(&value)?;
    let encode = middle.elapsed().as_secs_f64();
    let output_bytes = output.len();
    drop(output);
    drop(value);
    let whole = start.elapsed().as_secs_f64();
    Ok(Run {
        whole,
        decode,
        encode,
        output_bytes,
        peak_bytes: resident_peak(),
    })
}

/// All runs of about `seconds`.
fn repeat(way: &Way, text: &str, seconds: f64) -> Result<Vec<Run>, Box<dyn Error>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut spent = 0.0;
    let mut least = 2;
    while runs.len() < least || spent < seconds {
        let run = run_once(way, text)?;
        spent += run.whole;
        if run.whole > LONG_RUN_SECONDS {
            least = 1;
        }
        runs.push(run);
    }
    Ok(runs)
}

fn sorted(runs: &[Run], part: fn(&Run) -> f64) -> Vec<f64> {
    let mut seconds: Vec<f64> = runs.iter().map(part).collect();
    seconds.sort_by(f64::total_cmp);
    seconds
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn measure(args: &[String]) -> Result<(), Box<dyn Error>> {
    let (path, from, to, seconds) = match args {
        [path, from, to] => (path, from, to, 2.0),
        [path, from, to, option, seconds] if option == "--seconds" => {
            (path, from, to, seconds.parse()?)
        }
        _ => return Err("usage: toon-rs-peer FILE FROM TO [--seconds S]".into()),
    };
    let way = way(from, to)?;
    let before = resident_peak();
    let text = std::fs::read_to_string(path).map_err(|err| format!("{path}: {err}"))?;
    let runs = repeat(&way, &text, seconds).map_err(|err| format!("{path}: {err}"))?;
    let bytes = text.len();
    let rate = |seconds: f64| rounded(bytes as f64 / 1e6 / seconds);
    let whole = sorted(&runs, |run| run.whole);
    let peak = runs[0].peak_bytes - before;
    let line = json!({
        "impl": "toon-rs",
        "detail": CRATE_VERSION,
        "file": path,
        "from": from,
        "to": to,
        "bytes": bytes,
        "mb_per_s": rate(whole[0]),
        "median_mb_per_s": rate(whole[runs.len() / 2]),
        "decode_mb_per_s": rate(sorted(&runs, |run| run.decode)[0]),
        "encode_mb_per_s": rate(sorted(&runs, |run| run.encode)[0]),
        "output_bytes": runs[0].output_bytes,
        "peak_bytes": peak,
        "peak_ratio": rounded(peak as f64 / bytes as f64),
        "runs": runs.len(),
    });
    println!("{line}");
    Ok(())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Err(err) = measure(&args) {
        eprintln!("toon-rs-peer: {err}");
        std::process::exit(1);
    }
}
