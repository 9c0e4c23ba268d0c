"""The command `manse admin`: administer a running server on this machine."""

import argparse
import getpass
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from commands.faults import why_refused
from commands.parser import Parser, Tools
from commands.speaking import CommandWords
from protocol.bounds import MAX_PASSWORD
from protocol.codec import to_plain
from protocol.common.visible import visible
from protocol.plain_text import clean
from server.admin.line import PATIENCE_SECONDS, Line, NoServer, Refused
from server.admin.vocabulary import (
    MAX_MINUTES,
    MAX_QUOTA,
    MAX_TEXT,
    SETTINGS,
    Act,
    AgreeToGoBack,
    Allow,
    Announce,
    AskOpening,
    AskState,
    BackUp,
    Ban,
    BeginDrain,
    CancelDrain,
    CloseTable,
    Disallow,
    Done,
    Kick,
    No,
    OpeningReport,
    PauseTable,
    ResumeTable,
    Revoke,
    SetOpening,
    SetQuotas,
    State,
    Unban,
    UseSettings,
)
from server.lobby.tables.opening_policy import Opening
from server.operator.words import (
    bans_in_words,
    opening_in_words,
    people_in_words,
    state_in_words,
    tables_in_words,
)
from server.system.command_line import default_folder, parser_for

STATUS_REFUSED: Final = 1
STATUS_NO_SERVER: Final = 3


@attrs.frozen
class Asking:
    """One run of a tool: its options, and the connection to the server."""

    options: argparse.Namespace
    line: Line
    words: CommandWords

    def tell(self, told: Any, in_words: Callable[[], Iterable[str]]) -> None:
        """Print a result: `told` as JSON if that is wanted, else the lines of `in_words`."""
        if self.options.json:
            print(json.dumps(told))
            return
        for line in in_words():
            print(visible(line))

    def do(self, name: str, act: Act, patience: float | None = PATIENCE_SECONDS) -> None:
        """Request an act, and print how many objects it affected. `patience` is in seconds."""
        done = self.line.ask(act, Done, patience)
        self.tell(plain(done), lambda: [self.words.say(f"admin.done.{name}", done.count)])


Run = Callable[[Asking], None]


def main(argv: list[str]) -> int:
    """
    Run a tool, or the overview without one.

    Returns:
        0, 1 if the server refuses, 3 if no server can be reached.
    """
    parser = _parser(argv)
    options = parser.parse_args(argv)
    run = getattr(options, "run", None) or _overview_on(parser)
    folder = getattr(options, "folder", None) or options.usual_folder
    try:
        line = Line.to(folder)
        try:
            run(Asking(options, line, parser.words))
        finally:
            line.close()
    except Refused as refused:
        return _failed(parser, no_in_words(refused, parser.words), STATUS_REFUSED)
    except NoServer as fault:
        return _failed(parser, fault_in_words(fault, parser.words), STATUS_NO_SERVER)
    return 0


def no_in_words(refused: Refused, words: CommandWords) -> str:
    """Return a sentence that explains a refusal."""
    key = f"admin.no.{refused.no.code}"
    refusal = f"admin.refused.{refused.no.detail.rpartition('/')[2]}"
    if refused.no.code == "refused" and words.has(refusal):
        return words.say(refusal)
    if words.has(key):
        return words.say(key, refused.no.detail)
    return words.say("admin.no.other", refused.no.code)


def fault_in_words(fault: NoServer, words: CommandWords) -> str:
    """Return a sentence that explains why a server cannot be reached."""
    told = (why_refused(p, words.say) if isinstance(p, OSError) else p for p in fault.params)
    return words.say(f"admin.fault.{fault.kind}", *told)


def _failed(parser: Parser, why: str, status: int) -> int:
    print(f"{parser.prog}: {visible(why)}", file=sys.stderr)
    return status


def plain(value: Any) -> Any:
    """Return a reply, or a row of a report, as a JSON object."""
    packed = to_plain(value, type(value))
    assert isinstance(packed, tuple)
    names = [field.name for field in attrs.fields(type(value))]
    return dict(zip(names, packed, strict=True))


# The tools


def _parser(argv: Sequence[str]) -> Parser:
    parser = parser_for("admin", argv)
    usual = default_folder()
    parser.add_argument("--folder", type=Path, default=usual, dest="usual_folder", metavar="FOLDER")
    parser.add_language()
    tools = parser.add_tools("TOOL")

    def act_tool(name: str, make: Callable[[argparse.Namespace], Act]) -> Parser:
        return _tool(tools, name, lambda asking: asking.do(name, make(asking.options)))

    _tool(tools, "state", _state)
    tables = _tool(
        tools,
        "tables",
        _report(lambda a: a.line.tables(with_finished=a.options.finished), tables_in_words),
    )
    tables.add_argument("--finished", action="store_true")
    _tool(tools, "people", _report(lambda asking: asking.line.people(), people_in_words))
    announce = act_tool("announce", lambda options: Announce(options.words))
    announce.add_argument("words", metavar="WORDS", type=_line(parser))
    kick = act_tool("kick", lambda options: Kick(options.person))
    kick.add_argument("person", metavar="FINGERPRINT", type=_line(parser))
    ban = act_tool("ban", lambda options: Ban(options.whom, options.reason))
    ban.add_argument("--reason", type=_line(parser), default="")
    unban = act_tool("unban", lambda options: Unban(options.whom))
    for tool in (ban, unban):
        tool.add_argument("whom", metavar="WHOM", type=_line(parser))
    _tool(tools, "bans", _report(lambda asking: asking.line.bans(), bans_in_words))
    opening = _tool(tools, "opening", _opening)
    opening.add_argument("who", nargs="?", choices=[*(one.value for one in Opening), SETTINGS])
    for listing in (
        act_tool("allow", lambda options: Allow(options.whom)),
        act_tool("disallow", lambda options: Disallow(options.whom)),
    ):
        listing.add_argument("whom", metavar="FINGERPRINT", type=_line(parser))
    quotas = act_tool("quotas", lambda options: SetQuotas(options.by_key, options.by_address))
    for option in ("--by-key", "--by-address"):
        quotas.add_argument(option, metavar="N", type=parser.count(MAX_QUOTA), default=0)
    drain = _tool(tools, "drain", _drain)
    drain.add_argument("--minutes", metavar="N", type=parser.count(MAX_MINUTES), default=15)
    drain.add_argument("--cancel", action="store_true")
    # No deadline: a backup takes as long as the database is large.
    backup = _tool(
        tools, "backup", lambda a: a.do("backup", BackUp(str(a.options.target.absolute())), None)
    )
    backup.add_argument("target", metavar="FOLDER", type=Path)
    revoke = act_tool("revoke", lambda options: Revoke(options.table))
    revoke.add_argument("table", metavar="TABLE", type=_line(parser))
    for tool in (
        act_tool("pause", lambda options: PauseTable(options.table, options.reason)),
        act_tool("resume", lambda options: ResumeTable(options.table, options.reason)),
        act_tool("close", lambda options: CloseTable(options.table, options.reason)),
    ):
        tool.add_argument("table", metavar="TABLE", type=_line(parser))
        tool.add_argument("reason", metavar="REASON", type=_line(parser))
    agree = act_tool("agree", lambda options: AgreeToGoBack(options.table))
    agree.add_argument("table", metavar="TABLE", type=_line(parser))
    return parser


def _tool(tools: Tools, name: str, run: Run) -> Parser:
    tool = tools.add(name)
    tool.set_defaults(run=run)
    # SUPPRESS: a folder named before the tool stays, unless one is named after it.
    tool.add_argument("--folder", type=Path, default=argparse.SUPPRESS)
    tool.add_argument("--json", action="store_true")
    tool.add_language()
    return tool


def _overview_on(parser: Parser) -> Run:
    """Return the tool that shows the overview; exit with a usage error without a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        parser.error(parser.word("name_a_tool"))
    # Imported late: prompt_toolkit is slow to load, and no tool needs it.
    from server.operator.screen import AdminScreen  # noqa: PLC0415

    def in_words(fault: Refused | NoServer) -> str:
        if isinstance(fault, Refused):
            return no_in_words(fault, parser.words)
        return fault_in_words(fault, parser.words)

    return lambda asking: AdminScreen(asking.line, asking.words, in_words).run()


def _line(parser: Parser) -> Callable[[str], str]:
    """Return the argparse type of a line that players may see."""

    def read(text: str) -> str:
        line = clean(text)
        if 0 < len(line) <= MAX_TEXT:
            return line
        raise argparse.ArgumentTypeError(parser.word("bad_line", MAX_TEXT))

    return read


def _opening(asking: Asking) -> None:
    """Set the policy of opening tables; without an argument, report the policy in force."""
    who = asking.options.who
    if who is None:
        listed = list(asking.line.listed())
        report = asking.line.ask(AskOpening(), OpeningReport)
        told = {**plain(report), "listed": listed}
        # The list was fetched in pages; the flag of the first page would mislead.
        del told["is_last"]
        asking.tell(told, lambda: opening_in_words(report, listed, asking.words))
        return
    if who == SETTINGS:
        asking.do("opening", UseSettings())
        return
    chosen = Opening(who)
    password = _typed_password(asking) if chosen is Opening.PASSWORD else ""
    asking.do("opening", SetOpening(chosen, password))


def _typed_password(asking: Asking) -> str:
    """
    Read the password from the terminal or from standard input; arguments show in `ps`.

    Refused: the password is too long.
    """
    if sys.stdin.isatty():
        typed = getpass.getpass(asking.words.say("admin.opening.ask_password") + " ")
    else:
        typed = sys.stdin.readline()
    typed = clean(typed)
    if len(typed) > MAX_PASSWORD:
        raise Refused(No("long_password", str(MAX_PASSWORD)))
    return typed


def _drain(asking: Asking) -> None:
    if asking.options.cancel:
        asking.do("cancel_drain", CancelDrain())
    else:
        asking.do("drain", BeginDrain(asking.options.minutes))


def _state(asking: Asking) -> None:
    state = asking.line.ask(AskState(), State)
    asking.tell(plain(state), lambda: state_in_words(state, asking.words))


def _report(
    fetch: Callable[[Asking], Iterable[Any]],
    in_words: Callable[[Sequence[Any], CommandWords], Iterable[str]],
) -> Run:
    """Return a tool that prints all rows that `fetch` yields."""

    def run(asking: Asking) -> None:
        rows = list(fetch(asking))
        asking.tell([plain(one) for one in rows], lambda: in_words(rows, asking.words))

    return run
