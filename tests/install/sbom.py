#!/usr/bin/env python3
"""What packaging/sbom.py tells of a build is a bill of materials, and has what the program is made of.

  tests/install/sbom.py BUILD [TARGET]

Against the schema of CycloneDX too, where PyPI's cyclonedx-python-lib[json-validation] is installed.
"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
if not shutil.which("ninja") or not shutil.which("dpkg-query"):
    print("skipped: there is no ninja or no dpkg")
    sys.exit(77)
command = [sys.executable, str(TREE / "packaging/sbom.py"), *sys.argv[1:]]
text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
assert text == subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout, "another one each time"
bill = json.loads(text)
assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.5", 1)
assert re.fullmatch("urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
root = bill["metadata"]["component"]
assert root["name"] == ("scree-engine" if "scree_core" in sys.argv else "scree") and root["version"]
found = {one["name"]: one for one in bill["components"]}
assert len(found) == len(bill["components"]), "one component twice"
for name, one in found.items():
    assert one["type"] == "library" and one["version"] and re.match(r"pkg:(deb/\w+|pypi)/", one["purl"]), name
    assert one["properties"], name
assert bill["dependencies"][0]["dependsOn"] == [one["bom-ref"] for one in bill["components"]]
wanted = ["hdf5", "glibc", "qhull", "xxhash", "eigen3", "cli11", "nlohmann-json3", "tomlplusplus"]
for name in [*wanted, *(["nanobind"] if "scree_core" in sys.argv else [])]:
    assert any(one.startswith(name) for one in found), f"{name} is not among {sorted(found)}"
assert re.match(r"1\.\d+\.\d+", found["hdf5"]["version"])
assert not any(one.startswith("scree") for one in found) and str(TREE) not in text
try:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    assert wrong is None, wrong
    print("valid by the schema")
except ImportError:
    pass
print(f"{len(found)} components: {', '.join(sorted(found))}")
print("passed")
