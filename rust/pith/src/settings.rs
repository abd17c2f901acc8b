//! The formats and a typed builder for the settings of each.
//!
//! ```
//! use pith::settings::{Toon, ToonDelimiter};
//!
//! let settings = Toon::new().delimiter(ToonDelimiter::Pipe).indent(4);
//! assert_eq!(pith::to_string(&[[1, 2]], settings)?, "[1|]:\n    - [2|]: 1|2");
//! # Ok::<(), pith::Error>(())
//! ```
// Written by rust/settings.py out of what `pith formats --json` lists: do not change it by hand.
#![allow(clippy::doc_markdown)] // the words are those of the tool

use crate::options::{Settings, BOTH, READ, WRITE};
use core::ffi::CStr;

/// What a text is, or becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// JSON, RFC 8259.
    Json,
    /// One JSON value a line.
    Ndjson,
    /// Flat tables, RFC 4180, with types kept by quotes.
    Csv,
    /// Csv with tabs between the cells.
    Tsv,
    /// Token-Oriented Object Notation, 4.4 and 3.3.
    Toon,
    /// One table of flat rows, as Seamless-RAG writes it.
    ToonRows,
    /// Graph Compact Format, 3.5 and 3.6; reads graphs, too.
    Gcf,
    /// Graph Compact Format, graph profile: code graphs.
    GcfGraph,
    /// Graph Compact Format 1, versions 1.1 and 1.4; reads graphs, too.
    Gcf1,
    /// Graph Compact Format 1: code graphs.
    Gcf1Graph,
    /// SochDB's typed tables, as text.
    Soch,
    /// SochDB's typed tables, as bytes.
    SochBin,
    /// JSON without the quotes, plus tables.
    Pith,
    /// Whichever of the formats costs the fewest tokens.
    Auto,
    /// The data in what a model answered.
    Answer,
}

impl Format {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Json,
        Self::Ndjson,
        Self::Csv,
        Self::Tsv,
        Self::Toon,
        Self::ToonRows,
        Self::Gcf,
        Self::GcfGraph,
        Self::Gcf1,
        Self::Gcf1Graph,
        Self::Soch,
        Self::SochBin,
        Self::Pith,
        Self::Auto,
        Self::Answer,
    ];

    pub(crate) fn c_name(self) -> &'static CStr {
        match self {
            Self::Json => c"json",
            Self::Ndjson => c"ndjson",
            Self::Csv => c"csv",
            Self::Tsv => c"tsv",
            Self::Toon => c"toon",
            Self::ToonRows => c"toon-rows",
            Self::Gcf => c"gcf",
            Self::GcfGraph => c"gcf-graph",
            Self::Gcf1 => c"gcf1",
            Self::Gcf1Graph => c"gcf1-graph",
            Self::Soch => c"soch",
            Self::SochBin => c"soch-bin",
            Self::Pith => c"pith",
            Self::Auto => c"auto",
            Self::Answer => c"answer",
        }
    }
}

/// The choices of `verify`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verify {
    /// `false`
    False,
    /// `true`
    True,
    /// `value`
    Value,
}

impl Verify {
    fn word(self) -> &'static str {
        match self {
            Self::False => "false",
            Self::True => "true",
            Self::Value => "value",
        }
    }
}

/// The choices of `optimize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Optimize {
    /// `none`
    None,
    /// `tokens`
    Tokens,
}

impl Optimize {
    fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Tokens => "tokens",
        }
    }
}

/// The choices of `keep`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Keep {
    /// `first`
    First,
    /// `last`
    Last,
    /// `spread`
    Spread,
    /// `best=FIELD`
    BestFIELD,
}

impl Keep {
    fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::Spread => "spread",
            Self::BestFIELD => "best=FIELD",
        }
    }
}

/// The choices of `note`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// `auto`
    Auto,
    /// `line`
    Line,
    /// `member`
    Member,
    /// `none`
    None,
}

impl Note {
    fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Line => "line",
            Self::Member => "member",
            Self::None => "none",
        }
    }
}

/// What every format knows.
impl Settings {
    /// Write compact JSON instead when that takes no more tokens.
    #[must_use]
    pub fn guard(mut self, value: bool) -> Self {
        self.set_word(WRITE, "guard", if value { "true" } else { "false" });
        self
    }

    /// Read the text back and compare, digits too or only values, before writing it.
    #[must_use]
    pub fn verify(mut self, value: Verify) -> Self {
        self.set_word(WRITE, "verify", value.word());
        self
    }

    /// Choose by counting among the forms that the format allows.
    #[must_use]
    pub fn optimize(mut self, value: Optimize) -> Self {
        self.set_word(WRITE, "optimize", value.word());
        self
    }

    /// Leave out rows, or members of maps, until the text fits into so many tokens.
    #[must_use]
    pub fn budget(mut self, value: u64) -> Self {
        self.set_word(WRITE, "budget", &value.to_string());
        self
    }

    /// Which rows stay when some have to go; the best have the largest FIELD.
    #[must_use]
    pub fn keep(mut self, value: Keep) -> Self {
        self.set_word(WRITE, "keep", value.word());
        self
    }

    /// Write at most so many rows.
    #[must_use]
    pub fn rows_max(mut self, value: u64) -> Self {
        self.set_word(WRITE, "rows-max", &value.to_string());
        self
    }

    /// End longer texts after so many characters, with a mark.
    #[must_use]
    pub fn clip(mut self, value: u64) -> Self {
        self.set_word(WRITE, "clip", &value.to_string());
        self
    }

    /// Where the text says what was left out: in a comment if readers expect it, in a comment, in a member _note, nowhere.
    #[must_use]
    pub fn note(mut self, value: Note) -> Self {
        self.set_word(WRITE, "note", value.word());
        self
    }

    /// End the text with a newline.
    #[must_use]
    pub fn final_newline(mut self, value: bool) -> Self {
        self.set_word(WRITE, "final-newline", if value { "true" } else { "false" });
        self
    }

    /// Escape what nobody sees and what may end a line; refuse it where there is no escape.
    #[must_use]
    pub fn safe(mut self, value: bool) -> Self {
        self.set_word(WRITE, "safe", if value { "true" } else { "false" });
        self
    }

    /// Of the text only the value at this path, as /items/0 or items\[0].name.
    #[must_use]
    pub fn at(mut self, value: impl AsRef<str>) -> Self {
        self.set_text(READ, "at", value.as_ref());
        self
    }

    /// Of its rows only those from A up to B, as 0:10.
    #[must_use]
    pub fn rows(mut self, value: impl AsRef<str>) -> Self {
        self.set_text(READ, "rows", value.as_ref());
        self
    }

    /// Of its objects only these members, as id,user.login.
    #[must_use]
    pub fn fields(mut self, value: impl AsRef<str>) -> Self {
        self.set_text(READ, "fields", value.as_ref());
        self
    }

    /// Without these members, as *_url,node_id.
    #[must_use]
    pub fn drop(mut self, value: impl AsRef<str>) -> Self {
        self.set_text(READ, "drop", value.as_ref());
        self
    }

    /// Without members that are null.
    #[must_use]
    pub fn drop_null(mut self, value: bool) -> Self {
        self.set_word(READ, "drop-null", if value { "true" } else { "false" });
        self
    }
}

/// The choices of `duplicates` of `json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonDuplicates {
    /// `refuse`
    Refuse,
    /// `last`
    Last,
}

impl JsonDuplicates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Last => "last",
        }
    }
}

/// The choices of `surrogates` of `json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonSurrogates {
    /// `refuse`
    Refuse,
    /// `replace`
    Replace,
}

impl JsonSurrogates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Replace => "replace",
        }
    }
}

/// The choices of `several` of `json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonSeveral {
    /// `refuse`
    Refuse,
    /// `array`
    Array,
}

impl JsonSeveral {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Array => "array",
        }
    }
}

/// The settings of `json`: JSON, RFC 8259.
#[derive(Clone, Debug)]
pub struct Json(Settings);

impl Json {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Json))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// What a repeated key means: an error, or that the last value wins.
    #[must_use]
    pub fn duplicates(mut self, value: JsonDuplicates) -> Self {
        self.0.set_word(READ, "duplicates", value.word());
        self
    }

    /// What half a surrogate pair means: an error, or U+FFFD.
    #[must_use]
    pub fn surrogates(mut self, value: JsonSurrogates) -> Self {
        self.0.set_word(READ, "surrogates", value.word());
        self
    }

    /// Write everything beyond ASCII as \uXXXX.
    #[must_use]
    pub fn ascii(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "ascii", if value { "true" } else { "false" });
        self
    }

    /// Spaces for each level, one member a line; 0 writes everything on one line.
    #[must_use]
    pub fn indent(mut self, value: u64) -> Self {
        self.0.set_word(WRITE, "indent", &value.to_string());
        self
    }

    /// What arrays or objects one after the other mean: an error, or an array of them.
    #[must_use]
    pub fn several(mut self, value: JsonSeveral) -> Self {
        self.0.set_word(READ, "several", value.word());
        self
    }
}

impl Default for Json {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Json> for Settings {
    fn from(from: Json) -> Self {
        from.0
    }
}

/// The choices of `duplicates` of `ndjson`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NdjsonDuplicates {
    /// `refuse`
    Refuse,
    /// `last`
    Last,
}

impl NdjsonDuplicates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Last => "last",
        }
    }
}

/// The choices of `surrogates` of `ndjson`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NdjsonSurrogates {
    /// `refuse`
    Refuse,
    /// `replace`
    Replace,
}

impl NdjsonSurrogates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Replace => "replace",
        }
    }
}

/// The choices of `bad` of `ndjson`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NdjsonBad {
    /// `stop`
    Stop,
    /// `skip`
    Skip,
}

impl NdjsonBad {
    fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Skip => "skip",
        }
    }
}

/// The settings of `ndjson`: one JSON value a line.
#[derive(Clone, Debug)]
pub struct Ndjson(Settings);

impl Ndjson {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Ndjson))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// What a repeated key means: an error, or that the last value wins.
    #[must_use]
    pub fn duplicates(mut self, value: NdjsonDuplicates) -> Self {
        self.0.set_word(READ, "duplicates", value.word());
        self
    }

    /// What half a surrogate pair means: an error, or U+FFFD.
    #[must_use]
    pub fn surrogates(mut self, value: NdjsonSurrogates) -> Self {
        self.0.set_word(READ, "surrogates", value.word());
        self
    }

    /// Write everything beyond ASCII as \uXXXX.
    #[must_use]
    pub fn ascii(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "ascii", if value { "true" } else { "false" });
        self
    }

    /// What a line that is no value means: an error, or that it is left out.
    #[must_use]
    pub fn bad(mut self, value: NdjsonBad) -> Self {
        self.0.set_word(READ, "bad", value.word());
        self
    }
}

impl Default for Ndjson {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Ndjson> for Settings {
    fn from(from: Ndjson) -> Self {
        from.0
    }
}

/// The choices of `types` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvTypes {
    /// `infer`
    Infer,
    /// `cells`
    Cells,
    /// `text`
    Text,
}

impl CsvTypes {
    fn word(self) -> &'static str {
        match self {
            Self::Infer => "infer",
            Self::Cells => "cells",
            Self::Text => "text",
        }
    }
}

/// The choices of `duplicates` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvDuplicates {
    /// `refuse`
    Refuse,
    /// `number`
    Number,
}

impl CsvDuplicates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Number => "number",
        }
    }
}

/// The choices of `quote` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvQuote {
    /// `text`
    Text,
    /// `needed`
    Needed,
}

impl CsvQuote {
    fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Needed => "needed",
        }
    }
}

/// The choices of `nested` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvNested {
    /// `refuse`
    Refuse,
    /// `json`
    Json,
}

impl CsvNested {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Json => "json",
        }
    }
}

/// The choices of `absent` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvAbsent {
    /// `refuse`
    Refuse,
    /// `null`
    Null,
    /// `union`
    Union,
}

impl CsvAbsent {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Null => "null",
            Self::Union => "union",
        }
    }
}

/// The choices of `newline` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvNewline {
    /// `lf`
    Lf,
    /// `crlf`
    Crlf,
}

impl CsvNewline {
    fn word(self) -> &'static str {
        match self {
            Self::Lf => "lf",
            Self::Crlf => "crlf",
        }
    }
}

/// The choices of `formulas` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvFormulas {
    /// `keep`
    Keep,
    /// `quote`
    Quote,
    /// `refuse`
    Refuse,
}

impl CsvFormulas {
    fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Quote => "quote",
            Self::Refuse => "refuse",
        }
    }
}

/// The choices of `ragged` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvRagged {
    /// `refuse`
    Refuse,
    /// `pad`
    Pad,
}

impl CsvRagged {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Pad => "pad",
        }
    }
}

/// The choices of `bad` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvBad {
    /// `stop`
    Stop,
    /// `skip`
    Skip,
}

impl CsvBad {
    fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Skip => "skip",
        }
    }
}

/// The choices of `delimiter` of `csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CsvDelimiter {
    /// `auto`
    Auto,
    /// `comma`
    Comma,
    /// `semicolon`
    Semicolon,
    /// `tab`
    Tab,
    /// `pipe`
    Pipe,
    /// `rows`
    Rows,
}

impl CsvDelimiter {
    fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Comma => "comma",
            Self::Semicolon => "semicolon",
            Self::Tab => "tab",
            Self::Pipe => "pipe",
            Self::Rows => "rows",
        }
    }
}

/// The settings of `csv`: flat tables, RFC 4180, with types kept by quotes.
#[derive(Clone, Debug)]
pub struct Csv(Settings);

impl Csv {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Csv))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// What cells without quotes are: judged by column, each by itself, or always text.
    #[must_use]
    pub fn types(mut self, value: CsvTypes) -> Self {
        self.0.set_word(READ, "types", value.word());
        self
    }

    /// The first line names the columns; without, they are column_1 and so on.
    #[must_use]
    pub fn header(mut self, value: bool) -> Self {
        self.0.set_word(BOTH, "header", if value { "true" } else { "false" });
        self
    }

    /// What a repeated name means: an error, or a name with the column's number.
    #[must_use]
    pub fn duplicates(mut self, value: CsvDuplicates) -> Self {
        self.0.set_word(READ, "duplicates", value.word());
        self
    }

    /// Put all text in quotes, or only where it would be read as something else.
    #[must_use]
    pub fn quote(mut self, value: CsvQuote) -> Self {
        self.0.set_word(WRITE, "quote", value.word());
        self
    }

    /// What an array or object in a cell becomes: an error, or its JSON.
    #[must_use]
    pub fn nested(mut self, value: CsvNested) -> Self {
        self.0.set_word(WRITE, "nested", value.word());
        self
    }

    /// What a field that a row lacks becomes: an error, or an empty cell; with union the header has the fields of all rows.
    #[must_use]
    pub fn absent(mut self, value: CsvAbsent) -> Self {
        self.0.set_word(WRITE, "absent", value.word());
        self
    }

    /// What ends a line.
    #[must_use]
    pub fn newline(mut self, value: CsvNewline) -> Self {
        self.0.set_word(WRITE, "newline", value.word());
        self
    }

    /// Text that a spreadsheet would run: kept, given a ' in front, or an error.
    #[must_use]
    pub fn formulas(mut self, value: CsvFormulas) -> Self {
        self.0.set_word(WRITE, "formulas", value.word());
        self
    }

    /// Rows with fewer cells than the header: an error, or null in the others; empty cells that are too many are then left out.
    #[must_use]
    pub fn ragged(mut self, value: CsvRagged) -> Self {
        self.0.set_word(READ, "ragged", value.word());
        self
    }

    /// What a line that is no row means: an error, or that it is left out.
    #[must_use]
    pub fn bad(mut self, value: CsvBad) -> Self {
        self.0.set_word(READ, "bad", value.word());
        self
    }

    /// What stands between cells; auto reads what the first line is cut by, rows what cuts the first two lines alike, and both write commas.
    #[must_use]
    pub fn delimiter(mut self, value: CsvDelimiter) -> Self {
        self.0.set_word(BOTH, "delimiter", value.word());
        self
    }
}

impl Default for Csv {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Csv> for Settings {
    fn from(from: Csv) -> Self {
        from.0
    }
}

/// The choices of `types` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvTypes {
    /// `infer`
    Infer,
    /// `cells`
    Cells,
    /// `text`
    Text,
}

impl TsvTypes {
    fn word(self) -> &'static str {
        match self {
            Self::Infer => "infer",
            Self::Cells => "cells",
            Self::Text => "text",
        }
    }
}

/// The choices of `duplicates` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvDuplicates {
    /// `refuse`
    Refuse,
    /// `number`
    Number,
}

impl TsvDuplicates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Number => "number",
        }
    }
}

/// The choices of `quote` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvQuote {
    /// `text`
    Text,
    /// `needed`
    Needed,
}

impl TsvQuote {
    fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Needed => "needed",
        }
    }
}

/// The choices of `nested` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvNested {
    /// `refuse`
    Refuse,
    /// `json`
    Json,
}

impl TsvNested {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Json => "json",
        }
    }
}

/// The choices of `absent` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvAbsent {
    /// `refuse`
    Refuse,
    /// `null`
    Null,
    /// `union`
    Union,
}

impl TsvAbsent {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Null => "null",
            Self::Union => "union",
        }
    }
}

/// The choices of `newline` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvNewline {
    /// `lf`
    Lf,
    /// `crlf`
    Crlf,
}

impl TsvNewline {
    fn word(self) -> &'static str {
        match self {
            Self::Lf => "lf",
            Self::Crlf => "crlf",
        }
    }
}

/// The choices of `formulas` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvFormulas {
    /// `keep`
    Keep,
    /// `quote`
    Quote,
    /// `refuse`
    Refuse,
}

impl TsvFormulas {
    fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Quote => "quote",
            Self::Refuse => "refuse",
        }
    }
}

/// The choices of `ragged` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvRagged {
    /// `refuse`
    Refuse,
    /// `pad`
    Pad,
}

impl TsvRagged {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Pad => "pad",
        }
    }
}

/// The choices of `bad` of `tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TsvBad {
    /// `stop`
    Stop,
    /// `skip`
    Skip,
}

impl TsvBad {
    fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Skip => "skip",
        }
    }
}

/// The settings of `tsv`: csv with tabs between the cells.
#[derive(Clone, Debug)]
pub struct Tsv(Settings);

impl Tsv {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Tsv))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// What cells without quotes are: judged by column, each by itself, or always text.
    #[must_use]
    pub fn types(mut self, value: TsvTypes) -> Self {
        self.0.set_word(READ, "types", value.word());
        self
    }

    /// The first line names the columns; without, they are column_1 and so on.
    #[must_use]
    pub fn header(mut self, value: bool) -> Self {
        self.0.set_word(BOTH, "header", if value { "true" } else { "false" });
        self
    }

    /// What a repeated name means: an error, or a name with the column's number.
    #[must_use]
    pub fn duplicates(mut self, value: TsvDuplicates) -> Self {
        self.0.set_word(READ, "duplicates", value.word());
        self
    }

    /// Put all text in quotes, or only where it would be read as something else.
    #[must_use]
    pub fn quote(mut self, value: TsvQuote) -> Self {
        self.0.set_word(WRITE, "quote", value.word());
        self
    }

    /// What an array or object in a cell becomes: an error, or its JSON.
    #[must_use]
    pub fn nested(mut self, value: TsvNested) -> Self {
        self.0.set_word(WRITE, "nested", value.word());
        self
    }

    /// What a field that a row lacks becomes: an error, or an empty cell; with union the header has the fields of all rows.
    #[must_use]
    pub fn absent(mut self, value: TsvAbsent) -> Self {
        self.0.set_word(WRITE, "absent", value.word());
        self
    }

    /// What ends a line.
    #[must_use]
    pub fn newline(mut self, value: TsvNewline) -> Self {
        self.0.set_word(WRITE, "newline", value.word());
        self
    }

    /// Text that a spreadsheet would run: kept, given a ' in front, or an error.
    #[must_use]
    pub fn formulas(mut self, value: TsvFormulas) -> Self {
        self.0.set_word(WRITE, "formulas", value.word());
        self
    }

    /// Rows with fewer cells than the header: an error, or null in the others; empty cells that are too many are then left out.
    #[must_use]
    pub fn ragged(mut self, value: TsvRagged) -> Self {
        self.0.set_word(READ, "ragged", value.word());
        self
    }

    /// What a line that is no row means: an error, or that it is left out.
    #[must_use]
    pub fn bad(mut self, value: TsvBad) -> Self {
        self.0.set_word(READ, "bad", value.word());
        self
    }
}

impl Default for Tsv {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Tsv> for Settings {
    fn from(from: Tsv) -> Self {
        from.0
    }
}

/// The choices of `version` of `toon`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToonVersion {
    /// `4`
    V4,
    /// `3`
    V3,
    /// `3.0`
    V3Point0,
}

impl ToonVersion {
    fn word(self) -> &'static str {
        match self {
            Self::V4 => "4",
            Self::V3 => "3",
            Self::V3Point0 => "3.0",
        }
    }
}

/// The choices of `delimiter` of `toon`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToonDelimiter {
    /// `comma`
    Comma,
    /// `tab`
    Tab,
    /// `pipe`
    Pipe,
}

impl ToonDelimiter {
    fn word(self) -> &'static str {
        match self {
            Self::Comma => "comma",
            Self::Tab => "tab",
            Self::Pipe => "pipe",
        }
    }
}

/// The choices of `fold` of `toon`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToonFold {
    /// `off`
    Off,
    /// `safe`
    Safe,
}

impl ToonFold {
    fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Safe => "safe",
        }
    }
}

/// The choices of `expand` of `toon`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToonExpand {
    /// `off`
    Off,
    /// `safe`
    Safe,
}

impl ToonExpand {
    fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Safe => "safe",
        }
    }
}

/// The settings of `toon`: Token-Oriented Object Notation, 4.4 and 3.3.
#[derive(Clone, Debug)]
pub struct Toon(Settings);

impl Toon {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Toon))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// The specification: 4.4, 3.3, or 3.0 for older readers.
    #[must_use]
    pub fn version(mut self, value: ToonVersion) -> Self {
        self.0.set_word(BOTH, "version", value.word());
        self
    }

    /// What stands between values.
    #[must_use]
    pub fn delimiter(mut self, value: ToonDelimiter) -> Self {
        self.0.set_word(WRITE, "delimiter", value.word());
        self
    }

    /// Spaces for each level.
    #[must_use]
    pub fn indent(mut self, value: u64) -> Self {
        self.0.set_word(BOTH, "indent", &value.to_string());
        self
    }

    /// Refuse what does not fit its header; false recovers as the specification allows.
    #[must_use]
    pub fn strict(mut self, value: bool) -> Self {
        self.0.set_word(READ, "strict", if value { "true" } else { "false" });
        self
    }

    /// Version 3: write nested objects with one member as a dotted key.
    #[must_use]
    pub fn fold(mut self, value: ToonFold) -> Self {
        self.0.set_word(WRITE, "fold", value.word());
        self
    }

    /// Version 3: the most keys to fold into one.
    #[must_use]
    pub fn flatten_depth(mut self, value: u64) -> Self {
        self.0.set_word(WRITE, "flatten-depth", &value.to_string());
        self
    }

    /// Version 3: read a dotted key as nested objects.
    #[must_use]
    pub fn expand(mut self, value: ToonExpand) -> Self {
        self.0.set_word(READ, "expand", value.word());
        self
    }
}

impl Default for Toon {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Toon> for Settings {
    fn from(from: Toon) -> Self {
        from.0
    }
}

/// The choices of `delimiter` of `toon-rows`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToonRowsDelimiter {
    /// `comma`
    Comma,
    /// `tab`
    Tab,
    /// `pipe`
    Pipe,
}

impl ToonRowsDelimiter {
    fn word(self) -> &'static str {
        match self {
            Self::Comma => "comma",
            Self::Tab => "tab",
            Self::Pipe => "pipe",
        }
    }
}

/// The settings of `toon-rows`: one table of flat rows, as Seamless-RAG writes it.
#[derive(Clone, Debug)]
pub struct ToonRows(Settings);

impl ToonRows {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::ToonRows))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// What stands between values.
    #[must_use]
    pub fn delimiter(mut self, value: ToonRowsDelimiter) -> Self {
        self.0.set_word(WRITE, "delimiter", value.word());
        self
    }

    /// Spaces for each level.
    #[must_use]
    pub fn indent(mut self, value: u64) -> Self {
        self.0.set_word(BOTH, "indent", &value.to_string());
        self
    }
}

impl Default for ToonRows {
    fn default() -> Self {
        Self::new()
    }
}

impl From<ToonRows> for Settings {
    fn from(from: ToonRows) -> Self {
        from.0
    }
}

/// The choices of `level` of `gcf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GcfLevel {
    /// `3.5`
    V3Point5,
    /// `3.6`
    V3Point6,
}

impl GcfLevel {
    fn word(self) -> &'static str {
        match self {
            Self::V3Point5 => "3.5",
            Self::V3Point6 => "3.6",
        }
    }
}

/// The choices of `sparse` of `gcf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GcfSparse {
    /// `table`
    Table,
    /// `expand`
    Expand,
}

impl GcfSparse {
    fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Expand => "expand",
        }
    }
}

/// The settings of `gcf`: Graph Compact Format, 3.5 and 3.6; reads graphs, too.
#[derive(Clone, Debug)]
pub struct Gcf(Settings);

impl Gcf {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Gcf))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// The specification to write; 3.6 names a column that never changes only once.
    #[must_use]
    pub fn level(mut self, value: GcfLevel) -> Self {
        self.0.set_word(WRITE, "level", value.word());
        self
    }

    /// Spread objects that are alike over columns of the table they are in.
    #[must_use]
    pub fn flatten(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "flatten", if value { "true" } else { "false" });
        self
    }

    /// Name the keys of objects that are alike only in the first row.
    #[must_use]
    pub fn inline_schema(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "inline-schema", if value { "true" } else { "false" });
        self
    }

    /// Name the fields of nested tables that are alike only in the first row.
    #[must_use]
    pub fn shared_schema(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "shared-schema", if value { "true" } else { "false" });
        self
    }

    /// Level 3.6: put the rows of the root array in groups by this field.
    #[must_use]
    pub fn group(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "group", value.as_ref());
        self
    }

    /// End rows that were written one by one with a line that counts them.
    #[must_use]
    pub fn summary(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "summary", if value { "true" } else { "false" });
        self
    }

    /// The producing tool, for the first line.
    #[must_use]
    pub fn tool(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "tool", value.as_ref());
        self
    }

    /// The tokens of the text, for the first line: a number, 'exact' to count them, or 'none'.
    #[must_use]
    pub fn tokens(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "tokens", value.as_ref());
        self
    }

    /// Rows of which most cells would be absent: a table, or objects of their own.
    #[must_use]
    pub fn sparse(mut self, value: GcfSparse) -> Self {
        self.0.set_word(WRITE, "sparse", value.word());
        self
    }
}

impl Default for Gcf {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Gcf> for Settings {
    fn from(from: Gcf) -> Self {
        from.0
    }
}

/// The choices of `level` of `gcf-graph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GcfGraphLevel {
    /// `3.5`
    V3Point5,
    /// `3.6`
    V3Point6,
}

impl GcfGraphLevel {
    fn word(self) -> &'static str {
        match self {
            Self::V3Point5 => "3.5",
            Self::V3Point6 => "3.6",
        }
    }
}

/// The settings of `gcf-graph`: Graph Compact Format, graph profile: code graphs.
#[derive(Clone, Debug)]
pub struct GcfGraph(Settings);

impl GcfGraph {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::GcfGraph))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// The specification to write; 3.6 has places in files.
    #[must_use]
    pub fn level(mut self, value: GcfGraphLevel) -> Self {
        self.0.set_word(WRITE, "level", value.word());
        self
    }

    /// Leave out what a graph of this level cannot hold, instead of refusing it.
    #[must_use]
    pub fn lossy(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "lossy", if value { "true" } else { "false" });
        self
    }

    /// In the summary of a stream, name the groups that are counted.
    #[must_use]
    pub fn labels(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "labels", if value { "true" } else { "false" });
        self
    }

    /// The tokens of the text, for the first line: a number, 'exact' to count them, or 'none'; else what the graph says.
    #[must_use]
    pub fn tokens(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "tokens", value.as_ref());
        self
    }

    /// In a session, say in a comment which turn this is and what it follows.
    #[must_use]
    pub fn turns(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "turns", if value { "true" } else { "false" });
        self
    }
}

impl Default for GcfGraph {
    fn default() -> Self {
        Self::new()
    }
}

impl From<GcfGraph> for Settings {
    fn from(from: GcfGraph) -> Self {
        from.0
    }
}

/// The choices of `level` of `gcf1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Gcf1Level {
    /// `1.1`
    V1Point1,
    /// `1.4`
    V1Point4,
}

impl Gcf1Level {
    fn word(self) -> &'static str {
        match self {
            Self::V1Point1 => "1.1",
            Self::V1Point4 => "1.4",
        }
    }
}

/// The choices of `quote` of `gcf1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Gcf1Quote {
    /// `needed`
    Needed,
    /// `seed`
    Seed,
}

impl Gcf1Quote {
    fn word(self) -> &'static str {
        match self {
            Self::Needed => "needed",
            Self::Seed => "seed",
        }
    }
}

/// The choices of `counts` of `gcf1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Gcf1Counts {
    /// `strict`
    Strict,
    /// `lax`
    Lax,
}

impl Gcf1Counts {
    fn word(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Lax => "lax",
        }
    }
}

/// The settings of `gcf1`: Graph Compact Format 1, versions 1.1 and 1.4; reads graphs, too.
#[derive(Clone, Debug)]
pub struct Gcf1(Settings);

impl Gcf1 {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Gcf1))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// The version; 1.4 has arrays of scalars on one line, and passes over references of graphs that it cannot read.
    #[must_use]
    pub fn level(mut self, value: Gcf1Level) -> Self {
        self.0.set_word(BOTH, "level", value.word());
        self
    }

    /// Which strings have quotes: those that need them, or only those that the 1.1 document lists.
    #[must_use]
    pub fn quote(mut self, value: Gcf1Quote) -> Self {
        self.0.set_word(WRITE, "quote", value.word());
        self
    }

    /// Write values even if they would not be read back as they are.
    #[must_use]
    pub fn lossy(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "lossy", if value { "true" } else { "false" });
        self
    }

    /// Whether the number of rows must be the declared one.
    #[must_use]
    pub fn counts(mut self, value: Gcf1Counts) -> Self {
        self.0.set_word(READ, "counts", value.word());
        self
    }
}

impl Default for Gcf1 {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Gcf1> for Settings {
    fn from(from: Gcf1) -> Self {
        from.0
    }
}

/// The choices of `level` of `gcf1-graph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Gcf1GraphLevel {
    /// `1.1`
    V1Point1,
    /// `1.4`
    V1Point4,
}

impl Gcf1GraphLevel {
    fn word(self) -> &'static str {
        match self {
            Self::V1Point1 => "1.1",
            Self::V1Point4 => "1.4",
        }
    }
}

/// The settings of `gcf1-graph`: Graph Compact Format 1: code graphs.
#[derive(Clone, Debug)]
pub struct Gcf1Graph(Settings);

impl Gcf1Graph {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Gcf1Graph))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// The version; 1.4 counts the edges, and passes over references it cannot read.
    #[must_use]
    pub fn level(mut self, value: Gcf1GraphLevel) -> Self {
        self.0.set_word(BOTH, "level", value.word());
        self
    }

    /// Refuse scores without two decimals or beyond 0.00 to 1.00.
    #[must_use]
    pub fn strict(mut self, value: bool) -> Self {
        self.0.set_word(BOTH, "strict", if value { "true" } else { "false" });
        self
    }

    /// Leave out what a graph of GCF 1 cannot hold, instead of refusing it.
    #[must_use]
    pub fn lossy(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "lossy", if value { "true" } else { "false" });
        self
    }

    /// The producing tool, which the first line must name, if the graph does not.
    #[must_use]
    pub fn tool(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "tool", value.as_ref());
        self
    }

    /// The tokens of the text, for the first line: a number, 'exact' to count them, or 'none'; else what the graph says.
    #[must_use]
    pub fn tokens(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "tokens", value.as_ref());
        self
    }

    /// The name of the graph, for the first line: hexadecimal digits, 'exact' to compute them, or 'none'; else what the graph says.
    #[must_use]
    pub fn pack_root(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "pack_root", value.as_ref());
        self
    }

    /// In a session, say in a comment which turn this is, and number symbols through all turns; else in each text from 0, and nobody can read the references.
    #[must_use]
    pub fn turns(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "turns", if value { "true" } else { "false" });
        self
    }
}

impl Default for Gcf1Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Gcf1Graph> for Settings {
    fn from(from: Gcf1Graph) -> Self {
        from.0
    }
}

/// The choices of `rows` of `soch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochRows {
    /// `compact`
    Compact,
    /// `lines`
    Lines,
    /// `nl`
    Nl,
}

impl SochRows {
    fn word(self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Lines => "lines",
            Self::Nl => "nl",
        }
    }
}

/// The choices of `types` of `soch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochTypes {
    /// `auto`
    Auto,
    /// `all`
    All,
    /// `none`
    None,
    /// `infer`
    Infer,
}

impl SochTypes {
    fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::All => "all",
            Self::None => "none",
            Self::Infer => "infer",
        }
    }
}

/// The choices of `null` of `soch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochNull {
    /// `sign`
    Sign,
    /// `null`
    Null,
}

impl SochNull {
    fn word(self) -> &'static str {
        match self {
            Self::Sign => "sign",
            Self::Null => "null",
        }
    }
}

/// The choices of `bool` of `soch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochBool {
    /// `short`
    Short,
    /// `long`
    Long,
}

impl SochBool {
    fn word(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
        }
    }
}

/// The choices of `compat` of `soch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochCompat {
    /// `off`
    Off,
    /// `sochdb`
    Sochdb,
}

impl SochCompat {
    fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Sochdb => "sochdb",
        }
    }
}

/// The choices of `refs` of `soch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochRefs {
    /// `object`
    Object,
    /// `text`
    Text,
}

impl SochRefs {
    fn word(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Text => "text",
        }
    }
}

/// The settings of `soch`: SochDB's typed tables, as text.
#[derive(Clone, Debug)]
pub struct Soch(Settings);

impl Soch {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Soch))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// All rows in one line, one a line, or one a line without semicolons.
    #[must_use]
    pub fn rows(mut self, value: SochRows) -> Self {
        self.0.set_word(WRITE, "rows", value.word());
        self
    }

    /// The types to write: those that are needed, all that are known, none, or all that can be found from the values.
    #[must_use]
    pub fn types(mut self, value: SochTypes) -> Self {
        self.0.set_word(WRITE, "types", value.word());
        self
    }

    /// How to write null: the empty set sign, or the word.
    #[must_use]
    pub fn null(mut self, value: SochNull) -> Self {
        self.0.set_word(WRITE, "null", value.word());
        self
    }

    /// How to write bools: T and F, or true and false.
    #[must_use]
    pub fn bool(mut self, value: SochBool) -> Self {
        self.0.set_word(WRITE, "bool", value.word());
        self
    }

    /// Whatever costs fewer tokens: null=null.
    #[must_use]
    pub fn min_tokens(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "min-tokens", if value { "true" } else { "false" });
        self
    }

    /// Refuse what the original grammar cannot express.
    #[must_use]
    pub fn seed_only(mut self, value: bool) -> Self {
        self.0.set_word(BOTH, "seed-only", if value { "true" } else { "false" });
        self
    }

    /// Make a table of objects that differ, with null for what is missing.
    #[must_use]
    pub fn fill_missing(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "fill-missing", if value { "true" } else { "false" });
        self
    }

    /// The name of a table that has none.
    #[must_use]
    pub fn name(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "name", value.as_ref());
        self
    }

    /// False: let the count differ and take quotes as they come.
    #[must_use]
    pub fn strict(mut self, value: bool) -> Self {
        self.0.set_word(READ, "strict", if value { "true" } else { "false" });
        self
    }

    /// Read what SochDB itself prints, in all its dialects.
    #[must_use]
    pub fn compat(mut self, value: SochCompat) -> Self {
        self.0.set_word(READ, "compat", value.word());
        self
    }

    /// The types of columns, as in id:uint,amount:float; what does not fit is refused.
    #[must_use]
    pub fn fields(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "fields", value.as_ref());
        self
    }

    /// A reference outside this format: an object, or the text ref(users,42).
    #[must_use]
    pub fn refs(mut self, value: SochRefs) -> Self {
        self.0.set_word(BOTH, "refs", value.word());
        self
    }
}

impl Default for Soch {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Soch> for Settings {
    fn from(from: Soch) -> Self {
        from.0
    }
}

/// The choices of `compress` of `soch-bin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochBinCompress {
    /// `none`
    None,
    /// `lz4`
    Lz4,
    /// `zstd`
    Zstd,
}

impl SochBinCompress {
    fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }
}

/// The choices of `types` of `soch-bin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochBinTypes {
    /// `auto`
    Auto,
    /// `all`
    All,
    /// `none`
    None,
    /// `infer`
    Infer,
}

impl SochBinTypes {
    fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::All => "all",
            Self::None => "none",
            Self::Infer => "infer",
        }
    }
}

/// The choices of `refs` of `soch-bin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SochBinRefs {
    /// `object`
    Object,
    /// `text`
    Text,
}

impl SochBinRefs {
    fn word(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Text => "text",
        }
    }
}

/// The settings of `soch-bin`: SochDB's typed tables, as bytes.
#[derive(Clone, Debug)]
pub struct SochBin(Settings);

impl SochBin {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::SochBin))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// Compress the rows, where that makes them smaller.
    #[must_use]
    pub fn compress(mut self, value: SochBinCompress) -> Self {
        self.0.set_word(WRITE, "compress", value.word());
        self
    }

    /// End with a CRC-32C of everything before it.
    #[must_use]
    pub fn checksum(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "checksum", if value { "true" } else { "false" });
        self
    }

    /// Make a table of objects that differ, with null for what is missing.
    #[must_use]
    pub fn fill_missing(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "fill-missing", if value { "true" } else { "false" });
        self
    }

    /// The name of a table that has none.
    #[must_use]
    pub fn name(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "name", value.as_ref());
        self
    }

    /// The most bytes that compressed rows may become.
    #[must_use]
    pub fn raw_max(mut self, value: u64) -> Self {
        self.0.set_word(READ, "raw-max", &value.to_string());
        self
    }

    /// The types of columns: those of a table that has them, also those that rows declare, none, or all that can be found from the values.
    #[must_use]
    pub fn types(mut self, value: SochBinTypes) -> Self {
        self.0.set_word(WRITE, "types", value.word());
        self
    }

    /// The types of columns, as in id:uint,amount:float; what does not fit is refused.
    #[must_use]
    pub fn fields(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "fields", value.as_ref());
        self
    }

    /// A reference outside this format: an object, or the text ref(users,42).
    #[must_use]
    pub fn refs(mut self, value: SochBinRefs) -> Self {
        self.0.set_word(BOTH, "refs", value.word());
        self
    }
}

impl Default for SochBin {
    fn default() -> Self {
        Self::new()
    }
}

impl From<SochBin> for Settings {
    fn from(from: SochBin) -> Self {
        from.0
    }
}

/// The choices of `rows` of `pith`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PithRows {
    /// `lines`
    Lines,
    /// `inline`
    Inline,
}

impl PithRows {
    fn word(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Inline => "inline",
        }
    }
}

/// The choices of `numbers` of `pith`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PithNumbers {
    /// `keep`
    Keep,
    /// `shortest`
    Shortest,
}

impl PithNumbers {
    fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Shortest => "shortest",
        }
    }
}

/// The choices of `order` of `pith`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PithOrder {
    /// `keep`
    Keep,
    /// `free`
    Free,
}

impl PithOrder {
    fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Free => "free",
        }
    }
}

/// The settings of `pith`: JSON without the quotes, plus tables.
#[derive(Clone, Debug)]
pub struct Pith(Settings);

impl Pith {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Pith))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// Each row on a line of its own, or the whole text on one line.
    #[must_use]
    pub fn rows(mut self, value: PithRows) -> Self {
        self.0.set_word(WRITE, "rows", value.word());
        self
    }

    /// Spread objects that are alike over columns of the table they are in.
    #[must_use]
    pub fn groups(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "groups", if value { "true" } else { "false" });
        self
    }

    /// Name the columns of tables in a table once, in its header.
    #[must_use]
    pub fn table_columns(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "table-columns", if value { "true" } else { "false" });
        self
    }

    /// Write a value that all rows share once, in the header.
    #[must_use]
    pub fn constants(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "constants", if value { "true" } else { "false" });
        self
    }

    /// Write objects of objects as tables whose rows begin with their key.
    #[must_use]
    pub fn maps(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "maps", if value { "true" } else { "false" });
        self
    }

    /// Decimals as they are, or the same double in fewer digits.
    #[must_use]
    pub fn numbers(mut self, value: PithNumbers) -> Self {
        self.0.set_word(WRITE, "numbers", value.word());
        self
    }

    /// Whether rows that order their members differently may be put in one order.
    #[must_use]
    pub fn order(mut self, value: PithOrder) -> Self {
        self.0.set_word(WRITE, "order", value.word());
        self
    }

    /// 2 also writes once what repeats elsewhere.
    #[must_use]
    pub fn level(mut self, value: u64) -> Self {
        self.0.set_word(WRITE, "level", &value.to_string());
        self
    }

    /// Level 2: name a value at its first place, to repeat it by its name.
    #[must_use]
    pub fn names(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "names", if value { "true" } else { "false" });
        self
    }

    /// Level 2: name the beginnings that texts share.
    #[must_use]
    pub fn stems(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "stems", if value { "true" } else { "false" });
        self
    }

    /// Level 2: write an object with the keys of another without them.
    #[must_use]
    pub fn models(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "models", if value { "true" } else { "false" });
        self
    }

    /// Level 2: leave cells empty that are as in the row above, or as most.
    #[must_use]
    pub fn fill(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "fill", if value { "true" } else { "false" });
        self
    }

    /// Level 2: write what all cells of a column share once, in the header.
    #[must_use]
    pub fn templates(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "templates", if value { "true" } else { "false" });
        self
    }
}

impl Default for Pith {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Pith> for Settings {
    fn from(from: Pith) -> Self {
        from.0
    }
}

/// The settings of `auto`: whichever of the formats costs the fewest tokens.
#[derive(Clone, Debug)]
pub struct Auto(Settings);

impl Auto {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Auto))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// The formats to choose from, or 'all'; of equals the first.
    #[must_use]
    pub fn allow(mut self, value: impl AsRef<str>) -> Self {
        self.0.set_text(WRITE, "allow", value.as_ref());
        self
    }

    /// Whether level 2 of Pith may be chosen, too.
    #[must_use]
    pub fn dense(mut self, value: bool) -> Self {
        self.0.set_word(WRITE, "dense", if value { "true" } else { "false" });
        self
    }
}

impl Default for Auto {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Auto> for Settings {
    fn from(from: Auto) -> Self {
        from.0
    }
}

/// The choices of `duplicates` of `answer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerDuplicates {
    /// `refuse`
    Refuse,
    /// `last`
    Last,
}

impl AnswerDuplicates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Last => "last",
        }
    }
}

/// The choices of `surrogates` of `answer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerSurrogates {
    /// `refuse`
    Refuse,
    /// `replace`
    Replace,
}

impl AnswerSurrogates {
    fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Replace => "replace",
        }
    }
}

/// The choices of `pick` of `answer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerPick {
    /// `first`
    First,
    /// `last`
    Last,
    /// `all`
    All,
}

impl AnswerPick {
    fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::All => "all",
        }
    }
}

/// The choices of `mend` of `answer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerMend {
    /// `safe`
    Safe,
    /// `none`
    None,
    /// `all`
    All,
}

impl AnswerMend {
    fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::None => "none",
            Self::All => "all",
        }
    }
}

/// The settings of `answer`: the data in what a model answered.
#[derive(Clone, Debug)]
pub struct Answer(Settings);

impl Answer {
    /// Every default.
    #[must_use]
    pub fn new() -> Self {
        Self(Settings::new(Format::Answer))
    }

    /// With these, what every format knows.
    #[must_use]
    pub fn settings(self) -> Settings {
        self.0
    }

    /// What a repeated key means: an error, or that the last value wins.
    #[must_use]
    pub fn duplicates(mut self, value: AnswerDuplicates) -> Self {
        self.0.set_word(READ, "duplicates", value.word());
        self
    }

    /// What half a surrogate pair means: an error, or U+FFFD.
    #[must_use]
    pub fn surrogates(mut self, value: AnswerSurrogates) -> Self {
        self.0.set_word(READ, "surrogates", value.word());
        self
    }

    /// Which of the data in the answer; all of it is an array.
    #[must_use]
    pub fn pick(mut self, value: AnswerPick) -> Self {
        self.0.set_word(READ, "pick", value.word());
        self
    }

    /// What may be mended: nothing, what cannot change a value, or also by guessing.
    #[must_use]
    pub fn mend(mut self, value: AnswerMend) -> Self {
        self.0.set_word(READ, "mend", value.word());
        self
    }

    /// Hand out the members of an object one by one, too.
    #[must_use]
    pub fn stream(mut self, value: bool) -> Self {
        self.0.set_word(READ, "stream", if value { "true" } else { "false" });
        self
    }
}

impl Default for Answer {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Answer> for Settings {
    fn from(from: Answer) -> Self {
        from.0
    }
}
