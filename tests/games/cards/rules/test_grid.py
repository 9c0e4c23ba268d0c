"""Locations on a grid, and separate sets of locations. Sections 1.19 and 2.21."""

import pytest

from content.games.cards.schema.kinds import Spot
from content.games.cards.schema.steps import IntoPlay
from protocol.games.cards import events
from protocol.games.cards.table import Card, Position
from protocol.games.cards.words import Phase, Zone
from server.games.cards.rules import actions, effects, enemies, locations, setup
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

# Two rows: L1, a space, L2 above, L3 and L4 below; L5 is set aside.
#   L1  --  L2
#   L3  L4  .
GRID = """
locations: [card/l1, card/l2, card/l3, card/l4]
aside: [card/l5]
sets: [wild]
grid:
- {id: card/l1, at: {row: 1, column: 1}}
- {at: {row: 1, column: 2}}
- {id: card/l2, at: {row: 1, column: 3}}
- {id: card/l3, at: {row: 2, column: 1}}
- {id: card/l4, at: {row: 2, column: 2}}
"""
PLACES = "".join(
    f"- {{id: card/l{n}, symbol: s{n}, face: {{id: card/l{n}-seen, shroud: 2}}}}\n"
    for n in range(1, 6)
)
WILD = """
- {id: card/drifter, set: wild, fight: 2, health: 2, evade: 2, keywords: [hunter], in_spaces: true}
- id: card/lurker
  set: wild
  fight: 2
  health: 2
  evade: 2
  in_spaces: true
  spawns_in_space: true
- {id: card/hound, set: wild, fight: 2, health: 2, evade: 2, keywords: [hunter]}
"""
ON_GRID = content_of(locations=PLACES, enemies=WILD, scenario=GRID)

APART = content_of(
    enemies="""
    - id: card/newt
      fight: 1
      health: 1
      evade: 1
      spawn: {id: card/l2}
    - {id: card/hound, fight: 2, health: 2, evade: 2, keywords: [hunter]}
    """,
    scenario="separate: true\nlocations: [card/l1, card/l2]\n",
)


def set_up(bench: Bench) -> None:
    """Set the scenario up, without cards in hand: the lead is left to the first choice."""
    people = len(bench.game.players)
    bench.run(setup.set_up(bench.game), *([0] if people > 1 else []))


@pytest.fixture
def on_grid() -> Bench:
    bench = Bench(ON_GRID, is_begun=False)
    set_up(bench)
    return bench


@pytest.fixture
def apart() -> Bench:
    """Anna and Ben have a set of L1 and L2 each."""
    bench = Bench(APART, (ANNA, BEN), is_begun=False)
    set_up(bench)
    return bench


def space(bench: Bench) -> Card:
    (found,) = bench.game_table.lying(Zone.SPACE)
    return found


def own(bench: Bench, who: str, code: str) -> Card:
    """Return a location of the set of an investigator."""
    (found,) = [
        card for card in bench.game_table.lying(Zone.MAP) if (card.before, card.code) == (who, code)
    ]
    return found


def codes(bench: Bench, pieces: tuple[str, ...]) -> list[str]:
    return [bench.game_table.cards[piece].code for piece in pieces]


@pytest.mark.rule("C-BSPEC-4", "C-SECRET-18", "C-LOOK-4")
def test_a_grid_is_laid_out_with_its_empty_spaces_face_down(on_grid: Bench) -> None:
    at = {card.code: card.position for card in on_grid.game_table.lying(Zone.MAP)}
    assert at["card/l2"] == Position(1, 3)
    assert (space(on_grid).code, space(on_grid).position) == ("", Position(1, 2))
    assert on_grid.game_table.is_unknown(space(on_grid).handle)
    assert len(on_grid.in_deck("encounter")) == 2


@pytest.mark.rule("C-BSPEC-4", "C-BLOC-4")
def test_what_lies_side_by_side_on_a_grid_connects(on_grid: Bench) -> None:
    links = on_grid.game_table.links
    assert codes(on_grid, links[on_grid.piece("card/l1")]) == ["card/l3"]
    assert codes(on_grid, links[on_grid.piece("card/l4")]) == ["card/l3"]
    assert links[on_grid.piece("card/l2")] == ()


@pytest.mark.rule("C-EX-100", "C-GRID-1")
def test_distance_is_measured_through_empty_spaces(on_grid: Bench) -> None:
    away = locations.distances(on_grid.game, on_grid.piece("card/l1"))
    assert away[on_grid.piece("card/l2")] == 2


@pytest.mark.rule("C-GRID-1", "C-BACT-14")
def test_nobody_moves_into_an_empty_space(on_grid: Bench) -> None:
    assert space(on_grid).piece in locations.ways(on_grid.game, on_grid.piece("card/l1"))
    assert not locations.can_move(on_grid.game, ANNA, space(on_grid).piece)
    offered = actions.offers(on_grid.game, ANNA)
    assert [o.text.params for o in offered if o.text.subject == "choice/move"] == [("card/l3",)]


@pytest.mark.rule("C-EX-100", "C-GRID-1", "C-BENEMY-9")
@pytest.mark.parametrize(("code", "is_in_space"), [("card/drifter", True), ("card/hound", False)])
def test_some_enemies_pass_through_empty_spaces(
    on_grid: Bench, code: str, is_in_space: bool
) -> None:
    enemy = on_grid.lay(code, Zone.AT, on_grid.piece("card/l2"))
    on_grid.run(enemies.hunt(on_grid.game))
    assert (on_grid.game_table.cards[enemy].at.of == space(on_grid).piece) is is_in_space
    on_grid.run(enemies.hunt(on_grid.game))
    assert (on_grid.engaged_with(ANNA) == [code]) is is_in_space


@pytest.mark.rule("C-GRID-1", "C-SPAWN-2")
def test_some_enemies_spawn_in_an_empty_space(on_grid: Bench) -> None:
    lurker = on_grid.lay("card/lurker", Zone.RESOLVING, ANNA)
    on_grid.run(enemies.spawn(on_grid.game, lurker, ANNA))
    assert on_grid.card("card/lurker").at.of == space(on_grid).piece
    assert on_grid.engaged_with(ANNA) == []


def put(bench: Bench, code: str, row: int, column: int) -> bool:
    """Put a location at a position; return whether it is there."""
    effect = (IntoPlay(id=code, position=Spot(row, column)),)
    source = Source("", "", ANNA)
    bench.run(effects.resolve(bench.game, effect, source))
    return source.is_done


@pytest.mark.rule("C-GRID-2", "C-BLOC-12")
def test_a_location_comes_to_a_position_without_an_empty_space_card(on_grid: Bench) -> None:
    assert put(on_grid, "card/l5", 2, 3)
    links = on_grid.game_table.links[on_grid.piece("card/l5")]
    assert sorted(codes(on_grid, links)) == ["card/l2", "card/l4"]
    assert not on_grid.game_table.lying(Zone.ASIDE)


@pytest.mark.rule("C-EX-100", "C-GRID-2", "C-BLOC-12")
def test_a_location_moves_to_a_position_with_all_that_is_there(on_grid: Bench) -> None:
    hound = on_grid.lay("card/hound", Zone.AT, on_grid.piece("card/l2"), is_exhausted=True)
    assert put(on_grid, "card/l2", 3, 1)
    assert on_grid.card("card/l2").position == Position(3, 1)
    assert on_grid.game_table.cards[hound].at.of == on_grid.piece("card/l2")
    assert codes(on_grid, on_grid.game_table.links[on_grid.piece("card/l2")]) == ["card/l3"]


@pytest.mark.rule("C-GRID-2", "C-SECRET-18")
def test_a_location_takes_the_place_of_an_empty_space_whose_card_goes_under_its_deck(
    on_grid: Bench,
) -> None:
    hidden, handle = space(on_grid), space(on_grid).handle
    lurker = on_grid.lay("card/lurker", Zone.AT, hidden.piece)
    assert put(on_grid, "card/l5", 1, 2)
    assert on_grid.game_table.lying(Zone.SPACE) == ()
    assert on_grid.game_table.piles["encounter"][-1] == handle
    assert on_grid.game_table.cards[lurker].at.of == on_grid.piece("card/l5")
    assert on_grid.happened(events.Opened) == []


@pytest.mark.rule("C-GRID-2")
def test_no_location_goes_where_another_one_lies(on_grid: Bench) -> None:
    assert not put(on_grid, "card/l5", 2, 1)
    assert on_grid.card("card/l5").at.zone is Zone.ASIDE


@pytest.mark.rule("C-BSPEC-6")
def test_each_investigator_begins_in_a_set_of_locations_of_the_own(apart: Bench) -> None:
    assert len(apart.game_table.lying(Zone.MAP)) == 4
    for who in (ANNA, BEN):
        assert apart.who(who).location == own(apart, who, "card/l1").piece
        assert own(apart, who, "card/l1").face
        assert not own(apart, who, "card/l2").face


@pytest.mark.rule("C-EX-125", "C-BSPEC-6", "C-BLOC-4")
def test_connections_lead_to_locations_of_the_same_set(apart: Bench) -> None:
    for who in (ANNA, BEN):
        links = apart.game_table.links[own(apart, who, "card/l1").piece]
        assert links == (own(apart, who, "card/l2").piece,)


@pytest.mark.rule("C-EX-125", "C-BSPEC-6", "C-NEAR-1")
def test_the_nearest_is_looked_for_in_the_own_set(apart: Bench) -> None:
    far = apart.lay("card/hound", Zone.AT, own(apart, BEN, "card/l2").piece)
    cards = [apart.game_table.cards[far]]
    assert locations.nearest(apart.game, apart.who(BEN).location, cards) == cards
    assert locations.nearest(apart.game, apart.who(ANNA).location, cards) == []


@pytest.mark.rule("C-BSPEC-6", "C-BENEMY-31")
def test_a_hunter_hunts_in_its_own_set(apart: Bench) -> None:
    hound = apart.lay("card/hound", Zone.AT, own(apart, BEN, "card/l2").piece)
    apart.step(Phase.ENEMY, 1)
    assert apart.game_table.cards[hound].engaged == (BEN,)


@pytest.mark.rule("C-BSPEC-6", "C-SPAWN-2")
def test_an_enemy_spawns_in_the_set_of_who_drew_it(apart: Bench) -> None:
    newt = apart.lay("card/newt", Zone.RESOLVING, BEN)
    apart.run(enemies.spawn(apart.game, newt, BEN))
    assert apart.card("card/newt").at.of == own(apart, BEN, "card/l2").piece
