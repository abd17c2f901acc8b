/*
 * datasets.c - see datasets.h.
 *
 *     tabular        2000 employees: flat rows that agree
 *     nested         500 orders, each with its customer and some items
 *     analytics      a year of daily figures
 *     repositories   100 repositories: flat rows with long texts
 *     event-logs     2000 events, half of them with an error
 *     nested-config  one configuration: deep, irregular, little of it repeated
 *     keyed          300 feature flags under their names
 *     nested-group   500 contacts with address, position and company
 *
 * As in shapes.c, a number is made of integers only, and at most one is drawn in the
 * arguments of a call.
 */
#include "datasets.h"

#include <string.h>

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define PICK(random, list) ((list)[seeded_between((random), 0, COUNT_OF(list) - 1)])

static const char *const given_names[] = {
    "Amara", "Bjorn", "Carla", "Dmitri", "Elif",   "Fiona", "Goran", "Hana",
    "Igor",  "Jana",  "Kofi",  "Leila",  "Mateo",  "Nadia", "Olga",  "Pablo",
    "Ravi",  "Sofia", "Tariq", "Uma",    "Viktor", "Wanda", "Yara",  "Zoltan"};
static const char *const family_names[] = {
    "Abbott",  "Brandt",  "Costa",  "Dahl",   "Egger",  "Fischer", "Grant",  "Hughes",
    "Iversen", "Jansen",  "Keller", "Lind",   "Moreau", "Novak",   "Ortega", "Pereira",
    "Quist",   "Rinaldi", "Sato",   "Torres", "Ueda",   "Vargas",  "Weber",  "Ziegler"};
static const char *const towns[] = {"Aarhus", "Bilbao", "Cork",  "Dresden", "Espoo",
                                    "Faro",   "Ghent",  "Haifa", "Izmir",   "Jena",
                                    "Kyoto",  "Lugano", "Malmo", "Nantes",  "Odense"};

/* ------------------------------------------------------------------------ pieces */

static void put_text(emit *out, const char *key, const char *text)
{
    emit_key(out, key);
    emit_text(out, text);
}

static void put_integer(emit *out, const char *key, uint64_t number)
{
    emit_key(out, key);
    emit_integer(out, (int64_t)number);
}

static void put_decimal(emit *out, const char *key, uint64_t digits, unsigned places)
{
    emit_key(out, key);
    emit_decimal(out, (int64_t)digits, places, 0);
}

static void put_bool(emit *out, const char *key, bool truth)
{
    emit_key(out, key);
    emit_bool(out, truth);
}

/* Words with a number between two of them: ORD-000017. */
static void put_numbered(emit *out, const char *key, const char *before, uint64_t number,
                         unsigned width, const char *after)
{
    emit_key(out, key);
    emit_text_begin(out);
    emit_piece(out, before);
    emit_number_piece(out, number, width);
    emit_piece(out, after);
    emit_text_end(out);
}

/* Day `index` of a calendar whose months have 28 days. */
static void put_day_pieces(emit *out, uint64_t year, uint64_t index)
{
    emit_number_piece(out, year + index / 336, 4);
    emit_raw(out, "-");
    emit_number_piece(out, index / 28 % 12 + 1, 2);
    emit_raw(out, "-");
    emit_number_piece(out, index % 28 + 1, 2);
}

static void put_day(emit *out, const char *key, uint64_t year, uint64_t index)
{
    emit_key(out, key);
    emit_text_begin(out);
    put_day_pieces(out, year, index);
    emit_text_end(out);
}

static void put_time(emit *out, const char *key, uint64_t year, uint64_t seconds)
{
    emit_key(out, key);
    emit_text_begin(out);
    put_day_pieces(out, year, seconds / 86400);
    emit_raw(out, "T");
    emit_number_piece(out, seconds / 3600 % 24, 2);
    emit_raw(out, ":");
    emit_number_piece(out, seconds / 60 % 60, 2);
    emit_raw(out, ":");
    emit_number_piece(out, seconds % 60, 2);
    emit_raw(out, "Z");
    emit_text_end(out);
}

/* A person's name and the address that goes with it. */
static void put_person(emit *out, seeded *random)
{
    const char *given = PICK(random, given_names);
    const char *family = PICK(random, family_names);
    emit_key(out, "name");
    emit_text_begin(out);
    emit_piece(out, given);
    emit_piece(out, " ");
    emit_piece(out, family);
    emit_text_end(out);
    emit_key(out, "email");
    emit_text_begin(out);
    emit_piece(out, given);
    emit_piece(out, ".");
    emit_piece(out, family);
    emit_number_piece(out, seeded_between(random, 1, 99), 1);
    emit_piece(out, "@example.org");
    emit_text_end(out);
}

static void open_rows(emit *out, const char *key)
{
    emit_open(out, '{');
    emit_key(out, key);
    emit_open(out, '[');
}

static void close_rows(emit *out)
{
    emit_close(out, ']');
    emit_close(out, '}');
}

/* ---------------------------------------------------------------------- the sets */

static void write_tabular(emit *out, seeded *random)
{
    static const char *const departments[] = {"Engineering", "Sales",   "Marketing",
                                              "Support",     "Finance", "Operations"};
    open_rows(out, "employees");
    for (uint64_t i = 1; i <= 2000; i++) {
        emit_open(out, '{');
        put_integer(out, "id", i);
        put_person(out, random);
        put_text(out, "department", PICK(random, departments));
        put_integer(out, "salary", 40000 + 500 * seeded_between(random, 0, 200));
        put_integer(out, "years", seeded_between(random, 0, 30));
        put_bool(out, "active", seeded_chance(random, 85));
        emit_close(out, '}');
    }
    close_rows(out);
}

static void put_items(emit *out, seeded *random)
{
    static const char *const goods[] = {"Desk lamp", "Notebook",     "USB cable",
                                        "Backpack",  "Water bottle", "Keyboard",
                                        "Headset",   "Mug"};
    emit_key(out, "items");
    emit_open(out, '[');
    for (uint64_t left = seeded_between(random, 1, 4); left > 0; left--) {
        emit_open(out, '{');
        put_numbered(out, "sku", "SKU-", seeded_between(random, 1, 9999), 4, "");
        put_text(out, "name", PICK(random, goods));
        put_integer(out, "quantity", seeded_between(random, 1, 5));
        put_decimal(out, "price", seeded_between(random, 500, 49999), 2);
        emit_close(out, '}');
    }
    emit_close(out, ']');
}

static void write_nested(emit *out, seeded *random)
{
    static const char *const states[] = {"pending", "paid", "shipped", "delivered"};
    open_rows(out, "orders");
    for (uint64_t i = 1; i <= 500; i++) {
        uint64_t total = seeded_between(random, 1000, 99999);
        emit_open(out, '{');
        put_numbered(out, "orderId", "ORD-", i, 4, "");
        emit_key(out, "customer");
        emit_open(out, '{');
        put_integer(out, "id", seeded_between(random, 1, 400));
        put_person(out, random);
        put_numbered(out, "phone", "+1-555-", seeded_between(random, 0, 9999), 4, "");
        emit_close(out, '}');
        put_items(out, random);
        put_decimal(out, "subtotal", total, 2);
        put_decimal(out, "tax", total * 8 / 100, 2);
        put_text(out, "status", PICK(random, states));
        put_day(out, "placed", 2025, seeded_between(random, 0, 335));
        emit_close(out, '}');
    }
    close_rows(out);
}

static void write_analytics(emit *out, seeded *random)
{
    open_rows(out, "metrics");
    for (uint64_t i = 0; i < 365; i++) {
        uint64_t views = seeded_between(random, 4000, 9000);
        emit_open(out, '{');
        put_day(out, "date", 2025, i);
        put_integer(out, "views", views);
        put_integer(out, "clicks", views * seeded_between(random, 2, 8) / 100);
        put_integer(out, "conversions", seeded_between(random, 5, 60));
        put_decimal(out, "revenue", seeded_between(random, 100000, 999999), 2);
        put_decimal(out, "bounceRate", seeded_between(random, 30, 70), 2);
        emit_close(out, '}');
    }
    close_rows(out);
}

static void write_repositories(emit *out, seeded *random)
{
    static const char *const what[] = {"compiler", "editor", "database", "framework",
                                       "parser",   "shell",  "toolkit",  "server"};
    static const char *const how[] = {"tiny", "fast", "portable", "friendly", "modern"};
    static const char *const claims[] = {
        "A fast and portable toolkit, with batteries included",
        "Learn by building it from scratch, step by step",
        "The missing standard library, for those who miss it",
        "Curated list of resources: books, talks, papers and more",
        "Runs everywhere; depends on nothing"};
    open_rows(out, "repositories");
    for (uint64_t i = 0; i < 100; i++) {
        const char *kind = PICK(random, what);
        emit_open(out, '{');
        put_integer(out, "id", 28457823 + i * 3571);
        put_text(out, "name", kind);
        emit_key(out, "repo");
        emit_text_begin(out);
        emit_piece(out, PICK(random, how));
        emit_piece(out, "-labs/");
        emit_piece(out, kind);
        emit_text_end(out);
        put_text(out, "description", PICK(random, claims));
        put_time(out, "createdAt", 2012, seeded_between(random, 0, 86400 * 1000));
        put_time(out, "updatedAt", 2025, seeded_between(random, 0, 86400 * 300));
        put_integer(out, "stars", 400000 - i * 3217);
        put_integer(out, "watchers", seeded_between(random, 200, 9000));
        put_integer(out, "forks", seeded_between(random, 500, 60000));
        put_text(out, "defaultBranch", seeded_chance(random, 70) ? "main" : "master");
        emit_close(out, '}');
    }
    close_rows(out);
}

static void write_event_logs(emit *out, seeded *random)
{
    static const char *const levels[] = {"info", "warn", "error", "debug"};
    static const char *const paths[] = {"/api/users", "/api/orders", "/api/payments",
                                        "/api/products", "/auth/login"};
    static const char *const faults[] = {"Database connection timeout", "Invalid token",
                                         "Rate limit exceeded",
                                         "Upstream closed the connection, retrying"};
    uint64_t seconds = 0;
    open_rows(out, "logs");
    for (uint64_t i = 0; i < 2000; i++) {
        seconds += seeded_between(random, 1, 600);
        emit_open(out, '{');
        put_time(out, "timestamp", 2025, seconds);
        put_text(out, "level", PICK(random, levels));
        put_text(out, "endpoint", PICK(random, paths));
        put_integer(out, "statusCode", seeded_chance(random, 50) ? 200 : 503);
        put_integer(out, "responseTime", seeded_between(random, 5, 3000));
        put_integer(out, "userId", seeded_between(random, 1000, 9999));
        if (seeded_chance(random, 50)) {
            emit_key(out, "error");
            emit_open(out, '{');
            put_text(out, "message", PICK(random, faults));
            put_numbered(out, "stack",
                         "Error: at handler (server.js:", seeded_between(random, 10, 900),
                         1, ")");
            put_bool(out, "retryable", seeded_chance(random, 60));
            emit_close(out, '}');
        }
        emit_close(out, '}');
    }
    close_rows(out);
}

static void write_nested_config(emit *out, seeded *random)
{
    static const char config[] =
        "{\"environment\":\"production\",\"version\":\"3.8.1\",\"database\":{\"host\":"
        "\"db.internal\",\"port\":5432,\"name\":\"shop\",\"pool\":{\"min\":4,\"max\":32,"
        "\"idleTimeout\":30000},\"replicas\":[{\"host\":\"db-r1.internal\",\"port\":5433,"
        "\"weight\":2},{\"host\":\"db-r2.internal\",\"port\":5434,\"weight\":1}]},"
        "\"features\":{\"darkMode\":{\"enabled\":true,\"rollout\":100,\"variants\":[{"
        "\"name\":\"default\",\"weight\":70,\"config\":{\"theme\":\"dark\",\"animations\":"
        "true}},{\"name\":\"minimal\",\"weight\":30,\"config\":{\"theme\":\"dark\","
        "\"animations\":false}}]},\"beta\":{\"enabled\":false,\"rollout\":5,\"variants\":"
        "[]}},\"authentication\":{\"providers\":[{\"name\":\"oauth\",\"clientId\":"
        "\"web-4821\",\"scopes\":[\"read\",\"write\",\"admin\"],\"config\":{\"authUrl\":"
        "\"https://auth.example.org/authorize\",\"tokenUrl\":"
        "\"https://auth.example.org/token\"}},{\"name\":\"saml\",\"clientId\":"
        "\"idp-1177\",\"scopes\":[\"read\"],\"config\":{\"entryPoint\":"
        "\"https://idp.example.org/sso\",\"cert\":\"MIIB\"}}],\"session\":{\"secret\":"
        "\"change-me\",\"maxAge\":86400,\"extend\":true}},\"permissions\":{\"roles\":{"
        "\"admin\":{\"permissions\":[\"read\",\"write\",\"delete\",\"users\"],"
        "\"inherits\":[]},\"editor\":{\"permissions\":[\"read\",\"write\"],\"inherits\":"
        "[\"viewer\"]},\"viewer\":{\"permissions\":[\"read\"],\"inherits\":[]}},\"groups\":"
        "{\"engineering\":{\"members\":[\"alice\",\"bob\"],\"roles\":[\"admin\","
        "\"editor\"]},\"support\":{\"members\":[\"carol\"],\"roles\":[\"viewer\"]}}}}";
    (void)random; /* somebody's configuration is what it is */
    emit_raw_value(out, config);
}

static void write_keyed(emit *out, seeded *random)
{
    static const char *const areas[] = {"checkout", "search", "profile",
                                        "billing",  "mobile", "admin"};
    static const char *const teams[] = {"growth", "core", "payments", "platform"};
    emit_open(out, '{');
    emit_key(out, "flags");
    emit_open(out, '{');
    for (uint64_t i = 1; i <= 300; i++) {
        char key[40];
        snprintf(key, sizeof key, "%s-v%u", PICK(random, areas), (unsigned)i);
        emit_key(out, key);
        emit_open(out, '{');
        put_bool(out, "enabled", seeded_chance(random, 60));
        put_integer(out, "rollout", 5 * seeded_between(random, 0, 20));
        put_text(out, "owner", PICK(random, teams));
        put_text(out, "stage", seeded_chance(random, 70) ? "live" : "test");
        put_day(out, "since", 2025, seeded_between(random, 0, 335));
        emit_close(out, '}');
    }
    emit_close(out, '}');
    emit_close(out, '}');
}

static void put_place(emit *out, seeded *random)
{
    emit_key(out, "address");
    emit_open(out, '{');
    put_numbered(out, "street", "", seeded_between(random, 1, 180), 1, " Mill Lane");
    put_text(out, "city", PICK(random, towns));
    put_numbered(out, "zip", "", seeded_between(random, 10000, 99999), 5, "");
    emit_key(out, "geo");
    emit_open(out, '{');
    put_decimal(out, "lat", seeded_between(random, 350000, 650000), 4);
    put_decimal(out, "lng", seeded_between(random, 10000, 300000), 4);
    emit_close(out, '}');
    emit_close(out, '}');
}

static void write_nested_group(emit *out, seeded *random)
{
    static const char *const firms[] = {"Arden", "Borealis", "Cobalt", "Deltaworks"};
    static const char *const posts[] = {"Buyer", "Engineer", "Director", "Analyst"};
    open_rows(out, "contacts");
    for (uint64_t i = 1; i <= 500; i++) {
        emit_open(out, '{');
        put_integer(out, "id", i);
        put_person(out, random);
        put_place(out, random);
        emit_key(out, "company");
        emit_open(out, '{');
        put_text(out, "name", PICK(random, firms));
        put_text(out, "title", PICK(random, posts));
        put_integer(out, "since", seeded_between(random, 1990, 2025));
        emit_close(out, '}');
        put_bool(out, "newsletter", seeded_chance(random, 40));
        emit_close(out, '}');
    }
    close_rows(out);
}

/* ---------------------------------------------------------------------- the table */

const dataset *dataset_at(size_t index)
{
    static const dataset sets[] = {
        {"tabular", "2000 employees in flat rows", write_tabular},
        {"nested", "500 orders with customer and items", write_nested},
        {"analytics", "a year of daily figures", write_analytics},
        {"repositories", "100 repositories with long texts", write_repositories},
        {"event-logs", "2000 events, half with an error", write_event_logs},
        {"nested-config", "one deep and irregular configuration", write_nested_config},
        {"keyed", "300 feature flags under their names", write_keyed},
        {"nested-group", "500 contacts with nested groups", write_nested_group},
    };
    return index < COUNT_OF(sets) ? &sets[index] : NULL;
}

const dataset *dataset_find(const char *name)
{
    const dataset *set;
    for (size_t i = 0; (set = dataset_at(i)) != NULL; i++)
        if (strcmp(set->name, name) == 0)
            return set;
    return NULL;
}

bool dataset_write(const dataset *set, uint64_t seed, FILE *file)
{
    emit out = {.file = file};
    seeded random = {seed};
    set->write(&out, &random);
    return fflush(file) == 0 && !ferror(file);
}
