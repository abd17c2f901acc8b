//! Where the library writes to, and panics on the way through it.

use crate::error::{Error, Result};
use core::ffi::{c_char, c_void};
use pith_sys as sys;
use std::any::Any;
use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

thread_local! {
    /// A panic of code that the library called, which goes on after the call.
    static PANIC: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// Runs what the library calls: no panic may pass through C.
pub(crate) fn guard<T>(call: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(value) => Some(value),
        Err(panic) => {
            PANIC.set(Some(panic));
            None
        }
    }
}

/// The outcome of a call of the library. A panic on the way goes on here.
pub(crate) fn verdict(status: sys::pith_status, err: &sys::pith_error) -> Result<()> {
    if let Some(panic) = PANIC.take() {
        resume_unwind(panic);
    }
    if status == sys::PITH_OK {
        return Ok(());
    }
    Err(Error::of(err))
}

/// A writer that the library writes to.
pub(crate) struct Sink<W> {
    pub(crate) writer: W,
    failure: Option<io::Error>,
}

unsafe extern "C" fn write<W: Write>(
    ctx: *mut c_void,
    data: *const c_char,
    len: usize,
) -> sys::pith_status {
    // SAFETY: `ctx` is the sink of the call, which nothing else uses meanwhile; `data` has `len`
    // bytes, and may be NULL when there are none.
    let sink = unsafe { &mut *ctx.cast::<Sink<W>>() };
    let bytes: &[u8] =
        if len == 0 { &[] } else { unsafe { core::slice::from_raw_parts(data.cast(), len) } };
    match guard(|| sink.writer.write_all(bytes)) {
        Some(Ok(())) => sys::PITH_OK,
        Some(Err(failure)) => {
            sink.failure = Some(failure);
            sys::PITH_IO
        }
        None => sys::PITH_IO,
    }
}

impl<W: Write> Sink<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self { writer, failure: None }
    }

    /// What the library is given; it must not outlive the sink, or be used while that is moved.
    pub(crate) fn raw(&mut self) -> sys::pith_sink {
        sys::pith_sink { write: Some(write::<W>), ctx: std::ptr::from_mut(self).cast() }
    }

    /// The same of a sink that is known by its address.
    ///
    /// # Safety
    ///
    /// It must be there for as long as the library writes to it.
    pub(crate) unsafe fn raw_of(sink: *mut Self) -> sys::pith_sink {
        sys::pith_sink { write: Some(write::<W>), ctx: sink.cast() }
    }

    /// The verdict on a call that wrote here.
    pub(crate) fn verdict(
        &mut self,
        status: sys::pith_status,
        err: &sys::pith_error,
    ) -> Result<()> {
        verdict(status, err).map_err(|error| match self.failure.take() {
            Some(failure) => Error::io(failure),
            None => error,
        })
    }
}

/// What a call writes, as bytes.
pub(crate) fn collect(
    call: impl FnOnce(sys::pith_sink, &mut sys::pith_error) -> sys::pith_status,
) -> Result<Vec<u8>> {
    let mut sink = Sink::new(Vec::new());
    let mut err = sys::pith_error::default();
    let status = call(sink.raw(), &mut err);
    sink.verdict(status, &err)?;
    Ok(sink.writer)
}

/// Bytes that have to be text.
pub(crate) fn text_of(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| {
        Error::new(
            crate::Status::BadUse,
            "binary_format",
            "the format is bytes and no text: to_vec and to_writer write it",
        )
    })
}
