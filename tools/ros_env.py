"""Make the ROS side work in .venv without anything to source.

Usage: python tools/ros_env.py fit-wheels          rewrite what the wheels' builder left behind
       python tools/ros_env.py link INSTALL_PREFIX  let .venv's Python find that colcon package
"""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path

STARTUP = '''\
"""Written by `make setup`: lets this Python find the colcon package in {prefix}."""

import os
import sys

PREFIX = {prefix!r}
WHEELS = {wheels!r}


def _prepend(variable, *paths):
    old = [p for p in os.environ.get(variable, "").split(os.pathsep) if p]
    new = [p for p in paths if p not in old]
    os.environ[variable] = os.pathsep.join(new + old)
    return bool(new)


_prepend("AMENT_PREFIX_PATH", PREFIX, *([sys.prefix] if WHEELS else []))
if _prepend("LD_LIBRARY_PATH", PREFIX + "/lib"):
    # The loader reads this variable only at the start of a process, so start once more.
    # The wheels' own start-up file does so itself, unless it believes to have done it.
    os.environ.pop("_ROS_WHEELS_BOOTSTRAP_COMPLETE", None)
    if not WHEELS:
        os.execve(sys.executable, sys.orig_argv, os.environ)
'''


def fit_wheels() -> None:
    """Replace the builder's include folders in the wheels' CMake files by those of this Python."""
    paths = sysconfig.get_paths()
    numpy = Path(paths["platlib"]) / "numpy" / "_core" / "include"
    builder = re.compile(r"/opt/python/cp3[^;\"]*?/include/python3\.\d+(?=[;\"])")
    builder_numpy = re.compile(r"/opt/python/cp3[^;\"]*?/numpy/_?core/include(?=[;\"])")
    for file in Path(sys.prefix, "share").rglob("*.cmake"):
        text = file.read_text()
        fitted = builder.sub(paths["include"], builder_numpy.sub(str(numpy), text))
        if fitted != text:
            file.write_text(fitted)


def link(prefix: Path) -> None:
    """Write the start-up file into the site-packages of this Python."""
    site = Path(sysconfig.get_paths()["purelib"])
    packages = next(prefix.glob("lib/python3*/site-packages"))
    wheels = (site / "ros_wheels_bootstrapper.pth").exists()
    (site / "gist_ros_startup.py").write_text(STARTUP.format(prefix=str(prefix), wheels=wheels))
    (site / "gist_ros_startup.pth").write_text(f"import gist_ros_startup\n{packages}\n")


if __name__ == "__main__":
    if sys.argv[1] == "fit-wheels":
        fit_wheels()
    else:
        link(Path(sys.argv[2]).resolve())
