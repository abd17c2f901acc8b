//! Text to values: the library reads the text into a document, whose values then come as events,
//! many with each call.
//!
//! Numbers come by their digits, so that nothing of them is lost before their type is known.
//! Texts that stand in the input as they are lie there, and are lent from there.

use crate::error::{Error, Result, Status};
use crate::options::Settings;
use crate::value::{NUMBER_NAME, VALUE_NAME};
use core::mem::MaybeUninit;
use pith_sys as sys;
use serde::de::{self, Deserialize, DeserializeOwned, DeserializeSeed, Unexpected, Visitor};
use std::cell::Cell;
use std::io::Read;

const EVENTS: usize = 128;

/// Inputs beyond this leave no document for the next call.
const KEPT_MOST: usize = 256 * 1024;

// --------------------------------------------------------------------------- documents

/// A document of the library.
pub(crate) struct RawDoc(pub(crate) *mut sys::pith_doc);

// SAFETY: a handle may move between threads, and a finished document may be read by several.
unsafe impl Send for RawDoc {}
unsafe impl Sync for RawDoc {}

impl Drop for RawDoc {
    fn drop(&mut self) {
        // SAFETY: the document is ours.
        unsafe { sys::pith_doc_free(self.0) }
    }
}

impl RawDoc {
    pub(crate) fn new() -> Result<Self> {
        // SAFETY: no options are every default.
        let doc = unsafe { sys::pith_doc_new(std::ptr::null()) };
        if doc.is_null() {
            return Err(Error::new(Status::NoMemory, "no_memory", "out of memory"));
        }
        Ok(Self(doc))
    }

    /// Reads the text, which must stay where it is for as long as values are used.
    pub(crate) fn read(&mut self, text: &[u8], settings: &Settings) -> Result<()> {
        let mut options = settings.for_call();
        let raw = options.raw();
        let mut err = sys::pith_error::default();
        // SAFETY: the document is ours, and all else lives as long as the call.
        let status = unsafe {
            let (at, len) = (text.as_ptr().cast(), text.len());
            sys::pith_doc_read(self.0, settings.read_name(), at, len, &raw, &mut err)
        };
        crate::sink::verdict(status, &err)
    }

    pub(crate) fn root(&self) -> sys::pith_value {
        // SAFETY: the document is ours.
        unsafe { sys::pith_doc_root(self.0) }
    }
}

thread_local! {
    /// The document of the last call of this thread.
    static KEPT: Cell<Option<RawDoc>> = const { Cell::new(None) };
}

// -------------------------------------------------------------------------- public calls

/// Reads a value out of a text. `&str` fields are borrowed from it where it spells them as they
/// are, and refused where it does not; `Cow<str>` takes both.
///
/// ```
/// use pith::Format;
///
/// #[derive(serde::Deserialize, Debug, PartialEq)]
/// struct User<'a> {
///     id: u32,
///     name: &'a str,
/// }
///
/// let users: Vec<User> = pith::from_str("[2]{id,name}:\n  1,Ada\n  2,Linus", Format::Toon)?;
/// assert_eq!(users[1], User { id: 2, name: "Linus" });
///
/// let wrong = pith::from_str::<Vec<User>>("[{\"id\":1,\n\"name\":7}]", Format::Json).unwrap_err();
/// assert_eq!((wrong.path().as_str(), wrong.line()), ("[0].name", 2));
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When the text is not what its format allows, not what the type wants, or a limit is reached.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str, how: impl Into<Settings>) -> Result<T> {
    from_slice(text.as_bytes(), how)
}

/// As [`from_str`], from bytes, which have to be UTF-8 unless the format is
/// [`Format::SochBin`](crate::Format).
///
/// # Errors
///
/// As [`from_str`].
pub fn from_slice<'de, T: Deserialize<'de>>(
    text: &'de [u8],
    how: impl Into<Settings>,
) -> Result<T> {
    let settings = how.into();
    let mut doc = match KEPT.take() {
        Some(doc) => doc,
        None => RawDoc::new()?,
    };
    doc.read(text, &settings)?;
    let value = value_of(doc.root(), text)?;
    if text.len() <= KEPT_MOST {
        KEPT.set(Some(doc));
    }
    Ok(value)
}

/// As [`from_slice`], from all that a reader has.
///
/// # Errors
///
/// As [`from_str`], and when the reader fails.
pub fn from_reader<R: Read, T: DeserializeOwned>(
    mut reader: R,
    how: impl Into<Settings>,
) -> Result<T> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(Error::io)?;
    from_slice(&text, how)
}

/// The value as a type. Texts are lent from the input alone.
pub(crate) fn value_of<'de, T: Deserialize<'de>>(
    root: sys::pith_value,
    input: &'de [u8],
) -> Result<T> {
    let mut events = Events::new(root, input);
    T::deserialize(&mut events)
}

// -------------------------------------------------------------------------------- events

type Keys = Box<[sys::pith_text]>;

/// The values of a document, one after the other.
pub(crate) struct Events<'de> {
    walk: sys::pith_walk,
    batch: MaybeUninit<[sys::pith_event; EVENTS]>,
    at: usize,
    count: usize,
    input: &'de [u8],
    shapes: Vec<Option<Keys>>,
    depth: usize,
}

/// A text of the document: `'de` when it lies in the input.
#[derive(Clone, Copy)]
enum Text<'de, 't> {
    Lent(&'de str),
    Kept(&'t str),
}

impl<'de: 't, 't> Text<'de, 't> {
    #[allow(clippy::match_same_arms)] // their lifetimes differ
    fn get(self) -> &'t str {
        match self {
            Self::Lent(text) => text,
            Self::Kept(text) => text,
        }
    }

    #[inline]
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Lent(text) => visitor.visit_borrowed_str(text),
            Self::Kept(text) => visitor.visit_str(text),
        }
    }
}

/// The text of an event or a key.
///
/// # Safety
///
/// It must be valid for `'t`. The library promises that it is UTF-8.
#[inline]
unsafe fn text_at<'t>(at: *const u8, len: usize, input: &[u8]) -> Text<'_, 't> {
    if len == 0 {
        return Text::Lent("");
    }
    let from = (at as usize).wrapping_sub(input.as_ptr() as usize);
    if from < input.len() && len <= input.len() - from {
        // SAFETY: the library has read these bytes as text.
        return Text::Lent(unsafe { std::str::from_utf8_unchecked(&input[from..from + len]) });
    }
    // SAFETY: as the caller says.
    Text::Kept(unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(at, len)) })
}

impl<'de> Events<'de> {
    pub(crate) fn new(root: sys::pith_value, input: &'de [u8]) -> Self {
        let mut walk = MaybeUninit::uninit();
        // SAFETY: the call fills in the walk; the document outlives it.
        let walk = unsafe {
            sys::pith_walk_begin(walk.as_mut_ptr(), root, sys::PITH_WALK_DIGITS);
            walk.assume_init()
        };
        let batch = MaybeUninit::uninit();
        Self { walk, batch, at: 0, count: 0, input, shapes: Vec::new(), depth: 0 }
    }

    #[inline]
    fn peek(&mut self) -> Result<sys::pith_event> {
        if self.at == self.count {
            self.refill()?;
        }
        // SAFETY: that many events were filled in.
        Ok(unsafe { *self.batch.as_ptr().cast::<sys::pith_event>().add(self.at) })
    }

    #[inline(never)]
    fn refill(&mut self) -> Result<()> {
        // SAFETY: the walk was begun, and there is room for so many.
        self.count =
            unsafe { sys::pith_walk_next(&mut self.walk, self.batch.as_mut_ptr().cast(), EVENTS) };
        self.at = 0;
        if self.count == 0 {
            return Err(Error::new(Status::BadInput, "empty_input", "there is no value"));
        }
        Ok(())
    }

    #[inline]
    fn next(&mut self) -> Result<sys::pith_event> {
        let event = self.peek()?;
        self.at += 1;
        Ok(event)
    }

    /// Goes into an array; how many elements it has.
    pub(crate) fn begin_array(&mut self) -> Result<usize> {
        Ok(self.next()?.len)
    }

    /// Passes over a value and all that is in it.
    fn skip(&mut self) -> Result<()> {
        let mut left = 1_usize;
        while left > 0 {
            let event = self.next()?;
            left -= 1;
            if is_container(&event) {
                left += event.len;
            }
        }
        Ok(())
    }

    #[inline]
    fn text(&self, event: &sys::pith_event) -> Text<'de, 'de> {
        // SAFETY: the texts of a document live as long as it does, and it outlives the events.
        // They are handed out for the time of a call of a visitor only.
        unsafe { text_at(event.u.text.cast(), event.len, self.input) }
    }

    #[cold]
    fn placed(&self, event: &sys::pith_event, error: Error) -> Error {
        match u32::from(event.kind) {
            sys::PITH_STRING | sys::PITH_INTEGER | sys::PITH_DECIMAL => {
                // SAFETY: of these kinds it is a text.
                error.at_text(unsafe { event.u.text.cast() }, self.input)
            }
            _ => error,
        }
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > crate::DEPTH_MOST {
            let message = format!("the value nests deeper than {}", crate::DEPTH_MOST);
            return Err(Error::new(Status::Limit, "depth_limit", message));
        }
        Ok(())
    }

    fn keys_of(&self, event: &sys::pith_event) -> Keys {
        let none = sys::pith_text { ptr: std::ptr::null(), len: 0 };
        let mut keys = vec![none; event.len].into_boxed_slice();
        // SAFETY: there is room for all keys of the object, which this walk gave.
        unsafe { sys::pith_walk_keys(&self.walk, event, keys.as_mut_ptr(), keys.len()) };
        keys
    }

    /// The keys of an object: kept for its shape, or its own.
    fn find_keys(&mut self, event: &sys::pith_event) -> (*const sys::pith_text, Option<Keys>) {
        if event.shape == 0 {
            let keys = self.keys_of(event);
            return (keys.as_ptr(), Some(keys));
        }
        let shape = event.shape as usize;
        if shape >= self.shapes.len() {
            self.shapes.resize_with(shape * 2 + 8, || None);
        }
        if self.shapes[shape].is_none() {
            self.shapes[shape] = Some(self.keys_of(event));
        }
        (self.shapes[shape].as_ref().map_or(std::ptr::null(), |keys| keys.as_ptr()), None)
    }

    fn sequence<V: Visitor<'de>>(
        &mut self,
        event: &sys::pith_event,
        visitor: V,
    ) -> Result<V::Value> {
        self.enter()?;
        let mut elements = Elements { from: self, left: event.len, index: 0 };
        let value = visitor.visit_seq(&mut elements)?;
        let left = elements.left;
        self.depth -= 1;
        if left > 0 {
            let wanted = format!("{} elements", event.len - left);
            return Err(de::Error::invalid_length(event.len, &wanted.as_str()));
        }
        Ok(value)
    }

    fn object<V: Visitor<'de>>(&mut self, event: &sys::pith_event, visitor: V) -> Result<V::Value> {
        self.enter()?;
        let (keys, own) = self.find_keys(event);
        let mut members = Members { from: self, keys, left: event.len, _own: own };
        let value = visitor.visit_map(&mut members)?;
        let left = members.left;
        self.depth -= 1;
        if left > 0 {
            let wanted = format!("{} members", event.len - left);
            return Err(de::Error::invalid_length(event.len, &wanted.as_str()));
        }
        Ok(value)
    }

    #[inline]
    fn any<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let event = self.next()?;
        let visited = match u32::from(event.kind) {
            sys::PITH_NULL => visitor.visit_unit(),
            sys::PITH_FALSE => visitor.visit_bool(false),
            sys::PITH_TRUE => visitor.visit_bool(true),
            sys::PITH_INTEGER => visit_integer(self.text(&event).get(), visitor),
            sys::PITH_DECIMAL => visitor.visit_f64(parse(self.text(&event).get())?),
            sys::PITH_STRING if u32::from(event.type_) == sys::PITH_TYPE_FLOAT => {
                visitor.visit_f64(not_finite(self.text(&event).get()))
            }
            sys::PITH_STRING => self.text(&event).visit(visitor),
            sys::PITH_ARRAY => return self.sequence(&event, visitor),
            _ => return self.object(&event, visitor),
        };
        match visited {
            Ok(value) => Ok(value),
            Err(error) => Err(self.placed(&event, error)),
        }
    }

    fn bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let event = self.peek()?;
        if u32::from(event.kind) != sys::PITH_STRING {
            return self.any(visitor);
        }
        self.at += 1;
        let text = self.text(&event);
        let visited = match text.get().strip_prefix("b64:") {
            Some(coded) => match decode_base64(coded.as_bytes()) {
                Some(bytes) => visitor.visit_byte_buf(bytes),
                None => Err(de::Error::invalid_value(Unexpected::Str(coded), &"base64")),
            },
            None => text.visit(visitor),
        };
        visited.map_err(|error| self.placed(&event, error))
    }

    /// A number by its digits, for a type that the events know nothing of.
    fn digits<V: Visitor<'de>>(
        &mut self,
        visitor: V,
        visit: impl FnOnce(&str, V) -> Result<V::Value>,
    ) -> Result<V::Value> {
        let event = self.peek()?;
        if !is_number(&event) {
            return self.any(visitor);
        }
        self.at += 1;
        visit(self.text(&event).get(), visitor).map_err(|error| self.placed(&event, error))
    }
}

fn is_container(event: &sys::pith_event) -> bool {
    matches!(u32::from(event.kind), sys::PITH_ARRAY | sys::PITH_OBJECT)
}

fn is_number(event: &sys::pith_event) -> bool {
    matches!(u32::from(event.kind), sys::PITH_INTEGER | sys::PITH_DECIMAL)
}

fn not_finite(word: &str) -> f64 {
    match word {
        "Inf" => f64::INFINITY,
        "-Inf" => f64::NEG_INFINITY,
        _ => f64::NAN,
    }
}

fn parse<T: std::str::FromStr>(digits: &str) -> Result<T> {
    digits.parse().map_err(|_| {
        let message = format!("the number {digits} does not fit into this type");
        Error::new(Status::BadInput, "out_of_range", message)
    })
}

/// An integer of at most 18 digits, which cannot overflow.
#[inline]
fn parse_short(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit.wrapping_sub(b'0')))
}

#[inline]
fn visit_integer<'de, V: Visitor<'de>>(digits: &str, visitor: V) -> Result<V::Value> {
    match digits.as_bytes() {
        short @ [b'0'..=b'9', ..] if short.len() <= 18 => visitor.visit_u64(parse_short(short)),
        [b'-', short @ ..] if short.len() <= 18 => {
            visitor.visit_i64(0_i64.wrapping_sub_unsigned(parse_short(short)))
        }
        _ => visit_long(digits, visitor),
    }
}

/// An integer that 64 bits may not hold. None of its digits is dropped.
#[cold]
fn visit_long<'de, V: Visitor<'de>>(digits: &str, visitor: V) -> Result<V::Value> {
    if let Ok(number) = digits.parse() {
        return visitor.visit_u64(number);
    }
    if let Ok(number) = digits.parse() {
        return visitor.visit_i64(number);
    }
    if let Ok(number) = digits.parse() {
        return visitor.visit_i128(number);
    }
    visitor.visit_u128(parse(digits)?)
}

fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for group in text.chunks(4) {
        let mut bits = 0_u32;
        for &letter in group {
            let six = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(six);
        }
        bits <<= 6 * (4 - group.len());
        let [_, three @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(match group.len() {
            4 => &three,
            3 => &three[..2],
            2 => &three[..1],
            _ => return None,
        });
    }
    Some(bytes)
}

// --------------------------------------------------------------------------------- serde

struct Elements<'a, 'de> {
    from: &'a mut Events<'de>,
    left: usize,
    index: usize,
}

impl<'de> de::SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.index += 1;
        match seed.deserialize(&mut *self.from) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.in_index(self.index - 1)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

struct Members<'a, 'de> {
    from: &'a mut Events<'de>,
    keys: *const sys::pith_text, // of the value that comes next
    left: usize,
    _own: Option<Keys>,
}

impl Members<'_, '_> {
    /// The key before the one that comes next.
    fn last_key(&self) -> &str {
        // SAFETY: it was handed out, so it is there.
        unsafe { key_at(self.keys.sub(1), self.from.input) }.get()
    }
}

/// # Safety
///
/// The key must be one of those of an object.
#[inline]
unsafe fn key_at<'t>(key: *const sys::pith_text, input: &[u8]) -> Text<'_, 't> {
    // SAFETY: keys live as long as the document.
    unsafe { text_at((*key).ptr.cast(), (*key).len, input) }
}

impl<'de> de::MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        // SAFETY: there are as many keys as members.
        let key = unsafe {
            let key = key_at(self.keys, self.from.input);
            self.keys = self.keys.add(1);
            key
        };
        match seed.deserialize(KeyOf(key)) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.in_key(self.last_key())),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match seed.deserialize(&mut *self.from) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.in_key(self.last_key())),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The key of a member.
struct KeyOf<'de, 't>(Text<'de, 't>);

impl<'de> de::Deserializer<'de> for KeyOf<'de, '_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.visit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(de::value::StrDeserializer::new(self.0.get()))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

macro_rules! by_digits {
    ($($method:ident $visit:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.digits(visitor, |digits, visitor| visitor.$visit(parse(digits)?))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Events<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.any(visitor)
    }

    by_digits! {
        deserialize_f32 visit_f32;
        deserialize_f64 visit_f64;
        deserialize_i128 visit_i128;
        deserialize_u128 visit_u128;
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if u32::from(self.peek()?.kind) == sys::PITH_NULL {
            self.at += 1;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == VALUE_NAME || name == NUMBER_NAME {
            return ByDigits(self).deserialize_any(visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let event = self.next()?;
        match (u32::from(event.kind), event.len) {
            (sys::PITH_STRING, _) => {
                let variant = de::value::StrDeserializer::new(self.text(&event).get());
                visitor.visit_enum(variant).map_err(|error| self.placed(&event, error))
            }
            (sys::PITH_OBJECT, 1) => {
                self.enter()?;
                let (key, own) = self.find_keys(&event);
                let value = visitor.visit_enum(Variant { from: self, key, _own: own })?;
                self.depth -= 1;
                Ok(value)
            }
            (sys::PITH_OBJECT, count) => {
                Err(de::Error::invalid_length(count, &"an object with the variant as its one key"))
            }
            _ => {
                let message = "expected a variant: its name, or an object with it as the one key";
                let error = Error::new(Status::BadInput, "type_mismatch", message);
                Err(self.placed(&event, error))
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string unit unit_struct seq tuple tuple_struct
        map struct identifier
    }
}

/// Numbers as newtypes of their digits: what [`Value`](crate::Value) asks for.
struct ByDigits<'a, 'de>(&'a mut Events<'de>);

impl<'de> de::Deserializer<'de> for ByDigits<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let event = self.0.peek()?;
        if !is_number(&event) {
            return self.0.any(visitor);
        }
        self.0.at += 1;
        visitor.visit_newtype_struct(DigitsOf(self.0.text(&event).get()))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// The digits of a number, as a newtype once more: so they are not taken for a text.
struct DigitsOf<'a>(&'a str);

impl<'de> de::Deserializer<'de> for DigitsOf<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(de::value::StrDeserializer::new(self.0))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// A variant that holds something: `{"name":value}`.
struct Variant<'a, 'de> {
    from: &'a mut Events<'de>,
    key: *const sys::pith_text,
    _own: Option<Keys>,
}

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        // SAFETY: the object has one key.
        let key = unsafe { key_at(self.key, self.from.input) };
        Ok((seed.deserialize(KeyOf(key))?, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Deserialize::deserialize(self.from)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self.from)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        de::Deserializer::deserialize_seq(self.from, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.from.any(visitor)
    }
}
