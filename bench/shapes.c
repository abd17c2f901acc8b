/*
 * shapes.c - the kinds of benchmark file, each after something people have.
 *
 *     flat      rows of a table: the same dozen scalar fields in every record
 *     nested    orders: objects in lists in objects, five levels deep
 *     logs      events: text with spaces, escapes and accents, optional fields
 *     floats    coordinates and measurements: numbers and little else
 *
 * Every choice comes from the seeded numbers and a number is made of integers
 * only, so a seed gives the same bytes everywhere. One rule keeps it so: draw at
 * most once in the arguments of a call, for compilers differ in their order.
 */
#include "generate.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define PICK(random, list) ((list)[seeded_between((random), 0, COUNT_OF(list) - 1)])

/* ------------------------------------------------------------------- people */

static const char *const first_names[] = {
    "Alice", "Bruno",  "Chiara", "David", "Elena", "Farid", "Grace",  "Hugo",
    "Ines",  "Jonas",  "Keiko",  "Liam",  "Maria", "Noor",  "Oscar",  "Priya",
    "Quinn", "Rachel", "Samuel", "Tessa", "Umar",  "Vera",  "Walter", "Yusuf",
};
static const char *const last_names[] = {
    "Anderson", "Becker", "Castillo", "Dubois",   "Eriksen",  "Ferrari",
    "Garcia",   "Hansen", "Ivanov",   "Johnson",  "Kim",      "Lopez",
    "Martin",   "Nguyen", "Okafor",   "Patel",    "Quintero", "Rossi",
    "Schmidt",  "Tanaka", "Vasquez",  "Williams", "Young",    "Zhang",
};
static const char *const accented_names[] = {
    "Zoë Müller",    "José Núñez", "Søren Ångström", "François Lefèvre",
    "Łukasz Wójcik", "佐藤 花子",  "Иван Петров",    "Aşkın Yıldız",
};
static const char *const cities[] = {
    "Amsterdam", "Boston",   "Cape Town", "Dublin",   "Edinburgh", "Frankfurt", "Geneva",
    "Helsinki",  "Istanbul", "Melbourne", "New York", "São Paulo", "Tokyo",     "Zürich",
};

/* Months have 28 days here: no calendar, and no date that does not exist. */
static void emit_date_piece(emit *out, uint64_t year, uint64_t day_of_year)
{
    emit_number_piece(out, year + day_of_year / 336, 4);
    emit_raw(out, "-");
    emit_number_piece(out, day_of_year / 28 % 12 + 1, 2);
    emit_raw(out, "-");
    emit_number_piece(out, day_of_year % 28 + 1, 2);
}

static void emit_date(emit *out, seeded *random)
{
    emit_text_begin(out);
    emit_date_piece(out, 2012, seeded_between(random, 0, 336 * 13 - 1));
    emit_text_end(out);
}

/* 2025-03-14T09:26:53.589Z, counted in milliseconds from the start of 2025. */
static void emit_time(emit *out, uint64_t milliseconds)
{
    uint64_t seconds = milliseconds / 1000;
    emit_text_begin(out);
    emit_date_piece(out, 2025, seconds / 86400);
    emit_raw(out, "T");
    emit_number_piece(out, seconds / 3600 % 24, 2);
    emit_raw(out, ":");
    emit_number_piece(out, seconds / 60 % 60, 2);
    emit_raw(out, ":");
    emit_number_piece(out, seconds % 60, 2);
    emit_raw(out, ".");
    emit_number_piece(out, milliseconds % 1000, 3);
    emit_raw(out, "Z");
    emit_text_end(out);
}

static void emit_email(emit *out, const char *first, const char *last, uint64_t number)
{
    emit_text_begin(out);
    emit_piece(out, first);
    emit_piece(out, ".");
    emit_piece(out, last);
    emit_number_piece(out, number, 1);
    emit_piece(out, "@example.com");
    emit_text_end(out);
}

/* A key and its value in one line, for the fields that need no more. */
static void text_field(emit *out, const char *key, const char *text)
{
    emit_key(out, key);
    emit_text(out, text);
}

static void integer_field(emit *out, const char *key, uint64_t number)
{
    emit_key(out, key);
    emit_integer(out, (int64_t)number);
}

static void bool_field(emit *out, const char *key, bool truth)
{
    emit_key(out, key);
    emit_bool(out, truth);
}

static void cents_field(emit *out, const char *key, uint64_t cents)
{
    emit_key(out, key);
    emit_decimal(out, (int64_t)cents, 2, 0);
}

/* --------------------------------------------------------------------- flat */

static void flat_record(emit *out, seeded *random, uint64_t index)
{
    static const char *const departments[] = {
        "Engineering", "Sales",      "Marketing",       "Finance",
        "Support",     "Operations", "Human Resources", "Legal",
    };
    static const char *const titles[] = {
        "Engineer", "Senior Engineer", "Manager", "Analyst", "Director", "Assistant",
    };
    const char *first = PICK(random, first_names);
    const char *last = PICK(random, last_names);
    emit_open(out, '{');
    integer_field(out, "id", index + 1);
    text_field(out, "firstName", first);
    text_field(out, "lastName", last);
    emit_key(out, "email");
    emit_email(out, first, last, seeded_between(random, 1, 9999));
    text_field(out, "department", PICK(random, departments));
    text_field(out, "title", PICK(random, titles));
    text_field(out, "city", PICK(random, cities));
    integer_field(out, "salary", seeded_between(random, 320, 1800) * 100);
    cents_field(out, "rating", seeded_between(random, 100, 500));
    bool_field(out, "active", seeded_chance(random, 85));
    bool_field(out, "remote", seeded_chance(random, 40));
    emit_key(out, "hireDate");
    emit_date(out, random);
    emit_key(out, "managerId");
    if (index == 0 || seeded_chance(random, 5))
        emit_null(out);
    else
        emit_integer(out, (int64_t)seeded_between(random, 1, index));
    emit_close(out, '}');
}

/* ------------------------------------------------------------------- nested */

static void emit_money(emit *out, const char *key, uint64_t cents)
{
    emit_key(out, key);
    emit_open(out, '{');
    cents_field(out, "amount", cents);
    text_field(out, "currency", "EUR");
    emit_key(out, "tax");
    emit_open(out, '{');
    integer_field(out, "percent", 19);
    cents_field(out, "amount", cents * 19 / 119);
    emit_close(out, '}');
    emit_close(out, '}');
}

static void emit_address(emit *out, seeded *random)
{
    static const char *const streets[] = {
        "Main Street", "Park Avenue", "Hauptstraße", "Rue de l'Église", "High Street",
    };
    emit_key(out, "address");
    emit_open(out, '{');
    emit_key(out, "street");
    emit_text_begin(out);
    emit_number_piece(out, seeded_between(random, 1, 300), 1);
    emit_piece(out, " ");
    emit_piece(out, PICK(random, streets));
    emit_text_end(out);
    text_field(out, "city", PICK(random, cities));
    emit_key(out, "postcode");
    emit_text_begin(out);
    emit_number_piece(out, seeded_between(random, 1000, 99999), 5);
    emit_text_end(out);
    emit_key(out, "location");
    emit_open(out, '{');
    emit_key(out, "lat");
    emit_decimal(out, (int64_t)seeded_between(random, 0, 120000000) - 60000000, 6, 0);
    emit_key(out, "lon");
    emit_decimal(out, (int64_t)seeded_between(random, 0, 360000000) - 180000000, 6, 0);
    emit_close(out, '}');
    emit_close(out, '}');
}

static void emit_customer(emit *out, seeded *random)
{
    const char *first = PICK(random, first_names);
    const char *last = PICK(random, last_names);
    emit_key(out, "customer");
    emit_open(out, '{');
    integer_field(out, "id", seeded_between(random, 1, 50000));
    emit_key(out, "name");
    if (seeded_chance(random, 10)) {
        emit_text(out, PICK(random, accented_names));
    } else {
        emit_text_begin(out);
        emit_piece(out, first);
        emit_piece(out, " ");
        emit_piece(out, last);
        emit_text_end(out);
    }
    emit_key(out, "email");
    emit_email(out, first, last, seeded_between(random, 1, 9999));
    emit_address(out, random);
    emit_close(out, '}');
}

static void emit_item(emit *out, seeded *random)
{
    static const char *const products[] = {
        "Desk lamp, brass",    "Notebook A5",  "Wireless mouse", "27\" monitor",
        "USB-C cable (2 m)",   "Coffee beans", "Standing desk",  "Water bottle",
        "Mechanical keyboard", "Office chair", "Phone stand",    "Backpack 24 l",
    };
    static const char *const colours[] = {"black", "white", "red", "blue", "green"};
    static const char *const sizes[] = {"S", "M", "L", "XL"};
    uint64_t cents = seeded_between(random, 199, 89999);
    uint64_t quantity = seeded_between(random, 1, 5);
    emit_open(out, '{');
    emit_key(out, "sku");
    emit_text_begin(out);
    emit_raw(out, "SKU-");
    emit_number_piece(out, seeded_between(random, 1, 99999), 5);
    emit_text_end(out);
    text_field(out, "name", PICK(random, products));
    integer_field(out, "quantity", quantity);
    emit_money(out, "price", cents);
    emit_key(out, "options");
    emit_open(out, '[');
    for (uint64_t left = seeded_between(random, 0, 2); left > 0; left--) {
        bool colour = seeded_chance(random, 50);
        emit_open(out, '{');
        text_field(out, "name", colour ? "colour" : "size");
        text_field(out, "value", colour ? PICK(random, colours) : PICK(random, sizes));
        emit_close(out, '}');
    }
    emit_close(out, ']');
    emit_close(out, '}');
}

static void nested_record(emit *out, seeded *random, uint64_t index)
{
    static const char *const states[] = {"pending", "paid", "shipped", "delivered"};
    static const char *const tags[] = {"gift", "express", "wholesale", "returning"};
    emit_open(out, '{');
    emit_key(out, "orderId");
    emit_text_begin(out);
    emit_raw(out, "ORD-");
    emit_number_piece(out, index + 1, 7);
    emit_text_end(out);
    text_field(out, "status", PICK(random, states));
    emit_key(out, "placedAt");
    emit_time(out, index * 61000 + seeded_between(random, 0, 59999));
    emit_customer(out, random);
    emit_key(out, "items");
    emit_open(out, '[');
    for (uint64_t left = seeded_between(random, 1, 5); left > 0; left--)
        emit_item(out, random);
    emit_close(out, ']');
    emit_money(out, "total", seeded_between(random, 199, 299999));
    emit_key(out, "tags");
    emit_open(out, '[');
    for (uint64_t left = seeded_between(random, 0, 3); left > 0; left--)
        emit_text(out, PICK(random, tags));
    emit_close(out, ']');
    bool_field(out, "gift", seeded_chance(random, 10));
    emit_key(out, "note");
    if (seeded_chance(random, 80))
        emit_null(out);
    else
        emit_text(out, "Please ring twice.\nThe bell marked \"2b\" works.");
    emit_close(out, '}');
}

/* --------------------------------------------------------------------- logs */

/* Messages as JSON has them inside the quotes: some writers escape more than
 * they must, so \u00e9 and \/ occur beside raw accents. */
static const char *const plain_messages[] = {
    "request completed",
    "cache miss, loading the entry from the primary store",
    "connection to the database was established after a retry",
    "user session refreshed; the old token stays valid for sixty seconds",
    "scheduled job finished without any work to do",
    "queue depth is above its soft limit, slowing down producers",
    "configuration reloaded (12 keys changed, 3 keys removed)",
    "health check passed",
};
static const char *const rich_messages[] = {
    "could not parse header \\\"X-Request-Start\\\": expected a number",
    "path C:\\\\data\\\\import\\\\today.csv does not exist",
    "paiement refus\\u00e9 par la banque \\u2014 nouvel essai dans 30 s",
    "paiement accepté, reçu envoyé à l’adresse du client",
    "upstream said:\\n\\tHTTP\\/1.1 503 Service Unavailable",
    "Größe überschritten: 10 MiB erlaubt, Anfrage abgewiesen",
    "注文を受け付けました",
};

static void emit_request(emit *out, seeded *random)
{
    static const char *const methods[] = {"GET", "GET", "GET", "POST", "PUT", "DELETE"};
    static const char *const paths[] = {
        "/api/v2/orders/", "/api/v2/users/", "/api/v2/search?q=", "/health/", "/static/",
    };
    static const uint64_t codes[] = {200, 200, 200, 201, 204, 304, 400, 404, 500, 503};
    emit_key(out, "request");
    emit_open(out, '{');
    text_field(out, "method", PICK(random, methods));
    emit_key(out, "path");
    emit_text_begin(out);
    emit_piece(out, PICK(random, paths));
    emit_number_piece(out, seeded_between(random, 1, 999999), 1);
    emit_text_end(out);
    integer_field(out, "status", PICK(random, codes));
    integer_field(out, "bytes", seeded_between(random, 0, 65536));
    text_field(out, "agent", "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101");
    emit_close(out, '}');
}

static void emit_user(emit *out, seeded *random)
{
    emit_key(out, "user");
    emit_open(out, '{');
    integer_field(out, "id", seeded_between(random, 1, 4000000));
    text_field(out, "name",
               seeded_chance(random, 30) ? PICK(random, accented_names)
                                         : PICK(random, first_names));
    emit_close(out, '}');
}

static void emit_failure(emit *out, seeded *random)
{
    static const char *const types[] = {
        "TimeoutError",
        "ConnectionReset",
        "ValidationError",
        "OutOfStock",
    };
    static const char *const files[] = {"pool.go", "retry.go", "server.go", "codec.go"};
    emit_key(out, "error");
    emit_open(out, '{');
    text_field(out, "type", PICK(random, types));
    emit_key(out, "stack");
    emit_text_begin(out);
    for (uint64_t left = seeded_between(random, 2, 6); left > 0; left--) {
        emit_piece(out, "    at ");
        emit_piece(out, PICK(random, files));
        emit_piece(out, ":");
        emit_number_piece(out, seeded_between(random, 10, 999), 1);
        emit_piece(out, "\n");
    }
    emit_text_end(out);
    bool_field(out, "retryable", seeded_chance(random, 50));
    emit_close(out, '}');
}

static void logs_record(emit *out, seeded *random, uint64_t index)
{
    static const char *const levels[] = {"debug", "info", "info", "info", "warn"};
    static const char *const services[] = {
        "checkout", "catalog", "identity", "search", "mailer", "billing",
    };
    bool failed = seeded_chance(random, 8);
    emit_open(out, '{');
    emit_key(out, "timestamp");
    emit_time(out, index * 97 + seeded_between(random, 0, 96));
    text_field(out, "level", failed ? "error" : PICK(random, levels));
    text_field(out, "service", PICK(random, services));
    emit_key(out, "host");
    emit_text_begin(out);
    emit_piece(out, "ip-10-0-");
    emit_number_piece(out, seeded_between(random, 0, 15), 1);
    emit_piece(out, "-");
    emit_number_piece(out, seeded_between(random, 1, 254), 1);
    emit_text_end(out);
    emit_key(out, "traceId");
    emit_text_begin(out);
    emit_hex_piece(out, seeded_next(random), 16);
    emit_text_end(out);
    emit_key(out, "durationMs");
    emit_decimal(out, (int64_t)seeded_between(random, 10, 99999), 1, 0);
    emit_key(out, "message");
    emit_text_begin(out);
    emit_raw(out, seeded_chance(random, 20) ? PICK(random, rich_messages)
                                            : PICK(random, plain_messages));
    emit_text_end(out);
    if (seeded_chance(random, 45))
        emit_request(out, random);
    if (seeded_chance(random, 35))
        emit_user(out, random);
    if (failed)
        emit_failure(out, random);
    emit_close(out, '}');
}

/* ------------------------------------------------------------------- floats */

/* A whole number of exactly `count` digits, at most 18, either sign. */
static int64_t signed_digits(seeded *random, unsigned count)
{
    uint64_t least = 1;
    for (unsigned i = 1; i < count; i++)
        least *= 10;
    int64_t digits = (int64_t)seeded_between(random, least, least * 10 - 1);
    return seeded_chance(random, 50) ? -digits : digits;
}

/* A degree near `centre`, which counts units of 1e-14 degrees. */
static void emit_degree(emit *out, seeded *random, int64_t centre)
{
    const int64_t reach = 5000000000000; /* a twentieth of a degree */
    int64_t offset = (int64_t)seeded_between(random, 0, 2 * (uint64_t)reach) - reach;
    emit_decimal(out, centre + offset, 14, 0);
}

/* An outline: points around a centre, with the many digits that projecting from
 * one system of coordinates into another leaves behind. */
static void emit_outline(emit *out, seeded *random)
{
    const int64_t degree = 100000000000000;
    int64_t lon = ((int64_t)seeded_between(random, 0, 358) - 179) * degree;
    int64_t lat = ((int64_t)seeded_between(random, 0, 120) - 60) * degree;
    emit_key(out, "geometry");
    emit_open(out, '{');
    text_field(out, "type", "Polygon");
    emit_key(out, "coordinates");
    emit_open(out, '[');
    emit_open(out, '[');
    for (uint64_t left = seeded_between(random, 12, 60); left > 0; left--) {
        emit_open(out, '[');
        emit_degree(out, random, lon);
        emit_degree(out, random, lat);
        emit_close(out, ']');
    }
    emit_close(out, ']');
    emit_close(out, ']');
    emit_close(out, '}');
}

/* What a sensor sends: short readings, long ones, and now and then one so small
 * or so large that it comes with an exponent. */
static void emit_reading(emit *out, seeded *random)
{
    unsigned count = (unsigned)seeded_between(random, 6, 17);
    int64_t digits = signed_digits(random, count);
    if (seeded_chance(random, 12))
        emit_decimal(out, digits, count - 1, (int)seeded_between(random, 1, 30) - 20);
    else
        emit_decimal(out, digits, count - (unsigned)seeded_between(random, 1, 4), 0);
}

static void floats_record(emit *out, seeded *random, uint64_t index)
{
    emit_open(out, '{');
    text_field(out, "type", "Feature");
    integer_field(out, "id", index + 1);
    emit_outline(out, random);
    emit_key(out, "properties");
    emit_open(out, '{');
    emit_key(out, "area");
    emit_reading(out, random);
    emit_key(out, "readings");
    emit_open(out, '[');
    for (uint64_t left = seeded_between(random, 20, 80); left > 0; left--)
        emit_reading(out, random);
    emit_close(out, ']');
    emit_close(out, '}');
    emit_close(out, '}');
}

/* ---------------------------------------------------------------- the table */

const shape *shape_at(size_t index)
{
    static const shape shapes[] = {
        {"flat", "rows of employees, all fields scalar", "[", "]", flat_record},
        {"nested", "orders with customer, address, items", "[", "]", nested_record},
        {"logs", "events with text and optional fields", "[", "]", logs_record},
        {"floats", "GeoJSON outlines and sensor readings",
         "{\"type\":\"FeatureCollection\",\"features\":[", "]}", floats_record},
    };
    return index < COUNT_OF(shapes) ? &shapes[index] : NULL;
}
