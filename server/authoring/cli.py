"""The command `manse content`: check, draw, play and begin packs."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from content import atlas
from content.check import Level, Remark
from content.loader import ContentErrors
from content.schema.pack import Pack
from content.schema.scenario import Scenario
from server.authoring import packs, sandbox, starter

DESCRIPTION = "Tools for those who write packs: scenarios, monsters, cards and their words."
EXAMPLES = """
examples:
  manse content new harbour            a small pack to begin with, in a new folder
  manse content check harbour          every mistake with its place, and what could be better
  manse content map harbour/first      the whole map, drawn
  manse content play harbour/first --games 200 --players 1-5
                                       let bots play it, and tell how that went

PACK is a folder, a file that ends in .zip, or `core` for the pack that comes along. PACK/SCENARIO
names a scenario of it.
"""


def main(argv: list[str]) -> int:
    """Run one of the tools. Returns 0 where all is well, 1 where something was found, else 2."""
    options = _parser().parse_args(argv)
    try:
        return int(options.run(options))
    except ContentErrors as errors:
        tell([Remark.of_mistake(error) for error in errors.errors], as_json=options.json)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manse content",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    tools = parser.add_subparsers(required=True, metavar="TOOL")
    beginning = tools.add_parser("new", help="write a small pack into a new folder")
    beginning.add_argument("folder", metavar="NAME", help="the folder, whose name is the pack's id")
    beginning.set_defaults(run=_new)
    checking = tools.add_parser("check", help="tell every mistake, and what could be better")
    checking.add_argument("pack", metavar="PACK")
    checking.set_defaults(run=_check)
    drawing = tools.add_parser("map", help="draw the whole map of a scenario")
    drawing.add_argument("scenario", metavar="PACK/SCENARIO")
    drawing.add_argument("--language", choices=("en", "fr"), default="en")
    drawing.set_defaults(run=_map)
    for tool in (beginning, checking, drawing):
        tool.add_argument("--json", action="store_true", help="for a script")
    return parser


def tell(remarks: Sequence[Remark], *, as_json: bool) -> None:
    """Print remarks: a line for each, which most terminals and editors can follow."""
    for remark in remarks:
        shown = json.dumps(attrs.asdict(remark), ensure_ascii=False) if as_json else str(remark)
        sys.stdout.write(f"{shown}\n")


def _new(options: argparse.Namespace) -> int:
    written = starter.begin(options.folder)
    if options.json:
        sys.stdout.write(json.dumps({"folder": options.folder, "files": written}) + "\n")
        return 0
    for name in written:
        sys.stdout.write(f"{options.folder}/{name}\n")
    sys.stderr.write(f"Look at it with `manse content check {options.folder}`.\n")
    return 0


def _check(options: argparse.Namespace) -> int:
    remarks = sandbox.remarks_on(options.pack)
    tell(remarks, as_json=options.json)
    mistakes = sum(remark.level == Level.MISTAKE.value for remark in remarks)
    if not options.json:
        sys.stderr.write(_summary(mistakes, len(remarks) - mistakes))
    return 1 if remarks else 0


def _summary(mistakes: int, findings: int) -> str:
    if not mistakes and not findings:
        return "Nothing to mend.\n"
    told = f"{mistakes} to mend before it can be played, {findings} to look at.\n"
    return told if not mistakes else told.replace(", 0 to look at", "; the rest is looked at then")


def opened(name: str) -> tuple[Pack, Scenario]:
    """
    Return the pack and the scenario that `PACK/SCENARIO` names, once the sandbox has read it.

    Raises:
        ContentErrors: it cannot be used.
    """
    pack_name, short = packs.split(name)
    if pack_name != packs.CORE or Path(pack_name).is_dir():
        mistakes = [r for r in sandbox.remarks_on(pack_name) if r.level == Level.MISTAKE.value]
        if mistakes:
            raise ContentErrors(remark.as_mistake() for remark in mistakes)
    pack = packs.find(pack_name).load()
    return pack, pack.scenarios[packs.scenario_of(pack, short)]


def _map(options: argparse.Namespace) -> int:
    pack, scenario = opened(options.scenario)
    if options.json:
        drawn: Any = atlas.as_json(pack, scenario, options.language)
        sys.stdout.write(json.dumps(drawn, ensure_ascii=False) + "\n")
        return 0
    for line in (*atlas.picture(scenario), "", *atlas.legend(pack, scenario, options.language)):
        sys.stdout.write(f"{line}\n")
    return 0
