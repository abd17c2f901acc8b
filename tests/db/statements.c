/*
 * statements.c - which statements may be sent to a server that is only read, by their
 * words alone. For that no server is needed.
 */
#include "db/db_driver.h"

#include "testing.h"

enum { MARIADB = 1, POSTGRES = 2, BOTH = 3 };

typedef struct spelling {
    const char *sql;
    int passes; /* with these */
} spelling;

static const spelling spellings[] = {
    /* the words of reading */
    {"SELECT 1", BOTH},
    {"select 1", BOTH},
    {"SeLeCt 1;", BOTH},
    {"WITH x AS (SELECT 1) SELECT * FROM x", BOTH},
    {"SHOW TABLES", BOTH},
    {"DESCRIBE t", BOTH},
    {"desc t", BOTH},
    {"EXPLAIN SELECT 1", BOTH},
    {"VALUES (1)", BOTH},
    {"TABLE t", BOTH},
    {"SELECT'x'", BOTH},
    {"SELECT(1)", BOTH},
    {"(SELECT 1)", BOTH},
    {"((SELECT 1) UNION (SELECT 2))", BOTH},
    {" ( /* one */ ( -- two\n SELECT 1))", BOTH},
    {"\t\r\n\f\vSELECT 1", BOTH},
    /* others */
    {"DROP TABLE t", 0},
    {"INSERT INTO t VALUES (1)", 0},
    {"SET GLOBAL general_log = 1", 0},
    {"SET SESSION TRANSACTION READ WRITE", 0},
    {"BEGIN NOT ATOMIC COMMIT; SET SESSION TRANSACTION READ WRITE; DROP TABLE t; END", 0},
    {"BEGIN", 0},
    {"COMMIT", 0},
    {"CALL p()", 0},
    {"DO 1", 0},
    {"DO $$ BEGIN DROP TABLE t; END $$", 0},
    {"HANDLER t OPEN", 0},
    {"PREPARE s FROM 'DROP TABLE t'", 0},
    {"EXECUTE IMMEDIATE 'DROP TABLE t'", 0},
    {"ANALYZE SELECT 1", 0},
    {"LOCK TABLES t WRITE", 0},
    {"LOAD DATA INFILE 'x' INTO TABLE t", 0},
    {"COPY t TO STDOUT", 0},
    {"copy (SELECT 1) to program 'true'", 0},
    {"SELECTED 1", 0},
    {"SELECT_1", 0},
    {"SELECT$1", 0},
    {"SELECT\xC3\xA9", 0},
    {"\xEF\xBB\xBFSELECT 1", 0},
    {"\xC2\xA0SELECT 1", 0},
    {"'SELECT' 1", 0},
    {"\"SELECT\" 1", 0},
    {"`SELECT` 1", 0},
    {"1 SELECT", 0},
    {"; DROP TABLE t", 0},
    {"; SELECT 1", 0},
    {") SELECT 1", 0},
    {"() DROP TABLE t", 0},
    {"(DROP TABLE t)", 0},
    {"<<label>> BEGIN DROP TABLE t; END", 0},
    /* comments */
    {"/* DROP */ SELECT 1", BOTH},
    {"/* SELECT */ DROP TABLE t", 0},
    {"/**/SELECT 1", BOTH},
    {"/**/DROP TABLE t", 0},
    {"/*/ SELECT */ DROP TABLE t", 0},
    {"/* ' */ SELECT 1 /* ' */", BOTH},
    {"/* SELECT", 0},
    {"/*+ NO_ICP(t) */ SELECT 1", BOTH},
    {"-- DROP\nSELECT 1", BOTH},
    {"-- SELECT\nDROP TABLE t", 0},
    {"--\nSELECT 1", BOTH},
    {"--\tSELECT\nDROP TABLE t", 0},
    {"--x\nSELECT 1", POSTGRES}, /* MariaDB: minus minus x */
    {"--x\nDROP TABLE t", 0},
    {"#x\nSELECT 1", MARIADB},
    {"# SELECT\nDROP TABLE t", 0},
    {"-- x\rSELECT 1", POSTGRES}, /* where a carriage return ends a line */
    {"-- x\rSELECT 1\nDROP TABLE t", POSTGRES},
    {"-- x\rDROP TABLE t\nSELECT 1", MARIADB},
    {"/* /* */ SELECT 1", MARIADB},
    {"/* /* */ SELECT 1 */ DROP TABLE t", MARIADB}, /* in which the rest is no SQL */
    {"/* /* */ DROP TABLE t */ SELECT 1", POSTGRES},
    {"/* /* /* */ */ */ SELECT 1", POSTGRES},
    {"/* /* */ */ DROP TABLE t", 0},
    /* executable comments, which PostgreSQL does not have */
    {"/*! SELECT 1 */", MARIADB},
    {"/*!SELECT 1*/", MARIADB},
    {"/*!50000 SELECT 1 */", MARIADB},
    {"/*!50000 SELECT */ 1", MARIADB},
    {"/*M!100100 SELECT 1 */", MARIADB},
    {"/*! (SELECT 1) */", MARIADB},
    {"/*! DROP TABLE t */", 0},
    {"/*!50000 DROP TABLE t */", 0},
    {"/*M! DROP TABLE t */", 0},
    {"/*M!100100 DROP TABLE t */", 0},
    {"/* a */ /*! DROP TABLE t */", 0},
    {"(/*! DROP TABLE t */)", 0},
    {"/*!99999 SELECT */ DROP TABLE t", 0},
    {"/*!99999 SELECT */ SELECT 1", BOTH},
    {"/*!50000 DROP */ SELECT 1", POSTGRES},
    {"/*!50000 SELECT */ /*!50000 DROP */ TABLE t", POSTGRES},
    {"/*!99999 SELECT ' */ DROP TABLE t -- '", 0},
    {"/*!99999 SELECT /* */ SELECT */ DROP TABLE t", 0},
    {"/*!99999 SELECT -- */ SELECT 1\n */ DROP TABLE t", POSTGRES},
    {"/*! */ DROP TABLE t", 0},
    {"/*!50000*/ DROP TABLE t", 0},
    {"/*! , */ DROP TABLE t", 0},
    {"/*! /* */ DROP TABLE t */", 0},
    {"/*! SELECT", 0},
    {"SELECT /*! 1 */", BOTH},
    /* files of the server */
    {"SELECT 1 INTO OUTFILE '/x'", POSTGRES},
    {"SELECT 1 into outfile '/x'", POSTGRES},
    {"SELECT 1 INTO DUMPFILE '/x'", POSTGRES},
    {"SELECT 1 INTO/**/OUTFILE '/x'", POSTGRES},
    {"SELECT 1 INTO\n-- x\nOUTFILE '/x'", POSTGRES},
    {"SELECT 1 INTO # x\n OUTFILE '/x'", POSTGRES},
    {"SELECT 1INTO OUTFILE '/x'", POSTGRES},
    {"SELECT 1.INTO OUTFILE'/x'", POSTGRES},
    {"SELECT 'a'INTO OUTFILE'/x'", POSTGRES},
    {"SELECT 'it''s' INTO OUTFILE '/x'", POSTGRES},
    {"SELECT 1 --INTO\n INTO OUTFILE '/x'", POSTGRES},
    {"SELECT 1 --x INTO OUTFILE '/x'", POSTGRES},
    {"SELECT 1 /*! INTO */ OUTFILE '/x'", POSTGRES},
    {"SELECT 1 /*!99999 ' */ INTO OUTFILE '/x' -- '", POSTGRES},
    {"SELECT '\\' INTO OUTFILE '/x' -- '", POSTGRES},
    {"SELECT \"\\\" INTO OUTFILE '/x' -- \"", POSTGRES},
    {"TABLE t INTO OUTFILE '/x'", POSTGRES},
    {"WITH x AS (SELECT 1) SELECT * FROM x INTO OUTFILE '/x'", POSTGRES},
    {"SELECT 'INTO OUTFILE'", BOTH},
    {"SELECT \"INTO OUTFILE\"", BOTH},
    {"SELECT `INTO OUTFILE` FROM t", BOTH},
    {"SELECT 1 /* INTO OUTFILE */", BOTH},
    {"SELECT 1 -- INTO OUTFILE", BOTH},
    {"SELECT outfile FROM t", BOTH},
    {"SELECT 1 INTO @outfile", BOTH},
    {"SELECT 1 INTO x.OUTFILE", BOTH},
    {"SELECT $$ INTO OUTFILE $$", POSTGRES},
    {"SELECT $a$ DROP $a$", BOTH},
    {"SELECT E'\\' INTO OUTFILE'", POSTGRES},
    {"SELECT 1; DROP TABLE t", BOTH}, /* which no server takes: it is one statement */
};

static void each_spelling_passes_or_is_refused(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < ROWS(spellings); i++) {
        const spelling *one = &spellings[i];
        for (int side = MARIADB; side <= POSTGRES; side++) {
            db_dialect dialect = side == MARIADB ? DIALECT_MARIADB : DIALECT_POSTGRES;
            pith_error err = {0};
            pith_status status = db_check_reads(one->sql, dialect, &err);
            bool refused = status == PITH_BAD_INPUT || status == PITH_BAD_USE;
            if (one->passes & side ? status != PITH_OK : !refused) {
                print_error("%s: %s: %s\n", side == MARIADB ? "MariaDB" : "PostgreSQL",
                            one->sql, status == PITH_OK ? "passes" : err.message);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

/* No dialect has a statement here. */
static void nothing_is_no_statement(void **state)
{
    static const char *const nothing[] = {
        "",        " ",    ";",      " ; ; ", "-- x",           "-- x\n",
        "/* x */", "/* x", "/* */;", "--",    "/* a */ -- b\n;"};
    (void)state;
    for (size_t i = 0; i < ROWS(nothing); i++) {
        pith_error err = {0};
        assert_true(db_is_blank(nothing[i], DIALECT_SQLITE));
        assert_int_equal(db_check_reads(nothing[i], DIALECT_MARIADB, &err), PITH_BAD_USE);
        assert_string_equal(err.code, "no_statement");
        assert_int_equal(db_check_reads(nothing[i], DIALECT_POSTGRES, &err),
                         PITH_BAD_USE);
        assert_string_equal(err.code, "no_statement");
    }
    assert_true(db_is_blank("# x", DIALECT_MARIADB));
    assert_true(db_is_blank("/* /* */ */", DIALECT_POSTGRES));
    assert_false(db_is_blank("/* /* */ */", DIALECT_SQLITE));
    assert_false(db_is_blank("/*! */", DIALECT_MARIADB));
    assert_false(db_is_blank("; x", DIALECT_SQLITE));
}

/* The message names what was refused, and the way out. */
static void the_message_names_it(void **state)
{
    static const char *const told[][2] = {
        {"DROP TABLE t", "'DROP'"},
        {"COPY t TO '/x'", "COPY TO"},
        {"SELECT 1 INTO OUTFILE '/x'", "INTO OUTFILE"},
        {"SELECT 1 INTO DUMPFILE '/x'", "INTO DUMPFILE"},
        {"TRUNCATEtruncatetruncatetruncatetruncatetruncatetruncate", "'TRUNCATEtruncat"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(told); i++) {
        pith_error err = {0};
        assert_int_equal(db_check_reads(told[i][0], DIALECT_MARIADB, &err),
                         PITH_BAD_INPUT);
        assert_non_null(strstr(err.message, told[i][1]));
        assert_non_null(strstr(err.message, "--write"));
    }
}

/* SQLite is asked itself. */
static void sqlite_is_not_judged_by_words(void **state)
{
    (void)state;
    assert_int_equal(db_check_reads("DROP TABLE t", DIALECT_SQLITE, NULL), PITH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_spelling_passes_or_is_refused),
        cmocka_unit_test(nothing_is_no_statement),
        cmocka_unit_test(the_message_names_it),
        cmocka_unit_test(sqlite_is_not_judged_by_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
