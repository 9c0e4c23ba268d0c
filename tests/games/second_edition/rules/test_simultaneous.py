"""Simultaneous effects: their order, and who is asked for it."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_condition
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ConditionCard, HarmCard, ItemCard
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.requirements import HasClues, IsEliminated, Monsters
from content.games.second_edition.schema.scenario import Moment, Trigger
from content.games.second_edition.schema.targets import Who
from content.games.second_edition.schema.timers import Timer
from protocol.common.asks import Settle
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    CluesGained,
    HarmTaken,
    PossessionGained,
    TimerRemoved,
)
from protocol.games.second_edition.table import Harm, Skill
from server.games.second_edition.rules import interplay, proposals, timers, triggers
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    always_as_proposed,
    harm_card,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    conditions_of,
    items_of,
    resolve,
    resolves,
    told,
)

rule = pytest.mark.rule

THREE = {ADA: "house/a", BEN: "house/a", CORA: "house/b"}
SHRIEK = resolves(
    "horror/shriek", Harm.HORROR, steps.Suffer(damage=Amount(1), facedown=True, who=Who.OTHERS)
)
START = resolves("horror/start", Harm.HORROR, steps.TurnThisFacedown())
SUFFER = steps.Suffer(horror=Amount(1), who=Who.ALL)
USUAL, ANOTHER = "choice/usual_order", "choice/another_order"


def asks(bench: Bench) -> list[tuple[str, Settle]]:
    """Return the questions about the order of effects, each with how it is settled."""
    return [
        (ask.prompts[min(ask.prompts)].prompt.subject, ask.settle)
        for ask in bench.asked
        if ask.rule == "CONFLICT-2"
    ]


def sufferers(bench: Bench) -> list[str]:
    """Return who took Horror, in order."""
    return [taken.investigator for taken in bench.happened(HarmTaken) if taken.harm is Harm.HORROR]


def shrieking(*cards: HarmCard) -> Bench:
    """Return three people and a Horror deck of these cards."""
    return world(at=THREE, harms=[harm_card("damage/plain", Harm.DAMAGE), *cards])


# Who decides ---------------------------------------------------------------------------------


@rule("CONFLICT-2")
def test_the_usual_order_is_the_first_choice_and_stands_where_nobody_minds() -> None:
    """If everybody passes, the investigators suffer in the order of their seats."""
    bench = shrieking(SHRIEK)

    resolve(bench, SUFFER, answers=[0])

    (ask,) = [ask for ask in bench.asked if ask.rule == "CONFLICT-2"]
    assert ask.settle is Settle.FIRST_OR_ALL_PASS
    assert sorted(ask.prompts) == [0, 1, 2]
    assert [option.text.subject for option in ask.prompts[0].options] == [USUAL, ANOTHER]
    assert ask.prompts[0].options[0].ends
    assert sufferers(bench) == [ADA, BEN, CORA]


@rule("CONFLICT-2")
def test_the_usual_order_is_named_in_the_choice() -> None:
    bench = shrieking(SHRIEK)

    resolve(bench, SUFFER, answers=[0])

    (named,) = bench.asked[0].prompts[0].options[0].text.params
    ada, ben, cora = (Text("choice/who", (who,)) for who in THREE)
    assert named == Text("choice/then", (Text("choice/then", (ada, ben)), cora))


@rule("CONFLICT-2")
def test_a_group_that_wants_another_order_agrees_on_it() -> None:
    """One player asks for another order, then all vote on a list of all orders."""
    bench = shrieking(SHRIEK)

    resolve(bench, SUFFER, answers=[ANOTHER, ("cora", "ada", "ben")])

    assert asks(bench) == [
        ("ask/usual_order", Settle.FIRST_OR_ALL_PASS),
        ("ask/order", Settle.AGREE),
    ]
    vote = bench.asked[1]
    assert vote.voters == ((ADA, 0), (BEN, 1), (CORA, 2))
    assert (vote.prompts[0].at_least, vote.prompts[0].at_most) == (3, 3)
    assert sufferers(bench) == [CORA, ADA, BEN]


@rule("CONFLICT-2")
def test_a_table_that_takes_what_is_proposed_is_not_asked() -> None:
    """Accepting proposals is a public setting of the table."""
    bench = always_as_proposed(shrieking(SHRIEK))

    resolve(bench, SUFFER)

    assert asks(bench) == []
    assert sufferers(bench) == [ADA, BEN, CORA]


@rule("CONFLICT-2")
def test_a_seat_can_pass_on_the_order_for_good() -> None:
    """The question has a kind. The kernel lets seats pass on a kind and logs who did."""
    bench = shrieking(SHRIEK)

    resolve(bench, SUFFER, answers=[0])

    assert bench.asked[0].kind == proposals.ORDERS


# Where nothing is asked ----------------------------------------------------------------------


@rule("DECIDE-142")
@pytest.mark.parametrize(
    ("step", "cards"),
    [
        # No text concerns anybody else.
        (SUFFER, (START,)),
        # Facedown cards say nothing.
        (steps.Suffer(horror=Amount(1), facedown=True, who=Who.ALL), (SHRIEK,)),
        # One is concerned.
        (steps.Suffer(horror=Amount(1)), (SHRIEK,)),
        (steps.GainClues(who=Who.ALL), (SHRIEK,)),
        (steps.ForEach(Who.ALL, (steps.Say("text/each"), steps.GainClues())), (SHRIEK,)),
        (steps.ForEach(Who.ALL, (steps.Suffer(damage=Amount(1)),)), (SHRIEK,)),
    ],
)
def test_nothing_is_asked_where_the_order_changes_nothing(
    step: Any, cards: tuple[HarmCard, ...]
) -> None:
    """Only what everybody knows counts as a reason to ask."""
    bench = shrieking(*cards)

    resolve(bench, step)

    assert asks(bench) == []


@rule("DECIDE-142")
@pytest.mark.parametrize("step", [SUFFER, steps.TurnFaceup(Harm.HORROR, who=Who.ALL)])
def test_it_is_asked_where_a_text_may_reach_others(step: Any) -> None:
    bench = shrieking(SHRIEK)

    resolve(bench, step, answers=[0])

    assert len(asks(bench)) == 1


@rule("DECIDE-142")
@pytest.mark.parametrize(
    ("step", "reaches"),
    [
        (steps.Say("text/each"), False),
        (steps.Suffer(damage=Amount(1)), False),
        (steps.Suffer(damage=Amount(1), who=Who.OTHERS), True),
        (steps.Suffer(horror=Amount(1)), True),
        (steps.Suffer(horror=Amount(1), facedown=True), False),
        (steps.Negate(Skill.WILL, horror=Amount(1)), True),
        (steps.TurnFaceup(Harm.HORROR), True),
        (steps.TurnFaceup(Harm.DAMAGE), False),
        (steps.PlaceToken("token/one"), True),
        (steps.SkillTest(Skill.WILL, failed=(steps.Suffer(damage=Amount(1)),)), False),
        (steps.SkillTest(Skill.WILL, failed=(steps.PlaceToken("token/one"),)), True),
    ],
)
def test_an_effect_reaches_others_by_what_it_says(step: Any, *, reaches: bool) -> None:
    """The cards in play count too: a Horror card concerns others, no Damage card does."""
    bench = shrieking(SHRIEK)

    assert interplay.effect_reaches_others(bench.game, (step,)) is reaches


@rule("CONFLICT-2")
def test_who_plays_two_investigators_orders_them_alone() -> None:
    harms = [harm_card("damage/plain", Harm.DAMAGE), SHRIEK]
    seats = [(0, ADA), (0, BEN)]
    bench = world(at={ADA: "house/a", BEN: "house/a"}, seats=seats, harms=harms)

    resolve(bench, SUFFER, answers=[ANOTHER, ("ben", "ada")])

    assert sufferers(bench) == [BEN, ADA]


# Too few for all -----------------------------------------------------------------------------


@rule("CONFLICT-2")
@rule("DECIDE-55")
def test_the_order_is_asked_where_too_few_cards_are_left_to_suffer() -> None:
    """Two cards are left for three people; facedown harm counts too."""
    bench = shrieking(harm_card("horror/plain", Harm.HORROR, copies=2))
    step = steps.Suffer(horror=Amount(1), facedown=True, who=Who.ALL)

    resolve(bench, step, answers=[ANOTHER, ("cora", "ben", "ada")])

    assert sufferers(bench) == [CORA, BEN]


@rule("CONFLICT-2")
@rule("DECIDE-125")
@pytest.mark.parametrize(("copies", "asked"), [(3, 0), (2, 2), (1, 2), (0, 0)])
def test_the_group_says_who_has_the_last_copies(copies: int, asked: int) -> None:
    rope = ItemCard("item/rope", "common", copies=max(1, copies))
    bench = world(at=THREE, items=[rope], has={} if copies else {ADA: ["item/rope"]})
    before = len(bench.happened(PossessionGained))

    resolve(
        bench,
        steps.GainItem("item/rope", who=Who.ALL),
        answers=[ANOTHER, ("cora", "ben", "ada")] if asked else [],
    )

    gained = [e.investigator for e in bench.happened(PossessionGained)[before:]]
    order = [CORA, BEN, ADA] if asked else [ADA, BEN, CORA]
    assert len(asks(bench)) == asked
    assert gained == order[:copies]


@rule("CONFLICT-2")
@rule("DECIDE-131")
@pytest.mark.parametrize(
    ("copies", "fresh", "asked"),
    [(3, False, 0), (2, False, 2), (0, False, 0), (3, True, 2), (2, True, 2), (1, True, 2)],
)
def test_the_group_says_who_has_the_last_items_that_come_at_random(
    copies: int, asked: int, *, fresh: bool
) -> None:
    rope = ItemCard("item/rope", "common", copies=max(1, copies))
    lamp = ItemCard("item/lamp", "unique", copies=3)
    bench = world(at=THREE, items=[rope, lamp], has={} if copies else {ADA: ["item/rope"]})
    before = len(bench.happened(PossessionGained))

    resolve(
        bench,
        steps.GainRandomItem("common", fresh=fresh, who=Who.ALL),
        answers=[ANOTHER, ("cora", "ben", "ada")] if asked else [],
    )

    gained = [e.investigator for e in bench.happened(PossessionGained)[before:]]
    order = [CORA, BEN, ADA] if asked else [ADA, BEN, CORA]
    assert len(asks(bench)) == asked
    assert gained == order[: 1 if fresh else copies]


@rule("DECIDE-142")
@pytest.mark.parametrize(("before", "asked"), [(0, 0), (1, 1)])
def test_what_has_come_once_is_counted_no_more_where_only_the_first_will_do(
    before: int, asked: int
) -> None:
    """Three kinds of Item suffice for three people; if one came before, the order is asked."""
    kinds = [ItemCard(f"item/{one}", "common") for one in ("rope", "lamp", "bell")]
    bench = world(at=THREE, items=kinds)
    fresh = steps.GainRandomItem("common", fresh=True)
    for _ in range(before):
        resolve(bench, fresh)
        (come,) = items_of(bench)
        resolve(bench, steps.LoseItem(come))

    step = steps.GainRandomItem("common", fresh=True, who=Who.ALL)
    resolve(bench, step, answers=[USUAL] * asked)

    assert len(asks(bench)) == asked


@rule("DECIDE-142")
@pytest.mark.parametrize(("trait", "asked"), [(None, 0), ("light", 1)])
def test_only_items_that_can_come_at_random_are_counted(trait: str | None, asked: int) -> None:
    rope = ItemCard("item/rope", "common", copies=3)
    lamp = ItemCard("item/lamp", "common", traits=("light",))
    bench = world(at=THREE, items=[rope, lamp])

    resolve(
        bench,
        steps.GainRandomItem("common", trait, who=Who.ALL),
        answers=[USUAL] * asked,
    )

    assert len(asks(bench)) == asked


@rule("CONFLICT-2")
def test_the_group_says_who_takes_the_last_condition() -> None:
    poisoned = ConditionCard("condition/poisoned", 1)
    wounded = ConditionCard("condition/wounded", 4)
    bench = world(at=THREE, conditions=[wounded, poisoned])

    step = steps.Become("condition/poisoned", who=Who.ALL)
    resolve(bench, step, answers=[ANOTHER, ("ben", "ada", "cora")])

    assert [conditions_of(bench, who) for who in THREE] == [[], ["condition/poisoned"], []]
    assert items_of(bench) == []


# Timers --------------------------------------------------------------------------------------


def ticking(*, seen: tuple[bool, bool, bool] = (True, True, True), effect: Any = None) -> Bench:
    """Return a game in which three timers run out at the end of this round."""
    clocks = {
        name: Timer(
            (steps.Say(f"text/{name}"), *(effect or (steps.PlaceToken("token/none"),))),
            rounds=1,
            seen=is_seen,
            text=f"timer/{name}" if is_seen else None,
        )
        for name, is_seen in zip(("bell", "tide", "fuse"), seen, strict=True)
    }
    bench = world(at=THREE, scenario_parts={"timers": clocks})
    for name in clocks:
        resolve(bench, steps.StartTimer(name))
    return bench


@rule("CONFLICT-2")
def test_the_group_orders_timers_that_run_out_together() -> None:
    bench = ticking(effect=(steps.Spawn(kind="monster/rat", at="house/b"),))

    bench.run(timers.end_round(bench.game), ANOTHER, ("fuse", "bell", "tide"))

    assert told(bench) == ["text/fuse", "text/bell", "text/tide"]
    assert len(bench.happened(TimerRemoved)) == 3


@rule("CONFLICT-2")
def test_a_timer_that_nobody_sees_keeps_its_place_and_is_not_named() -> None:
    """The two visible timers are ordered around the hidden one."""
    bench = ticking(
        seen=(True, False, True), effect=(steps.Spawn(kind="monster/rat", at="house/b"),)
    )

    bench.run(timers.end_round(bench.game), ANOTHER, ("fuse", "bell"))

    assert told(bench) == ["text/fuse", "text/tide", "text/bell"]


@rule("DECIDE-142")
@pytest.mark.parametrize("seen", [(True, False, False), (False, False, False)])
def test_timers_that_nobody_sees_are_not_asked_about(seen: tuple[bool, bool, bool]) -> None:
    """The question would reveal that the timers run."""
    bench = ticking(seen=seen, effect=(steps.Spawn(kind="monster/rat", at="house/b"),))

    bench.run(timers.end_round(bench.game))

    assert asks(bench) == []


# Triggers ------------------------------------------------------------------------------------

RATS = steps.Spawn(kind="monster/rat", at="house/b")


def springing(*texts: str | None, effect: Any = RATS, **trigger: Any) -> Bench:
    """Return a game with triggers of one moment, with these texts."""
    triggers_ = tuple(
        Trigger(
            f"t{number}",
            Moment.ROUND_ENDED,
            (steps.Say(f"text/{number}"), effect),
            text=text,
            **trigger,
        )
        for number, text in enumerate(texts)
    )
    return world(at=THREE, scenario_parts={"triggers": triggers_})


def spring(bench: Bench, *answers: Any) -> list[str]:
    """Let their moment come; return the texts told, in order."""
    bench.run(triggers.run(bench.game, Moment.ROUND_ENDED), *answers)
    return told(bench)


@rule("CONFLICT-2")
def test_the_group_orders_triggers_that_all_may_read_of() -> None:
    bench = springing("text/bell", None, "text/tide")

    found = spring(bench, ANOTHER, ("tide", "bell"))

    assert found == ["text/2", "text/1", "text/0"]


@rule("DECIDE-142")
@pytest.mark.parametrize(
    ("texts", "parts"),
    [
        ((None, None, None), {}),
        (("text/bell", None, None), {}),
        (("text/bell", "text/tide"), {"when": IsEliminated(value=True)}),
        (("text/bell", "text/tide"), {"effect": steps.GainClues()}),
    ],
)
def test_triggers_of_which_nobody_may_read_are_not_asked_about(
    texts: tuple[str | None, ...], parts: dict[str, Any]
) -> None:
    """Triggers that do not apply, or cannot affect each other, are not asked about either."""
    bench = springing(*texts, **parts)

    spring(bench)

    assert asks(bench) == []


@rule("CONFLICT-2")
def test_a_trigger_that_the_one_before_it_forestalls_does_not_come() -> None:
    """The condition of a trigger is checked again before the trigger is resolved."""
    bench = springing("text/bell", "text/tide", when=Monsters(at_most=0))

    assert spring(bench, ANOTHER, ("tide", "bell")) == ["text/1"]


@rule("CONFLICT-2")
@pytest.mark.parametrize(("count", "is_whole"), [(5, True), (6, False)])
def test_a_long_order_is_named_in_part(count: int, *, is_whole: bool) -> None:
    """Of six effects the first four are named, as the depth of nested texts is limited."""
    names = [f"text/{number}" for number in range(count)]
    bench = springing(*names)

    spring(bench, USUAL)

    (named,) = bench.asked[0].prompts[0].options[0].text.params
    shown = names if is_whole else names[:4]
    listed: Any = Text(shown[0])
    for name in shown[1:]:
        listed = Text("choice/then", (listed, Text(name)))
    assert named == (listed if is_whole else Text("choice/then_others", (listed,)))


def test_the_order_is_not_asked_in_a_game_that_began_before() -> None:
    """A log of version 1 keeps the order of seats."""
    bench = shrieking(SHRIEK)
    bench.version = 1

    resolve(bench, SUFFER)

    assert sufferers(bench) == [ADA, BEN, CORA]


def concerned(*parts: dict[str, Any], of: Any = None) -> Bench:
    """Return a game in which only Ben has a Clue, with one trigger on gaining an Item per part."""
    triggers_ = tuple(
        Trigger(
            f"t{number}",
            Moment.ITEM_GAINED,
            (steps.Say(f"text/{number}"), RATS),
            text=f"text/{number}",
            **more,
        )
        for number, more in enumerate(parts)
    )
    bench = world(
        at=THREE, scenario_parts={"triggers": triggers_}, monsters=[("monster/rat", "house/b")]
    )
    bench.emit(CluesGained(BEN, 1))
    return bench


@rule("CONFLICT-2")
@pytest.mark.parametrize(("who", "asked"), [(BEN, 1), (ADA, 0)])
def test_what_is_ordered_comes_for_whom_the_moment_is_about(who: str, asked: int) -> None:
    """The condition of a trigger is checked for the investigator whom the moment concerns."""
    bench = concerned({"when": HasClues(1)}, {})

    bench.run(triggers.run(bench.game, Moment.ITEM_GAINED, who), *[USUAL] * asked)

    assert len(asks(bench)) == asked


@rule("CONFLICT-2")
@pytest.mark.parametrize(("monster", "asked"), [("m1", 1), (None, 0)])
def test_what_is_ordered_comes_for_the_monster_that_it_is_about(
    monster: str | None, asked: int
) -> None:
    strong = read_condition("monster.health > 0")[0]
    bench = concerned({"when": strong}, {})

    bench.run(triggers.run(bench.game, Moment.ITEM_GAINED, BEN, monster=monster), *[USUAL] * asked)

    assert len(asks(bench)) == asked


@rule("CONFLICT-2")
def test_what_has_come_once_is_not_ordered_again() -> None:
    bench = concerned({"once": True}, {"once": False})
    bench.run(triggers.run(bench.game, Moment.ITEM_GAINED, BEN), USUAL)

    bench.run(triggers.run(bench.game, Moment.ITEM_GAINED, BEN))

    assert len(asks(bench)) == 1
