//! `SochDB`'s tables.

use pith::settings::{Soch, SochTypes};
use pith::soch::{SochCodec, SochTable, SochType, SochValue};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn everything() -> SochTable {
    SochTable::new("all")
        .field("any", SochType::Any)
        .field("int", SochType::Int)
        .nullable_field("uint", SochType::UInt)
        .field("float", SochType::Float)
        .field("text", SochType::Text)
        .field("bool", SochType::Bool)
        .field("bytes", SochType::Bytes)
        .field("vec", SochType::Vec(2))
        .field("array", SochType::Array)
        .field("object", SochType::Object)
        .field("ref", SochType::Ref(String::new()))
        .row(vec![
            SochValue::Null,
            (-1).into(),
            u64::MAX.into(),
            0.5.into(),
            "a, \"b\"; {é}".into(),
            true.into(),
            vec![0_u8, 255].into(),
            vec![0.5, -1.0].into(),
            vec![SochValue::Int(1), SochValue::Array(vec![])].into(),
            SochValue::Object(vec![("k".into(), SochValue::Null)]),
            SochValue::Ref("users".into(), 42),
        ])
        .row(vec![
            "x".into(),
            i64::MIN.into(),
            None::<u64>.into(),
            f64::INFINITY.into(),
            "".into(),
            false.into(),
            Vec::<u8>::new().into(),
            vec![0.0, 1e300].into(),
            SochValue::Array(vec![]),
            SochValue::Object(vec![]),
            SochValue::Ref("users".into(), 0),
        ])
}

#[test]
fn all_types_are_read_back() -> Outcome {
    let table = everything();
    assert_eq!(SochCodec::parse_binary(&SochCodec::encode_binary(&table))?, table);
    let text = SochCodec::try_encode_text(&table, Soch::new().types(SochTypes::All))?;
    assert_eq!(SochCodec::parse_text(&text)?, table, "{text}");
    Ok(())
}

#[test]
fn rows_are_iterated() -> Outcome {
    let table = SochCodec::parse_text("users[2]{id:uint,name:text}:1,Alice;2,Bob")?;
    let names: Vec<_> = table.iter().filter_map(|row| row.get("name")?.as_str()).collect();
    assert_eq!(names, ["Alice", "Bob"]);
    for (row, id) in (&table).into_iter().zip(1..) {
        assert_eq!(row["id"], SochValue::UInt(id));
        assert_eq!(row["no such field"], SochValue::Null);
        assert_eq!(row.cells().len(), 2);
    }
    assert_eq!(table.fields()[0].kind, SochType::UInt);
    Ok(())
}

#[test]
fn what_does_not_fit_is_told() {
    let wide = SochTable::new("t").field("a", SochType::Int).row(vec![1.into(), 2.into()]);
    let error = SochCodec::try_encode_text(&wide, pith::Format::Soch).unwrap_err();
    assert_eq!(error.code(), "row_width_mismatch");
    let other = SochTable::new("t").field("a", SochType::Int).row(vec!["x".into()]);
    let error = SochCodec::try_encode_text(&other, pith::Format::Soch).unwrap_err();
    assert_eq!(error.code(), "type_mismatch");
    let null = SochTable::new("t").field("a", SochType::Int).row(vec![SochValue::Null]);
    let error = SochCodec::try_encode_binary(&null, pith::Format::SochBin).unwrap_err();
    assert_eq!(error.code(), "null_not_allowed");
    assert!(SochCodec::parse_text("users[2]{id}:1").is_err());
    assert!(SochCodec::parse_binary(b"TOON").is_err());
}

#[test]
fn a_table_without_rows_keeps_its_fields() -> Outcome {
    let table = SochTable::new("t").field("a", SochType::Any).field("b", SochType::Any);
    let text = SochCodec::encode_text(&table);
    assert_eq!(text, "t[0]{a,b}:");
    assert_eq!(SochCodec::parse_text(&text)?, table);
    Ok(())
}
