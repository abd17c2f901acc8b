"""The implementations that Pith is compared with, and how each is had.

Every version is exact, so that a difference is ours or was there before, and so is every
byte: beside the programs stand lock files with the hashes of what is fetched. It goes, with
what is built, into one folder that may be deleted at any time; a peer that cannot be had is
skipped, and the run says so.
"""

import filecmp
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

TOON = [
    "/",
    "delimiter=tab/",
    "delimiter=pipe/",
    "indent=4/indent=4",
    "/strict=false",
]
TOON3 = [
    "version=3/version=3",
    "version=3 delimiter=tab/version=3",
    "version=3 delimiter=pipe/version=3",
    "version=3 indent=4/version=3 indent=4",
    "version=3/version=3 strict=false",
    "version=3 fold=safe/version=3 expand=safe",
]
GCF = ["/", "flatten=false/"]
GCF36 = ["level=3.6/", "level=3.6 flatten=false/"]


class Peer:
    """A peer. `variants` are settings of ours, for writing and for reading, that the peer
    has too, under the same number."""

    def __init__(self, name, package, form, model, variants, program):
        self.name = name
        self.package = package
        self.format = form
        self.model = model
        self.variants = variants
        self.program = program

    def home(self, root):
        return os.path.join(root, self.name)

    def log(self, root):
        return self.home(root) + ".log"

    def attempt(self, root, command, **more):
        """Runs it with its words in the log; raises the line that tells why it failed."""
        with open(self.log(root), "w") as log:
            done = subprocess.run(command, stdout=log, stderr=log, **more)
        if done.returncode != 0:
            with open(self.log(root)) as log:
                lines = [line.strip() for line in log if line.strip()]
            told = [line for line in lines if "error" in line.lower()] or lines[-1:]
            raise RuntimeError(f"{command[0]}: {told[0] if told else 'failed'}")

    def copy_programs(self, root):
        home = self.home(root)
        os.makedirs(home, exist_ok=True)
        for name in os.listdir(os.path.join(HERE, "peers")):
            if name.endswith(self.suffix):
                shutil.copy(os.path.join(HERE, "peers", name), home)

    def fetch(self, root, lock, command):
        """Runs the command, which fetches what the lock file lists, unless it has done so
        for a file of the same content."""
        if not self.package[0]:
            return
        home, done = self.home(root), os.path.join(self.home(root), "installed.lock")
        shutil.copytree(os.path.join(HERE, "peers", self.name), home, dirs_exist_ok=True)
        lock = os.path.join(home, lock)
        if not os.path.exists(done) or not filecmp.cmp(lock, done, shallow=False):
            self.attempt(root, command, cwd=home)
            shutil.copy(lock, done)


class NodePeer(Peer):
    suffix = ".mjs"

    def runner(self, root):
        return ["node", os.path.join(self.home(root), self.program)]

    def install(self, root):
        self.copy_programs(root)
        self.fetch(root, "package-lock.json",
                   ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"])


class PythonPeer(Peer):
    suffix = ".py"

    def runner(self, root):
        return [sys.executable, os.path.join(self.home(root), self.program)]

    def install(self, root):
        self.copy_programs(root)
        self.fetch(root, "requirements.txt",
                   [sys.executable, "-m", "pip", "install", "--require-hashes", "--no-deps",
                    "--target", ".", "--upgrade", "--requirement", "requirements.txt"])


class RustPeer(Peer):
    def home(self, root):
        return os.path.join(root, "rust")

    def log(self, root):
        return os.path.join(root, self.name + ".log")

    def runner(self, root):
        return [os.path.join(self.home(root), "target", "release", self.program)]

    def install(self, root):
        shutil.copytree(os.path.join(HERE, "peers", "rust"), self.home(root),
                        dirs_exist_ok=True)
        self.attempt(root, ["cargo", "build", "--release", "--locked", "--quiet"],
                     cwd=self.home(root))


PEERS = [
    NodePeer("toon-js", ("@toon-format/toon", "4.4.0"), "toon", "js", TOON, "toon.mjs"),
    NodePeer("toon3-js", ("@toon-format/toon", "2.3.1"), "toon", "js", TOON3, "toon.mjs"),
    PythonPeer("toon-py", ("toon-format", "1.2.0"), "toon", "py", TOON, "toon.py"),
    RustPeer("toon-rs", ("toon-format", "0.7.0"), "toon", "rs", TOON, "toon"),
    NodePeer("gcf-js", ("@blackwell-systems/gcf", "2.5.2"), "gcf", "js-ordered", GCF,
             "gcf.mjs"),
    PythonPeer("gcf-py", ("gcf-python", "2.8.0"), "gcf", "py", GCF36, "gcf.py"),
    RustPeer("gcf-rs", ("gcf", "3.1.0"), "gcf", "rs", GCF36, "gcf"),
    NodePeer("json-js", ("", ""), "json", "js", ["/"], "json.mjs"),
    PythonPeer("json-py", ("", ""), "json", "py", ["/"], "pyjson.py"),
    PythonPeer("ndjson-py", ("", ""), "ndjson", "py", ["/"], "pyndjson.py"),
]
