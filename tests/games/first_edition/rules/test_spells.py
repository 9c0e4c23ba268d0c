"""Spells: section 18, K-DECIDE-58 and K-DECIDE-59."""

from typing import Any

import pytest

from content.games.first_edition.schema.cards import Doing, Modifier, SpellBack, Trigger
from content.games.first_edition.schema.effects import (
    Heal,
    HurtMonster,
    Kill,
    Move,
    MoveMonster,
    PlaceMonster,
    Stun,
    Suffer,
)
from content.games.first_edition.schema.effects import Test as Try
from content.games.first_edition.schema.targets import Who
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_HAND
from protocol.games.first_edition.words import Attribute, FeatureKind
from protocol.games.first_edition.words import TestKind as Kind
from server.games.first_edition.rules import mythos, newcomers, spells, turn
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.fights import give, offered, refused
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    MAN,
    RAT,
    by_id,
    injury,
    insanity,
    item_card,
    mythos_card,
    spell_card,
    world,
)

rule = pytest.mark.rule
WARD = spell_card(
    "ward",
    SpellBack("spellback/soft", passed=(Heal(damage=1),), failed=(Suffer(horror=1),)),
    SpellBack("spellback/hard", passed=(Heal(damage=3),), failed=(Stun(),)),
)
BOLT = spell_card(
    "bolt",
    SpellBack("spellback/spark", passed=(HurtMonster(2),), failed=(Suffer(damage=1),)),
    SpellBack("spellback/flame", passed=(HurtMonster(3),)),
    attack=True,
    range=1,
)


def caster(*cards: Any, **parts: Any) -> Bench:
    """Return a bench on which Ada has these spells."""
    bench = world(**{"spells": by_id(*cards), **parts})
    for card in cards:
        newcomers.gain_spell(bench.game, ADA, card.id)
    bench.log.clear()
    return bench


@rule("K-SPELL-2", "K-SPELL-3", "K-SPELL-1", "K-ACT-2")
def test_the_test_of_the_front_comes_first_then_the_back_is_shown_and_resolved() -> None:
    bench = caster(WARD)
    bench.set(ADA, damage=4, attributes={**bench.who(ADA).attributes, Attribute.LORE: 6})
    bench.give_rolls(6)

    bench.run(turn.take_step(bench.game), "choice/cast")

    (test,) = bench.happened(fe.TestDeclared)
    assert (test.attribute, test.value, test.kind) == (Attribute.LORE, 6, Kind.SPELL)
    order = [type(one) for one in bench.log]
    assert order.index(fe.TestEnded) < order.index(fe.SpellTurned) < order.index(fe.HarmTaken)
    assert bench.happened(fe.SpellTurned)[0].back == "spellback/soft"
    assert bench.who(ADA).damage == 3
    assert bench.happened(fe.ActionTaken) == [fe.ActionTaken(ADA, "card")]


@rule("K-SPELL-3")
def test_after_a_failed_test_the_other_effect_of_the_back_is_resolved() -> None:
    bench = caster(WARD)
    bench.give_rolls(6)

    bench.run(turn.take_step(bench.game), "choice/cast")

    assert bench.who(ADA).horror == 1


@rule("K-SPELL-1", "K-SECRET-10")
def test_before_the_casting_nobody_knows_the_back() -> None:
    bench = caster(WARD)
    (spell,) = bench.who(ADA).spells

    assert bench.table.game is not None
    assert bench.game_table.is_unknown(spell.handle)
    assert "spellback" not in repr(bench.who(ADA))
    bench.run(turn.take_step(bench.game), ...)
    assert "spellback" not in repr(bench.asked[0].prompts[1].options[0].text)
    assert all("spellback" not in repr(one.text) for one in bench.asked[0].prompts[1].options)


@rule("K-SPELL-4", "K-SPELL-5", "K-DECIDE-58")
def test_a_spell_that_was_cast_is_discarded_and_the_next_copy_is_drawn() -> None:
    bench = caster(WARD)
    (first,) = bench.who(ADA).spells
    bench.give_rolls(6)

    bench.run(turn.take_step(bench.game), "choice/cast")

    (second,) = bench.who(ADA).spells
    assert second.card == "spell/ward"
    assert second.handle != first.handle
    assert bench.game_table.is_unknown(second.handle)
    assert bench.game_table.piles["deck/spell/ward/discards"] == (first.handle,)
    order = [type(one) for one in bench.log]
    assert order.index(fe.SpellDiscarded) < order.index(fe.SpellGained)


@rule("K-DECIDE-58", "K-SUPPLY-1")
def test_when_the_deck_is_empty_the_discards_are_shuffled_again() -> None:
    bench = caster(WARD)
    bench.give_rolls(6, 6)

    bench.run(spells.cast(bench.game, ADA, bench.who(ADA).spells[0].handle))
    bench.run(spells.cast(bench.game, ADA, bench.who(ADA).spells[0].handle))

    (third,) = bench.who(ADA).spells
    assert bench.game_table.is_unknown(third.handle)
    assert bench.happened(fe.DiscardsReturned) == [fe.DiscardsReturned("deck/spell/ward")]
    assert [one.back for one in bench.happened(fe.SpellTurned)] == [
        "spellback/soft",
        "spellback/hard",
    ]


@rule("K-SPELL-4")
def test_a_back_may_say_that_the_spell_is_kept() -> None:
    stays = spell_card("stay", SpellBack("spellback/stay-1", keep=True), SpellBack("spellback/x"))
    bench = caster(stays)
    (held,) = bench.who(ADA).spells
    bench.give_rolls(1)

    bench.run(spells.cast(bench.game, ADA, held.handle))

    assert bench.who(ADA).spells == (held,)
    assert not bench.happened(fe.SpellDiscarded)


@rule("K-SPELL-6")
@pytest.mark.parametrize("whom", [ADA, BEN])
def test_a_caster_may_choose_a_comrade_in_the_room_or_himself(whom: str) -> None:
    mend = spell_card(
        "mend",
        SpellBack("spellback/m1", passed=(Heal(damage=1, who=Who.COMRADE),)),
        SpellBack("spellback/m2"),
    )
    bench = caster(mend, people=(ADA, BEN))
    bench.set(ADA, damage=2)
    bench.set(BEN, damage=2)
    bench.give_rolls(1)

    bench.run(spells.cast(bench.game, ADA, bench.who(ADA).spells[0].handle), whom)

    assert bench.who(whom).damage == 1
    assert list(bench.asked[0].prompts) == [1]


@rule("K-SPELL-7", "K-DECIDE-59", "K-EVADE-3", "K-ACT-3", "K-DECIDE-49")
def test_an_attack_spell_is_an_attack_without_evade_tests_and_combat_cards() -> None:
    bench = caster(BOLT, monsters_at=[(RAT, "house/a")])
    bench.give_rolls(5)

    bench.run(turn.take_step(bench.game), "choice/cast_at")

    assert bench.happened(fe.Attacked) == [fe.Attacked(ADA, "m1", "spell/bolt")]
    assert bench.happened(fe.ActionTaken) == [fe.ActionTaken(ADA, "attack")]
    assert not bench.happened(fe.Evaded)
    assert not bench.happened(fe.CombatCardDrawn)
    assert bench.monster().damage == 2


@rule("K-DECIDE-59", "K-EVADE-2")
def test_another_spell_needs_evade_tests_first() -> None:
    bench = caster(WARD, monsters_at=[(RAT, "house/a")])
    bench.give_rolls(1, 1)

    bench.run(turn.take_step(bench.game), "choice/cast")

    assert [one.kind for one in bench.happened(fe.TestDeclared)] == [Kind.EVADE, Kind.SPELL]


@rule("K-DECIDE-55", "K-DARK-2")
@pytest.mark.parametrize(("card", "value"), [(BOLT, 3 + 1), (WARD, 5 + 1)])
def test_the_test_of_an_attack_spell_is_in_combat_and_one_of_a_spell(card: Any, value: int) -> None:
    hat = item_card("hat", modifiers=(Modifier(amount=1, tests=(Kind.SPELL,)),))
    bench = caster(
        card,
        monsters_at=[(RAT, "house/b")],
        features=[(FeatureKind.DARKNESS, "room/hall")],
        items=by_id(hat),
    )
    give(bench, hat.id)
    bench.give_rolls(1)

    bench.run(turn.take_step(bench.game), "choice/cast")

    (test,) = bench.happened(fe.TestDeclared)
    assert test.value == value


@rule("K-DECIDE-55")
def test_a_test_on_the_back_of_an_attack_spell_is_in_combat() -> None:
    wild = spell_card(
        "wild",
        SpellBack("spellback/w1", passed=(Try(Attribute.DEXTERITY),)),
        SpellBack("spellback/w2"),
        attack=True,
    )
    bench = caster(wild, monsters_at=[(RAT, "house/a")])
    bench.give_rolls(1, 1)

    bench.run(turn.take_step(bench.game), "choice/cast_at")

    second = bench.happened(fe.TestDeclared)[1]
    assert second.kind is Kind.COMBAT
    assert second.about.params[-1] == Text("spellback/w1")


@rule("K-INFO-4")
def test_harm_of_a_spell_is_not_dealt_by_its_target() -> None:
    bench = caster(BOLT, monsters_at=[(RAT, "house/a")])
    bench.give_rolls(10)

    bench.run(turn.take_step(bench.game), "choice/cast_at")

    assert bench.who(ADA).damage == 1
    assert not bench.happened(fe.MonsterBackShown)


@rule("K-COMBAT-7", "K-COMBAT-8", "K-SPELL-7")
def test_an_attack_spell_needs_range_and_sight() -> None:
    bench = caster(BOLT, at={ADA: "house/b"}, monsters_at=[(RAT, "house/a"), (MAN, "house/c")])

    found = spells.offers(bench.game, ADA)

    assert offered(found) == ["choice/cast_at m1"]
    assert refused(found) == [("choice/cast_at", "refusal/not_in_sight", "K-COMBAT-8")]


@rule("K-HIDE-4", "K-HIDE-3")
def test_a_hidden_investigator_cannot_cast() -> None:
    bench = caster(
        WARD,
        BOLT,
        monsters_at=[(RAT, "house/a")],
        features=[(FeatureKind.HIDING_SPOT, "house/a")],
    )
    bench.emit(fe.Hid(ADA, "f1"))

    found = spells.offers(bench.game, ADA)

    assert offered(found) == []
    assert {one[1:] for one in refused(found)} == {("refusal/hidden", "K-HIDE-4")}


@rule("K-ACT-1")
def test_nobody_casts_after_another_action() -> None:
    bench = caster(WARD, BOLT, monsters_at=[(RAT, "house/a")])
    bench.emit(fe.ActionTaken(ADA, "run"))

    found = spells.offers(bench.game, ADA)

    assert offered(found) == []
    assert {one[1:] for one in refused(found)} == {("refusal/no_action", "K-ACT-1")}


@rule("K-CARD-5")
@pytest.mark.parametrize(
    ("modifier", "left"),
    [(Modifier(forbids=(Doing.SPELL,)), []), (Modifier(forbids=(Doing.ATTACK,)), ["choice/cast"])],
)
def test_a_trauma_card_can_forbid_spells_or_attack_spells(
    modifier: Modifier, left: list[str]
) -> None:
    mute = injury("mute", modifiers=(modifier,))
    bench = caster(WARD, BOLT, monsters_at=[(RAT, "house/a")], in_decks={"traumas": [mute]})
    bench.set(ADA, injury=mute.id)

    assert offered(spells.offers(bench.game, ADA)) == left


@rule("K-SPELL-8")
def test_nobody_holds_two_copies_of_a_spell() -> None:
    bench = caster(WARD)

    newcomers.gain_spell(bench.game, ADA, "spell/ward")

    assert len(bench.who(ADA).spells) == 1
    assert not bench.happened(fe.SpellGained)


@rule("K-SPELL-5", "K-DEATH-3")
def test_a_caster_who_dies_of_the_spell_draws_none() -> None:
    bench = caster(BOLT, monsters_at=[(RAT, "house/a")])
    bench.set(ADA, damage=7)
    bench.give_rolls(10)

    bench.run(turn.take_step(bench.game), "choice/cast_at")

    assert bench.game_table.deaths == 1
    assert len(bench.happened(fe.SpellDiscarded)) == 1
    assert not bench.happened(fe.SpellGained)


@rule("K-DECIDE-32", "K-DECIDE-59")
def test_whoever_dies_in_the_evade_test_casts_nothing() -> None:
    bench = caster(WARD, monsters_at=[(RAT, "house/a")])
    bench.set(ADA, damage=7)
    bench.give_rolls(10)

    bench.run(turn.take_step(bench.game), "choice/cast", "choice/let_damage")

    assert not bench.happened(fe.SpellTurned)


@rule("K-SECRET-23")
def test_of_a_spell_that_was_not_cast_only_the_front_is_open() -> None:
    bench = caster(WARD, trauma=[insanity("fear")])
    (held,) = bench.who(ADA).spells

    bench.emit(fe.SpellDiscarded(ADA, held.handle))

    assert bench.game_table.piles["deck/spell/ward/discards"] == (held.handle,)
    assert bench.game_table.is_unknown(held.handle)


@rule("K-SPELL-3", "K-CARD-12")
def test_the_caster_chooses_where_otherwise_the_keeper_would() -> None:
    gate = spell_card(
        "gate",
        SpellBack("spellback/g1", passed=(Move(1), MoveMonster(1), PlaceMonster(MAN, "room/hall"))),
        SpellBack("spellback/g2"),
    )
    bench = caster(gate, monsters_at=[(RAT, "house/b")])
    bench.give_rolls(1, 1)

    bench.run(
        spells.cast(bench.game, ADA, bench.who(ADA).spells[0].handle),
        "house/b",
        "house/a",
        "house/a",
    )

    assert [list(ask.prompts) for ask in bench.asked] == [[1], [1], [1]]
    assert bench.who(ADA).space == "house/b"
    assert bench.monster(RAT).space == "house/a"


@rule("K-DECIDE-70", "K-SPELL-7")
def test_an_attack_spell_turns_up_the_card_that_waits_for_an_attack() -> None:
    curse = mythos_card("curse", Suffer(horror=1), face_down=Trigger.ATTACKED)
    bench = caster(WARD, BOLT, monsters_at=[(RAT, "house/a")], mythos=[curse])
    (handle,) = bench.hand(MYTHOS_HAND).values()
    bench.run(mythos.play_card(bench.game, ADA, handle))
    ward, bolt = bench.who(ADA).spells
    bench.give_rolls(1, 1, 1)

    bench.run(spells.cast(bench.game, ADA, ward.handle))
    assert not bench.happened(fe.FaceDownTurned)
    bench.emit(fe.StepGained(ADA))
    bench.run(spells.cast(bench.game, ADA, bolt.handle, "m1"))
    assert len(bench.happened(fe.FaceDownTurned)) == 1


@rule("K-DECIDE-91", "K-SPELL-3", "K-SECRET-10")
def test_whom_the_failed_test_of_a_spell_kills_turns_nothing_over() -> None:
    """A card of the keeper waits for the failed test; the spell was discarded with its holder."""
    trap = mythos_card("trap", Kill(), face_down=Trigger.TEST_FAILED)
    bench = caster(WARD, people=(ADA, BEN), mythos=[trap])
    (handle,) = bench.game_table.hand(MYTHOS_HAND)
    bench.run(mythos.play_card(bench.game, ADA, handle))
    bench.give_rolls(10)

    bench.run(turn.take_step(bench.game), "choice/cast")

    assert ADA not in bench.game_table.investigators
    assert not bench.happened(fe.SpellTurned)
