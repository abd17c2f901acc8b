//! Values through every format and back, and what is refused.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::float_cmp)]

use pith::{Format, Settings, Status, Value};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const ANYTHING: [Format; 7] = [
    Format::Json,
    Format::Toon,
    Format::Gcf,
    Format::Gcf1,
    Format::Soch,
    Format::SochBin,
    Format::Pith,
];

fn there_and_back<T>(value: &T)
where
    T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug,
{
    for format in ANYTHING {
        let text = pith::to_vec(value, format).unwrap_or_else(|e| panic!("{format}: {e}"));
        let shown = String::from_utf8_lossy(&text);
        let back: T = pith::from_slice(&text, format)
            .unwrap_or_else(|error| panic!("{format}: {error}\n{shown}"));
        assert_eq!(&back, value, "{format}:\n{shown}");
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Row {
    id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    level: i8,
    ratio: f64,
    half: f32,
    done: bool,
    name: String,
    tags: Vec<String>,
    place: Place,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Place {
    x: i32,
    y: i32,
}

fn rows(count: u64) -> Vec<Row> {
    let row = |id| Row {
        id,
        note: (id % 3 == 0).then(|| format!("note, {id}")),
        level: -7,
        ratio: 0.1 + id as f64,
        half: 1.1,
        done: id % 2 == 0,
        name: format!("name \"{id}\" é\n"),
        tags: (0..id % 3).map(|tag| tag.to_string()).collect(),
        place: Place { x: -1, y: id as i32 },
    };
    (0..count).map(row).collect()
}

#[test]
fn structs() {
    there_and_back(&rows(0));
    there_and_back(&rows(1));
    there_and_back(&rows(700)); // more cells than fit into one batch
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Outer {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: u8, b: Option<u8> },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "kind")]
enum Inner {
    Unit,
    Struct { a: u8 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Tuple(u8, u8),
    Struct { a: u8 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    Struct { a: i64 },
}

#[test]
fn enums_in_all_representations() {
    there_and_back(&vec![
        Outer::Unit,
        Outer::Newtype(1),
        Outer::Tuple(1, "a".into()),
        Outer::Struct { a: 1, b: None },
        Outer::Struct { a: 2, b: Some(3) },
    ]);
    there_and_back(&vec![Inner::Unit, Inner::Struct { a: 1 }, Inner::Struct { a: 2 }]);
    there_and_back(&vec![
        Adjacent::Unit,
        Adjacent::Newtype(1),
        Adjacent::Tuple(1, 2),
        Adjacent::Struct { a: 1 },
    ]);
    there_and_back(&vec![
        Untagged::Number(1),
        Untagged::Text("a".into()),
        Untagged::Struct { a: -5 },
    ]);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

#[test]
fn flatten_maps_tuples_and_units() {
    let rest = BTreeMap::from([("more".to_owned(), "x".to_owned())]);
    there_and_back(&vec![Flat { id: 1, place: Place { x: 1, y: 2 }, rest }]);
    there_and_back(&BTreeMap::from([
        ("a".to_owned(), (1, 'x', true)),
        ("b".to_owned(), (2, 'y', false)),
    ]));
    there_and_back(&vec![Some(1), None]);
    there_and_back(&());
    there_and_back(&vec![Some(vec![BTreeMap::<String, u8>::new()])]);
}

#[test]
fn wide_numbers_keep_their_digits() -> Outcome {
    let wide = (i128::MIN, u128::MAX, i64::MIN, u64::MAX);
    for format in [Format::Json, Format::Pith] {
        let text = pith::to_string(&wide, format)?;
        assert!(text.contains("-170141183460469231731687303715884105728"), "{text}");
        assert_eq!(pith::from_str::<(i128, u128, i64, u64)>(&text, format)?, wide);
    }
    let digits = "[1.10,1e5,123456789012345678901234567890123456789012345,-0,0.1000]";
    let value: Value = pith::from_str(digits, Format::Json)?;
    assert_eq!(pith::to_string(&value, Format::Json)?, digits);
    let theirs: serde_json::Value = serde_json::from_str("[1.10,12345678901234567890123]")?;
    assert_eq!(pith::to_string(&theirs, Format::Json)?, "[1.10,12345678901234567890123]");
    let beyond = pith::from_str::<u8>("256", Format::Json).unwrap_err();
    assert_eq!(beyond.status(), Status::BadInput);
    assert_eq!(pith::from_str::<f32>("16777217.1", Format::Json)?, 16_777_217.1_f32);
    assert_eq!(pith::from_str::<f64>("-0", Format::Json)?.to_bits(), (-0.0_f64).to_bits());
    Ok(())
}

struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

struct TakesBytes;

impl serde::de::Visitor<'_> for TakesBytes {
    type Value = Bytes;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("bytes")
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_byte_buf(TakesBytes)
    }
}

#[test]
fn bytes_are_bytes_again() -> Outcome {
    for format in ANYTHING {
        for len in 0..9_u8 {
            let bytes = Bytes((0..len).map(|i| i.wrapping_mul(71)).collect());
            let text = pith::to_vec(&[bytes], format)?;
            let back: Vec<Bytes> = pith::from_slice(&text, format)?;
            assert_eq!(back[0].0.len(), usize::from(len), "{format}");
            assert!(back[0].0.iter().zip(0..).all(|(&b, i)| b == 71_u8.wrapping_mul(i)));
        }
    }
    assert_eq!(pith::to_string(&Bytes(vec![1, 2]), Format::Json)?, "\"b64:AQI=\"");
    assert!(pith::from_str::<Bytes>("\"b64:?\"", Format::Json).is_err());
    Ok(())
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Lent<'a> {
    id: u8,
    name: &'a str,
    #[serde(borrow)]
    more: Cow<'a, str>,
}

#[test]
fn texts_are_borrowed_from_the_input() -> Outcome {
    let text = "[1]{id,name,more}:\n  1,Ada,x\\ny";
    let text = text.replace("x\\ny", "\"x\\ny\"");
    let lent: Vec<Lent<'_>> = pith::from_str(&text, Format::Toon)?;
    assert!(text.as_bytes().as_ptr_range().contains(&lent[0].name.as_ptr()));
    assert_eq!(lent[0].more, "x\ny");
    let escaped = "{\"id\":1,\"name\":\"a\\nb\",\"more\":\"\"}";
    let error = pith::from_str::<Lent<'_>>(escaped, Format::Json).unwrap_err();
    assert_eq!((error.path().as_str(), error.code()), ("name", "type_mismatch"));
    Ok(())
}

#[test]
fn mistakes_have_places() {
    let text = "[\n {\"x\":1,\"y\":2},\n {\"x\":1,\"y\":\"é\"}\n]";
    let error = pith::from_str::<Vec<Place>>(text, Format::Json).unwrap_err();
    assert_eq!((error.line(), error.column(), error.path().as_str()), (3, 14, "[1].y"));
    assert_eq!(
        error.to_string(),
        "3:14: invalid type: string \"é\", expected i32, at [1].y [type_mismatch]"
    );
    let error = pith::from_str::<Place>("{\"x\":1}", Format::Json).unwrap_err();
    assert_eq!((error.code(), error.line()), ("missing_field", 0));
    let error = pith::from_str::<Place>("{\"x\":01}", Format::Json).unwrap_err();
    assert_eq!((error.code(), error.offset(), error.column()), ("invalid_number", 5, 6));
    let error = pith::from_str::<(u8, u8)>("[1,2,3]", Format::Json).unwrap_err();
    assert_eq!(error.code(), "type_mismatch");
    let boxed: Box<dyn std::error::Error + Send + Sync> = Box::new(error);
    assert!(boxed.source().is_none());
}

#[test]
fn keys_that_are_not_text_are_refused() -> Outcome {
    let error = pith::to_string(&BTreeMap::from([(1, 2)]), Format::Json).unwrap_err();
    assert_eq!((error.status(), error.code()), (Status::Unrepresentable, "key_not_text"));
    assert_eq!(pith::to_string(&BTreeMap::from([('a', 2)]), Format::Json)?, "{\"a\":2}");
    let twice = Value::Object(vec![("a".into(), Value::Null), ("a".into(), Value::Null)]);
    assert_eq!(pith::to_string(&twice, Format::Toon).unwrap_err().code(), "duplicate_key");
    Ok(())
}

#[test]
fn what_is_not_finite_is_refused_where_it_cannot_be() {
    let error = pith::to_string(&[f64::NAN], Format::Json).unwrap_err();
    assert_eq!(error.code(), "not_finite");
    assert_eq!(pith::to_string(&f32::INFINITY, Format::Toon).unwrap_err().code(), "not_finite");
}

#[derive(Serialize)]
struct Chain(Option<Box<Chain>>, u8);

#[test]
fn depth_has_a_limit_on_the_way_out_and_in() {
    let mut chain = Chain(None, 0);
    for _ in 0..100_000 {
        chain = Chain(Some(Box::new(chain)), 0);
    }
    let error = pith::to_string(&chain, Format::Json).unwrap_err();
    assert_eq!((error.status(), error.code()), (Status::Limit, "depth_limit"));
    let deepest = Settings::new(Format::Json).depth_max(usize::MAX);
    let error = pith::to_string(&chain, deepest.clone()).unwrap_err();
    assert_eq!(error.code(), "depth_limit");
    let mut rest = chain.0;
    while let Some(mut next) = rest {
        rest = next.0.take();
    }
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert_eq!(pith::from_str::<Value>(&deep, Format::Json).unwrap_err().code(), "depth_limit");
    assert_eq!(pith::from_str::<Value>(&deep, deepest.clone()).unwrap_err().code(), "depth_limit");
    let most = "[".repeat(pith::DEPTH_MOST) + &"]".repeat(pith::DEPTH_MOST);
    let value: Value = pith::from_str(&most, deepest.clone()).unwrap();
    assert_eq!(pith::to_string(&value, deepest).unwrap(), most);
}

/// Two types of one name, whose first fields are one name too.
mod twin {
    #[derive(serde::Serialize)]
    pub struct Place {
        pub x: u8,
        pub z: u8,
    }
}

#[test]
fn structs_of_one_name_are_not_mixed_up() -> Outcome {
    let mixed = (
        [Place { x: 1, y: 2 }, Place { x: 1, y: 2 }],
        [twin::Place { x: 3, z: 4 }, twin::Place { x: 3, z: 4 }],
        [Place { x: 5, y: 6 }],
    );
    let text = pith::to_string(&mixed, Format::Json)?;
    assert_eq!(text, serde_json::to_string(&mixed)?);
    Ok(())
}

#[test]
fn texts_longer_than_a_batch() {
    let long: Vec<String> = [0, 1, 40_000, 32 * 1024, 5, 32_767, 200_000]
        .iter()
        .map(|&len| "é".repeat(len / 2) + &"x".repeat(len % 2))
        .collect();
    there_and_back(&long);
}

#[test]
fn calls_inside_of_calls() -> Outcome {
    struct Nested(u8);
    impl Serialize for Nested {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(&pith::to_string(&[self.0], Format::Json).unwrap())
        }
    }
    assert_eq!(pith::to_string(&[Nested(1), Nested(2)], Format::Json)?, "[\"[1]\",\"[2]\"]");
    Ok(())
}

struct Fails(usize);

impl std::io::Write for Fails {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        assert!(self.0 > 0, "a writer that panics");
        Err(std::io::Error::new(std::io::ErrorKind::BrokenPipe, "gone"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn writers_that_fail_and_panic() {
    let error = pith::to_writer(Fails(1), &[1], Format::Json).unwrap_err();
    assert_eq!((error.status(), error.message()), (Status::Io, "gone"));
    assert_eq!(std::io::Error::from(error).kind(), std::io::ErrorKind::BrokenPipe);
    let panic = std::panic::catch_unwind(|| pith::to_writer(Fails(0), &[1], Format::Json));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"a writer that panics"));
    assert_eq!(pith::to_string(&[1], Format::Json).unwrap(), "[1]");
}

#[test]
fn notices_are_told() -> Outcome {
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let listener = told.clone();
    let settings = Settings::new(Format::Answer)
        .on_notice(move |notice| listener.lock().unwrap().push(notice.code().to_owned()));
    let value: Value = pith::from_str("Here you are: {'a': 1,}", settings)?;
    assert_eq!(value["a"], Value::from(1));
    assert!(!told.lock().unwrap().is_empty());
    Ok(())
}

#[test]
fn binary_is_no_text() {
    let error = pith::to_string(&[Place { x: 1, y: 2 }], Format::SochBin).unwrap_err();
    assert_eq!(error.code(), "binary_format");
}

#[test]
fn what_may_be_sent_and_shared() {
    fn both<T: Send + Sync>() {}
    both::<pith::Error>();
    both::<Settings>();
    both::<pith::Vocabulary>();
    both::<Value>();
}
