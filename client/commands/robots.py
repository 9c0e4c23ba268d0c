"""The process of one bot, from its invitation to the end of its game."""

# ruff: noqa: T201 (a command's output is what it prints)

import argparse
import json
import random
import sys

import attrs

from client.bots.bot import BotPlayer
from client.bots.brains import BRAINS
from client.commands.export import NotExported, fetch, save
from client.journal.journal import Journal
from client.model.model import ClientModel
from client.model.status import GaveUp
from client.net.causes import refusal_in_words
from client.plain.words import journal_line
from client.plugs.face import face_of
from client.terminal.console import tell
from client.terminal.runner import Client, NotReached, Start, connect
from client.text.printable import printable
from protocol.archive import BadArchive
from protocol.common.table import Table


class CannotPlay(Exception):
    """The bot cannot begin or continue its game. The text of the exception gives the reason."""


async def play(options: argparse.Namespace, start: Start, code: str | None, reactor: object) -> int:
    """Play one game, or several in a row if the bot hosts. Return the exit status."""
    client = connect(start, reactor)
    # Nobody is here to see that one start after another fails.
    client.port.own_shares.has_player = False
    rng = random.Random(options.seed)
    # A bot that joins a table leaves the start of the game to its host.
    party = options.party if code is None else 0
    # Made before the connection is: it acts on every change of its model.
    player = BotPlayer(client.port, client.model, BRAINS[options.brain], rng, party, options.role)
    if options.verbose:
        _tell_story(client.model)
    try:
        await client.online()
        for _ in range(options.games):
            await _sit_down(client, options, code)
            await _play_one(client, player)
            await _report(client, options)
            client.port.leave_table()
    except (CannotPlay, NotExported, BadArchive, OSError) as problem:
        tell(f"manse bot: {problem}", sys.stderr)
        return 1
    finally:
        player.stop()
        await client.close()
    return 0


async def _sit_down(client: Client, options: argparse.Namespace, code: str | None) -> None:
    model = client.model
    await client.until(lambda: model.lobby.scenarios is not None or not model.is_online)
    if code is None:
        line = model.scenario(options.open)
        roles = [role.name for role in line.roster.roles] if line is not None else []
        if options.role and roles and options.role not in roles:
            # Before a table is opened, which nobody would remove.
            said = model.locale.say(
                "cli.no_role", model.title(options.open), options.role, ", ".join(roles)
            )
            raise CannotPlay(said)
        settings = model.lobby.usual_settings(options.open)
        if options.at_once:
            settings = attrs.evolve(settings, least_seconds=0, window_seconds=1)
        client.port.open_table(options.open, settings)
    else:
        client.port.join(code)
    await _until_answered(client)
    if model.pending.code:
        # A bot remembers no setups; the table can read that its key knows this one.
        client.port.join_known(model.pending.code)
        await _until_answered(client)
    if not _is_followed(model):
        raise CannotPlay(model.bar.text or model.locale.say("cli.line_lost"))
    if code is None:
        invitation = model.invitation()
        if not invitation:
            raise CannotPlay(model.locale.say("wrong.invitation", model.address))
        said = json.dumps({"invitation": invitation}) if options.json else invitation
        print(said, flush=True)


async def _until_answered(client: Client) -> None:
    """Wait until the client follows a table, has no open request, or is offline."""
    model = client.model
    await client.until(lambda: _is_followed(model) or not (model.sent and model.is_online))


def _is_followed(model: ClientModel) -> bool:
    return model.view is not None


async def _play_one(client: Client, player: BotPlayer) -> None:
    """Wait until the game is over, while `player` acts on the changes of its model.

    Raises:
        CannotPlay: the game cannot be finished.
    """
    model = client.model

    def why_not() -> str:
        if player.is_refused_role:
            return model.bar.text or model.locale.say("error.table/no_such_role")
        held = client.model.bar.text if client.port.own_shares.is_held else ""
        return _why_not(client.model) or held

    await client.until(lambda: player.is_over or bool(why_not()))
    if not player.is_over:
        reason = why_not()
        if player.is_refused_role:
            # Nobody else could take the seat that it leaves behind.
            client.port.leave_seat()
            await client.until(lambda: not (model.sent and model.is_online))
        raise CannotPlay(reason)


def _why_not(model: ClientModel) -> str:
    """Return the reason why the game cannot be finished; empty if nothing prevents the end."""
    if isinstance(model.status, GaveUp):
        return refusal_in_words(model.locale, model.status)
    if model.fault:
        return model.bar.text
    view = model.view
    if view is None:
        return model.bar.text or model.locale.say("lobby.emptied")
    if not view.records or model.is_catching_up:
        return ""
    seat = view.my_seat
    if seat is not None and seat.key != model.key:
        return model.locale.say("room.seat_lost", seat.name)
    return ""


async def _report(client: Client, options: argparse.Namespace) -> None:
    """Print the result of the game, and export the game if the options ask for an export."""
    view = client.model.view
    assert view is not None
    told: dict[str, object] = {
        "table": view.room_id,
        "seat": None if view.seat is None else view.seat + 1,
        **_result(view.table, view.seat),
        "events": len(view.records),
        "head": view.head.hex(),
    }
    if options.export is not None:
        data = await _fetch_archive(client, view.room_id)
        verdict = save(data, options.export, overwrite=True)
        # The export may be longer, but must begin with the records that were followed.
        both = zip(verdict.archive.cuts, view.cuts, strict=False)
        if any(exported.public != followed.public for exported, followed in both):
            raise NotExported("the export is not the game that was played")
        told["export"] = verdict.as_json()
    if options.json:
        print(json.dumps(told), flush=True)


def _result(table: Table, seat: int | None) -> dict[str, object]:
    """Return the result of a game for a bot's seat; without one, that of a spectator."""
    game = table.game
    if game is None:
        return {}
    end, found = game.came_out(), dict[str, object]()
    if seat is not None:
        found["won"] = game.has_won(table.room, seat)
    round_number = face_of(table.room.ruleset).moment(game).round_number
    found["round"] = round_number if end is None else end.rounds
    if end is not None and len(table.sides) > 1:
        found["winners"] = list(end.winners)
    if end is not None and end.scores:
        found["scores"] = [attrs.asdict(score) for score in end.scores]
    return found


async def _fetch_archive(client: Client, room_id: str) -> bytes:
    """Return the archive of a table. If the connection is lost, fetch the archive again.

    Raises:
        NotReached: the client gave up reconnecting.
    """
    model = client.model
    while True:
        try:
            return await fetch(client, room_id)
        except NotReached:
            await client.until(lambda: model.is_online or isinstance(model.status, GaveUp))
            if isinstance(model.status, GaveUp):
                raise


def _tell_story(model: ClientModel) -> None:
    journal = Journal(lambda: model.speaker)
    model.followers.append(journal)
    told = 0

    def print_new() -> None:
        nonlocal told
        # At another table the journal starts over.
        told = min(told, len(journal.lines))
        ruleset = "" if model.view is None else model.view.table.room.ruleset
        for line in journal.lines[told:]:
            print(printable(journal_line(line, model.speaker, ruleset)), flush=True)
        told = len(journal.lines)

    model.on_change.append(print_new)
