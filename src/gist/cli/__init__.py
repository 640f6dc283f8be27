"""The command `gist`: plan, explain, scene, bench.

Exit codes: 0 solved or done, 1 an error of Gist or of the system, 2 bad input, 3 infeasible,
4 not understood, 5 unknown (a limit was reached), 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from gist import __version__
from gist.errors import BadInput, GistError

BAD_INPUT = 2
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Says in one line what was wrong, like every other bad input."""

    def error(self, message: str) -> NoReturn:
        """Raise BadInput in place of printing the usage."""
        raise BadInput(f"{message} ('{self.prog} --help' shows what is possible)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        args = _parser().parse_args(given)
        code: int = args.run(args)
        sys.stdout.flush()
    except BadInput as error:
        return _failed("bad_input", str(error), BAD_INPUT, "--json" in given)
    except GistError as error:
        return _failed("error", str(error), 1, "--json" in given)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _failed(status: str, message: str, code: int, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"status": status, "message": message}, ensure_ascii=False))
    one_line = " ".join(message.split())
    print(f"gist: {one_line}", file=sys.stderr)
    return code


def _parser() -> Parser:
    from gist.cli import bench, plan, scene

    parser = Parser(
        prog="gist",
        description="Say what you want; get the nearest plan a robot can carry out, and why.",
        epilog="Exit codes: 0 solved, 2 bad input, 3 infeasible, 4 not understood, 5 unknown.",
    )
    parser.add_argument("--version", action="version", version=f"gist {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in (plan, scene, bench):
        module.add(commands)
    return parser
