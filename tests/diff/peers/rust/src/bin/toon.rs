//! The crate toon-format. The variants are those of `toon` in ../../../../peers.py.

use diff_peers::serve;
use serde_json::Value;
use toon_format::types::{DecodeOptions, Delimiter, EncodeOptions, Indent};

fn main() {
    let write = [
        EncodeOptions::default(),
        EncodeOptions::new().with_delimiter(Delimiter::Tab),
        EncodeOptions::new().with_delimiter(Delimiter::Pipe),
        EncodeOptions::new().with_indent(Indent::Spaces(4)),
        EncodeOptions::default(),
    ];
    let read = [
        DecodeOptions::default(),
        DecodeOptions::default(),
        DecodeOptions::default(),
        DecodeOptions::default().with_indent(Indent::Spaces(4)),
        DecodeOptions::default().with_strict(false),
    ];
    serve(
        |value, variant| {
            toon_format::encode(value, &write[variant]).map_err(|e| e.to_string())
        },
        |text, variant| {
            toon_format::decode::<Value>(text, &read[variant]).map_err(|e| e.to_string())
        },
    );
}
