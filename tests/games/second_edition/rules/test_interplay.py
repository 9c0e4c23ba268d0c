"""Order of an effect on several investigators: it is asked for only if it can matter."""

from collections.abc import Sequence
from typing import Any

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import (
    ConditionBack,
    ConditionCard,
    HarmCard,
    ItemCard,
    SpellBack,
    SpellCard,
)
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.scenario import Moment, Trigger
from content.games.second_edition.schema.targets import Who
from protocol.games.second_edition.events import (
    BecameInsane,
    BecameWounded,
    PossessionGained,
)
from protocol.games.second_edition.table import Harm, Skill
from server.games.second_edition.rules import interplay, triggers
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    harm_card,
    insane_back,
    investigator_card,
)
from tests.games.second_edition.rules.worlds_effects import conditions_of, resolve, resolves, told
from tests.games.second_edition.rules.worlds_order import (
    ANOTHER,
    BACKWARDS,
    CLUE,
    EVERYBODY,
    RATS,
    USUAL,
    asked,
    three,
    trigger,
)

rule = pytest.mark.rule

# Too much at one moment ----------------------------------------------------------------------


def terror(harm: Harm, *come: Trigger, left: int = 1, **parts: Any) -> Bench:
    """Return a game in which Ada's Horror harms Ben and Cora, whose health and sanity are 1."""
    kinds = {"damage": Amount(1)} if harm is Harm.DAMAGE else {"horror": Amount(1)}
    others = steps.Suffer(**kinds, facedown=True, who=Who.OTHERS)
    cards = [
        resolves("horror/terror", Harm.HORROR, others),
        harm_card("damage/plain", Harm.DAMAGE),
    ]
    frail = [investigator_card(who, health=1, sanity=1) for who in (BEN, CORA)]
    backs = [insane_back(copies=left)]
    return three(*come, harms=cards, investigators=frail, insane=backs, **parts)


def terrify(bench: Bench, *answers: Any) -> None:
    """Let Ada suffer the Horror whose text concerns the others."""
    resolve(bench, steps.Suffer(horror=Amount(1)), answers=answers)


def became_insane(bench: Bench) -> list[tuple[str, bool]]:
    """Return who became Insane, in order, and whether each has a back."""
    return [(event.investigator, bool(event.handle)) for event in bench.happened(BecameInsane)]


@rule("CONFLICT-2")
@rule("INSANE-1")
def test_the_group_says_who_comes_first_where_one_insane_condition_is_left() -> None:
    bench = terror(Harm.HORROR)

    terrify(bench, ANOTHER, ("cora", "ben"))

    assert became_insane(bench) == [(CORA, True), (BEN, False)]


@rule("DECIDE-142")
@pytest.mark.parametrize("left", [0, 2])
def test_nothing_is_asked_where_insane_conditions_are_left_for_all_or_none(left: int) -> None:
    """The investigators become Insane in the order of their seats."""
    bench = terror(Harm.HORROR, left=left)

    terrify(bench)

    assert asked(bench) == 0
    assert became_insane(bench) == [(BEN, left > 0), (CORA, left > 0)]


WOUNDED = Moment.INVESTIGATOR_WOUNDED


@rule("CONFLICT-2")
@rule("WOUNDED-1")
@pytest.mark.parametrize(
    ("come", "times"),
    [
        ((), 0),
        # It comes for the first of them alone.
        ((trigger(WOUNDED),), 1),
        # For each, and touches nobody else.
        ((trigger(WOUNDED, once=False),), 0),
        ((trigger(WOUNDED, RATS, once=False),), 1),
        # Nobody may read of it.
        ((trigger(WOUNDED, text=None),), 0),
        ((trigger(Moment.INVESTIGATOR_INSANE),), 0),
    ],
)
def test_the_group_says_who_is_wounded_first_where_a_trigger_waits_for_it(
    come: Sequence[Trigger], times: int
) -> None:
    bench = terror(Harm.DAMAGE, *come)

    terrify(bench, *([ANOTHER, ("cora", "ben")] if times else []))

    wounded = [event.investigator for event in bench.happened(BecameWounded)]
    assert asked(bench) == 2 * times
    assert wounded == ([CORA, BEN] if times else [BEN, CORA])


@rule("DECIDE-142")
def test_a_trigger_that_has_come_is_waited_for_no_more() -> None:
    bench = terror(Harm.DAMAGE, trigger(WOUNDED))
    bench.run(triggers.run(bench.game, WOUNDED, ADA))

    terrify(bench)

    assert asked(bench) == 0


@rule("DECIDE-142")
@pytest.mark.parametrize(("effect", "times"), [(CLUE, 0), (RATS, 1)])
def test_where_one_alone_can_be_wounded_a_trigger_matters_if_it_reaches_others(
    effect: Any, times: int
) -> None:
    """All three suffer Damage, but only Ben can be Wounded by it."""
    frail = [investigator_card(BEN, health=1)]
    bench = three(trigger(WOUNDED, effect), investigators=frail)

    step = steps.Suffer(damage=Amount(1), facedown=True, who=Who.ALL)
    resolve(bench, step, answers=[USUAL] * times)

    assert asked(bench) == times


@rule("CONFLICT-2")
@pytest.mark.parametrize(
    "step",
    [
        steps.Suffer(horror=Amount(1), facedown=True, who=Who.ALL),
        steps.ForEach(Who.ALL, (steps.Suffer(horror=Amount(1), facedown=True),)),
        steps.Become(interplay.INSANE, who=Who.ALL),
        steps.ForEach(Who.ALL, (steps.Become(interplay.INSANE),)),
    ],
)
def test_the_order_is_asked_where_all_can_be_insane_and_one_condition_is_left(step: Any) -> None:
    frail = [investigator_card(who, sanity=1) for who in EVERYBODY]
    bench = three(investigators=frail, insane=[insane_back(copies=1)])

    resolve(bench, step, answers=[ANOTHER, BACKWARDS])

    assert became_insane(bench) == [(CORA, True), (BEN, False), (ADA, False)]


@rule("DECIDE-142")
def test_wounded_is_there_for_everybody() -> None:
    """The box has one Wounded card, but any number of investigators can be Wounded."""
    wounded = ConditionCard(interplay.WOUNDED, 1)
    bench = three(conditions=[wounded])

    resolve(bench, steps.Become(interplay.WOUNDED, who=Who.ALL))

    assert asked(bench) == 0
    assert [conditions_of(bench, who) for who in EVERYBODY] == [[interplay.WOUNDED]] * 3


@rule("CONFLICT-2")
@rule("ELIMINATED-5")
def test_who_is_out_first_and_the_last_round_come_at_one_moment() -> None:
    """The trigger on the final round may be resolved before the one on the elimination."""
    out = trigger(Moment.INVESTIGATOR_ELIMINATED, RATS, name="out", text="text/out")
    last = trigger(Moment.FINAL_ROUND, RATS, name="last", text="text/last")
    frail = [investigator_card(BEN, health=1)]
    bench = three(out, last, investigators=frail)
    harm = steps.Suffer(damage=Amount(1), facedown=True)

    resolve(bench, harm, actor=BEN)
    resolve(bench, harm, actor=BEN, answers=[ANOTHER, ("last", "out")])

    assert told(bench) == ["text/last", "text/out"]


@rule("CONFLICT-2")
@pytest.mark.parametrize(
    ("had", "kind", "moment", "matters"),
    [
        (interplay.WOUNDED, "damage", Moment.INVESTIGATOR_ELIMINATED, True),
        (interplay.INSANE, "horror", Moment.INVESTIGATOR_ELIMINATED, True),
        (interplay.WOUNDED, "damage", Moment.FINAL_ROUND, True),
        (interplay.WOUNDED, "damage", Moment.INVESTIGATOR_WOUNDED, False),
        (interplay.INSANE, "horror", Moment.INVESTIGATOR_INSANE, False),
        (interplay.WOUNDED, "horror", Moment.INVESTIGATOR_INSANE, True),
        (interplay.INSANE, "damage", Moment.INVESTIGATOR_WOUNDED, True),
    ],
)
def test_who_has_come_to_it_before_is_eliminated(
    had: str, kind: str, moment: Moment, *, matters: bool
) -> None:
    """A Wounded investigator at the Damage limit, or an Insane one at the Horror limit, is out."""
    both = (BEN, CORA)
    frail = [investigator_card(who, health=1, sanity=1) for who in both]
    bench = three(trigger(moment), investigators=frail, insane=[insane_back(copies=2)])
    for who in both:
        resolve(bench, steps.Become(had), actor=who)
    amounts: dict[str, Any] = {kind: 1}

    assert interplay.harm_matters(bench.game, both, facedown=True, **amounts) is matters


@rule("DECIDE-142")
@pytest.mark.parametrize(("copies", "reaches"), [(2, True), (3, False)])
def test_harm_that_is_worked_out_later_counts_as_one_for_each(
    copies: int, *, reaches: bool
) -> None:
    bench = three(harms=[HarmCard("damage/bruise", Harm.DAMAGE, copies)])
    step = steps.Suffer(damage=Amount(formula=read_number("clues + 3")[0]), facedown=True)

    assert interplay.effect_reaches_others(bench.game, (step,)) is reaches


@rule("DECIDE-142")
@pytest.mark.parametrize(("copies", "reaches"), [(2, True), (3, False)])
def test_a_spell_reaches_others_where_too_few_are_left(copies: int, *, reaches: bool) -> None:
    spell = SpellCard("spell/ward", (SpellBack("back/ward", copies, ()),))
    bench = three(spells=[spell])

    assert interplay.effect_reaches_others(bench.game, (steps.GainSpell("spell/ward"),)) is reaches


# Cards ---------------------------------------------------------------------------------------


@rule("DECIDE-142")
@pytest.mark.parametrize(("copies", "reaches"), [(2, True), (3, False)])
@pytest.mark.parametrize(
    "step",
    [
        steps.GainItem("item/rope"),
        steps.GainRandomItem("common"),
        steps.Become("condition/lost"),
        steps.Suffer(damage=Amount(1), facedown=True),
        steps.Negate(Skill.WILL, damage=Amount(1), facedown=True),
    ],
)
def test_what_each_gains_or_suffers_reaches_others_where_too_little_is_left(
    step: Any, copies: int, *, reaches: bool
) -> None:
    harms = [HarmCard("damage/bruise", Harm.DAMAGE, copies)]
    conditions = [ConditionCard("condition/lost", copies)]
    bench = three(
        items=[ItemCard("item/rope", "common", copies)], harms=harms, conditions=conditions
    )

    assert interplay.effect_reaches_others(bench.game, (step,)) is reaches


@rule("CONFLICT-2")
def test_the_order_is_asked_where_a_trigger_waits_for_the_first_rope() -> None:
    gained = trigger(Moment.ITEM_GAINED, of="item/rope")
    bench = three(gained, items=[ItemCard("item/rope", "common", 3)])

    step = steps.GainItem("item/rope", who=Who.ALL)
    resolve(bench, step, answers=[ANOTHER, BACKWARDS])

    assert [e.investigator for e in bench.happened(PossessionGained)] == [CORA, BEN, ADA]


@rule("CONFLICT-2")
@pytest.mark.parametrize(
    ("of", "who", "times"),
    [
        ("item/rope", Who.ALL, 1),
        # What is waited for is another thing.
        ("item/lamp", Who.ALL, 0),
        # One alone can gain it.
        ("item/rope", Who.ACTOR, 0),
    ],
)
def test_the_order_of_gaining_is_asked_where_a_trigger_waits_for_that_item(
    of: str, who: Who, times: int
) -> None:
    """The trigger fires on the first copy gained, so the order matters if several can gain one."""
    ropes = [ItemCard(f"item/{name}", "common", 3) for name in ("rope", "lamp")]
    bench = three(trigger(Moment.ITEM_GAINED, of=of), items=ropes)

    resolve(bench, steps.GainItem("item/rope", who=who), answers=[USUAL] * times)

    assert asked(bench) == times


@rule("CONFLICT-2")
@pytest.mark.parametrize(("has", "times"), [((), 1), ((BEN,), 1), ((BEN, CORA), 0)])
def test_the_order_of_conditions_is_asked_where_two_can_gain_one_and_a_trigger_waits(
    has: Sequence[str], times: int
) -> None:
    wounded = ConditionCard(interplay.WOUNDED, 3)
    bench = three(trigger(Moment.INVESTIGATOR_WOUNDED), conditions=[wounded])
    for who in has:
        bench.emit(BecameWounded(who, interplay.WOUNDED))

    resolve(bench, steps.Become(interplay.WOUNDED, who=Who.ALL), answers=[USUAL] * times)

    assert asked(bench) == times


@rule("CONFLICT-2")
@pytest.mark.parametrize(("effect", "times"), [(CLUE, 0), (RATS, 1)])
def test_the_order_of_flipping_is_asked_where_a_back_may_reach_others(
    effect: Any, times: int
) -> None:
    """The order matters only if a back affects others, such as one that spawns rats."""
    backs = (ConditionBack("back/lost", 3, (effect,)),)
    bench = three(conditions=[ConditionCard("condition/lost", 3, backs=backs)])
    resolve(bench, steps.Become("condition/lost", who=Who.ALL))

    resolve(bench, steps.FlipCondition("condition/lost", who=Who.ALL), answers=[USUAL] * times)

    assert asked(bench) == times
