//! Rows one by one, parts, documents, problems and answers.

use pith::{Document, Format, Kind, RowReader, RowWriter, Settings, Status, Value};
use serde::{Deserialize, Serialize};
use std::io::Read;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Row {
    id: u32,
    name: String,
}

fn rows(count: u32) -> Vec<Row> {
    (0..count).map(|id| Row { id, name: format!("row, {id}") }).collect()
}

const TABLES: [Format; 9] = [
    Format::Json,
    Format::Ndjson,
    Format::Csv,
    Format::Tsv,
    Format::Toon,
    Format::Gcf,
    Format::Gcf1,
    Format::Soch,
    Format::Pith,
];

/// Hands out a few bytes at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let len = self.0.len().min(to.len()).min(7);
        to[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

#[test]
fn rows_leave_and_arrive_one_by_one() -> Outcome {
    for format in TABLES {
        for count in [1, 2, 1000] {
            let rows = rows(count);
            let mut writer = RowWriter::with_columns(Vec::new(), &["id", "name"], format)?;
            for row in &rows {
                writer.write(row)?;
            }
            writer.flush()?;
            let text = writer.finish()?;
            let back: Result<Vec<Row>, _> = RowReader::new(Slow(&text), format)?.collect();
            assert_eq!(back?, rows, "{format}");
        }
    }
    Ok(())
}

#[test]
fn a_writer_without_columns_takes_any_values() -> Outcome {
    let mut writer = RowWriter::new(Vec::new(), Format::Ndjson)?;
    writer.write(&1)?;
    writer.write(&("a", None::<u8>))?;
    assert_eq!(writer.finish()?, b"1\n[\"a\",null]\n");
    Ok(())
}

#[test]
fn a_writer_that_is_dropped_writes_no_end() -> Outcome {
    let mut out = Vec::new();
    let mut writer = RowWriter::with_columns(&mut out, &["id", "name"], Format::Json)?;
    writer.write(&rows(1)[0])?;
    drop(writer);
    assert!(!out.ends_with(b"]"));
    let mut writer = RowWriter::with_columns(Vec::new(), &["id"], Format::Csv)?;
    let error = writer.write(&rows(1)[0]).unwrap_err();
    assert_eq!(error.code(), "unknown_column");
    assert!(writer.finish().is_err());
    Ok(())
}

#[derive(Debug)]
struct Broken;

impl std::io::Write for Broken {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("broken"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("broken"))
    }
}

#[test]
fn devices_that_fail() -> Outcome {
    let mut writer = RowWriter::new(Broken, Format::Ndjson)?;
    writer.write(&1)?;
    let error = writer.finish().unwrap_err();
    assert_eq!((error.status(), error.message()), (Status::Io, "broken"));
    let mut reader = RowReader::<_, Row>::new(Broken, Format::Csv)?;
    assert_eq!(reader.next().unwrap().unwrap_err().message(), "broken");
    assert!(reader.next().is_none());
    Ok(())
}

#[test]
fn rows_before_a_mistake_are_handed_out() -> Outcome {
    let text = "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":7}\n{\"id\":3,\"name\":\"c\"}\n";
    let mut reader = RowReader::<_, Row>::new(text.as_bytes(), Format::Ndjson)?;
    assert_eq!(reader.next().unwrap()?.id, 1);
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!((error.path().as_str(), error.code()), ("name", "type_mismatch"));
    assert!(reader.next().is_none());
    let mut reader =
        RowReader::<_, Row>::new("{\"id\":1,\"name\":\"a\"}\n{".as_bytes(), Format::Ndjson)?;
    assert_eq!(reader.next().unwrap()?.id, 1);
    assert_eq!(reader.next().unwrap().unwrap_err().line(), 2);
    Ok(())
}

#[test]
fn a_part_of_the_rows() -> Outcome {
    let text = "id,name\n1,a\n2,b\n3,c\n";
    let settings = Settings::new(Format::Csv).rows("1:2");
    let some: Result<Vec<Row>, _> = RowReader::new(text.as_bytes(), settings)?.collect();
    assert_eq!(some?, [Row { id: 2, name: "b".into() }]);
    let error = RowReader::<_, Row>::new(text.as_bytes(), Settings::new(Format::Csv).rows("x"));
    assert_eq!(error.err().map(|error| error.status()), Some(Status::BadUse));
    Ok(())
}

#[test]
fn parts_of_rows() -> Outcome {
    let all = rows(500);
    let mut back = Vec::new();
    for part in pith::pack(&all, 300, Format::Toon)? {
        let part = part?;
        assert!(part.tokens <= 300 && !part.too_long && part.format == Format::Toon);
        assert_eq!(part.first_row, back.len() as u64);
        assert_eq!(pith::count(&part.text)?, part.tokens);
        back.extend(pith::from_str::<Vec<Row>>(&part.text, Format::Toon)?);
    }
    assert_eq!(back, all);
    let nested = [Value::from(vec![1]), Value::Null];
    let mut wrong = pith::pack(nested, 300, Format::Csv)?;
    assert_eq!(wrong.next().unwrap().unwrap_err().status(), Status::Unrepresentable);
    assert!(wrong.next().is_none());
    assert!(pith::pack(&all, 300, Settings::new(Format::Csv).budget(7)).is_err());
    assert!(pith::pack(&rows(1), 1, Format::Csv)?.next().unwrap()?.too_long);
    assert!(pith::pack(&rows(0), 1, Format::Csv)?.next().is_none());
    Ok(())
}

#[test]
fn documents_are_walked() -> Outcome {
    let text = String::from("{\"a\":[1,-2.50,\"x\",null,true,18446744073709551615],\"b\":{}}");
    let document = Document::parse(&text, Format::Json)?;
    let root = document.root();
    assert_eq!((root.kind(), root.len()), (Kind::Object, 2));
    let keys: Vec<_> = root.iter().map(|member| member.key()).collect();
    assert_eq!(keys, ["a", "b"]);
    let a = root.get("a").unwrap();
    let kinds: Vec<_> = a.into_iter().map(|element| element.kind()).collect();
    assert_eq!(
        kinds,
        [Kind::Integer, Kind::Decimal, Kind::String, Kind::Null, Kind::Bool, Kind::Integer]
    );
    assert_eq!(a.at(0).unwrap().as_i64(), Some(1));
    assert_eq!(a.at(1).unwrap().digits(), Some("-2.50"));
    assert_eq!(a.at(1).unwrap().as_f64(), Some(-2.5));
    assert_eq!(a.at(2).unwrap().as_str(), Some("x"));
    assert_eq!(a.at(4).unwrap().as_bool(), Some(true));
    assert_eq!(a.at(5).unwrap().as_u64(), Some(u64::MAX));
    assert!(a.at(5).unwrap().as_i64().is_none() && a.at(6).is_none() && root.get("c").is_none());
    assert!(root.get("b").unwrap().is_empty());
    assert_eq!(Document::of(&root.to::<Value>()?)?.root(), root);
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| assert_eq!(document.root().write(Format::Json).unwrap(), text));
        }
    });
    Ok(())
}

#[test]
fn problems_are_all_told() -> Outcome {
    assert!(pith::check("[1]", Format::Json)?.is_empty());
    let codes: Vec<_> = pith::check("{\"a\":01,\"a\":}", Format::Json)?
        .iter()
        .map(|problem| problem.code().to_owned())
        .collect();
    assert_eq!(codes[0], "invalid_number");
    assert!(codes.contains(&"duplicate_key".to_owned()), "{codes:?}");
    Ok(())
}

#[test]
fn conversions() -> Outcome {
    let text = "[1]{id,name}:\n  1,Ada";
    assert_eq!(pith::convert(text, Format::Auto, Format::Json)?, "[{\"id\":1,\"name\":\"Ada\"}]");
    let binary = pith::convert_slice(text.as_bytes(), Format::Toon, Format::SochBin)?;
    assert_eq!(pith::convert_slice(&binary, Format::SochBin, Format::Toon)?, text.as_bytes());
    assert_eq!(
        pith::convert(text, Format::Toon, Format::SochBin).unwrap_err().code(),
        "binary_format"
    );
    let lean = pith::settings::Json::new().indent(1).settings().final_newline(true);
    assert_eq!(pith::convert("[1]", Format::Json, lean)?, "[\n 1\n]\n");
    Ok(())
}

#[test]
fn answers() -> Outcome {
    let text = "The rows:\n[{\"id\": 1, \"name\": 'Ada'},]";
    let answer: pith::Answer<Vec<Row>> = pith::answer(text, Format::Answer)?;
    assert_eq!(answer.value, [Row { id: 1, name: "Ada".into() }]);
    assert!(answer.mends.len() >= 2 && answer.mends.iter().all(|mend| mend.line() == 2));
    let none = pith::settings::Answer::new().mend(pith::settings::AnswerMend::None);
    assert!(pith::answer::<Value>(text, none).is_err());
    assert_eq!(
        pith::answer::<Value>("I do not know.", Format::Answer).unwrap_err().code(),
        "no_data"
    );
    Ok(())
}

#[test]
fn what_may_be_sent_and_shared() {
    fn send<T: Send>() {}
    fn share<T: Sync>() {}
    send::<Document<'_>>();
    share::<Document<'_>>();
    send::<pith::Node<'_>>();
    share::<pith::Node<'_>>();
    send::<RowWriter<Vec<u8>>>();
    send::<RowReader<&[u8], Row>>();
    send::<pith::Parts<std::vec::IntoIter<Row>>>();
    send::<pith::AnswerReader>();
}

#[test]
fn frames() -> Outcome {
    for packing in [pith::Packing::Zstd, pith::Packing::Lz4, pith::Packing::Gzip] {
        match pith::compress(b"a text", packing) {
            Ok(frame) => {
                assert_eq!(pith::Packing::of(&frame), Some(packing));
                assert_eq!(pith::decompress(&frame, 6)?, b"a text");
                let cut = pith::decompress(&frame[..frame.len() - 2], 6).unwrap_err();
                assert_eq!(cut.code(), "invalid_compression");
            }
            Err(error) => assert_eq!(error.code(), "not_built_in"),
        }
    }
    assert_eq!(pith::Packing::of(b"a text"), None);
    assert!(pith::decompress(b"a text", 6).is_err());
    Ok(())
}
