"""Tiles, persons and events that scenarios share, in play."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.effects import PlaceTile, PlaceToken, RemoveToken, Say
from content.games.second_edition.schema.products import Product
from content.games.second_edition.schema.requirements import HasClues, Round
from content.games.second_edition.schema.scenario import (
    MapRoom,
    MythosEvent,
    TokenCard,
    TokenOption,
)
from content.games.second_edition.schema.shared import Fits, SharedEvent, SharedEvents
from protocol.common.events import Dealt
from protocol.games.second_edition.events import MemoryKept, PhaseBegan, Told
from protocol.games.second_edition.table import Phase, TokenKind
from server.games.second_edition.rules import board, effects
from server.games.second_edition.rules.play import Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    HOUSE_ROOMS,
    by_id,
    pack,
    proceed,
    tile,
    world,
)

OWN = MythosEvent("rain", (Say("text/rain"),))
ALL = SharedEvents()
KITCHEN = MapRoom("room/hall", traits=("kitchen",))


def shared(name: str, **parts: Any) -> SharedEvent:
    return SharedEvent(f"mythos/{name}", (Say(f"text/{name}"),), **parts)


def night(
    *events: SharedEvent,
    own: tuple[MythosEvent, ...] = (),
    number: int = 1,
    takes: SharedEvents | None = ALL,
    rooms: tuple[MapRoom, ...] = (KITCHEN, MapRoom("room/study")),
) -> Bench:
    """Return a bench in the Mythos phase of a scenario that takes shared events."""
    parts = {"mythos": own, "shared_events": takes, "rooms": rooms}
    bench = world(turn_of=None, scenario_parts=parts, events=events)
    bench.emit(PhaseBegan(Phase.MYTHOS, number))
    return bench


def told_at_night(bench: Bench) -> list[str]:
    """Proceed to the next Investigator phase; return the texts told."""
    before = len(bench.happened(Told))
    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)
    bench.emit(PhaseBegan(Phase.MYTHOS, bench.game_table.round_number))
    return [event.text.subject for event in bench.happened(Told)][before:]


# Events --------------------------------------------------------------------------------------


@pytest.mark.rule("EVENT-1")
def test_own_and_shared_events_lie_in_one_pool() -> None:
    """Chance picks from one list, in which the scenario's own events come first."""
    bench = night(shared("draught"), own=(OWN,))
    bench.give_picks(1)

    assert told_at_night(bench) == ["text/draught"]
    assert told_at_night(bench) == ["text/rain"]
    assert told_at_night(bench) == []


def test_a_scenario_that_says_nothing_of_them_has_its_own_events_only() -> None:
    assert told_at_night(night(shared("draught"), takes=None)) == []


@pytest.mark.rule("EVENT-3")
@pytest.mark.parametrize(
    ("fits", "comes"),
    [
        (Fits(), True),
        (Fits(rooms=("kitchen", "cellar")), True),
        (Fits(rooms=("cellar",)), False),
        (Fits(rounds=Round(2, 8)), False),
        (Fits(rounds=Round(1, 8)), True),
        (Fits(moods=("sea",)), True),
        (Fits(moods=("woods",)), False),
    ],
)
def test_a_shared_event_comes_where_it_fits(fits: Fits, comes: bool) -> None:
    bench = night(shared("draught", fits=fits), takes=SharedEvents(moods=("sea", "house")))

    assert bool(told_at_night(bench)) is comes


@pytest.mark.rule("EVENT-3")
def test_a_room_counts_once_it_is_open() -> None:
    """Counting a room that nobody has seen would reveal it by its trait."""
    house = tile(rooms=HOUSE_ROOMS)
    far = tile("+---+\n| d |\n+---+", {"d": "room/crypt"}, id="crypt", row=9)
    parts = {
        "tiles": (house, far),
        "mythos": (),
        "shared_events": SharedEvents(),
        "rooms": (
            MapRoom("room/hall"),
            MapRoom("room/study"),
            MapRoom("room/crypt", traits=("cellar",)),
        ),
    }
    damp = shared("damp", fits=Fits(rooms=("cellar",)))
    bench = world(turn_of=None, tiles=[house], scenario_parts=parts, events=(damp,))
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    assert told_at_night(bench) == []
    bench.run(effects.resolve(bench.game, (PlaceTile("crypt"),), Source(ADA)))
    assert told_at_night(bench) == ["text/damp"]


@pytest.mark.rule("EVENT-3")
def test_a_shared_event_can_ask_for_more() -> None:
    assert told_at_night(night(shared("draught", when=HasClues(1)))) == []


@pytest.mark.rule("EVENT-1")
def test_a_shared_event_that_repeats_comes_again() -> None:
    bench = night(shared("draught", repeats=True), own=(OWN,))

    told = [told_at_night(bench) for _ in range(3)]

    assert told == [["text/rain"], ["text/draught"], ["text/draught"]]


def test_what_weighs_more_lies_in_the_pool_more_often() -> None:
    """The weight of an event is its own times the scenario's weight for all shared events."""
    bench = night(shared("draught", weight=2), own=(OWN,), takes=SharedEvents(weight=3))
    bench.give_picks(6)

    assert told_at_night(bench) == ["text/draught"]
    (event,) = bench.happened(Dealt)
    assert len(event.choice.value.options) == 7


def test_a_scenario_says_when_shared_events_can_come_at_all() -> None:
    bench = night(shared("draught"), own=(OWN,), takes=SharedEvents(when=Round(at_least=2)))

    assert told_at_night(bench) == ["text/rain"]


@pytest.mark.parametrize(("since", "comes"), [(1, ["text/draught"]), (2, [])])
def test_where_a_scenario_has_none_of_its_own_none_comes_meanwhile(
    since: int, comes: list[str]
) -> None:
    bench = night(shared("draught"), takes=SharedEvents(when=Round(at_least=since)))

    assert told_at_night(bench) == comes


def test_the_log_remembers_shared_events_by_number() -> None:
    """Names of events would reveal what can come."""
    bench = night(shared("draught"), own=(OWN,))
    told_at_night(bench)
    told_at_night(bench)

    kept = [event.numbers for event in bench.happened(MemoryKept)]
    assert {name for numbers in kept for name in numbers.value} == {"m1", "m2"}
    assert all(numbers.audience == () for numbers in kept)
    assert "mythos/" not in repr(bench.log)


# Tiles and persons ---------------------------------------------------------------------------


@pytest.mark.rule("LIMIT-2")
def test_a_tile_of_the_pack_lies_on_the_board_once() -> None:
    house = tile(rooms=HOUSE_ROOMS)
    here = attrs.evolve(tile("+---+\n| d |\n+---+", id="here", row=9), of="tile/cave")
    there = attrs.evolve(here, id="there", row=19)
    bench = world(tiles=[house, here, there])

    assert [placed.tile for placed in bench.game_table.tiles] == ["house", "here"]


def test_tiles_that_lie_there_by_turns_are_never_there_at_once() -> None:
    house = tile(rooms=HOUSE_ROOMS)
    here = tile("+---+\n| d |\n+---+", id="here", row=9)
    later = attrs.evolve(here, id="later", instead_of="here")
    bench = world(tiles=[house, here, later])
    assert [placed.tile for placed in bench.game_table.tiles] == ["house", "here"]

    board.remove_tile(bench.game, "here")
    board.place_tile(bench.game, "later")

    assert [placed.tile for placed in bench.game_table.tiles] == ["house", "later"]


def person(token: str) -> TokenCard:
    """Return a token of the vicar."""
    return TokenCard(
        token,
        TokenKind.PERSON,
        "house/a",
        (TokenOption("text/talk", ()),),
        person="person/vicar",
    )


@pytest.mark.rule("TOKEN-5")
def test_a_person_is_on_the_board_once() -> None:
    bench = world(tokens=[person("token/vicar"), person("token/vicar-again")])
    assert list(bench.game_table.tokens) == ["token/vicar"]

    again = (RemoveToken("token/vicar"), PlaceToken("token/vicar-again"))
    bench.run(effects.resolve(bench.game, again, Source(ADA)))

    assert list(bench.game_table.tokens) == ["token/vicar-again"]


@pytest.mark.rule("APP-19")
def test_a_pack_without_a_product_lacks_its_events() -> None:
    product = Product("product/more", ("mythos/draught",))
    whole = attrs.evolve(pack(events=(shared("draught"),)), products=by_id([product]))

    assert list(whole.events) == ["mythos/draught"]
    assert whole.without(["product/more"]).events == {}
