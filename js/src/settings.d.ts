// Written by generate.mjs out of the tables of the library: do not change it by hand.
/** Which part of a text is read: of every format. */
export interface ReadCommon {
    /** of the text only the value at this path, as /items/0 or items[0].name. */
    at?: string | readonly string[];
    /** of its rows only those from A up to B, as 0:10. */
    rows?: string;
    /** of its objects only these members, as id,user.login. */
    fields?: string | readonly string[];
    /** without these members, as *_url,node_id. */
    drop?: string | readonly string[];
    /** without members that are null. Normally false. */
    dropNull?: boolean;
}
/** How a value is written: of every format. */
export interface WriteCommon {
    /** write compact JSON instead when that takes no more tokens. Normally false. */
    guard?: boolean;
    /** read the text back and compare, digits too or only values, before writing it. Normally false. */
    verify?: false | true | 'value';
    /** choose by counting among the forms that the format allows. Normally none. */
    optimize?: 'none' | 'tokens';
    /** leave out rows, or members of maps, until the text fits into so many tokens. Normally none. */
    budget?: number;
    /** which rows stay when some have to go; the best have the largest FIELD. Normally first. */
    keep?: 'first' | 'last' | 'spread' | `best=${string}`;
    /** write at most so many rows. Normally none. */
    rowsMax?: number;
    /** end longer texts after so many characters, with a mark. Normally none. */
    clip?: number;
    /** where the text says what was left out: in a comment if readers expect it, in a comment, in a member _note, nowhere. Normally auto. */
    note?: 'auto' | 'line' | 'member' | 'none';
    /** end the text with a newline. Normally false. */
    finalNewline?: boolean;
    /** escape what nobody sees and what may end a line; refuse it where there is no escape. Normally false. */
    safe?: boolean;
}
/** JSON, RFC 8259. */
export interface ReadJson extends ReadCommon {
    /** what a repeated key means: an error, or that the last value wins. Normally refuse. */
    duplicates?: 'refuse' | 'last';
    /** what half a surrogate pair means: an error, or U+FFFD. Normally refuse. */
    surrogates?: 'refuse' | 'replace';
    /** what arrays or objects one after the other mean: an error, or an array of them. Normally refuse. */
    several?: 'refuse' | 'array';
}
/** one JSON value a line. */
export interface ReadNdjson extends ReadCommon {
    /** what a repeated key means: an error, or that the last value wins. Normally refuse. */
    duplicates?: 'refuse' | 'last';
    /** what half a surrogate pair means: an error, or U+FFFD. Normally refuse. */
    surrogates?: 'refuse' | 'replace';
    /** what a line that is no value means: an error, or that it is left out. Normally stop. */
    bad?: 'stop' | 'skip';
}
/** flat tables, RFC 4180, with types kept by quotes. */
export interface ReadCsv extends ReadCommon {
    /** what cells without quotes are: judged by column, each by itself, or always text. Normally infer. */
    types?: 'infer' | 'cells' | 'text';
    /** the first line names the columns; without, they are column_1 and so on. Normally true. */
    header?: boolean;
    /** what a repeated name means: an error, or a name with the column's number. Normally refuse. */
    duplicates?: 'refuse' | 'number';
    /** rows with fewer cells than the header: an error, or null in the others; empty cells that are too many are then left out. Normally refuse. */
    ragged?: 'refuse' | 'pad';
    /** what a line that is no row means: an error, or that it is left out. Normally stop. */
    bad?: 'stop' | 'skip';
    /** what stands between cells; auto reads what the first line is cut by, rows what cuts the first two lines alike, and both write commas. Normally auto. */
    delimiter?: 'auto' | 'comma' | 'semicolon' | 'tab' | 'pipe' | 'rows';
}
/** csv with tabs between the cells. */
export interface ReadTsv extends ReadCommon {
    /** what cells without quotes are: judged by column, each by itself, or always text. Normally infer. */
    types?: 'infer' | 'cells' | 'text';
    /** the first line names the columns; without, they are column_1 and so on. Normally true. */
    header?: boolean;
    /** what a repeated name means: an error, or a name with the column's number. Normally refuse. */
    duplicates?: 'refuse' | 'number';
    /** rows with fewer cells than the header: an error, or null in the others; empty cells that are too many are then left out. Normally refuse. */
    ragged?: 'refuse' | 'pad';
    /** what a line that is no row means: an error, or that it is left out. Normally stop. */
    bad?: 'stop' | 'skip';
}
/** Token-Oriented Object Notation, 4.4 and 3.3. */
export interface ReadToon extends ReadCommon {
    /** the specification: 4.4, 3.3, or 3.0 for older readers. Normally 4. */
    version?: 4 | 3 | '3.0';
    /** spaces for each level. Normally 2. */
    indent?: number;
    /** refuse what does not fit its header; false recovers as the specification allows. Normally true. */
    strict?: boolean;
    /** version 3: read a dotted key as nested objects. Normally off. */
    expand?: 'off' | 'safe';
}
/** one table of flat rows, as Seamless-RAG writes it. */
export interface ReadToonRows extends ReadCommon {
    /** spaces for each level. Normally 2. */
    indent?: number;
}
/** Graph Compact Format, 3.5 and 3.6; reads graphs, too. */
export interface ReadGcf extends ReadCommon {}
/** Graph Compact Format, graph profile: code graphs. */
export interface ReadGcfGraph extends ReadCommon {}
/** Graph Compact Format 1, versions 1.1 and 1.4; reads graphs, too. */
export interface ReadGcf1 extends ReadCommon {
    /** the version; 1.4 has arrays of scalars on one line, and passes over references of graphs that it cannot read. Normally 1.1. */
    level?: '1.1' | '1.4';
    /** whether the number of rows must be the declared one. Normally strict. */
    counts?: 'strict' | 'lax';
}
/** Graph Compact Format 1: code graphs. */
export interface ReadGcf1Graph extends ReadCommon {
    /** the version; 1.4 counts the edges, and passes over references it cannot read. Normally 1.1. */
    level?: '1.1' | '1.4';
    /** refuse scores without two decimals or beyond 0.00 to 1.00. Normally false. */
    strict?: boolean;
}
/** SochDB's typed tables, as text. */
export interface ReadSoch extends ReadCommon {
    /** refuse what the original grammar cannot express. Normally false. */
    seedOnly?: boolean;
    /** false: let the count differ and take quotes as they come. Normally true. */
    strict?: boolean;
    /** read what SochDB itself prints, in all its dialects. Normally off. */
    compat?: 'off' | 'sochdb';
    /** a reference outside this format: an object, or the text ref(users,42). Normally object. */
    refs?: 'object' | 'text';
}
/** SochDB's typed tables, as bytes. */
export interface ReadSochBin extends ReadCommon {
    /** the most bytes that compressed rows may become. Normally 1073741824. */
    rawMax?: number;
    /** a reference outside this format: an object, or the text ref(users,42). Normally object. */
    refs?: 'object' | 'text';
}
/** JSON without the quotes, plus tables. */
export interface ReadPith extends ReadCommon {}
/** the data in what a model answered. */
export interface ReadAnswer extends ReadCommon {
    /** what a repeated key means: an error, or that the last value wins. Normally refuse. */
    duplicates?: 'refuse' | 'last';
    /** what half a surrogate pair means: an error, or U+FFFD. Normally refuse. */
    surrogates?: 'refuse' | 'replace';
    /** which of the data in the answer; all of it is an array. Normally first. */
    pick?: 'first' | 'last' | 'all';
    /** what may be mended: nothing, what cannot change a value, or also by guessing. Normally safe. */
    mend?: 'safe' | 'none' | 'all';
    /** hand out the members of an object one by one, too. Normally false. */
    stream?: boolean;
}
export interface ReadSettings {
    "json": ReadJson;
    "ndjson": ReadNdjson;
    "csv": ReadCsv;
    "tsv": ReadTsv;
    "toon": ReadToon;
    "toon-rows": ReadToonRows;
    "gcf": ReadGcf;
    "gcf-graph": ReadGcfGraph;
    "gcf1": ReadGcf1;
    "gcf1-graph": ReadGcf1Graph;
    "soch": ReadSoch;
    "soch-bin": ReadSochBin;
    "pith": ReadPith;
    "answer": ReadAnswer;
}
/** JSON, RFC 8259. */
export interface WriteJson extends WriteCommon {
    /** write everything beyond ASCII as \uXXXX. Normally false. */
    ascii?: boolean;
    /** spaces for each level, one member a line; 0 writes everything on one line. Normally 0. */
    indent?: number;
}
/** one JSON value a line. */
export interface WriteNdjson extends WriteCommon {
    /** write everything beyond ASCII as \uXXXX. Normally false. */
    ascii?: boolean;
}
/** flat tables, RFC 4180, with types kept by quotes. */
export interface WriteCsv extends WriteCommon {
    /** the first line names the columns; without, they are column_1 and so on. Normally true. */
    header?: boolean;
    /** put all text in quotes, or only where it would be read as something else. Normally text. */
    quote?: 'text' | 'needed';
    /** what an array or object in a cell becomes: an error, or its JSON. Normally refuse. */
    nested?: 'refuse' | 'json';
    /** what a field that a row lacks becomes: an error, or an empty cell; with union the header has the fields of all rows. Normally refuse. */
    absent?: 'refuse' | 'null' | 'union';
    /** what ends a line. Normally lf. */
    newline?: 'lf' | 'crlf';
    /** text that a spreadsheet would run: kept, given a ' in front, or an error. Normally keep. */
    formulas?: 'keep' | 'quote' | 'refuse';
    /** what stands between cells; auto reads what the first line is cut by, rows what cuts the first two lines alike, and both write commas. Normally auto. */
    delimiter?: 'auto' | 'comma' | 'semicolon' | 'tab' | 'pipe' | 'rows';
}
/** csv with tabs between the cells. */
export interface WriteTsv extends WriteCommon {
    /** the first line names the columns; without, they are column_1 and so on. Normally true. */
    header?: boolean;
    /** put all text in quotes, or only where it would be read as something else. Normally text. */
    quote?: 'text' | 'needed';
    /** what an array or object in a cell becomes: an error, or its JSON. Normally refuse. */
    nested?: 'refuse' | 'json';
    /** what a field that a row lacks becomes: an error, or an empty cell; with union the header has the fields of all rows. Normally refuse. */
    absent?: 'refuse' | 'null' | 'union';
    /** what ends a line. Normally lf. */
    newline?: 'lf' | 'crlf';
    /** text that a spreadsheet would run: kept, given a ' in front, or an error. Normally keep. */
    formulas?: 'keep' | 'quote' | 'refuse';
}
/** Token-Oriented Object Notation, 4.4 and 3.3. */
export interface WriteToon extends WriteCommon {
    /** the specification: 4.4, 3.3, or 3.0 for older readers. Normally 4. */
    version?: 4 | 3 | '3.0';
    /** what stands between values. Normally comma. */
    delimiter?: 'comma' | 'tab' | 'pipe';
    /** spaces for each level. Normally 2. */
    indent?: number;
    /** version 3: write nested objects with one member as a dotted key. Normally off. */
    fold?: 'off' | 'safe';
    /** version 3: the most keys to fold into one. Normally 1000000. */
    flattenDepth?: number;
}
/** one table of flat rows, as Seamless-RAG writes it. */
export interface WriteToonRows extends WriteCommon {
    /** what stands between values. Normally comma. */
    delimiter?: 'comma' | 'tab' | 'pipe';
    /** spaces for each level. Normally 2. */
    indent?: number;
}
/** Graph Compact Format, 3.5 and 3.6; reads graphs, too. */
export interface WriteGcf extends WriteCommon {
    /** the specification to write; 3.6 names a column that never changes only once. Normally 3.5. */
    level?: '3.5' | '3.6';
    /** spread objects that are alike over columns of the table they are in. Normally true. */
    flatten?: boolean;
    /** name the keys of objects that are alike only in the first row. Normally true. */
    inlineSchema?: boolean;
    /** name the fields of nested tables that are alike only in the first row. Normally true. */
    sharedSchema?: boolean;
    /** level 3.6: put the rows of the root array in groups by this field. */
    group?: string;
    /** end rows that were written one by one with a line that counts them. Normally true. */
    summary?: boolean;
    /** the producing tool, for the first line. */
    tool?: string;
    /** the tokens of the text, for the first line: a number, 'exact' to count them, or 'none'. */
    tokens?: string;
    /** rows of which most cells would be absent: a table, or objects of their own. Normally table. */
    sparse?: 'table' | 'expand';
}
/** Graph Compact Format, graph profile: code graphs. */
export interface WriteGcfGraph extends WriteCommon {
    /** the specification to write; 3.6 has places in files. Normally 3.5. */
    level?: '3.5' | '3.6';
    /** leave out what a graph of this level cannot hold, instead of refusing it. Normally false. */
    lossy?: boolean;
    /** in the summary of a stream, name the groups that are counted. Normally false. */
    labels?: boolean;
    /** the tokens of the text, for the first line: a number, 'exact' to count them, or 'none'; else what the graph says. */
    tokens?: string;
    /** in a session, say in a comment which turn this is and what it follows. Normally false. */
    turns?: boolean;
}
/** Graph Compact Format 1, versions 1.1 and 1.4; reads graphs, too. */
export interface WriteGcf1 extends WriteCommon {
    /** the version; 1.4 has arrays of scalars on one line, and passes over references of graphs that it cannot read. Normally 1.1. */
    level?: '1.1' | '1.4';
    /** which strings have quotes: those that need them, or only those that the 1.1 document lists. Normally needed. */
    quote?: 'needed' | 'seed';
    /** write values even if they would not be read back as they are. Normally false. */
    lossy?: boolean;
}
/** Graph Compact Format 1: code graphs. */
export interface WriteGcf1Graph extends WriteCommon {
    /** the version; 1.4 counts the edges, and passes over references it cannot read. Normally 1.1. */
    level?: '1.1' | '1.4';
    /** refuse scores without two decimals or beyond 0.00 to 1.00. Normally false. */
    strict?: boolean;
    /** leave out what a graph of GCF 1 cannot hold, instead of refusing it. Normally false. */
    lossy?: boolean;
    /** the producing tool, which the first line must name, if the graph does not. */
    tool?: string;
    /** the tokens of the text, for the first line: a number, 'exact' to count them, or 'none'; else what the graph says. */
    tokens?: string;
    /** the name of the graph, for the first line: hexadecimal digits, 'exact' to compute them, or 'none'; else what the graph says. */
    pack_root?: string;
    /** in a session, say in a comment which turn this is, and number symbols through all turns; else in each text from 0, and nobody can read the references. Normally true. */
    turns?: boolean;
}
/** SochDB's typed tables, as text. */
export interface WriteSoch extends WriteCommon {
    /** all rows in one line, one a line, or one a line without semicolons. Normally compact. */
    rows?: 'compact' | 'lines' | 'nl';
    /** the types to write: those that are needed, all that are known, none, or all that can be found from the values. Normally auto. */
    types?: 'auto' | 'all' | 'none' | 'infer';
    /** how to write null: the empty set sign, or the word. Normally sign. */
    null?: 'sign' | 'null';
    /** how to write bools: T and F, or true and false. Normally short. */
    bool?: 'short' | 'long';
    /** whatever costs fewer tokens: null=null. Normally false. */
    minTokens?: boolean;
    /** refuse what the original grammar cannot express. Normally false. */
    seedOnly?: boolean;
    /** make a table of objects that differ, with null for what is missing. Normally false. */
    fillMissing?: boolean;
    /** the name of a table that has none. */
    name?: string;
    /** the types of columns, as in id:uint,amount:float; what does not fit is refused. */
    fields?: string | readonly string[];
    /** a reference outside this format: an object, or the text ref(users,42). Normally object. */
    refs?: 'object' | 'text';
}
/** SochDB's typed tables, as bytes. */
export interface WriteSochBin extends WriteCommon {
    /** compress the rows, where that makes them smaller. Normally none. */
    compress?: 'none' | 'lz4' | 'zstd';
    /** end with a CRC-32C of everything before it. Normally true. */
    checksum?: boolean;
    /** make a table of objects that differ, with null for what is missing. Normally false. */
    fillMissing?: boolean;
    /** the name of a table that has none. */
    name?: string;
    /** the types of columns: those of a table that has them, also those that rows declare, none, or all that can be found from the values. Normally auto. */
    types?: 'auto' | 'all' | 'none' | 'infer';
    /** the types of columns, as in id:uint,amount:float; what does not fit is refused. */
    fields?: string | readonly string[];
    /** a reference outside this format: an object, or the text ref(users,42). Normally object. */
    refs?: 'object' | 'text';
}
/** JSON without the quotes, plus tables. */
export interface WritePith extends WriteCommon {
    /** each row on a line of its own, or the whole text on one line. Normally lines. */
    rows?: 'lines' | 'inline';
    /** spread objects that are alike over columns of the table they are in. Normally true. */
    groups?: boolean;
    /** name the columns of tables in a table once, in its header. Normally true. */
    tableColumns?: boolean;
    /** write a value that all rows share once, in the header. Normally true. */
    constants?: boolean;
    /** write objects of objects as tables whose rows begin with their key. Normally true. */
    maps?: boolean;
    /** decimals as they are, or the same double in fewer digits. Normally keep. */
    numbers?: 'keep' | 'shortest';
    /** whether rows that order their members differently may be put in one order. Normally keep. */
    order?: 'keep' | 'free';
    /** 2 also writes once what repeats elsewhere. Normally 1. */
    level?: number;
    /** level 2: name a value at its first place, to repeat it by its name. Normally true. */
    names?: boolean;
    /** level 2: name the beginnings that texts share. Normally true. */
    stems?: boolean;
    /** level 2: write an object with the keys of another without them. Normally true. */
    models?: boolean;
    /** level 2: leave cells empty that are as in the row above, or as most. Normally true. */
    fill?: boolean;
    /** level 2: write what all cells of a column share once, in the header. Normally true. */
    templates?: boolean;
}
/** whichever of the formats costs the fewest tokens. */
export interface WriteAuto extends WriteCommon {
    /** the formats to choose from, or 'all'; of equals the first. Normally json,pith. */
    allow?: string | readonly string[];
    /** whether level 2 of Pith may be chosen, too. Normally false. */
    dense?: boolean;
}
export interface WriteSettings {
    "json": WriteJson;
    "ndjson": WriteNdjson;
    "csv": WriteCsv;
    "tsv": WriteTsv;
    "toon": WriteToon;
    "toon-rows": WriteToonRows;
    "gcf": WriteGcf;
    "gcf-graph": WriteGcfGraph;
    "gcf1": WriteGcf1;
    "gcf1-graph": WriteGcf1Graph;
    "soch": WriteSoch;
    "soch-bin": WriteSochBin;
    "pith": WritePith;
    "auto": WriteAuto;
}
