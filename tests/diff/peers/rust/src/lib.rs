//! The side of a peer in Rust: see ../../../peer.h for what goes over the pipes.

use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

use serde_json::Value;

/// Values may be hundreds of levels deep.
fn read(json: &str) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let mut values = reader.into_iter::<Value>();
    values.next().ok_or("no value")?.map_err(|e| e.to_string())
}

fn answer<E, D>(line: &str, encode: &E, decode: &D) -> Result<Value, String>
where
    E: Fn(&Value, usize) -> Result<String, String>,
    D: Fn(&str, usize) -> Result<Value, String>,
{
    let variant = (line.as_bytes()[1] - b'0') as usize;
    let json = read(&line[3..])?;
    let work = || match line.as_bytes()[0] {
        b'E' => encode(&json, variant).map(Value::String),
        _ => decode(json.as_str().unwrap_or(""), variant),
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("panic".into()))
}

/// `encode` gives the text of a value, `decode` the value of a text; both are told the
/// number of the variant.
pub fn serve<E, D>(encode: E, decode: D)
where
    E: Fn(&Value, usize) -> Result<String, String>,
    D: Fn(&str, usize) -> Result<Value, String>,
{
    std::panic::set_hook(Box::new(|_| {}));
    let mut answers = String::new();
    let mut lines: Vec<String> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line.expect("requests are UTF-8");
        if !line.is_empty() {
            lines.push(line);
            continue;
        }
        for line in lines.drain(..) {
            match answer(&line, &encode, &decode) {
                Ok(value) => answers.push_str(&format!("={value}\n")),
                Err(why) => answers.push_str(&format!("!{}\n", Value::String(why))),
            }
        }
        let mut out = io::stdout().lock();
        out.write_all(answers.as_bytes()).expect("a reader");
        out.flush().expect("a reader");
        answers.clear();
    }
}
