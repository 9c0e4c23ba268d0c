"""Actions on fire: setting it, fighting it, and the uses of successes."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.scenario import TokenCard
from protocol.games.second_edition.events import (
    ActionSpent,
    FirePutOut,
    HarmTaken,
    PhaseBegan,
    PossessionDiscarded,
    TestDeclared,
)
from protocol.games.second_edition.table import Phase, Skill, TokenKind
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    begin_turn,
    entry,
    monster_card,
    offered,
    proceed,
    tile,
    world,
)
from tests.games.second_edition.rules.worlds_effects import LAMP, person, resolve
from tests.games.second_edition.rules.worlds_fire import (
    FIRE,
    HOLDER,
    burning,
    damage,
    laid,
    pair,
    row,
    search,
)

rule = pytest.mark.rule


# Setting fire --------------------------------------------------------------------------------


def lit_row(**parts: Any) -> Bench:
    """Return the row with Ada in b, who has a lamp."""
    return row(**{"at": {ADA: "house/b"}, "has": {ADA: [LAMP.id]}, **parts})


@rule("SETFIRE-1", "ACTION-3")
@pytest.mark.parametrize("letter", "abc")
def test_a_fire_is_set_here_or_next_door(letter: str) -> None:
    bench = lit_row()

    proceed(bench, "choice/set_fire", f"house/{letter}")

    assert burning(bench) == letter
    assert bench.happened(ActionSpent) == [ActionSpent(ADA, "set_fire")]
    assert bench.game_table.actions_left == 1


@rule("SETFIRE-1")
def test_no_farther_than_next_door() -> None:
    bench = lit_row()

    proceed(bench, "choice/set_fire", ...)

    assert bench.open is not None
    places = [option.points[0].piece for option in bench.open.prompts[0].options]
    assert places == ["house/b", "house/a", "house/c"]


@rule("SETFIRE-2")
def test_it_takes_a_light_source() -> None:
    bench = row(at={ADA: "house/b", BEN: "house/b"}, has={BEN: [LAMP.id]})
    assert "choice/set_fire" not in offered(bench)

    begin_turn(bench, BEN)

    assert "choice/set_fire" in offered(bench)


@rule("SETFIRE-2")
def test_without_the_light_it_comes_to_nothing() -> None:
    """The monster takes the lamp in the evade check, so nothing burns, but the action is spent."""
    thief = monster_card(evades=(entry(steps.LoseItem(LAMP.id)),))
    bench = lit_row(monsters=[(DROWNED, "house/b")], monster_cards=[thief])

    proceed(bench, "choice/set_fire")

    assert bench.happened(PossessionDiscarded)
    assert burning(bench) == ""
    assert bench.game_table.actions_left == 1


@rule("EVADE-4", "SETFIRE-1")
def test_setting_a_fire_calls_for_an_evade_check() -> None:
    bench = lit_row(monsters=[(DROWNED, "house/b")], monster_cards=[HOLDER])

    proceed(bench, "choice/set_fire")

    assert burning(bench) == ""


@rule("SETFIRE-5", "WALL-2")
def test_fire_is_not_set_through_walls() -> None:
    picture = "+---+---+---+\n| b | a = c |\n+---+---+---+"
    explore = TokenCard("token/door", TokenKind.EXPLORE, "house/a=house/c", ())
    bench = world(tiles=[tile(picture)], tokens=[explore], items=[LAMP], has={ADA: [LAMP.id]})

    proceed(bench, "choice/set_fire", ...)

    assert bench.open is not None
    places = [option.points[0].piece for option in bench.open.prompts[0].options]
    assert places == ["house/a", "house/c"]


@rule("FIRE-11", "SETFIRE-1")
def test_what_burns_is_not_set_on_fire_again() -> None:
    """The last free space is chosen without a question; after that the action is not offered."""
    bench = lit_row(burning="ab")
    resolve(bench, steps.PlaceFeature(FIRE, "house/d"))

    proceed(bench, "choice/set_fire")

    assert burning(bench) == "abcd"
    assert "choice/set_fire" not in offered(bench)


@rule("DECIDE-80")
def test_setting_ones_own_space_on_fire_does_not_hurt() -> None:
    bench = lit_row(tokens=[search(at="house/b")])

    proceed(bench, "choice/set_fire", "house/b")
    assert damage(bench) == 0
    proceed(bench, "text/search")

    assert damage(bench) == 1


@rule("SETFIRE-3", "DECIDE-14")
def test_the_first_fire_need_not_be_reported() -> None:
    """No player tells the server of the Fire, which spreads in the next Mythos phase."""
    bench = lit_row()
    proceed(bench, "choice/set_fire", "house/a")

    assert not any("report" in choice for choice in offered(bench))
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    proceed(bench)

    assert burning(bench) == "ab"


# Fighting it ---------------------------------------------------------------------------------


def fought(bench: Bench, dice: str, *answers: Any) -> Bench:
    """Have Ada fight the fire with these dice."""
    bench.give_dice(dice)
    proceed(bench, "choice/fight_fire", *answers)
    return bench


@rule("FIRE-4", "COMPONENT-3", "COMPONENT-5", "FEATURE-2")
def test_fire_is_fought_with_an_agility_test() -> None:
    bench = fought(row(burning="a"), "SBB", "choice/put_out")

    assert bench.game_table.tokens == {}
    assert bench.happened(ActionSpent) == [ActionSpent(ADA, "component")]
    (test,) = bench.happened(TestDeclared)
    assert (test.investigator, test.skill, test.difficulty) == (ADA, Skill.AGILITY, None)
    assert burning(bench) == ""


@rule("FIRE-4")
def test_without_a_success_the_fire_burns_on() -> None:
    """Fighting is an action in fire, so it hurts Ada (FIRE-2)."""
    bench = fought(row(burning="a"), "BBB")

    assert (burning(bench), damage(bench)) == ("a", 1)


@rule("FIRE-5", "FIRE-6")
def test_fire_that_was_put_out_does_not_hurt() -> None:
    bench = fought(row(burning="a"), "SBB", "choice/put_out")

    assert (burning(bench), damage(bench)) == ("", 0)
    assert person(bench).quenches == 0


@rule("FIRE-5")
def test_nobody_has_to_put_out() -> None:
    """If Ada lets the fire burn, it hurts her, and she keeps her success for a later space."""
    bench = fought(row(burning="ac"), "SBB", "choice/let_burn")

    assert (burning(bench), damage(bench), person(bench).quenches) == ("ac", 1, 1)
    proceed(bench, "house/b", "house/c", "choice/put_out")

    assert (burning(bench), damage(bench), person(bench).quenches) == ("a", 1, 0)


@rule("FIRE-5", "FIRE-6", "DECIDE-84")
def test_a_success_is_used_on_entering_before_the_fire_hurts() -> None:
    """Two spaces are entered with one success, so the second one hurts."""
    bench = fought(row(burning="bc"), "SBB")

    proceed(bench, "house/b", "choice/put_out", "house/c")

    assert (burning(bench), damage(bench)) == ("c", 1)


@rule("DECIDE-84")
def test_successes_add_up_and_are_their_owners_alone() -> None:
    """Ben enters after Ada has declined, and is hurt without a question."""
    bench = fought(pair(burning="c"), "SBB")
    fought(bench, "SSB")
    assert person(bench).quenches == 3

    resolve(bench, steps.PlaceInvestigator("house/c", steps.Who.OTHERS))

    assert damage(bench, BEN) == 1
    assert burning(bench) == "c"


@rule("DECIDE-83")
@pytest.mark.parametrize(("burns", "is_offered"), [("", False), ("a", True), ("e", True)])
def test_fire_can_be_fought_wherever_it_burns(burns: str, is_offered: bool) -> None:
    bench = row(burning=burns)

    assert any("fight_fire" in choice for choice in offered(bench)) is is_offered


@rule("DECIDE-6", "DECIDE-84")
def test_successes_last_until_the_round_is_over() -> None:
    """Successes survive the turn and the Mythos phase, and are gone in the next round."""
    bench = fought(row(burning="cd"), "SSB")
    proceed(bench, "choice/end_turn")
    proceed(bench)
    resolve(bench, steps.PlaceInvestigator("house/c"), answers=["choice/put_out"])
    assert (burning(bench), damage(bench), person(bench).quenches) == ("d", 0, 1)

    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    resolve(bench, steps.PlaceInvestigator("house/d"))

    assert (burning(bench), damage(bench)) == ("d", 1)


@rule("EVADE-4", "FIRE-4")
def test_a_monster_must_be_evaded_first() -> None:
    bench = row(burning="e", monsters=[(DROWNED, "house/a")], monster_cards=[HOLDER])

    proceed(bench, "choice/fight_fire")

    assert bench.happened(TestDeclared) == []


# Worked example ------------------------------------------------------------------------------


@rule("EX-24")
def test_example_through_fire() -> None:
    """Moving into fire costs one Damage, and searching in it another."""
    bench = row(burning="bc", tokens=[search(at="house/b")])

    proceed(bench, "house/b", "choice/stop")
    assert damage(bench) == 1
    proceed(bench, "text/search")

    assert damage(bench) == 2


@rule("EX-24")
def test_example_putting_it_out() -> None:
    """The first success extinguishes a, the second b on entering it, so Ada takes no Damage."""
    bench = fought(row(burning="ab"), "SSB", "choice/put_out")

    proceed(bench, "house/b", "choice/put_out", "choice/stop")

    assert (burning(bench), bench.happened(HarmTaken)) == ("", [])
    assert len(bench.happened(FirePutOut)) == 2


@rule("EX-24", "DECIDE-81")
def test_example_forfeiting_in_fire() -> None:
    """Any action forfeited in fire costs exactly one Damage."""
    bench = laid(
        row(monsters=[(DROWNED, "house/a")], monster_cards=[HOLDER], tokens=[search()]),
        burning="ab",
    )

    for count, answer in enumerate(("text/search", "house/b"), start=1):
        proceed(bench, answer)
        assert damage(bench) == count
