// What to tell a model about each format: written by generate.mjs.
export const LEGENDS = {
    "json":
        "The data is JSON.\n",
    "ndjson":
        "The data is JSON values, one on each line.\n",
    "csv":
        "The data is CSV: the first line names the columns, each other line is a row.\n" +
        "A cell in quotes is text, with \"\" for a quote; others are numbers or words.\n" +
        "An empty cell means null.\n",
    "tsv":
        "The data is a table: the first line names the columns, each other line is a row, cells separated by tabs.\n" +
        "\\t, \\n, \\r and \\\\ in a cell are a tab, line breaks, a backslash.\n",
    "toon":
        "The data is in TOON: JSON by indentation, with few quotes.\n" +
        "`key: value` is a member; lines indented below `key:` are its value.\n" +
        "`key[3]: a,b,c` is a list of 3 values; `key[3]:` has its items below, each after `- `.\n" +
        "`key[3]{id,name}:` is a list of 3 objects with these keys, one a line below, values separated by commas.\n" +
        "Text in quotes is text even if it looks like a number.\n",
    "toon-rows":
        "The data is a table: `[3,]{id,name}:` says that 3 rows with these columns follow, one a line, cells separated by commas.\n" +
        "Text in quotes is text even if it looks like a number.\n",
    "gcf":
        "The data is in GCF.\n" +
        "`key=value` is a member; `## key` begins an object whose members are indented below.\n" +
        "`## key [3]{id,name}` begins a list of 3 objects with these keys, one a line, cells separated by `|`.\n" +
        "A column `a>b` is the member b of an object a.\n" +
        "`key [2]: a,b` is a list of values.\n" +
        "In a cell `-` is null, `~` means that the key is absent.\n" +
        "`^` in a cell: the value is below the row, which then begins with its number (`@0`), as `.key`.\n" +
        "Text in quotes is text even if it looks like a number.\n",
    "gcf-graph":
        "The data is a graph of code.\n" +
        "`@0 fn pkg.Name 0.90 ast` is a symbol: its number, kind, name, score and source.\n" +
        "`## targets` are what was asked for, `## related` what is one step away, `## extended` what is further.\n" +
        "`@0<@1 calls` is an edge: 1 calls 0.\n",
    "gcf1":
        "The data is in GCF 1.\n" +
        "`key=value` is a member; `## key` begins an object whose members are indented below.\n" +
        "`## key [3]{id,name}` begins a list of 3 objects with these keys, one a line, cells separated by `|`.\n" +
        "`## key [2]` begins a list; its items are below, each after its number (`@0`).\n" +
        "`-` is null.\n" +
        "Text in quotes is text even if it looks like a number.\n",
    "gcf1-graph":
        "The data is a graph of code.\n" +
        "`@0 fn pkg.Name 0.90 ast` is a symbol: its number, kind, name, score and source.\n" +
        "`## targets` are what was asked for, `## related` what is one step away, `## extended` what is further.\n" +
        "`@0<@1 calls` is an edge: 1 calls 0.\n",
    "soch":
        "The data is tables.\n" +
        "`users[2]{id,name}:1,Ada;2,Bob` is the table users: 2 rows with these columns, cells separated by commas, rows by `;`.\n" +
        "A column `id:uint` has a type.\n" +
        "T and F are true and false, ∅ is null.\n" +
        "`{a:1,b:[x,y]}` is an object, as in JSON but without quotes.\n" +
        "`_` is no name: of a table without one, or of a value without a key.\n" +
        "Text in quotes is text even if it looks like a number.\n",
    "pith":
        "The data is in Pith: JSON in which text needs no quotes, plus tables.\n" +
        "`[3{id,name}` starts a table of 3 rows with these columns, `[3{:id name}` too; each line is a row, cells separated by commas; `]` ends it.\n" +
        "An empty cell means the key is absent.\n" +
        "`a=x` in a header: every row has a = x.\n" +
        "`g{x,y}`: an object g whose members are the next cells.\n" +
        "`t[4{x,y}]`: each cell is a list of rows, `[1,2;3,4]`.\n" +
        "`{2{a,b}` starts an object of objects; each line is `key:` and cells.\n" +
        "Put text in quotes when it holds any of , ; \" { } [ ] \\ or looks like a number, true, false or null.\n" +
        "You may answer in plain JSON. If you write a table and do not know the number of rows, write ? instead of it.\n",
    "pith, dense":
        "The data is in Pith: JSON in which text needs no quotes, plus tables.\n" +
        "`[3{id,name}` starts a table of 3 rows with these columns, `[3{:id name}` too; each line is a row, cells separated by commas; `]` ends it.\n" +
        "An empty cell means the key is absent.\n" +
        "`a=x` in a header: every row has a = x.\n" +
        "`g{x,y}`: an object g whose members are the next cells.\n" +
        "`t[4{x,y}]`: each cell is a list of rows, `[1,2;3,4]`.\n" +
        "`{2{a,b}` starts an object of objects; each line is `key:` and cells.\n" +
        "Put text in quotes when it holds any of , ; \" { } [ ] \\ or looks like a number, true, false or null.\n" +
        "`\\1=x` is the value x and names it 1; `\\1` later is the same value again.\n" +
        "`\\1abc` is the text 1 followed by abc; `\\1=ab\\cd` is the text abcd and names ab.\n" +
        "`\\1{x,,z}` is an object with the keys of object 1 and these values, where empty the value of 1.\n" +
        "In a table header, `a=`: an empty cell is as in the row above.\n" +
        "In a header, `a=[x]`: an empty cell is x.\n" +
        "In a header, `a=[x*y]`: each cell goes in place of the star.\n" +
        "You may answer in plain JSON. If you write a table and do not know the number of rows, write ? instead of it.\n",
};
