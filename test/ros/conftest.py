"""Real processes in a ROS domain of their own, on this machine only, with bounded waits."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

collect_ignore_glob: list[str] = []
if not (importlib.util.find_spec("rclpy") and importlib.util.find_spec("gist_ros")):
    collect_ignore_glob.append("test_*.py")  # not set up: `make test` sets it up

HERE = Path(__file__).resolve().parent
_names = itertools.count()


@pytest.fixture(scope="session", autouse=True)
def ros_domain() -> Iterator[None]:
    """Keep this run's nodes apart from every other run's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROS_DOMAIN_ID", str(1 + os.getpid() % 100))
        patch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        patch.delenv("ROS_LOCALHOST_ONLY", raising=False)
        yield


_TOLD = re.compile(r"^\[INFO\].*\n", re.MULTILINE)
_LATE_REPLY = re.compile(r".*RuntimeWarning: failed to send response \(timeout\).*\n.*\n")


class Process:
    """A planner node in a process of its own."""

    def __init__(self, command: list[str], log: Path, parameters: list[str]) -> None:
        self.name = f"planner_{os.getpid()}_{next(_names)}"
        self._log = log
        arguments = ["--ros-args", "-r", f"__node:={self.name}", *parameters]
        with log.open("w") as out:
            self.popen = subprocess.Popen(
                [sys.executable, *command, *arguments], stdout=out, stderr=subprocess.STDOUT
            )

    @property
    def output(self) -> str:
        """What the process has complained of so far: not what it tells, nor what is rclpy's.

        On a busy machine a reply finds no client in time, a warning with the line of its source.
        """
        return _TOLD.sub("", _LATE_REPLY.sub("", self._log.read_text()))

    def children(self) -> list[psutil.Process]:
        """Return every process that this one has started, directly or not."""
        return psutil.Process(self.popen.pid).children(recursive=True)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the signal and return the exit code."""
        self.popen.send_signal(number)
        return self.popen.wait(timeout=15)


Start = Callable[..., Process]


def starter(folder: Path) -> Iterator[Start]:
    """Give a function that starts a node; end what is left of them afterwards."""
    started: list[Process] = []

    def start(*parameters: str, double: bool = True) -> Process:
        script = [str(HERE / "double_node.py")] if double else ["-m", "gist.ros.planner_node"]
        given = [word for parameter in parameters for word in ("-p", parameter)]
        process = Process(script, folder / f"node_{len(started)}.log", given)
        started.append(process)
        return process

    yield start
    for process in started:
        if process.popen.poll() is None:
            process.popen.kill()
            process.popen.wait(timeout=15)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start nodes that live as long as one test."""
    yield from starter(tmp_path)


@pytest.fixture(scope="module")
def start_shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start nodes that live as long as the tests of one file."""
    yield from starter(tmp_path_factory.mktemp("nodes"))
