"""Corrections of a monster's damage, by agreement of all players."""

import pytest

from protocol.common.text import Text
from protocol.games.second_edition.events import GameEnded, MonsterDiscarded
from protocol.games.second_edition.table import Ending
from server.games.second_edition.rules import monsters
from server.games.second_edition.rules.ruleset import SecondEdition
from server.kernel.game import correction_of
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, monster_card, offered, proceed, world

rule = pytest.mark.rule


def hurt(damage: int = 2) -> Bench:
    """Return a board with a monster of three health and some damage."""
    bench = world(monsters=[("monster/drowned", "house/a")], monster_cards=[monster_card()])
    bench.run(monsters.damage(bench.game, "m1", damage))
    return bench


def damage(bench: Bench) -> int:
    return bench.game_table.monsters["m1"].damage


def correct(bench: Bench, amount: int, monster: str = "m1") -> bool:
    """Set a monster's damage; return False if the menu does not offer that."""
    found = correction_of(SecondEdition().corrections(bench.game_table), monster, amount)
    if found is not None:
        bench.emit(found.event_for(amount))
    return found is not None


@rule("APP-8")
@rule("DECIDE-49")
@pytest.mark.parametrize("amount", [0, 1, 3])
def test_damage_is_lowered_and_raised(amount: int) -> None:
    bench = hurt()

    correct(bench, amount)

    assert damage(bench) == amount


@rule("APP-8")
@rule("MONSTER-11")
def test_a_monster_set_to_its_health_is_defeated_next() -> None:
    bench = hurt()
    correct(bench, 3)

    proceed(bench)

    assert bench.happened(MonsterDiscarded) == [MonsterDiscarded("m1", is_defeated=True)]
    assert bench.game_table.active == ADA
    assert "choice/end_turn" in offered(bench)


@rule("DECIDE-49")
@pytest.mark.parametrize(("piece", "amount"), [("m1", 4), ("m1", -1), ("m1", 2), ("m2", 1)])
def test_what_no_menu_shows_cannot_be_set(piece: str, amount: int) -> None:
    """The cases: more damage than health, a negative number, no change, an absent monster."""
    bench = hurt()

    assert not correct(bench, amount, piece)
    assert damage(bench) == 2


@rule("DECIDE-49")
def test_a_correction_agreed_on_too_late_does_nothing() -> None:
    """The monster has left meanwhile."""
    bench = hurt()
    bench.run(monsters.discard(bench.game, "m1"))

    assert not correct(bench, 1)
    assert bench.game_table.monsters == {}


@rule("WIN-3")
@rule("DECIDE-49")
def test_a_correction_agreed_on_while_the_game_ended_does_nothing() -> None:
    bench = hurt()
    bench.emit(GameEnded(Ending(is_won=False, epilogue=Text("text/over"), results=())))

    assert not correct(bench, 1)
    assert damage(bench) == 2
