//! `SochDB`'s tables, under the names of its page.
//!
//! ```
//! # use pith::soch as sochdb_core;
//! # fn read_file(_: &str) -> pith::Result<Vec<u8>> {
//! #     Ok(SochCodec::encode_binary(&SochCodec::parse_text("users[1]{id}:1")?))
//! # }
//! use sochdb_core::SochCodec;
//!
//! // Parse text TOON
//! let text = r#"users[2]{id,name}:1,Alice;2,Bob"#;
//! let table = SochCodec::parse_text(text)?;
//! # assert_eq!((table.name(), table.len()), ("users", 2));
//! # assert_eq!(table.rows()[1].get("name").and_then(|name| name.as_str()), Some("Bob"));
//!
//! // Parse binary TOON
//! let binary = read_file("data.toon")?;
//! let table = SochCodec::parse_binary(&binary)?;
//! # assert_eq!(table.name(), "users");
//! # Ok::<(), pith::Error>(())
//! ```
//!
//! ```
//! # use pith::soch as sochdb_core;
//! # use sochdb_core::SochType;
//! use sochdb_core::{SochTable, SochCodec};
//!
//! let table = SochTable::new("users")
//!     .field("id", SochType::UInt)
//!     .field("name", SochType::Text)
//!     .row(vec![1.into(), "Alice".into()])
//!     .row(vec![2.into(), "Bob".into()]);
//!
//! // To text
//! let text = SochCodec::encode_text(&table);
//! // "users[2]{id,name}:1,Alice;2,Bob"
//! # assert_eq!(text, "users[2]{id,name}:1,Alice;2,Bob");
//!
//! // To binary
//! let binary = SochCodec::encode_binary(&table);
//! # assert_eq!(SochCodec::parse_binary(&binary)?, table);
//! # Ok::<(), pith::Error>(())
//! ```
//!
//! A header names the types only where it has to, so that a text costs few tokens. With
//! [`SochTypes::All`](crate::settings::SochTypes) it names all of them, and they are read back:
//!
//! ```
//! use pith::settings::{Soch, SochTypes};
//! use pith::soch::{SochCodec, SochTable, SochType};
//!
//! let table = SochTable::new("users").field("id", SochType::UInt).row(vec![7.into()]);
//! let text = SochCodec::try_encode_text(&table, Soch::new().types(SochTypes::All))?;
//! assert_eq!(text, "users[1]{id:uint}:7");
//! assert_eq!(SochCodec::parse_text(&text)?, table);
//! # Ok::<(), pith::Error>(())
//! ```

use crate::de::RawDoc;
use crate::error::{Error, Result, Status};
use crate::options::Settings;
use crate::settings::Format;
use crate::value::Number;
use core::fmt;
use pith_sys as sys;
use std::ptr;

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SochType {
    /// Anything, null too.
    Any,
    /// A whole number that an `i64` holds.
    Int,
    /// A whole number that a `u64` holds.
    UInt,
    /// A double, NaN and the infinities too.
    Float,
    /// A text.
    Text,
    /// True or false.
    Bool,
    /// Bytes.
    Bytes,
    /// So many doubles.
    Vec(u32),
    /// An array.
    Array,
    /// An object.
    Object,
    /// A row of that table, by its number; of any table when the name is empty.
    Ref(String),
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SochValue {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number of a field of [`SochType::UInt`], or one that an `i64` does not hold.
    UInt(u64),
    /// A double.
    Float(f64),
    /// A number that 64 bits do not hold.
    Number(Number),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Doubles, as many as the field says.
    Vector(Vec<f64>),
    /// Values in order.
    Array(Vec<SochValue>),
    /// Members in order.
    Object(Vec<(String, SochValue)>),
    /// A row of a table, by its number.
    Ref(String, u64),
}

impl SochValue {
    /// The text, when this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, when this is one that fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::UInt(number) => i64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// The whole number, when this is one that fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Int(number) => u64::try_from(*number).ok(),
            Self::UInt(number) => Some(*number),
            _ => None,
        }
    }

    /// The double, when this is one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }
}

macro_rules! from_values {
    ($($type:ty => $variant:ident $as:ty;)*) => {$(
        impl From<$type> for SochValue {
            fn from(value: $type) -> Self {
                Self::$variant(<$as>::from(value))
            }
        }
    )*};
}

from_values! {
    i8 => Int i64;
    i16 => Int i64;
    i32 => Int i64;
    i64 => Int i64;
    u8 => UInt u64;
    u16 => UInt u64;
    u32 => UInt u64;
    u64 => UInt u64;
    f32 => Float f64;
    f64 => Float f64;
    bool => Bool bool;
    &str => Text String;
    String => Text String;
    Vec<u8> => Bytes Vec<u8>;
    Vec<f64> => Vector Vec<f64>;
    Vec<SochValue> => Array Vec<SochValue>;
}

impl<T: Into<SochValue>> From<Option<T>> for SochValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SochField {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: SochType,
    /// Whether it also holds null; [`SochType::Any`] always does.
    pub nullable: bool,
}

/// A table: its name, its fields, its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SochTable {
    name: String,
    fields: Vec<SochField>,
    rows: Vec<Vec<SochValue>>,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub struct SochRow<'a> {
    table: &'a SochTable,
    cells: &'a [SochValue],
}

impl<'a> SochRow<'a> {
    /// The cell of that field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&'a SochValue> {
        let at = self.table.fields.iter().position(|known| known.name == field)?;
        self.cells.get(at)
    }

    /// The cells, in the order of the fields.
    #[must_use]
    pub fn cells(&self) -> &'a [SochValue] {
        self.cells
    }
}

impl std::ops::Index<&str> for SochRow<'_> {
    type Output = SochValue;

    /// The cell of that field, or null.
    fn index(&self, field: &str) -> &SochValue {
        self.get(field).unwrap_or(&SochValue::Null)
    }
}

impl fmt::Debug for SochRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.table.fields.iter().map(|field| &field.name);
        f.debug_map().entries(names.zip(self.cells)).finish()
    }
}

impl SochTable {
    /// A table without fields or rows.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), fields: Vec::new(), rows: Vec::new() }
    }

    /// With one more field.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, kind: SochType) -> Self {
        let nullable = kind == SochType::Any;
        self.fields.push(SochField { name: name.into(), kind, nullable });
        self
    }

    /// With one more field, which may be null.
    #[must_use]
    pub fn nullable_field(mut self, name: impl Into<String>, kind: SochType) -> Self {
        self.fields.push(SochField { name: name.into(), kind, nullable: true });
        self
    }

    /// With one more row: a cell for each field. What does not fit is told when the table is
    /// encoded.
    #[must_use]
    pub fn row(mut self, cells: Vec<SochValue>) -> Self {
        self.push(cells);
        self
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<SochValue>) {
        let number = |(cell, field): (SochValue, &SochField)| match (cell, &field.kind) {
            // A literal is an i32, whatever the field.
            (SochValue::Int(number), SochType::UInt) if number >= 0 => {
                SochValue::UInt(number.unsigned_abs())
            }
            (cell, _) => cell,
        };
        if cells.len() == self.fields.len() {
            self.rows.push(cells.into_iter().zip(&self.fields).map(number).collect());
        } else {
            self.rows.push(cells);
        }
    }

    /// Its name; `_` when the text has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its fields.
    #[must_use]
    pub fn fields(&self) -> &[SochField] {
        &self.fields
    }

    /// Its rows.
    #[must_use]
    pub fn rows(&self) -> Vec<SochRow<'_>> {
        self.iter().collect()
    }

    /// Its rows, one by one.
    #[must_use]
    pub fn iter(&self) -> Rows<'_> {
        Rows { table: self, rows: self.rows.iter() }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// The rows of a table, one by one.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    table: &'a SochTable,
    rows: std::slice::Iter<'a, Vec<SochValue>>,
}

impl<'a> Iterator for Rows<'a> {
    type Item = SochRow<'a>;

    fn next(&mut self) -> Option<SochRow<'a>> {
        self.rows.next().map(|cells| SochRow { table: self.table, cells })
    }
}

impl<'a> IntoIterator for &'a SochTable {
    type Item = SochRow<'a>;
    type IntoIter = Rows<'a>;

    fn into_iter(self) -> Rows<'a> {
        self.iter()
    }
}

/// Tables to text and bytes, and back.
#[derive(Clone, Copy, Debug)]
pub struct SochCodec;

impl SochCodec {
    /// The table that a text is.
    ///
    /// # Errors
    ///
    /// When the text is not one table.
    pub fn parse_text(text: &str) -> Result<SochTable> {
        one(Self::parse_tables(text.as_bytes(), Format::Soch)?)
    }

    /// The table that bytes are.
    ///
    /// # Errors
    ///
    /// When the bytes are not one table.
    pub fn parse_binary(binary: &[u8]) -> Result<SochTable> {
        one(Self::parse_tables(binary, Format::SochBin)?)
    }

    /// All tables of a text, or of bytes.
    ///
    /// # Errors
    ///
    /// When there is something else.
    pub fn parse_tables(data: &[u8], how: impl Into<Settings>) -> Result<Vec<SochTable>> {
        let mut doc = RawDoc::new()?;
        doc.read(data, &how.into())?;
        // SAFETY: the document is read, and outlives the tables.
        unsafe {
            let count = sys::pith_doc_table_count(doc.0);
            (0..count).map(|index| table_at(&doc, index)).collect()
        }
    }

    /// The text of a table: `users[2]{id,name}:1,Alice;2,Bob`.
    ///
    /// # Panics
    ///
    /// When a row has not a cell for each field, or one that its field does not hold;
    /// [`try_encode_text`](Self::try_encode_text) returns an error instead.
    #[must_use]
    pub fn encode_text(table: &SochTable) -> String {
        match Self::try_encode_text(table, Format::Soch) {
            Ok(text) => text,
            Err(error) => panic!("{error}"),
        }
    }

    /// The bytes of a table.
    ///
    /// # Panics
    ///
    /// As [`encode_text`](Self::encode_text); see [`try_encode_binary`](Self::try_encode_binary).
    #[must_use]
    pub fn encode_binary(table: &SochTable) -> Vec<u8> {
        match Self::try_encode_binary(table, Format::SochBin) {
            Ok(bytes) => bytes,
            Err(error) => panic!("{error}"),
        }
    }

    /// The text of a table, with the settings of [`Soch`](crate::settings::Soch).
    ///
    /// # Errors
    ///
    /// When a row has not a cell for each field, or one that its field does not hold.
    pub fn try_encode_text(table: &SochTable, how: impl Into<Settings>) -> Result<String> {
        crate::sink::text_of(encode(table, &how.into())?)
    }

    /// The bytes of a table, with the settings of [`SochBin`](crate::settings::SochBin).
    ///
    /// # Errors
    ///
    /// When a row has not a cell for each field, or one that its field does not hold.
    pub fn try_encode_binary(table: &SochTable, how: impl Into<Settings>) -> Result<Vec<u8>> {
        encode(table, &how.into())
    }
}

fn one(mut tables: Vec<SochTable>) -> Result<SochTable> {
    if let (1, Some(table)) = (tables.len(), tables.pop()) {
        return Ok(table);
    }
    let message = "expected one table; parse_tables reads several";
    Err(Error::new(Status::BadInput, "not_a_table", message))
}

// ------------------------------------------------------------------------------ reading

/// # Safety
///
/// The text must be one of the library.
unsafe fn text_of(text: sys::pith_text) -> String {
    if text.len == 0 {
        return String::new();
    }
    // SAFETY: as the caller says.
    let bytes = unsafe { core::slice::from_raw_parts(text.ptr.cast(), text.len) };
    String::from_utf8_lossy(bytes).into_owned()
}

fn kind_of(field: &sys::pith_field) -> SochType {
    match field.type_ {
        sys::PITH_TYPE_INT => SochType::Int,
        sys::PITH_TYPE_UINT => SochType::UInt,
        sys::PITH_TYPE_FLOAT => SochType::Float,
        sys::PITH_TYPE_TEXT => SochType::Text,
        sys::PITH_TYPE_BOOL => SochType::Bool,
        sys::PITH_TYPE_BYTES => SochType::Bytes,
        sys::PITH_TYPE_VEC => SochType::Vec(field.size),
        sys::PITH_TYPE_ARRAY => SochType::Array,
        sys::PITH_TYPE_OBJECT => SochType::Object,
        // SAFETY: the field is one of the library.
        sys::PITH_TYPE_REF => SochType::Ref(unsafe { text_of(field.target) }),
        _ => SochType::Any,
    }
}

/// # Safety
///
/// There must be a table of that index.
unsafe fn table_at(doc: &RawDoc, index: usize) -> Result<SochTable> {
    // SAFETY: zero bytes are a table, which the library fills in.
    let mut raw: sys::pith_table = unsafe { core::mem::zeroed() };
    // SAFETY: as the caller says.
    unsafe { sys::pith_doc_table(doc.0, index, &mut raw) };
    let known: &[sys::pith_field] = if raw.field_count == 0 {
        &[]
    } else {
        // SAFETY: there are so many fields.
        unsafe { core::slice::from_raw_parts(raw.fields, raw.field_count) }
    };
    // SAFETY: texts of the document.
    let mut table = SochTable::new(unsafe { text_of(raw.name) });
    for field in known {
        table.fields.push(SochField {
            name: unsafe { text_of(field.name) },
            kind: kind_of(field),
            nullable: field.nullable,
        });
    }
    for row in 0..raw.row_count {
        let mut cells = Vec::with_capacity(known.len());
        for (column, field) in known.iter().enumerate() {
            // SAFETY: the table is one of the document, and so is the cell.
            let cell = unsafe { cell_of(sys::pith_table_cell(&mut raw, row, column)) }?;
            cells.push(match cell {
                SochValue::Int(number) if field.type_ == sys::PITH_TYPE_UINT => {
                    SochValue::UInt(number.unsigned_abs())
                }
                cell => cell,
            });
        }
        table.rows.push(cells);
    }
    Ok(table)
}

unsafe fn number_of(value: sys::pith_value) -> Result<SochValue> {
    let (mut integer, mut natural, mut number) = (0, 0, 0.0);
    // SAFETY: the value is one of a document.
    unsafe {
        if sys::pith_value_int64(value, &mut integer) {
            return Ok(SochValue::Int(integer));
        }
        if sys::pith_value_uint64(value, &mut natural) {
            return Ok(SochValue::UInt(natural));
        }
        if sys::pith_value_type(value) == sys::PITH_TYPE_FLOAT {
            sys::pith_value_double(value, &mut number);
            return Ok(SochValue::Float(number));
        }
        Ok(SochValue::Number(Number::new(&text_of(sys::pith_value_text(value)))?))
    }
}

/// # Safety
///
/// The value must be one of a document.
unsafe fn cell_of(value: sys::pith_value) -> Result<SochValue> {
    // SAFETY: as the caller says.
    unsafe {
        match sys::pith_value_type(value) {
            sys::PITH_TYPE_BYTES => {
                let mut bytes = vec![0; sys::pith_value_bytes(value, ptr::null_mut(), 0)];
                sys::pith_value_bytes(value, bytes.as_mut_ptr().cast(), bytes.len());
                return Ok(SochValue::Bytes(bytes));
            }
            sys::PITH_TYPE_VEC => {
                let mut numbers = vec![0.0; sys::pith_value_vector(value, ptr::null_mut(), 0)];
                sys::pith_value_vector(value, numbers.as_mut_ptr(), numbers.len());
                return Ok(SochValue::Vector(numbers));
            }
            sys::PITH_TYPE_REF => {
                let (mut table, mut id) = (sys::pith_text { ptr: ptr::null(), len: 0 }, 0);
                sys::pith_value_ref(value, &mut table, &mut id);
                return Ok(SochValue::Ref(text_of(table), id));
            }
            _ => {}
        }
        Ok(match sys::pith_value_kind(value) {
            sys::PITH_FALSE => SochValue::Bool(false),
            sys::PITH_TRUE => SochValue::Bool(true),
            sys::PITH_INTEGER | sys::PITH_DECIMAL => number_of(value)?,
            sys::PITH_STRING if sys::pith_value_type(value) == sys::PITH_TYPE_FLOAT => {
                let mut number = f64::NAN;
                sys::pith_value_double(value, &mut number);
                SochValue::Float(number)
            }
            sys::PITH_STRING => SochValue::Text(text_of(sys::pith_value_text(value))),
            kind @ (sys::PITH_ARRAY | sys::PITH_OBJECT) => {
                let (mut elements, mut members) = (Vec::new(), Vec::new());
                let mut child = sys::pith_value_first(value);
                while !child.doc.is_null() {
                    if kind == sys::PITH_ARRAY {
                        elements.push(cell_of(child)?);
                    } else {
                        members.push((text_of(sys::pith_value_key(child)), cell_of(child)?));
                    }
                    child = sys::pith_value_next(child);
                }
                if kind == sys::PITH_ARRAY {
                    SochValue::Array(elements)
                } else {
                    SochValue::Object(members)
                }
            }
            _ => SochValue::Null,
        })
    }
}

// ------------------------------------------------------------------------------ writing

fn raw_text(text: &str) -> sys::pith_text {
    sys::pith_text { ptr: text.as_ptr().cast(), len: text.len() }
}

fn raw_field(field: &SochField) -> sys::pith_field {
    let (type_, size, target) = match &field.kind {
        SochType::Any => (sys::PITH_TYPE_ANY, 0, ""),
        SochType::Int => (sys::PITH_TYPE_INT, 0, ""),
        SochType::UInt => (sys::PITH_TYPE_UINT, 0, ""),
        SochType::Float => (sys::PITH_TYPE_FLOAT, 0, ""),
        SochType::Text => (sys::PITH_TYPE_TEXT, 0, ""),
        SochType::Bool => (sys::PITH_TYPE_BOOL, 0, ""),
        SochType::Bytes => (sys::PITH_TYPE_BYTES, 0, ""),
        SochType::Vec(size) => (sys::PITH_TYPE_VEC, *size, ""),
        SochType::Array => (sys::PITH_TYPE_ARRAY, 0, ""),
        SochType::Object => (sys::PITH_TYPE_OBJECT, 0, ""),
        SochType::Ref(target) => (sys::PITH_TYPE_REF, 0, target.as_str()),
    };
    sys::pith_field {
        name: raw_text(&field.name),
        type_,
        nullable: field.nullable,
        size,
        target: raw_text(target),
        reserved: [0; 2],
    }
}

/// # Safety
///
/// The document must take a value.
unsafe fn add(doc: *mut sys::pith_doc, value: &SochValue, depth: usize) -> Result<()> {
    if depth > crate::DEPTH_MOST {
        let message = format!("the value nests deeper than {}", crate::DEPTH_MOST);
        return Err(Error::new(Status::Limit, "depth_limit", message));
    }
    // SAFETY: what is handed over is copied; a call that is out of order is told at the end.
    unsafe {
        match value {
            SochValue::Null => sys::pith_doc_add_null(doc),
            SochValue::Bool(truth) => sys::pith_doc_add_bool(doc, *truth),
            SochValue::Int(number) => sys::pith_doc_add_int64(doc, *number),
            SochValue::UInt(number) => sys::pith_doc_add_uint64(doc, *number),
            SochValue::Float(number) => sys::pith_doc_add_double(doc, *number),
            SochValue::Number(number) => {
                let digits = number.digits();
                sys::pith_doc_add_number(doc, digits.as_ptr().cast(), digits.len());
            }
            SochValue::Text(text) => {
                sys::pith_doc_add_text(doc, text.as_ptr().cast(), text.len());
            }
            SochValue::Bytes(bytes) => {
                sys::pith_doc_add_bytes(doc, bytes.as_ptr().cast(), bytes.len());
            }
            SochValue::Vector(numbers) => {
                sys::pith_doc_add_vector(doc, numbers.as_ptr(), numbers.len());
            }
            SochValue::Ref(table, id) => sys::pith_doc_add_ref(doc, raw_text(table), *id),
            SochValue::Array(elements) => {
                sys::pith_doc_open_array(doc);
                for element in elements {
                    add(doc, element, depth + 1)?;
                }
                sys::pith_doc_close(doc);
            }
            SochValue::Object(members) => {
                sys::pith_doc_open_object(doc);
                for (key, member) in members {
                    sys::pith_doc_add_key(doc, key.as_ptr().cast(), key.len());
                    add(doc, member, depth + 1)?;
                }
                sys::pith_doc_close(doc);
            }
        }
    }
    Ok(())
}

/// Rows on their way into a document.
struct Filling(*mut sys::pith_rows);

impl Drop for Filling {
    fn drop(&mut self) {
        // SAFETY: the handle is ours; NULL is fine.
        unsafe { sys::pith_rows_abandon(self.0) }
    }
}

fn fill(doc: &RawDoc, table: &SochTable) -> Result<()> {
    let columns: Vec<_> = table.fields.iter().map(|field| raw_text(&field.name)).collect();
    let mut err = sys::pith_error::default();
    // SAFETY: the document is ours and outlives the rows; texts are copied.
    unsafe {
        let mut rows = Filling(sys::pith_rows_into(doc.0, ptr::null(), &mut err));
        if rows.0.is_null() {
            return Err(Error::of(&err));
        }
        let (name, count) = (raw_text(&table.name), columns.len());
        let status =
            sys::pith_rows_begin_table(rows.0, name, columns.as_ptr(), count, false, &mut err);
        crate::sink::verdict(status, &err)?;
        for (column, field) in table.fields.iter().enumerate() {
            sys::pith_rows_declare(rows.0, column, &raw_field(field));
        }
        for (number, row) in table.rows.iter().enumerate() {
            if row.len() != count {
                let message = format!(
                    "row {} has {} cells, and the table {count} fields",
                    number + 1,
                    row.len()
                );
                return Err(Error::new(Status::BadUse, "row_width_mismatch", message));
            }
            let to = sys::pith_rows_row(rows.0);
            for cell in row {
                add(to, cell, 1)?;
            }
            crate::sink::verdict(sys::pith_rows_end_row(rows.0, &mut err), &err)?;
        }
        let status =
            sys::pith_rows_close(std::mem::replace(&mut rows.0, ptr::null_mut()), &mut err);
        crate::sink::verdict(status, &err)
    }
}

fn encode(table: &SochTable, settings: &Settings) -> Result<Vec<u8>> {
    let doc = RawDoc::new()?;
    fill(&doc, table)?;
    crate::ser::write_value(doc.root(), settings)
}
