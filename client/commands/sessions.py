"""
The commands that connect to a server, after their arguments are parsed.

Each command is a coroutine that connects, works, and always closes the connection.
"""

# ruff: noqa: T201 (a command's output is what it prints)

import argparse
import asyncio
import contextlib
import json
import os
import sys
import typing
from collections.abc import Awaitable, Callable, Sequence

import attrs

from client.commands.export import NotExported, fetch, write, zip_of_pack
from client.locale import Locale
from client.locale.faults import fault_in
from client.model.lobby import sorted_tables
from client.model.model import ClientModel
from client.model.remembered import Remembered, recall, remember
from client.model.setups import is_pending
from client.model.status import Online
from client.notes.note_book import books_in
from client.openings.wish import NotOffered, Wish
from client.plain.words import table_line
from client.settings.appearance import has_screen
from client.teaching.coach import Coach
from client.terminal.console import tell
from client.terminal.runner import Client, NotReached, Start, connect
from commands.faults import why_refused
from commands.own_folders import SOLO
from protocol.archive import BadArchive
from protocol.common.table import Stage
from protocol.messages import ExportPack, Joined, JoinTable, Refusal, TableLine, WatchTable

if typing.TYPE_CHECKING:
    from client.openings.opening import Opening

GO_ON = 3
"""Exit status of the tutorial's client if the player wants a real game next."""

OPENING_SECONDS = 10
"""Seconds for which the first screen waits for a table that is opened, and for its bots."""

Begin = Callable[[Client], Awaitable[None]]
"""The first steps after the login."""


async def begin_play(_: Client) -> None:
    """Do nothing: the lobby is shown from the start."""


async def begin_solo(client: Client, wish: Wish) -> None:
    """Continue the newest unfinished game that fits a wish, or else open a table.

    Without a game or role to look for, the coroutine returns at once; the table is entered when the
    server's lists arrive.

    Raises:
        NotOffered: the server has no such game or role.
    """
    from client.openings.solo import SoloOpening  # noqa: PLC0415 (so that `manse play` starts quickly)

    opening = SoloOpening(client.model, client.port, wish=wish)
    opening.begin()
    if wish.game or wish.role:
        await _opened(client, opening)


async def _opened(client: Client, opening: "Opening") -> None:
    """
    Wait until a table is ready.

    Raises:
        NotOffered: the server has nothing that fits the player's wish.
    """
    model = client.model
    # Show the screen even after an error or without a bot, where it can be seen.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(OPENING_SECONDS):
            await client.until(lambda: opening.is_over or model.bar.is_wrong or not model.is_online)
    if opening.fault is not None:
        raise opening.fault


async def begin_invited(client: Client, code: str, *, is_to_watch: bool) -> None:
    """Enter the table of an invitation.

    If the player knows the table's fixed setup, only store the invitation: the lobby then asks the
    player to confirm.

    Raises:
        NotReached: the server refuses the invitation.
    """
    kind = WatchTable if is_to_watch else JoinTable
    # Not through the port: a refusal has to end the command, not to fill the message bar.
    async for message in client.replies(lambda serial: kind(serial, code)):
        if isinstance(message, Joined):
            client.port.joined(message, code if is_to_watch else "")
        elif isinstance(message, Refusal) and message.code == "setup/known_game":
            # The lobby asks whether they want to play anyway.
            client.model.update_pending(code=code)
            client.model.tell(client.model.words_for(message))
        elif isinstance(message, Refusal):
            raise NotReached(client.model.words_for(message))


async def teach(options: argparse.Namespace, start: Start, reactor: object) -> int:
    """
    Play the tutorial with a coach until the player leaves.

    Returns:
        The exit status; `GO_ON` if the player wants a real game next.
    """
    from client.openings.tutorial import TutorialOpening  # noqa: PLC0415 (as in `begin_solo`)

    async def begin(client: Client) -> None:
        pack, game, role = options.tutorial, options.game, options.role
        opening = TutorialOpening(client.model, client.port, pack, options.again, game, role)
        opening.begin()
        await _opened(client, opening)

    return await play(options, start, begin, reactor, Coach())


async def play(
    options: argparse.Namespace,
    start: Start,
    begin: Begin,
    reactor: object,
    coach: Coach | None = None,
) -> int:
    client = connect(start, reactor)
    is_plain = options.plain or not has_screen(os.environ)
    try:
        await client.online()
        online = client.model.status
        server = online.fingerprint if isinstance(online, Online) else ""
        # By server: two servers may give the same id to different tables.
        client.model.look_back = start.look_back
        client.model.note_books = books_in(start.folder / "notes", server)
        # A server that ends with this client has no lost seats, and no table to return to.
        if not start.keeps_no_server:
            client.model.update_lobby(last_room=_last_room(start))
            client.model.on_change.append(_Diary(start, client.model).store_room)
            client.port.ask_for_lost_seats()
        try:
            await begin(client)
        except NotOffered:
            # Nothing was opened, so there is nothing to come back to.
            coach = None
            raise
        if is_plain:
            # Imported where it is used: neither mode needs the libraries of the other.
            from client.plain.terminal import play_plain  # noqa: PLC0415

            is_edited = not options.no_edit and has_screen(os.environ)
            status = await play_plain(
                client.model,
                client.port,
                coach,
                is_edited=is_edited,
                has_bell=start.wishes.prefs.bell,
            )
            return GO_ON if client.model.wants_game else status
        from client.terminal.app import run_app  # noqa: PLC0415

        await run_app(client.model, client.port, start.wishes, coach=coach)
    finally:
        # Before the connection is closed, which leaves the table.
        parting = None
        if coach is not None and not client.model.wants_game:
            from client.openings.tutorial import parting_of  # noqa: PLC0415 (as in `begin_solo`)

            parting = parting_of(client.model)
        is_missed = not start.keeps_no_server and _is_missed(client.model)
        await client.close()
        # Printed last, on the normal screen, where the text stays.
        if is_missed:
            tell(client.model.locale.say("cli.came_back"))
        if parting is not None:
            tell(parting)
    return GO_ON if client.model.wants_game else 0


def _last_room(start: Start) -> str:
    """Return the last followed table of this server; empty if none is remembered."""
    last = recall(start.folder)
    return last.room if last.server == str(start.address) else ""


def _is_missed(model: ClientModel) -> bool:
    """Return whether this player has a seat in a running game."""
    view = model.view
    return (
        view is not None
        and view.my_seat is not None
        and view.my_seat.key == model.key
        and view.table.room.stage in {Stage.STARTING, Stage.PLAYING}
    )


@attrs.define(eq=False)
class _Diary:
    """A listener that remembers the last table where the player has a seat, for `manse play`."""

    start: Start
    model: ClientModel
    _room: str | None = None

    def store_room(self) -> None:
        view = self.model.view
        room = view.room_id if view is not None and view.seat is not None else ""
        # A table that was left is still the one to return to.
        if room == self._room or (self._room and not room):
            return
        self._room = room
        last = recall(self.start.folder)
        server = str(self.start.address)
        kept = room or (last.room if last.server == server else "")
        remember(self.start.folder, Remembered(server, kept, self.start.name))


# Scripts -----------------------------------------------------------------------------------


async def list_tables(options: argparse.Namespace, start: Start, reactor: object) -> int:
    client = connect(start, reactor)
    model = client.model
    try:
        await client.online()
        await _until_listed(client)
        if options.json:
            tables = [
                {
                    "table": line.room_id,
                    "scenario": line.scenario,
                    "stage": line.stage.value,
                    "names": list(line.names),
                    "is_my_turn": line.is_my_turn,
                    "when": line.when,
                }
                for line in sorted_tables(model.lobby.tables or ())
            ]
            print(json.dumps({"server": model.address, "tables": tables}))
        else:
            lines = [
                f"{line.room_id}  {table_line(model.speaker, model, line)}"
                for line in sorted_tables(model.lobby.tables or ())
            ]
            tell("\n".join(lines or [model.locale.say("cli.no_tables")]))
            if hint := _solo_hint(start, model.locale):
                tell(hint, sys.stderr)
    finally:
        await client.close()
    return 0


async def _until_listed(client: Client) -> None:
    """Wait until the server has listed the player's tables and the scenarios.

    Raises:
        NotReached: the connection was lost before the list of tables arrived.
    """
    model = client.model
    await client.until(
        lambda: (
            (model.lobby.tables is not None and model.lobby.scenarios is not None)
            or not model.is_online
        )
    )
    if model.lobby.tables is None:
        raise NotReached(model.locale.say("cli.line_lost"))


async def export_table(options: argparse.Namespace, start: Start, reactor: object) -> int:
    from client.commands.verify import check  # noqa: PLC0415 (so that `manse play` starts quickly)

    client = connect(start, reactor)
    say = client.model.locale.say
    try:
        await client.online()
        room = await _wanted_table(client, options.table, start)

        def show(count: int) -> None:
            if sys.stderr.isatty():
                print(say("cli.exporting", count), end="\r", file=sys.stderr, flush=True)

        # First, so that nothing is written where the pack is refused.
        packs = {} if options.pack is None else {options.pack: await _pack(client, room, show)}
        data = await fetch(client, room, show)
        verdict = check(data)
        write({options.file: data, **packs}, overwrite=options.force)
    except NotExported as error:
        return _fail(str(error))
    except BadArchive as error:
        return _fail(fault_in(error, client.model.locale))
    except FileExistsError:
        return _fail(say("cli.file_exists", _names_of(options)))
    except OSError as error:
        return _fail(say("cli.cannot_write", _names_of(options), why_refused(error, say)))
    finally:
        await client.close()
    has_pending = is_pending(verdict.archive.records)
    if options.json:
        written = {"file": str(options.file), "bytes": len(data), "setup_pending": has_pending}
        if options.pack is not None:
            written["pack"] = str(options.pack)
        print(json.dumps({**written, **verdict.as_json()}))
    else:
        tell(say("cli.exported", str(options.file), len(data)))
        tell("\n".join(verdict.lines(str(options.file), client.model.locale)))
        if has_pending:
            tell(say("cli.setup_pending"))
    return 0


def _names_of(options: argparse.Namespace) -> str:
    """Return the names of the files that `manse export` writes."""
    return ", ".join(str(file) for file in (options.file, options.pack) if file is not None)


async def _pack(client: Client, room: str, show: Callable[[int], None]) -> bytes:
    """Return the zip of a game's pack.

    Raises:
        NotExported: the server does not send the pack.
    """
    try:
        return zip_of_pack(await fetch(client, room, show, ExportPack))
    except NotExported as error:
        raise NotExported(client.model.locale.say("cli.no_pack", str(error))) from error


async def _wanted_table(client: Client, wanted: str | None, start: Start) -> str:
    """Return the id of the table whose id begins with `wanted`, or of the last game for None.

    Raises:
        NotExported: no table fits, or more than one.
    """
    say = client.model.locale.say
    await _until_listed(client)
    if wanted is None:
        last = last_game(client.model.lobby.tables or (), _last_room(start))
        if not last:
            if start.keeps_no_server:
                raise NotExported(say("cli.no_solo_game"))
            raise NotExported(
                f"{say('cli.no_last')} {_solo_hint(start, client.model.locale)}".rstrip()
            )
        return last
    found = [t.room_id for t in client.model.lobby.tables or () if t.room_id.startswith(wanted)]
    if not found:
        raise NotExported(
            f"{say('cli.no_table', wanted)} {_solo_hint(start, client.model.locale)}".rstrip()
        )
    # An exact id wins over longer ids that begin with it.
    if len(found) > 1 and wanted not in found:
        raise NotExported(say("cli.many_tables", wanted, ", ".join(found)))
    return wanted if wanted in found else found[0]


def _solo_hint(start: Start, locale: Locale) -> str:
    """Return where the games of `manse solo` are; empty if there are none, or they are listed."""
    has_games = (start.folder / SOLO).is_dir()
    return locale.say("cli.solo_games") if has_games and not start.keeps_no_server else ""


def last_game(tables: Sequence[TableLine], followed: str) -> str:
    """
    Return the id of the game that a player played last; empty if there is none.

    This is the table that the player followed last, or the latest finished game if that table is a
    practice game or has not begun.

    Args:
        tables: the player's tables.
        followed: the table that the player followed last.
    """
    begun = {Stage.PLAYING, Stage.OVER}
    games = [line for line in tables if line.stage in begun and not line.is_practice]
    if any(line.room_id == followed for line in games):
        return followed
    over = [line for line in games if line.stage is Stage.OVER]
    return max(over or games, key=lambda line: line.when).room_id if games else ""


def _fail(reason: str) -> int:
    tell(f"manse export: {reason}", sys.stderr)
    return 1
