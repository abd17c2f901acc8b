//! Tables of Arrow through every format that holds tables, and back.
#![cfg(feature = "arrow")]

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use pith::Format;
use std::sync::Arc;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn batch() -> Result<RecordBatch, Box<dyn std::error::Error>> {
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(-3)]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["Ada", "a, \"b\"", ""]));
    let ratios: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 1e300, -0.25]));
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false, true]));
    Ok(RecordBatch::try_from_iter([
        ("id", ids),
        ("name", names),
        ("ratio", ratios),
        ("ok", flags),
    ])?)
}

#[test]
fn tables_come_back() -> Outcome {
    for format in
        [Format::Json, Format::Csv, Format::Toon, Format::Gcf, Format::SochBin, Format::Pith]
    {
        let batch = batch()?;
        let reader =
            RecordBatchIterator::new([Ok(batch.clone()), Ok(batch.slice(1, 2))], batch.schema());
        let text = pith::arrow::to_vec(reader, format)?;
        let back = pith::arrow::from_slice(&text, format)?;
        assert_eq!(back.schema().fields().len(), 4, "{format}");
        let read: Vec<RecordBatch> = back.collect::<Result<_, _>>()?;
        assert_eq!(read.iter().map(RecordBatch::num_rows).sum::<usize>(), 5, "{format}");
        for (name, column) in ["id", "name", "ratio", "ok"].iter().zip(batch.columns()) {
            let there = read[0].column_by_name(name).ok_or("no column")?.slice(0, 3);
            assert_eq!(there.to_data(), column.to_data(), "{format} {name}");
        }
    }
    Ok(())
}

#[test]
fn mistakes_are_told() {
    assert!(pith::arrow::from_str("[1", Format::Json).is_err());
    let names: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
    let batch = RecordBatch::try_from_iter([("name", names)]).unwrap();
    let schema = batch.schema();
    let broken = arrow_array::ffi_stream::ArrowArrayStreamReader::try_new(
        arrow_array::ffi_stream::FFI_ArrowArrayStream::empty(),
    );
    let Err(failure) = broken else { panic!("an empty stream is none") };
    let reader = RecordBatchIterator::new([Ok(batch), Err(failure)], schema);
    assert!(pith::arrow::to_string(reader, Format::Csv).is_err());
}
