"""The inside of a worker process: read a request, answer it, die with the parent."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import queue
import resource
import select
import signal
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from gist.errors import GistError
from gist.pddl.planners.base import PlannerResult

Handler = Callable[[dict[str, Any]], PlannerResult]
_HEADER = struct.Struct("!Q")
_PARENT_CHECK_S = 1.0
_PR_SET_PDEATHSIG = 1


def serve(handle: Handler) -> None:
    """Answer requests from standard input until it closes or the parent is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, os.getppid()), daemon=True).start()
    gc.disable()
    while True:
        request = pickle.loads(requests.get())
        answer = pickle.dumps(_within_memory(handle, request))
        answers.write(_HEADER.pack(len(answer)) + answer)
        answers.flush()
        gc.collect()


def die_with_parent() -> None:
    """Ask Linux to kill this process when the thread that started it ends."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _within_memory(handle: Handler, request: dict[str, Any]) -> PlannerResult:
    """Answer one request under its memory limit, which child processes inherit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = request["memory_mb"] << 20
    resource.setrlimit(resource.RLIMIT_AS, (_smaller(wanted, hard), hard))
    try:
        return handle(request)
    except MemoryError:
        return PlannerResult("limit", limit="memory", message="the memory limit was reached")
    except GistError as error:
        return PlannerResult("error", message=str(error))
    except Exception as error:
        return PlannerResult("error", message=f"{type(error).__name__}: {error}")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _smaller(wanted: int, hard: int) -> int:
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def _listen(requests: queue.SimpleQueue[bytes], parent: int) -> None:
    """Pass requests on; when the parent is gone, kill this whole process group."""
    stream = os.fdopen(os.dup(0), "rb", buffering=0)
    while os.getppid() == parent:
        if select.select([stream], [], [], _PARENT_CHECK_S)[0]:
            header = _read(stream, _HEADER.size)
            if header is None:
                break
            body = _read(stream, _HEADER.unpack(header)[0])
            if body is None:
                break
            requests.put(body)
    os.killpg(0, signal.SIGKILL)


def _read(stream: BinaryIO | Any, size: int) -> bytes | None:
    received = bytearray()
    while len(received) < size:
        piece = stream.read(size - len(received))
        if not piece:
            return None
        received += piece
    return bytes(received)
