#!/usr/bin/env python3
"""What the tests reach: lines and branches of the library and the tool, from gcov.

    tests/coverage/report.py BUILD_DIR [--list | --branches] [AREA..]

BUILD_DIR is the tree of the preset `coverage`, after its tests have run. An area is a
directory below src, or cli, or db. --list names the lines that are not reached, in all
areas or in those given; --branches the lines that are, but with ways out of them that are
never taken, and how many.

A line that no test can reach is named in tests/coverage/unreached, with the reason:

    src/base/arena.c: return NULL;      # what must happen before it is executed

It stands for every unreached line of that file with just this text. An unreached line
that is not named there fails the run, in whichever area it is, and is printed. So does an
entry that stands for nothing: the list cannot outlive what it excuses. On top of that each
area has a floor for the lines that are not excused and one for the branches (FLOORS);
below it the run fails as well.
"""

import collections
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "tests/coverage/unreached"

# Area: lines, branches, in percent of what gcov counts and the list does not excuse. The
# two at 100 are the ground that all else stands on.
FLOORS = {"src/base": (100, 90), "src/doc": (100, 90)}
FLOOR = (95, 90)


class Source:
    """The counts of one file: a line may be compiled into several objects."""

    def __init__(self):
        self.lines = collections.Counter()
        self.branches = collections.defaultdict(list)

    def add(self, record):
        for line in record["lines"]:
            number = line["line_number"]
            self.lines[number] += line["count"]
            # A line's branches come in the same order from every object that has them.
            taken = [branch["count"] for branch in line["branches"]]
            known = self.branches[number]
            known.extend([0] * (len(taken) - len(known)))
            for place, count in enumerate(taken):
                known[place] += count


def area_of(name):
    parts = name.split("/")
    if parts[0] != "src":
        return parts[0]
    return "/".join(parts[:3] if parts[1] == "format" and len(parts) > 3 else parts[:2])


def measured(build):
    """File name to Source, for every file of the library, the tool and the databases."""
    sources = collections.defaultdict(Source)
    notes = [str(path.resolve()) for path in build.glob("CMakeFiles/**/*.gcno")]
    if not notes:
        sys.exit("coverage: %s has no notes of gcov; run ./dev coverage" % build)
    with tempfile.TemporaryDirectory() as scratch:
        for start in range(0, len(notes), 50):
            subprocess.run(["gcov", "--json-format", "--branch-probabilities",
                            "--preserve-paths", "--hash-filenames"] + notes[start:start + 50],
                           cwd=scratch, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        for report in pathlib.Path(scratch).glob("*.gcov.json.gz"):
            with gzip.open(report) as stream:
                for record in json.load(stream)["files"]:
                    name = os.path.relpath(record["file"], ROOT)
                    if name.startswith(("src/", "cli/", "db/")):
                        sources[name].add(record)
    return sources


def excuses():
    """(file, text of the line) to the reason."""
    found = {}
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        place, _, reason = line.rpartition("  # ")
        name, _, text = place.partition(": ")
        if not reason.strip() or not text.strip():
            sys.exit("coverage: %s:%d: expected 'FILE: LINE  # REASON'" % (LIST, number))
        found[name.strip(), text.strip()] = reason.strip()
    return found


def percent(part, whole):
    return 100.0 if whole == 0 else 100.0 * part / whole


class Area:
    def __init__(self):
        self.lines = self.reached = self.excused = self.branches = self.taken = 0
        self.open = []
        self.known = []
        self.forks = []

    def add(self, name, source, known, used):
        text = (ROOT / name).read_text().splitlines()
        for number, count in sorted(source.lines.items()):
            content = text[number - 1].strip()
            branches = source.branches[number]
            self.lines += 1
            if count == 0 and (name, content) in known:
                used.add((name, content))
                self.excused += 1
                self.known.append((name, number, "%s  # %s" % (content, known[name, content])))
                continue
            self.reached += count > 0
            self.branches += len(branches)
            self.taken += sum(1 for branch in branches if branch)
            if count == 0:
                self.open.append((name, number, content))
            elif 0 in branches:
                ways = "%d of %d" % (sum(1 for branch in branches if branch), len(branches))
                self.forks.append((name, number, "%s: %s" % (ways, content)))

    def figures(self):
        return (percent(self.reached, self.lines - self.excused),
                percent(self.taken, self.branches))


def main():
    words = sys.argv[1:]
    options = {word for word in words if word.startswith("-")}
    if not words or words[0] in options or options - {"--list", "--branches"}:
        sys.exit(__doc__)
    listing, forking = "--list" in options, "--branches" in options
    wanted = [word for word in words[1:] if word not in options]
    known, used = excuses(), set()
    areas = collections.defaultdict(Area)
    for name, source in sorted(measured(pathlib.Path(words[0])).items()):
        areas[area_of(name)].add(name, source, known, used)

    failures = []
    print("%-20s %8s %8s %9s %9s" % ("area", "lines", "excused", "reached", "branches"))
    total = Area()
    for name, area in sorted(areas.items()):
        line_figure, branch_figure = area.figures()
        print("%-20s %8d %8d %8.1f%% %8.1f%%"
              % (name, area.lines, area.excused, line_figure, branch_figure))
        line_floor, branch_floor = FLOORS.get(name, FLOOR)
        if line_figure < line_floor:
            failures.append("%s: %.1f%% of lines, at least %d%% wanted"
                            % (name, line_figure, line_floor))
        if branch_figure < branch_floor:
            failures.append("%s: %.1f%% of branches, at least %d%% wanted"
                            % (name, branch_figure, branch_floor))
        for place in area.open:
            failures.append("%s:%d: neither reached nor excused: %s" % place)
        for field in ("lines", "reached", "excused", "branches", "taken"):
            setattr(total, field, getattr(total, field) + getattr(area, field))
        if not wanted or name in wanted:
            for place in sorted(area.open + area.known) * listing + area.forks * forking:
                print("  %s:%d: %s" % place)
    print("%-20s %8d %8d %8.1f%% %8.1f%%"
          % (("all", total.lines, total.excused) + total.figures()))

    for name, text in sorted(set(known) - used):
        failures.append("%s: '%s' is excused, and reached or gone" % (name, text))
    for failure in failures:
        print("coverage: " + failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
