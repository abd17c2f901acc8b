/*
 * roundtrip.c - any number of random values through every format and back, as fast as
 * they can be made, until one does not come back.
 *
 *     roundtrip [FORMAT|all [COUNT [SEED]]] [--jobs N] [--only NUMBER]
 *
 * FORMAT is the name of a format, or of one of its forms: "gcf" is all of them,
 * "gcf-3.6" one. COUNT is the number of round trips: one value through one form and back
 * is one. Each job is a process of its own and takes every Nth value, so that with the
 * same seed there are the same values, however many jobs there are.
 *
 * Each value is written, read back and compared (alike.c), every other one with random
 * settings as well. In turn,
 * what came back must be written the same, must survive JSON, and what was written is
 * damaged (damage.c). A loss ends the run with the number of the value, by which --only
 * finds it again, and with the smallest value that is lost in the same way (shrink.c).
 */
#define _POSIX_C_SOURCE 200809L

#include "trip.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "random.h"

enum { JOBS_MOST = 64 };

typedef struct plan {
    const way *chosen[WAYS_MOST];
    size_t ways;
    make_what makes;
    uint64_t count;
    uint64_t seed;
    size_t jobs;
    bool one;
    uint64_t number; /* of the only one */
} plan;

/* What one job has done. */
typedef struct outcome {
    tally tallies[WAYS_MOST];
    uint64_t values;
    uint64_t twice; /* values with a key twice, which are none */
    double seconds;
    bool lost;
} outcome;

static uint64_t trips_of(const plan *p, const outcome *o)
{
    uint64_t trips = 0;
    for (size_t i = 0; i < p->ways; i++)
        trips += o->tallies[i].trips;
    return trips;
}

/* ------------------------------------------------------------------------- losses */

static void show(const char *label, const char *text, size_t len)
{
    fprintf(stderr, "%s\n", label);
    fwrite(text, 1, len, stderr);
    fputs("\n", stderr);
}

static bool is_still_lost(trip *t)
{
    bool refused;
    return trip_go(t, &refused) != NULL;
}

static bool changes_still(trip *t)
{
    bool refused;
    return trip_go(t, &refused) == NULL && !refused && trip_go_again(t) != NULL;
}

static void show_trip(const trip *t, const char *label)
{
    if (t->err.status)
        fprintf(stderr, "%zu:%zu: %s: %s\n", t->err.line, t->err.column, t->err.code,
                t->err.message);
    show(label, t->json.ptr, t->json.len);
    if (t->text.data)
        show("written:", t->text.data, t->text.len);
}

/* Says which value it was, and what is left of it when it is made smaller. */
static void report_loss(trip *t, const plan *p, uint64_t number, const char *why)
{
    fprintf(stderr,
            "%s: value %llu of seed %llu %s\nsettings: write \"%s\" read \"%s\"\n",
            t->way->name, (unsigned long long)number, (unsigned long long)p->seed, why,
            t->write, t->read);
    show_trip(t, "JSON:");
    if (is_still_lost(t))
        trip_shrink(t, is_still_lost);
    else if (changes_still(t))
        trip_shrink(t, changes_still);
    else
        return;
    show_trip(t, "made smaller, as JSON:");
}

/* ------------------------------------------------------------------------- values */

/* One value along one way, and one of the extras. */
static const char *run_once(trip *t, uint64_t number, bool any)
{
    bool refused = false;
    trip_choose_settings(t, any);
    const char *why = trip_go(t, &refused);
    if (why)
        return why;
    if (refused) {
        t->tally.refused++;
        return NULL;
    }
    t->tally.trips++;
    switch (number % 8) {
    case 0:
    case 4:
        return trip_go_again(t);
    case 1:
        return trip_go_by_json(t);
    case 2:
    case 5:
        return trip_damage(t);
    default:
        return NULL;
    }
}

/* Every value goes as it is, and every other one with random settings as well. */
static const char *run_way(trip *t, uint64_t number)
{
    const char *why = run_once(t, number, false);
    if (!why && number % 2 == 0)
        why = run_once(t, number / 2, true);
    return why;
}

/* False when the value was lost. */
static bool run_value(trip *t, const plan *p, outcome *o, uint64_t number)
{
    uint64_t mixed = number;
    t->seed = p->seed ^ random_next(&mixed);
    t->json.len = 0;
    make_json(&t->json, &t->seed, p->makes);
    if (pith_doc_read(t->from, "json", t->json.ptr, t->json.len, NULL, &t->err) !=
        PITH_OK) {
        if (strcmp(t->err.code, "duplicate_key") != 0) {
            show_trip(t, "what was made is no JSON:");
            return false;
        }
        o->twice++;
        return true;
    }
    o->values++;
    for (size_t i = 0; i < p->ways; i++) {
        t->way = p->chosen[i];
        t->tally = o->tallies[i];
        const char *why = run_way(t, number);
        o->tallies[i] = t->tally;
        if (why) {
            report_loss(t, p, number, why);
            return false;
        }
    }
    return true;
}

static outcome run_job(const plan *p, size_t job)
{
    outcome o = {0};
    trip t = {0};
    uint64_t share = p->count / p->jobs + (job < p->count % p->jobs);
    clock_t start = clock();
    trip_open(&t);
    if (p->one)
        o.lost = !run_value(&t, p, &o, p->number);
    for (uint64_t number = job; !p->one && !o.lost && trips_of(p, &o) < share;
         number += p->jobs)
        o.lost = !run_value(&t, p, &o, number);
    if (p->one && !o.lost)
        show_trip(&t, "JSON:");
    trip_close(&t);
    o.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return o;
}

/* --------------------------------------------------------------------------- jobs */

typedef struct worker {
    pid_t pid;
    int from;
} worker;

static bool start_worker(worker *w, const plan *p, size_t job)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0 || (w->pid = fork()) < 0)
        return false;
    if (w->pid == 0) {
        outcome o = run_job(p, job);
        _exit(write(ends[1], &o, sizeof o) == (ssize_t)sizeof o && !o.lost ? 0 : 1);
    }
    close(ends[1]);
    w->from = ends[0];
    return true;
}

/* Adds what the worker has done; false when it was lost, or a value was. */
static bool collect(worker *w, outcome *all)
{
    outcome o = {0};
    ssize_t got = read(w->from, &o, sizeof o);
    int status = 0;
    close(w->from);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    for (size_t i = 0; i < WAYS_MOST; i++) {
        all->tallies[i].trips += o.tallies[i].trips;
        all->tallies[i].refused += o.tallies[i].refused;
        all->tallies[i].damaged += o.tallies[i].damaged;
        all->tallies[i].accepted += o.tallies[i].accepted;
    }
    all->values += o.values;
    all->twice += o.twice;
    all->seconds += o.seconds;
    return got == (ssize_t)sizeof o && status == 0;
}

static outcome run_jobs(const plan *p)
{
    worker workers[JOBS_MOST];
    outcome all = {0};
    size_t started = 0;
    while (started < p->jobs && start_worker(&workers[started], p, started))
        started++;
    all.lost = started < p->jobs;
    for (size_t i = 0; i < started; i++) {
        if (all.lost)
            kill(workers[i].pid, SIGTERM);
        if (!collect(&workers[i], &all))
            all.lost = true;
    }
    return all;
}

static void report_runs(const plan *p, const outcome *o, double elapsed)
{
    uint64_t trips = trips_of(p, o);
    for (size_t i = 0; i < p->ways; i++) {
        const tally *done = &o->tallies[i];
        printf("%-10s %12llu came back %10llu refused %10llu damaged %10llu of them "
               "another value\n",
               p->chosen[i]->name, (unsigned long long)done->trips,
               (unsigned long long)done->refused, (unsigned long long)done->damaged,
               (unsigned long long)done->accepted);
    }
    printf("%llu round trips of %llu values, %s, in %.1f s: %.0f a second and core\n",
           (unsigned long long)trips, (unsigned long long)o->values,
           o->lost ? "ONE LOST" : "0 lost", elapsed,
           o->seconds > 0 ? (double)trips / o->seconds : 0.0);
}

/* ---------------------------------------------------------------------- arguments */

static int usage(void)
{
    fputs("usage: roundtrip [FORMAT|all [COUNT [SEED]]] [--jobs N] [--only NUMBER]\n"
          "formats and their forms:",
          stderr);
    for (size_t i = 0; i < ways_count; i++)
        fprintf(stderr, " %s", ways[i].name);
    fputs("\n", stderr);
    return 2;
}

/* All forms of the format of that name, or the form of that name. */
static bool choose_ways(plan *p, const char *name)
{
    bool all = strcmp(name, "all") == 0;
    for (size_t i = 0; i < ways_count; i++)
        if (all || strcmp(ways[i].format, name) == 0 || strcmp(ways[i].name, name) == 0)
            p->chosen[p->ways++] = &ways[i];
    p->makes = p->ways > 0 && !all ? p->chosen[0]->makes : MAKE_ANY;
    return p->ways > 0;
}

static bool take_number(const char *text, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = text ? strtoull(text, &end, 10) : 0;
    return text && *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool take_arguments(plan *p, int argc, char **argv)
{
    const char *format = "all";
    uint64_t jobs = 1;
    int place = 0;
    for (int i = 1; i < argc; i++) {
        bool right = false;
        if (strcmp(argv[i], "--jobs") == 0)
            right = take_number(argv[++i], &jobs) && jobs > 0 && jobs <= JOBS_MOST;
        else if (strcmp(argv[i], "--only") == 0)
            right = p->one = take_number(argv[++i], &p->number);
        else if (place++ == 0)
            right = (format = argv[i])[0] != '-';
        else if (place <= 3)
            right = take_number(argv[i], place == 2 ? &p->count : &p->seed);
        if (!right)
            return false;
    }
    p->jobs = (size_t)jobs;
    return choose_ways(p, format);
}

int main(int argc, char **argv)
{
    plan p = {0};
    struct timespec start, end;
    p.count = 10000000;
    p.seed = 1;
    if (!take_arguments(&p, argc, argv))
        return usage();
    clock_gettime(CLOCK_MONOTONIC, &start);
    outcome o = p.jobs > 1 ? run_jobs(&p) : run_job(&p, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    report_runs(&p, &o,
                (double)(end.tv_sec - start.tv_sec) +
                    (double)(end.tv_nsec - start.tv_nsec) / 1e9);
    return o.lost ? 1 : 0;
}
