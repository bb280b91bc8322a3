#!/usr/bin/env python3
# Writes the software bill of materials of an installation, SPDX 2.3 in JSON: each file with its checksums, and what the agents of
# mpit-info contain of others. The same installation gives the same bytes, wherever it lies.
#     sbom.py <name> <folder of the installation> > mpit.spdx.json
# SOURCE_DATE_EPOCH is its date, in seconds; without it, that of the newest file.

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

LICENSE, AUTHORS = "BSD-3-Clause", "the mpit authors"


def sums_of(path):
    # SPDX 2.3 requires SHA-1 beside any other one.
    text = path.read_bytes()
    return {"SHA1": hashlib.sha1(text).hexdigest(), "SHA256": hashlib.sha256(text).hexdigest()}


def package(name, version, **more):
    return {"SPDXID": f"SPDXRef-Package-{name}", "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, **more}


def version_in(paths):
    """The version that the installed headers, or the package of Python, have."""
    for path in paths:
        if path.match("mpit/version.hpp"):
            return ".".join(re.findall(r"int (?:major|minor|patch) = (\d+);", path.read_text(encoding="utf-8")))
        if path.match("mpit_info/__init__.py"):
            return re.search(r'VERSION = "(.*)"', path.read_text(encoding="utf-8"))[1]
    sys.exit("sbom.py: there is neither mpit/version.hpp nor mpit_info/__init__.py in this folder")


def version_of_json():
    asked = subprocess.run(["pkg-config", "--modversion", "nlohmann_json"], check=False, capture_output=True, text=True)
    return asked.stdout.strip() or "NOASSERTION"


def document(name, folder):
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    version = version_in(paths)
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or max(path.stat().st_mtime for path in paths))
    files = [{"SPDXID": f"SPDXRef-File-{number}", "fileName": f"./{path.relative_to(folder).as_posix()}",
              "checksums": [{"algorithm": kind, "checksumValue": value} for kind, value in sums_of(path).items()],
              "licenseConcluded": LICENSE, "licenseInfoInFiles": [LICENSE], "copyrightText": AUTHORS}
             for number, path in enumerate(paths, 1)]
    first_sums = sorted(file["checksums"][0]["checksumValue"] for file in files)
    code = hashlib.sha1("".join(first_sums).encode()).hexdigest()
    main = package(name, version, filesAnalyzed=True, packageVerificationCode={"packageVerificationCodeValue": code},
                   licenseConcluded=LICENSE, licenseDeclared=LICENSE, licenseInfoFromFiles=[LICENSE], copyrightText=AUTHORS)
    packages, relations = [main], [("SPDXRef-DOCUMENT", "DESCRIBES", main["SPDXID"])]
    relations += [(main["SPDXID"], "CONTAINS", file["SPDXID"]) for file in files]
    agents = [file for file, path in zip(files, paths) if re.fullmatch(r"mpit-info-.*\.so", path.name)]
    if agents:
        json_library = package("nlohmann-json", version_of_json(), licenseConcluded="MIT", licenseDeclared="MIT",
                               copyrightText="NOASSERTION")
        packages.append(json_library)
        relations += [(agent["SPDXID"], "STATIC_LINK", json_library["SPDXID"]) for agent in agents]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{version}",
        "documentNamespace": f"https://example.invalid/mpit/{name}-{version}-{code}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
                         "creators": [f"Organization: {AUTHORS}", "Tool: sbom.py"]},
        "packages": packages, "files": files,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in relations]}


if len(sys.argv) != 3:
    sys.exit("usage: sbom.py <name> <folder of the installation> > mpit.spdx.json")
json.dump(document(sys.argv[1], pathlib.Path(sys.argv[2])), sys.stdout, indent=1)
print()
