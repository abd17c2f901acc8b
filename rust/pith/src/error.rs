//! What went wrong, and where.

use core::ffi::CStr;
use core::fmt;
use pith_sys as sys;
use std::borrow::Cow;
use std::io;

/// The result of nearly everything here.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The input is not what its format allows, or not what the type wants.
    BadInput,
    /// The format cannot hold this.
    Unrepresentable,
    /// A limit was reached.
    Limit,
    /// An unknown setting, or a call out of order.
    BadUse,
    /// Out of memory.
    NoMemory,
    /// Reading or writing failed.
    Io,
    /// The caller asked to stop.
    Cancelled,
}

impl Status {
    fn of(status: sys::pith_status) -> Self {
        match status {
            sys::PITH_BAD_INPUT => Self::BadInput,
            sys::PITH_UNREPRESENTABLE => Self::Unrepresentable,
            sys::PITH_LIMIT => Self::Limit,
            sys::PITH_NO_MEMORY => Self::NoMemory,
            sys::PITH_IO => Self::Io,
            sys::PITH_CANCELLED => Self::Cancelled,
            _ => Self::BadUse,
        }
    }
}

#[derive(Debug)]
enum Step {
    Key(String),
    Index(usize),
}

/// Why a call failed: a status, a stable code word, a sentence, and the place in the input.
///
/// ```
/// let error = pith::from_str::<pith::Value>("{\"id\": 1,\n \"id\": 2}", pith::Format::Json).unwrap_err();
/// assert_eq!((error.line(), error.column(), error.code()), (2, 2, "duplicate_key"));
/// assert_eq!(error.to_string(), "2:2: duplicate key \"id\"; it first stands in line 1, column 2 [duplicate_key]");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    status: Status,
    code: Cow<'static, str>,
    message: String,
    line: usize,
    column: usize,
    offset: usize,
    placed: bool,
    path: Vec<Step>, // from the inside out
    source: Option<io::Error>,
}

impl Error {
    pub(crate) fn new(status: Status, code: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            status,
            code: Cow::Borrowed(code),
            message: message.into(),
            line: 0,
            column: 0,
            offset: 0,
            placed: false,
            path: Vec::new(),
            source: None,
        }))
    }

    pub(crate) fn of(raw: &sys::pith_error) -> Self {
        // SAFETY: the library fills in NUL-terminated texts; the code word is static.
        let (code, message) = unsafe {
            let code = if raw.code.is_null() { c"" } else { CStr::from_ptr(raw.code) };
            (code.to_string_lossy(), CStr::from_ptr(raw.message.as_ptr()).to_string_lossy())
        };
        let mut error = Self::new(Status::of(raw.status), "", message);
        error.0.code = code;
        error.0.line = raw.line;
        error.0.column = raw.column;
        error.0.offset = raw.offset;
        error.0.placed = true;
        if raw.system != 0 {
            error.0.source = Some(io::Error::from_raw_os_error(raw.system));
        }
        error
    }

    pub(crate) fn io(source: io::Error) -> Self {
        let mut error = Self::new(Status::Io, "io", source.to_string());
        error.0.source = Some(source);
        error
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn status(&self) -> Status {
        self.0.status
    }

    /// A word that stays the same from version to version: `"duplicate_key"`.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.0.code
    }

    /// One sentence that says what was expected.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The line, from 1; 0 when the failure has no place in the input.
    #[must_use]
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column in characters, from 1; 0 when the failure has no place in the input.
    #[must_use]
    pub fn column(&self) -> usize {
        self.0.column
    }

    /// The bytes of the input before the place.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// Where the value is that a type did not take: `users[3].name`; else empty.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.path.iter().rev() {
            match step {
                Step::Index(index) => path.extend(["[", &index.to_string(), "]"]),
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => {
                    path.push('.');
                    path.push_str(key);
                }
            }
        }
        path
    }

    #[cold]
    pub(crate) fn in_index(mut self, index: usize) -> Self {
        self.0.path.push(Step::Index(index));
        self
    }

    #[cold]
    pub(crate) fn in_key(mut self, key: &str) -> Self {
        self.0.path.push(Step::Key(key.to_owned()));
        self
    }

    /// Gives it the place of a value, unless it has one. The text lies in the input or not.
    #[cold]
    pub(crate) fn at_text(mut self, text: *const u8, input: &[u8]) -> Self {
        let from = (text as usize).wrapping_sub(input.as_ptr() as usize);
        if !self.0.placed && from <= input.len() {
            let before = &input[..from];
            let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let starts = |bytes: &[u8]| bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count();
            self.0.offset = from;
            self.0.line = before.split(|&byte| byte == b'\n').count();
            self.0.column = starts(&before[line..]) + 1;
        }
        self.0.placed = true;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.line > 0 {
            write!(f, "{}:{}: ", self.0.line, self.0.column)?;
        }
        f.write_str(&self.0.message)?;
        if !self.0.path.is_empty() {
            write!(f, ", at {}", self.path())?;
        }
        write!(f, " [{}]", self.0.code)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.status() {
            Status::BadInput => io::ErrorKind::InvalidData,
            Status::NoMemory => io::ErrorKind::OutOfMemory,
            Status::Io => error.0.source.as_ref().map_or(io::ErrorKind::Other, io::Error::kind),
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

impl serde::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Status::Unrepresentable, "custom", message.to_string())
    }
}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Status::BadInput, "custom", message.to_string())
    }

    fn invalid_type(found: serde::de::Unexpected<'_>, wanted: &dyn serde::de::Expected) -> Self {
        let message = format!("invalid type: {found}, expected {wanted}");
        Self::new(Status::BadInput, "type_mismatch", message)
    }

    fn invalid_value(found: serde::de::Unexpected<'_>, wanted: &dyn serde::de::Expected) -> Self {
        let message = format!("invalid value: {found}, expected {wanted}");
        Self::new(Status::BadInput, "type_mismatch", message)
    }

    fn invalid_length(count: usize, wanted: &dyn serde::de::Expected) -> Self {
        let message = format!("invalid length {count}, expected {wanted}");
        Self::new(Status::BadInput, "type_mismatch", message)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Status::BadInput, "missing_field", format!("missing field `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(Status::BadInput, "duplicate_key", format!("duplicate field `{field}`"))
    }

    fn unknown_field(field: &str, wanted: &'static [&'static str]) -> Self {
        let message = format!("unknown field `{field}`, expected one of {wanted:?}");
        Self::new(Status::BadInput, "unknown_member", message)
    }

    fn unknown_variant(variant: &str, wanted: &'static [&'static str]) -> Self {
        let message = format!("unknown variant `{variant}`, expected one of {wanted:?}");
        Self::new(Status::BadInput, "type_mismatch", message)
    }
}
