"""Boats: section 12 and W-DECIDE-13 to W-DECIDE-18."""

from collections.abc import Callable
from typing import Any

import pytest

from content.games.first_edition.schema import effects as steps
from protocol.boards.links import Link
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import UNDER, FeatureKind
from server.games.first_edition.rules import effects, movement, turn
from server.games.first_edition.rules.play import Source
from server.kernel.asks import Option
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.house import refused
from tests.games.first_edition.rules.lands import BOAT, bridge, land
from tests.games.first_edition.rules.test_outdoors_pits import PIT, ROOT, pit_at, pitted
from tests.games.first_edition.rules.worlds import ADA, BEN, CORA, SHADE, by_id, item_card

rule = pytest.mark.rule
OARS = "item/oars"
KEY = by_id(item_card("oars"))
KEEPERS = Source("mythos/any", ADA)
OWN = Source("spell/any", ADA, by_actor=True)


def said(subject: str, space: str = "") -> Callable[[Option[Any]], bool]:
    """Return an answer: the option of exactly this subject, to this space."""

    def fits(option: Option[Any]) -> bool:
        points = [point.piece for point in option.points]
        return option.text.subject == subject and (not space or space in points)

    return fits


def ashore(*people: str, at: str = "pond/a", **given: Any) -> Bench:
    """Return a world by the pond with a boat beside Ada and others."""
    fields = {"submerged": (), **given.pop("story", {})}
    return land(people=people or (ADA,), features=[(BOAT, at)], story=fields, **given)


def boat_at(bench: Bench) -> str:
    (boat,) = [one for one in bench.game_table.features.values() if one.kind is BOAT]
    return boat.at


def offered(bench: Bench, subject: str) -> list[str]:
    """Return the spaces of the options of a subject in the open question."""
    assert bench.open is not None
    found = [one for prompt in bench.open.prompts.values() for one in prompt.options]
    return [point.piece for one in found if one.text.subject == subject for point in one.points]


# Who, and where to


@rule("W-BOAT-1", "W-DECIDE-14", "W-FEATURE-1", "W-CARD-5")
def test_a_step_takes_the_boat_and_who_is_in_it_across_a_barrier() -> None:
    bench = ashore()
    go(bench, ...)
    assert offered(bench, "choice/row") == ["pond/w"]

    go(bench, said("choice/row"))

    assert (bench.who(ADA).space, boat_at(bench)) == ("pond/w", "pond/w")
    assert bench.game_table.steps_left == 1
    go(bench, ...)
    assert offered(bench, "choice/row") == ["pond/a", "pond/c", "pond/e"]


@rule("W-BOAT-1", "W-DECIDE-13")
def test_without_a_boat_in_the_own_space_nobody_rows() -> None:
    bench = ashore(at="pond/c")

    go(bench, ...)

    assert offered(bench, "choice/row") == []


@rule("W-DECIDE-13", "W-CARD-5")
def test_the_boat_needs_its_key_if_it_has_one() -> None:
    bench = ashore(story={"boat_key": OARS}, items=KEY)
    assert refused(bench)["choice/row"] == "W-DECIDE-13"

    bench.emit(fe.ItemGained(ADA, OARS, (), None))
    go(bench, said("choice/row"))

    assert boat_at(bench) == "pond/w"


@rule("W-DECIDE-14")
def test_without_a_step_nobody_rows() -> None:
    bench = ashore()
    bench.emit(fe.StepsLimited(ADA, 0))

    assert refused(bench)["choice/row"] == "K-TURN-1"


@rule("W-PIT-4", "W-DECIDE-14")
def test_who_fell_into_a_pit_does_not_row() -> None:
    bench = pitted("pond/a", at={ADA: "pond/d"}, features=[(BOAT, "pond/a")])
    go(bench, "pond/a")

    assert refused(bench)["choice/row"] == "W-PIT-4"


@rule("W-DECIDE-14")
def test_somebody_hidden_does_not_row() -> None:
    bench = ashore()
    bench.emit(fe.FeaturePlaced(FeatureKind.HIDING_SPOT, "pond/a"))
    spot = list(bench.game_table.features)[-1]
    bench.emit(fe.Hid(ADA, spot))

    assert refused(bench)["choice/row"] == "K-HIDE-2"


@rule("W-BOAT-2", "W-DECIDE-16", "W-DECIDE-56")
def test_a_boat_passes_under_the_bridge_by_its_link() -> None:
    under = (Link(UNDER, ("bridge/p", "bridge/q")),)
    bench = bridge(links=under, features=[(BOAT, "bridge/p")])

    go(bench, said("choice/row", "bridge/q"))

    assert (bench.who(ADA).space, boat_at(bench)) == ("bridge/q", "bridge/q")
    on_foot = bridge(links=under)
    go(on_foot, ...)
    assert "bridge/q" not in offered(on_foot, "choice/move")


@rule("W-DECIDE-14", "W-DECIDE-9")
def test_the_tests_of_a_step_are_taken_in_the_boat_too() -> None:
    bench = ashore(monsters_at=[(SHADE, "pond/a"), (SHADE, "pond/w")])
    bench.give_rolls(1, 1)

    go(bench, said("choice/row"))

    of_step = (fe.Evaded, fe.StepSpent, fe.Moved, fe.TestEnded)
    order = [type(one) for one in bench.log if isinstance(one, of_step)]
    assert order == [fe.Evaded, fe.TestEnded, fe.StepSpent, fe.Moved, fe.TestEnded]


@rule("W-DECIDE-18")
def test_an_effect_puts_a_boat_only_beside_a_barrier() -> None:
    bench = land()
    place = steps.PlaceFeature(BOAT, "pond/d")
    bench.run(effects.resolve(bench.game, (place,), KEEPERS))
    assert not bench.game_table.features

    bench.run(effects.resolve(bench.game, (steps.PlaceFeature(BOAT, "chosen"),), KEEPERS), ...)

    assert offered(bench, "choice/space") == ["pond/a", "pond/c", "pond/e", "pond/w"]


# Together


@rule("W-BOAT-3", "W-DECIDE-15")
def test_who_wants_to_comes_along_and_who_does_not_stays() -> None:
    bench = ashore(ADA, BEN, CORA)

    go(bench, {1: said("choice/row")}, {2: "choice/board"}, {3: "choice/stay_ashore"})

    assert [bench.who(one).space for one in (ADA, BEN, CORA)] == ["pond/w", "pond/w", "pond/a"]
    assert bench.game_table.steps_left == 1
    assert [ask.rule for ask in bench.asked] == ["K-TURN-2", "W-DECIDE-15", "W-DECIDE-15"]


@rule("W-DECIDE-15")
def test_the_one_who_rows_can_refuse_company() -> None:
    bench = ashore(ADA, BEN)

    go(bench, {1: said("choice/row_alone")})

    assert [bench.who(one).space for one in (ADA, BEN)] == ["pond/w", "pond/a"]
    assert len(bench.asked) == 1


@rule("W-DECIDE-15")
def test_each_gets_off_at_any_space_on_the_way() -> None:
    bench = ashore(ADA, BEN)
    go(bench, {1: said("choice/row")}, {2: "choice/board"})

    go(bench, {1: said("choice/row", "pond/c")}, {2: "choice/stay_ashore"})

    assert [bench.who(one).space for one in (ADA, BEN)] == ["pond/c", "pond/w"]


@rule("W-DECIDE-15")
def test_each_takes_the_own_evade_and_horror_tests() -> None:
    bench = ashore(ADA, BEN, monsters_at=[(SHADE, "pond/a"), (SHADE, "pond/w")])
    bench.give_rolls(1, 1, 1, 1)

    go(bench, {1: said("choice/row")}, {2: "choice/board"})

    assert [one.investigator for one in bench.happened(fe.TestDeclared)] == [ADA, BEN, ADA, BEN]


@rule("W-PIT-4", "W-DECIDE-15")
def test_who_lies_in_a_pit_is_not_taken_along() -> None:
    bench = pitted("pond/a", people=(ADA, BEN), at={BEN: "pond/d"}, features=[(BOAT, "pond/a")])
    bench.run(movement.put(bench.game, BEN, "pond/a"))

    go(bench, {1: said("choice/row")})

    assert bench.who(BEN).space == "pond/a"
    assert len(bench.asked) == 1


@rule("W-PIT-13", "W-BOAT-3", "W-EX-11")
def test_a_pit_hurts_each_who_arrives_in_a_boat() -> None:
    bench = pitted("pond/w", markers=(ROOT,), people=(ADA, BEN), features=[(BOAT, "pond/a")])

    go(bench, {1: said("choice/row")}, {2: "choice/board"})

    assert (bench.who(ADA).damage, bench.who(BEN).damage) == (1, 1)
    assert pit_at(bench, "pond/w") == []
    assert [one.figures for one in bench.happened(fe.PitTriggered)] == [(ADA, BEN)]
    assert not bench.game_table.features_at("pond/w", PIT)


# Effects


@rule("W-DECIDE-14")
def test_an_effect_that_moves_somebody_by_spaces_may_take_the_boat() -> None:
    bench = ashore(ADA, BEN)

    bench.run(movement.lead(bench.game, ADA, 1, OWN), {1: said("choice/row")}, {2: "choice/board"})

    assert [bench.who(one).space for one in (ADA, BEN)] == ["pond/w", "pond/w"]
    assert bench.game_table.steps_left == 2


@rule("W-PIT-15", "W-PIT-13")
def test_levitation_passes_over_a_pit_in_a_boat_and_takes_nobody_else_over_it() -> None:
    bench = pitted("pond/w", markers=(ROOT,), people=(ADA, BEN), features=[(BOAT, "pond/a")])

    floats = movement.lead(bench.game, ADA, 1, OWN, over_pits=True)
    bench.run(floats, {1: said("choice/row")}, {2: "choice/board"})

    assert [bench.who(one).space for one in (ADA, BEN)] == ["pond/w", "pond/w"]
    assert (bench.who(ADA).damage, bench.who(BEN).damage) == (0, 1)


@rule("W-DECIDE-17")
def test_the_keeper_moves_somebody_by_boat_without_others() -> None:
    bench = ashore(ADA, BEN)

    bench.run(movement.lead(bench.game, ADA, 1, KEEPERS), {KIM: said("choice/row")})

    assert [bench.who(one).space for one in (ADA, BEN)] == ["pond/w", "pond/a"]
    assert len(bench.asked) == 1


@rule("W-DECIDE-17", "W-DECIDE-13")
def test_the_keeper_moves_nobody_by_a_boat_that_they_could_not_use() -> None:
    bench = ashore(story={"boat_key": OARS}, items=KEY)

    bench.run(movement.lead(bench.game, ADA, 1, KEEPERS), ...)

    assert offered(bench, "choice/row") == []


@rule("W-WATER-8", "W-DECIDE-17")
def test_the_keeper_rows_nobody_into_the_water() -> None:
    bench = ashore(story={"submerged": ("pond/w",)})

    bench.run(movement.lead(bench.game, ADA, 1, KEEPERS), ...)

    assert offered(bench, "choice/row") == []


@rule("W-DECIDE-14")
def test_a_card_that_takes_the_boat_away_before_the_step_leaves_everybody_ashore() -> None:
    bench = ashore()
    asked = turn.offers(bench.game, ADA)
    (row,) = [one for one in asked.options if one.text.subject == "choice/row"]
    (boat,) = bench.game_table.features
    bench.emit(fe.FeatureRemoved(boat))

    bench.run(row.value())

    assert bench.who(ADA).space == "pond/a"
