//! Values to text: serde's calls become cells, which the library takes many at a time.
//!
//! A struct that was seen before is a shape, which the library knows by a number, and the values
//! of its fields; fields are recognised by the addresses of their names. Texts are copied, for
//! serde lends them only for a call:
//!
//! ```text
//!     cells   SHAPED 1 | INT64 7 | TEXT -> 0 | SHAPED 1 | INT64 8 | TEXT -> 3
//!     texts   Ada Linus
//! ```
//!
//! Should a struct turn out to have other fields than the one of its name before, what is done so
//! far cannot be mended: then everything begins anew, without shapes.

// Kinds of cells fit into a byte, and lengths of texts that are copied into 32 bits.
#![allow(clippy::cast_possible_truncation)]

use crate::de::RawDoc;
use crate::error::{Error, Result, Status};
use crate::options::Settings;
use crate::sink::{collect, text_of, Sink};
use crate::value::NUMBER_NAME;
use core::fmt::Display;
use pith_sys as sys;
use serde::ser::{self, Serialize};
use std::cell::Cell;
use std::io::Write;
use std::ptr;

const CELLS: usize = 512;
const TEXTS: usize = 32 * 1024;
const KNOWN: usize = 64;
const WIDTH_MOST: usize = 256;
const FOREIGN_NUMBER: &str = "$serde_json::private::Number";
const FOREIGN_RAW: &str = "$serde_json::private::RawValue";

/// What a document grew to before it is not kept for the next call.
const KEPT_MOST: usize = 1 << 20;

/// A struct whose fields are known.
struct Known {
    name: *const u8,
    first: *const u8,
    keys: Box<[&'static str]>,
    shape: u64,
}

/// A document that is being built.
pub(crate) struct Builder {
    doc: *mut sys::pith_doc,
    cells: Vec<sys::pith_cell>,
    texts: Vec<u8>,
    known: Vec<Known>,
    slots: [u16; KNOWN], // 1 + the index of a known struct
    shapes: bool,
    mixed: bool,
    depth: usize,
    depth_max: usize,
    sent: usize,
}

// SAFETY: the document belongs to the builder, and a handle may move between threads.
unsafe impl Send for Builder {}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: the document is ours.
        unsafe { sys::pith_doc_free(self.doc) }
    }
}

impl Builder {
    pub(crate) fn new() -> Result<Self> {
        // Depth is counted here, where the recursion is.
        let raw = sys::pith_options { depth_max: crate::DEPTH_MOST + 1, ..Default::default() };
        // SAFETY: the options live as long as the call.
        let doc = unsafe { sys::pith_doc_new(&raw) };
        if doc.is_null() {
            return Err(Error::new(Status::NoMemory, "no_memory", "out of memory"));
        }
        Ok(Self {
            doc,
            cells: Vec::with_capacity(CELLS),
            texts: Vec::with_capacity(TEXTS),
            known: Vec::new(),
            slots: [0; KNOWN],
            shapes: true,
            mixed: false,
            depth: 0,
            depth_max: 0,
            sent: 0,
        })
    }

    fn begin(&mut self, depth_max: usize) {
        // SAFETY: the document is ours, and no value of it is in use.
        unsafe { sys::pith_doc_reset(self.doc) }
        self.cells.clear();
        self.texts.clear();
        self.known.clear();
        self.slots = [0; KNOWN];
        self.mixed = false;
        self.depth = 0;
        self.depth_max = depth_max;
        self.sent = 0;
    }

    fn try_build<T: ?Sized + Serialize>(&mut self, value: &T, depth_max: usize) -> Result<()> {
        self.begin(depth_max);
        value.serialize(&mut *self)?;
        self.flush();
        let mut err = sys::pith_error::default();
        // SAFETY: the document is ours.
        let status = unsafe { sys::pith_doc_finish(self.doc, &mut err) };
        crate::sink::verdict(status, &err)
    }

    /// Makes the document that value.
    fn build<T: ?Sized + Serialize>(&mut self, value: &T, depth_max: usize) -> Result<()> {
        self.shapes = true;
        let mut built = self.try_build(value, depth_max);
        if self.mixed {
            self.shapes = false;
            built = self.try_build(value, depth_max);
        }
        built
    }

    /// The value, valid until the next one.
    pub(crate) fn root<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        depth_max: usize,
    ) -> Result<sys::pith_value> {
        self.build(value, depth_max)?;
        // SAFETY: the document is finished.
        Ok(unsafe { sys::pith_doc_root(self.doc) })
    }

    fn flush(&mut self) {
        // SAFETY: the cells, and the texts they point to, stay as they are for the call.
        unsafe { sys::pith_doc_add_cells(self.doc, self.cells.as_ptr(), self.cells.len()) }
        self.sent += self.cells.len() * 16 + self.texts.len();
        self.cells.clear();
        self.texts.clear();
    }

    #[inline]
    fn put(&mut self, kind: sys::pith_cell_kind, len: u32, u: sys::pith_cell_u) {
        if self.cells.len() == CELLS {
            self.flush();
        }
        let flags = sys::PITH_CELL_TRUSTED as u8;
        self.cells.push(sys::pith_cell { kind: kind as u8, flags, zero: 0, len, u });
    }

    #[inline]
    fn put_plain(&mut self, kind: sys::pith_cell_kind) {
        self.put(kind, 0, sys::pith_cell_u { natural: 0 });
    }

    #[inline]
    fn put_text(&mut self, kind: sys::pith_cell_kind, text: &[u8]) -> Result<()> {
        if self.cells.len() == CELLS || text.len() > TEXTS - self.texts.len() {
            return self.put_long(kind, text);
        }
        let at = self.texts.len();
        self.texts.extend_from_slice(text);
        // The texts have room for all that is put here, so that they are never moved.
        let copied = self.texts[at..].as_ptr().cast();
        self.put(kind, text.len() as u32, sys::pith_cell_u { text: copied });
        Ok(())
    }

    /// A text for which there is no room: it is sent at once.
    #[cold]
    fn put_long(&mut self, kind: sys::pith_cell_kind, text: &[u8]) -> Result<()> {
        let Ok(len) = u32::try_from(text.len()) else {
            return Err(Error::new(Status::Limit, "text_limit", "a text has 4 GiB or more"));
        };
        self.flush();
        self.put(kind, len, sys::pith_cell_u { text: text.as_ptr().cast() });
        self.flush();
        self.sent += text.len();
        Ok(())
    }

    /// A key, which lives as long as the program.
    #[inline]
    fn put_key(&mut self, key: &'static str) -> Result<()> {
        match u32::try_from(key.len()) {
            Ok(len) => {
                self.put(sys::PITH_CELL_KEY, len, sys::pith_cell_u { text: key.as_ptr().cast() });
                Ok(())
            }
            Err(_) => self.put_long(sys::PITH_CELL_KEY, key.as_bytes()),
        }
    }

    #[inline]
    fn open(&mut self, kind: sys::pith_cell_kind) -> Result<()> {
        self.enter()?;
        self.put_plain(kind);
        Ok(())
    }

    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > self.depth_max {
            let message = format!("the value nests deeper than {}", self.depth_max);
            return Err(Error::new(Status::Limit, "depth_limit", message));
        }
        Ok(())
    }

    #[inline]
    fn close(&mut self) {
        self.depth -= 1;
        self.put_plain(sys::PITH_CELL_CLOSE);
    }

    /// The slot of a struct, or the empty one where it belongs; none when they are full.
    #[inline]
    fn slot(&self, name: *const u8, first: *const u8) -> Option<usize> {
        let mixed = (name as usize).wrapping_mul(31) ^ (first as usize);
        let hash = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> (usize::BITS - 6);
        (0..8).map(|step| (hash + step) % KNOWN).find(|&slot| match self.slots[slot] {
            0 => true,
            index => {
                let known = &self.known[usize::from(index) - 1];
                ptr::eq(known.name, name) && ptr::eq(known.first, first)
            }
        })
    }

    fn find(&self, name: *const u8, first: *const u8) -> Option<usize> {
        let slot = self.slot(name, first)?;
        usize::from(self.slots[slot]).checked_sub(1)
    }

    /// Remembers the fields of a struct, when they can be a shape.
    fn learn(&mut self, name: &'static str, keys: Vec<&'static str>) {
        let Some(first) = keys.first().map(|key| key.as_ptr()) else { return };
        let Some(slot) = self.slot(name.as_ptr(), first) else { return };
        let same = |at: usize| keys[..at].contains(&keys[at]);
        if self.slots[slot] != 0 || keys.len() > WIDTH_MOST || (1..keys.len()).any(same) {
            return;
        }
        let texts: Vec<sys::pith_text> = keys
            .iter()
            .map(|key| sys::pith_text { ptr: key.as_ptr().cast(), len: key.len() })
            .collect();
        // SAFETY: the document is ours, and the keys live as long as the program.
        let shape = unsafe { sys::pith_doc_shape(self.doc, texts.as_ptr(), texts.len()) };
        if shape != 0 {
            let (name, keys) = (name.as_ptr(), keys.into_boxed_slice());
            self.known.push(Known { name, first, keys, shape: u64::from(shape) });
            self.slots[slot] = self.known.len() as u16;
        }
    }
}

// --------------------------------------------------------------------------- public calls

thread_local! {
    /// What the last call of this thread built with.
    static KEPT: Cell<Option<Box<Builder>>> = const { Cell::new(None) };
}

/// Builds the value, and calls with the document.
pub(crate) fn with_built<T: ?Sized + Serialize, R>(
    value: &T,
    settings: &Settings,
    call: impl FnOnce(sys::pith_value) -> Result<R>,
) -> Result<R> {
    let mut builder = match KEPT.take() {
        Some(builder) => builder,
        None => Box::new(Builder::new()?),
    };
    let root = builder.root(value, settings.depth())?;
    let result = call(root)?;
    if builder.sent <= KEPT_MOST {
        KEPT.set(Some(builder));
    }
    Ok(result)
}

/// A document that is the value.
pub(crate) fn build_alone<T: ?Sized + Serialize>(value: &T) -> Result<RawDoc> {
    let mut builder = Builder::new()?;
    builder.build(value, crate::DEPTH_MOST)?;
    Ok(RawDoc(std::mem::replace(&mut builder.doc, ptr::null_mut())))
}

pub(crate) fn write_value(root: sys::pith_value, settings: &Settings) -> Result<Vec<u8>> {
    let mut options = settings.for_call();
    let raw = options.raw();
    // SAFETY: the value's document, the names and the options live as long as the call.
    collect(|sink, err| unsafe {
        sys::pith_value_write(root, settings.write_name(), &raw, sink, err)
    })
}

/// The value as text.
///
/// ```
/// use pith::Format;
///
/// #[derive(serde::Serialize)]
/// struct User {
///     id: u32,
///     name: &'static str,
/// }
///
/// let users = [User { id: 1, name: "Ada" }, User { id: 2, name: "Linus" }];
/// assert_eq!(pith::to_string(&users, Format::Toon)?, "[2]{id,name}:\n  1,Ada\n  2,Linus");
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When the format cannot hold the value, a limit is reached, or the format is bytes.
pub fn to_string<T: ?Sized + Serialize>(value: &T, how: impl Into<Settings>) -> Result<String> {
    text_of(to_vec(value, how)?)
}

/// The value as bytes, which are text in all formats but [`Format::SochBin`](crate::Format).
///
/// # Errors
///
/// When the format cannot hold the value, or a limit is reached.
pub fn to_vec<T: ?Sized + Serialize>(value: &T, how: impl Into<Settings>) -> Result<Vec<u8>> {
    let settings = how.into();
    with_built(value, &settings, |root| write_value(root, &settings))
}

/// Writes the value.
///
/// # Errors
///
/// As [`to_vec`], and when the writer fails. What was written until then is incomplete.
pub fn to_writer<W: Write, T: ?Sized + Serialize>(
    writer: W,
    value: &T,
    how: impl Into<Settings>,
) -> Result<()> {
    let settings = how.into();
    with_built(value, &settings, |root| {
        let mut options = settings.for_call();
        let raw = options.raw();
        let mut sink = Sink::new(writer);
        let mut err = sys::pith_error::default();
        // SAFETY: all that is handed over lives as long as the call.
        let status = unsafe {
            sys::pith_value_write(root, settings.write_name(), &raw, sink.raw(), &mut err)
        };
        sink.verdict(status, &err)
    })
}

// ----------------------------------------------------------------------------- serde

macro_rules! scalars {
    ($($method:ident $type:ty => $kind:ident $member:ident $as:ty;)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            self.put(sys::$kind, 0, sys::pith_cell_u { $member: <$as>::from(value) });
            Ok(())
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Builder {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Struct<'a>;
    type SerializeStructVariant = Struct<'a>;

    scalars! {
        serialize_i8 i8 => PITH_CELL_INT64 integer i64;
        serialize_i16 i16 => PITH_CELL_INT64 integer i64;
        serialize_i32 i32 => PITH_CELL_INT64 integer i64;
        serialize_i64 i64 => PITH_CELL_INT64 integer i64;
        serialize_u8 u8 => PITH_CELL_UINT64 natural u64;
        serialize_u16 u16 => PITH_CELL_UINT64 natural u64;
        serialize_u32 u32 => PITH_CELL_UINT64 natural u64;
        serialize_u64 u64 => PITH_CELL_UINT64 natural u64;
        serialize_f32 f32 => PITH_CELL_FLOAT single f32;
        serialize_f64 f64 => PITH_CELL_DOUBLE number f64;
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.put_plain(if value { sys::PITH_CELL_TRUE } else { sys::PITH_CELL_FALSE });
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.put_text(sys::PITH_CELL_DIGITS, value.to_string().as_bytes())
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        self.put_text(sys::PITH_CELL_DIGITS, value.to_string().as_bytes())
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.put_text(sys::PITH_CELL_TEXT, value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.put_text(sys::PITH_CELL_BYTES, value)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        self.put_plain(sys::PITH_CELL_NULL);
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if name == NUMBER_NAME {
            return value.serialize(Digits(self));
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.open(sys::PITH_CELL_OBJECT)?;
        self.put_key(variant)?;
        value.serialize(&mut *self)?;
        self.close();
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _len: Option<usize>) -> Result<Compound<'a>> {
        self.open(sys::PITH_CELL_ARRAY)?;
        Ok(Compound { to: self, outer: false })
    }

    fn serialize_tuple(self, len: usize) -> Result<Compound<'a>> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Compound<'a>> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Compound<'a>> {
        self.open(sys::PITH_CELL_OBJECT)?;
        self.put_key(variant)?;
        self.open(sys::PITH_CELL_ARRAY)?;
        Ok(Compound { to: self, outer: true })
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Compound<'a>> {
        self.open(sys::PITH_CELL_OBJECT)?;
        Ok(Compound { to: self, outer: false })
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Struct<'a>> {
        self.enter()?;
        Ok(Struct { to: self, name, state: State::Fresh, at: 0, outer: false })
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Struct<'a>> {
        self.open(sys::PITH_CELL_OBJECT)?;
        self.put_key(variant)?;
        self.enter()?;
        Ok(Struct { to: self, name: variant, state: State::Fresh, at: 0, outer: true })
    }

    fn collect_str<T: ?Sized + Display>(self, value: &T) -> Result<()> {
        self.serialize_str(&value.to_string())
    }
}

/// An array or a map that is open; `outer` when the object of a variant is around it.
pub(crate) struct Compound<'a> {
    to: &'a mut Builder,
    outer: bool,
}

impl Compound<'_> {
    fn finish(self) {
        self.to.close();
        if self.outer {
            self.to.close();
        }
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident;)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                value.serialize(&mut *self.to)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        key.serialize(Key(self.to))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut *self.to)
    }

    fn end(self) -> Result<()> {
        self.finish();
        Ok(())
    }
}

/// What a struct turned out to be.
enum State {
    /// No field has come yet.
    Fresh,
    /// The known struct of that index.
    Shaped(usize),
    /// One that is seen for the first time.
    Learning(Vec<&'static str>),
    /// Any object.
    Plain,
    /// A number of `serde_json`, by its digits.
    Number,
}

/// A struct that is open; `at` counts the fields of a known one.
pub(crate) struct Struct<'a> {
    to: &'a mut Builder,
    name: &'static str,
    state: State,
    at: usize,
    outer: bool,
}

impl Struct<'_> {
    #[cold]
    fn start(&mut self, key: &'static str) -> Result<()> {
        if key == FOREIGN_NUMBER && self.name == FOREIGN_NUMBER {
            self.state = State::Number;
            return Ok(());
        }
        if key == FOREIGN_RAW {
            let message = "a RawValue of serde_json is text that was not read: use its Value";
            return Err(Error::new(Status::BadUse, "raw_value", message));
        }
        self.to.put_plain(sys::PITH_CELL_OBJECT);
        self.state = if self.to.shapes { State::Learning(Vec::new()) } else { State::Plain };
        Ok(())
    }

    #[inline]
    fn begin(&mut self, key: &'static str) -> Result<()> {
        if self.to.shapes {
            if let Some(index) = self.to.find(self.name.as_ptr(), key.as_ptr()) {
                let shape = self.to.known[index].shape;
                self.to.put(sys::PITH_CELL_SHAPED, 0, sys::pith_cell_u { natural: shape });
                self.state = State::Shaped(index);
                return Ok(());
            }
        }
        self.start(key)
    }

    /// Goes on to a field that is not the next: those between have no value.
    #[cold]
    fn pass(&mut self, index: usize, key: &'static str) -> Result<()> {
        let rest = &self.to.known[index].keys[self.at..];
        let Some(skipped) = rest.iter().position(|&known| known == key) else {
            self.to.mixed = true;
            return Err(Error::new(Status::BadUse, "mixed_fields", "a struct has other fields"));
        };
        for _ in 0..skipped {
            self.to.put_plain(sys::PITH_CELL_ABSENT);
        }
        self.at += skipped;
        Ok(())
    }

    #[inline]
    fn reach(&mut self, index: usize, key: &'static str) -> Result<()> {
        let is_next =
            |known: &&str| ptr::eq(known.as_ptr(), key.as_ptr()) && known.len() == key.len();
        if !self.to.known[index].keys.get(self.at).is_some_and(is_next) {
            self.pass(index, key)?;
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        if let State::Fresh = self.state {
            self.begin(key)?;
        }
        match &mut self.state {
            State::Shaped(index) => {
                let index = *index;
                self.reach(index, key)?;
            }
            State::Number => return value.serialize(Digits(self.to)),
            State::Learning(keys) => {
                keys.push(key);
                self.to.put_key(key)?;
            }
            State::Fresh | State::Plain => self.to.put_key(key)?,
        }
        value.serialize(&mut *self.to)
    }

    fn skip(&mut self, key: &'static str) -> Result<()> {
        if let State::Fresh = self.state {
            self.begin(key)?;
        }
        match &mut self.state {
            State::Shaped(index) => {
                let index = *index;
                self.reach(index, key)?;
                self.to.put_plain(sys::PITH_CELL_ABSENT);
            }
            State::Learning(keys) => keys.push(key),
            State::Fresh | State::Plain | State::Number => {}
        }
        Ok(())
    }

    fn finish(self) {
        self.to.depth -= 1;
        match self.state {
            State::Shaped(index) => {
                for _ in self.at..self.to.known[index].keys.len() {
                    self.to.put_plain(sys::PITH_CELL_ABSENT);
                }
            }
            State::Learning(keys) => {
                self.to.put_plain(sys::PITH_CELL_CLOSE);
                self.to.learn(self.name, keys);
            }
            State::Plain => self.to.put_plain(sys::PITH_CELL_CLOSE),
            State::Fresh => {
                self.to.put_plain(sys::PITH_CELL_OBJECT);
                self.to.put_plain(sys::PITH_CELL_CLOSE);
            }
            State::Number => {}
        }
        if self.outer {
            self.to.close();
        }
    }
}

macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Struct<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                self.field(key, value)
            }

            fn skip_field(&mut self, key: &'static str) -> Result<()> {
                self.skip(key)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

fields! { SerializeStruct SerializeStructVariant }

/// What takes only one kind of value: the text of a key, or digits.
macro_rules! only_text {
    ($type:ident, $refuse:ident) => {
        impl ser::Serializer for $type<'_> {
            type Ok = ();
            type Error = Error;
            type SerializeSeq = ser::Impossible<(), Error>;
            type SerializeTuple = ser::Impossible<(), Error>;
            type SerializeTupleStruct = ser::Impossible<(), Error>;
            type SerializeTupleVariant = ser::Impossible<(), Error>;
            type SerializeMap = ser::Impossible<(), Error>;
            type SerializeStruct = ser::Impossible<(), Error>;
            type SerializeStructVariant = ser::Impossible<(), Error>;

            #[inline]
            fn serialize_str(self, value: &str) -> Result<()> {
                self.text(value)
            }

            fn serialize_char(self, value: char) -> Result<()> {
                self.text(value.encode_utf8(&mut [0; 4]))
            }

            fn serialize_unit_variant(
                self,
                _name: &'static str,
                _index: u32,
                variant: &'static str,
            ) -> Result<()> {
                self.text(variant)
            }

            fn serialize_newtype_struct<T: ?Sized + Serialize>(
                self,
                _name: &'static str,
                value: &T,
            ) -> Result<()> {
                value.serialize(self)
            }

            fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
                value.serialize(self)
            }

            fn serialize_bool(self, _: bool) -> Result<()> {
                $refuse()
            }
            fn serialize_i8(self, _: i8) -> Result<()> {
                $refuse()
            }
            fn serialize_i16(self, _: i16) -> Result<()> {
                $refuse()
            }
            fn serialize_i32(self, _: i32) -> Result<()> {
                $refuse()
            }
            fn serialize_i64(self, _: i64) -> Result<()> {
                $refuse()
            }
            fn serialize_i128(self, _: i128) -> Result<()> {
                $refuse()
            }
            fn serialize_u8(self, _: u8) -> Result<()> {
                $refuse()
            }
            fn serialize_u16(self, _: u16) -> Result<()> {
                $refuse()
            }
            fn serialize_u32(self, _: u32) -> Result<()> {
                $refuse()
            }
            fn serialize_u64(self, _: u64) -> Result<()> {
                $refuse()
            }
            fn serialize_u128(self, _: u128) -> Result<()> {
                $refuse()
            }
            fn serialize_f32(self, _: f32) -> Result<()> {
                $refuse()
            }
            fn serialize_f64(self, _: f64) -> Result<()> {
                $refuse()
            }
            fn serialize_bytes(self, _: &[u8]) -> Result<()> {
                $refuse()
            }
            fn serialize_none(self) -> Result<()> {
                $refuse()
            }
            fn serialize_unit(self) -> Result<()> {
                $refuse()
            }
            fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
                $refuse()
            }
            fn serialize_newtype_variant<T: ?Sized + Serialize>(
                self,
                _: &'static str,
                _: u32,
                _: &'static str,
                _: &T,
            ) -> Result<()> {
                $refuse()
            }
            fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
                $refuse()
            }
            fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
                $refuse()
            }
            fn serialize_tuple_struct(
                self,
                _: &'static str,
                _: usize,
            ) -> Result<Self::SerializeTupleStruct> {
                $refuse()
            }
            fn serialize_tuple_variant(
                self,
                _: &'static str,
                _: u32,
                _: &'static str,
                _: usize,
            ) -> Result<Self::SerializeTupleVariant> {
                $refuse()
            }
            fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
                $refuse()
            }
            fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
                $refuse()
            }
            fn serialize_struct_variant(
                self,
                _: &'static str,
                _: u32,
                _: &'static str,
                _: usize,
            ) -> Result<Self::SerializeStructVariant> {
                $refuse()
            }
        }
    };
}

/// The key of a member.
struct Key<'a>(&'a mut Builder);

impl Key<'_> {
    #[inline]
    fn text(self, text: &str) -> Result<()> {
        self.0.put_text(sys::PITH_CELL_KEY, text.as_bytes())
    }
}

#[cold]
fn refuse_key<T>() -> Result<T> {
    let message = "a key of a map is not text; a list of pairs, or keys made text, can be written";
    Err(Error::new(Status::Unrepresentable, "key_not_text", message))
}

only_text! { Key, refuse_key }

/// A number by its digits.
struct Digits<'a>(&'a mut Builder);

impl Digits<'_> {
    fn text(self, digits: &str) -> Result<()> {
        self.0.put_text(sys::PITH_CELL_DIGITS, digits.as_bytes())
    }
}

#[cold]
fn refuse_digits<T>() -> Result<T> {
    Err(Error::new(Status::BadUse, "invalid_number", "a number is told by its digits"))
}

only_text! { Digits, refuse_digits }
