"""Types of action and spells: section 17, W-DECIDE-39 and W-DECIDE-40."""

from typing import Any

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.cards import CardAction, SpellBack
from protocol.games.first_edition import events as fe
from protocol.games.first_edition import words
from protocol.games.first_edition.words import ActionType, Attribute, FeatureKind
from server.games.first_edition.rules import effects, newcomers, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.house import offered, refused
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    RAT,
    by_id,
    item_card,
    spell_card,
    world,
)

rule = pytest.mark.rule
HERE = Source("spell/any", ADA)
TEST = steps.Test(Attribute.STRENGTH)
BOOK = item_card(
    "book",
    actions=(CardAction("book/strike", (TEST,), attack=True), CardAction("book/read", (TEST,))),
)
STRIKE, READ = "book/strike", "book/read"


def reading(**given: Any) -> Bench:
    """Return a world in which Ada has a book with an attack and another action."""
    bench = world(items=by_id(BOOK), **given)
    bench.emit(fe.ItemGained(ADA, BOOK.id, (), None))
    bench.log.clear()
    return bench


def casting(*effect: steps.Step, **given: Any) -> Bench:
    """Return a world in which Ada has a spell with this effect."""
    backs = (SpellBack("back/haste", effect, effect, keep=True, copies=2),)
    bench = world(spells=by_id(spell_card("haste", *backs)), **given)
    newcomers.gain_spell(bench.game, ADA, "spell/haste")
    bench.log.clear()
    return bench


def types(bench: Bench) -> list[str]:
    return [one.action for one in bench.happened(fe.ActionTaken)]


# Two actions of one card


@rule("W-SPELL-1", "W-EX-4", "W-DECIDE-39", "W-CARD-13")
def test_the_attack_of_a_card_is_an_attack_action_and_needs_no_evade_test() -> None:
    bench = reading(monsters_at=[(RAT, "house/a")])
    bench.give_rolls(1)

    go(bench, STRIKE)

    assert types(bench) == ["attack"]
    assert not bench.happened(fe.Evaded)


@rule("W-SPELL-1", "W-EX-4")
def test_the_other_action_of_that_card_is_a_card_action_and_needs_one() -> None:
    bench = reading(monsters_at=[(RAT, "house/a")])
    bench.give_rolls(1, 1)

    go(bench, READ)

    assert types(bench) == ["card"]
    assert len(bench.happened(fe.Evaded)) == 1


@rule("W-DECIDE-39")
@pytest.mark.parametrize(
    ("way", "kind", "value"),
    [(STRIKE, words.TestKind.COMBAT, 3), (READ, words.TestKind.CARD, 5)],
)
def test_the_attack_flag_brings_the_penalties_of_combat(
    way: str, kind: words.TestKind, value: int
) -> None:
    bench = reading(monsters_at=[(RAT, "house/a")], features=[(FeatureKind.DARKNESS, HALL)])
    bench.give_rolls(*([1] if way == STRIKE else [1, 1]))

    go(bench, way)

    test = bench.happened(fe.TestDeclared)[-1]
    assert (test.kind, test.value) == (kind, value)


@rule("W-DECIDE-39")
def test_the_attack_of_a_card_is_forbidden_while_hidden_and_the_other_action_is_not() -> None:
    bench = reading(monsters_at=[(RAT, "house/a")], features=[(FeatureKind.HIDING_SPOT, "house/a")])
    bench.emit(fe.Hid(ADA, "f1"))

    assert refused(bench)["choice/attack"] == "K-HIDE-3"
    assert "choice/use_card" in bench.offered()


# A further action


@rule("W-SPELL-2")
def test_the_type_of_every_action_of_a_turn_is_recorded() -> None:
    bench = reading()
    bench.give_rolls(1)

    go(bench, READ)
    assert bench.game_table.actions_taken == ("card",)

    turn.begin(bench.game, ADA)
    assert not bench.game_table.actions_taken


@rule("W-SPELL-2")
def test_a_spell_allows_a_further_action_of_a_type_that_was_not_taken() -> None:
    bench = casting(steps.AnotherAction((ActionType.CARD, ActionType.RUN)))
    bench.give_rolls(1)

    go(bench, "choice/cast")

    assert bench.happened(fe.ActionGained) == [fe.ActionGained(ADA, ("run",))]
    assert "choice/run" in offered(bench)
    assert refused(bench)["choice/cast"] == "W-SPELL-2"
    go(bench, "choice/run")
    assert (types(bench), bench.game_table.steps_left) == (["card", "run"], 3)
    assert refused(bench)["choice/run"] == "K-ACT-1"


@rule("W-SPELL-2")
def test_actions_of_all_other_types_are_refused_with_those_that_are_left() -> None:
    spot = (FeatureKind.CAMPFIRE, "house/a"), (FeatureKind.CORPSE, "house/a")
    bench = casting(
        steps.AnotherAction((ActionType.EXPLORE, ActionType.DEED)),
        monsters_at=[(RAT, "house/a")],
        features=spot,
        items=by_id(item_card("rope")),
    )
    bench.emit(fe.ItemGained(ADA, "item/rope", (), None))
    bench.give_rolls(1, 1)
    go(bench, "choice/cast")

    by_type = {subject for subject, id_ in refused(bench).items() if id_ == "W-SPELL-2"}

    assert by_type == {
        "choice/attack",
        "choice/cast",
        "choice/run",
        "choice/drop",
        "choice/burn_corpses",
    }
    assert bench.open is not None
    reasons = [one.reason for one in bench.open.prompts[1].refused if one.rule == "W-SPELL-2"]
    assert {str(one.params[0].subject) for one in reasons} == {"needs/or"}  # type: ignore[union-attr]


@rule("W-SPELL-2")
def test_a_type_that_was_taken_is_not_given_again_and_any_is_if_none_is_named() -> None:
    bench = casting(steps.AnotherAction((ActionType.CARD,)))
    bench.give_rolls(1)
    go(bench, "choice/cast")
    assert not bench.game_table.has_action

    other = casting(steps.AnotherAction())
    other.give_rolls(1)
    go(other, "choice/cast")
    assert other.game_table.has_action
    assert "choice/cast" in offered(other)


@rule("W-SPELL-2")
def test_an_action_that_is_left_is_not_made_less() -> None:
    bench = world()

    bench.run(effects.resolve(bench.game, (steps.AnotherAction((ActionType.RUN,)),), HERE))

    assert bench.game_table.action_types == ()
    assert "choice/explore" in {*offered(bench), *refused(bench)}


@rule("W-SPELL-3")
@pytest.mark.parametrize("other", [None, BEN])
def test_once_the_turn_is_over_there_is_no_further_action(other: str | None) -> None:
    bench = world((ADA, BEN))
    bench.emit(fe.ActionTaken(ADA, "card"))
    bench.emit(fe.TurnEnded(1))
    if other is not None:
        turn.begin(bench.game, other)
        bench.emit(fe.ActionTaken(other, "card"))

    bench.run(effects.resolve(bench.game, (steps.AnotherAction(),), HERE))

    assert not bench.happened(fe.ActionGained)
    assert not bench.game_table.has_action


# One copy


@rule("W-DECIDE-40", "W-EX-21", "K-SPELL-8")
def test_a_second_copy_of_a_spell_gives_nothing() -> None:
    bench = casting()

    bench.run(effects.resolve(bench.game, (steps.Gain(spell="spell/haste"),), HERE))

    assert bench.log == []
    assert [one.card for one in bench.who(ADA).spells] == ["spell/haste"]
