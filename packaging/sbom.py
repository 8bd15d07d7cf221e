#!/usr/bin/env python3
"""The bill of materials of a program or module, CycloneDX 1.5 as JSON: what is linked with it or included by its
sources.

  packaging/sbom.py BUILD [TARGET] [--licences FOLDER] > sbom.json

ninja knows of each object which headers it was compiled with, ldd what a program loads, and dpkg and the metadata of
PyPI's packages whose these are. A component is a source package of Debian; properties are the parts of it that are used.
--licences also writes the licence texts of all of them. The same build gives the same bytes: no times, no paths.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def output(*command: str) -> str:
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def files_of(build: str, target: str, cache: dict[str, str]) -> set[str]:
    """Headers, archives, libraries and texts outside tree and build that `target` is made of."""
    inputs = set(output("ninja", "-C", build, "-t", "inputs", target).split("\n"))
    if not any(name.endswith(".o") for name in inputs):
        sys.exit(f"sbom.py: {build} has no {target} that ninja builds")
    files = {name for name in inputs if re.search(r"\.(a|so[.\d]*)$", name)}
    for block in output("ninja", "-C", build, "-t", "deps").split("\n\n"):
        if block.split(":")[0].strip() in inputs:
            files.update(line.strip() for line in block.split("\n")[1:])
    made = next(iter(glob.glob(f"{build}/{target}") + glob.glob(f"{build}/python/scree/_core*.so")))
    files.update(re.findall(r"(?:=> )?(/\S+) \(0x", output("ldd", made)))
    files.update(path for key, path in cache.items() if re.fullmatch("SCREE_(D3|THREE|ORBIT)", key))
    real = {os.path.realpath(os.path.join(build, name)) for name in files if name}
    ours = (TREE + "/", build + "/")
    others = re.compile(re.escape(TREE) + "/build/hdf5/|.*/(site|dist)-packages/")
    return {name for name in real if not name.startswith(ours) or others.match(name)}


def components_of(files: set[str]) -> tuple[list[Any], dict[str, list[str]]]:
    """The components, and the licence texts of each by its name."""
    system = dict(re.findall(r'^(\w+)="?([^"\n]*)', Path("/etc/os-release").read_text(), re.MULTILINE))
    found: dict[str, Any] = {}
    texts: dict[str, list[str]] = {}
    debian: set[str] = set()

    def add(name: str, version: str, purl: str, part: str, licences: list[str]) -> None:
        one = found.setdefault(name, {"type": "library", "name": name, "version": version, "purl": purl,
                                      "bom-ref": purl, "properties": []})
        one["properties"].append({"name": "scree:part", "value": part})
        texts.setdefault(name, []).extend(licences)

    for name in files:
        if own := re.match(r"(.*/build/hdf5/([^/]+))/", name):  # packaging/hdf5.sh
            if "hdf5" not in found:
                add("hdf5", own[2], f"pkg:deb/{system['ID']}/hdf5@{own[2]}?arch=source", "libhdf5.a",
                    [f"{own[1]}/share/doc/copyright", f"{own[1]}/share/doc/COPYING"])
        elif python := re.match(r"(.*/(?:site|dist)-packages)/([^/]+)/", name):
            for info in glob.glob(f"{python[1]}/{python[2]}-*.dist-info"):
                version = info.removesuffix(".dist-info").rsplit("-", 1)[1]
                if python[2] not in found:
                    add(python[2], version, f"pkg:pypi/{python[2]}@{version}", python[2],
                        glob.glob(f"{info}/**/LICENSE*", recursive=True))
        else:
            debian.update((name, name.removeprefix("/usr")))  # libraries of merged folders are under one of these
    owners = re.findall(r"^([^\s:]+)(?::\w+)?: /", output("dpkg-query", "-S", *sorted(debian)), re.MULTILINE)
    for package in sorted(set(owners)):
        form = "${Package}\t${source:Package}\t${source:Version}\n"
        binary, source, version = output("dpkg-query", "-W", "-f", form, package).split("\n")[0].split("\t")
        add(source, version, f"pkg:deb/{system['ID']}/{source}@{version.replace('+', '%2B')}?arch=source", binary,
            [f"/usr/share/doc/{package}/copyright"])
    return sorted(found.values(), key=lambda one: one["name"]), texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("target", nargs="?", default="scree")
    parser.add_argument("--licences")
    options = parser.parse_args()
    build = os.path.realpath(options.build)
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", Path(f"{build}/CMakeCache.txt").read_text(), re.MULTILINE))
    version = cache["CMAKE_PROJECT_VERSION"]
    components, texts = components_of(files_of(build, options.target, cache))
    name, kind, purl = {"scree_core": ("scree-engine", "library", f"pkg:pypi/scree-engine@{version}")}.get(
        options.target, (options.target, "application", f"pkg:generic/{options.target}@{version}"))
    root = {"type": kind, "name": name, "version": version, "bom-ref": purl, "purl": purl,
            "licenses": [{"license": {"id": "Apache-2.0"}}]}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": root},
            "components": components,
            "dependencies": [{"ref": root["bom-ref"], "dependsOn": [one["bom-ref"] for one in components]}]}
    bill["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill, sort_keys=True)))
    json.dump(bill, sys.stdout, indent=1)
    print()
    if options.licences:
        os.makedirs(options.licences, exist_ok=True)
        for name, paths in texts.items():
            present = sorted({os.path.realpath(path) for path in paths if os.path.exists(path)})
            if not present:
                sys.exit(f"sbom.py: there is no licence text of {name}")
            with open(f"{options.licences}/{name}.txt", "wb") as out:
                for path in present:
                    with open(path, "rb") as text:
                        shutil.copyfileobj(text, out)


if __name__ == "__main__":
    main()
