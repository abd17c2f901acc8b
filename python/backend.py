"""The build backend: scikit-build-core, and the library's sources for an sdist.

In a clone the library is one folder up. An sdist cannot reach there, so it is given a copy
of what the extension and the tool are built from, in library/, and is built from that.
"""

import pathlib
import re
import shutil

import scikit_build_core.build
from scikit_build_core.build import *  # noqa: F403

HERE = pathlib.Path(__file__).resolve().parent
COPY = HERE / "library"
PARTS = ["CMakeLists.txt", "LICENSE", "THIRD_PARTY.md", "cmake", "include", "src", "cli", "db", "proxy"]


def library():
    """Where the library's sources are."""
    above = HERE.parent
    return above if (above / "include" / "pith.h").exists() else COPY


def build_sdist(sdist_directory, config_settings=None):
    source = library()
    made = source != COPY
    if made:
        shutil.rmtree(COPY, ignore_errors=True)
        COPY.mkdir()
        for part in PARTS:
            copy = shutil.copytree if (source / part).is_dir() else shutil.copy
            copy(source / part, COPY / part)
    try:
        return scikit_build_core.build.build_sdist(sdist_directory, config_settings)
    finally:
        if made:
            shutil.rmtree(COPY)


def dynamic_metadata(field, settings=None, *_):
    """The version has one home: the macros of the public header."""
    assert field == "version" and not settings
    header = (library() / "include" / "pith.h").read_text(encoding="utf-8")
    return re.search(r'PITH_VERSION_TEXT "([^"]+)"', header).group(1)
