"""Supplies: the contents of the box, and what happens when a heap is empty."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.lint_supplies import supply_findings
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.box import Box, Supply
from content.games.second_edition.schema.scenario import (
    DoorToken,
    Moment,
    Tile,
    TokenCard,
    TokenOption,
    Trigger,
)
from protocol.games.second_edition.table import FeatureKind, Harm, TokenKind, deck
from server.games.second_edition.rules import board, coverings, features, monsters
from tests.games.second_edition.content.packs import FILES, load, mistakes_in
from tests.games.second_edition.rules import worlds_ways
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import DROWNED, RAT, monster_card, spawned, tile, world

ROOMY = (("house/a", "a"), ("house/b", "b"), ("house/c", "c"))


def tokens(*kinds: TokenKind) -> list[TokenCard]:
    """Return a token of each kind, none of them on the board."""
    return [
        TokenCard(f"token/{number}", kind, "house/a", (TokenOption("text/look", ()),))
        for number, kind in enumerate(kinds)
    ]


def with_box(*kinds: TokenKind, **counts: Any) -> Bench:
    """Return a bench with a box of these counts and a scenario with these tokens."""
    return world(
        scenario_parts={"tokens": tuple(tokens(*kinds))}, box=attrs.evolve(Box(), **counts)
    )


def lying(bench: Bench) -> list[str]:
    return list(bench.game_table.tokens)


@pytest.mark.parametrize(
    ("one", "other", "heap"),
    [
        pytest.param(
            *(TokenKind.EXPLORE, TokenKind.SIGHT, "explore_sight"),
            marks=pytest.mark.rule("TOKEN-3"),
        ),
        pytest.param(
            *(TokenKind.SEARCH, TokenKind.INTERACT, "search_interact"),
            marks=pytest.mark.rule("TOKEN-4"),
        ),
    ],
)
@pytest.mark.rule("LIMIT-2")
def test_two_faces_of_one_token_come_from_one_heap(
    one: TokenKind, other: TokenKind, heap: str
) -> None:
    bench = with_box(one, other, other, one, **{heap: 2})

    for token in ("token/0", "token/1", "token/2", "token/3"):
        board.place_token(bench.game, token)
    assert lying(bench) == ["token/0", "token/1"]

    board.remove_token(bench.game, "token/0")
    board.place_token(bench.game, "token/2")
    assert lying(bench) == ["token/1", "token/2"]


@pytest.mark.rule("LIMIT-2")
def test_other_kinds_have_heaps_of_their_own() -> None:
    """A person is placed although no Search token is left."""
    bench = with_box(TokenKind.SEARCH, TokenKind.PERSON, TokenKind.EXPLORE, search_interact=0)

    for token in ("token/0", "token/1", "token/2"):
        board.place_token(bench.game, token)

    assert lying(bench) == ["token/1", "token/2"]


@pytest.mark.rule("LIMIT-2")
@pytest.mark.rule("LIMIT-3")
@pytest.mark.rule("DISCARD-3")
@pytest.mark.parametrize("kind", [FeatureKind.BARRICADE, FeatureKind.SECRET_PASSAGE])
def test_barricades_and_passages_run_out(kind: FeatureKind) -> None:
    bench = with_box(**{kind.value: 1})

    features.place(bench.game, kind, "house/a")
    features.place(bench.game, kind, "house/b")
    assert [f.space for f in bench.game_table.features.values()] == ["house/a"]

    features.remove(bench.game, kind, "house/a")
    features.place(bench.game, kind, "house/b")
    assert [f.space for f in bench.game_table.features.values()] == ["house/b"]


@pytest.mark.rule("LIMIT-1")
@pytest.mark.parametrize("kind", [FeatureKind.FIRE, FeatureKind.DARKNESS])
def test_fire_and_darkness_do_not(kind: FeatureKind) -> None:
    bench = with_box(**{supply.value: 0 for supply in Supply})

    for space, _ in ROOMY:
        features.place(bench.game, kind, space)

    assert len(bench.game_table.features) == len(ROOMY)


@pytest.mark.rule("LIMIT-2")
def test_wall_and_door_tokens_run_out() -> None:
    hatch = DoorToken("hatch", ("house/a", "house/b"))
    bench = world(box=Box(wall=0, door=0), scenario_parts={"doors": (hatch,)})

    coverings.place_wall(bench.game, "house/1")
    coverings.place_door(bench.game, "hatch")

    assert bench.game_table.coverings == ()


@pytest.mark.rule("LIMIT-2")
@pytest.mark.rule("DISCARD-3")
def test_wall_tokens_on_the_board_are_not_in_the_box() -> None:
    """The box has one Wall token, so the second door stays open until the first token is back."""
    bench = worlds_ways.rooms(box=Box(wall=1))

    for door in ("house/1", "house/2"):
        coverings.place_wall(bench.game, door)
    assert [lies.covering for lies in bench.game_table.coverings] == ["wall/house/1"]

    coverings.remove_wall(bench.game, "house/1")
    coverings.place_wall(bench.game, "house/2")
    assert [lies.covering for lies in bench.game_table.coverings] == ["wall/house/2"]


@pytest.mark.rule("LIMIT-2")
def test_door_tokens_on_the_board_are_not_in_the_box() -> None:
    """The one Door token makes the first door only, and stays beneath a Wall token."""
    doors = (DoorToken("hatch", ("house/a", "house/b")), DoorToken("gap", ("house/c", "house/d")))
    bench = worlds_ways.cells(box=Box(door=1, wall=1), scenario_parts={"doors": doors})

    for token in ("hatch", "gap"):
        coverings.place_door(bench.game, token)
    coverings.place_wall(bench.game, "hatch")

    assert [lies.covering for lies in bench.game_table.coverings] == ["hatch", "wall/hatch"]


@pytest.mark.rule("MONSTER-14")
@pytest.mark.rule("MONSTER-6")
@pytest.mark.rule("LIMIT-2")
def test_there_are_as_many_monsters_of_a_kind_as_figures() -> None:
    """With two figures, a third monster of the kind does not come.

    Another kind does, and a removed figure can return.
    """
    bench = world(monster_cards=[monster_card(DROWNED, copies=2), monster_card(RAT, copies=1)])
    first = spawned(bench, DROWNED, "house/a")
    spawned(bench, DROWNED, "house/b")

    assert monsters.spawn(bench.game, DROWNED, "house/c") is None
    assert monsters.spawn(bench.game, RAT, "house/c") is not None

    bench.run(monsters.discard(bench.game, first))
    assert monsters.spawn(bench.game, DROWNED, "house/c") is not None


@pytest.mark.rule("DECIDE-135")
def test_past_the_last_id_token_numbers_go_on() -> None:
    bench = world(monster_cards=[monster_card(DROWNED, copies=5)], box=Box(id=2))
    for _ in range(5):
        spawned(bench, DROWNED, "house/a")

    assert [m.number for m in bench.game_table.monsters.values()] == [0, 1, 2, 3, 4]


@pytest.mark.rule("LIMIT-3")
def test_the_tokens_are_those_of_the_printed_box_unless_the_pack_says_otherwise() -> None:
    """The numbers are those of the parts list; a pack with other tokens states so in box.yaml."""
    assert attrs.asdict(load(FILES).box) == {
        "explore_sight": 16,
        "search_interact": 16,
        "person": 22,
        "barricade": 4,
        "secret_passage": 4,
        "wall": 8,
        "door": 4,
        "id": 6,
        "tiles": 24,
        "room_traits": (),
    }
    assert load({**FILES, "box.yaml": b"person: 3\nwall: 0\n"}).box == Box(person=3, wall=0)


@pytest.mark.rule("LIMIT-3")
def test_the_decks_hold_as_many_cards_as_the_pack_has_copies() -> None:
    bench = world()

    for harm in Harm:
        copies = sum(c.copies for c in bench.game.content.pack.harms.values() if c.harm is harm)
        assert len(bench.game_table.piles[deck(harm)]) == copies


def test_a_box_that_makes_no_sense_is_refused() -> None:
    told = mistakes_in({**FILES, "box.yaml": b"persons: 3\nwall: many\n"})

    assert [str(error).partition(";")[0] for error in told] == [
        "box.yaml:1:1: persons: unknown key 'persons'",
        "box.yaml:2:7: wall: expected a whole number such as 3, not 'many'",
    ]


def test_the_linter_tells_where_a_scenario_has_more_tokens_than_the_box() -> None:
    files = {**FILES, "box.yaml": b"search_interact: 0\n"}

    (found,) = lint(load(files))
    assert (found.where, found.subject) == ("tiny/cellar", "search_interact")
    assert found.reason.endswith("and the box has 0")


def too_many(at: str, *before: steps.Step, tiles: Sequence[Tile] = ()) -> list[str]:
    """Return the findings about Search tokens, of which the box has one.

    A chest is in the hall of the tiny pack; a crate comes later.

    Args:
        at: space of the crate.
        before: steps before the crate is placed.
        tiles: more tiles of the scenario.
    """
    pack = attrs.evolve(load(FILES), box=Box(search_interact=1))
    known = pack.scenarios["tiny/cellar"]
    crate = TokenCard("token/crate", TokenKind.SEARCH, at, ())
    scenario = attrs.evolve(
        known,
        tiles=(*known.tiles, *tiles),
        tokens=(*known.tokens, crate),
        triggers=(Trigger("later", Moment.ROUND_ENDED, (steps.Call("later"),)),),
        effects={**known.effects, "later": (*before, steps.PlaceToken(crate.id))},
    )
    return [found.reason for found in supply_findings(pack, scenario)]


TWO = ["2 tokens can be on the board at once, and the box has 1"]


@pytest.mark.rule("LIMIT-2")
@pytest.mark.parametrize(("before", "told"), [((), TWO), ((steps.ClearBoard(),), [])])
def test_tokens_from_before_the_board_is_cleared_are_not_counted_after_it(
    before: tuple[steps.Step, ...], told: list[str]
) -> None:
    assert too_many("hall/a", *before) == told


@pytest.mark.rule("LIMIT-2")
@pytest.mark.parametrize(("instead_of", "told"), [("hall", []), (None, TWO)])
def test_tokens_on_tiles_that_lie_there_by_turns_are_not_counted_together(
    instead_of: str | None, told: list[str]
) -> None:
    """The crate is on another tile, in the place of the hall or beside it."""
    attic = attrs.evolve(tile(id="attic"), instead_of=instead_of)

    assert too_many("attic/a", tiles=[attic]) == told
