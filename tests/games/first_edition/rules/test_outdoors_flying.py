"""Flying monsters and links under a bridge: section 8, W-DECIDE-16 and W-DECIDE-56."""

import pytest

from content.games.first_edition.schema.story import LaidTile, Room
from protocol.boards.links import Link
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import (
    INVESTIGATOR_LINKS,
    UNDER,
    AttackKind,
    FeatureKind,
    MonsterClass,
)
from server.games.first_edition.rules import adjacency, attacks, monster_moves, monsters, turn
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.fights import give, weapon
from tests.games.first_edition.rules.lands import MEADOW, SHORE, bridge, land, lead_to
from tests.games.first_edition.rules.worlds import ADA, RAT, by_id, monster_card, world

rule = pytest.mark.rule

BAT = "monster/bat"
BATS = by_id(monster_card(BAT, MonsterClass.BEAST, flying=True))
PASSAGE = Link(UNDER, ("bridge/p", "bridge/q"))
STEPS = Link("ladder", ("bridge/p", "bridge/r"))


@rule("W-FLY-1", "W-CARD-3")
def test_everybody_is_told_of_the_wing_on_a_token_as_its_monster_comes() -> None:
    bench = land(monsters=BATS)

    monsters.put(bench.game, BAT, "pond/c")
    monsters.put(bench.game, RAT, "pond/c")

    kinds = [type(one) for one in bench.log if isinstance(one, fe.MonsterPlaced | fe.MonsterFlies)]
    assert kinds == [fe.MonsterPlaced, fe.MonsterFlies, fe.MonsterPlaced]
    assert bench.monster(BAT).is_flying
    assert not bench.monster(RAT).is_flying


@rule("W-FLY-2")
def test_the_flock_of_the_base_set_flies() -> None:
    monsters_of_base = manor().monsters

    assert monsters_of_base["monster/rook-parliament"].flying
    assert not monsters_of_base["monster/mute"].flying


@rule("W-FLY-3", "W-BARRIER-3", "W-FLY-5")
def test_a_flying_monster_crosses_barriers() -> None:
    bench = land(monsters=BATS, monsters_at=[(BAT, "pond/w")])

    assert lead_to(bench) == {"pond/a", "pond/c", "pond/e"}


@rule("W-FLY-3")
def test_who_flies_over_a_barrier_passes_the_barricade_beside_it() -> None:
    drawing = "+---+---+\n| a ! b |\n|   =   |\n+---+---+"
    tile = LaidTile("house", 0, 0, drawing, {"a": MEADOW, "b": SHORE})
    bench = world(story={"tiles": (tile,), "rooms": (Room(MEADOW), Room(SHORE))})
    bench.emit(fe.FeaturePlaced(FeatureKind.BARRICADE, "house/a"))
    bench.emit(fe.BarricadeSet("f1", "house/b"))

    assert adjacency.steps(bench.game_table, "house/a", (UNDER,)) == ("house/b",)
    assert adjacency.steps(bench.game_table, "house/a", INVESTIGATOR_LINKS) == ()


@rule("W-FLY-6", "W-DECIDE-16", "W-DECIDE-56")
@pytest.mark.parametrize("kind", [BAT, RAT])
def test_only_what_flies_passes_under_the_bridge(kind: str) -> None:
    bench = bridge(monsters=BATS, monsters_at=[(kind, "bridge/q")], links=[PASSAGE])

    assert lead_to(bench) == {"bridge/n", *(["bridge/p"] if kind == BAT else [])}
    assert "bridge/q" not in adjacency.beside(bench.game_table, "bridge/p", INVESTIGATOR_LINKS)


@rule("W-FLY-7")
def test_what_flies_is_stopped_by_walls_and_seen_like_any_monster() -> None:
    bench = bridge(monsters=BATS, monsters_at=[(BAT, "bridge/p")])
    assert "bridge/r" not in lead_to(bench)

    bench = land(monsters=BATS, monsters_at=[(BAT, "pond/w")])
    bench.give_rolls(10)
    bench.run(monster_moves.put(bench.game, bench.monster().monster_id, "pond/a"))
    assert bench.who(ADA).horror == 1


# The worked example of the bridge


def armed(reach: int) -> Bench:
    """Return Ada in p with a weapon of some range, and a flying monster in q."""
    gun = weapon("gun", AttackKind.RANGED, reach)
    bench = bridge(
        monsters=BATS,
        monsters_at=[(BAT, "bridge/q")],
        links=[PASSAGE, STEPS],
        items=by_id(gun),
    )
    give(bench, "item/gun")
    return bench


@rule("W-EX-24", "W-DECIDE-56", "K-DECIDE-53")
@pytest.mark.parametrize(("reach", "is_legal"), [(2, False), (3, True)])
def test_a_link_under_a_bridge_is_no_line_that_shortens_a_shot(reach: int, is_legal: bool) -> None:
    bench = armed(reach)

    assert adjacency.sees(bench.game_table, "bridge/p", "bridge/q")
    (reason,) = (why for _, why in attacks.targets(bench.game, ADA, reach))
    assert (reason is None) is is_legal


@rule("W-EX-24")
def test_no_range_is_enough_up_a_ladder_and_one_step_is() -> None:
    bench = armed(9)
    monsters.put(bench.game, RAT, "bridge/r")
    reasons = dict(attacks.targets(bench.game, ADA, 9))

    assert reasons[bench.monster(RAT).monster_id] is not None
    bench.give_rolls(1)
    bench.run(turn.take_step(bench.game), "bridge/r")
    assert (bench.who(ADA).space, bench.game_table.steps_left) == ("bridge/r", 1)
