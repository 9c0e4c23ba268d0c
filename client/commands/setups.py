"""The command `manse setup`: makes, lists and closes fixed setups, and compares results."""

# ruff: noqa: T201 (a command's output is what it prints)

import argparse
import json
import sys
from datetime import UTC, datetime
from typing import Any

import attrs

from client.screens.lobby.result_words import beside_lines, left_out, players_of, result_line
from client.terminal.console import tell
from client.terminal.runner import Client, NotReached, Start, connect
from client.widgets.moments import moment
from protocol import messages
from protocol.invitation import UnreadableInvitation, parse_code
from protocol.messages import SetupLine, SetupList, SetupMade, SetupResults


class NotDone(Exception):
    """
    The command failed: the server refused, or closing the setup would disturb a running game.

    The text of the exception gives the reason.
    """


async def manage(options: argparse.Namespace, start: Start, reactor: object) -> int:
    client = connect(start, reactor)
    try:
        await client.online()
        match options.tool:
            case "new":
                made = await _ask(client, messages.MakeSetup)
                assert isinstance(made, SetupMade)
                found = {"code": made.code}
                lines = [made.code, client.model.locale.say("setup.made", made.code)]
            case "list":
                found, lines = await _listed(client)
            case "results":
                found, lines = await _results(client, options)
            case _:
                found, lines = await _closed(client, options)
    except NotDone as problem:
        tell(f"manse setup: {problem}", sys.stderr)
        return 1
    finally:
        await client.close()
    if options.json:
        print(json.dumps(found))
    else:
        tell("\n".join(lines))
    return 0


_Told = tuple[dict[str, Any], list[str]]
"""The result of a command: JSON for scripts, and lines for people."""


async def _ask(client: Client, make: type[messages.ClientMessage], *more: str) -> Any:
    async for reply in client.replies(lambda serial: make(serial, *more)):
        if isinstance(reply, messages.Refusal):
            raise NotDone(client.model.words_for(reply))
        return reply
    raise NotReached(client.model.locale.say("cli.line_lost"))


async def _lines(client: Client) -> tuple[SetupLine, ...]:
    reply = await _ask(client, messages.ListSetups)
    assert isinstance(reply, SetupList)
    return reply.lines


async def _listed(client: Client) -> _Told:
    model, now = client.model, datetime.now(UTC).astimezone()
    setups, said = list[dict[str, Any]](), list[str]()
    for line in await _lines(client):
        setups.append(
            {
                "code": line.code,
                "made_at": line.made_at,
                "is_closed": line.is_closed,
                "tables": line.table_count,
                "running": line.running_count,
            }
        )
        key = "setup.line_closed" if line.is_closed else "setup.line_open"
        when = moment(model.locale, line.made_at, now)
        said.append(model.locale.say(key, line.code, when, line.table_count, line.running_count))
    found = {"server": model.address, "setups": setups}
    return found, said or [model.locale.say("setup.none")]


def _code(client: Client, options: argparse.Namespace) -> str:
    try:
        return parse_code(options.code)
    except UnreadableInvitation as error:
        raise NotDone(client.model.locale.unreadable(error)) from error


async def _results(client: Client, options: argparse.Namespace) -> _Told:
    reply = await _ask(client, messages.ListResults, _code(client, options))
    assert isinstance(reply, SetupResults)
    model, now = client.model, datetime.now(UTC).astimezone()
    results = [
        {
            "room": line.room_id or None,
            "scenario": line.scenario,
            "names": list(line.names),
            "ended_at": line.ended_at or None,
            "outcome": line.outcome.value,
            "rounds": line.rounds or None,
            "is_mine": line.is_mine,
            "winners": list(line.winners),
            "scores": [attrs.asdict(score) for score in line.scores],
            "sides": players_of(line),
        }
        for line in reply.lines
    ]
    said = [result_line(model, line, now) for line in reply.lines]
    said += [*left_out(model, reply), *beside_lines(model, reply)]
    return {"tables": reply.table_count, "results": results}, said


async def _closed(client: Client, options: argparse.Namespace) -> _Told:
    say = client.model.locale.say
    code = _code(client, options)
    found = {line.code: line for line in await _lines(client)}
    running = found[code].running_count if code in found else 0
    # Closing a setup publishes its seed, and with it what these games still hide.
    if running and not options.force:
        raise NotDone(say("setup.still_played", running))
    await _ask(client, messages.CloseSetup, code)
    return {"code": code, "is_closed": True}, [say("setup.closed", code)]
