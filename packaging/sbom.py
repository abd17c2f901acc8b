#!/usr/bin/env python3
"""Prints the bill of materials of a release, as SPDX 2.3 in JSON.

    usage: sbom.py DIR

Packages of the release are the files in DIR; inside are the data of others that
THIRD_PARTY.md names, and in the wheel the libraries that are linked into it, with the
versions of Debian's packages that they were taken from.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INSIDE_WHEEL = {  # Debian's package: (name, licence)
    "liblz4-dev": ("lz4", "BSD-2-Clause"),
    "libzstd-dev": ("zstd", "BSD-3-Clause"),
    "zlib1g-dev": ("zlib", "Zlib"),
    "libsqlite3-dev": ("sqlite", "blessing"),
}


def installed(package):
    """The version of a package of this machine; NOASSERTION where there is none."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], check=False,
                          capture_output=True, text=True)
    return done.stdout or "NOASSERTION"


def package(name, version, licence, **more):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name,
            "versionInfo": version, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, **more}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: sbom.py DIR")
    header = (ROOT / "include" / "pith.h").read_text(encoding="utf-8")
    version = re.search(r'PITH_VERSION_TEXT "([^"]+)"', header).group(1)
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]),
                                           datetime.timezone.utc)
    handed_out, inside, relations = [], [], []
    inside.append(package("tiktoken-vocabularies", "NOASSERTION", "MIT"))
    inside.append(package("unicode-character-database", "NOASSERTION", "Unicode-3.0"))
    for debian, (name, licence) in INSIDE_WHEEL.items():
        inside.append(package(name, installed(debian), licence))
    for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        one = package(path.name, version, "MIT", packageFileName=path.name, checksums=[
            {"algorithm": "SHA256",
             "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}])
        handed_out.append(one)
        relations.append(["SPDXRef-DOCUMENT", "DESCRIBES", one["SPDXID"]])
        for other in inside[:None if path.suffix == ".whl" else 2]:
            relations.append([one["SPDXID"], "CONTAINS", other["SPDXID"]])
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"pith-{version}", "documentNamespace": f"urn:pith:{version}:{int(time.timestamp())}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: pith-release", "Organization: The Pith authors"]},
        "packages": handed_out + inside,
        "relationships": [{"spdxElementId": a, "relationshipType": kind,
                           "relatedSpdxElement": b} for a, kind, b in relations]},
        sys.stdout, indent=1)
    print()


main()
