// Written by tools/gen_rust.py out of include/pith.h: do not change it by hand.
use core::ffi::{c_char, c_int, c_uint, c_void};
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{offset_of, size_of};

pub const PITH_VERSION_MAJOR: u32 = 0;
pub const PITH_VERSION_MINOR: u32 = 2;
pub const PITH_VERSION_PATCH: u32 = 0;
pub const PITH_VERSION_TEXT: &str = "0.2.0";
pub const PITH_DEPTH_DEFAULT: u32 = 512;
pub const PITH_DEPTH_MOST: u32 = 1000000;
pub const PITH_HOLD_DEFAULT: u32 = 16 * 1024 * 1024;
pub const PITH_MEMORY_DEFAULT: u32 = 64 * 1024 * 1024;
pub const PITH_MEMORY_PER_BYTE: u32 = 64;
pub const PITH_MEMORY_PER_UNPACKED: u32 = 3;
pub const PITH_EVENT_ASCII: u32 = 1;
pub const PITH_EVENT_DIGITS: u32 = 2;
pub const PITH_WALK_DIGITS: u32 = 1;
pub const PITH_CELL_TRUSTED: u32 = 1;
pub const PITH_ROOT_SIZE: u32 = 72;
pub const PITH_TURNS_DEFAULT: u32 = 15;
pub const PITH_GUARD_DEFAULT: u32 = 60;
pub const PITH_GUARD_OFF: u32 = u32::MAX;
pub const ARROW_FLAG_DICTIONARY_ORDERED: u32 = 1;
pub const ARROW_FLAG_NULLABLE: u32 = 2;
pub const ARROW_FLAG_MAP_KEYS_SORTED: u32 = 4;

pub type pith_status = c_uint;
pub const PITH_OK: pith_status = 0;
pub const PITH_BAD_INPUT: pith_status = 1;
pub const PITH_UNREPRESENTABLE: pith_status = 2;
pub const PITH_LIMIT: pith_status = 3;
pub const PITH_BAD_USE: pith_status = 4;
pub const PITH_NO_MEMORY: pith_status = 5;
pub const PITH_IO: pith_status = 6;
pub const PITH_CANCELLED: pith_status = 7;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_error {
    pub status: pith_status,
    pub line: usize,
    pub column: usize,
    pub offset: usize,
    pub code: *const c_char,
    pub system: c_int,
    pub message: [c_char; 192],
    pub reserved: [u64; 4],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_text {
    pub ptr: *const c_char,
    pub len: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_alloc {
    pub resize: Option<unsafe extern "C" fn(ctx: *mut c_void, ptr: *mut c_void, old_size: usize, new_size: usize) -> *mut c_void>,
    pub ctx: *mut c_void,
    pub seed: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_outcome {
    pub format: *const c_char,
    pub bytes: usize,
    pub tokens: usize,
    pub json_tokens: usize,
    pub rows: usize,
    pub rows_left_out: usize,
    pub members: usize,
    pub members_left_out: usize,
    pub texts_clipped: usize,
    pub unit: *const c_char,
    pub reserved: [u64; 6],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_options {
    pub size: usize,
    pub alloc: pith_alloc,
    pub read: *const c_char,
    pub write: *const c_char,
    pub depth_max: usize,
    pub output_max: usize,
    pub memory_max: usize,
    pub hold_max: usize,
    pub progress: Option<unsafe extern "C" fn(ctx: *mut c_void, bytes_done: usize) -> bool>,
    pub progress_ctx: *mut c_void,
    pub vocab: *const pith_vocab,
    pub outcome: *mut pith_outcome,
    pub notice: Option<unsafe extern "C" fn(ctx: *mut c_void, remark: *const pith_error)>,
    pub notice_ctx: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_sink {
    pub write: Option<unsafe extern "C" fn(ctx: *mut c_void, data: *const c_char, len: usize) -> pith_status>,
    pub ctx: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_buffer {
    pub data: *mut c_char,
    pub len: usize,
    pub cap: usize,
    pub alloc: pith_alloc,
}

#[repr(C)]
pub struct pith_doc {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_value {
    pub doc: *const pith_doc,
    pub at: u32,
    pub parent: u32,
    pub index: u32,
}

pub type pith_kind = c_uint;
pub const PITH_NONE: pith_kind = 0;
pub const PITH_NULL: pith_kind = 1;
pub const PITH_FALSE: pith_kind = 2;
pub const PITH_TRUE: pith_kind = 3;
pub const PITH_INTEGER: pith_kind = 4;
pub const PITH_DECIMAL: pith_kind = 5;
pub const PITH_STRING: pith_kind = 6;
pub const PITH_ARRAY: pith_kind = 7;
pub const PITH_OBJECT: pith_kind = 8;

#[repr(C)]
#[derive(Clone, Copy)]
pub union pith_event_u {
    pub text: *const c_char,
    pub integer: i64,
    pub number: f64,
    pub place: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_event {
    pub kind: u8,
    pub flags: u8,
    pub type_: u8,
    pub zero: u8,
    pub shape: u32,
    pub len: usize,
    pub u: pith_event_u,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_walk {
    pub doc: *const pith_doc,
    pub at: u32,
    pub end: u32,
    pub flags: c_uint,
    pub reserved: [u32; 5],
}

pub type pith_cell_kind = c_uint;
pub const PITH_CELL_NULL: pith_cell_kind = 1;
pub const PITH_CELL_FALSE: pith_cell_kind = 2;
pub const PITH_CELL_TRUE: pith_cell_kind = 3;
pub const PITH_CELL_INT64: pith_cell_kind = 4;
pub const PITH_CELL_UINT64: pith_cell_kind = 5;
pub const PITH_CELL_DOUBLE: pith_cell_kind = 6;
pub const PITH_CELL_FLOAT: pith_cell_kind = 7;
pub const PITH_CELL_DIGITS: pith_cell_kind = 8;
pub const PITH_CELL_TEXT: pith_cell_kind = 9;
pub const PITH_CELL_BYTES: pith_cell_kind = 10;
pub const PITH_CELL_KEY: pith_cell_kind = 11;
pub const PITH_CELL_ARRAY: pith_cell_kind = 12;
pub const PITH_CELL_OBJECT: pith_cell_kind = 13;
pub const PITH_CELL_SHAPED: pith_cell_kind = 14;
pub const PITH_CELL_ABSENT: pith_cell_kind = 15;
pub const PITH_CELL_CLOSE: pith_cell_kind = 16;
pub const PITH_CELL_VALUE: pith_cell_kind = 17;
pub const PITH_CELL_VECTOR: pith_cell_kind = 18;

#[repr(C)]
#[derive(Clone, Copy)]
pub union pith_cell_u {
    pub text: *const c_char,
    pub numbers: *const f64,
    pub value: *const pith_value,
    pub integer: i64,
    pub natural: u64,
    pub number: f64,
    pub single: f32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_cell {
    pub kind: u8,
    pub flags: u8,
    pub zero: u16,
    pub len: u32,
    pub u: pith_cell_u,
}

#[repr(C)]
pub struct pith_rows {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct pith_reader {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct pith_answer {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

pub type pith_report = Option<unsafe extern "C" fn(ctx: *mut c_void, problem: *const pith_error) -> bool>;
pub const PITH_READ: c_uint = 1;
pub const PITH_WRITE: c_uint = 2;

pub type pith_setting_type = c_uint;
pub const PITH_SETTING_BOOL: pith_setting_type = 0;
pub const PITH_SETTING_NUMBER: pith_setting_type = 1;
pub const PITH_SETTING_CHOICE: pith_setting_type = 2;
pub const PITH_SETTING_TEXT: pith_setting_type = 3;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_setting {
    pub word: *const c_char,
    pub type_: pith_setting_type,
    pub direction: c_uint,
    pub choices: *const c_char,
    pub min: u64,
    pub max: u64,
    pub default_value: *const c_char,
    pub help: *const c_char,
}

pub type pith_numbers = c_uint;
pub const PITH_NUMBERS_ANY: pith_numbers = 0;
pub const PITH_NUMBERS_64: pith_numbers = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_format {
    pub name: *const c_char,
    pub suffixes: *const c_char,
    pub media_type: *const c_char,
    pub summary: *const c_char,
    pub direction: c_uint,
    pub streams: c_uint,
    pub binary: bool,
    pub settings: *const pith_setting,
    pub setting_count: usize,
    pub exchange: bool,
    pub chooses: bool,
    pub numbers: pith_numbers,
    pub sessions: c_uint,
    pub lines: bool,
    pub dense: *const c_char,
}

pub type pith_type = c_uint;
pub const PITH_TYPE_ANY: pith_type = 0;
pub const PITH_TYPE_INT: pith_type = 1;
pub const PITH_TYPE_UINT: pith_type = 2;
pub const PITH_TYPE_FLOAT: pith_type = 3;
pub const PITH_TYPE_TEXT: pith_type = 4;
pub const PITH_TYPE_BOOL: pith_type = 5;
pub const PITH_TYPE_BYTES: pith_type = 6;
pub const PITH_TYPE_VEC: pith_type = 7;
pub const PITH_TYPE_ARRAY: pith_type = 8;
pub const PITH_TYPE_OBJECT: pith_type = 9;
pub const PITH_TYPE_REF: pith_type = 10;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_field {
    pub name: pith_text,
    pub type_: pith_type,
    pub nullable: bool,
    pub size: u32,
    pub target: pith_text,
    pub reserved: [u64; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_table {
    pub name: pith_text,
    pub fields: *const pith_field,
    pub field_count: usize,
    pub row_count: usize,
    pub rows: pith_value,
    pub single: bool,
    pub near_at: u32,
    pub near_row: usize,
    pub reserved: [u64; 2],
}

#[repr(C)]
pub struct pith_session {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_session_limits {
    pub size: usize,
    pub idle_max: u64,
    pub life_max: u64,
    pub ids_max: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_root {
    pub text: [c_char; PITH_ROOT_SIZE as usize],
}

pub type pith_delta_kind = c_uint;
pub const PITH_DELTA_UNCHANGED: pith_delta_kind = 0;
pub const PITH_DELTA_CHANGES: pith_delta_kind = 1;
pub const PITH_DELTA_FULL: pith_delta_kind = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_delta_info {
    pub kind: pith_delta_kind,
    pub key: pith_text,
    pub base_root: pith_text,
    pub root: pith_text,
    pub session: bool,
    pub has_count: bool,
    pub count: u64,
    pub reserved: [u64; 4],
}

pub type pith_anchor = c_uint;
pub const PITH_ANCHOR_TURNS: pith_anchor = 0;
pub const PITH_ANCHOR_SIZE: pith_anchor = 1;
pub const PITH_ANCHOR_NEVER: pith_anchor = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_policy {
    pub size: usize,
    pub key: pith_text,
    pub tool: pith_text,
    pub format: *const c_char,
    pub anchor: pith_anchor,
    pub turns: u32,
    pub guard_percent: u32,
}

#[repr(C)]
pub struct pith_snapshot {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct pith_vocab {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_vocab_info {
    pub name: *const c_char,
    pub exact: bool,
    pub size: usize,
    pub reserved: [u64; 4],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_tokens {
    pub ids: *mut u32,
    pub count: usize,
    pub cap: usize,
    pub alloc: pith_alloc,
}

pub type pith_special = c_uint;
pub const PITH_SPECIAL_IS_TEXT: pith_special = 0;
pub const PITH_SPECIAL_IS_TOKEN: pith_special = 1;

#[repr(C)]
pub struct pith_counter {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_part {
    pub text: *const c_char,
    pub len: usize,
    pub format: *const c_char,
    pub tokens: usize,
    pub first_row: u64,
    pub rows: u64,
    pub too_long: bool,
}

pub type pith_part_sink = Option<unsafe extern "C" fn(ctx: *mut c_void, part: *const pith_part) -> pith_status>;

#[repr(C)]
pub struct pith_parts {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(unnamed: *mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

#[repr(C)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(unnamed: *mut ArrowArray)>,
    pub private_data: *mut c_void,
}

#[repr(C)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(unnamed: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(unnamed: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(unnamed: *mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(unnamed: *mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct pith_arrow_plan {
    pub size: usize,
    pub want: *const ArrowSchema,
    pub look: usize,
    pub batch_rows: usize,
}

#[repr(C)]
pub struct pith_packer {
    private: [u8; 0],
    marker: PhantomData<(*mut u8, PhantomPinned)>,
}

extern "C" {
    pub fn pith_answer_complete(answer: *const pith_answer) -> usize;
    pub fn pith_answer_end(answer: *mut pith_answer, err: *mut pith_error) -> pith_status;
    pub fn pith_answer_feed(answer: *mut pith_answer, data: *const c_char, len: usize, err: *mut pith_error) -> pith_status;
    pub fn pith_answer_finished(answer: *const pith_answer) -> bool;
    pub fn pith_answer_free(answer: *mut pith_answer);
    pub fn pith_answer_open(options: *const pith_options, err: *mut pith_error) -> *mut pith_answer;
    pub fn pith_answer_root(answer: *const pith_answer) -> pith_value;
    pub fn pith_arrow_read(format: *const c_char, text: *const c_char, len: usize, plan: *const pith_arrow_plan, options: *const pith_options, out: *mut ArrowArrayStream, err: *mut pith_error) -> pith_status;
    pub fn pith_arrow_write(stream: *mut ArrowArrayStream, format: *const c_char, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_buffer_free(buffer: *mut pith_buffer);
    pub fn pith_check(format: *const c_char, text: *const c_char, len: usize, options: *const pith_options, report: pith_report, ctx: *mut c_void, err: *mut pith_error) -> pith_status;
    pub fn pith_convert(from: *const c_char, to: *const c_char, text: *const c_char, len: usize, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_counter_free(counter: *mut pith_counter);
    pub fn pith_counter_new(vocab: *const pith_vocab, options: *const pith_options) -> *mut pith_counter;
    pub fn pith_counter_sink(counter: *mut pith_counter) -> pith_sink;
    pub fn pith_counter_total(counter: *mut pith_counter, count: *mut usize, err: *mut pith_error) -> pith_status;
    pub fn pith_delta_look(text: *const c_char, len: usize, info: *mut pith_delta_info, err: *mut pith_error) -> pith_status;
    pub fn pith_doc_add_bool(doc: *mut pith_doc, truth: bool);
    pub fn pith_doc_add_bytes(doc: *mut pith_doc, bytes: *const c_void, len: usize);
    pub fn pith_doc_add_cells(doc: *mut pith_doc, cells: *const pith_cell, count: usize);
    pub fn pith_doc_add_double(doc: *mut pith_doc, number: f64);
    pub fn pith_doc_add_int64(doc: *mut pith_doc, number: i64);
    pub fn pith_doc_add_key(doc: *mut pith_doc, text: *const c_char, len: usize);
    pub fn pith_doc_add_null(doc: *mut pith_doc);
    pub fn pith_doc_add_number(doc: *mut pith_doc, digits: *const c_char, len: usize);
    pub fn pith_doc_add_ref(doc: *mut pith_doc, table: pith_text, row: u64);
    pub fn pith_doc_add_text(doc: *mut pith_doc, text: *const c_char, len: usize);
    pub fn pith_doc_add_uint64(doc: *mut pith_doc, number: u64);
    pub fn pith_doc_add_value(doc: *mut pith_doc, value: pith_value);
    pub fn pith_doc_add_vector(doc: *mut pith_doc, numbers: *const f64, count: usize);
    pub fn pith_doc_close(doc: *mut pith_doc);
    pub fn pith_doc_finish(doc: *mut pith_doc, err: *mut pith_error) -> pith_status;
    pub fn pith_doc_free(doc: *mut pith_doc);
    pub fn pith_doc_make_tables(doc: *mut pith_doc, err: *mut pith_error) -> pith_status;
    pub fn pith_doc_new(options: *const pith_options) -> *mut pith_doc;
    pub fn pith_doc_open_array(doc: *mut pith_doc);
    pub fn pith_doc_open_object(doc: *mut pith_doc);
    pub fn pith_doc_parse(format: *const c_char, text: *const c_char, len: usize, options: *const pith_options, err: *mut pith_error) -> *mut pith_doc;
    pub fn pith_doc_read(doc: *mut pith_doc, format: *const c_char, text: *const c_char, len: usize, options: *const pith_options, err: *mut pith_error) -> pith_status;
    pub fn pith_doc_reset(doc: *mut pith_doc);
    pub fn pith_doc_root(doc: *const pith_doc) -> pith_value;
    pub fn pith_doc_shape(doc: *mut pith_doc, keys: *const pith_text, count: usize) -> u32;
    pub fn pith_doc_skip(doc: *mut pith_doc);
    pub fn pith_doc_table(doc: *const pith_doc, index: usize, table: *mut pith_table) -> bool;
    pub fn pith_doc_table_count(doc: *const pith_doc) -> usize;
    pub fn pith_format_at(index: usize) -> *const pith_format;
    pub fn pith_format_find(name: *const c_char) -> *const pith_format;
    pub fn pith_format_of(path: *const c_char, text: *const c_char, len: usize) -> *const pith_format;
    pub fn pith_packer_abandon(packer: *mut pith_packer);
    pub fn pith_packer_close(packer: *mut pith_packer, err: *mut pith_error) -> pith_status;
    pub fn pith_packer_open(packing: *const c_char, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> *mut pith_packer;
    pub fn pith_packer_sink(packer: *mut pith_packer) -> pith_sink;
    pub fn pith_packing(path: *const c_char, data: *const c_char, len: usize) -> *const c_char;
    pub fn pith_parts_abandon(parts: *mut pith_parts);
    pub fn pith_parts_add_arrow(parts: *mut pith_parts, batch: *const ArrowArray, err: *mut pith_error) -> pith_status;
    pub fn pith_parts_add_cells(parts: *mut pith_parts, cells: *const pith_cell, count: usize, err: *mut pith_error) -> pith_status;
    pub fn pith_parts_add_row(parts: *mut pith_parts, row: pith_value, err: *mut pith_error) -> pith_status;
    pub fn pith_parts_close(parts: *mut pith_parts, err: *mut pith_error) -> pith_status;
    pub fn pith_parts_open(format: *const c_char, columns: *const pith_text, count: usize, tokens_max: usize, options: *const pith_options, part: pith_part_sink, ctx: *mut c_void, err: *mut pith_error) -> *mut pith_parts;
    pub fn pith_parts_open_arrow(format: *const c_char, schema: *const ArrowSchema, tokens_max: usize, options: *const pith_options, part: pith_part_sink, ctx: *mut c_void, err: *mut pith_error) -> *mut pith_parts;
    pub fn pith_reader_batch(reader: *mut pith_reader, rows_max: usize, rows: *mut pith_value, done: *mut bool, err: *mut pith_error) -> pith_status;
    pub fn pith_reader_columns(reader: *mut pith_reader, columns: *mut pith_text, room: usize) -> usize;
    pub fn pith_reader_done(reader: *const pith_reader) -> bool;
    pub fn pith_reader_end(reader: *mut pith_reader, err: *mut pith_error) -> pith_status;
    pub fn pith_reader_feed(reader: *mut pith_reader, data: *const c_char, len: usize, err: *mut pith_error) -> pith_status;
    pub fn pith_reader_free(reader: *mut pith_reader);
    pub fn pith_reader_next(reader: *mut pith_reader, row: *mut pith_value, err: *mut pith_error) -> pith_status;
    pub fn pith_reader_open(format: *const c_char, options: *const pith_options, err: *mut pith_error) -> *mut pith_reader;
    pub fn pith_rows_abandon(rows: *mut pith_rows);
    pub fn pith_rows_add_arrow(rows: *mut pith_rows, batch: *const ArrowArray, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_add_cells(rows: *mut pith_rows, cells: *const pith_cell, count: usize, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_add_member(rows: *mut pith_rows, name: pith_text, value: pith_value, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_add_row(rows: *mut pith_rows, row: pith_value, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_begin_table(rows: *mut pith_rows, name: pith_text, columns: *const pith_text, count: usize, keyed: bool, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_close(rows: *mut pith_rows, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_declare(rows: *mut pith_rows, column: usize, field: *const pith_field);
    pub fn pith_rows_end_row(rows: *mut pith_rows, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_expect(rows: *mut pith_rows, count: u64);
    pub fn pith_rows_flush(rows: *mut pith_rows, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_into(doc: *mut pith_doc, options: *const pith_options, err: *mut pith_error) -> *mut pith_rows;
    pub fn pith_rows_merge(rows: *mut pith_rows, state: *const c_char, len: usize, err: *mut pith_error) -> pith_status;
    pub fn pith_rows_open(format: *const c_char, columns: *const pith_text, count: usize, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> *mut pith_rows;
    pub fn pith_rows_open_arrow(format: *const c_char, schema: *const ArrowSchema, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> *mut pith_rows;
    pub fn pith_rows_open_object(format: *const c_char, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> *mut pith_rows;
    pub fn pith_rows_restore(format: *const c_char, state: *const c_char, len: usize, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> *mut pith_rows;
    pub fn pith_rows_row(rows: *mut pith_rows) -> *mut pith_doc;
    pub fn pith_rows_save(rows: *mut pith_rows, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_session_free(session: *mut pith_session);
    pub fn pith_session_lost(session: *mut pith_session);
    pub fn pith_session_new(limits: *const pith_session_limits, options: *const pith_options) -> *mut pith_session;
    pub fn pith_session_read(session: *mut pith_session, doc: *mut pith_doc, text: *const c_char, len: usize, now: u64, options: *const pith_options, err: *mut pith_error) -> pith_status;
    pub fn pith_session_restore(session: *mut pith_session, data: *const c_void, len: usize, err: *mut pith_error) -> pith_status;
    pub fn pith_session_save(session: *const pith_session, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_session_write(session: *mut pith_session, graph: pith_value, format: *const c_char, now: u64, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_setting_common(index: usize) -> *const pith_setting;
    pub fn pith_sink_buffer(buffer: *mut pith_buffer) -> pith_sink;
    pub fn pith_sink_fd(fd: c_int) -> pith_sink;
    pub fn pith_snapshot_apply(snapshot: *mut pith_snapshot, text: *const c_char, len: usize, kind: *mut pith_delta_kind, err: *mut pith_error) -> pith_status;
    pub fn pith_snapshot_free(snapshot: *mut pith_snapshot);
    pub fn pith_snapshot_new(policy: *const pith_policy, options: *const pith_options, err: *mut pith_error) -> *mut pith_snapshot;
    pub fn pith_snapshot_root(snapshot: *const pith_snapshot) -> *const c_char;
    pub fn pith_snapshot_set(snapshot: *mut pith_snapshot, value: pith_value, err: *mut pith_error) -> pith_status;
    pub fn pith_snapshot_value(snapshot: *const pith_snapshot) -> pith_value;
    pub fn pith_snapshot_write(snapshot: *mut pith_snapshot, held: *const c_char, value: pith_value, sink: pith_sink, kind: *mut pith_delta_kind, err: *mut pith_error) -> pith_status;
    pub fn pith_status_name(status: pith_status) -> *const c_char;
    pub fn pith_table_cell(table: *mut pith_table, row: usize, column: usize) -> pith_value;
    pub fn pith_tokens_free(tokens: *mut pith_tokens);
    pub fn pith_unpack(data: *const c_char, len: usize, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_value_arrow(rows: pith_value, plan: *const pith_arrow_plan, options: *const pith_options, out: *mut ArrowArrayStream, err: *mut pith_error) -> pith_status;
    pub fn pith_value_at(container: pith_value, index: usize) -> pith_value;
    pub fn pith_value_bytes(value: pith_value, to: *mut c_void, room: usize) -> usize;
    pub fn pith_value_count(value: pith_value) -> usize;
    pub fn pith_value_double(value: pith_value, out: *mut f64) -> bool;
    pub fn pith_value_equal(a: pith_value, b: pith_value) -> bool;
    pub fn pith_value_first(container: pith_value) -> pith_value;
    pub fn pith_value_get(object: pith_value, key: *const c_char, len: usize) -> pith_value;
    pub fn pith_value_int64(value: pith_value, out: *mut i64) -> bool;
    pub fn pith_value_key(member: pith_value) -> pith_text;
    pub fn pith_value_kind(value: pith_value) -> pith_kind;
    pub fn pith_value_next(value: pith_value) -> pith_value;
    pub fn pith_value_partial(value: pith_value) -> bool;
    pub fn pith_value_ref(value: pith_value, table: *mut pith_text, id: *mut u64) -> bool;
    pub fn pith_value_root(value: pith_value, key: pith_text, options: *const pith_options, root: *mut pith_root, err: *mut pith_error) -> pith_status;
    pub fn pith_value_text(value: pith_value) -> pith_text;
    pub fn pith_value_type(value: pith_value) -> pith_type;
    pub fn pith_value_uint64(value: pith_value, out: *mut u64) -> bool;
    pub fn pith_value_vector(value: pith_value, to: *mut f64, room: usize) -> usize;
    pub fn pith_value_write(value: pith_value, format: *const c_char, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_version() -> *const c_char;
    pub fn pith_vocab_count(vocab: *const pith_vocab, text: *const c_char, len: usize, options: *const pith_options, count: *mut usize, err: *mut pith_error) -> pith_status;
    pub fn pith_vocab_decode(vocab: *const pith_vocab, ids: *const u32, count: usize, options: *const pith_options, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_vocab_describe(vocab: *const pith_vocab) -> pith_vocab_info;
    pub fn pith_vocab_encode(vocab: *const pith_vocab, text: *const c_char, len: usize, special: pith_special, tokens: *mut pith_tokens, err: *mut pith_error) -> pith_status;
    pub fn pith_vocab_free(vocab: *mut pith_vocab);
    pub fn pith_vocab_map(data: *const c_void, len: usize, options: *const pith_options, err: *mut pith_error) -> *mut pith_vocab;
    pub fn pith_vocab_name_at(index: usize) -> *const c_char;
    pub fn pith_vocab_open(name: *const c_char, options: *const pith_options, err: *mut pith_error) -> *mut pith_vocab;
    pub fn pith_vocab_read(text: *const c_char, len: usize, options: *const pith_options, err: *mut pith_error) -> *mut pith_vocab;
    pub fn pith_vocab_save(vocab: *const pith_vocab, sink: pith_sink, err: *mut pith_error) -> pith_status;
    pub fn pith_walk_begin(walk: *mut pith_walk, value: pith_value, flags: c_uint);
    pub fn pith_walk_keys(walk: *const pith_walk, object: *const pith_event, keys: *mut pith_text, room: usize) -> usize;
    pub fn pith_walk_next(walk: *mut pith_walk, events: *mut pith_event, room: usize) -> usize;
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<pith_error>() == 272);
    assert!(offset_of!(pith_error, status) == 0);
    assert!(offset_of!(pith_error, line) == 8);
    assert!(offset_of!(pith_error, column) == 16);
    assert!(offset_of!(pith_error, offset) == 24);
    assert!(offset_of!(pith_error, code) == 32);
    assert!(offset_of!(pith_error, system) == 40);
    assert!(offset_of!(pith_error, message) == 44);
    assert!(offset_of!(pith_error, reserved) == 240);
    assert!(size_of::<pith_text>() == 16);
    assert!(offset_of!(pith_text, ptr) == 0);
    assert!(offset_of!(pith_text, len) == 8);
    assert!(size_of::<pith_alloc>() == 24);
    assert!(offset_of!(pith_alloc, resize) == 0);
    assert!(offset_of!(pith_alloc, ctx) == 8);
    assert!(offset_of!(pith_alloc, seed) == 16);
    assert!(size_of::<pith_outcome>() == 128);
    assert!(offset_of!(pith_outcome, format) == 0);
    assert!(offset_of!(pith_outcome, bytes) == 8);
    assert!(offset_of!(pith_outcome, tokens) == 16);
    assert!(offset_of!(pith_outcome, json_tokens) == 24);
    assert!(offset_of!(pith_outcome, rows) == 32);
    assert!(offset_of!(pith_outcome, rows_left_out) == 40);
    assert!(offset_of!(pith_outcome, members) == 48);
    assert!(offset_of!(pith_outcome, members_left_out) == 56);
    assert!(offset_of!(pith_outcome, texts_clipped) == 64);
    assert!(offset_of!(pith_outcome, unit) == 72);
    assert!(offset_of!(pith_outcome, reserved) == 80);
    assert!(size_of::<pith_options>() == 128);
    assert!(offset_of!(pith_options, size) == 0);
    assert!(offset_of!(pith_options, alloc) == 8);
    assert!(offset_of!(pith_options, read) == 32);
    assert!(offset_of!(pith_options, write) == 40);
    assert!(offset_of!(pith_options, depth_max) == 48);
    assert!(offset_of!(pith_options, output_max) == 56);
    assert!(offset_of!(pith_options, memory_max) == 64);
    assert!(offset_of!(pith_options, hold_max) == 72);
    assert!(offset_of!(pith_options, progress) == 80);
    assert!(offset_of!(pith_options, progress_ctx) == 88);
    assert!(offset_of!(pith_options, vocab) == 96);
    assert!(offset_of!(pith_options, outcome) == 104);
    assert!(offset_of!(pith_options, notice) == 112);
    assert!(offset_of!(pith_options, notice_ctx) == 120);
    assert!(size_of::<pith_sink>() == 16);
    assert!(offset_of!(pith_sink, write) == 0);
    assert!(offset_of!(pith_sink, ctx) == 8);
    assert!(size_of::<pith_buffer>() == 48);
    assert!(offset_of!(pith_buffer, data) == 0);
    assert!(offset_of!(pith_buffer, len) == 8);
    assert!(offset_of!(pith_buffer, cap) == 16);
    assert!(offset_of!(pith_buffer, alloc) == 24);
    assert!(size_of::<pith_value>() == 24);
    assert!(offset_of!(pith_value, doc) == 0);
    assert!(offset_of!(pith_value, at) == 8);
    assert!(offset_of!(pith_value, parent) == 12);
    assert!(offset_of!(pith_value, index) == 16);
    assert!(size_of::<pith_event>() == 24);
    assert!(offset_of!(pith_event, kind) == 0);
    assert!(offset_of!(pith_event, flags) == 1);
    assert!(offset_of!(pith_event, type_) == 2);
    assert!(offset_of!(pith_event, zero) == 3);
    assert!(offset_of!(pith_event, shape) == 4);
    assert!(offset_of!(pith_event, len) == 8);
    assert!(offset_of!(pith_event, u) == 16);
    assert!(size_of::<pith_walk>() == 40);
    assert!(offset_of!(pith_walk, doc) == 0);
    assert!(offset_of!(pith_walk, at) == 8);
    assert!(offset_of!(pith_walk, end) == 12);
    assert!(offset_of!(pith_walk, flags) == 16);
    assert!(offset_of!(pith_walk, reserved) == 20);
    assert!(size_of::<pith_cell>() == 16);
    assert!(offset_of!(pith_cell, kind) == 0);
    assert!(offset_of!(pith_cell, flags) == 1);
    assert!(offset_of!(pith_cell, zero) == 2);
    assert!(offset_of!(pith_cell, len) == 4);
    assert!(offset_of!(pith_cell, u) == 8);
    assert!(size_of::<pith_setting>() == 56);
    assert!(offset_of!(pith_setting, word) == 0);
    assert!(offset_of!(pith_setting, type_) == 8);
    assert!(offset_of!(pith_setting, direction) == 12);
    assert!(offset_of!(pith_setting, choices) == 16);
    assert!(offset_of!(pith_setting, min) == 24);
    assert!(offset_of!(pith_setting, max) == 32);
    assert!(offset_of!(pith_setting, default_value) == 40);
    assert!(offset_of!(pith_setting, help) == 48);
    assert!(size_of::<pith_format>() == 88);
    assert!(offset_of!(pith_format, name) == 0);
    assert!(offset_of!(pith_format, suffixes) == 8);
    assert!(offset_of!(pith_format, media_type) == 16);
    assert!(offset_of!(pith_format, summary) == 24);
    assert!(offset_of!(pith_format, direction) == 32);
    assert!(offset_of!(pith_format, streams) == 36);
    assert!(offset_of!(pith_format, binary) == 40);
    assert!(offset_of!(pith_format, settings) == 48);
    assert!(offset_of!(pith_format, setting_count) == 56);
    assert!(offset_of!(pith_format, exchange) == 64);
    assert!(offset_of!(pith_format, chooses) == 65);
    assert!(offset_of!(pith_format, numbers) == 68);
    assert!(offset_of!(pith_format, sessions) == 72);
    assert!(offset_of!(pith_format, lines) == 76);
    assert!(offset_of!(pith_format, dense) == 80);
    assert!(size_of::<pith_field>() == 64);
    assert!(offset_of!(pith_field, name) == 0);
    assert!(offset_of!(pith_field, type_) == 16);
    assert!(offset_of!(pith_field, nullable) == 20);
    assert!(offset_of!(pith_field, size) == 24);
    assert!(offset_of!(pith_field, target) == 32);
    assert!(offset_of!(pith_field, reserved) == 48);
    assert!(size_of::<pith_table>() == 96);
    assert!(offset_of!(pith_table, name) == 0);
    assert!(offset_of!(pith_table, fields) == 16);
    assert!(offset_of!(pith_table, field_count) == 24);
    assert!(offset_of!(pith_table, row_count) == 32);
    assert!(offset_of!(pith_table, rows) == 40);
    assert!(offset_of!(pith_table, single) == 64);
    assert!(offset_of!(pith_table, near_at) == 68);
    assert!(offset_of!(pith_table, near_row) == 72);
    assert!(offset_of!(pith_table, reserved) == 80);
    assert!(size_of::<pith_session_limits>() == 32);
    assert!(offset_of!(pith_session_limits, size) == 0);
    assert!(offset_of!(pith_session_limits, idle_max) == 8);
    assert!(offset_of!(pith_session_limits, life_max) == 16);
    assert!(offset_of!(pith_session_limits, ids_max) == 24);
    assert!(size_of::<pith_root>() == 72);
    assert!(offset_of!(pith_root, text) == 0);
    assert!(size_of::<pith_delta_info>() == 104);
    assert!(offset_of!(pith_delta_info, kind) == 0);
    assert!(offset_of!(pith_delta_info, key) == 8);
    assert!(offset_of!(pith_delta_info, base_root) == 24);
    assert!(offset_of!(pith_delta_info, root) == 40);
    assert!(offset_of!(pith_delta_info, session) == 56);
    assert!(offset_of!(pith_delta_info, has_count) == 57);
    assert!(offset_of!(pith_delta_info, count) == 64);
    assert!(offset_of!(pith_delta_info, reserved) == 72);
    assert!(size_of::<pith_policy>() == 64);
    assert!(offset_of!(pith_policy, size) == 0);
    assert!(offset_of!(pith_policy, key) == 8);
    assert!(offset_of!(pith_policy, tool) == 24);
    assert!(offset_of!(pith_policy, format) == 40);
    assert!(offset_of!(pith_policy, anchor) == 48);
    assert!(offset_of!(pith_policy, turns) == 52);
    assert!(offset_of!(pith_policy, guard_percent) == 56);
    assert!(size_of::<pith_vocab_info>() == 56);
    assert!(offset_of!(pith_vocab_info, name) == 0);
    assert!(offset_of!(pith_vocab_info, exact) == 8);
    assert!(offset_of!(pith_vocab_info, size) == 16);
    assert!(offset_of!(pith_vocab_info, reserved) == 24);
    assert!(size_of::<pith_tokens>() == 48);
    assert!(offset_of!(pith_tokens, ids) == 0);
    assert!(offset_of!(pith_tokens, count) == 8);
    assert!(offset_of!(pith_tokens, cap) == 16);
    assert!(offset_of!(pith_tokens, alloc) == 24);
    assert!(size_of::<pith_part>() == 56);
    assert!(offset_of!(pith_part, text) == 0);
    assert!(offset_of!(pith_part, len) == 8);
    assert!(offset_of!(pith_part, format) == 16);
    assert!(offset_of!(pith_part, tokens) == 24);
    assert!(offset_of!(pith_part, first_row) == 32);
    assert!(offset_of!(pith_part, rows) == 40);
    assert!(offset_of!(pith_part, too_long) == 48);
    assert!(size_of::<ArrowSchema>() == 72);
    assert!(offset_of!(ArrowSchema, format) == 0);
    assert!(offset_of!(ArrowSchema, name) == 8);
    assert!(offset_of!(ArrowSchema, metadata) == 16);
    assert!(offset_of!(ArrowSchema, flags) == 24);
    assert!(offset_of!(ArrowSchema, n_children) == 32);
    assert!(offset_of!(ArrowSchema, children) == 40);
    assert!(offset_of!(ArrowSchema, dictionary) == 48);
    assert!(offset_of!(ArrowSchema, release) == 56);
    assert!(offset_of!(ArrowSchema, private_data) == 64);
    assert!(size_of::<ArrowArray>() == 80);
    assert!(offset_of!(ArrowArray, length) == 0);
    assert!(offset_of!(ArrowArray, null_count) == 8);
    assert!(offset_of!(ArrowArray, offset) == 16);
    assert!(offset_of!(ArrowArray, n_buffers) == 24);
    assert!(offset_of!(ArrowArray, n_children) == 32);
    assert!(offset_of!(ArrowArray, buffers) == 40);
    assert!(offset_of!(ArrowArray, children) == 48);
    assert!(offset_of!(ArrowArray, dictionary) == 56);
    assert!(offset_of!(ArrowArray, release) == 64);
    assert!(offset_of!(ArrowArray, private_data) == 72);
    assert!(size_of::<ArrowArrayStream>() == 40);
    assert!(offset_of!(ArrowArrayStream, get_schema) == 0);
    assert!(offset_of!(ArrowArrayStream, get_next) == 8);
    assert!(offset_of!(ArrowArrayStream, get_last_error) == 16);
    assert!(offset_of!(ArrowArrayStream, release) == 24);
    assert!(offset_of!(ArrowArrayStream, private_data) == 32);
    assert!(size_of::<pith_arrow_plan>() == 32);
    assert!(offset_of!(pith_arrow_plan, size) == 0);
    assert!(offset_of!(pith_arrow_plan, want) == 8);
    assert!(offset_of!(pith_arrow_plan, look) == 16);
    assert!(offset_of!(pith_arrow_plan, batch_rows) == 24);
};
