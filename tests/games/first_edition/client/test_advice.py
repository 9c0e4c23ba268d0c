"""Advice of bots: it names only what there is, and reads the open table."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
import pytest

from client.games.first_edition.bot.advice import CARDS, STORIES, advice_on
from client.games.first_edition.bot.advice.forms import Answer, Either, Fact, Seen
from client.games.first_edition.bot.seen import OpenTable
from client.model.tables import TableView
from protocol.common.text import Text
from protocol.event import Record, hidden
from protocol.games.first_edition.events import Told
from protocol.games.first_edition.table import CounterLine, Feature, FirstEditionTable, Item
from protocol.games.first_edition.words import FeatureKind
from tests.games.first_edition.house import SCENARIO, manor

pytestmark = pytest.mark.issue(40)


def parts_of(value: Any) -> Iterator[Any]:
    """Yield a piece of advice and everything in it."""
    yield value
    inner: Iterable[Any] = ()
    if isinstance(value, Mapping):
        inner = (*value, *value.values())
    elif isinstance(value, tuple):
        inner = value
    elif attrs.has(type(value)):
        inner = [getattr(value, field.name) for field in attrs.fields(type(value))]
    for one in inner:
        yield from parts_of(one)


def ids_in(advice: Any) -> set[str]:
    """Return all ids of cards, rooms, spaces and texts in a piece of advice."""
    return {one for one in parts_of(advice) if isinstance(one, str) and "/" in one}


@pytest.mark.parametrize("story", [one.story for one in STORIES])
def test_advice_names_only_what_the_story_has(story: str) -> None:
    """An id that is mistyped would be silent: the bot would play without that advice."""
    advice, pack = advice_on(story), manor()
    if story not in pack.scenarios:
        assert not advice.goals, story
        return
    told = pack.scenarios[story]
    spaces = {f"{tile.id}/{letter}" for tile in told.tiles for letter in tile.rooms}

    assert ids_in(advice) <= {*pack.catalogs["en"], *spaces, story}
    seen = [one for one in parts_of(advice) if isinstance(one, Seen)]
    counted = {one.id for one in seen if one.fact is Fact.COUNTER}
    assert counted <= {one.id for one in told.counters}
    objectives = {one.id for one in told.objectives}
    assert {*advice.goals, *advice.schemes} <= objectives
    assert {sign.objective for sign in (*advice.signs, *advice.suspicions)} <= objectives
    assert {*advice.picks} <= {*told.hidden_actions}
    assert {*advice.meanwhile.deeds} <= {one.id for one in told.deeds}
    assert not advice.goals or {*advice.goals} == {*advice.schemes} == objectives


def test_advice_on_cards_names_only_cards() -> None:
    assert ids_in(CARDS) <= {*manor().catalogs["en"]}


def test_a_story_that_is_not_known_has_no_advice() -> None:
    assert advice_on("bells/first-night").goals == {}


GAME = FirstEditionTable(
    counters={"candle": CounterLine(2)},
    killed={"monster/mute": 1},
    clues=("clue/rent-book",),
    resolved=("event/first-watch",),
    done=("game:deed/pinch-out",),
    features={"f1": Feature("f1", FeatureKind.FIRE, "room/kitchen")},
    lying={"room/hall": (Item("i1", "item/cup", ()),)},
)


@pytest.mark.parametrize(
    ("seen", "holds"),
    [
        (Seen(Fact.COUNTER, "candle"), True),
        (Seen(Fact.COUNTER, "candle", at_least=3), False),
        (Seen(Fact.COUNTER, "candle", at_most=1), False),
        (Seen(Fact.COUNTER, "other", at_most=0), True),
        (Seen(Fact.ON_BOARD, "monster/mute"), False),
        (Seen(Fact.KILLED, "monster/mute"), True),
        (Seen(Fact.FEATURE, "fire", within="room/kitchen"), True),
        (Seen(Fact.FEATURE, "fire", within="room/scullery"), False),
        (Seen(Fact.PEOPLE, "room/kitchen"), False),
        (Seen(Fact.CARRIED, "item/brass-key"), False),
        (Seen(Fact.LYING, "item/cup"), True),
        (Seen(Fact.LYING, "item/cup", within="room/hall"), True),
        (Seen(Fact.LYING, "item/cup", within="room/kitchen"), False),
        (Seen(Fact.LYING, "item/brass-key"), False),
        (Seen(Fact.FOUND, "clue/rent-book"), True),
        (Seen(Fact.RESOLVED, "event/first-watch"), True),
        (Seen(Fact.DONE, "deed/pinch-out"), True),
        (Seen(Fact.TOLD, "six-rooms/first-column"), True),
        (Seen(Fact.TOLD, "six-rooms/second-column"), False),
    ],
)
def test_conditions_read_the_open_table(seen: Seen, holds: bool) -> None:
    view = TableView("room", 1)
    view.records.append(Record(0, 0, 0, Told(Text("six-rooms/first-column"))))

    assert OpenTable(view, GAME).holds(seen) is holds


def test_one_of_several_sets_of_conditions_is_enough() -> None:
    table = OpenTable(TableView("room", 1), GAME)
    held, other = Seen(Fact.KILLED, "monster/mute"), Seen(Fact.ON_BOARD, "monster/mute")

    assert table.holds(Either(((other,), (held, held))))
    assert not table.holds(Either(((held, other), (other,))))
    assert table.worth(Answer(60.0, (held,))) == 60
    assert table.worth(Answer(60.0, (other,), otherwise=3.0)) == 3


def test_only_the_keeper_knows_what_was_answered() -> None:
    given: Mapping[str, str] = {"purpose": "sitting-up"}
    answers = hidden(given)
    seen = Seen(Fact.ANSWERED, "sitting-up")
    view = TableView("room", 1)

    assert OpenTable(view, attrs.evolve(GAME, answers=answers)).holds(seen)
    assert not OpenTable(view, attrs.evolve(GAME, answers=answers.closed())).holds(seen)
    assert not OpenTable(view, GAME).holds(seen)


def test_bots_know_the_small_story() -> None:
    assert advice_on(SCENARIO).goals
