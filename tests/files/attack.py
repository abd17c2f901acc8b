"""What the tests of this directory share: running the tool, and telling what is wrong.

Each test is given the tool, works in a directory of its own, and ends with 0 when all is
as it should be. A tool that hangs is a failure like any other.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 60  # far more than anything here takes

failures = []


def check(what, found, expected):
    if found != expected:
        failures.append(what)
        print(f"FAILED {what}\n    expected {expected!r}\n    found    {found!r}")


def check_in(what, found, expected):
    if expected not in found:
        failures.append(what)
        print(f"FAILED {what}\n    expected to hold {expected!r}\n    found    {found!r}")


class Tool:
    """The tool; each call runs in the current directory and gives a finished process."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.environment = {**os.environ, "LC_ALL": "C", "NO_COLOR": "1"}
        self.environment.pop("PITH_DB_PASSWORD", None)

    def __call__(self, *words, **how):
        how.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run([self.path, *words], capture_output=True, timeout=SECONDS,
                              env=self.environment, check=False, **how)

    def start(self, *words, **how):
        how.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen([self.path, *words], env=self.environment, **how)


def refused(what, done, code, words=b""):
    """The call failed, with this code word and these words in its message."""
    check_in(what, done.stderr.decode(errors="replace"), f"[{code}]")
    check_in(what, done.stderr, words)
    check(f"{what}: exit code", done.returncode in (1, 2, 3), True)
    check(f"{what}: standard output", done.stdout, b"")


def accepted(what, done):
    check(f"{what}: {done.stderr.decode(errors='replace')}", done.returncode, 0)


def files_here():
    """What is in the directory: names and contents, of regular files."""
    return {str(path): path.read_bytes() for path in sorted(pathlib.Path(".").rglob("*"))
            if path.is_file() and not path.is_symlink()}


def main(tests):
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        print(f"usage: {sys.argv[0]} PITH", file=sys.stderr)
        return 2
    tool = Tool(sys.argv[1])
    os.umask(0o022)
    for test in tests:
        with tempfile.TemporaryDirectory() as place:
            os.chdir(place)
            before = len(failures)
            test(tool)
            os.chdir("/")
            verdict = "ok" if len(failures) == before else "FAILED"
            print(f"{verdict} {test.__name__}", flush=True)
    return 1 if failures else 0
