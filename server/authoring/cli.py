"""The command `manse content`: check, draw, play and begin packs."""

import argparse
import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from content import atlas, json_schema
from content.check import Level, Remark
from content.loader import ContentErrors
from content.mistakes import ContentError
from content.schema.pack import Pack
from content.schema.scenario import Scenario
from server.authoring import balance, packs, playing, report, sandbox, starter
from server.rules.second_edition.ruleset import MAX_SEATS

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

DESCRIPTION = "Tools for those who write packs: scenarios, monsters, cards and their words."
EXAMPLES = """
examples:
  manse content new harbour            a small pack to begin with, in a new folder
  manse content check harbour          every mistake with its place, and what could be better
  manse content map harbour/first      the whole map, drawn
  manse content play harbour/first --games 200 --players 1-5
                                       let bots play it, and tell how that went
  manse content balance harbour > balance.md
                                       the same for all of its scenarios, as a page

PACK is a folder, a file that ends in .zip, or `core` for the pack that comes along. PACK/SCENARIO
names a scenario of it.
"""


def main(argv: list[str]) -> int:
    """Run one of the tools. Returns 0 where all is well, 1 where something was found, else 2."""
    options = _parser().parse_args(argv)
    try:
        return int(options.run(options))
    except KeyboardInterrupt:
        return INTERRUPTED
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
    describing = tools.add_parser("schema", help="write JSON Schemas of a pack's files for editors")
    describing.add_argument("folder", metavar="FOLDER")
    describing.set_defaults(run=_schema)
    checking = tools.add_parser("check", help="tell every mistake, and what could be better")
    checking.add_argument("pack", metavar="PACK")
    checking.set_defaults(run=_check)
    drawing = tools.add_parser("map", help="draw the whole map of a scenario")
    drawing.add_argument("scenario", metavar="PACK/SCENARIO")
    drawing.add_argument("--language", choices=("en", "fr"), default="en")
    drawing.set_defaults(run=_map)
    playing_ = tools.add_parser("play", help="let bots play a scenario, and tell how that went")
    playing_.add_argument("scenario", metavar="PACK/SCENARIO")
    playing_.add_argument("--games", type=_count, default=100, help="in all (default: %(default)s)")
    playing_.add_argument(
        "--players", type=_players, default=None, help="such as 3 or 1-5 (default: as it allows)"
    )
    who = playing_.add_mutually_exclusive_group()
    who.add_argument(
        *("--sense", "--sensible"),
        dest="bots",
        action="store_const",
        const="sensible",
        help="bots that explore, look for Clues and keep alive (the default)",
    )
    who.add_argument(
        *("--random",),
        dest="bots",
        action="store_const",
        const="random",
        help="bots that choose blindly among all that is allowed",
    )
    playing_.add_argument("--seed", type=int, default=1, help="of the first game; others follow")
    playing_.add_argument("--jobs", type=_count, default=1, help="processes (default: %(default)s)")
    playing_.set_defaults(run=_play, bots="sensible")
    balancing = tools.add_parser("balance", help="let bots play all scenarios; writes a page on it")
    balancing.add_argument("pack", metavar="PACK")
    balancing.add_argument(
        "--games", type=_count, default=40, help="for each number of players (default: %(default)s)"
    )
    balancing.add_argument(
        "--jobs", type=_count, default=1, help="processes (default: %(default)s)"
    )
    balancing.set_defaults(run=_balance)
    for tool in (beginning, describing, checking, drawing, playing_, balancing):
        tool.add_argument("--json", action="store_true", help="for a script")
    return parser


def tell(remarks: Sequence[Remark], *, as_json: bool) -> None:
    """Print remarks: a line for each, which most terminals and editors can follow."""
    for remark in remarks:
        shown = json.dumps(attrs.asdict(remark), ensure_ascii=False) if as_json else str(remark)
        sys.stdout.write(f"{shown}\n")


def _count(text: str) -> int:
    with contextlib.suppress(ValueError):
        if 1 <= int(text) <= 1_000_000:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no number from 1")


def _players(text: str) -> tuple[int, ...]:
    first, dash, last = text.partition("-")
    with contextlib.suppress(ValueError):
        found = tuple(range(int(first), int(last if dash else first) + 1))
        if found and found[0] >= 1 and found[-1] <= MAX_SEATS:
            return found
    raise argparse.ArgumentTypeError(f"{text!r} is neither a number from 1 to 5 nor such as 1-5")


def _new(options: argparse.Namespace) -> int:
    written = starter.begin(options.folder)
    if options.json:
        sys.stdout.write(json.dumps({"folder": options.folder, "files": written}) + "\n")
        return 0
    for name in written:
        sys.stdout.write(f"{options.folder}/{name}\n")
    sys.stderr.write(f"Look at it with `manse content check {options.folder}`.\n")
    return 0


def _schema(options: argparse.Namespace) -> int:
    try:
        json_schema.write(Path(options.folder))
    except OSError as error:
        reason = f"cannot be written: {error.strerror or error}"
        raise ContentErrors([ContentError(options.folder, 1, 1, "", reason)]) from error
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
    pack = _judged(pack_name).load()
    return pack, pack.scenarios[packs.scenario_of(pack, short)]


def _judged(name: str) -> packs.PackFiles:
    """Return the files of a pack that can be trusted: our own, or once the sandbox read it."""
    is_ours = name == packs.CORE and not Path(name).is_dir()
    return packs.find(name) if is_ours else sandbox.judged(name)


def _play(options: argparse.Namespace) -> int:
    pack, scenario = opened(options.scenario)
    allowed = range(scenario.minimum_players, scenario.maximum_players + 1)
    order = playing.Order(
        packs.find(packs.split(options.scenario)[0]),
        scenario.id,
        options.games,
        tuple(n for n in options.players or allowed if n in allowed),
        options.bots,
        options.seed,
        options.jobs,
    )
    if not order.players:
        reason = f"is for {allowed[0]} to {allowed[-1]} players"
        raise ContentErrors([ContentError(scenario.id, 1, 1, "", reason)])
    marked = playing.marked_of(pack, scenario.id)
    games, is_whole = playing.run(order, marked)
    found = report.report(scenario.id, order.bots, marked.everything, games)
    if options.json:
        sys.stdout.write(json.dumps(report.as_json(found), ensure_ascii=False) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in report.lines(found))
    if not is_whole:
        return INTERRUPTED
    return 1 if found.faults else 0


def _balance(options: argparse.Namespace) -> int:
    pack = _judged(options.pack).load()
    reports = []
    for scenario in pack.scenarios.values():
        sys.stderr.write(f"{scenario.id}\n")
        players = tuple(range(scenario.minimum_players, scenario.maximum_players + 1))
        order = playing.Order(
            packs.find(options.pack),
            scenario.id,
            options.games * len(players),
            players,
            "sensible",
            1,
            options.jobs,
        )
        marked = playing.marked_of(pack, scenario.id)
        games, is_whole = playing.run(order, marked)
        if not is_whole:
            return INTERRUPTED
        reports.append(report.report(scenario.id, order.bots, marked.everything, games))
    command = f"manse content balance {options.pack} --games {options.games}"
    if options.json:
        found = [report.as_json(each) for each in reports]
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in balance.page(pack, reports, command))
    is_well = all(balance.is_balanced(each) and not each.faults for each in reports)
    return 0 if is_well else 1


def _map(options: argparse.Namespace) -> int:
    pack, scenario = opened(options.scenario)
    if options.json:
        drawn: Any = atlas.as_json(pack, scenario, options.language)
        sys.stdout.write(json.dumps(drawn, ensure_ascii=False) + "\n")
        return 0
    for lines in (*atlas.pictures(scenario), atlas.legend(pack, scenario, options.language)):
        sys.stdout.writelines(f"{line}\n" for line in ("", *lines))
    return 0
