"""Secrets of cards: what a seat is sent, and what it never is."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import Modifier, ModifierKind, Powers
from content.games.second_edition.schema.effects import Amount
from protocol.common.events import Asked, Shuffled
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition.events import BecameInsane, Told, ToldPrivately
from protocol.games.second_edition.table import INSANE_DECK, Harm, Skill, facedown_pile
from server.games.second_edition.rules import evade, harm, interplay, mythos, powers, turn
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    entry,
    insane_back,
    monster_card,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    IDOL,
    conditions_of,
    given,
    keeps,
    resolve,
    resolves,
    shown_to,
    tags,
)

rule = pytest.mark.rule
BOTH = {ADA: "house/a", BEN: "house/a"}
EVERYBODY = (0, 1, None)
D, H = Harm.DAMAGE, Harm.HORROR


def words(bench: Bench, *seats: int | None) -> list[str]:
    """Return every string that any of these seats has been sent."""
    return [word for seat in seats for word in shown_to(bench, seat)]


def suffer(bench: Bench, who: str = ADA, **amounts: Any) -> None:
    bench.run(harm.suffer(bench.game, who, **amounts))


@rule("SECRET-1")
@rule("SECRET-2")
@rule("SECRET-10")
def test_only_cards_that_lie_faceup_are_named() -> None:
    names = ("damage/up", "damage/down", "damage/deep")
    bench = world(at=BOTH, harms=[keeps(name, D, copies=1) for name in names])

    suffer(bench, damage=1)
    suffer(bench, damage=1, facedown=True)

    for seat in EVERYBODY:
        seen = words(bench, seat)
        assert "damage/up" in seen
        assert "damage/down" not in seen
        assert "damage/deep" not in seen


@rule("SECRET-2")
def test_owner_of_a_facedown_card_is_not_told_either_when_it_goes() -> None:
    bench = world(at=BOTH, harms=[keeps("damage/down", D, copies=1)])

    suffer(bench, damage=1, facedown=True)
    resolve(bench, steps.Heal(damage=1))

    assert "damage/down" not in words(bench, *EVERYBODY)


@rule("SECRET-2")
@rule("DAMAGE-9")
def test_choice_of_what_to_heal_names_facedown_cards_by_handle_alone() -> None:
    """The question has the faceup card by its name and the facedown one by a handle."""
    bench = world(harms=[keeps("damage/up", D, copies=1), keeps("damage/down", D, copies=1)])
    suffer(bench, damage=1)
    suffer(bench, damage=1, facedown=True)

    resolve(bench, steps.Heal(damage=1), answers=["facedown"])

    assert "damage/down" not in words(bench, 0)


@rule("SECRET-1")
@rule("DISCARD-2")
@rule("DECIDE-58")
def test_seen_card_cannot_be_followed_by_its_handle() -> None:
    """After a card is turned down or shuffled back, nothing has its old handle any more."""
    turning = resolves("damage/turning", D, steps.TurnThisFacedown(), copies=1)
    bench = world(harms=[turning, keeps("damage/back", D, copies=1), keeps("damage/c", D)])

    suffer(bench, damage=2)
    resolve(bench, steps.Heal(damage=1), answers=["damage/back"])

    seen = {bench.log[at].handle for at, tag in enumerate(tags(bench)) if tag == "se/harm_taken"}  # type: ignore[attr-defined]
    there = {handle for pile in bench.game_table.piles.values() for handle in pile}
    assert not seen & there


# Insane backs ------------------------------------------------------------------------------


@rule("SECRET-5")
@rule("SECRET-8")
@rule("DECIDE-13")
def test_backs_in_the_pile_are_known_to_nobody() -> None:
    cards = [insane_back(f"insane/{n}", copies=1) for n in ("drawn", "left")]
    bench = world(at=BOTH, insane=cards)

    resolve(bench, steps.Become(interplay.INSANE))

    assert "insane/drawn" in words(bench, 0)
    assert "insane/drawn" not in words(bench, 1, None)
    assert "insane/left" not in words(bench, *EVERYBODY)


@rule("SECRET-8")
@rule("DECIDE-62")
def test_copy_to_come_cannot_be_foreseen() -> None:
    bench = world(at=BOTH)
    before = set(bench.game_table.piles[INSANE_DECK])

    resolve(bench, steps.Become(interplay.INSANE))

    (event,) = bench.happened(BecameInsane)
    assert event.handle not in before
    assert not before & set(bench.game_table.piles[INSANE_DECK])


@rule("SECRET-6")
def test_back_has_its_owner_for_audience() -> None:
    """Only the seat that plays Ben sees the back."""
    bench = world(at=BOTH)

    resolve(bench, steps.Become(interplay.INSANE), actor=BEN)

    (event,) = bench.happened(BecameInsane)
    assert event.back.audience == (1,)
    assert event.card == interplay.INSANE


def mad(back: str, kind: ModifierKind | None) -> Bench:
    """Return a game in which Ada became Insane with this back, and much happened since."""
    modifiers = () if kind is None else (Modifier(kind, 1),)
    card = insane_back(back, powers=Powers(modifiers), copies=1)
    bench = world(at=BOTH, insane=[card], items=[IDOL])
    given(bench, IDOL.id)
    suffer(bench, horror=7, facedown=True)
    bench.give_dice("SIB SBB")
    resolve(bench, steps.GainClues(), steps.SkillTest(Skill.WILL))
    resolve(bench, steps.Negate(Skill.LORE, horror=Amount(2)))
    powers.component_actions(bench.game, ADA)
    resolve(bench, steps.DropRandomItem())
    return bench


def in_the_open(bench: Bench) -> list[Any]:
    """Return the events without those that hold a secret."""
    return [event for event in bench.log if not isinstance(event, BecameInsane | Shuffled | Asked)]


@rule("SECRET-7")
@rule("SECRET-5")
@pytest.mark.parametrize("kind", [None, *ModifierKind])
def test_nobody_else_can_tell_one_back_from_another(kind: ModifierKind | None) -> None:
    """Two games that differ only in Ada's back show Ben the same."""
    one, other = mad("insane/one", None), mad("insane/two", kind)

    assert words(one, 1) == words(other, 1)
    assert words(one, None) == words(other, None)
    assert tags(one) == tags(other)
    assert in_the_open(one) == in_the_open(other)
    assert [(ask.rule, ask.about) for ask in one.asked] == [
        (ask.rule, ask.about) for ask in other.asked
    ]


@rule("SECRET-6")
@rule("INSANE-7")
def test_whoever_takes_a_seat_over_learns_its_insane_back_where_it_forbids_something() -> None:
    """The refusal on their own turn names the back.

    Earlier messages stay with the previous player.
    """
    bench = mad("insane/one", ModifierKind.NO_TRADE)
    since = len(bench.stored)
    assert "insane/one" in words(bench, 0)
    assert "insane/one" not in shown_to(bench, 0, since=since)

    bench.run(turn.take_action(bench.game), "choice/end_turn")

    assert "insane/one" in shown_to(bench, 0, since=since)
    assert "insane/one" not in words(bench, 1, None)


@rule("SECRET-6")
@rule("DECIDE-144")
def test_whoever_takes_a_seat_over_learns_its_insane_back_in_the_next_mythos_phase() -> None:
    bench = mad("insane/one", None)
    since = len(bench.stored)

    bench.run(mythos.begin(bench.game))

    assert "insane/one" in shown_to(bench, 0, since=since)
    assert "insane/one" not in words(bench, 1, None)


@rule("DECIDE-61")
@rule("SECRET-7")
def test_missing_back_is_no_secret_but_empty() -> None:
    """Everybody sees that no back was left to draw."""
    bench = world(at=BOTH, insane=[insane_back(copies=0)])

    resolve(bench, steps.Become(interplay.INSANE))

    assert conditions_of(bench) == [interplay.INSANE]
    assert bench.happened(BecameInsane)[0].handle == ""


@rule("DECIDE-144")
def test_private_line_is_in_its_owners_journal_alone() -> None:
    bench = world(at=BOTH)

    bench.emit(ToldPrivately(BEN, hidden(Text("text/whisper"))))

    assert "text/whisper" in words(bench, 1)
    assert "text/whisper" not in words(bench, 0, None)


@rule("SECRET-2")
def test_an_effect_lets_an_owner_look_at_their_facedown_cards() -> None:
    bench = world(at=BOTH)
    resolve(bench, steps.Suffer(damage=Amount(2), facedown=True), actor=BEN)
    pile = facedown_pile(BEN, Harm.DAMAGE)
    lying = bench.game_table.piles[pile]

    resolve(bench, steps.LookAtFacedown(Harm.DAMAGE), actor=BEN)

    seen = [line.text.value.params[0] for line in bench.happened(ToldPrivately)]
    assert seen == [bench.game_table.card_of(handle) for handle in lying]
    assert bench.game_table.piles[pile] == lying
    assert set(seen) <= set(words(bench, 1))
    assert not set(seen) & set(words(bench, 0, None))
    assert bench.happened(Told)[-1].text == Text("result/looks_at_damage", (BEN, 2))


@rule("SECRET-2")
def test_who_has_nothing_facedown_looks_at_nothing() -> None:
    """Cards of the other kind are not looked at."""
    bench = world(at=BOTH)
    resolve(bench, steps.Suffer(horror=Amount(1), facedown=True), actor=BEN)

    resolve(bench, steps.LookAtFacedown(Harm.DAMAGE), actor=BEN)

    assert bench.happened(ToldPrivately) == []


@rule("SECRET-15")
def test_objective_is_not_shown_before_it_is_revealed() -> None:
    """The objective is behind a choice, and told to everybody after that."""
    bench = world(at=BOTH)
    reveal = steps.EffectChoice("text/read_on", (steps.SetObjective("text/escape"),))
    stop = steps.EffectChoice("text/stop")
    letter = steps.Choose("text/letter", (reveal, stop))

    resolve(bench, letter, answers=["text/stop"])
    assert "text/escape" not in words(bench, *EVERYBODY)

    resolve(bench, letter, answers=["text/read_on"])
    assert all("text/escape" in words(bench, seat) for seat in EVERYBODY)


# Texts -------------------------------------------------------------------------------------


@rule("SECRET-13")
@rule("EVADE-5")
def test_text_of_a_check_is_known_only_once_it_is_made() -> None:
    """Of two possible texts only the drawn one is told."""
    texts = (entry(text="text/bites"), entry(text="text/sleeps"))
    bench = world(
        at=BOTH, monster_cards=[monster_card(evades=texts)], monsters=[(DROWNED, "house/a")]
    )
    assert not {"text/bites", "text/sleeps"} & set(words(bench, *EVERYBODY))

    bench.give_picks(1)
    bench.run(evade.check(bench.game, ADA))

    seen = words(bench, *EVERYBODY)
    assert "text/sleeps" in seen
    assert "text/bites" not in seen
