"""`gist scene`: show, convert, generate and check scene graphs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from gist.cli import scenes
from gist.cli.output import console, log, print_findings, print_json
from gist.errors import BadInput

Commands = Any


def add(commands: Commands) -> None:
    """Add the four commands to the parser's subcommands."""
    scene = commands.add_parser("scene", help="show, convert, generate or check a scene graph")
    inner = scene.add_subparsers(metavar="COMMAND", required=True)

    show = _command(inner, "show", "print a scene as an indented tree", _show)
    show.add_argument("scene", metavar="SCENE", help="a scene file, or an authored scene")
    show.add_argument("--mermaid", action="store_true", help="print a Mermaid diagram")

    convert = _command(inner, "convert", "write a scene of any format as Gist's JSON", _convert)
    convert.add_argument("scene", metavar="SCENE", help="a scene file, or an authored scene")
    convert.add_argument("target", metavar="TARGET", help="the file to write")
    convert.add_argument("--robot-room", metavar="ROOM", help="the room the robot is in")

    generate = _command(inner, "generate", "make a household of any size", _generate)
    generate.add_argument("--objects", type=int, required=True, metavar="N")
    generate.add_argument("--seed", type=int, default=0, metavar="S")
    generate.add_argument("--rooms", type=int, metavar="R", help="default: one for 20 objects")
    generate.add_argument("--out", metavar="FILE", help="default: standard output")

    check = _command(inner, "check", "say what is wrong with a scene", _check)
    check.add_argument("scene", metavar="SCENE", help="a scene file, or an authored scene")
    check.add_argument("--json", action="store_true", help="print one JSON object")


def _command(inner: Commands, name: str, about: str, run: Any) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = inner.add_parser(name, help=about, description=about)
    command.set_defaults(run=run)
    return command


def _show(args: argparse.Namespace) -> int:
    from gist.scene import render

    loaded = scenes.load(args.scene)
    print_findings(log(), (f for f in loaded.findings if f.severity != "info"), most=5)
    console().print(render.mermaid(loaded.scene) if args.mermaid else render.tree(loaded.scene))
    return 0


def _convert(args: argparse.Namespace) -> int:
    from gist.scene import save_scene

    loaded = scenes.load(args.scene, args.robot_room)
    print_findings(log(), loaded.findings)
    save_scene(loaded.scene, args.target)
    log().print(f"wrote {args.target}: {len(loaded.scene)} nodes", style="green")
    return 0


def _generate(args: argparse.Namespace) -> int:
    from gist.scene import generate
    from gist.scene.formats import gist_json

    text = gist_json.write(generate(args.objects, args.seed, args.rooms))
    if args.out is None:
        print(text)
        return 0
    try:
        Path(args.out).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot write {args.out}: {error.strerror}") from None
    return 0


def _check(args: argparse.Namespace) -> int:
    from gist.scene import check

    loaded = scenes.load(args.scene)
    known = {(finding.node, finding.code) for finding in loaded.findings}
    more = (f for f in check(loaded.scene) if (f.node, f.code) not in known)
    findings = (*loaded.findings, *more)
    if args.json:
        fields = ("severity", "node", "code", "message", "hint")
        rows = [{name: getattr(finding, name) for name in fields} for finding in findings]
        print_json({"scene": args.scene, "nodes": len(loaded.scene), "findings": rows})
    else:
        out = console()
        print_findings(out, findings)
        errors = sum(finding.severity == "error" for finding in findings)
        style = "red" if errors else "green"
        out.print(
            f"{len(loaded.scene)} nodes, {len(findings)} findings, {errors} errors", style=style
        )
    return 2 if any(finding.severity == "error" for finding in findings) else 0
