"""Within some spaces of something or adjacent to it: investigators, monsters, requirements."""

from typing import Any

import pytest

from content.games.second_edition.schema import monster_steps as more
from content.games.second_edition.schema.effects import DamageMonster, GainClues, Spawn
from content.games.second_edition.schema.requirements import AdjacentTo, Monsters, Near, Within
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from content.games.second_edition.schema.targets import (
    AllAdjacent,
    AllWithin,
    MonstersAdjacent,
    MonstersWithin,
)
from protocol.games.second_edition.events import InvestigatorMoved
from protocol.games.second_edition.table import TokenKind
from server.games.second_edition.rules import requirements
from server.games.second_edition.rules.play import Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, CORA, RAT, ROW, tile, world
from tests.games.second_edition.rules.worlds_effects import person, resolve

rule = pytest.mark.rule
WALLED = """
+---+---+---+
| a | b 1 c |
|   |   =   |
+---+---+---+
"""
"""Three spaces: a wall, then a door."""


def row(**at: str) -> Bench:
    """Return five spaces in a row, with the chest in the middle and a rat at each end."""
    chest = TokenCard("token/chest", TokenKind.SEARCH, "house/c", (TokenOption("text/it", ()),))
    people = {f"investigator/{name}": f"house/{space}" for name, space in at.items()}
    return world(
        tiles=[tile(ROW)],
        tokens=[chest],
        at=people,
        monsters=[(RAT, "house/a"), (RAT, "house/e")],
        scenario_parts={"monsters": ("the-cook",)},
    )


def gained(bench: Bench, who: Any, **source: Any) -> str:
    """Return the initials of those who gain a Clue."""
    resolve(bench, GainClues(who=who), **source)
    table = bench.game_table
    return "".join(
        one.partition("/")[2][0] for one in table.standing() if table.investigators[one].clues
    )


@rule("NEAREST-1")
@pytest.mark.parametrize(
    ("spaces", "of", "found"),
    [
        (0, "house/a", "a"),
        (1, "house/a", "ab"),
        (1, "token/chest", "b"),
        (2, "token/chest", "abc"),
        (1, "actor", "ab"),
        (0, "investigator/ben", "b"),
        (3, BEN, "abc"),
        (1, "monster", "c"),
        (0, "room/hall", "abc"),
        (99, "the-cook", ""),
        (99, "cellar/a", ""),
    ],
)
def test_those_within_some_spaces(spaces: int, of: str, found: str) -> None:
    """The centre may be a space, a token, the actor, an investigator, the monster or a room."""
    bench = row(ada="a", ben="b", cora="e")

    assert gained(bench, AllWithin(spaces, of), monster="m2") == found


@rule("ADJACENT-1")
@rule("ADJACENT-3")
@rule("ADJACENT-4")
@pytest.mark.parametrize(
    ("of", "found"),
    [("house/a", "b"), ("house/b", "ac"), ("house/1", "bc"), ("room/hall", ""), (ADA, "b")],
)
def test_those_in_adjacent_spaces(of: str, found: str) -> None:
    """Walls do not matter, and a door is adjacent to both of its spaces."""
    bench = world(tiles=[tile(WALLED)], at={ADA: "house/a", BEN: "house/b", CORA: "house/c"})

    assert gained(bench, AllAdjacent(of)) == found


@rule("DECIDE-101")
def test_spaces_are_counted_along_open_ways() -> None:
    """A space beside a wall may be far by open paths."""
    bench = world(tiles=[tile(WALLED)], at={ADA: "house/a", BEN: "house/b"})

    assert gained(bench, AllWithin(9, "house/a")) == "a"


@rule("ADJACENT-2")
def test_the_spaces_of_a_room_are_not_adjacent_to_it() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/b", CORA: "house/c"})

    assert gained(bench, AllAdjacent("room/hall")) == "c"


def test_a_token_on_a_door_is_beside_both_spaces() -> None:
    hatch = TokenCard("token/hatch", TokenKind.EXPLORE, "house/1", (TokenOption("text/it", ()),))
    bench = world(tokens=[hatch], at={ADA: "house/a", BEN: "house/b", CORA: "house/c"})

    assert gained(bench, AllAdjacent("token/hatch")) == "bc"
    assert gained(bench, AllWithin(1, "token/hatch")) == "abc"


def test_monsters_near_something() -> None:
    """A rat next to the chest is hurt and healed; another one, adjacent to Ben, stays hurt."""
    bench = row(ada="c", ben="d")
    resolve(bench, Spawn(RAT, "house/b", name="the-cook"))

    resolve(bench, DamageMonster(1, which=MonstersWithin(1, "token/chest")))
    resolve(bench, DamageMonster(1, which=MonstersAdjacent(BEN)))
    resolve(bench, more.HealMonster(1, which=MonstersWithin(0, "the-cook")))

    assert {m.monster_id: m.damage for m in bench.game_table.monsters.values()} == {
        "m1": 0,
        "m2": 1,
        "m3": 0,
    }


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (Within(2, "token/chest"), True),
        (Within(1, "token/chest"), False),
        (Within(0, "monster"), True),
        (AdjacentTo("house/b"), True),
        (AdjacentTo("house/a"), False),
        (AdjacentTo("monster"), False),
        (Monsters(within=Near(0, "actor"), at_least=1), True),
        (Monsters(within=Near(1, "token/chest"), at_least=1), False),
        (Monsters(adjacent_to="house/d", at_least=1), True),
        (Monsters(adjacent_to="actor", at_least=1), False),
    ],
)
def test_what_is_near_can_be_asked(asked: Any, answer: bool) -> None:
    bench = row(ada="a")

    assert requirements.holds_for(bench.game, asked, Source(ADA, "m1")) is answer


def test_nobody_off_the_board_is_near_to_anything() -> None:
    bench = row(ada="a", ben="b")
    bench.emit(InvestigatorMoved(ADA, None))

    assert gained(bench, AllWithin(9, "house/a")) == "b"
    assert person(bench, BEN).clues == 1
    assert gained(bench, AllWithin(9, "actor")) == "b"
    assert person(bench, BEN).clues == 1
    assert not requirements.holds(bench.game, AdjacentTo("house/b"), ADA)
    assert not requirements.holds(bench.game, Within(9, "house/b"), None)
