"""Routes: several spaces in one choice; the walk stops if something happens."""

from typing import Any

import pytest

from content.games.second_edition.schema.effects import PlaceFeature, Say
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.common.text import Text
from protocol.games.second_edition.events import ActionSpent, InvestigatorMoved
from protocol.games.second_edition.table import FeatureKind
from server.games.second_edition.rules import routes, turn
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, DROWNED, ROW, ROW_ROOMS, tile, world
from tests.games.second_edition.rules.worlds_effects import resolve

pytestmark = pytest.mark.rule("MOVE-1")


def row(**changes: Any) -> Bench:
    """Return a game with Ada at the end of a row of five spaces."""
    return world(tiles=[tile(ROW, ROW_ROOMS)], **changes)


def far(bench: Bench, left: int = 2) -> list[tuple[str, ...]]:
    """Return the routes offered."""
    return [route.spaces for route in routes.routes(bench.game, ADA, left)]


def walk(bench: Bench, *answers: Any) -> list[str | None]:
    """Take one action; return the spaces that Ada moved to."""
    before = len(bench.happened(InvestigatorMoved))
    bench.run(turn.take_action(bench.game), *answers)
    return [event.space for event in bench.happened(InvestigatorMoved)[before:]]


@pytest.mark.parametrize(("left", "count"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_destinations_lie_beyond_the_next_space(left: int, count: int) -> None:
    assert len(far(row(), left)) == count


def test_there_are_at_most_twelve() -> None:
    """In a large house the nearest twelve are offered."""
    letters = "abcdefghijklmnopqrst"
    wall = "+---" * len(letters) + "+"
    long = tile(f"{wall}\n| {' : '.join(letters)} |\n{wall}\n", dict.fromkeys(letters, "room/hall"))
    bench = world(tiles=[long])

    assert [way[-1] for way in far(bench, 19)] == [f"house/{one}" for one in letters[2:14]]


def test_a_route_is_one_choice_that_names_its_way() -> None:
    bench = row()

    assert walk(bench, "choice/go_far") == ["house/b", "house/c"]

    hall = "room/hall"
    name = Text("choice/go_far", (_part(hall, 3), 2, _part(hall, 2)))
    assert name in [option.text for option in bench.asked[0].prompts[0].options]
    assert [event.action for event in bench.happened(ActionSpent)] == ["move"]


def _part(room: str, number: int) -> Text:
    return Text("name/part", (room, number))


@pytest.mark.rule("MOVE-16")
def test_a_walk_that_stops_later_in_a_move_leaves_what_is_left_of_it() -> None:
    told = Trigger("found", Moment.SPACE_ENTERED, (Say("text/found"),), of="house/b")
    bench = row(scenario_parts={"triggers": (told,)})

    assert walk(bench, "choice/move_later", "choice/go_far", "choice/stop") == ["house/b"]


@pytest.mark.rule("MOVE-16")
def test_a_walk_stops_where_a_trigger_tells_something() -> None:
    told = Trigger("found", Moment.SPACE_ENTERED, (Say("text/found"),), of="house/b")
    bench = row(scenario_parts={"triggers": (told,)})

    assert walk(bench, "choice/go_far", "choice/stop") == ["house/b"]


@pytest.mark.rule("EVADE-1")
def test_a_walk_stops_beside_a_monster() -> None:
    """The next step would need an evade check, which is never made without asking."""
    bench = row(monsters=[(DROWNED, "house/b")])

    assert walk(bench, "choice/go_far", "choice/stop") == ["house/b"]


@pytest.mark.rule("FIRE-1")
def test_a_walk_stops_in_a_fire() -> None:
    bench = row()
    resolve(bench, PlaceFeature(FeatureKind.FIRE, "house/b"))

    assert walk(bench, "choice/go_far", "choice/stop") == ["house/b"]


def test_no_old_game_is_offered_any() -> None:
    """Logs of old games are replayed unchanged."""
    bench = row()
    bench.version = 1

    assert far(bench) == []


RING = """
+---+---+
| a : b |
+...+...+
| d : c |
+---+---+
"""


def round_the_ring(bench: Bench) -> list[tuple[str, ...]]:
    """Return the routes to the far corner."""
    return [way for way in far(bench) if way[-1] == "house/c"]


@pytest.mark.parametrize(("burning", "by"), [("b", "d"), ("d", "b")])
def test_of_two_ways_the_one_that_disturbs_less_is_offered(burning: str, by: str) -> None:
    """The route around the fire is offered, whatever the order of the spaces on the board."""
    bench = world(tiles=[tile(RING, dict.fromkeys("abcd", "room/hall"))])

    resolve(bench, PlaceFeature(FeatureKind.FIRE, f"house/{burning}"))

    assert round_the_ring(bench) == [(f"house/{by}", "house/c")]


def test_a_long_way_is_named_whole_and_leads_to_its_end() -> None:
    bench = row()
    route = routes.routes(bench.game, ADA, 4)[-1]

    option = routes.option(bench.game, ADA, route)

    two, three, four = (_part("room/hall", number) for number in (2, 3, 4))
    through = Text("stake/and", (Text("stake/and", (two, three)), four))
    assert option.text == Text("choice/go_far", (_part("room/hall", 5), 4, through))
    assert option.value == route
    assert [point.piece for point in option.points] == ["house/e"]


@pytest.mark.parametrize("at", ["house/a", "house/e"])
def test_whoever_leaves_a_monster_slips_away(at: str) -> None:
    bench = row(monsters=[(DROWNED, at)])
    (route,) = routes.routes(bench.game, ADA, 2)

    subject = routes.option(bench.game, ADA, route).text.subject

    assert subject == ("choice/slip_away_far" if at == "house/a" else "choice/go_far")
