"""Subjects of triggers: the investigator and the monster of the moment."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ItemCard
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.events import CluesGained, MonsterDamaged
from server.games.second_edition.rules import activation, harm, possessions, steal, trade
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    investigator_card,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve
from tests.games.second_edition.rules.worlds_order import trigger

THREE = {ADA: "house/c", BEN: "house/a", CORA: "house/a"}
HURT = steps.DamageMonster(Amount(1))


def watched(on: Moment, *effect: Any, **parts: Any) -> Bench:
    """Return a world with a trigger that gives its actor a Clue; Ada's seat is the first."""
    come = trigger(on, *effect, text=None)
    parts.setdefault("at", THREE)
    return world(
        scenario_parts={"triggers": (come,)}, items=[ItemCard("item/rope", "common")], **parts
    )


def rewarded(bench: Bench) -> list[str]:
    """Return who gained a Clue."""
    return [event.investigator for event in bench.happened(CluesGained)]


@pytest.mark.parametrize("on", [Moment.SPACE_ENTERED, Moment.ROOM_ENTERED])
def test_whoever_enters_a_space(on: Moment) -> None:
    """Ben enters Ada's space."""
    bench = watched(on)

    resolve(bench, steps.PlaceInvestigator("house/c"), actor=BEN)

    assert rewarded(bench) == [BEN]


@pytest.mark.parametrize(
    ("on", "amounts"),
    [
        (Moment.INVESTIGATOR_WOUNDED, {"damage": 1}),
        (Moment.INVESTIGATOR_INSANE, {"horror": 1}),
    ],
)
def test_whoever_is_wounded_or_insane(on: Moment, amounts: dict[str, Any]) -> None:
    """Ben is Wounded or becomes Insane in Ada's turn."""
    bench = watched(on, investigators=[investigator_card(BEN, health=1, sanity=1)])

    bench.run(harm.suffer(bench.game, BEN, facedown=True, **amounts))

    assert rewarded(bench) == [BEN]


def test_whoever_has_stolen() -> None:
    """Cora steals from Ben."""
    bench = watched(Moment.ITEM_GAINED, has={BEN: ["item/rope"]}, turn_of=CORA)
    bench.give_dice("SBB BBB")

    bench.run(steal.steal(bench.game, CORA, BEN), "skill/agility", ("item/rope",))

    assert rewarded(bench) == [CORA]


def test_whoever_has_picked_up() -> None:
    bench = watched(Moment.ITEM_GAINED, has={CORA: ["item/rope"]}, turn_of=BEN)
    possessions.drop(bench.game, CORA, "p1")

    bench.run(trade.pick_up(bench.game, BEN, "p1", "house/a", {}))

    assert rewarded(bench) == [BEN]


def test_the_monster_that_has_appeared() -> None:
    bench = watched(Moment.MONSTER_SPAWNED, HURT, monsters=[(RAT, "house/b")])

    resolve(bench, steps.Spawn(kind=DROWNED, at="house/b"))

    assert [event.monster for event in bench.happened(MonsterDamaged)] == ["m2"]


def test_the_one_whom_a_monster_moved_toward() -> None:
    bench = watched(
        Moment.MONSTER_ACTIVATED,
        steps.GainClues(),
        HURT,
        at={ADA: "house/c", BEN: "house/a"},
        monsters=[(RAT, "house/a")],
        turn_of=None,
    )

    bench.run(activation.act(bench.game, "m1"))

    assert rewarded(bench) == [BEN]
    assert [event.monster for event in bench.happened(MonsterDamaged)] == ["m1"]
