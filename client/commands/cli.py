"""The player's commands: `manse play`, `join`, `watch`, `bot`, `export`, `setup` and `replay`.

Each function takes the arguments after the command's name and returns the exit status: 0, 1 after
an error, 2 for an invalid command line, 70 after a bug, 129 if the terminal is gone, 130 after
Ctrl-C, and 128 plus the number of any other signal. The tutorial returns `sessions.GO_ON` if the
player wants a real game next.
"""

import argparse
import functools
import getpass
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from client.commands.options import STATUS_USAGE, add_look, locale_of, parser_for, wishes_of
from client.commands.servers import add_server, server_named, unreadable
from client.keyring.identity import IdentityProblem, home_folder
from client.locale import Locale, load
from client.model.hindsight import LookBack, LookBackLater
from client.model.remembered import recall
from client.openings.wish import NotOffered, Wish
from client.settings.appearance import Wishes, has_screen
from client.terminal.console import tell
from client.terminal.faults_log import LOG_FILE
from client.terminal.runner import Main, NotReached, Start, run
from client.text.printable import printable
from commands.faults import why_refused
from commands.main import discard_output
from commands.parser import Parser
from commands.streams import STATUS_HANGUP, OutputLost, write_document
from protocol.archive import Archive, BadArchive
from protocol.common.events import MAX_NAME
from protocol.common.hindsight import Hindsight
from protocol.invitation import (
    Address,
    Invitation,
    UnreadableInvitation,
    parse_invitation,
)
from protocol.plain_text import clean, composed, kind_of_name_fault, name_fault

MOST_GAMES = 999
"""The maximum number of games of one bot; more than any table has seats."""


def play(argv: list[str], look_back: LookBackLater | None = None) -> int:
    """Open the lobby of a server; with `--list`, print the player's tables instead.

    `manse solo` and `manse tutorial` run this function with hidden options.
    """
    parser = parser_for("play", argv)
    add_server(parser)
    _add_person(parser)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json", action="store_true")
    # Set by `manse solo`: the server runs on this machine for this player alone.
    parser.add_argument("--solo", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--pack", metavar="ID", default="", help=argparse.SUPPRESS)
    # Set by `manse tutorial`: the same, with the pack of the lessons.
    parser.add_argument("--tutorial", metavar="PACK", help=argparse.SUPPRESS)
    # Set by both: the game and the role that the player wants.
    parser.add_argument("--game", metavar="GAME", default="", help=argparse.SUPPRESS)
    parser.add_argument("--as", metavar="ROLE", dest="role", default="", help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    wishes = wishes_of(parser, options)
    start = _start(parser, options, wishes, server_named(parser, options), options.fingerprint)
    start = attrs.evolve(start, look_back=look_back)
    from client.commands import sessions  # noqa: PLC0415 (so that --help is quick)

    if options.list:
        return _run(lambda reactor: sessions.list_tables(options, start, reactor), start.language)
    begin = sessions.begin_play
    if options.solo:
        wish = Wish(options.game, options.role, options.pack, options.again)
        begin = functools.partial(sessions.begin_solo, wish=wish)
    try:
        if options.tutorial:
            return _run(lambda reactor: sessions.teach(options, start, reactor), start.language)
        return _run(lambda reactor: sessions.play(options, start, begin, reactor), start.language)
    except NotOffered as fault:
        _fail("tutorial" if options.tutorial else "solo", str(fault))
        return STATUS_USAGE


def join(argv: list[str], look_back: LookBackLater | None = None) -> int:
    """Take the seat that an invitation offers."""
    return _invited(argv, "join", look_back)


def watch(argv: list[str], look_back: LookBackLater | None = None) -> int:
    return _invited(argv, "watch", look_back)


def _invited(argv: list[str], command: str, look_back: LookBackLater | None) -> int:
    parser = parser_for(command, argv)
    parser.add_argument("invitation", metavar="INVITATION", nargs="+")
    _add_person(parser)
    options = parser.parse_args(argv)
    invitation = _invitation(parser, options.invitation)
    wishes = wishes_of(parser, options)
    start = _start(parser, options, wishes, invitation.address, invitation.fingerprint)
    start = attrs.evolve(start, look_back=look_back)
    from client.commands import sessions  # noqa: PLC0415 (so that --help is quick)

    async def begin(client: Any) -> None:
        await sessions.begin_invited(client, invitation.code, is_to_watch=command == "watch")

    return _run(lambda reactor: sessions.play(options, start, begin, reactor), start.language)


def bot(argv: list[str]) -> int:
    from client.bots.brains import BRAINS  # noqa: PLC0415 (nobody else waits for the games)

    parser = parser_for("bot", argv)
    parser.add_argument("invitation", metavar="INVITATION", nargs="*")
    add_server(parser)
    parser.add_argument("--open", metavar="SCENARIO")
    parser.add_argument("--party", metavar="N", type=parser.count(MOST_GAMES), default=3)
    parser.add_argument("--games", metavar="N", type=parser.count(MOST_GAMES), default=1)
    parser.add_argument("--at-once", action="store_true")
    parser.add_argument("--name", default="")
    parser.add_argument("--seed", metavar="N", type=int)
    parser.add_argument("--brain", choices=sorted(BRAINS), default="sensible")
    parser.add_argument("--role", metavar="ROLE", default="")
    parser.add_argument("--identity", type=Path, metavar="FOLDER")
    parser.add_argument("--export", type=Path, metavar="FILE")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_language()
    options = parser.parse_args(argv)
    if bool(options.invitation) == bool(options.open):
        parser.error(parser.word("either"))
    if options.games != 1 and not options.open:
        parser.error(parser.word("one_table"))
    if options.at_once and not options.open:
        parser.error(parser.word("not_host"))
    code = None
    if options.invitation:
        invitation = _invitation(parser, options.invitation)
        address, fingerprint, code = invitation.address, invitation.fingerprint, invitation.code
    else:
        address, fingerprint = server_named(parser, options), options.fingerprint
    wishes = wishes_of(parser, options)
    start = _start(parser, options, wishes, address, fingerprint, is_bot=True)
    from client.commands import robots  # noqa: PLC0415 (so that --help is quick)

    return _run(lambda reactor: robots.play(options, start, code, reactor), start.language)


def export(argv: list[str]) -> int:
    """Write the archive of a table to a file, and with `--pack` also the zip of its pack."""
    parser = parser_for("export", argv)
    parser.add_argument("table", metavar="TABLE", nargs="?")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--last", action="store_true")
    parser.add_argument("--pack", type=Path, metavar="ZIP")
    # Set by `manse solo --export`.
    parser.add_argument("--solo", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--json", action="store_true")
    add_server(parser)
    parser.add_language()
    options = parser.parse_args(argv)
    if options.last == bool(options.table):
        parser.error(parser.word("which"))
    wishes = wishes_of(parser, options)
    locale = locale_of(options, wishes.prefs)
    if options.pack is not None and options.pack.resolve() == options.file.resolve():
        return _fail("export", locale.say("cli.same_file", str(options.file)))
    for file in (options.file, options.pack):
        # Before anything is fetched, which may take minutes.
        if file is not None and file.exists() and not options.force:
            return _fail("export", locale.say("cli.file_exists", str(file)))
    start = _start(parser, options, wishes, server_named(parser, options), options.fingerprint)
    from client.commands import sessions  # noqa: PLC0415 (so that --help is quick)

    return _run(lambda reactor: sessions.export_table(options, start, reactor), start.language)


def setup(argv: list[str]) -> int:
    """Make, list or close fixed setups, or compare their results."""
    parser = parser_for("setup", argv)
    tools = parser.add_tools("new|list|close|results", dest="tool", required=True)
    for name in ("new", "list", "close", "results"):
        tool = tools.add(name)
        if name in {"close", "results"}:
            tool.add_argument("code", metavar="CODE")
        if name == "close":
            tool.add_argument("--force", action="store_true")
        tool.add_argument("--json", action="store_true")
        add_server(tool)
        tool.add_language()
    options = parser.parse_args(argv)
    wishes = wishes_of(parser, options)
    start = _start(parser, options, wishes, server_named(parser, options), options.fingerprint)
    from client.commands import setups as own_setups  # noqa: PLC0415 (so that --help is quick)

    return _run(lambda reactor: own_setups.manage(options, start, reactor), start.language)


def replay(argv: list[str], look_back: LookBack | None = None) -> int:
    """
    Show an exported game, or convert it to a document.

    `look_back` finds what is known of a finished game afterwards; None if no rules are installed.
    """
    parser = parser_for("replay", argv)
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("out", metavar="OUT", type=Path, nargs="?")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--step", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--html", action="store_true")
    parser.add_argument("--jsonl", action="store_true")
    parser.add_argument("--to", type=int, metavar="N")
    parser.add_argument("--view", metavar="VIEW", default="")
    parser.add_argument("--pack", action="append", default=[], metavar="PACK")
    parser.add_language()
    add_look(parser)
    options = parser.parse_args(argv)
    if options.to is not None and options.to < 0:
        parser.error(parser.word("from_zero"))
    forms = (options.markdown, options.html, options.jsonl)
    if sum(forms) > 1:
        parser.error(parser.word("one_form"))
    if options.out is not None and not any(forms):
        parser.error(parser.word("out_alone"))
    from client.commands import replays  # noqa: PLC0415 (so that --help is quick)
    from client.commands.verify import check, read_file  # noqa: PLC0415 (the same)
    from client.locale.faults import fault_in  # noqa: PLC0415 (the same)

    wishes = wishes_of(parser, options)
    locale, name = locale_of(options, wishes.prefs), str(options.file)
    try:
        data = read_file(options.file)
        archive = check(data).archive
    except OSError as error:
        return _fail("replay", locale.say("cli.cannot_read", name, why_refused(error, locale.say)))
    except BadArchive as error:
        return _fail("replay", locale.say("verify.bad", name, fault_in(error, locale)))
    # Before any work: a mistyped viewpoint should fail at once.
    try:
        replays.viewpoint_named(archive, options.view)
    except replays.NoSuchView as problem:
        shown = printable(", ".join(problem.args))
        return _fail("replay", locale.say("replay.no_view", printable(options.view), shown))
    if any(forms) and options.out is not None and options.out.exists():
        # Checked before the work, not after it.
        return _fail("replay", locale.say("cli.exists", str(options.out)))
    hindsight: Sequence[Hindsight] = ()
    if look_back is not None and replays.is_all_open(archive, options.view):
        looked_back = look_back(data, replays.ruleset_of(archive.records), options.pack)
        archive, hindsight = looked_back.words_for(archive), looked_back.found
        if looked_back.problem:
            tell(locale.say(f"hindsight.{looked_back.problem}"), sys.stderr)
    show = functools.partial(_show_replay, archive, hindsight, locale, wishes, options)
    return show() if any(forms) else _caught(show, locale.language)


def _show_replay(
    archive: Archive,
    hindsight: Sequence[Hindsight],
    locale: Locale,
    wishes: Wishes,
    options: argparse.Namespace,
) -> int:
    """Show an audited game, or write it in the form that the options name."""
    from client.commands import replays  # noqa: PLC0415 (so that --help is quick)
    from client.commands.page_progress import page_progress  # noqa: PLC0415 (the same)
    from client.notes.note_book import book_beside  # noqa: PLC0415 (the same)

    written: Callable[..., str] | None = None
    if options.markdown:
        written = replays.markdown
    elif options.html:
        written = functools.partial(replays.page, progress=page_progress(locale, sys.stderr))
    elif options.jsonl:
        written = replays.json_lines
    if written is not None:
        text = written(archive, locale, options.to, options.view, hindsight=hindsight)
        return _write_document(text, options.out, locale)
    notes = book_beside(options.file)
    if options.step:
        return replays.step(archive, locale, options.to, options.view, notes, hindsight=hindsight)
    return replays.replay(
        *(archive, locale, wishes),
        is_plain=options.plain or not has_screen(os.environ),
        last=options.to,
        view=options.view,
        notes=notes,
        hindsight=hindsight,
    )


def _write_document(text: str, out: Path | None, locale: Locale) -> int:
    if out is None:
        write_document(text)
        return 0
    from client.keyring.private_files import write_new  # noqa: PLC0415 (so that --help is quick)

    try:
        write_new(out, text)
    except FileExistsError:
        return _fail("replay", locale.say("cli.exists", str(out)))
    except OSError as error:
        reason = why_refused(error, locale.say)
        return _fail("replay", locale.say("cli.cannot_write", str(out), reason))
    return 0


# Arguments ---------------------------------------------------------------------------------


def _add_person(parser: Parser) -> None:
    parser.add_argument("--name", default="")
    parser.add_language()
    add_look(parser)
    parser.add_argument(
        "--plain",
        action="store_true",
    )
    parser.add_argument(
        "--no-edit",
        action="store_true",
    )


def _invitation(parser: Parser, words: list[str]) -> Invitation:
    try:
        return parse_invitation(" ".join(words))
    except UnreadableInvitation as error:
        said = load(parser.words.language).say("cli.whole_line", unreadable(parser, error))
        parser.error(said)


def _start(
    parser: Parser,
    options: argparse.Namespace,
    wishes: Wishes,
    address: Address,
    fingerprint: bytes | None,
    *,
    is_bot: bool = False,
) -> Start:
    folder = home_folder()
    if is_bot:
        # A random name, since no table admits two names that look the same.
        name, folder = options.name or f"Bot {secrets.token_hex(2)}", options.identity or folder
    else:
        wanted = getattr(options, "name", "") or wishes.prefs.name
        name = wanted or recall(folder).name or _own_name()
    name = composed(name)
    if (fault := kind_of_name_fault(name)) is not None:
        say = locale_of(options, wishes.prefs).say
        parser.error(say("cli.bad_name", say(f"name_fault.{fault}", MAX_NAME)))
    is_alone = bool(getattr(options, "solo", False) or getattr(options, "tutorial", None))
    return Start(
        address,
        name,
        locale_of(options, wishes.prefs).language,
        fingerprint,
        folder,
        has_fresh_key=is_bot and options.identity is None,
        # A server of this machine alone is gone when the client is.
        keeps_no_server=is_bot or is_alone,
        wishes=wishes,
    )


def _own_name() -> str:
    """Return the user's name on this system, or `Player` if Manse does not allow the name."""
    try:
        name = clean(getpass.getuser())[:MAX_NAME]
    except (OSError, KeyError):
        name = ""
    return "Player" if name_fault(name) is not None else name


# Running -----------------------------------------------------------------------------------


def _run(main: Main, language: str) -> int:
    def work() -> int:
        status = run(main, log=home_folder() / LOG_FILE)
        # Here a closed pipe can still be reported.
        sys.stdout.flush()
        return status

    try:
        return _caught(work, language)
    except (IdentityProblem, NotReached) as problem:
        return _fail("", str(problem))


def _caught(do: Callable[[], int], language: str) -> int:
    """Run a command and return its exit status.

    After a bug, print advice and the path of the crash report. Errors whose text is meant for
    people are raised again.
    """
    try:
        return do()
    except (IdentityProblem, NotOffered, NotReached, BrokenPipeError, OutputLost):
        # These errors are sentences for people, or an output that is lost.
        raise
    except Exception as error:  # noqa: BLE001 (the last place that can report it)
        from client.terminal import crash  # noqa: PLC0415 (needed after a bug only)

        if crash.is_terminal_gone(error):
            discard_output()
            return STATUS_HANGUP
        path = crash.write_report(home_folder(), error, datetime.now(UTC))
        key = "cli.crashed" if path is not None else "cli.crashed_unwritten"
        _fail("", load(language).say(key, str(path)))
        return crash.STATUS_CRASHED


def _fail(command: str, reason: str) -> int:
    tell(f"manse {command}: {reason}" if command else f"manse: {reason}", sys.stderr)
    return 1
