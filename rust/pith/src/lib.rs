//! Structured data as the text that costs a language model the fewest tokens, and back without
//! loss: TOON, GCF, `SochDB`'s tables, CSV, JSON and Pith's own notation, with serde.
//!
//! ```
//! use pith::Format;
//!
//! #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
//! struct Reading {
//!     time: String,
//!     degrees: f64,
//! }
//!
//! let readings = vec![Reading { time: "06:00".into(), degrees: -3.5 }];
//! let text = pith::to_string(&readings, Format::Toon)?;
//! assert_eq!(text, "[1]{time,degrees}:\n  \"06:00\",-3.5");
//! assert_eq!(pith::from_str::<Vec<Reading>>(&text, Format::Toon)?, readings);
//! assert!(pith::count(&text)? < 20);
//! # Ok::<(), pith::Error>(())
//! ```
//!
//! The library in C is compiled into the program, from its sources, by the crate `libpith-sys`.

#[cfg(feature = "arrow")]
pub mod arrow;
mod de;
mod document;
mod error;
mod frames;
pub mod gcf;
mod options;
mod rows;
mod ser;
pub mod settings;
mod sink;
pub mod soch;
mod tokens;
mod value;

pub use de::{from_reader, from_slice, from_str};
pub use document::{
    answer, check, convert, convert_slice, Answer, AnswerReader, Children, Document, Kind, Node,
};
pub use error::{Error, Result, Status};
pub use frames::{compress, decompress, Packing};
pub use options::Settings;
pub use rows::{pack, Part, Parts, RowReader, RowWriter};
pub use ser::{to_string, to_vec, to_writer};
pub use settings::Format;
pub use tokens::{compare, count, fit, Cost, Fitted, Vocabulary};
pub use value::{Number, Value};

/// How deep values may nest in what serde reads and writes, whatever the settings say: it
/// recurses on the stack.
pub const DEPTH_MOST: usize = 512;

/// The version of the library, such as `"0.2.0"`.
#[must_use]
pub fn version() -> &'static str {
    // SAFETY: the library returns a static text.
    unsafe { core::ffi::CStr::from_ptr(pith_sys::pith_version()) }.to_str().unwrap_or_default()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
