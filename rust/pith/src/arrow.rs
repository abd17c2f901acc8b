//! Tables of Arrow, in and out, by its C stream interface; with the feature `arrow`.
//!
//! ```
//! use arrow_array::{ArrayRef, Int32Array, RecordBatch, RecordBatchIterator};
//! use pith::Format;
//! use std::sync::Arc;
//!
//! let ids: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
//! let batch = RecordBatch::try_from_iter([("id", ids)])?;
//! let schema = batch.schema();
//! let batches = RecordBatchIterator::new([Ok(batch)], schema);
//! let text = pith::arrow::to_string(batches, Format::Toon)?;
//! assert_eq!(text, "[2]{id}:\n  1\n  2");
//!
//! for batch in pith::arrow::from_str(&text, Format::Toon)? {
//!     assert_eq!(batch?.num_rows(), 2);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::error::{Error, Result, Status};
use crate::options::Settings;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::RecordBatchReader;
use pith_sys as sys;
use std::ptr;

/// A table as text.
///
/// # Errors
///
/// When the format cannot hold the table, a batch is an error, or the format is bytes.
pub fn to_string<R>(batches: R, how: impl Into<Settings>) -> Result<String>
where
    R: RecordBatchReader + Send + 'static,
{
    crate::sink::text_of(to_vec(batches, how)?)
}

/// A table as bytes.
///
/// # Errors
///
/// As [`to_string`].
pub fn to_vec<R>(batches: R, how: impl Into<Settings>) -> Result<Vec<u8>>
where
    R: RecordBatchReader + Send + 'static,
{
    let settings = how.into();
    let mut options = settings.for_call();
    let raw = options.raw();
    let mut stream = FFI_ArrowArrayStream::new(Box::new(batches));
    // SAFETY: both are the struct of the C stream interface; the call releases it, which it notes
    // in the struct, so that it is not released again.
    crate::sink::collect(|sink, err| unsafe {
        let stream = ptr::from_mut(&mut stream).cast();
        sys::pith_arrow_write(stream, settings.write_name(), &raw, sink, err)
    })
}

/// The table of a text, as batches. Types are those of the table, where it has some, else those
/// that hold all cells.
///
/// # Errors
///
/// When the text is not what its format allows, or no table.
pub fn from_str(text: &str, how: impl Into<Settings>) -> Result<ArrowArrayStreamReader> {
    from_slice(text.as_bytes(), how)
}

/// The table of bytes, as batches.
///
/// # Errors
///
/// As [`from_str`].
pub fn from_slice(text: &[u8], how: impl Into<Settings>) -> Result<ArrowArrayStreamReader> {
    let settings = how.into().without_listener();
    let mut options = settings.for_call();
    let raw = options.raw();
    let mut stream = FFI_ArrowArrayStream::empty();
    let mut err = sys::pith_error::default();
    // SAFETY: as above; the stream keeps nothing of the text or the options.
    let status = unsafe {
        let (at, len, out) = (text.as_ptr().cast(), text.len(), ptr::from_mut(&mut stream).cast());
        sys::pith_arrow_read(settings.read_name(), at, len, ptr::null(), &raw, out, &mut err)
    };
    crate::sink::verdict(status, &err)?;
    ArrowArrayStreamReader::try_new(stream)
        .map_err(|error| Error::new(Status::BadInput, "arrow", error.to_string()))
}
