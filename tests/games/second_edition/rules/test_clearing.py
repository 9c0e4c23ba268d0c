"""Clearing the board: everything leaves it, and can be placed again."""

from typing import Any

import pytest

from content.games.second_edition.schema.effects import (
    ClearBoard,
    PlaceDoor,
    PlaceFeature,
    PlaceInvestigator,
    PlaceTile,
    PlaceToken,
    PlaceWall,
    Spawn,
    Who,
)
from content.games.second_edition.schema.monsters import Target
from content.games.second_edition.schema.scenario import (
    DoorToken,
    MythosEvent,
    TokenCard,
    TokenOption,
)
from protocol.games.second_edition.events import (
    LyingDiscarded,
    MonsterDiscarded,
    PhaseBegan,
    PossessionDropped,
    TestDeclared,
)
from protocol.games.second_edition.table import Phase, TokenKind
from server.games.second_edition.rules import activation
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    monster_card,
    offered,
    proceed,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds import activation as instruction
from tests.games.second_edition.rules.worlds_effects import (
    KNIFE,
    given,
    items_of,
    resolve,
    with_clues,
)
from tests.games.second_edition.rules.worlds_ways import BARRICADE, PASSAGE

rule = pytest.mark.rule

HOUSE = "+---+---+---+\n| a = b | c |\n|   =   |   |\n+---+---+---+"
CLEAR = ClearBoard()
CHEST = TokenCard("token/chest", TokenKind.SEARCH, "house/a", (TokenOption("text/open", (CLEAR,)),))
BREACH = DoorToken("breach", ("house/b", "house/c"))


def full(**parts: Any) -> Bench:
    """Return a bench with every kind of piece on the board."""
    bench = world(
        tiles=[tile(HOUSE)],
        at={ADA: "house/a", BEN: "house/b"},
        monsters=[(DROWNED, "house/c")],
        tokens=[CHEST],
        items=[KNIFE],
        scenario_parts={"doors": (BREACH,), **parts.pop("scenario_parts", {})},
        **parts,
    )
    resolve(
        bench,
        PlaceWall("house/a=house/b"),
        PlaceDoor("breach"),
        PlaceFeature(BARRICADE, "house/a"),
        PlaceFeature(PASSAGE, "house/c"),
    )
    return bench


@rule("CLEAR-1", "CLEAR-2")
def test_everything_goes_off_the_board() -> None:
    bench = full()

    resolve(bench, CLEAR)

    table = bench.game_table
    assert (table.tiles, table.coverings) == ((), ())
    assert (table.tokens, table.features, table.monsters) == ({}, {}, {})
    assert where(bench) == {ADA: None, BEN: None}
    assert bench.happened(MonsterDiscarded) == [
        MonsterDiscarded("m1", is_defeated=False),
    ]


@rule("DECIDE-147", "DISCARD-1")
def test_what_lies_about_is_discarded() -> None:
    """Cards on the floor return to their decks; cards held by investigators stay."""
    bench = full()
    (dropped,) = given(bench, "item/knife", to=BEN)
    bench.emit(PossessionDropped(BEN, dropped, "house/b"))
    assert bench.game_table.supply["item/knife"] == 0

    resolve(bench, CLEAR)

    assert bench.happened(LyingDiscarded) == [LyingDiscarded("house/b", dropped)]
    assert not any(bench.game_table.lying.values())
    assert bench.game_table.supply["item/knife"] == 1


@rule("DECIDE-147", "CLEAR-4", "DECIDE-148")
def test_people_keep_what_they_have_and_can_do_little() -> None:
    """Investigators without a space can only end their turn."""
    bench = with_clues(full(), 2)
    given(bench, "item/knife")

    resolve(bench, CLEAR)

    assert items_of(bench) == ["item/knife"]
    assert bench.game_table.investigators[ADA].clues == 2
    assert offered(bench) == ["choice/end_turn"]


@rule("CLEAR-3", "TILE-3", "MONSTER-12")
def test_what_was_set_aside_can_be_placed_again() -> None:
    """The same tile, tokens, monster and figures return, although the box has one of each."""
    bench = full(monster_cards=[monster_card(copies=1)])

    resolve(
        bench,
        CLEAR,
        PlaceTile("house"),
        PlaceToken("token/chest"),
        PlaceDoor("breach"),
        PlaceFeature(PASSAGE, "house/c"),
        Spawn(DROWNED, "house/b"),
        PlaceInvestigator("house/c", Who.ALL),
    )

    table = bench.game_table
    assert [placed.tile for placed in table.tiles] == ["house"]
    assert list(table.tokens) == ["token/chest"]
    assert list(table.features) == ["secret_passage/house/c"]
    assert [placed.covering for placed in table.coverings] == ["breach"]
    assert where(bench) == {ADA: "house/c", BEN: "house/c", "m2": "house/b"}


@rule("CLEAR-1")
def test_a_board_can_be_cleared_by_an_action_on_it() -> None:
    bench = full()

    proceed(bench, "text/open")

    assert bench.game_table.active == ADA
    assert bench.game_table.actions_left == 1
    assert offered(bench) == ["choice/end_turn"]


@rule("CLEAR-2")
def test_a_move_that_is_interrupted_so_is_over() -> None:
    bench = full()

    proceed(bench, "choice/move_later", "text/open")

    assert where(bench)[ADA] is None
    assert bench.game_table.actions_left == 0


@rule("CLEAR-1")
def test_a_monsters_own_attack_can_clear_the_board() -> None:
    card = instruction(spaces=0, target=Target.NEAREST, ranged=True, attack=(CLEAR,))
    bench = full(monster_cards=[monster_card(activations=(card,))], turn_of=None)
    resolve(bench, PlaceInvestigator("house/c"))

    bench.run(activation.activate(bench.game, "m1"))

    assert bench.game_table.monsters == {}


@rule("CLEAR-1", "MYTHOS-7", "DECIDE-12")
def test_after_an_event_that_clears_the_board_no_monster_is_left_to_act() -> None:
    events = (MythosEvent("flood", (CLEAR,)),)
    bench = full(turn_of=None, scenario_parts={"mythos": events})
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))

    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)

    assert bench.game_table.round_number == 2
    assert bench.happened(TestDeclared) == []


@rule("SPACE-2", "CLEAR-4", "MOVE-12")
def test_nobody_is_sent_to_a_space_that_is_no_longer_there() -> None:
    bench = full()
    resolve(bench, CLEAR)

    resolve(bench, PlaceInvestigator("house/a", Who.ALL))

    assert where(bench) == {ADA: None, BEN: None}


@rule("SPACE-2", "TOKEN-1")
def test_no_token_is_placed_in_a_space_that_is_no_longer_there() -> None:
    bench = full()
    resolve(bench, CLEAR)

    resolve(bench, PlaceToken("token/chest"))
    assert bench.game_table.tokens == {}
    resolve(bench, PlaceTile("house"), PlaceToken("token/chest"))

    assert list(bench.game_table.tokens) == ["token/chest"]
