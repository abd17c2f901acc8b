//! Texts that are compressed as a whole.

use crate::error::{Error, Result};
use crate::sink::{collect, verdict, Sink};
use core::ffi::CStr;
use pith_sys as sys;

/// A way to compress, each with the feature of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Zstandard.
    Zstd,
    /// LZ4.
    Lz4,
    /// gzip.
    Gzip,
}

impl Packing {
    const ALL: [Self; 3] = [Self::Zstd, Self::Lz4, Self::Gzip];

    fn c_name(self) -> &'static CStr {
        match self {
            Self::Zstd => c"ZSTD",
            Self::Lz4 => c"LZ4",
            Self::Gzip => c"GZIP",
        }
    }

    /// That of a frame, by its first bytes.
    #[must_use]
    pub fn of(data: &[u8]) -> Option<Self> {
        // SAFETY: the bytes live as long as the call; the name is static.
        unsafe {
            let name = sys::pith_packing(std::ptr::null(), data.as_ptr().cast(), data.len());
            if name.is_null() {
                return None;
            }
            let name = CStr::from_ptr(name);
            Self::ALL.into_iter().find(|packing| packing.c_name() == name)
        }
    }
}

/// What is in a frame, or in several one after the other, of at most so many bytes.
///
/// # Errors
///
/// When a frame is damaged (`invalid_compression`), holds more (`memory_limit`), or the feature of
/// its packing is missing (`not_built_in`).
pub fn decompress(data: &[u8], most: usize) -> Result<Vec<u8>> {
    let raw = sys::pith_options { memory_max: most, ..Default::default() };
    // SAFETY: all that is handed over lives as long as the call.
    collect(|sink, err| unsafe {
        sys::pith_unpack(data.as_ptr().cast(), data.len(), &raw, sink, err)
    })
}

/// A frame with that in it.
///
/// ```
/// # if let Ok(frame) =
/// pith::compress(b"a text", pith::Packing::Gzip)
/// # {
/// #     assert_eq!(pith::decompress(&frame, 100)?, b"a text");
/// # }
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// When the feature of the packing is missing (`not_built_in`).
pub fn compress(data: &[u8], packing: Packing) -> Result<Vec<u8>> {
    let mut sink = Sink::new(Vec::new());
    let mut err = sys::pith_error::default();
    // SAFETY: the handle is ours until it is closed, and the sink outlives it.
    unsafe {
        let name = packing.c_name().as_ptr();
        let packer = sys::pith_packer_open(name, std::ptr::null(), sink.raw(), &mut err);
        if packer.is_null() {
            return Err(Error::of(&err));
        }
        let to = sys::pith_packer_sink(packer);
        let written =
            to.write.map_or(sys::PITH_OK, |write| write(to.ctx, data.as_ptr().cast(), data.len()));
        let status = sys::pith_packer_close(packer, &mut err);
        verdict(status, &err)?;
        verdict(written, &err)?;
    }
    Ok(sink.writer)
}
