//! What a text costs a model.

use crate::error::{Error, Result, Status};
use crate::options::Settings;
use crate::settings::Format;
use core::ffi::CStr;
use core::fmt;
use pith_sys as sys;
use serde::Serialize;
use std::ffi::CString;
use std::ptr;

/// The tokens of a family of models. It never changes, so any number of threads may use one.
///
/// ```
/// use pith::Vocabulary;
///
/// let words = Vocabulary::open("o200k_base")?;
/// assert_eq!(words.encode("hello world")?, [24912, 2375]);
/// assert_eq!(words.decode(&[24912, 2375])?, b"hello world");
/// # Ok::<(), pith::Error>(())
/// ```
pub struct Vocabulary(*mut sys::pith_vocab);

// SAFETY: the header says that any number of threads may use one.
unsafe impl Send for Vocabulary {}
unsafe impl Sync for Vocabulary {}

impl Drop for Vocabulary {
    fn drop(&mut self) {
        // SAFETY: it is ours, and whoever uses it borrows or shares it.
        unsafe { sys::pith_vocab_free(self.0) }
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Vocabulary").field(&self.name()).finish()
    }
}

impl Vocabulary {
    fn made(raw: *mut sys::pith_vocab, err: &sys::pith_error) -> Result<Self> {
        if raw.is_null() {
            return Err(Error::of(err));
        }
        Ok(Self(raw))
    }

    /// One of those that are built in, as `"o200k_base"`, or `"estimate"`: a token for four bytes.
    ///
    /// # Errors
    ///
    /// When there is none of that name, or it was not built in.
    pub fn open(name: &str) -> Result<Self> {
        let name = CString::new(name)
            .map_err(|_| Error::new(Status::BadUse, "unknown_vocabulary", "a name holds no NUL"))?;
        let mut err = sys::pith_error::default();
        // SAFETY: the name lives as long as the call.
        let raw = unsafe { sys::pith_vocab_open(name.as_ptr(), ptr::null(), &mut err) };
        Self::made(raw, &err)
    }

    /// That of another model, from the text of its `tokenizer.json`.
    ///
    /// # Errors
    ///
    /// When the text is none, or says what is not supported.
    pub fn read(text: &[u8]) -> Result<Self> {
        let mut err = sys::pith_error::default();
        // SAFETY: the text lives as long as the call.
        let raw = unsafe {
            sys::pith_vocab_read(text.as_ptr().cast(), text.len(), ptr::null(), &mut err)
        };
        Self::made(raw, &err)
    }

    pub(crate) fn raw(&self) -> *const sys::pith_vocab {
        self.0
    }

    fn info(&self) -> sys::pith_vocab_info {
        // SAFETY: it is open.
        unsafe { sys::pith_vocab_describe(self.0) }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        // SAFETY: the name lives as long as the vocabulary.
        unsafe { CStr::from_ptr(self.info().name) }.to_string_lossy().into_owned()
    }

    /// Whether it counts exactly: `"estimate"` does not.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.info().exact
    }

    /// The number of tokens of a text.
    ///
    /// # Errors
    ///
    /// When memory runs out.
    pub fn count(&self, text: &str) -> Result<usize> {
        let mut count = 0;
        let mut err = sys::pith_error::default();
        // SAFETY: the text lives as long as the call.
        let status = unsafe {
            let (at, len) = (text.as_ptr().cast(), text.len());
            sys::pith_vocab_count(self.0, at, len, ptr::null(), &mut count, &mut err)
        };
        crate::sink::verdict(status, &err)?;
        Ok(count)
    }

    /// The tokens of a text; what looks like a special token is text like any other.
    ///
    /// # Errors
    ///
    /// When memory runs out, or this is an estimate.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        // SAFETY: zero bytes are an empty list.
        let mut tokens: sys::pith_tokens = unsafe { core::mem::zeroed() };
        let mut err = sys::pith_error::default();
        // SAFETY: the text lives as long as the call; the list is ours, and freed once.
        unsafe {
            let (at, len) = (text.as_ptr().cast(), text.len());
            let text_only = sys::PITH_SPECIAL_IS_TEXT;
            let status = sys::pith_vocab_encode(self.0, at, len, text_only, &mut tokens, &mut err);
            let ids = if tokens.count == 0 {
                Vec::new()
            } else {
                core::slice::from_raw_parts(tokens.ids, tokens.count).to_vec()
            };
            sys::pith_tokens_free(&mut tokens);
            crate::sink::verdict(status, &err)?;
            Ok(ids)
        }
    }

    /// The text of tokens. It may begin or end inside of a character.
    ///
    /// # Errors
    ///
    /// When there is no such token.
    pub fn decode(&self, ids: &[u32]) -> Result<Vec<u8>> {
        // SAFETY: all that is handed over lives as long as the call.
        crate::sink::collect(|sink, err| unsafe {
            sys::pith_vocab_decode(self.0, ids.as_ptr(), ids.len(), ptr::null(), sink, err)
        })
    }
}

/// The number of tokens of a text, by `o200k_base`.
///
/// ```
/// assert_eq!(pith::count("hello world")?, 2);
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When that vocabulary was not built in.
pub fn count(text: &str) -> Result<usize> {
    Vocabulary::open("o200k_base")?.count(text)
}

/// What a value costs in one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The format.
    pub format: Format,
    /// The tokens of the text.
    pub tokens: usize,
    /// The text.
    pub text: String,
}

/// What a value costs in each format that can hold it, the cheapest first.
///
/// ```
/// let costs = pith::compare(&[(1, "one"), (2, "two")], pith::Format::ALL)?;
/// assert!(costs[0].tokens <= costs.last().unwrap().tokens);
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When the value cannot be serialized at all, or tokens not be counted.
pub fn compare<T: ?Sized + Serialize>(value: &T, formats: &[Format]) -> Result<Vec<Cost>> {
    let words = Vocabulary::open("o200k_base")?;
    let settings = Settings::new(Format::Json);
    let mut costs = Vec::new();
    crate::ser::with_built(value, &settings, |root| {
        for &format in formats {
            if matches!(format, Format::SochBin | Format::Auto | Format::Answer) {
                continue;
            }
            match crate::ser::write_value(root, &format.into()).and_then(crate::sink::text_of) {
                Ok(text) => costs.push(Cost { format, tokens: words.count(&text)?, text }),
                Err(error) if error.status() == Status::Unrepresentable => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    })?;
    costs.sort_by_key(|cost| (cost.tokens, cost.text.len()));
    Ok(costs)
}

/// As much of a value as fits into so many tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The text.
    pub text: String,
    /// The format that it is in.
    pub format: Format,
    /// Its tokens.
    pub tokens: usize,
    /// The rows that stayed.
    pub rows: usize,
    /// The rows that did not.
    pub rows_left_out: usize,
}

/// The value in at most `budget` tokens: rows are left out, and the result says how many.
/// [`Settings::keep`] says which of them stay.
///
/// ```
/// let rows: Vec<(u32, String)> = (0..1000).map(|i| (i, format!("row number {i}"))).collect();
/// let fitted = pith::fit(&rows, 200, pith::Format::Toon)?;
/// assert!(fitted.tokens <= 200 && fitted.rows + fitted.rows_left_out == 1000);
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When not even one row fits, and as [`to_string`](crate::to_string).
pub fn fit<T: ?Sized + Serialize>(
    value: &T,
    budget: u64,
    how: impl Into<Settings>,
) -> Result<Fitted> {
    let settings = how.into().budget(budget);
    crate::ser::with_built(value, &settings, |root| {
        let mut options = settings.for_call();
        options.want_outcome();
        let raw = options.raw();
        // SAFETY: all that is handed over lives as long as the call.
        let bytes = crate::sink::collect(|sink, err| unsafe {
            sys::pith_value_write(root, settings.write_name(), &raw, sink, err)
        })?;
        let outcome = options.outcome();
        // SAFETY: the name of a format is static.
        let format = unsafe { Format::of_name(outcome.format) };
        Ok(Fitted {
            text: crate::sink::text_of(bytes)?,
            format: format.unwrap_or(settings.format()),
            tokens: outcome.tokens,
            rows: outcome.rows,
            rows_left_out: outcome.rows_left_out,
        })
    })
}

impl Format {
    /// # Safety
    ///
    /// The name must be NULL or a text with a NUL at its end.
    pub(crate) unsafe fn of_name(name: *const core::ffi::c_char) -> Option<Self> {
        if name.is_null() {
            return None;
        }
        // SAFETY: as the caller says.
        let name = unsafe { CStr::from_ptr(name) };
        Self::ALL.iter().copied().find(|format| format.c_name() == name)
    }

    /// Its name: `"toon"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.c_name().to_str().unwrap_or_default()
    }

    /// The format that a text is in, judged by its content.
    #[must_use]
    pub fn of_text(text: &[u8]) -> Option<Self> {
        // SAFETY: the text lives as long as the call; what comes back is static.
        unsafe {
            let format = sys::pith_format_of(ptr::null(), text.as_ptr().cast(), text.len());
            if format.is_null() {
                return None;
            }
            Self::of_name((*format).name)
        }
    }

    /// What is known of it.
    fn raw(self) -> Option<&'static sys::pith_format> {
        // SAFETY: the name has a NUL; what comes back is static.
        unsafe { sys::pith_format_find(self.c_name().as_ptr()).as_ref() }
    }

    /// Whether it is bytes and no text.
    #[must_use]
    pub fn is_binary(self) -> bool {
        self.raw().is_some_and(|raw| raw.binary)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Format {
    type Err = Error;

    /// By its name, in any case of letters.
    fn from_str(name: &str) -> Result<Self> {
        let name = if name.eq_ignore_ascii_case("jsonl") { "ndjson" } else { name };
        Self::ALL.iter().copied().find(|f| f.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let message = format!("there is no format '{}'", name.escape_debug());
            Error::new(Status::BadUse, "unknown_format", message)
        })
    }
}
