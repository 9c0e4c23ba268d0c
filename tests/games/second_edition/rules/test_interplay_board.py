"""Order of entering, acting and triggers: it is asked for only if it can matter."""

from collections.abc import Sequence
from typing import Any

import pytest

from content.games.second_edition.schema import board_steps as more
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.effects import Amount, Toward
from content.games.second_edition.schema.monster_steps import Activate, MoveMonster, PlaceMonster
from content.games.second_edition.schema.scenario import Moment, Trigger
from content.games.second_edition.schema.targets import Which, Who
from protocol.games.second_edition.events import (
    HarmTaken,
    InvestigatorMoved,
    MonsterDamaged,
    MonsterMoved,
)
from protocol.games.second_edition.table import FeatureKind, Harm
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    HOUSE_ROOMS,
    RAT,
    ROW,
    activation,
    harm_card,
    monster_card,
    tile,
)
from tests.games.second_edition.rules.worlds_effects import resolve, resolves, told
from tests.games.second_edition.rules.worlds_order import (
    ANOTHER,
    BACKWARDS,
    EVERYBODY,
    RATS,
    USUAL,
    asked,
    three,
    trigger,
)

rule = pytest.mark.rule

# Placing people ------------------------------------------------------------------------------


def row(*come: Trigger, at: Any = None, **parts: Any) -> Bench:
    """Return five spaces in a row, with everybody at the left end."""
    where = at or dict.fromkeys(EVERYBODY, "house/a")
    return three(*come, at=where, tiles=[tile(ROW)], **parts)


def moved(bench: Bench, since: int = 3) -> list[tuple[str, str]]:
    """Return who moved where, in order, without the three who came to the board."""
    return [(e.investigator, e.space) for e in bench.happened(InvestigatorMoved)[since:]]


@rule("CONFLICT-2")
def test_the_group_says_who_is_put_into_the_nearest_empty_space_first() -> None:
    bench = row()

    step = steps.PlaceInvestigator("nearest", who=Who.OTHERS)
    resolve(bench, step, answers=[ANOTHER, ("cora", "ben")])

    assert moved(bench) == [(CORA, "house/b"), (BEN, "house/c")]


@rule("CONFLICT-2")
@pytest.mark.parametrize(
    ("at", "who", "times"),
    [
        ("farthest", Who.OTHERS, 1),
        # The actor's own space is another once they were placed.
        ("adjacent", Who.ALL, 1),
        ("adjacent", Who.OTHERS, 0),
        ("start", Who.ALL, 0),
        ("house/e", Who.ALL, 0),
        ("random", Who.ALL, 0),
        ("nearest", Who.ACTOR, 0),
    ],
)
def test_the_order_of_placing_is_asked_where_it_changes_the_spaces(
    at: str, who: Who, times: int
) -> None:
    bench = row()

    resolve(bench, steps.PlaceInvestigator(at, who=who), answers=[USUAL] * times)

    assert asked(bench) == times


@rule("CONFLICT-2")
@pytest.mark.parametrize(
    ("come", "times"),
    [
        (trigger(Moment.SPACE_ENTERED, of="house/e"), 1),
        (trigger(Moment.SPACE_ENTERED, of="house/d"), 0),
        (trigger(Moment.ROOM_ENTERED, of="room/hall"), 1),
        (trigger(Moment.ROOM_ENTERED, of="room/study"), 0),
        (trigger(Moment.SPACE_ENTERED), 1),
        (trigger(Moment.SPACE_ENTERED, text=None), 0),
    ],
)
def test_the_order_of_placing_is_asked_where_a_trigger_waits_there(
    come: Trigger, times: int
) -> None:
    bench = row(come)

    resolve(bench, steps.PlaceInvestigator("house/e", who=Who.ALL), answers=[USUAL] * times)

    assert asked(bench) == times


@rule("CONFLICT-2")
@rule("DECIDE-55")
@pytest.mark.parametrize(("at", "copies", "times"), [("e", 2, 1), ("e", 3, 0), ("d", 2, 0)])
def test_the_order_of_placing_is_asked_where_fire_has_too_few_damage_cards(
    at: str, copies: int, times: int
) -> None:
    harms = [harm_card("damage/plain", Harm.DAMAGE, copies=copies)]
    bench = row(harms=harms)
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/e"))

    step = steps.PlaceInvestigator(f"house/{at}", who=Who.ALL)
    resolve(bench, step, answers=[ANOTHER, BACKWARDS] if times else [])

    assert asked(bench) == 2 * times
    burnt = [CORA, BEN] if times else [ADA, BEN, CORA]
    assert [e.investigator for e in bench.happened(HarmTaken)] == (burnt if at == "e" else [])


@rule("DECIDE-142")
def test_the_damage_of_fire_is_facedown_so_that_its_text_reaches_nobody() -> None:
    text = steps.Suffer(horror=Amount(1), facedown=True, who=Who.OTHERS)
    bench = row(harms=[resolves("damage/blast", Harm.DAMAGE, text)])
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/e"))

    resolve(bench, steps.PlaceInvestigator("house/e", who=Who.ALL))

    assert asked(bench) == 0


@rule("CONFLICT-2")
def test_the_order_of_moving_is_asked_where_fire_has_too_few_damage_cards() -> None:
    bench = row(harms=[harm_card("damage/plain", Harm.DAMAGE, copies=2)])
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/b"))
    step = steps.PlaceInvestigator(who=Who.ALL, toward=Toward("house/e", 1))

    resolve(bench, step, answers=[ANOTHER, BACKWARDS])

    assert [e.investigator for e in bench.happened(HarmTaken)] == [CORA, BEN]


@rule("DECIDE-142")
def test_monsters_that_fire_cannot_defeat_are_not_ordered() -> None:
    """Each monster has 2 health left, and fire deals 1."""
    bench = infested(trigger(DEFEATED), at=("house/d", "house/d"))
    resolve(bench, steps.DamageMonster(Amount(1), which=Which.ALL))
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/e"))

    resolve(bench, PlaceMonster("house/e", which=Which.ALL))

    assert asked(bench) == 0


@rule("CONFLICT-2")
@pytest.mark.parametrize(
    ("come", "times"),
    [((), 0), ((trigger(Moment.SPACE_ENTERED, of="house/b"),), 1)],
)
def test_the_order_of_moving_is_asked_where_a_trigger_waits(
    come: Sequence[Trigger], times: int
) -> None:
    bench = row(*come)
    step = steps.PlaceInvestigator(who=Who.ALL, toward=Toward("house/e", 1))

    answers = [ANOTHER, BACKWARDS] if times else []
    resolve(bench, step, answers=answers)

    order = [CORA, BEN, ADA] if times else [ADA, BEN, CORA]
    assert moved(bench) == [(who, "house/b") for who in order]


SHED = """
+-----+
=     |
=  a  |
|     |
+-----+
"""


@rule("CONFLICT-2")
@rule("TILE-3")
@pytest.mark.parametrize(
    ("to", "come", "times"),
    [
        ("nearest", (), 0),
        ("farthest", (), 1),
        ("house/a", (), 0),
        ("nearest", (trigger(Moment.SPACE_ENTERED),), 1),
        ("nearest", (trigger(Moment.SPACE_ENTERED, of="house/c"),), 1),
        ("nearest", (trigger(Moment.SPACE_ENTERED, of="attic/a"),), 0),
    ],
)
def test_the_order_of_leaving_a_tile_is_asked_where_it_changes_something(
    to: str, come: Sequence[Trigger], times: int
) -> None:
    tiles = (tile(rooms=HOUSE_ROOMS), tile(SHED, {"a": "room/study"}, id="shed", column=20))
    at = {ADA: "house/a", BEN: "shed/a", CORA: "shed/a"}
    bench = three(*come, at=at, tiles=tiles)

    answers = [ANOTHER, ("cora", "ben")] if times else []
    resolve(bench, more.RemoveTile("shed", to=to), answers=answers)

    assert [who for who, _ in moved(bench)] == ([CORA, BEN] if times else [BEN, CORA])


# Monsters ------------------------------------------------------------------------------------


def infested(*come: Trigger, at: Sequence[str] = ("house/c", "house/d"), **parts: Any) -> Bench:
    """Return the row with two rats."""
    return row(*come, monsters=[(RAT, space) for space in at], **parts)


def of_monsters(bench: Bench, kind: Any) -> list[str]:
    """Return the monsters in the events of a kind, in order."""
    return [event.monster for event in bench.happened(kind)]


DEFEATED = Moment.MONSTER_DEFEATED


@rule("CONFLICT-2")
@pytest.mark.parametrize(
    ("come", "amount", "times"),
    [
        ((), 3, 0),
        ((trigger(DEFEATED, of=RAT),), 3, 1),
        ((trigger(DEFEATED, of="monster/other"),), 3, 0),
        ((trigger(DEFEATED, once=False),), 3, 0),
        # None of them is defeated by it.
        ((trigger(DEFEATED, of=RAT),), 2, 0),
    ],
)
def test_the_group_orders_monsters_that_are_hurt_where_a_trigger_waits_for_a_defeat(
    come: Sequence[Trigger], amount: int, times: int
) -> None:
    bench = infested(*come)

    step = steps.DamageMonster(Amount(amount), which=Which.ALL)
    resolve(bench, step, answers=[ANOTHER, ("m2", "m1")] if times else [])

    assert asked(bench) == 2 * times
    assert of_monsters(bench, MonsterDamaged) == (["m2", "m1"] if times else ["m1", "m2"])


@rule("DECIDE-142")
@pytest.mark.parametrize(("damage", "times"), [(0, 0), (1, 1)])
def test_monsters_are_not_ordered_where_one_alone_can_be_defeated(damage: int, times: int) -> None:
    """The trigger comes once and concerns nobody else.

    If both can be defeated, the order matters.
    """
    bench = infested(trigger(DEFEATED))
    hurt = steps.DamageMonster(Amount(1), which=Which.THIS)
    resolve(bench, hurt, monster="m1")
    resolve(bench, *[hurt] * damage, monster="m2")

    resolve(bench, steps.DamageMonster(Amount(2), which=Which.ALL), answers=[USUAL] * times)

    assert asked(bench) == times


@rule("CONFLICT-2")
@rule("ACTIVATE-3")
def test_the_group_orders_monsters_that_an_effect_activates() -> None:
    card = monster_card(RAT, activations=(activation(spaces=1),))
    bench = row(
        at={ADA: "house/a"}, monster_cards=[card], monsters=[(RAT, "house/b"), (RAT, "house/c")]
    )

    step = Activate(Which.ALL)
    resolve(bench, step, answers=[ANOTHER, ("m2", "m1")])

    assert of_monsters(bench, MonsterMoved) == ["m2", "m1"]


@rule("DECIDE-142")
def test_one_monster_alone_is_not_ordered() -> None:
    bench = infested(at=("house/c",))

    resolve(bench, Activate(Which.ALL))

    assert asked(bench) == 0


@rule("CONFLICT-2")
@rule("BARRICADE-10")
@pytest.mark.parametrize(
    ("at", "times"), [(("house/b", "house/b"), 1), (("house/b", "house/a"), 0)]
)
def test_the_group_orders_monsters_that_come_to_one_barricade(
    at: Sequence[str], times: int
) -> None:
    rats = [(RAT, space) for space in at]
    bench = three(at={ADA: "house/c"}, monsters=rats)
    resolve(bench, steps.PlaceFeature(FeatureKind.BARRICADE, "house/b", against="house/1"))
    bench.give_dice("BBBB")

    step = MoveMonster(Amount(1), toward="house/c", which=Which.ALL)
    resolve(bench, step, answers=[USUAL] * times)

    assert asked(bench) == times


@rule("CONFLICT-2")
@rule("FIRE-8")
@pytest.mark.parametrize("step", [MoveMonster(Amount(1), "house/e", Which.ALL), None])
@pytest.mark.parametrize(
    ("come", "burns", "times"),
    [
        ((), "house/e", 0),
        ((trigger(DEFEATED, of=RAT),), "house/e", 1),
        ((trigger(DEFEATED, of=RAT),), None, 0),
    ],
)
def test_the_group_orders_monsters_that_enter_fire_where_a_trigger_waits_for_a_defeat(
    step: Any, come: Sequence[Trigger], burns: str | None, times: int
) -> None:
    bench = infested(*come, at=("house/d", "house/d"))
    resolve(bench, steps.DamageMonster(Amount(2), which=Which.ALL))
    if burns is not None:
        resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, burns))

    put = step or PlaceMonster("house/e", which=Which.ALL)
    resolve(bench, put, answers=[ANOTHER, ("m2", "m1")] if times else [])

    assert asked(bench) == 2 * times
    assert of_monsters(bench, MonsterMoved) == (["m2", "m1"] if times else ["m1", "m2"])


# Triggers of several moments that come at once -----------------------------------------------


def seen(on: Moment, of: str | None, name: str, **parts: Any) -> Trigger:
    """Return a trigger that spawns rats and has a public text."""
    return trigger(on, RATS, of=of, name=name, text=f"text/{name}", **parts)


@rule("CONFLICT-2")
def test_triggers_of_a_space_and_of_its_room_are_ordered_together() -> None:
    space = seen(Moment.SPACE_ENTERED, "house/c", "space")
    room = seen(Moment.ROOM_ENTERED, "room/study", "room")
    bench = three(space, room)

    resolve(bench, steps.PlaceInvestigator("house/c"), answers=[ANOTHER, ("room", "space")])

    assert told(bench) == ["text/room", "text/space"]


@rule("CONFLICT-2")
@rule("TILE-4")
def test_triggers_of_rooms_that_are_revealed_together_are_ordered_together() -> None:
    """A tile reveals two rooms, and the trigger comes for each."""
    attic = seen(Moment.ROOM_REVEALED, "room/attic", "attic")
    loft = seen(Moment.ROOM_REVEALED, "room/loft", "loft")
    either = seen(Moment.ROOM_REVEALED, None, "either", once=False)
    rooms = dict.fromkeys("ab", "room/attic") | dict.fromkeys("cde", "room/loft")
    tiles = (tile(rooms=HOUSE_ROOMS), tile(ROW, rooms, id="top", row=10))
    bench = three(attic, loft, either, tiles=tiles)
    resolve(bench, more.RemoveTile("top"))

    resolve(bench, steps.PlaceTile("top"), answers=[ANOTHER, ("loft", "either", "attic")])

    assert told(bench) == ["text/loft", "text/either", "text/either", "text/attic"]


@rule("CONFLICT-2")
def test_counters_that_come_into_bounds_together_are_ordered_together() -> None:
    on = Moment.COUNTER_REACHED
    come = [seen(on, name, name, at_least=1) for name in ("tide", "wind")]
    unseen = trigger(on, RATS, of="hour", name="hour", text=None, at_least=1)
    counters = dict.fromkeys(("tide", "hour", "wind"), Counter())
    parts = {"counters": counters}
    bench = three(come[0], unseen, come[1], scenario_parts=parts)
    step = steps.SetCounters({"tide": Amount(1), "wind": Amount(1), "hour": Amount(1)})

    resolve(bench, step, answers=[ANOTHER, ("wind", "tide")])

    assert told(bench) == ["text/wind", "text/hour", "text/tide"]
