"""Removed tiles, moved tokens and figures, and chapters."""

from typing import Any

import pytest

from content.games.second_edition.schema import board_steps as more
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Toward
from content.games.second_edition.schema.scenario import DoorToken, Moment, TokenCard, Trigger
from protocol.common.text import Text
from protocol.games.second_edition.events import BarricadeShifted, TileRemoved, Told
from protocol.games.second_edition.table import FeatureKind, TokenKind
from server.games.second_edition.rules import possessions
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    HOUSE_ROOMS,
    RAT,
    ROW,
    give,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import KNIFE, LAMP, resolve

rule = pytest.mark.rule
SHED = """
+-----+
=     |
=  a  |
|     |
+-----+
"""
WALLED = """
+-------+-----+-----+
|       |     1     |
|   a   |  b  =  c  |
|       |     =     |
+-------+-----+-----+
"""
"""The house, with a wall across its hall."""
HUT = """
+-----+
|     |
|  a  |
|     |
+-----+
"""


def token(name: str, at: str, kind: TokenKind = TokenKind.SEARCH) -> TokenCard:
    return TokenCard(f"token/{name}", kind, at, ())


def house(picture: str = SHED, **parts: Any) -> Bench:
    """Return the house with a shed to the east, with a door or a wall between."""
    tiles = (tile(rooms=HOUSE_ROOMS), tile(picture, {"a": "room/shed"}, id="shed", column=20))
    at = parts.pop("at", {ADA: "shed/a", BEN: "house/a"})
    return world(tiles=tiles, at=at, items=[KNIFE], **parts)


# Removing a tile -----------------------------------------------------------------------------


@rule("TILE-3")
@rule("DISCARD-3")
@rule("MONSTER-12")
def test_what_lies_and_stands_on_a_tile_goes_with_it() -> None:
    tokens = [token("desk", "shed/a"), token("chest", "house/a")]
    bench = house(tokens=tokens, monsters=[(RAT, "shed/a"), (RAT, "house/b")])
    for space in ("shed/a", "house/b"):
        resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, space))
    possessions.drop(bench.game, ADA, give(bench, ADA, "item/knife"))

    resolve(bench, more.RemoveTile("shed"))

    table = bench.game_table
    assert [placed.tile for placed in table.tiles] == ["house"]
    assert list(table.tokens) == ["token/chest"]
    assert list(table.monsters) == ["m2"]
    assert table.spaces_with(FeatureKind.FIRE) == ("house/b",)
    assert table.lying["shed/a"] == ()
    assert table.supply["item/knife"] == KNIFE.copies


@rule("MOVE-12")
@pytest.mark.parametrize(
    ("to", "space"), [("nearest", "house/c"), ("house/a", "house/a"), ("shed/a", "house/c")]
)
def test_figures_go_where_the_step_says_or_else_the_shortest_way(to: str, space: str) -> None:
    bench = house()

    resolve(bench, more.RemoveTile("shed", to))

    assert where(bench) == {ADA: space, BEN: "house/a"}


@rule("NEAREST-1")
def test_the_nearest_space_that_stays_may_be_taken() -> None:
    bench = house(at={ADA: "shed/a", BEN: "house/c"})

    resolve(bench, more.RemoveTile("shed"))

    assert where(bench)[ADA] == "house/c"


@rule("DECIDE-147")
def test_what_lies_elsewhere_stays_and_all_that_lies_on_the_tile_goes() -> None:
    tiles = (tile(rooms=HOUSE_ROOMS), tile(SHED, {"a": "room/shed"}, id="shed", column=20))
    both = {ADA: "house/a", BEN: "shed/a"}
    has = {who: [LAMP.id] for who in both}
    bench = world(tiles=tiles, at=both, items=[LAMP], has=has)
    for who, one in ((ADA, "p1"), (BEN, "p2")):
        possessions.drop(bench.game, who, one)

    resolve(bench, more.RemoveTile("shed"))

    lying = {at: [one.possession_id for one in there] for at, there in lies(bench).items()}
    assert lying == {"house/a": ["p1"]}


def lies(bench: Bench) -> dict[str, Any]:
    """Return the possessions on the floor, by space."""
    return {space: there for space, there in bench.game_table.lying.items() if there}


def test_figure_that_is_sent_back_is_off_the_board() -> None:
    """A trigger of the study puts Ada back on the removed tile, so she is off the board."""
    back = Trigger("back", Moment.SPACE_ENTERED, (steps.PlaceInvestigator("shed/a"),))
    bench = house(scenario_parts={"triggers": (back,)})

    resolve(bench, more.RemoveTile("shed"))

    assert where(bench)[ADA] is None


@rule("BARRICADE-1")
def test_barricade_whose_door_goes_stands_free() -> None:
    """The Barricade was in the study, against the shed's own door."""
    rooms = {"a": "room/hall"}
    tiles = (
        tile(HUT, rooms, id="hut"),
        tile(SHED.replace("=  a", "1  a"), {"a": "room/shed"}, id="shed", column=6),
    )
    bench = world(tiles=tiles, at={ADA: "hut/a"})
    resolve(bench, steps.PlaceFeature(FeatureKind.BARRICADE, "hut/a", "shed/1"))
    (barricade,) = bench.game_table.features.values()
    assert barricade.against == "shed/1"

    resolve(bench, more.RemoveTile("shed"))

    (barricade,) = bench.game_table.features.values()
    assert barricade.against is None


@rule("DOOR-3")
@rule("WALL-3")
def test_tokens_on_walls_and_doors_of_the_tile_go() -> None:
    door = DoorToken("gap", ("house/c", "shed/a"))
    bench = house(HUT, scenario_parts={"doors": (door,)})
    resolve(bench, steps.PlaceDoor("gap"), steps.PlaceWall("house/1"))
    assert len(bench.game_table.coverings) == 2

    resolve(bench, more.RemoveTile("shed"))

    assert [covering.covering for covering in bench.game_table.coverings] == ["wall/house/1"]


def test_tile_that_was_removed_can_come_again() -> None:
    bench = house()

    resolve(bench, *[more.RemoveTile("shed")] * 2, steps.PlaceTile("shed"))

    assert [placed.tile for placed in bench.game_table.tiles] == ["house", "shed"]


@rule("TILE-3")
def test_removing_what_is_not_there_is_nothing_that_happens() -> None:
    bench = house()

    resolve(bench, *[more.RemoveTile("shed")] * 2)

    assert len(bench.happened(TileRemoved)) == 1


@rule("MOVE-12")
def test_who_stands_elsewhere_stays_when_a_tile_goes() -> None:
    bench = house(at={ADA: "shed/a", BEN: "house/b"})

    resolve(bench, more.RemoveTile("shed", "house/a"))

    assert where(bench) == {ADA: "house/a", BEN: "house/b"}


@rule("MOVE-12")
def test_figures_of_a_tile_can_go_to_whom_the_step_concerns() -> None:
    bench = house(at={ADA: "shed/a", BEN: "house/b"})

    resolve(bench, more.RemoveTile("shed", "actor"), actor=BEN)

    assert where(bench)[ADA] == "house/b"


@rule("NEAREST-1")
def test_figure_that_no_way_leads_from_is_placed_all_the_same() -> None:
    """The hut has no door, so chance takes any remaining space."""
    bench = house(HUT)

    resolve(bench, more.RemoveTile("shed"))

    assert where(bench)[ADA] == "house/a"


def test_figure_on_the_last_tile_stands_nowhere() -> None:
    bench = world(tiles=[tile(HUT, {"a": "room/shed"}, id="shed")], at={ADA: "shed/a"})

    resolve(bench, more.RemoveTile("shed"))

    assert where(bench) == {ADA: None}


@rule("DISCARD-1")
@rule("DISCARD-3")
def test_what_lies_on_other_tiles_stays_when_one_goes() -> None:
    door = DoorToken("gap", ("house/a", "house/b"))
    explore = token("door", "house/1", TokenKind.EXPLORE)
    bench = world(
        tiles=(tile(WALLED, HOUSE_ROOMS), tile(SHED, {"a": "room/shed"}, id="shed", column=20)),
        at={ADA: "house/b", BEN: "house/a"},
        tokens=[explore],
        items=[KNIFE],
        scenario_parts={"doors": (door,)},
    )
    resolve(bench, steps.PlaceDoor("gap"), steps.PlaceFeature(FeatureKind.DARKNESS, "house/a"))
    for door_id in ("house/1", "gap"):
        resolve(bench, steps.PlaceFeature(FeatureKind.BARRICADE, "house/b", door_id))
    possessions.drop(bench.game, BEN, give(bench, BEN, "item/knife"))

    resolve(bench, more.RemoveTile("shed"))

    table = bench.game_table
    assert [has.card for has in table.lying["house/a"]] == ["item/knife"]
    assert list(table.tokens) == ["token/door"]
    assert [feature.against for feature in table.features.values()] == [
        *(None, "house/1", "gap"),
    ]
    assert bench.happened(BarricadeShifted) == []
    assert [covering.covering for covering in table.coverings] == ["gap"]


# Tokens and figures --------------------------------------------------------------------------


@rule("TOKEN-1")
def test_token_moves_to_another_space_if_it_lies_there() -> None:
    bench = house(tokens=[token("desk", "house/a")])

    resolve(bench, more.MoveToken("token/desk", "actor"), more.MoveToken("token/none", "actor"))

    assert {key: piece.at for key, piece in bench.game_table.tokens.items()} == {
        "token/desk": "shed/a"
    }


@rule("MOVE-13")
@pytest.mark.parametrize(
    ("space", "found"), [("start", "house/a"), ("room/study", "house/c"), ("random", "house/a")]
)
def test_figures_are_placed_by_word_and_by_room(space: str, found: str) -> None:
    bench = house(at={ADA: "house/b"})

    resolve(bench, steps.PlaceInvestigator(space))

    assert where(bench)[ADA] == found


@rule("NEAREST-3")
@rule("MOVE-15")
@rule("DECIDE-105")
def test_figures_are_moved_toward_a_space_and_stop_there() -> None:
    people = {ADA: "house/a", BEN: "house/c", CORA: "house/d"}
    bench = world(tiles=[tile(ROW)], at=people, monsters=[(RAT, "house/a")])

    resolve(bench, steps.PlaceInvestigator(who=steps.Who.ALL, toward=Toward("house/d", 2)))

    assert where(bench) == {ADA: "house/c", BEN: "house/d", CORA: "house/d", "m1": "house/a"}


@rule("DECIDE-103")
def test_among_equal_ways_the_investigators_choose() -> None:
    square = """
+---+---+
| a : b |
+...+...+
| c : d |
+---+---+
"""
    square = square.replace(".", ":")
    bench = world(tiles=[tile(square)])

    resolve(bench, steps.PlaceInvestigator(toward=Toward("house/d", 2)), answers=["house/c"])

    assert where(bench)[ADA] == "house/d"


# Chapters ------------------------------------------------------------------------------------


@rule("APP-3")
def test_chapter_is_told_and_stays_on_the_table() -> None:
    bench = world()

    resolve(bench, more.Chapter("text/one"), more.Chapter("text/two"))

    assert bench.game_table.chapter == Text("text/two", (ADA,))
    assert bench.happened(Told) == []
