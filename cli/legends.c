/*
 * legends.c - the texts that explain the formats to a model.
 *
 * Each is as short as it can be and still tells everything that a writer of that format
 * may have used. The first line says what it is, each other one explains one construct.
 */
#include "legends.h"

#include <stddef.h>

const legend legends[] = {
    {"json", NULL, false, "The data is JSON."},

    {"ndjson", NULL, false, "The data is JSON values, one on each line."},

    {"csv", NULL, false,
     "The data is CSV: the first line names the columns, each other line is a row."},
    {"csv", "quotes", false,
     "A cell in quotes is text, with \"\" for a quote; others are numbers or words."},
    {"csv", "empty", false, "An empty cell means null."},

    {"tsv", NULL, false,
     "The data is a table: the first line names the columns, each other line is a row, "
     "cells separated by tabs."},
    {"tsv", "escapes", false,
     "\\t, \\n, \\r and \\\\ in a cell are a tab, line breaks, a backslash."},

    {"toon", NULL, false, "The data is in TOON: JSON by indentation, with few quotes."},
    {"toon", "object", false,
     "`key: value` is a member; lines indented below `key:` are its value."},
    {"toon", "list", false,
     "`key[3]: a,b,c` is a list of 3 values; `key[3]:` has its items below, each after `- `."},
    {"toon", "table", false,
     "`key[3]{id,name}:` is a list of 3 objects with these keys, one a line below, values "
     "separated by commas."},
    {"toon", "quotes", false, "Text in quotes is text even if it looks like a number."},

    {"toon-rows", NULL, false,
     "The data is a table: `[3,]{id,name}:` says that 3 rows with these columns follow, one "
     "a line, cells separated by commas."},
    {"toon-rows", "quotes", false,
     "Text in quotes is text even if it looks like a number."},

    {"gcf", NULL, false, "The data is in GCF."},
    {"gcf", "member", false,
     "`key=value` is a member; `## key` begins an object whose members are indented below."},
    {"gcf", "table", false,
     "`## key [3]{id,name}` begins a list of 3 objects with these keys, one a line, cells "
     "separated by `|`."},
    {"gcf", "path", false, "A column `a>b` is the member b of an object a."},
    {"gcf", "list", false, "`key [2]: a,b` is a list of values."},
    {"gcf", "absent", false, "In a cell `-` is null, `~` means that the key is absent."},
    {"gcf", "attached", false,
     "`^` in a cell: the value is below the row, which then begins with its number (`@0`), "
     "as `.key`."},
    {"gcf", "quotes", false, "Text in quotes is text even if it looks like a number."},

    {"gcf1", NULL, false, "The data is in GCF 1."},
    {"gcf1", "member", false,
     "`key=value` is a member; `## key` begins an object whose members are indented below."},
    {"gcf1", "table", false,
     "`## key [3]{id,name}` begins a list of 3 objects with these keys, one a line, cells "
     "separated by `|`."},
    {"gcf1", "list", false,
     "`## key [2]` begins a list; its items are below, each after its number (`@0`)."},
    {"gcf1", "absent", false, "`-` is null."},
    {"gcf1", "quotes", false, "Text in quotes is text even if it looks like a number."},

    {"gcf-graph", NULL, false, "The data is a graph of code."},
    {"gcf-graph", "symbol", false,
     "`@0 fn pkg.Name 0.90 ast` is a symbol: its number, kind, name, score and source."},
    {"gcf-graph", "distance", false,
     "`## targets` are what was asked for, `## related` what is one step away, "
     "`## extended` what is further."},
    {"gcf-graph", "edge", false, "`@0<@1 calls` is an edge: 1 calls 0."},

    {"gcf1-graph", NULL, false, "The data is a graph of code."},
    {"gcf1-graph", "symbol", false,
     "`@0 fn pkg.Name 0.90 ast` is a symbol: its number, kind, name, score and source."},
    {"gcf1-graph", "distance", false,
     "`## targets` are what was asked for, `## related` what is one step away, "
     "`## extended` what is further."},
    {"gcf1-graph", "edge", false, "`@0<@1 calls` is an edge: 1 calls 0."},

    {"soch", NULL, false, "The data is tables."},
    {"soch", "table", false,
     "`users[2]{id,name}:1,Ada;2,Bob` is the table users: 2 rows with these columns, cells "
     "separated by commas, rows by `;`."},
    {"soch", "types", false, "A column `id:uint` has a type."},
    {"soch", "words", false, "T and F are true and false, \xE2\x88\x85 is null."},
    {"soch", "nested", false,
     "`{a:1,b:[x,y]}` is an object, as in JSON but without quotes."},
    {"soch", "name", false,
     "`_` is no name: of a table without one, or of a value without a key."},
    {"soch", "quotes", false, "Text in quotes is text even if it looks like a number."},

    {"pith", NULL, false,
     "The data is in Pith: JSON in which text needs no quotes, plus tables."},
    {"pith", "table", false,
     "`[3{id,name}` starts a table of 3 rows with these columns, `[3{:id name}` too; each "
     "line is a row, cells separated by commas; `]` ends it."},
    {"pith", "absent", false, "An empty cell means the key is absent."},
    {"pith", "constant", false, "`a=x` in a header: every row has a = x."},
    {"pith", "group", false, "`g{x,y}`: an object g whose members are the next cells."},
    {"pith", "table column", false,
     "`t[4{x,y}]`: each cell is a list of rows, `[1,2;3,4]`."},
    {"pith", "map", false,
     "`{2{a,b}` starts an object of objects; each line is `key:` and cells."},
    {"pith", "quotes", false,
     "Put text in quotes when it holds any of , ; \" { } [ ] \\ or looks like a number, "
     "true, false or null."},
    {"pith", "names", true,
     "`\\1=x` is the value x and names it 1; `\\1` later is the same value again."},
    {"pith", "stems", true,
     "`\\1abc` is the text 1 followed by abc; `\\1=ab\\cd` is the text abcd and names ab."},
    {"pith", "models", true,
     "`\\1{x,,z}` is an object with the keys of object 1 and these values, where empty the "
     "value of 1."},
    {"pith", "ditto", true,
     "In a table header, `a=`: an empty cell is as in the row above."},
    {"pith", "default", true, "In a header, `a=[x]`: an empty cell is x."},
    {"pith", "template", true,
     "In a header, `a=[x*y]`: each cell goes in place of the star."},
    {"pith", "answer", false,
     "You may answer in plain JSON. If you write a table and do not know the number of "
     "rows, write ? instead of it."},
    {NULL, NULL, false, NULL},
};
