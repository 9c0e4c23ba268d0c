"""One numbering of seats, as people count: from 1, wherever a seat's number is shown or typed."""

import argparse
import asyncio
import json
import re
import typing
from collections import defaultdict
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import attrs
import pytest

from client.commands import robots
from client.commands.replays import NoSuchView, viewpoint_named
from client.commands.verify import check
from client.exports.records import BY_SEAT, SEATS, records_of
from client.journal.replay_model import ReplayModel
from client.locale import load
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.model.viewpoints import Viewpoint
from protocol.archive import load as load_archive
from protocol.common.table import Table
from protocol.event import Event
from protocol.plugs import games, part_of
from server.authoring import verdict
from server.authoring.scripted import AskedSeat, Result
from server.authoring.scripts import Expected, Script
from tests.games.second_edition.client.scripted import asked, words
from tests.games.second_edition.simulate import finished_game
from tests.protocol.archives import archive, finished_log

pytestmark = pytest.mark.issue(38)
LANGUAGES = ("en", "fr")
THIRD = 2
"""The third seat, as logs and messages number it."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_count_from_1(language: str) -> None:
    """A seat that nobody has is named by its number alone."""
    speaker = Speaker(load(language), words(language))

    assert "3" in speaker.seat(Table(), THIRD)
    assert "3" in speaker.place(Table(), THIRD)


@pytest.mark.parametrize("language", LANGUAGES)
def test_verify_counts_from_1(language: str) -> None:
    """Both the lines and the JSON of `manse verify` count seats from 1."""
    found = check(archive(finished_log(), seat=1, is_whole=False))

    assert load(language).say("verify.cut_seat", "a", 2) in found.lines("a", load(language))
    assert found.as_json()["seat"] == 2


def test_a_view_is_typed_from_1() -> None:
    """A viewpoint is chosen by the seat number shown everywhere else; there is no seat 0."""
    file = load_archive(archive(finished_log()))

    assert viewpoint_named(file, "1") == Viewpoint(0)
    assert viewpoint_named(file, "2") == Viewpoint(1)
    with pytest.raises(NoSuchView):
        viewpoint_named(file, "0")


def test_a_bot_reports_its_seat_from_1(capsys: pytest.CaptureFixture[str]) -> None:
    script = asked()
    view = TableView("room-1", 1)
    view.receive(tuple(script.cuts(1)))
    client = cast("Any", SimpleNamespace(model=SimpleNamespace(view=view)))
    options = argparse.Namespace(export=None, json=True)
    asyncio.run(robots._report(client, options))

    assert json.loads(capsys.readouterr().out)["seat"] == 2


def test_records_for_programs_count_from_1() -> None:
    """The origin, the audience of a secret and every field that holds a seat count from 1."""
    script = asked()
    speaker = Speaker(load("en"), words())
    lines = [json.loads(line) for line in records_of(ReplayModel(script.records), speaker)]
    by_kind = {line["kind"]: line["fields"] for line in lines}
    joined = [line["fields"]["seat"] for line in lines if line["kind"] == "se/investigator_joined"]

    assert set(joined) == {1, 2}
    assert set(by_kind["asked/3"]["questions"]) == {"1"}
    assert by_kind["asked/3"]["questions"]["1"]["known_to"] == [1]
    assert {line["origin"] for line in lines} <= {"rules", "clock", "operator", 1, 2}


COUNTS = frozenset(
    {
        *(
            "ability",
            "actions",
            "actions_lost",
            "acts",
            "agendas",
            "amount",
            "ask_id",
            "at_least",
            "at",
            "at_most",
            "awareness",
            "bound",
            "brawn",
            "cells",
            "checkpoint",
        ),
        *("attributes", "cell", "clues", "corpses", "goal", "horror", "most", "range", "roll"),
        *("skill_points", "source", "threat", "time", "tokens", "turns", "uses"),
        *("column", "columns", "count", "countdown", "damage", "delay_seconds", "dice"),
        *("difficulty", "experience", "faces", "first", "health", "horror_rating"),
        *("investigations", "least_seconds", "step", "trauma", "unseen", "use"),
        *("left", "length"),
        *("modifier", "number", "numbers", "params", "piece", "places", "pool", "proposal_id"),
        *("rerolled", "result", "round_number", "row", "rows", "sanity", "seconds", "sequence"),
        *("sides", "skills", "slot", "spectators_delay_seconds", "steps", "successes", "supply"),
        *("time_limit_seconds", "timer", "timer_id", "total", "value", "version"),
        "window_seconds",
    }
)
"""Fields with numbers that are no seats."""


def _numbers(cls: Any, found: defaultdict[str, set[str]], seen: set[Any]) -> None:
    """Collect the fields of a class, and of its parts, that hold whole numbers."""
    if cls in seen:
        return
    seen.add(cls)
    hints = typing.get_type_hints(cls)
    for field in attrs.fields(cls):
        for part in _parts(hints[field.name]):
            if part is int:
                found[field.name].add(cls.__name__)
            elif isinstance(part, type) and attrs.has(part):
                _numbers(part, found, seen)


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for argument in typing.get_args(hint):
        yield from _parts(argument)


def _events(cls: type[Event]) -> Iterator[type[Event]]:
    for one in cls.__subclasses__():
        yield one
        yield from _events(one)


def test_every_number_on_a_log_is_known_to_be_a_seat_or_none() -> None:
    """Each new number on a log is listed as a seat or as none, so that seats are counted from 1."""
    for game in games():
        part_of("protocol", game, "events")
    found, seen = defaultdict[str, set[str]](set), set[Any]()
    for event in _events(Event):
        of_game = re.match(r"protocol\.games\.(\w+)", event.__module__)
        # A test of a game that no player can open yet may have imported that game's events.
        is_opened = of_game is None or of_game[1] in games()
        if attrs.has(event) and event.__module__.startswith("protocol.") and is_opened:
            _numbers(event, found, seen)
    unknown = set(found) - SEATS - BY_SEAT - {"voters", "by"} - COUNTS

    assert {name: found[name] for name in unknown} == {}
    changes = {"LockSlid", "PuzzlePieceTurned", "SkillPointsChanged", "ThreatChanged"}
    assert found["by"] == {*changes, "Proposal"}
    assert set(found) >= SEATS | BY_SEAT


def test_an_author_reads_seats_from_1() -> None:
    """Both the lines and the JSON of a failed scripted play count seats from 1."""
    at = AskedSeat(THIRD, "Who goes?", ("Ada",), (), ("Ada",), is_scripted=True)
    script = Script("one", Expected(), file="tests/one.yaml")
    result = Result(script, ("it went otherwise",), (at,), at)
    told = list(verdict.lines(result, is_whole=True))

    assert "seat 3: Who goes?" in told
    assert any("to seat 3:" in line for line in told)
    assert verdict.as_json(result)["at"]["seat"] == 3


def test_players_of_rehearsals_are_named_as_their_seats() -> None:
    """Player 1 has seat 1."""
    names = [seat.name for seat in finished_game().table.room.seats.values()]

    assert names == ["Player 1", "Player 2", "Player 3"]
