"""Warm worker processes that are killed at their deadline and never left behind."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gist.pddl.domain import Domain
from gist.pddl.planners.base import Limits, PlannerResult
from gist.pddl.problem import Problem

_BOOT = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from {0} import main; main()"
_HEADER = struct.Struct("!Q")
_POLL_S = 0.02
_GRACE_S = 0.1


class WorkerPool:
    """Up to `size` processes that run the `main` of a worker module, one request at a time each.

    A worker leads a process group of its own, which is killed as a whole at the deadline, on
    cancel, when the pool is closed and, by the worker itself, when this process is gone. A dead
    worker is replaced. Callers beyond `size` wait for a free one; the wait counts as their time.
    """

    def __init__(self, module: str, size: int | None = None) -> None:
        self._module = module
        self._size = size or max(2, os.cpu_count() or 1)
        self._freed = threading.Condition()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._closed = False
        self._finalizer = weakref.finalize(self, _kill_all, self._all)
        with self._freed:
            self._idle.append(self._start())

    def call(
        self, request: Mapping[str, Any], limits: Limits, cancel: threading.Event | None
    ) -> PlannerResult:
        """Have a worker answer a request within the limits."""
        start = time.monotonic()
        deadline = start + limits.time_s
        worker = self._acquire(deadline, cancel)
        if worker is None:
            cancelled = cancel is not None and cancel.is_set()
            result = _stopped(cancelled, f"all {self._size} planner processes were busy")
        else:
            left = deadline - time.monotonic()
            result = worker.ask({**request, "memory_mb": limits.memory_mb, "time_s": left}, cancel)
            self._release(worker)
        return replace(result, times={**result.times, "total": time.monotonic() - start})

    def close(self) -> None:
        """Kill every worker; later calls raise RuntimeError."""
        with self._freed:
            self._closed = True
            self._idle.clear()
            self._finalizer()

    def _start(self) -> _Worker:
        worker = _Worker(self._module)
        self._all.add(worker)
        return worker

    def _acquire(self, deadline: float, cancel: threading.Event | None) -> _Worker | None:
        with self._freed:
            while time.monotonic() < deadline and not (cancel and cancel.is_set()):
                if self._closed:
                    raise RuntimeError("the planner is closed")
                if self._idle:
                    worker = self._idle.pop()
                    if worker.alive:
                        return worker
                    self._discard(worker)
                elif len(self._all) < self._size:
                    return self._start()
                else:
                    self._freed.wait(_POLL_S)
        return None

    def _release(self, worker: _Worker) -> None:
        with self._freed:
            if not worker.alive:
                self._discard(worker)
                if self._closed:
                    return
                worker = self._start()
            self._idle.append(worker)
            self._freed.notify()

    def _discard(self, worker: _Worker) -> None:
        worker.kill()
        self._all.discard(worker)


class _Worker:
    """One process of the pool."""

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOT.format(module), json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
        self._killed = False

    @property
    def alive(self) -> bool:
        return not self._killed and self._process.poll() is None

    def ask(self, request: Mapping[str, Any], cancel: threading.Event | None) -> PlannerResult:
        """Send a request and wait for the answer.

        Kills the process at the deadline, on cancel, and when it has used up its memory.
        """
        deadline = time.monotonic() + request["time_s"] + _GRACE_S
        inbox = _Inbox(self._process)
        try:
            inbox.send(pickle.dumps(request))
            while (answer := inbox.receive()) is None:
                if cancel is not None and cancel.is_set():
                    self.kill()
                    return _stopped(True, "")
                if time.monotonic() > deadline:
                    self.kill()
                    return _stopped(False, "")
        except (BrokenPipeError, EOFError):
            self.kill()
            code = self._process.returncode
            return PlannerResult("error", message=f"the planner process died with code {code}")
        result: PlannerResult = pickle.loads(answer)
        if result.limit == "memory":
            self.kill()
        return result

    def kill(self) -> None:
        """Kill the process with all its children; does nothing the second time."""
        if self._killed:
            return
        self._killed = True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


class _Inbox:
    """Messages to and from a worker, each behind its length; never blocks longer than a poll."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._to = process.stdin.fileno()
        self._from = process.stdout.fileno()
        self._received = bytearray()
        self._unsent = b""
        os.set_blocking(self._to, False)

    def send(self, message: bytes) -> None:
        """Queue a message; `receive` writes it as the worker takes it."""
        self._unsent = _HEADER.pack(len(message)) + message
        self._write()

    def receive(self) -> bytes | None:
        """Return the answer if it is complete, else None after at most one poll."""
        writing = [self._to] if self._unsent else []
        readable, writable, _ = select.select([self._from], writing, [], _POLL_S)
        if writable:
            self._write()
        if readable:
            piece = os.read(self._from, 1 << 20)
            if not piece:
                raise EOFError
            self._received += piece
        if len(self._received) < _HEADER.size:
            return None
        (length,) = _HEADER.unpack_from(self._received)
        if len(self._received) < _HEADER.size + length:
            return None
        return bytes(self._received[_HEADER.size :])

    def _write(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to, self._unsent) :]


def bare(domain: Domain, problem: Problem) -> dict[str, Any]:
    """Return the request for a problem, without what only people read."""
    return {
        "domain": replace(domain, warnings=(), positions={}),
        "problem": replace(problem, warnings=(), positions={}),
    }


def _stopped(cancelled: bool, why: str) -> PlannerResult:
    if cancelled:
        return PlannerResult("cancelled", message=why)
    return PlannerResult("limit", limit="time", message=why or "the time limit was reached")


def _kill_all(workers: set[_Worker]) -> None:
    for worker in list(workers):
        worker.kill()
    workers.clear()
