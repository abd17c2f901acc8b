//! Random values through every format, and random mistakes in their texts: an error at most, and
//! never a panic. The numbers are those of a generator of our own, so that a failure comes again.

use pith::{Document, Format, RowReader, Settings, Value};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 20] = [
            "a",
            "Ada",
            " ",
            "\"",
            "\\",
            "\n",
            ",",
            ";",
            ":",
            "{",
            "}",
            "[",
            "|",
            "é",
            "∅",
            "\u{1F600}",
            "0",
            "-1.5",
            "null",
            "=",
        ];
        (0..self.roll(4)).map(|_| PIECES[self.roll(PIECES.len())]).collect()
    }

    fn digits(&mut self) -> String {
        const DIGITS: [&str; 10] = [
            "0",
            "-1",
            "7",
            "1.5",
            "-0.25",
            "1e300",
            "255",
            "-128",
            "4294967296",
            "18446744073709551615",
        ];
        DIGITS[self.roll(DIGITS.len())].to_owned()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(if depth > 3 { 5 } else { 9 }) {
            0 => Value::Null,
            1 => Value::Bool(self.roll(2) == 0),
            2 => Value::Number(pith::Number::new(&self.digits()).unwrap()),
            3 | 4 => self.text().into(),
            5 | 6 => Value::Array((0..self.roll(5)).map(|_| self.value(depth + 1)).collect()),
            7 => {
                let keys: BTreeSet<String> = (0..self.roll(4)).map(|_| self.text()).collect();
                keys.into_iter().map(|key| (key, self.value(depth + 1))).collect()
            }
            _ => {
                let width = 1 + self.roll(3);
                let row = |dice: &mut Self| {
                    (0..width).map(|at| (format!("k{at}"), dice.value(depth + 2))).collect()
                };
                Value::Array((0..self.roll(4)).map(|_| row(self)).collect())
            }
        }
    }

    fn spoil(&mut self, text: &mut Vec<u8>) {
        for _ in 0..=self.roll(3) {
            let at = self.roll(text.len() + 1);
            match self.roll(4) {
                0 => text.truncate(at),
                1 => text.insert(at, b"{}[]\",:;|@#\n\\-9\xFF\0"[self.roll(17)]),
                2 if at < text.len() => text[at] ^= 1 << self.roll(8),
                _ if at < text.len() => {
                    text.remove(at);
                }
                _ => {}
            }
        }
    }
}

/// How many values each test tries; `PITH_TEST_ALL` tries more.
fn rounds() -> usize {
    if std::env::var_os("PITH_TEST_ALL").is_some() {
        100_000
    } else {
        3_000
    }
}

#[test]
fn random_values_come_back() {
    let mut dice = Dice(1);
    let exact = [Format::Json, Format::Ndjson, Format::Pith];
    for round in 0..rounds() {
        let value = dice.value(0);
        for format in exact {
            if format == Format::Ndjson && !matches!(value, Value::Array(_)) {
                continue; // a line is a value, and all lines are an array
            }
            let text = pith::to_string(&value, format).unwrap();
            assert_eq!(pith::from_str::<Value>(&text, format).unwrap(), value, "{round}: {text}");
        }
        for format in [Format::Toon, Format::Gcf, Format::Soch, Format::SochBin] {
            let settings = Settings::new(format).verify(pith::settings::Verify::Value);
            let Ok(text) = pith::to_vec(&value, settings) else { continue };
            let back: Value = pith::from_slice(&text, format).unwrap();
            let again = pith::to_vec(&back, format).unwrap();
            assert_eq!(again, text, "{round} {format}");
        }
    }
}

#[derive(Deserialize)]
#[allow(dead_code)]
enum Anything<'a> {
    Unit,
    Newtype(&'a str),
    Tuple(u8, f32),
    Struct { a: Option<i64>, b: Vec<char> },
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Typed<'a> {
    k0: Option<Box<Typed<'a>>>,
    k1: Option<&'a str>,
    k2: Option<i128>,
}

fn read_in_every_way(text: &[u8], format: Format) {
    let _ = pith::from_slice::<Value>(text, format);
    let _ = pith::from_slice::<serde_json::Value>(text, format);
    let _ = pith::from_slice::<Vec<Typed<'_>>>(text, format);
    let _ = pith::from_slice::<Anything<'_>>(text, format);
    let _ = pith::from_slice::<BTreeMap<String, Vec<u64>>>(text, format);
    let _ = pith::from_slice::<serde::de::IgnoredAny>(text, format);
    if let Ok(document) = Document::parse_slice(text, format) {
        let root = document.root();
        let _ = (root.at(0), root.get("k0"), root.iter().count(), root.write(Format::Toon));
    }
    if format != Format::Auto {
        if let Ok(rows) = RowReader::<_, Value>::new(text, format) {
            let _ = rows.take(1000).count();
        }
    }
    let _ = pith::soch::SochCodec::parse_tables(text, format);
    if let Ok(text) = std::str::from_utf8(text) {
        let _ = pith::check(text, format);
        let _ = pith::gcf::decode(text);
    }
}

#[test]
fn mistakes_are_errors_and_never_panics() {
    let mut dice = Dice(2);
    for _ in 0..rounds() / 10 {
        let value = dice.value(0);
        for &format in Format::ALL {
            let Ok(mut text) = pith::to_vec(&value, format) else { continue };
            dice.spoil(&mut text);
            read_in_every_way(&text, format);
        }
        let mut noise: Vec<u8> =
            (0..dice.roll(60)).map(|_| b"{}[]\",:;|@#\n ae0=GCF"[dice.roll(20)]).collect();
        dice.spoil(&mut noise);
        for &format in Format::ALL {
            read_in_every_way(&noise, format);
        }
    }
}

#[test]
fn numbers_are_what_json_says() {
    for right in ["0", "-0", "10", "1.0", "-1.5e+10", "1E5", "0e0"] {
        assert_eq!(pith::Number::new(right).unwrap().digits(), right);
    }
    for wrong in ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "1x", "NaN", " 1", "1 ", "--1"] {
        assert!(pith::Number::new(wrong).is_err(), "{wrong}");
    }
}
