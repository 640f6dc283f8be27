"""Write constraints.txt: the newest versions of everything that fit, for each Python.

Usage: python tools/pin.py PYTHON...      (one interpreter a version: 3.10 3.11 3.12 3.13)

pip resolves for every interpreter in turn, without installing. A version that not every Python
can have gets an environment marker.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = """\
# Every version that `make setup` installs. Made by tools/pin.py; do not edit by hand.
"""


def resolve(python: str) -> tuple[str, dict[str, str]]:
    """Return the Python's version ("3.11") and what pip would install for it, name to version."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        venv = Path(folder) / "venv"
        subprocess.run([python, "-m", "venv", venv], check=True)
        pip = [venv / "bin" / "python", "-m", "pip", "--quiet"]
        subprocess.run([*pip, "install", "--upgrade", "pip"], check=True)
        wanted = ["setuptools", "wheel", "-r", ROOT / "tools" / "ros-wheels.txt", f"{ROOT}[dev]"]
        dry = ["install", "--dry-run", "--ignore-installed", "--report", report]
        subprocess.run([*pip, *dry, *wanted], check=True)
        found = json.loads(report.read_text())
    version = ".".join(found["environment"]["python_version"].split(".")[:2])
    packages = {
        re.sub(r"[-_.]+", "-", item["metadata"]["name"]).lower(): item["metadata"]["version"]
        for item in found["install"]
    }
    packages.pop("gist")
    return version, packages


def main(pythons: list[str]) -> None:
    """Resolve for each interpreter and write the merged file."""
    pins: defaultdict[str, dict[str, str]] = defaultdict(dict)
    versions = []
    for python in pythons:
        version, packages = resolve(python)
        versions.append(version)
        for name, pin in packages.items():
            pins[name][version] = pin
        print(f"Python {version}: {len(packages)} packages")
    lines = [HEADER]
    for name in sorted(pins):
        by_version = pins[name]
        if len(set(by_version.values())) == 1 and len(by_version) == len(versions):
            lines.append(f"{name}=={by_version[versions[0]]}\n")
            continue
        lines += [f'{name}=={by_version[v]}; python_version == "{v}"\n' for v in by_version]
    (ROOT / "constraints.txt").write_text("".join(lines))


if __name__ == "__main__":
    main(sys.argv[1:])
