"""Two-sided Conditions: random copies whose backs nobody knows before the flip."""

import attrs
import pytest

from content.games.second_edition.schema.cards import (
    ComponentAction,
    ConditionBack,
    ConditionCard,
    Modifier,
    ModifierKind,
    Powers,
    Reroll,
)
from content.games.second_edition.schema.effects import (
    Amount,
    Become,
    DiscardThis,
    FlipCondition,
    FlipThis,
    Recover,
    Say,
    Suffer,
    Who,
)
from protocol.common.events import Shuffled
from protocol.games.second_edition.events import (
    ConditionDiscarded,
    ConditionFlipped,
    ConditionGained,
    SupplyLaidOut,
)
from protocol.games.second_edition.table import Condition, Harm, Skill, copies_deck
from server.games.second_edition.rules import powers, setup
from server.games.second_edition.rules.requirements import has_trait
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, offered, proceed, world
from tests.games.second_edition.rules.worlds_effects import (
    conditions_of,
    faceup,
    person,
    resolve,
    shown_to,
    told,
)

HUNTED = "condition/hunted"
DECK = copies_deck(HUNTED)
DOG, STOPPED = "back/hunted-dog", "back/hunted-stopped"
BACKS = (
    ConditionBack(DOG, 2, (Say("text/dog"), DiscardThis())),
    ConditionBack(
        STOPPED,
        1,
        (Suffer(horror=Amount(1)),),
        traits=("fear",),
        powers=Powers(
            (Modifier(ModifierKind.DICE, -2, Skill.WILL),),
            action=ComponentAction((FlipThis(),)),
        ),
    ),
)
CARD = ConditionCard(
    HUNTED,
    powers=Powers(
        (Modifier(ModifierKind.DICE, -1, Skill.LORE),),
        action=ComponentAction((FlipThis(), Say("text/front_goes_on"))),
    ),
    backs=BACKS,
)
TOGETHER = {ADA: "house/a", BEN: "house/a"}


def hunted(back: str, **parts: object) -> Bench:
    """Return a bench on which Ada has a copy of the Condition with this back."""
    backs = tuple(sorted(BACKS, key=lambda one: one.id != back))
    bench = world(at=TOGETHER, conditions=[attrs.evolve(CARD, backs=backs)], **parts)  # type: ignore[arg-type]
    resolve(bench, Become(HUNTED))
    return bench


def condition_of(bench: Bench, who: str = ADA) -> Condition:
    (has,) = person(bench, who).conditions
    return has


# Gaining ---------------------------------------------------------------------------------------


@pytest.mark.rule("CONDITION-4")
def test_copy_gained_is_the_one_on_top_of_a_mixed_pile() -> None:
    bench = world(at=TOGETHER, conditions=[CARD])
    top, *below = bench.game_table.piles[DECK]

    resolve(bench, Become(HUNTED))

    assert bench.happened(ConditionGained) == [ConditionGained(ADA, HUNTED, top)]
    assert bench.game_table.piles[DECK] == tuple(below)
    assert bench.game_table.supply[HUNTED] == 2


@pytest.mark.rule("TWOSIDED-3")
def test_a_condition_that_is_gone_is_not_flipped() -> None:
    """The text on the front discards the card before it would be flipped."""
    bench = world(at=TOGETHER, conditions=[CARD])
    resolve(bench, Become(HUNTED))

    resolve(bench, DiscardThis(), FlipThis(), condition=HUNTED)

    assert bench.happened(ConditionFlipped) == []


@pytest.mark.rule("CONDITION-4")
@pytest.mark.rule("SETUP-4")
def test_setup_mixes_the_copies_by_chance() -> None:
    """Each Condition with backs has a pile of its own."""
    flat = ConditionCard("condition/dazed", 2)
    bench = Bench(world(conditions=[CARD, flat]).game.content)
    bench.give_order(DECK, [STOPPED, DOG, DOG])

    setup.lay_out_decks(bench.game)

    table = bench.game_table
    assert [table.card_of(handle) for handle in table.piles[DECK]] == [STOPPED, DOG, DOG]
    assert table.supply == {HUNTED: 3, "condition/dazed": 2}
    assert copies_deck("condition/dazed") not in table.piles


@pytest.mark.rule("DECIDE-125")
def test_no_copy_left_is_nothing_gained() -> None:
    bench = world(at=TOGETHER, conditions=[CARD])
    bench.emit(SupplyLaidOut({HUNTED: 0}))

    resolve(bench, Become(HUNTED))

    assert conditions_of(bench) == []


# Secrets ---------------------------------------------------------------------------------------


@pytest.mark.rule("SECRET-5")
@pytest.mark.rule("SECRET-8")
@pytest.mark.rule("DECIDE-13")
def test_back_is_sent_to_nobody_before_it_is_flipped() -> None:
    bench = hunted(STOPPED)
    backs = {DOG, STOPPED}
    assert [backs & {*shown_to(bench, seat)} for seat in (0, 1, None)] == [set()] * 3

    proceed(bench, "choice/component")

    assert [backs & {*shown_to(bench, seat)} for seat in (0, 1, None)] == [{STOPPED}] * 3


@pytest.mark.rule("SECRET-8")
@pytest.mark.rule("DISCARD-1")
def test_discarded_copy_is_mixed_in_under_another_handle() -> None:
    """The next Hunted investigator may get the same copy, and nobody can tell."""
    bench = hunted(DOG)
    old = condition_of(bench).handle

    resolve(bench, Recover(HUNTED))

    kinds = [type(event) for event in bench.log[-2:]]
    assert kinds == [ConditionDiscarded, Shuffled]
    assert old not in bench.game_table.hidden_cards
    assert len(bench.game_table.piles[DECK]) == bench.game_table.supply[HUNTED] == 3


# Flipping --------------------------------------------------------------------------------------


@pytest.mark.rule("TWOSIDED-3")
@pytest.mark.rule("DECIDE-126")
def test_front_says_when_to_flip_and_its_back_is_resolved_at_once() -> None:
    bench = hunted(DOG)

    proceed(bench, "choice/component")

    assert told(bench) == ["text/dog", "text/front_goes_on"]
    assert [flip.turned_to for flip in bench.happened(ConditionFlipped)] == [DOG]
    assert conditions_of(bench) == []


@pytest.mark.rule("DECIDE-127")
@pytest.mark.rule("TWOSIDED-3")
def test_back_that_stays_up_stands_for_the_front() -> None:
    """The back's dice, trait and action count until an effect flips it again."""
    bench = hunted(STOPPED)
    assert powers.dice(bench.game, ADA, Skill.LORE) == -1

    proceed(bench, "choice/component")

    assert condition_of(bench).face == STOPPED
    assert powers.dice(bench.game, ADA, Skill.WILL) == -2
    assert powers.dice(bench.game, ADA, Skill.LORE) == 0
    assert has_trait(bench.game, ADA, "fear")
    assert len(faceup(bench, Harm.HORROR)) == 1
    assert "choice/component" in offered(bench)

    proceed(bench, "choice/component")

    assert condition_of(bench).face == HUNTED
    assert powers.dice(bench.game, ADA, Skill.LORE) == -1
    # The front has no effect of its own when it lies up again.
    assert len(faceup(bench, Harm.HORROR)) == 1


@pytest.mark.rule("TWOSIDED-3")
def test_effect_flips_the_condition_of_whoever_has_it() -> None:
    bench = hunted(STOPPED)

    resolve(bench, FlipCondition(HUNTED, who=Who.ALL), actor=BEN)

    assert [flip.investigator for flip in bench.happened(ConditionFlipped)] == [ADA]
    assert len(faceup(bench, Harm.HORROR, ADA)) == 1
    assert faceup(bench, Harm.HORROR, BEN) == []


@pytest.mark.rule("TWOSIDED-3")
def test_effect_leaves_a_back_that_lies_up() -> None:
    """Otherwise an effect that should make things worse would improve them."""
    bench = hunted(STOPPED)

    resolve(bench, FlipCondition(HUNTED), FlipCondition(HUNTED))

    assert condition_of(bench).face == STOPPED
    assert len(bench.happened(ConditionFlipped)) == 1


def test_condition_with_one_side_stays_as_it_is() -> None:
    bench = world(at=TOGETHER, conditions=[ConditionCard("condition/dazed", 2)])
    resolve(bench, Become("condition/dazed"))

    resolve(bench, FlipCondition("condition/dazed"))

    assert bench.happened(ConditionFlipped) == []
    assert conditions_of(bench) == ["condition/dazed"]


@pytest.mark.issue(36)
def test_effect_that_flips_insane_does_nothing() -> None:
    """A pack with such a step loads with a finding, and the game must not stop there."""
    bench = world(at=TOGETHER)

    resolve(bench, FlipCondition("condition/insane", who=Who.ALL))

    assert bench.happened(ConditionFlipped) == []


@pytest.mark.rule("CONDITION-3")
def test_who_has_it_with_its_back_up_gains_no_other_copy() -> None:
    bench = hunted(STOPPED)
    resolve(bench, FlipCondition(HUNTED))

    resolve(bench, Become(HUNTED))

    assert condition_of(bench).turned_to == STOPPED
    assert bench.game_table.supply[HUNTED] == 2


@pytest.mark.rule("SPEND-1")
@pytest.mark.rule("DISCARD-1")
def test_back_can_be_the_cost_of_its_own_action() -> None:
    spent = ConditionBack(
        "back/spent", 1, powers=Powers(action=ComponentAction((Say("text/spent"),), discard=True))
    )
    bench = world(at=TOGETHER, conditions=[attrs.evolve(CARD, backs=(spent,))])
    resolve(bench, Become(HUNTED), FlipCondition(HUNTED))

    proceed(bench, "choice/component")

    assert conditions_of(bench) == []
    assert bench.game_table.supply[HUNTED] == 1


@pytest.mark.rule("SPEND-1")
def test_back_can_be_the_cost_of_its_own_reroll() -> None:
    """The reroll names the card by its front."""
    spent = ConditionBack("back/spent", 1, powers=Powers(reroll=Reroll(1, discard=True)))
    bench = world(at=TOGETHER, conditions=[attrs.evolve(CARD, backs=(spent,))])
    resolve(bench, Become(HUNTED), FlipCondition(HUNTED))

    (again,) = powers.rerolls(bench.game, ADA, Skill.LORE)

    assert (again.origin.source, again.origin.condition) == ("back/spent", HUNTED)
