"""
The command `manse demo`: bots play a game in all of its roles, and the story is printed.

Nothing is simulated: a server process on the loopback interface, bot processes that reach it over
TLS, a database file, and at the end the whole log, exported and verified.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from client.terminal.console import tell
from content.plugs import packs
from content.plugs.kind import kind_of
from protocol.common.roster import Roster
from protocol.invitation import UnreadableInvitation, parse_invitation
from server.commands.child import ServerChild, ServerDied
from server.kernel.game import ruleset_of
from server.packs.compiled import CompiledPacks
from server.system.command_line import cache_folder, parser_for
from server.system.game_option import add_game, typed
from server.system.own_program import command_of

PARTY = 3
"""Number of bots, if the scenario is for as many."""
GAME_SECONDS = 600
"""Seconds after which a game of bots counts as hung."""

_MANSE = "import sys; from commands.main import main; sys.exit(main())"
_WATCH_SECONDS = 0.25
"""Interval between two checks of the processes, in seconds."""


def main(argv: list[str]) -> int:
    """Run the demonstration. Returns the exit status: 0 if every step succeeded."""
    parser = parser_for("demo", argv)
    add_game(parser)
    parser.add_argument("--scenario", metavar="ID")
    parser.add_argument("--seed", metavar="N", type=int)
    parser.add_language()
    parser.add_argument("--keep", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    options.language = options.language or parser.words.language
    known = packs.games_with_base()
    options.game = options.game or known[0]
    if options.game not in known:
        said = parser.word("no_scenario", typed(options.game), ", ".join(map(typed, known)))
        parser.error(said)
    kind = kind_of(options.game)
    # The server reads the same cache.
    compiled = CompiledPacks(cache_folder())
    pack = compiled.load(kind.base, packs.base_files(options.game))
    scenarios = [one.id for one in kind.scenarios(pack)]
    if options.scenario is None:
        options.scenario = scenarios[0]
    if options.scenario not in scenarios:
        parser.error(parser.word("other_scenario", options.scenario, ", ".join(scenarios)))
    roles = _roles(ruleset_of(options.game).roster(kind.content(pack, options.scenario)))
    # A signal raises SystemExit, so that the blocks below end the child processes too.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="manse-demo-") as folder:
        log = (options.keep or Path(folder) / "game.manse").absolute()
        try:
            with ServerChild(Path(folder) / "server", words=parser.words) as server:
                status = _play(server, options, roles, Path(folder), log)
        except ServerDied as died:
            return _fail(str(died))
        if status:
            return _fail(parser.word("failed"))
        print(f"\n{parser.word('log')}", flush=True)
        verify = command_of(_MANSE, "verify", "--language", options.language, str(log))
        return subprocess.run(verify, check=False).returncode  # noqa: S603


def _play(
    server: ServerChild,
    options: argparse.Namespace,
    roles: list[list[str]],
    folder: Path,
    log: Path,
) -> int:
    """Run the bots until one fails or all are done; return 0 if all succeeded."""
    reach = ["--server", server.address, "--fingerprint", server.fingerprint]
    host = ["--open", options.scenario, "--party", str(len(roles)), "--at-once", "--verbose"]
    host += ["--export", str(log), *reach, *roles[0]]
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(_bot(1, options, folder, host, output=subprocess.PIPE))
        assert first.stdout is not None
        others: list[subprocess.Popen[str]] = []
        stack.enter_context(_watched(server, first, others))
        for line in first.stdout:
            invitation = _invitation(line) if not others else None
            if invitation is None:
                print(line, end="", flush=True)
                continue
            for number, role in enumerate(roles[1:], 2):
                joins = [invitation, *role]
                bot = _bot(number, options, folder, joins, output=subprocess.DEVNULL)
                others.append(stack.enter_context(bot))
        try:
            # One after the other: after a failure nobody waits for the others.
            statuses = (bot.wait(GAME_SECONDS) for bot in (first, *others))
            return next((status for status in statuses if status), 0)
        except subprocess.TimeoutExpired:
            return 1


def _roles(roster: Roster) -> list[list[str]]:
    """Return for each bot the arguments that name its role; none if there is only one role."""
    count = min(max(PARTY, roster.fewest), roster.most)
    seats = roster.seating(count) or roster.smallest_seating()
    is_said = len(roster.roles) > 1
    return [
        ["--role", name] if is_said else [] for name, many in seats.items() for _ in range(many)
    ]


@contextlib.contextmanager
def _watched(
    server: ServerChild, first: subprocess.Popen[str], others: list[subprocess.Popen[str]]
) -> Iterator[None]:
    """End the first bot, whose output is read, if the server ends or another bot fails."""
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(_WATCH_SECONDS):
            # A bot that is done has status 0, which is no failure.
            if server.has_ended or any(bot.poll() for bot in tuple(others)):
                first.terminate()
                return

    # A thread, since the main one blocks reading the first bot's output.
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _invitation(line: str) -> str | None:
    with contextlib.suppress(UnreadableInvitation):
        parse_invitation(line)
        return line.strip()
    return None


@contextlib.contextmanager
def _bot(
    number: int,
    options: argparse.Namespace,
    folder: Path,
    arguments: list[str],
    *,
    output: int | IO[str],
) -> Iterator[subprocess.Popen[str]]:
    """Run one bot process, which is ended when the block is left."""
    seed = [] if options.seed is None else ["--seed", str(options.seed + number)]
    language = ["--language", options.language]
    process = subprocess.Popen(  # noqa: S603 (our own program)
        command_of(_MANSE, "bot", *arguments, "--name", f"Bot {number}", *seed, *language),
        stdin=subprocess.DEVNULL,
        stdout=output,
        encoding="utf-8",
        env={
            **os.environ,
            # A folder of its own: two bots with one key would be one player.
            "MANSE_HOME": str(folder / f"bot-{number}"),
            # We read what it prints, whatever our own output is.
            "PYTHONIOENCODING": "utf-8",
        },
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _fail(reason: str) -> int:
    tell(f"manse demo: {reason}", sys.stderr)
    return 1
