//! Tables that leave or arrive one row at a time, in bounded memory where the format streams.

use crate::de::Events;
use crate::error::{Error, Result};
use crate::options::{CallOptions, Settings};
use crate::ser::Builder;
use crate::settings::Format;
use crate::sink::{guard, verdict, Sink};
use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use pith_sys as sys;
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::ptr;

const PIECE: usize = 64 * 1024;
const BATCH: usize = 256;

fn raw_columns(columns: &[&str]) -> Vec<sys::pith_text> {
    let raw = |name: &&str| sys::pith_text { ptr: name.as_ptr().cast(), len: name.len() };
    columns.iter().map(raw).collect()
}

/// A table on its way out.
///
/// ```
/// use pith::{Format, RowWriter};
///
/// let mut rows = RowWriter::with_columns(Vec::new(), &["id", "name"], Format::Csv)?;
/// rows.write(&pith::Value::from_iter([("id", 1.into()), ("name", "Ada".into())]))?;
/// assert_eq!(rows.finish()?, b"id,name\n1,\"Ada\"\n");
/// # Ok::<(), pith::Error>(())
/// ```
pub struct RowWriter<W: Write> {
    rows: *mut sys::pith_rows,
    sink: *mut Sink<W>,
    builder: Box<Builder>,
    options: Box<CallOptions>,
}

// SAFETY: the handle may move between threads, and all else may where the writer may.
unsafe impl<W: Write + Send> Send for RowWriter<W> {}

impl<W: Write> RowWriter<W> {
    /// Rows that are any values.
    ///
    /// # Errors
    ///
    /// When a setting is wrong.
    pub fn new(writer: W, how: impl Into<Settings>) -> Result<Self> {
        Self::with_columns(writer, &[], how)
    }

    /// Rows that are objects with keys from among the columns, which are in this order.
    ///
    /// # Errors
    ///
    /// When a setting is wrong, or two columns have one name.
    pub fn with_columns(writer: W, columns: &[&str], how: impl Into<Settings>) -> Result<Self> {
        let settings = how.into();
        let mut options = Box::new(settings.for_call());
        let builder = Box::new(Builder::new()?);
        let texts = raw_columns(columns);
        let at = if texts.is_empty() { ptr::null() } else { texts.as_ptr() };
        let mut err = sys::pith_error::default();
        let sink = Box::into_raw(Box::new(Sink::new(writer)));
        // SAFETY: the sink lives as long as the rows; the rest is copied, or in the options.
        let rows = unsafe {
            let (to, raw) = (Sink::raw_of(sink), options.raw());
            sys::pith_rows_open(settings.write_name(), at, texts.len(), &raw, to, &mut err)
        };
        let made = Self { rows, sink, builder, options };
        if rows.is_null() {
            return Err(made.failure(&err));
        }
        Ok(made)
    }

    fn failure(&self, err: &sys::pith_error) -> Error {
        // SAFETY: the sink is ours, and no call is under way.
        let sink = unsafe { &mut *self.sink };
        sink.verdict(err.status, err).err().unwrap_or_else(|| Error::of(err))
    }

    fn verdict(&self, status: sys::pith_status, err: &sys::pith_error) -> Result<()> {
        // SAFETY: the sink is ours, and no call is under way.
        unsafe { &mut *self.sink }.verdict(status, err)
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// When the format cannot hold it, or the writer fails. The first failure sticks.
    pub fn write<T: ?Sized + Serialize>(&mut self, row: &T) -> Result<()> {
        let root = self.builder.root(row, self.options.settings.depth())?;
        let mut err = sys::pith_error::default();
        // SAFETY: the handle is ours, and the row is copied.
        let status = unsafe { sys::pith_rows_add_row(self.rows, root, &mut err) };
        self.verdict(status, &err)
    }

    /// Sends what was written so far to the writer, where the format streams.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn flush(&mut self) -> Result<()> {
        let mut err = sys::pith_error::default();
        // SAFETY: the handle is ours.
        let status = unsafe { sys::pith_rows_flush(self.rows, &mut err) };
        self.verdict(status, &err)?;
        // SAFETY: the sink is ours, and no call is under way.
        unsafe { &mut *self.sink }.writer.flush().map_err(Error::io)
    }

    /// Writes the end of the table, without which it is not whole, and gives the writer back.
    ///
    /// # Errors
    ///
    /// When the format cannot hold the table, or the writer fails.
    pub fn finish(mut self) -> Result<W> {
        let mut err = sys::pith_error::default();
        let rows = std::mem::replace(&mut self.rows, ptr::null_mut());
        // SAFETY: the handle is ours, and not used any more.
        let status = unsafe { sys::pith_rows_close(rows, &mut err) };
        self.verdict(status, &err)?;
        let sink = std::mem::replace(&mut self.sink, ptr::null_mut());
        // SAFETY: it was made from a box, and nothing has it any more.
        Ok(unsafe { Box::from_raw(sink) }.writer)
    }
}

impl<W: Write> Drop for RowWriter<W> {
    fn drop(&mut self) {
        // SAFETY: both are ours, or NULL.
        unsafe {
            sys::pith_rows_abandon(self.rows);
            if !self.sink.is_null() {
                drop(Box::from_raw(self.sink));
            }
        }
    }
}

impl<W: Write> fmt::Debug for RowWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowWriter")
            .field("settings", &self.options.settings)
            .finish_non_exhaustive()
    }
}

/// A table on its way in: an iterator of rows of a type. After an error there are no more.
///
/// ```
/// use pith::{Format, RowReader};
///
/// #[derive(serde::Deserialize)]
/// struct User {
///     id: u32,
///     name: String,
/// }
///
/// let mut users = RowReader::<_, User>::new("id,name\n1,Ada\n2,Linus\n".as_bytes(), Format::Csv)?;
/// assert_eq!(users.columns()?, ["id", "name"]);
/// let names: Result<Vec<String>, _> = users.map(|user| user.map(|user| user.name)).collect();
/// assert_eq!(names?, ["Ada", "Linus"]);
/// # Ok::<(), pith::Error>(())
/// ```
pub struct RowReader<R, T> {
    reader: *mut sys::pith_reader,
    input: R,
    piece: Vec<u8>,
    rows: Option<Events<'static>>, // of the present batch
    left: usize,
    fed: bool,
    done: bool,
    options: Box<CallOptions>,
    row: PhantomData<fn() -> T>,
}

// SAFETY: the handle, and the rows that are its, may move between threads together.
unsafe impl<R: Send, T> Send for RowReader<R, T> {}

impl<R, T> Drop for RowReader<R, T> {
    fn drop(&mut self) {
        // SAFETY: the handle is ours.
        unsafe { sys::pith_reader_free(self.reader) }
    }
}

impl<R: Read, T: DeserializeOwned> RowReader<R, T> {
    /// The rows of a text. The format has to be named.
    ///
    /// # Errors
    ///
    /// When a setting is wrong.
    pub fn new(input: R, how: impl Into<Settings>) -> Result<Self> {
        let settings = how.into();
        let mut options = Box::new(settings.for_call());
        let mut err = sys::pith_error::default();
        // SAFETY: the options live as long as the reader.
        let reader =
            unsafe { sys::pith_reader_open(settings.write_name(), &options.raw(), &mut err) };
        if reader.is_null() {
            return Err(Error::of(&err));
        }
        Ok(Self {
            reader,
            input,
            piece: vec![0; PIECE],
            rows: None,
            left: 0,
            fed: false,
            done: false,
            options,
            row: PhantomData,
        })
    }

    /// Gives the reader the next piece, or the end.
    fn feed(&mut self) -> Result<()> {
        let len = loop {
            match self.input.read(&mut self.piece) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(error)),
                Ok(len) => break len,
            }
        };
        let mut err = sys::pith_error::default();
        // SAFETY: the handle is ours, and the piece is copied.
        let status = unsafe {
            if len == 0 {
                self.fed = true;
                sys::pith_reader_end(self.reader, &mut err)
            } else {
                sys::pith_reader_feed(self.reader, self.piece.as_ptr().cast(), len, &mut err)
            }
        };
        verdict(status, &err)
    }

    /// The names of the columns, in formats that tell them before the first row; else none.
    ///
    /// # Errors
    ///
    /// When the input fails.
    pub fn columns(&mut self) -> Result<Vec<String>> {
        if self.rows.is_some() {
            return Ok(Vec::new());
        }
        loop {
            // SAFETY: the handle is ours; there is room for what is asked.
            let names = unsafe {
                let count = sys::pith_reader_columns(self.reader, ptr::null_mut(), 0);
                let none = sys::pith_text { ptr: ptr::null(), len: 0 };
                let mut texts = vec![none; count];
                sys::pith_reader_columns(self.reader, texts.as_mut_ptr(), count);
                let name = |text: &sys::pith_text| {
                    let bytes = if text.len == 0 {
                        &[]
                    } else {
                        core::slice::from_raw_parts(text.ptr.cast::<u8>(), text.len)
                    };
                    String::from_utf8_lossy(bytes).into_owned()
                };
                texts.iter().map(name).collect::<Vec<_>>()
            };
            if !names.is_empty() || self.fed {
                return Ok(names);
            }
            self.feed()?;
        }
    }

    fn next_batch(&mut self) -> Result<bool> {
        self.rows = None;
        while !self.done {
            let mut rows = sys::pith_value { doc: ptr::null(), at: 0, parent: 0, index: 0 };
            let mut err = sys::pith_error::default();
            // SAFETY: the handle is ours, and the rows of the last batch are not used any more.
            let status = unsafe {
                sys::pith_reader_batch(self.reader, BATCH, &mut rows, &mut self.done, &mut err)
            };
            verdict(status, &err)?;
            if !rows.doc.is_null() {
                let mut events = Events::new(rows, &[]);
                self.left = events.begin_array()?;
                self.rows = Some(events);
                return Ok(true);
            }
            if !self.done {
                self.feed()?;
            }
        }
        Ok(false)
    }

    fn read(&mut self) -> Result<Option<T>> {
        if self.left == 0 && !self.next_batch()? {
            return Ok(None);
        }
        self.left -= 1;
        match &mut self.rows {
            Some(rows) => T::deserialize(rows).map(Some),
            None => Ok(None),
        }
    }
}

impl<R: Read, T: DeserializeOwned> Iterator for RowReader<R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let row = self.read().transpose();
        if !matches!(row, Some(Ok(_))) {
            (self.left, self.done) = (0, true);
        }
        row
    }
}

impl<R, T> fmt::Debug for RowReader<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowReader")
            .field("settings", &self.options.settings)
            .finish_non_exhaustive()
    }
}

// ------------------------------------------------------------------------------- parts

/// A whole table of at most so many tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The text.
    pub text: String,
    /// The format that it is in.
    pub format: Format,
    /// Its tokens.
    pub tokens: usize,
    /// The number of its first row, from 0.
    pub first_row: u64,
    /// How many rows it has.
    pub rows: u64,
    /// Whether it is one row that has more tokens than allowed.
    pub too_long: bool,
}

/// Rows as parts: what [`pack`] returns.
pub struct Parts<I> {
    handle: *mut sys::pith_parts,
    rows: I,
    ready: *mut VecDeque<Part>,
    builder: Box<Builder>,
    options: Box<CallOptions>,
}

// SAFETY: the handle may move between threads, and all else may where the rows may.
unsafe impl<I: Send> Send for Parts<I> {}

unsafe extern "C" fn take_part(ctx: *mut c_void, part: *const sys::pith_part) -> sys::pith_status {
    // SAFETY: `ctx` is the queue of the parts; the part lives as long as this call.
    let (ready, part) = unsafe { (&mut *ctx.cast::<VecDeque<Part>>(), &*part) };
    let taken = guard(|| {
        // SAFETY: the text has that length, and the name is static.
        let (text, format) = unsafe {
            let bytes = core::slice::from_raw_parts(part.text.cast::<u8>(), part.len);
            (String::from_utf8_lossy(bytes).into_owned(), Format::of_name(part.format))
        };
        ready.push_back(Part {
            text,
            format: format.unwrap_or(Format::Json),
            tokens: part.tokens,
            first_row: part.first_row,
            rows: part.rows,
            too_long: part.too_long,
        });
    });
    if taken.is_some() {
        sys::PITH_OK
    } else {
        sys::PITH_CANCELLED
    }
}

/// Endless rows as texts of at most `tokens` tokens each, for prompts of a certain size. Each is a
/// whole table; memory is bounded by the rows of about two.
///
/// ```
/// let rows = (0..1000).map(|id| pith::Value::from_iter([("id", pith::Value::from(id))]));
/// let parts = pith::pack(rows, 500, pith::Format::Toon)?.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(parts.iter().map(|part| part.rows).sum::<u64>(), 1000);
/// assert!(parts.len() > 1 && parts.iter().all(|part| part.tokens <= 500));
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When a setting is wrong. The parts themselves may be errors, after which there are no more.
pub fn pack<I>(rows: I, tokens: usize, how: impl Into<Settings>) -> Result<Parts<I::IntoIter>>
where
    I: IntoIterator,
    I::Item: Serialize,
{
    let settings = how.into();
    let mut options = Box::new(settings.for_call());
    let mut err = sys::pith_error::default();
    let builder = Box::new(Builder::new()?);
    let ready: *mut VecDeque<Part> = Box::into_raw(Box::default());
    // SAFETY: the queue and the options live as long as the parts.
    let parts = unsafe {
        let (name, raw) = (settings.write_name(), options.raw());
        let (take, ctx) = (Some(take_part as _), ready.cast());
        sys::pith_parts_open(name, ptr::null(), 0, tokens, &raw, take, ctx, &mut err)
    };
    let made = Parts { handle: parts, rows: rows.into_iter(), ready, builder, options };
    if parts.is_null() {
        return Err(Error::of(&err));
    }
    Ok(made)
}

impl<I> Drop for Parts<I> {
    fn drop(&mut self) {
        // SAFETY: both are ours; NULL is no parts.
        unsafe {
            sys::pith_parts_abandon(self.handle);
            drop(Box::from_raw(self.ready));
        }
    }
}

impl<I> Parts<I> {
    fn pop(&mut self) -> Option<Part> {
        // SAFETY: the queue is ours, and no call is under way.
        unsafe { &mut *self.ready }.pop_front()
    }
}

impl<I: Iterator> Parts<I>
where
    I::Item: Serialize,
{
    fn take(&mut self) -> Result<Option<Part>> {
        loop {
            if let Some(part) = self.pop() {
                return Ok(Some(part));
            }
            if self.handle.is_null() {
                return Ok(None);
            }
            let mut err = sys::pith_error::default();
            // SAFETY: the handle is ours; a row is copied, and after the end it is gone.
            let status = unsafe {
                if let Some(row) = self.rows.next() {
                    let root = self.builder.root(&row, self.options.settings.depth())?;
                    sys::pith_parts_add_row(self.handle, root, &mut err)
                } else {
                    let handle = std::mem::replace(&mut self.handle, ptr::null_mut());
                    sys::pith_parts_close(handle, &mut err)
                }
            };
            verdict(status, &err)?;
        }
    }
}

impl<I: Iterator> Iterator for Parts<I>
where
    I::Item: Serialize,
{
    type Item = Result<Part>;

    fn next(&mut self) -> Option<Result<Part>> {
        let taken = self.take();
        if taken.is_err() {
            // SAFETY: the handle is ours, or NULL; the parts that are ready are not whole.
            unsafe { sys::pith_parts_abandon(std::mem::replace(&mut self.handle, ptr::null_mut())) }
            while self.pop().is_some() {}
        }
        taken.transpose()
    }
}

impl<I> fmt::Debug for Parts<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("settings", &self.options.settings).finish_non_exhaustive()
    }
}
