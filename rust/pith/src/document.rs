//! Texts that are read, walked, converted and checked without a type for them.

use crate::de::RawDoc;
use crate::error::{Error, Result};
use crate::options::Settings;
use crate::settings::Format;
use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use pith_sys as sys;
use serde::de::DeserializeOwned;
use serde::Serialize;

/// A value with everything in it, in one block of memory, and borrowed from its text.
///
/// ```
/// use pith::{Document, Format};
///
/// let document = Document::parse("users[1]{id,name}:\n  7,Ada", Format::Toon)?;
/// let user = document.root().get("users").and_then(|users| users.at(0)).unwrap();
/// assert_eq!(user.get("name").unwrap().as_str(), Some("Ada"));
/// assert_eq!(user.write(Format::Json)?, "{\"id\":7,\"name\":\"Ada\"}");
/// # Ok::<(), pith::Error>(())
/// ```
pub struct Document<'a> {
    doc: RawDoc,
    text: PhantomData<&'a [u8]>,
}

impl<'a> Document<'a> {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// When it is not what its format allows, or a limit is reached.
    pub fn parse(text: &'a str, how: impl Into<Settings>) -> Result<Self> {
        Self::parse_slice(text.as_bytes(), how)
    }

    /// Reads bytes, which have to be UTF-8 unless the format is [`Format::SochBin`].
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_slice(text: &'a [u8], how: impl Into<Settings>) -> Result<Self> {
        let mut doc = RawDoc::new()?;
        doc.read(text, &how.into())?;
        Ok(Self { doc, text: PhantomData })
    }

    /// The value.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node { raw: self.doc.root(), document: PhantomData }
    }
}

impl Document<'static> {
    /// What a value of any type is.
    ///
    /// # Errors
    ///
    /// When its serialization fails.
    pub fn of<T: ?Sized + Serialize>(value: &T) -> Result<Self> {
        let doc = crate::ser::build_alone(value)?;
        Ok(Self { doc, text: PhantomData })
    }
}

impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Document").field(&self.root()).finish()
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing.
    Null,
    /// True or false.
    Bool,
    /// Digits without point or exponent.
    Integer,
    /// Digits with point, exponent or both.
    Decimal,
    /// A text.
    String,
    /// Values in order.
    Array,
    /// Members in order.
    Object,
}

/// A place in a [`Document`].
#[derive(Clone, Copy)]
pub struct Node<'d> {
    raw: sys::pith_value,
    document: PhantomData<&'d RawDoc>,
}

// SAFETY: any number of threads may read a finished document.
unsafe impl Send for Node<'_> {}
unsafe impl Sync for Node<'_> {}

impl<'d> Node<'d> {
    /// # Safety
    ///
    /// The value must be valid for `'d`.
    pub(crate) unsafe fn of(raw: sys::pith_value) -> Option<Self> {
        (!raw.doc.is_null()).then_some(Self { raw, document: PhantomData })
    }

    fn text_of(text: sys::pith_text) -> &'d str {
        if text.len == 0 {
            return "";
        }
        // SAFETY: texts are UTF-8 and live as long as the document.
        unsafe {
            let bytes = core::slice::from_raw_parts(text.ptr.cast(), text.len);
            core::str::from_utf8_unchecked(bytes)
        }
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        // SAFETY: the document lives.
        match unsafe { sys::pith_value_kind(self.raw) } {
            sys::PITH_FALSE | sys::PITH_TRUE => Kind::Bool,
            sys::PITH_INTEGER => Kind::Integer,
            sys::PITH_DECIMAL => Kind::Decimal,
            sys::PITH_STRING => Kind::String,
            sys::PITH_ARRAY => Kind::Array,
            sys::PITH_OBJECT => Kind::Object,
            _ => Kind::Null,
        }
    }

    /// How many elements or members there are; 0 for anything else.
    #[must_use]
    pub fn len(&self) -> usize {
        // SAFETY: the document lives.
        unsafe { sys::pith_value_count(self.raw) }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The member of that name.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Self> {
        // SAFETY: the document lives.
        unsafe { Self::of(sys::pith_value_get(self.raw, key.as_ptr().cast(), key.len())) }
    }

    /// The element or member value at that place.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<Self> {
        // SAFETY: the document lives.
        unsafe { Self::of(sys::pith_value_at(self.raw, index)) }
    }

    /// The elements or member values.
    #[must_use]
    pub fn iter(&self) -> Children<'d> {
        // SAFETY: the document lives.
        Children { next: unsafe { Self::of(sys::pith_value_first(self.raw)) } }
    }

    /// The key under which it is; empty for what is no member.
    #[must_use]
    pub fn key(&self) -> &'d str {
        // SAFETY: the document lives.
        Self::text_of(unsafe { sys::pith_value_key(self.raw) })
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&'d str> {
        // SAFETY: the document lives.
        let text = || Self::text_of(unsafe { sys::pith_value_text(self.raw) });
        (self.kind() == Kind::String).then(text)
    }

    /// The digits of a number, as they were written.
    #[must_use]
    pub fn digits(&self) -> Option<&'d str> {
        // SAFETY: the document lives.
        let text = || Self::text_of(unsafe { sys::pith_value_text(self.raw) });
        matches!(self.kind(), Kind::Integer | Kind::Decimal).then(text)
    }

    /// True or false.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        // SAFETY: the document lives.
        let truth = unsafe { sys::pith_value_kind(self.raw) } == sys::PITH_TRUE;
        (self.kind() == Kind::Bool).then_some(truth)
    }

    /// The integer, when it is one and fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        let mut number = 0;
        // SAFETY: the document lives.
        unsafe { sys::pith_value_int64(self.raw, &mut number) }.then_some(number)
    }

    /// The integer, when it is one and fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        let mut number = 0;
        // SAFETY: the document lives.
        unsafe { sys::pith_value_uint64(self.raw, &mut number) }.then_some(number)
    }

    /// The double nearest to the number.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        let mut number = 0.0;
        // SAFETY: the document lives.
        unsafe { sys::pith_value_double(self.raw, &mut number) }.then_some(number)
    }

    /// The value as a type.
    ///
    /// # Errors
    ///
    /// When it is not what the type wants.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T> {
        crate::de::value_of(self.raw, &[])
    }

    /// The value as text.
    ///
    /// # Errors
    ///
    /// When the format cannot hold it.
    pub fn write(&self, how: impl Into<Settings>) -> Result<String> {
        crate::sink::text_of(crate::ser::write_value(self.raw, &how.into())?)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write(Format::Json).map_err(|_| fmt::Error)?)
    }
}

impl PartialEq for Node<'_> {
    /// The same kind, digits, text, keys, members and order, all the way down.
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: both documents live.
        unsafe { sys::pith_value_equal(self.raw, other.raw) }
    }
}

impl<'d> IntoIterator for Node<'d> {
    type Item = Node<'d>;
    type IntoIter = Children<'d>;

    fn into_iter(self) -> Children<'d> {
        self.iter()
    }
}

impl<'d> IntoIterator for &Node<'d> {
    type Item = Node<'d>;
    type IntoIter = Children<'d>;

    fn into_iter(self) -> Children<'d> {
        self.iter()
    }
}

/// The elements or members of a [`Node`].
#[derive(Clone, Debug)]
pub struct Children<'d> {
    next: Option<Node<'d>>,
}

impl<'d> Iterator for Children<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let node = self.next?;
        // SAFETY: the document lives.
        self.next = unsafe { Node::of(sys::pith_value_next(node.raw)) };
        Some(node)
    }
}

// ---------------------------------------------------------------------- without a document

/// Turns text into text.
///
/// ```
/// use pith::{Format, Settings};
///
/// let text = "{\"items\":[{\"id\":1,\"url\":\"x\"}]}";
/// assert_eq!(pith::convert(text, Settings::new(Format::Json).at("items").drop("url"), Format::Csv)?, "id\n1\n");
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When the text is not what its format allows, the other format cannot hold it, or is bytes.
pub fn convert(text: &str, from: impl Into<Settings>, to: impl Into<Settings>) -> Result<String> {
    crate::sink::text_of(convert_slice(text.as_bytes(), from, to)?)
}

/// Turns bytes into bytes.
///
/// # Errors
///
/// As [`convert`].
pub fn convert_slice(
    text: &[u8],
    from: impl Into<Settings>,
    to: impl Into<Settings>,
) -> Result<Vec<u8>> {
    let (from, to) = (from.into(), to.into());
    let mut read = from.for_call();
    let mut write = to.for_call();
    let reading = read.raw();
    let mut raw = write.raw();
    raw.read = reading.read;
    raw.memory_max = reading.memory_max;
    raw.depth_max = from.depth_asked().max(to.depth_asked());
    if raw.notice.is_none() {
        (raw.notice, raw.notice_ctx) = (reading.notice, reading.notice_ctx);
    }
    // SAFETY: all that is handed over lives as long as the call.
    crate::sink::collect(|sink, err| unsafe {
        let (at, len) = (text.as_ptr().cast(), text.len());
        sys::pith_convert(from.read_name(), to.write_name(), at, len, &raw, sink, err)
    })
}

unsafe extern "C" fn note(ctx: *mut c_void, problem: *const sys::pith_error) -> bool {
    // SAFETY: `ctx` is the list of the call, and the problem lives as long as this.
    let (problems, problem) = unsafe { (&mut *ctx.cast::<Vec<Error>>(), &*problem) };
    crate::sink::guard(|| problems.push(Error::of(problem))).is_some()
}

/// Every problem of a text, in the order of their places; none when it is right.
///
/// ```
/// let problems = pith::check("{\"id\": 01,\n \"id\" 2}", pith::Format::Json)?;
/// assert_eq!(problems[0].code(), "invalid_number");
/// assert!(problems.len() > 1);
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When the reading could not be finished.
pub fn check(text: &str, how: impl Into<Settings>) -> Result<Vec<Error>> {
    let settings = how.into();
    let mut options = settings.for_call();
    let raw = options.raw();
    let mut problems: Vec<Error> = Vec::new();
    let mut err = sys::pith_error::default();
    // SAFETY: all that is handed over lives as long as the call.
    let status = unsafe {
        let (at, len) = (text.as_ptr().cast(), text.len());
        let ctx = std::ptr::from_mut(&mut problems).cast();
        sys::pith_check(settings.read_name(), at, len, &raw, Some(note), ctx, &mut err)
    };
    match crate::sink::verdict(status, &err) {
        Err(error) if problems.is_empty() || status == sys::PITH_NO_MEMORY => Err(error),
        _ => Ok(problems),
    }
}

/// What a model answered, as a value, and what had to be mended for that.
#[derive(Debug)]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// Every mend, with its place and its code word.
    pub mends: Vec<Error>,
}

/// Finds the data in what a model answered, mends what cannot be meant otherwise, and reads it.
///
/// ```
/// let answer: pith::Answer<Vec<u32>> = pith::answer("Sure!\n```json\n[1, 2, 3,]\n```", pith::Format::Answer)?;
/// assert_eq!((answer.value, answer.mends.len()), (vec![1, 2, 3], 1));
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When there is no data, it would have to be mended further than the settings of
/// [`Answer`](crate::settings::Answer) allow, or it is not what the type wants.
pub fn answer<T: DeserializeOwned>(text: &str, how: impl Into<Settings>) -> Result<Answer<T>> {
    let mends = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = mends.clone();
    let settings = how.into().on_notice(move |mend| {
        if let Ok(mut mends) = told.lock() {
            mends.push(mend);
        }
    });
    let value = crate::from_str(text, settings)?;
    let mends = mends.lock().map(|mut mends| std::mem::take(&mut *mends)).unwrap_or_default();
    Ok(Answer { value, mends })
}

/// An answer while it arrives.
///
/// ```
/// let mut answer = pith::AnswerReader::new(pith::Format::Answer)?;
/// answer.feed(b"{\"city\": \"Os")?;
/// assert_eq!(answer.root().unwrap().get("city").unwrap().as_str(), Some("Os"));
/// answer.feed(b"lo\"}")?;
/// answer.end()?;
/// assert_eq!(answer.root().unwrap().get("city").unwrap().as_str(), Some("Oslo"));
/// # Ok::<(), pith::Error>(())
/// ```
#[derive(Debug)]
pub struct AnswerReader(*mut sys::pith_answer);

// SAFETY: a handle may move between threads.
unsafe impl Send for AnswerReader {}

impl Drop for AnswerReader {
    fn drop(&mut self) {
        // SAFETY: the handle is ours.
        unsafe { sys::pith_answer_free(self.0) }
    }
}

impl AnswerReader {
    /// Nothing has arrived yet. A listener of notices is not told here.
    ///
    /// # Errors
    ///
    /// When a setting is wrong.
    pub fn new(how: impl Into<Settings>) -> Result<Self> {
        let settings = how.into().without_listener();
        let mut options = settings.for_call();
        let mut err = sys::pith_error::default();
        // SAFETY: the options live as long as the call.
        let raw = unsafe { sys::pith_answer_open(&options.raw(), &mut err) };
        if raw.is_null() {
            return Err(Error::of(&err));
        }
        Ok(Self(raw))
    }

    /// Takes the next piece.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn feed(&mut self, piece: &[u8]) -> Result<()> {
        let mut err = sys::pith_error::default();
        // SAFETY: the handle is ours; the piece is copied.
        let status =
            unsafe { sys::pith_answer_feed(self.0, piece.as_ptr().cast(), piece.len(), &mut err) };
        crate::sink::verdict(status, &err)
    }

    /// Says that this was all, and reads all of it.
    ///
    /// # Errors
    ///
    /// As [`answer`].
    pub fn end(&mut self) -> Result<()> {
        let mut err = sys::pith_error::default();
        // SAFETY: the handle is ours.
        let status = unsafe { sys::pith_answer_end(self.0, &mut err) };
        crate::sink::verdict(status, &err)
    }

    /// What is there so far.
    #[must_use]
    pub fn root(&self) -> Option<Node<'_>> {
        // SAFETY: the value is valid until the next piece.
        unsafe { Node::of(sys::pith_answer_root(self.0)) }
    }

    /// How many elements or members of the root are complete.
    #[must_use]
    pub fn complete(&self) -> usize {
        // SAFETY: the handle is ours.
        unsafe { sys::pith_answer_complete(self.0) }
    }

    /// Whether the root is complete.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        // SAFETY: the handle is ours.
        unsafe { sys::pith_answer_finished(self.0) }
    }
}
