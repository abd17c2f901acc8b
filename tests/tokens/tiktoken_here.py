"""tiktoken_here.py - the real tiktoken, in a temporary folder.

OpenAI's library comes from PyPI and its lists of ranks, which are not in that package,
from the npm package of the same name; both through pip and npm as this machine has them
set up, with the versions and hashes of requirements.txt and package-lock.json beside this
file. Nothing is installed outside the folder.
"""

import base64
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"]


def install(folder):
    """Fetches both packages into the folder, unless they are there."""
    folder = pathlib.Path(folder)
    if not (folder / "python" / "tiktoken").is_dir():
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes",
             "--no-deps", "--target", str(folder / "python"), "--requirement",
             str(HERE / "requirements.txt")],
            check=True,
        )
    if not (folder / "node_modules" / "tiktoken").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ["package.json", "package-lock.json"]:
            shutil.copy(HERE / name, folder)
        subprocess.run(
            ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"],
            check=True, stdout=subprocess.DEVNULL, cwd=folder,
        )
    sys.path.insert(0, str(folder / "python"))
    return folder / "node_modules" / "tiktoken" / "encoders"


def ranks_from(path):
    ranks = {}
    for line in json.loads(path.read_text())["bpe_ranks"].split("\n"):
        if line:
            _, first, *tokens = line.split(" ")
            for number, token in enumerate(tokens, int(first)):
                ranks[base64.b64decode(token)] = number
    return ranks


def encodings(folder):
    """The encodings by name, with the patterns and special tokens of PyPI's package."""
    encoders = install(folder)
    import tiktoken
    from tiktoken_ext import openai_public

    def from_npm(url, **_):
        name = pathlib.Path(url).stem
        return ranks_from(encoders / f"{name}.json")

    openai_public.load_tiktoken_bpe = from_npm
    return {name: tiktoken.Encoding(**getattr(openai_public, name)()) for name in NAMES}
