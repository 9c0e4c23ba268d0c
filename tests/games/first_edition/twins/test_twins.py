"""Twin games: nothing that is sent to others tells a secret of the keeper."""

import functools
from collections.abc import Callable

import pytest

from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_HAND, TRAUMA_HAND
from server.games.first_edition.rules import mythos, setup
from tests.games.first_edition.twins.evenings import ANSWERS, Evening, evening, first_in
from tests.games.twins.compare import Difference, unlike

pytestmark = pytest.mark.issue(40)
rule = pytest.mark.rule

HALL_AND_BACK = {
    "ann": ["choice/move ('room/kitchen'", "choice/run", "choice/move"],
    "kim": ["choice/keeper_action ('action/they-walk'", "choice/lead"],
}
"""Ann goes about the house, and the keeper moves a monster."""


def differences(first: Evening, second: Evening) -> dict[str, Difference | None]:
    """Return the first difference that each viewer could see."""
    assert all(len(notes) > 40 for notes in first.notes.values())
    return {name: unlike(first.notes[name], second.notes[name]) for name in first.notes}


SAME = dict.fromkeys(("ann", "ben", "wat"))


@functools.cache
def usual() -> Evening:
    return evening(wishes=HALL_AND_BACK)


def card_in_hand(one: Evening, hand: str) -> str:
    (handle,) = one.game.hand(hand)
    return one.game.card_of(handle)


@rule("K-SECRET-5", "K-SECRET-6", "K-SECRET-7", "K-SECRET-8", "K-SECRET-19", "K-DECIDE-101")
@pytest.mark.parametrize(
    "answers",
    [
        ("notice-to-quit", "in-the-bedroom"),
        ("sitting-up", "in-the-dipping-room"),
        ("notice-to-quit", "in-the-dipping-room"),
    ],
)
def test_the_keepers_answers_are_not_told(answers: tuple[str, ...]) -> None:
    twin = evening(answers=answers, wishes=HALL_AND_BACK)

    given = [one.game.answers for one in (twin, usual())]
    assert len({tuple(one.value.items()) for one in given if one is not None}) == 2
    assert differences(usual(), twin) == SAME


@rule("K-SECRET-1", "K-SECRET-12", "K-SECRET-20")
def test_a_mythos_card_in_hand_is_not_told() -> None:
    """One can be played at all of these moments, the other one at none of them."""
    games = [
        evening(order=first_in("deck/mythos", f"mythos/{card}"), wishes=HALL_AND_BACK)
        for card in ("draught", "hand-on-the-shoulder")
    ]

    assert len({card_in_hand(one, MYTHOS_HAND) for one in games}) == 2
    assert differences(*games) == SAME


@rule("K-SECRET-2")
def test_a_trauma_card_in_hand_is_not_told() -> None:
    games = [
        evening(order=first_in("deck/trauma", f"trauma/{card}"), wishes=HALL_AND_BACK)
        for card in ("turned-ankle", "wax-in-the-eyes")
    ]

    assert len({card_in_hand(one, TRAUMA_HAND) for one in games}) == 2
    assert differences(*games) == SAME


@rule("K-SECRET-15")
def test_the_back_of_a_monster_is_not_told() -> None:
    games = [evening(places={"token monster/mute": at}, wishes=HALL_AND_BACK) for at in (0, 2)]

    backs = {monster.back.value.back for one in games for monster in one.game.monsters.values()}
    assert len(backs) == 2
    assert differences(*games) == SAME


@rule("K-SECRET-10")
def test_the_backs_of_spells_are_not_told() -> None:
    def turned(purpose: str, mixed: object) -> object:
        items = list(mixed)  # type: ignore[call-overload]
        return items[::-1] if purpose.startswith("shuffle deck/spell") else items

    twin = evening(order=turned, wishes=HALL_AND_BACK)  # type: ignore[arg-type]

    assert differences(usual(), twin) == SAME


def test_a_strike_is_seen() -> None:
    """A card in public makes the messages differ: the comparison can find a difference."""
    struck = evening(
        order=first_in("deck/mythos", "mythos/draught"), wishes=HALL_AND_BACK, strikes=True
    )
    still = evening(order=first_in("deck/mythos", "mythos/draught"), wishes=HALL_AND_BACK)

    assert all(differences(still, struck).values())


# Leaks that were planted ---------------------------------------------------------------------


def asked_only_if_possible(patch: pytest.MonkeyPatch) -> None:
    """The keeper is asked beside a step only if a card can be played."""
    honest = mythos.is_moment

    def is_moment(play: object) -> bool:
        table = play.table  # type: ignore[attr-defined]
        return honest(play) and bool(mythos.options(play, table.active)[0])  # type: ignore[arg-type]

    patch.setattr(mythos, "is_moment", is_moment)


def objective_in_the_open(patch: pytest.MonkeyPatch) -> None:
    """The story's opening says which objective it is."""
    honest = setup.place_hidden_cards

    def place_hidden_cards(play: object) -> None:
        honest(play)  # type: ignore[arg-type]
        goal = play.table.objective.value  # type: ignore[attr-defined]
        play.emit(setup.Told(setup.Text(goal)))  # type: ignore[attr-defined]

    patch.setattr(setup, "place_hidden_cards", place_hidden_cards)


def no_card_for_nothing(patch: pytest.MonkeyPatch) -> None:
    """A card of a room is laid only where the last clue is not."""

    def laid(role: str, room: str, card: object) -> object:
        is_last = card.value == "clue/last-words"  # type: ignore[attr-defined]
        return fe.CardLaid(role, "room/front-hall" if is_last else room, card)  # type: ignore[arg-type]

    patch.setattr(setup, "CardLaid", laid)


@pytest.mark.parametrize(
    ("plant", "changed"),
    [
        (objective_in_the_open, {"answers": ("notice-to-quit", "in-the-bedroom")}),
        (no_card_for_nothing, {"answers": ("sitting-up", "in-the-dipping-room")}),
        (
            asked_only_if_possible,
            {"order": first_in("deck/mythos", "mythos/hand-on-the-shoulder")},
        ),
    ],
)
def test_a_leak_is_found(
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], None],
    changed: dict[str, object],
) -> None:
    plant(monkeypatch)
    first = evening(
        answers=ANSWERS, order=first_in("deck/mythos", "mythos/draught"), wishes=HALL_AND_BACK
    )
    same = {"order": first_in("deck/mythos", "mythos/draught"), **changed}
    second = evening(wishes=HALL_AND_BACK, **same)  # type: ignore[arg-type]

    assert any(differences(first, second).values())


@rule("K-SECRET-24", "K-DECIDE-107")
@pytest.mark.parametrize(
    "plan",
    [
        ["choice/lay_none", "choice/at_failed_test", "choice/lay_none"],
        ["mythos/hand-on-the-shoulder", "choice/at_turn", "choice/lay_none"],
        ["choice/lay_none", "choice/at_turn", "mythos/hand-on-the-shoulder", "choice/at_turn"],
    ],
)
def test_what_the_keeper_lays_ready_is_not_told(plan: list[str]) -> None:
    """The card cannot be played at any of these moments, so that nothing shows."""
    order = first_in("deck/mythos", "mythos/hand-on-the-shoulder")
    wishes = {"ann": HALL_AND_BACK["ann"]}
    games = [
        evening(order=order, wishes={**wishes, "kim": own}, by_calendar=True)
        for own in (["choice/lay_none", "choice/at_turn", "choice/lay_none"], plan)
    ]

    assert differences(*games) == SAME
