"""The command `manse admin`: see to a server that runs on this machine."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from commands.faults import why_refused
from commands.parser import Parser
from commands.speaking import CommandWords
from protocol.codec import to_plain
from protocol.common.visible import visible
from server.admin.line import Line, NoServer, Refused
from server.admin.vocabulary import AskState, State
from server.admin_words import people_in_words, state_in_words, tables_in_words
from server.cli import default_folder, parser_for

STATUS_REFUSED: Final = 1
STATUS_NO_SERVER: Final = 3

Run = Callable[["Asking"], None]


@attrs.frozen
class Asking:
    """A command line that is carried out: what was typed, and the line to the server."""

    options: argparse.Namespace
    line: Line
    words: CommandWords

    def tell(self, told: Any, in_words: Callable[[], Iterable[str]]) -> None:
        """Print what came of it: as JSON, or in words."""
        if self.options.json:
            print(json.dumps(told, ensure_ascii=False))
            return
        for line in in_words():
            print(visible(line))


def main(argv: list[str]) -> int:
    """Ask a running server. Returns 0, 1 where it refuses, 3 where there is none."""
    parser = _parser(argv)
    options = parser.parse_args(argv)
    try:
        line = Line.to(options.folder)
        try:
            options.run(Asking(options, line, parser.words))
        finally:
            line.close()
    except Refused as refused:
        return _failed(parser, f"no.{refused.no.code}", refused.no.detail, STATUS_REFUSED)
    except NoServer as fault:
        told = (
            why_refused(p, parser.words.say) if isinstance(p, OSError) else p for p in fault.params
        )
        return _failed(parser, f"fault.{fault.kind}", *told, STATUS_NO_SERVER)
    return 0


def _failed(parser: Parser, key: str, *told: Any) -> int:
    *params, status = told
    name = f"admin.{key}"
    known = name if parser.words.has(name) else "admin.no.other"
    said = parser.words.say(known, *(params if known == name else [key.removeprefix("no.")]))
    print(f"manse admin: {visible(said)}", file=sys.stderr)
    return int(status)


def _parser(argv: Sequence[str]) -> Parser:
    parser = parser_for("admin", argv)
    tools = parser.add_tools("TOOL", required=True)
    state = tools.add("state")
    state.set_defaults(run=_state)
    tables = tools.add("tables")
    tables.add_argument("--finished", action="store_true")
    tables.set_defaults(run=_tables)
    people = tools.add("people")
    people.set_defaults(run=_people)
    for tool in (state, tables, people):
        tool.add_argument("--folder", type=Path, default=default_folder())
        tool.add_argument("--json", action="store_true")
        tool.add_language()
    return parser


def plain(value: Any) -> Any:
    """Return a report, or a line of one, as JSON has it: fields by name."""
    packed = to_plain(value, type(value))
    assert isinstance(packed, tuple)
    names = [field.name for field in attrs.fields(type(value))]
    return dict(zip(names, packed, strict=True))


def _state(asking: Asking) -> None:
    state = asking.line.ask(AskState(), State)
    asking.tell(plain(state), lambda: state_in_words(state, asking.words))


def _tables(asking: Asking) -> None:
    lines = list(asking.line.tables(with_finished=asking.options.finished))
    asking.tell([plain(one) for one in lines], lambda: tables_in_words(lines, asking.words))


def _people(asking: Asking) -> None:
    lines = list(asking.line.people())
    asking.tell([plain(one) for one in lines], lambda: people_in_words(lines, asking.words))
