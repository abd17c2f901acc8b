"""Statements and files that want more than to be read; a part of tests/db/run.

What is refused by its words, what SQLite's authorizer refuses, what is left to the
read-only transaction of a server, and what an account's rights stop even with --write.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time

import __main__ as test
import served

PROMISED = 1.0
SLACK = 3.0  # on a machine that has much else to do

# Letters without an end, which a tokenizer is slowest at.
LETTERS = "hex(randomblob(50000))"
for digit, letter in zip("0123456789", "GHIJKLMNOP"):
    LETTERS = f"replace({LETTERS}, '{digit}', '{letter}')"

# Not ended by sqlite3_interrupt: one call of a function.
LONG_FUNCTION = ("SELECT instr(printf('%.2000000c','a'), printf('%.1000000c','a')||'b') "
                 "AS n")


# --------------------------------------------------------------------------------- SQLite

def make_file(path):
    """A file with full-text search, an R-tree, and views that a stranger made."""
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE t(x)")
        file.execute("INSERT INTO t VALUES (1), (2)")
        file.execute("CREATE VIRTUAL TABLE f USING fts4(x)")
        file.execute("INSERT INTO f VALUES ('hello world')")
        file.execute("CREATE VIRTUAL TABLE g USING fts5(x)")
        file.execute("INSERT INTO g VALUES ('hello world')")
        file.execute("CREATE VIRTUAL TABLE r USING rtree(id, low, high)")
        file.execute("INSERT INTO r VALUES (1, 2, 3)")
        file.execute("CREATE VIEW evil AS SELECT hex(fts3_tokenizer('simple')) AS x")
        file.execute("CREATE VIEW load AS SELECT load_extension('x') AS x")
        file.execute("CREATE VIEW kind AS SELECT upper(x) AS x FROM t")
    file.close()


READS = [
    ("SELECT x FROM f WHERE f MATCH 'hello'", '[{"x":"hello world"}]'),
    ("SELECT x FROM g WHERE g MATCH 'hello'", '[{"x":"hello world"}]'),
    ("SELECT id FROM r WHERE low > 1", '[{"id":1}]'),
    ("SELECT value FROM json_each('[7]')", '[{"value":7}]'),
    ("SELECT name FROM pragma_table_info('t')", '[{"name":"x"}]'),
    ("SELECT count(*) AS n FROM kind", '[{"n":2}]'),
    ("PRAGMA user_version", '[{"user_version":0}]'),
    ("PRAGMA integrity_check", '[{"integrity_check":"ok"}]'),
    ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3) "
     "SELECT sum(x) AS s FROM c", '[{"s":6}]'),
    ("VALUES (7)", '[{"column1":7}]'),
]

TOKENIZER = ("SELECT name FROM pragma_table_info(CASE WHEN fts3_tokenizer('simple',"
             "x'4141414141414141') IS NOT NULL THEN 'f' END)")

REFUSED_ALWAYS = [
    "SELECT hex(fts3_tokenizer('simple'))",
    TOKENIZER,
    "SELECT load_extension('x')",
    "ATTACH 'other.db' AS other",
    "ATTACH ':memory:' AS other",
    "ATTACH 'oth' || 'er.db' AS other",
    "PRAGMA writable_schema = 1",
    "PRAGMA trusted_schema = 1",
    "PRAGMA temp_store_directory = '/'",
    "PRAGMA hard_heap_limit = 1",
    "SELECT * FROM pragma_writable_schema",
]

REFUSED_WITHOUT_WRITE = [
    "INSERT INTO t VALUES (3)",
    "INSERT INTO f VALUES ('x')",
    "INSERT INTO r VALUES (2, 3, 4)",
    "WITH n(x) AS (VALUES (3)) INSERT INTO t SELECT x FROM n",
    "DELETE FROM t RETURNING x",
    "CREATE TEMP TABLE u(x)",
    "DROP TABLE t",
    "BEGIN",
    "BEGIN IMMEDIATE",
    "SAVEPOINT s",
    "VACUUM",
    "VACUUM INTO 'other.db'",
    "REINDEX",
    "ANALYZE",
    "PRAGMA user_version = 7",
    "PRAGMA journal_mode = WAL",
    "PRAGMA wal_checkpoint",
    "PRAGMA optimize",
    "PRAGMA cache_size = 1000000000",
    "SELECT * FROM pragma_optimize",
    "SELECT optimize(f) FROM f",
    "EXPLAIN DELETE FROM t",
]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def sqlite(tool, work):
    folder = os.path.join(work, "attacks")
    os.mkdir(folder)
    path = os.path.join(folder, "a.db")
    try:
        make_file(path)
    except sqlite3.OperationalError as why:
        print(f"SQLite has not all that is attacked: {why}")
        return
    here = test.Tool(tool.path, "sqlite:" + path, tool.environment)
    before = digest(path)
    for sql, rows in READS:
        test.check(sql, here.rows(sql), test.exact(rows))
    for sql in REFUSED_ALWAYS:
        test.check_error(here, sql, sql, 1, "not_allowed")
    for sql in REFUSED_WITHOUT_WRITE:
        test.check_error(here, sql, sql, 1, "read_only")
    served.refused(here, [*REFUSED_ALWAYS, *REFUSED_WITHOUT_WRITE, "SELECT 1; DROP TABLE t",
                          "COMMIT; DROP TABLE t"],
                   "[not_allowed]", "[read_only]", "[several_statements]")
    for sql in ("INSERT INTO r_node VALUES (7, x'')", "UPDATE sqlite_master SET name = 'x'",
                "SELECT * FROM evil", "SELECT * FROM load"):
        test.check_error(here, sql, sql, 1, "query_failed")
    # A parameter may be what the function would take where its name is allowed.
    test.check_error(here, "a bound tokenizer", "SELECT fts3_tokenizer('simple', ?)", 1,
                     "not_allowed", "-p", "AAAAAAAA")
    test.check("the file is as it was", digest(path), before)
    test.check("there is no other file", os.listdir(folder), ["a.db"])
    for sql in (*REFUSED_ALWAYS, "VACUUM INTO 'other.db'"):
        test.check_error(here, "--write " + sql, sql, 1, "not_allowed", "--write")
    for sql in ("VACUUM", "INSERT INTO r VALUES (2, 3, 4)", "PRAGMA user_version = 7"):
        here.write(sql)
    test.check("there is no other file", os.listdir(folder), ["a.db"])
    sqlite_memory(here)
    sqlite_uris(tool, path)
    sqlite_limits(here)
    sqlite_log(tool, folder)
    sqlite_deadlines(here, work)
    shutil.rmtree(folder)


def sqlite_memory(tool):
    """In memory nothing but the statement itself is in the way of writing."""
    memory = test.Tool(tool.path, "sqlite::memory:", tool.environment)
    for sql in ("CREATE TABLE u(x)", "CREATE TABLE u_node(x)", "PRAGMA user_version = 7"):
        test.check_error(memory, sql, sql, 1, "read_only")
    test.check_error(memory, "ATTACH", "ATTACH 'other.db' AS o", 1, "not_allowed")


def sqlite_uris(tool, path):
    for unsafe in ("immutable=1", "nolock=1", "vfs=unix-none", "%69mmutable=1",
                   "mode=ro&nolock=0", "a=b&immutable=0"):
        url = f"sqlite:file:{path}?{unsafe}"
        here = test.Tool(tool.path, url, tool.environment)
        test.check_error(here, url, "SELECT 1", 2, "unsafe_uri")
        code, _, err = here.query("SELECT count(*) FROM t", "--trust-uri")
        test.check(f"--trust-uri {url}: {err}", code, 0)
    for safe in ("", "?mode=ro", "?cache=private", "#?immutable=1"):
        here = test.Tool(tool.path, f"sqlite:file:{path}{safe}", tool.environment)
        test.check(safe, here.rows("SELECT count(*) AS n FROM t"), test.exact('[{"n":2}]'))
    test.check_error(test.Tool(tool.path, f"sqlite:file:{path}?mode=rwc", tool.environment),
                     "more than reading", "SELECT 1", 3, "open_failed")


def sqlite_limits(tool):
    """Values and memory have a bound, and it can be moved."""
    huge = "SELECT length(hex(zeroblob(400000000))) AS n"
    test.check_error(tool, "a value of 800 MB", huge, 1, "value_too_long")
    test.check_error(tool, "and more memory than 1 GiB", huge, 1, "memory_limit",
                     "--max-value", "1000000000")
    test.check_error(tool, "a small bound", "SELECT zeroblob(1025)", 1, "value_too_long",
                     "--max-value", "1K")
    test.check_error(tool, "a long statement", "SELECT 1" + " " * 2000, 1, "value_too_long",
                     "--max-value", "1K")
    test.check_error(tool, "little memory", "SELECT length(hex(zeroblob(2000000)))", 1,
                     "memory_limit", "--max-memory", "2M")
    test.check("more memory", tool.rows("SELECT length(hex(zeroblob(2000000))) AS n",
                                        "--max-memory", "64M"), test.exact('[{"n":4000000}]'))
    test.check("at the bound", tool.rows("SELECT length(zeroblob(1024)) AS n",
                                         "--max-value", "1K"), test.exact('[{"n":1024}]'))


def sqlite_log(tool, folder):
    """Reading a database with a write-ahead log leaves no file that was not there."""
    path = os.path.join(folder, "log.db")
    here = test.Tool(tool.path, "sqlite:" + path, tool.environment)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("CREATE TABLE t(x)")
        file.execute("INSERT INTO t VALUES (1)")
    file.close()
    before = (digest(path), os.stat(path).st_mtime_ns)
    for sql, code in (("SELECT * FROM t", 0), ("SELECT nothing FROM t", 1),
                      ("DELETE FROM t", 1)):
        test.check(f"a log: {sql}", here.query(sql)[0], code)
        test.check(f"a log: {sql} leaves no file", sorted(os.listdir(folder)),
                   ["a.db", "log.db"])
    here.run("tables", "--db", here.url)
    test.check("tables leaves no file", sorted(os.listdir(folder)), ["a.db", "log.db"])
    test.check("the file is as it was", (digest(path), os.stat(path).st_mtime_ns), before)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("INSERT INTO t VALUES (2)")
    log = digest(path + "-wal")
    test.check("beside a writer", here.rows("SELECT count(*) AS n FROM t"),
               test.exact('[{"n":2}]'))
    test.check("a writer keeps its log", digest(path + "-wal"), log)
    writer.execute("INSERT INTO t VALUES (3)")
    test.check("and goes on", here.rows("SELECT count(*) AS n FROM t"),
               test.exact('[{"n":3}]'))
    writer.close()
    sqlite_log_without_rights(here, path)
    os.remove(path)


def sqlite_log_without_rights(tool, path):
    """In a folder that may not be written to, the files of the log cannot be made."""
    user = test.server_user() if os.getuid() == 0 else None
    folder = os.path.dirname(path)
    os.chmod(os.path.dirname(folder), 0o755)
    os.chmod(folder, 0o555)

    def ask(url, *arguments):
        return subprocess.run([tool.path, "query", "--db", url, "--to", "json", *arguments,
                               "SELECT count(*) AS n FROM t"], capture_output=True,
                              check=False, env=tool.environment,
                              preexec_fn=test.become(user), timeout=60)
    try:
        done = ask(tool.url)
        immutable = ask(f"sqlite:file:{path}?immutable=1", "--trust-uri")
    except PermissionError:
        return  # the tool is where nobody else may run it
    finally:
        os.chmod(folder, 0o755)
    test.check(f"a log without rights: {done.stderr}", done.returncode, 3)
    test.check_in("a log without rights", done.stderr.decode(), "[open_failed]")
    test.check("and without a log", (immutable.returncode, immutable.stdout),
               (0, b'[{"n":3}]\n'))


def deadline(tool, what, work, seconds, *arguments):
    """A query with --timeout, into a file: how it ends, and when."""
    out = os.path.join(work, "out")
    os.mkdir(out)
    started = time.monotonic()
    code, _, err = tool.run("query", "--db", tool.url, "--timeout", str(seconds), "-o",
                            os.path.join(out, "rows.json"), *arguments)
    took = time.monotonic() - started
    test.check(f"{what}: {err}", code, 1)
    test.check(f"{what}: {took:.2f} s is in time", took < seconds + PROMISED + SLACK, True)
    test.check_no_file(what, out)
    shutil.rmtree(out)
    return err


def sqlite_deadlines(tool, work):
    """Within a second after --timeout or a signal it is over, whatever is at work."""
    long = [
        ("a long function", [LONG_FUNCTION]),
        ("much memory", ["--max-value", "1000000000", "--max-memory", "4G",
                         "SELECT sum(length(hex(zeroblob(400000000 + value)))) "
                         "FROM json_each('[1,2,3,4,5,6,7,8,9]')"]),
        ("many steps", ["WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                        "SELECT sum(x) FROM c"]),
        ("a budget", ["--budget", "90000000", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
                      f"SELECT x + 1 FROM c WHERE x < 200) SELECT {LETTERS} AS h FROM c"]),
    ]
    for what, arguments in long:
        test.check_in(what, deadline(tool, what, work, 1, *arguments), "[timeout]")
    said = json.loads(deadline(tool, "as JSON", work, 1, "--errors=json", LONG_FUNCTION))
    test.check("as JSON", (said["code"], said["status"]), ("timeout", "limit"))
    for number in (signal.SIGTERM, signal.SIGINT):
        started = time.monotonic()
        code, err = test.interrupt(tool, LONG_FUNCTION, work, 1.0,
                                   lambda p, n=number: p.send_signal(n))
        test.check(f"signal {number} in a long function", (code, err), (-number, ""))
        took = time.monotonic() - started - 1.0
        test.check(f"signal {number}: {took:.2f} s is in time", took < PROMISED + SLACK, True)


# -------------------------------------------------------------------------------- servers

def documented(language):
    """The statements that make an account, as the page shows them."""
    page = os.path.join(os.path.dirname(os.path.abspath(test.__file__)), "..", "..", "docs",
                        "query.md")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    found = re.search(rf"{language}:\n\n```sql\n(.*?)```", text, re.S)
    test.check(f"the page shows an account of {language}", found is not None, True)
    return [one for one in re.split(r";\n", found.group(1)) if one] if found else []


def options_of_another(tool):
    """What has no effect is refused, not ignored."""
    for option in (["--max-value", "1M"], ["--max-memory", "1M"], ["--trust-uri"]):
        test.check_error(tool, str(option), "SELECT 1", 2, "sqlite_only", *option)


def refused_by_words(tool, statements):
    for sql in statements:
        test.check_error(tool, sql, sql, 1, "read_only")
    served.refused(tool, statements, "[read_only]")


def left_to_transaction(tool, statements, mark):
    """These pass by their words; the server's own message shows who stopped them."""
    for sql in statements:
        err = test.check_error(tool, sql, sql, 1, "read_only")
        test.check_in(f"{sql}: by the transaction", err, mark)
    served.refused(tool, statements, "[read_only]")


def mariadb(tool, work, data):
    options_of_another(tool)
    out = os.path.join(data, "out.txt")
    tool.write("CREATE TABLE victim(x INT) ENGINE=InnoDB")
    tool.write("CREATE TABLE plain(x INT) ENGINE=MyISAM")
    tool.write("INSERT INTO victim VALUES (1)")
    tool.write("CREATE FUNCTION adds() RETURNS INT DETERMINISTIC BEGIN "
               "INSERT INTO victim VALUES (2); RETURN 1; END")
    tool.write("CREATE FUNCTION adds_plain() RETURNS INT DETERMINISTIC BEGIN "
               "INSERT INTO plain VALUES (2); RETURN 1; END")
    tool.write("CREATE SEQUENCE counter")
    refused_by_words(tool, [
        "BEGIN NOT ATOMIC COMMIT; SET SESSION TRANSACTION READ WRITE; DROP TABLE victim; END",
        f"SELECT 1 INTO OUTFILE '{out}'",
        f"SELECT 1 INTO/**/ DUMPFILE '{out}'",
        f"SELECT 1 /*!99999 ' */ INTO OUTFILE '{out}' -- '",
        f"SELECT '\\' INTO OUTFILE '{out}' -- '",
        "SET GLOBAL max_connections = 7",
        "SET SESSION TRANSACTION READ WRITE",
        "/*! DROP TABLE victim */",
        "/*!99999 SELECT */ DROP TABLE victim",
        "/*M!100000 DROP */ TABLE victim",
        " -- x\nDROP TABLE victim",
        "# x\nDROP TABLE victim",
        "ANALYZE DELETE FROM victim",
        "CALL nothing()",
        "DO adds()",
        "EXECUTE IMMEDIATE 'DROP TABLE victim'",
        "LOCK TABLES victim WRITE",
        "KILL 1",
    ])
    left_to_transaction(tool, ["SELECT adds()", "SELECT adds_plain()",
                               "WITH c AS (SELECT adds() AS n) SELECT n FROM c",
                               "VALUES (adds())", "SELECT NEXTVAL(counter)"], "MariaDB:")
    for sql in ("EXPLAIN DELETE FROM victim", "EXPLAIN SELECT adds()"):
        code, _, err = tool.query(sql)
        test.check(f"{sql}: {err}", code in (0, 1), True)
    for sql in ("SHOW TABLES", "DESCRIBE victim", "DESC victim", "EXPLAIN SELECT 1",
                "(SELECT 1) UNION (SELECT 2)", "/*! SELECT 1 */", "VALUES (1)",
                "SELECT 'INTO OUTFILE' AS a", " -- x\n/* y */ SELECT 1"):
        code, _, err = tool.query(sql)
        test.check(f"reads: {sql}: {err}", code, 0)
    test.check("nothing has changed", tool.rows(
        "SELECT (SELECT count(*) FROM victim) AS a, (SELECT count(*) FROM plain) AS b, "
        "@@max_connections > 7 AS c"), test.exact('[{"a":1,"b":0,"c":1}]'))
    test.check("no file was written", os.path.exists(out), False)
    for sql in documented("MariaDB and MySQL"):
        tool.write(sql)
    reader = test.Tool(tool.path, tool.url.replace("root@", "reader@"),
                       {**tool.environment, "MYSQL_PWD": "a long password"})
    test.check("an account that reads", reader.rows("SELECT x FROM victim"),
               test.exact('[{"x":1}]'))
    for sql in ("INSERT INTO victim VALUES (3)", "DROP TABLE victim", "CREATE TABLE u(x INT)",
                f"SELECT 1 INTO OUTFILE '{out}'", "SET GLOBAL max_connections = 7",
                "SELECT adds()"):
        test.check_error(reader, "an account that reads: " + sql, sql, 1, "query_failed",
                         "--write")
    test.check("an account that reads no files", reader.rows(
        "SELECT LOAD_FILE('/etc/passwd') AS f"), [{"f": None}])
    test.check("a server's deadline", "[timeout]" in deadline(
        tool, "a server's deadline", work, 1, "SELECT SLEEP(30)"), True)
    for sql in ("DROP FUNCTION adds", "DROP FUNCTION adds_plain", "DROP TABLE victim",
                "DROP TABLE plain", "DROP SEQUENCE counter", "DROP USER reader"):
        tool.write(sql)


def postgres(tool, work):
    options_of_another(tool)
    out = os.path.join(work, "server", "out.txt")
    tool.write("CREATE TABLE victim(x int)")
    tool.write("INSERT INTO victim VALUES (1)")
    tool.write("CREATE SEQUENCE counter")
    tool.write("CREATE FUNCTION adds() RETURNS int LANGUAGE sql AS "
               "'INSERT INTO victim VALUES (2) RETURNING x'")
    tool.write("CREATE FUNCTION frees() RETURNS int LANGUAGE plpgsql AS $$ BEGIN "
               "SET transaction_read_only = off; INSERT INTO victim VALUES (2); RETURN 1; "
               "END $$")
    refused_by_words(tool, [
        f"COPY (SELECT 1) TO PROGRAM 'touch {out}'",
        f"COPY victim TO '{out}'",
        "COPY victim FROM STDIN",
        f"/* /* */ SELECT */ COPY (SELECT 1) TO PROGRAM 'touch {out}'",
        "DO $$ BEGIN DROP TABLE victim; END $$",
        "CALL nothing()",
        "COMMIT",
        "SET transaction_read_only = off",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
        " --x\rDROP TABLE victim",
        "/*! SELECT */ DROP TABLE victim",
        "LOCK TABLE victim",
        "LISTEN x",
    ])
    left_to_transaction(tool, [
        "WITH gone AS (DELETE FROM victim RETURNING x) SELECT * FROM gone",
        "WITH more AS (INSERT INTO victim VALUES (2) RETURNING x) TABLE more",
        "SELECT adds()",
        "VALUES (adds())",
        "SELECT x INTO other_table FROM victim",
        "SELECT nextval('counter')",
        "EXPLAIN ANALYZE DELETE FROM victim",
        "EXPLAIN (ANALYZE) INSERT INTO victim VALUES (2)",
        "SELECT x FROM victim FOR UPDATE",
    ], "PostgreSQL:")
    for sql in ("SELECT frees()", "SELECT set_config('transaction_read_only', 'off', false)"):
        test.check_error(tool, sql, sql, 1, "query_failed")
    for sql in ("SHOW server_version", "TABLE victim", "VALUES (1)", "EXPLAIN SELECT 1",
                "EXPLAIN ANALYZE SELECT 1", "EXPLAIN DELETE FROM victim",
                "((SELECT 1) UNION (SELECT 2))", "/* /* */ */ --x\n SELECT 1",
                "SELECT $$ INTO OUTFILE $$ AS a"):
        code, _, err = tool.query(sql)
        test.check(f"reads: {sql}: {err}", code, 0)
    # The server lets this one pass, but nothing is ever committed.
    test.check("EXPLAIN of a new table", tool.query(
        "EXPLAIN ANALYZE CREATE TABLE made AS SELECT 1")[0], 0)
    test.check("nothing has changed", tool.rows(
        "SELECT count(*) AS n, to_regclass('made') AS made FROM victim"),
               test.exact('[{"n":1,"made":null}]'))
    test.check("no program was run", os.path.exists(out), False)
    for sql in documented("PostgreSQL"):
        tool.write(sql)
    reader = test.Tool(tool.path, tool.url.replace("root@", "reader@"), tool.environment)
    test.check("an account that reads", reader.rows("SELECT x FROM victim"),
               test.exact('[{"x":1}]'))
    for sql in ("SET default_transaction_read_only = off", "SELECT 1"):
        test.check(f"an account may {sql}", reader.query(sql, "--write")[0], 0)
    for sql in ("DROP TABLE victim", f"COPY (SELECT 1) TO PROGRAM 'touch {out}'",
                "SELECT pg_read_file('/etc/passwd')", "SELECT adds()"):
        code, _, err = reader.query(sql, "--write")
        test.check(f"an account that reads: {sql}: {err}", code, 1)
    for sql in ("INSERT INTO victim VALUES (3)", "CREATE TABLE public.made(x int)"):
        test.check_error(reader, "an account that reads: " + sql, sql, 1, "read_only",
                         "--write")
    test.check("no program was run", os.path.exists(out), False)
    tool.write("ALTER ROLE reader RESET default_transaction_read_only")
    for sql in ("INSERT INTO victim VALUES (3)", "SELECT adds()",
                "CREATE TABLE public.made(x int)"):
        test.check_error(reader, "by its rights: " + sql, sql, 1, "query_failed", "--write")
    test.check("a server's deadline", "[timeout]" in deadline(
        tool, "a server's deadline", work, 1, "SELECT pg_sleep(30)"), True)
    for sql in ("DROP OWNED BY reader", "DROP ROLE reader", "DROP FUNCTION adds()",
                "DROP FUNCTION frees()", "DROP TABLE victim", "DROP SEQUENCE counter"):
        tool.write(sql)
