"""
The player's commands: `manse play`, `join`, `watch`, `bot`, `export` and `replay`.

Each takes the arguments after its name and returns the exit status: 0, 1 where something went
wrong, 2 for a command line that makes no sense, 70 after a fault of our own, 129 where the
terminal has gone, 130 after Ctrl-C and likewise 128 and the number of any other signal.
"""

import argparse
import getpass
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from client.brain import BRAINS
from client.identity import IdentityProblem, home_folder
from client.locale import Locale, load
from client.look import Wishes
from client.options import add_language, add_look, locale_of, parser_for, wishes_of
from client.remembered import recall
from client.runner import LOG_FILE, Main, NotReached, Start, run
from protocol.archive import BadArchive
from protocol.command import discard_output
from protocol.common.events import MAX_NAME
from protocol.invitation import (
    DEFAULT_PORT,
    Address,
    Invitation,
    UnreadableInvitation,
    parse_address,
    parse_invitation,
)
from protocol.keys import UnreadableFingerprint, parse_fingerprint
from protocol.plain_text import clean, name_fault

PLAY_EXAMPLES = f"""
examples:
  manse play                           the last server, your unfinished games first
  manse play --server example.org      a server, on the usual port {DEFAULT_PORT}
  manse play --plain                   lines instead of a full screen
  manse play --list --json             your tables, for a script

In the lobby you open a table, or go on with one. The first time, a server's identity is
remembered; if it ever changes you are told, and nothing is sent to it. Your own key, which your
seats belong to, is made on first start and kept in your data folder; MANSE_HOME names another.
"""
JOIN_EXAMPLES = """
examples:
  manse join example.org:4470/k3p0-…/3fqz-…     paste what your friend sent, as it is

An invitation is one word: address, table code and the server's fingerprint. The code lets you sit
down, the fingerprint makes sure that it is your friend's server. Once you have a seat it is yours:
come back with manse play.
"""
WATCH_EXAMPLES = """
examples:
  manse watch example.org:4470/k3p0-…/3fqz-…    what the table's host sent to those who look on

You see what lies open to everybody, and nothing else.
"""
BOT_EXAMPLES = """
examples:
  manse bot INVITATION                          play to the end, say nothing
  manse bot INVITATION --verbose --seed 7       tell the story; choose the same way each time
  manse bot --open core/sluice-house --server 127.0.0.1:4470 --fingerprint 3fqz-… --party 3
                                                be the host: print the invitation, start with three

A bot is a player like any other, and is shown what a person in its seat would be shown. It has a
key of its own for each run, unless --identity names a folder to keep one in.
"""
EXPORT_EXAMPLES = """
examples:
  manse export --last evening.manse             the table you played at last
  manse export 7f3a evening.manse               the table whose id begins like this

While the game goes on you get what your seat knows. Once it is over you get everything, as the
table's settings allow. The file is checked before it is written; manse verify checks it again.
"""
REPLAY_EXAMPLES = """
examples:
  manse replay evening.manse                    step forward and back, on a full screen
  manse replay --plain evening.manse | less     the whole journal
  manse replay --plain --to 120 evening.manse   up to event 120
  manse replay --markdown evening.manse out.md  the journal as Markdown, in a new file
"""


def play(argv: list[str]) -> int:
    """Open the lobby of a server."""
    summary = "Open the lobby: go on with a game, or open a table."
    parser = parser_for("play", summary, PLAY_EXAMPLES)
    _add_server(parser)
    _add_person(parser)
    parser.add_argument("--list", action="store_true", help="print your tables and leave")
    parser.add_argument("--json", action="store_true", help="with --list: one JSON object")
    # For `manse solo`: a server of this machine alone, with nothing else on it.
    parser.add_argument("--solo", action="store_true", help=argparse.SUPPRESS)
    # For `manse tutorial`: the same, with the scenario that is taught.
    parser.add_argument("--tutorial", metavar="SCENARIO", help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    wishes = wishes_of(parser, options)
    start = _start(parser, options, wishes, _server(parser, options), options.fingerprint)
    from client import sessions  # noqa: PLC0415 (so that --help is quick)

    if options.list:
        return _run(lambda reactor: sessions.list_tables(options, start, reactor), start.language)
    if options.tutorial:
        return _run(lambda reactor: sessions.teach(options, start, reactor), start.language)
    begin = sessions.begin_solo if options.solo else sessions.begin_play
    return _run(lambda reactor: sessions.play(options, start, begin, reactor), start.language)


def join(argv: list[str]) -> int:
    """Take the seat that an invitation offers."""
    return _invited(argv, "join", "Sit down at the table that an invitation is for.", JOIN_EXAMPLES)


def watch(argv: list[str]) -> int:
    """Look on at a table."""
    return _invited(argv, "watch", "Look on at a table that lets people do so.", WATCH_EXAMPLES)


def _invited(argv: list[str], command: str, summary: str, examples: str) -> int:
    parser = parser_for(command, summary, examples)
    parser.add_argument(
        "invitation", metavar="INVITATION", nargs="+", help="the line you were sent"
    )
    _add_person(parser)
    options = parser.parse_args(argv)
    invitation = _invitation(parser, options.invitation)
    wishes = wishes_of(parser, options)
    start = _start(parser, options, wishes, invitation.address, invitation.fingerprint)
    from client import sessions  # noqa: PLC0415 (so that --help is quick)

    async def begin(client: Any) -> None:
        await sessions.begin_invited(client, invitation.code, is_to_watch=command == "watch")

    return _run(lambda reactor: sessions.play(options, start, begin, reactor), start.language)


def bot(argv: list[str]) -> int:
    """Play without a person."""
    parser = parser_for("bot", "Fill a seat with a bot, which plays to the end.", BOT_EXAMPLES)
    parser.add_argument("invitation", metavar="INVITATION", nargs="*", help="to a seat")
    _add_server(parser)
    parser.add_argument("--open", metavar="SCENARIO", help="open a table for it, as its host")
    parser.add_argument("--party", type=_count, default=3, help="as the host: start with so many")
    parser.add_argument("--games", type=_count, default=1, help="as the host: one after the other")
    parser.add_argument("--name", default="", help="what it is called")
    parser.add_argument("--seed", type=int, help="choose the same way each time")
    parser.add_argument("--brain", choices=sorted(BRAINS), default="sensible", help="how it plays")
    parser.add_argument("--identity", type=Path, metavar="FOLDER", help="keep its key there")
    parser.add_argument("--export", type=Path, metavar="FILE", help="at the end, export the game")
    parser.add_argument("--verbose", action="store_true", help="tell the story as it unfolds")
    parser.add_argument("--json", action="store_true", help="print how it ended as JSON")
    add_language(parser)
    options = parser.parse_args(argv)
    start, code = _bot_start(parser, options)
    from client import robots  # noqa: PLC0415 (so that --help is quick)

    return _run(lambda reactor: robots.play(options, start, code, reactor), start.language)


def _bot_start(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> tuple[Start, str | None]:
    """Return what the bot starts with, and the code of its invitation if it has one."""
    if bool(options.invitation) == bool(options.open):
        parser.error("give either an invitation or --open SCENARIO")
    if options.games != 1 and not options.open:
        parser.error("an invitation is for one table: --games goes with --open")
    code = None
    if options.invitation:
        invitation = _invitation(parser, options.invitation)
        address, fingerprint, code = invitation.address, invitation.fingerprint, invitation.code
    else:
        address, fingerprint = _server(parser, options), options.fingerprint
    wishes = wishes_of(parser, options)
    return _start(parser, options, wishes, address, fingerprint, is_bot=True), code


def export(argv: list[str]) -> int:
    """Write a game to a file."""
    parser = parser_for("export", "Write a table's game to a file.", EXPORT_EXAMPLES)
    parser.add_argument("table", metavar="TABLE", nargs="?", help="its id, or how that begins")
    parser.add_argument("file", metavar="FILE", type=Path, help="what to write")
    parser.add_argument("--last", action="store_true", help="the table that you played at last")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    _add_server(parser)
    add_language(parser)
    options = parser.parse_args(argv)
    if options.last == bool(options.table):
        parser.error("name a table, or say --last")
    wishes = wishes_of(parser, options)
    locale = locale_of(options, wishes.prefs)
    if options.file.exists() and not options.force:
        return _fail("export", locale.say("cli.file_exists", str(options.file)))
    start = _start(parser, options, wishes, _server(parser, options), options.fingerprint)
    from client import sessions  # noqa: PLC0415 (so that --help is quick)

    return _run(lambda reactor: sessions.export_table(options, start, reactor), start.language)


def replay(argv: list[str]) -> int:
    """Go through an exported game."""
    parser = parser_for("replay", "Step through an exported game.", REPLAY_EXAMPLES)
    parser.add_argument("file", metavar="FILE", type=Path, help="what `manse export` wrote")
    parser.add_argument(
        "out", metavar="OUT", type=Path, nargs="?", help="with --markdown: the file to write"
    )
    parser.add_argument("--plain", action="store_true", help="print the journal")
    parser.add_argument("--markdown", action="store_true", help="the journal as Markdown")
    parser.add_argument("--to", type=int, metavar="N", help="stop after event N")
    add_language(parser)
    add_look(parser)
    options = parser.parse_args(argv)
    if options.to is not None and options.to < 0:
        parser.error("events are numbered from 0")
    if options.out is not None and not options.markdown:
        parser.error("OUT goes with --markdown")
    from client import replays  # noqa: PLC0415 (so that --help is quick)
    from client.verify import check, read_file  # noqa: PLC0415 (the same)

    wishes = wishes_of(parser, options)
    locale, name = locale_of(options, wishes.prefs), str(options.file)
    try:
        archive = check(read_file(options.file)).archive
    except OSError as error:
        return _fail("replay", locale.say("cli.cannot_read", name, error.strerror or str(error)))
    except BadArchive as error:
        return _fail("replay", locale.say("verify.bad", name, str(error)))
    if options.markdown:
        return _write_markdown(replays.markdown(archive, locale, options.to), options.out, locale)
    is_plain = options.plain or not sys.stdout.isatty()
    return _caught(
        lambda: replays.replay(archive, locale, wishes, is_plain=is_plain, last=options.to),
        locale.language,
    )


def _write_markdown(text: str, out: Path | None, locale: Locale) -> int:
    """Print a document, or write it to a new file."""
    if out is None:
        print(text, end="")
        return 0
    from client.private_files import write_new  # noqa: PLC0415 (so that --help is quick)

    try:
        write_new(out, text)
    except FileExistsError:
        return _fail("replay", locale.say("cli.exists", str(out)))
    except OSError as error:
        reason = error.strerror or str(error)
        return _fail("replay", locale.say("cli.cannot_write", str(out), reason))
    return 0


# Arguments ---------------------------------------------------------------------------------


def _add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server",
        metavar="HOST:PORT",
        help=f"default: the last one, else 127.0.0.1:{DEFAULT_PORT}",
    )
    parser.add_argument("--fingerprint", type=_fingerprint, help="which server it must be")


def _add_person(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", help="what you are called (default: as last time)")
    add_language(parser)
    add_look(parser)
    parser.add_argument(
        "--plain",
        action="store_true",
        help="lines instead of a full screen; also where there is no terminal",
    )
    parser.add_argument(
        "--no-edit",
        action="store_true",
        help="with --plain: bare lines even on a terminal, without editing and completion",
    )


def _count(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 1000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 999")


def _fingerprint(text: str) -> bytes:
    try:
        return parse_fingerprint(text)
    except UnreadableFingerprint as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _server(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Address:
    """Return the server named, else the last one, else this machine."""
    try:
        if options.server:
            return parse_address(options.server)
    except UnreadableInvitation as error:
        parser.error(str(error))
    try:
        return parse_address(recall(home_folder()).server)
    except UnreadableInvitation:
        return Address("127.0.0.1")


def _invitation(parser: argparse.ArgumentParser, words: list[str]) -> Invitation:
    try:
        return parse_invitation(" ".join(words))
    except UnreadableInvitation as error:
        parser.error(f"{error}. Ask for the whole line, and paste it as it is.")


def _start(
    parser: argparse.ArgumentParser,
    options: argparse.Namespace,
    wishes: Wishes,
    address: Address,
    fingerprint: bytes | None,
    *,
    is_bot: bool = False,
) -> Start:
    folder = home_folder()
    if is_bot:
        name, folder = options.name or "Bot", options.identity or folder
    else:
        wanted = getattr(options, "name", "") or wishes.prefs.name
        name = wanted or recall(folder).name or _own_name()
    fault = name_fault(name)
    if fault is not None:
        parser.error(f"{fault}; choose another with --name")
    return Start(
        address,
        name,
        locale_of(options, wishes.prefs).language,
        fingerprint,
        folder,
        has_fresh_key=is_bot and options.identity is None,
        keeps_no_server=is_bot or _is_alone(options),
        wishes=wishes,
    )


def _is_alone(options: argparse.Namespace) -> bool:
    """Whether the server is one of this machine alone, which is gone when the client is."""
    return bool(getattr(options, "solo", False) or getattr(options, "tutorial", None))


def _own_name() -> str:
    """Return what this machine calls its user, if that will do as a name."""
    try:
        name = clean(getpass.getuser())[:MAX_NAME]
    except (OSError, KeyError):
        name = ""
    return "Player" if name_fault(name) is not None else name


# Running -----------------------------------------------------------------------------------


def _run(main: Main, language: str) -> int:
    try:
        return _caught(lambda: _flushed(run(main, log=home_folder() / LOG_FILE)), language)
    except (IdentityProblem, NotReached) as problem:
        return _fail("", str(problem))


def _flushed(status: int) -> int:
    """Return the status once all is written: here it can still be told that nobody reads it."""
    sys.stdout.flush()
    return status


def _caught(do: Callable[[], int], language: str) -> int:
    """Do something; after a fault of our own say what to do, and where the report lies."""
    try:
        return do()
    except (IdentityProblem, NotReached, BrokenPipeError):
        # Sentences for people; and whoever reads us may go.
        raise
    except Exception as error:  # noqa: BLE001 (the last who can tell of it)
        from client import crash  # noqa: PLC0415 (needed by nobody else)

        if crash.is_terminal_gone(error):
            discard_output()
            return crash.STATUS_HANGUP
        path = crash.write_report(home_folder(), error, datetime.now(UTC))
        key = "cli.crashed" if path is not None else "cli.crashed_unwritten"
        _fail("", load(language).say(key, str(path)))
        return crash.STATUS_CRASHED


def _fail(command: str, reason: str) -> int:
    print(f"manse {command}: {reason}" if command else f"manse: {reason}", file=sys.stderr)
    return 1
