"""Wall tokens make a wall of a door, Door tokens a door of a wall."""

import pytest

from content.games.second_edition.schema.effects import (
    PlaceDoor,
    PlaceToken,
    PlaceWall,
    RemoveDoor,
    RemoveWall,
)
from content.games.second_edition.schema.scenario import DoorToken, TokenCard
from protocol.boards.maps import Boundary
from protocol.games.second_edition.events import CoveringPlaced
from protocol.games.second_edition.table import TokenKind
from server.games.second_edition.rules import adjacency, distance, tokens
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    activation,
    monster_card,
    neighbours,
    offered,
    tile,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve

PICTURE = """
+---+---+---+
| a = b | c |
|   =   |   |
+---+---+---+
"""
BREACH = DoorToken("breach", ("house/c", "house/b"))


def house(**parts: object) -> Bench:
    """Return a bench with a door between the first two rooms, and a wall between the others."""
    scenario = {"doors": (BREACH,)}
    return world(tiles=[tile(PICTURE)], scenario_parts=scenario, **parts)  # type: ignore[arg-type]  # passed on


def lines(bench: Bench, space: str) -> dict[str, Boundary]:
    """Return the kind of line to each neighbour of a space."""
    edges = bench.game_table.map.edges_of(space)
    return {edge.across(space): edge.line for edge in edges}


@pytest.mark.rule("WALL-3")
def test_a_wall_token_makes_a_wall_of_a_door() -> None:
    """Movement and range stop at the token; the rooms stay adjacent."""
    bench = house()
    resolve(bench, PlaceWall("house/a=house/b"))

    assert lines(bench, "house/a") == {"house/b": Boundary.WALL}
    assert [o for o in offered(bench) if "move_to" in o] == []
    assert adjacency.reached(bench.game_table, "house/a") == ()
    assert neighbours(bench.game_table, "house/a") == ("house/b",)


@pytest.mark.rule("WALL-3")
@pytest.mark.rule("DISCARD-3")
def test_without_its_wall_token_the_door_is_a_door_again() -> None:
    bench = house()
    resolve(bench, PlaceWall("house/a=house/b"), RemoveWall("house/a=house/b"))

    assert [o for o in offered(bench) if "move_to" in o] == ["choice/move_to house/b"]


@pytest.mark.rule("WALL-3")
def test_an_explore_token_on_a_walled_up_door_is_out_of_reach() -> None:
    token = TokenCard("token/door", TokenKind.EXPLORE, "house/a=house/b", ())
    bench = house(tokens=[token])
    there = bench.game_table.tokens["token/door"]
    assert tokens.is_in_reach(bench.game_table, ADA, there)

    resolve(bench, PlaceWall("house/a=house/b"))

    assert not tokens.is_in_reach(bench.game_table, ADA, there)


@pytest.mark.rule("DOOR-3")
def test_a_door_token_makes_a_door_of_a_wall() -> None:
    """Investigators and monsters can move through the new door, but range does not cross doors."""
    hunter = monster_card(activations=(activation(spaces=2),))
    bench = house(at={ADA: "house/b"}, monster_cards=[hunter])
    resolve(bench, PlaceDoor("breach"))

    assert "house/b" in lines(bench, "house/c")
    assert "choice/move_to house/c" in offered(bench)
    assert distance.within_range(bench.game_table, "house/b") == ("house/b",)
    assert bench.game_table.map.doors["breach"].sides == ("house/b", "house/c")


@pytest.mark.rule("DOOR-3")
def test_an_explore_token_can_lie_on_a_door_token() -> None:
    token = TokenCard("token/breach", TokenKind.EXPLORE, "breach", ())
    bench = house(at={ADA: "house/b"}, tokens=[token])
    resolve(bench, PlaceDoor("breach"), PlaceToken("token/breach"))

    assert "choice/move_to house/c" not in offered(bench)
    assert tokens.is_in_reach(bench.game_table, ADA, bench.game_table.tokens["token/breach"])


@pytest.mark.rule("DOOR-3")
@pytest.mark.rule("DISCARD-3")
def test_without_its_door_token_the_wall_is_whole_again() -> None:
    bench = house(at={ADA: "house/b"})
    resolve(bench, PlaceDoor("breach"), RemoveDoor("breach"))
    assert lines(bench, "house/c") == {"house/b": Boundary.WALL}

    resolve(bench, PlaceDoor("breach"))
    assert adjacency.steps(bench.game_table, "house/c") == ("house/b",)


@pytest.mark.rule("DOOR-3")
@pytest.mark.rule("WALL-3")
def test_a_covering_that_lies_there_is_not_placed_again() -> None:
    bench = house()
    resolve(bench, PlaceDoor("breach"), PlaceDoor("breach"), PlaceWall("nowhere/1"))

    assert len(bench.happened(CoveringPlaced)) == 1


@pytest.mark.rule("WALL-3")
def test_a_door_token_can_be_walled_up() -> None:
    """The last token counts, and the Door token is not placed again beneath it."""
    bench = house()
    resolve(bench, PlaceDoor("breach"), PlaceWall("breach"), PlaceDoor("breach"))

    assert lines(bench, "house/c") == {"house/b": Boundary.WALL}
    assert len(bench.happened(CoveringPlaced)) == 2

    resolve(bench, RemoveWall("breach"))
    assert adjacency.steps(bench.game_table, "house/c") == ("house/b",)
