//! How to read and to write: what every call takes beside its data.

use crate::error::Error;
use crate::settings::Format;
use crate::tokens::Vocabulary;
use core::ffi::{c_void, CStr};
use core::fmt::{self, Write};
use pith_sys as sys;
use std::ffi::CString;
use std::ptr;
use std::sync::Arc;

pub(crate) const READ: u8 = 1;
pub(crate) const WRITE: u8 = 2;
pub(crate) const BOTH: u8 = READ | WRITE;

type Listener = Arc<dyn Fn(Error) + Send + Sync>;

/// A format and how to use it. A [`Format`] alone stands for every default.
///
/// ```
/// use pith::{Format, Settings};
///
/// let settings = Settings::new(Format::Csv).at("items").fields("id");
/// let ids: Vec<std::collections::BTreeMap<String, u32>> =
///     pith::from_str("items[1]{id,url}:\n  7,x", Settings::new(Format::Toon).at("items").fields("id"))?;
/// assert_eq!(ids[0]["id"], 7);
/// # let _ = settings;
/// # Ok::<(), pith::Error>(())
/// ```
#[derive(Clone)]
pub struct Settings {
    pub(crate) format: Format,
    read: String,
    write: String,
    depth_max: usize,
    output_max: usize,
    memory_max: usize,
    vocabulary: Option<Arc<Vocabulary>>,
    listener: Option<Listener>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("format", &self.format)
            .field("read", &self.read)
            .field("write", &self.write)
            .finish_non_exhaustive()
    }
}

impl From<Format> for Settings {
    fn from(format: Format) -> Self {
        Self::new(format)
    }
}

impl Settings {
    /// Every default of a format. To read, [`Format::Auto`] looks at the content.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self {
            format,
            read: String::new(),
            write: String::new(),
            depth_max: 0,
            output_max: 0,
            memory_max: 0,
            vocabulary: None,
            listener: None,
        }
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// How deep arrays and objects may nest, if that is less than
    /// [`DEPTH_MOST`](crate::DEPTH_MOST).
    #[must_use]
    pub fn depth_max(mut self, depth: usize) -> Self {
        self.depth_max = depth;
        self
    }

    /// The most bytes to write.
    #[must_use]
    pub fn output_max(mut self, bytes: usize) -> Self {
        self.output_max = bytes;
        self
    }

    /// The most memory that reading a text may take.
    #[must_use]
    pub fn memory_max(mut self, bytes: usize) -> Self {
        self.memory_max = bytes;
        self
    }

    /// What tokens are counted with; `o200k_base` unless told.
    #[must_use]
    pub fn vocabulary(mut self, vocabulary: Arc<Vocabulary>) -> Self {
        self.vocabulary = Some(vocabulary);
        self
    }

    /// Is told what should be known and is no failure, such as that a text was mended.
    #[must_use]
    pub fn on_notice(mut self, listener: impl Fn(Error) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    pub(crate) fn set_word(&mut self, way: u8, word: &str, value: &str) {
        for (bit, words) in [(READ, &mut self.read), (WRITE, &mut self.write)] {
            if way & bit != 0 {
                for part in [if words.is_empty() { "" } else { " " }, word, "=", value] {
                    words.push_str(part);
                }
            }
        }
    }

    pub(crate) fn set_text(&mut self, way: u8, word: &str, value: &str) {
        let mut quoted = String::from("\"");
        for letter in value.chars() {
            match letter {
                '"' | '\\' => quoted.extend(['\\', letter]),
                '\0'..='\x1f' => {
                    let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
                }
                _ => quoted.push(letter),
            }
        }
        quoted.push('"');
        self.set_word(way, word, &quoted);
    }

    pub(crate) fn depth_asked(&self) -> usize {
        self.depth_max
    }

    pub(crate) fn without_listener(mut self) -> Self {
        self.listener = None;
        self
    }

    pub(crate) fn depth(&self) -> usize {
        match self.depth_max {
            0 => sys::PITH_DEPTH_DEFAULT as usize,
            depth => depth.min(crate::DEPTH_MOST),
        }
    }

    /// The name for reading: none, when the content decides.
    pub(crate) fn read_name(&self) -> *const core::ffi::c_char {
        match self.format {
            Format::Auto => ptr::null(),
            format => format.c_name().as_ptr(),
        }
    }

    pub(crate) fn write_name(&self) -> *const core::ffi::c_char {
        self.format.c_name().as_ptr()
    }

    pub(crate) fn for_call(&self) -> CallOptions {
        // Words and quoted texts hold no NUL.
        let words = |text: &str| CString::new(text).unwrap_or_default();
        CallOptions {
            read: words(&self.read),
            write: words(&self.write),
            settings: self.clone(),
            outcome: None,
        }
    }
}

/// The options of one call, as the library takes them.
pub(crate) struct CallOptions {
    read: CString,
    write: CString,
    pub(crate) settings: Settings,
    outcome: Option<Box<sys::pith_outcome>>, // the library writes to it
}

unsafe extern "C" fn tell(ctx: *mut c_void, remark: *const sys::pith_error) {
    // SAFETY: `ctx` is the listener in the options of the call, and the remark lives as long.
    let (listener, remark) = unsafe { (&*ctx.cast::<Listener>(), &*remark) };
    crate::sink::guard(|| listener(Error::of(remark)));
}

impl CallOptions {
    pub(crate) fn want_outcome(&mut self) {
        // SAFETY: zero bytes are no outcome yet.
        self.outcome = Some(Box::new(unsafe { core::mem::zeroed() }));
    }

    /// What the call did, which has ended.
    pub(crate) fn outcome(self) -> sys::pith_outcome {
        // SAFETY: zero bytes are no outcome yet.
        self.outcome.map_or(unsafe { core::mem::zeroed() }, |outcome| *outcome)
    }

    /// The options, which borrow from this.
    pub(crate) fn raw(&mut self) -> sys::pith_options {
        let settings = &self.settings;
        let words = |text: &CStr| if text.is_empty() { ptr::null() } else { text.as_ptr() };
        let mut raw = sys::pith_options {
            read: words(&self.read),
            write: words(&self.write),
            depth_max: settings.depth(),
            output_max: settings.output_max,
            memory_max: settings.memory_max,
            ..Default::default()
        };
        if let Some(vocabulary) = &settings.vocabulary {
            raw.vocab = vocabulary.raw();
        }
        if let Some(listener) = &settings.listener {
            raw.notice = Some(tell);
            raw.notice_ctx = ptr::from_ref(listener).cast_mut().cast();
        }
        if let Some(outcome) = &mut self.outcome {
            raw.outcome = ptr::from_mut(&mut **outcome);
        }
        raw
    }
}
