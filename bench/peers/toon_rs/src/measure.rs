//! For peers in Rust what measure.c is for those in C.
//!
//! A run does the work once and says how long it took. In the peer's favour the text is
//! known to be UTF-8 before the clock starts. There are at least two runs, unless one
//! took so long that another would tell no more; the fastest counts. Memory is noted
//! behind the first.

use std::error::Error;

use serde_json::json;

const LONG_RUN_SECONDS: f64 = 10.0;

/// What a run took, in seconds, and how many bytes or tokens came out of it.
pub struct Run {
    pub whole: f64,
    pub halves: Option<(f64, f64)>, // decoding and encoding
    pub output: usize,
}

/// What the command line asks for: FILE FROM TO [--seconds S].
pub struct Task {
    pub path: String,
    pub from: String,
    pub to: String,
    pub seconds: f64,
}

impl Task {
    pub fn from_args() -> Result<Task, Box<dyn Error>> {
        let args: Vec<String> = std::env::args().skip(1).collect();
        let (path, from, to, seconds) = match args.as_slice() {
            [path, from, to] => (path, from, to, 2.0),
            [path, from, to, option, seconds] if option == "--seconds" => {
                (path, from, to, seconds.parse()?)
            }
            _ => return Err("usage: FILE FROM TO [--seconds S]".into()),
        };
        Ok(Task {
            path: path.clone(),
            from: from.clone(),
            to: to.clone(),
            seconds,
        })
    }
}

/// The most memory this process ever had resident; 0 where the kernel does not tell.
fn resident_peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|text| text.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0) * 1024
}

fn best(runs: &[Run], part: fn(&Run) -> Option<f64>) -> Option<f64> {
    runs.iter().filter_map(part).min_by(f64::total_cmp)
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// Reads the file, runs for about the seconds asked for, and prints the line.
pub fn measure<F>(name: &str, version: &str, task: &Task, run: F) -> Result<(), Box<dyn Error>>
where
    F: Fn(&str) -> Result<Run, Box<dyn Error>>,
{
    let before = resident_peak();
    let path = &task.path;
    let text = std::fs::read_to_string(path).map_err(|err| format!("{path}: {err}"))?;
    let mut runs: Vec<Run> = Vec::new();
    let mut peak = 0;
    let mut spent = 0.0;
    let mut least = 2;
    while runs.len() < least || spent < task.seconds {
        let one = run(&text).map_err(|err| format!("{path}: {err}"))?;
        if runs.is_empty() {
            peak = resident_peak() - before;
        }
        spent += one.whole;
        if one.whole > LONG_RUN_SECONDS {
            least = 1;
        }
        runs.push(one);
    }
    let bytes = text.len();
    let rate = |seconds: f64| rounded(bytes as f64 / 1e6 / seconds);
    let mut whole: Vec<f64> = runs.iter().map(|run| run.whole).collect();
    whole.sort_by(f64::total_cmp);
    let mut line = json!({
        "impl": name,
        "detail": version,
        "file": path,
        "from": task.from,
        "to": task.to,
        "bytes": bytes,
        "mb_per_s": rate(whole[0]),
        "median_mb_per_s": rate(whole[runs.len() / 2]),
        "output_bytes": runs[0].output,
        "peak_bytes": peak,
        "peak_ratio": rounded(peak as f64 / bytes as f64),
        "runs": runs.len(),
    });
    let decode = best(&runs, |run| run.halves.map(|halves| halves.0));
    let encode = best(&runs, |run| run.halves.map(|halves| halves.1));
    if let (Some(decode), Some(encode)) = (decode, encode) {
        line["decode_mb_per_s"] = json!(rate(decode));
        line["encode_mb_per_s"] = json!(rate(encode));
    }
    println!("{line}");
    Ok(())
}
