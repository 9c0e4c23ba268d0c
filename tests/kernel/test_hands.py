"""Hidden cards that some seats know: hands, looks, and where they are after going back."""

import pytest

from protocol.common import events
from protocol.common.chance import Stream
from protocol.common.table import GameTable, Handle, Table, fold
from protocol.event import read
from tests.kit.tables.playing import Policy, Recording, begin, cuts_for, play, viewers
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import Content, facedown

HANDS = Content(has_hands=True)


def seen(recording: Recording, viewer: int | None) -> GameTable:
    """Return the game as folded from the cuts sent to a viewer."""
    table = Table()
    for shown in cuts_for(recording, viewer):
        table = fold(table, read(recording.room.room_id, shown))
    assert table.game is not None
    return table.game


def known(recording: Recording, viewer: int | None, pile: str) -> list[str | None]:
    """Return the cards of a pile, with None for those that a viewer does not know."""
    game = seen(recording, viewer)
    return [game.known_card(handle) for handle in game.piles[pile]]


def cards(recording: Recording, pile: str) -> list[str]:
    return [recording.game.card_of(handle) for handle in recording.game.piles[pile]]


def scried(recording: Recording, seat: int, order: str = "toy/keep") -> Recording:
    """Return a game in which a seat looked at the top of the deck and put it back in an order."""
    recording.answer(seat, "scry")
    recording.answer(seat, order)
    return recording


# Hands -------------------------------------------------------------------------------------


def test_a_seat_knows_its_own_hand_and_nobody_elses() -> None:
    recording = begin(3, HANDS)
    hand = facedown("fox")

    for viewer in viewers(recording):
        shown = known(recording, viewer, hand)
        assert shown == (cards(recording, hand) if viewer == 1 else [None, None])


def test_a_card_that_enters_a_hand_gives_all_of_it_new_handles() -> None:
    """If it did not, the handle of a played card would tell others when the card was drawn."""
    recording = begin(3, HANDS)
    before, top = set(recording.game.hand("bear")), recording.game.piles["deck"][0]

    recording.answer(0, "draw")

    after = recording.game.hand("bear")
    assert len(after) == len(before) + 1
    assert not {*after} & {*before, top}
    assert known(recording, 0, facedown("bear")) == cards(recording, facedown("bear"))


def test_a_hand_is_mixed_by_chance_that_can_be_checked() -> None:
    recording = play(begin(3, HANDS), Policy(2))
    mixed = [m for m in recording.happened(events.Shuffled) if m.knowers]

    assert mixed
    assert {m.stream for m in mixed} == {Stream.PLAY}
    again = resume(
        recording.room.room_id, recording.log, recording.shelf, recording.entropy, from_start=True
    )
    assert again.table == recording.table


# Looking -----------------------------------------------------------------------------------


def test_who_looks_at_cards_knows_them_and_they_stay_where_they_lie() -> None:
    recording = begin(3, HANDS)
    deck = recording.game.piles["deck"]

    recording.answer(0, "scry")

    assert recording.game.piles["deck"] == deck
    for viewer in viewers(recording):
        top = known(recording, viewer, "deck")[:3]
        assert top == ([*cards(recording, "deck")[:2], None] if viewer == 0 else [None] * 3)


@pytest.mark.parametrize("order", ["toy/keep", "toy/swap"])
def test_cards_are_put_back_in_an_order_that_one_seat_knows(order: str) -> None:
    recording = begin(3, HANDS)
    was, deck = cards(recording, "deck"), recording.game.piles["deck"]

    scried(recording, 0, order)

    top = was[:2] if order == "toy/keep" else was[1::-1]
    assert cards(recording, "deck") == [*top, *was[2:]]
    assert known(recording, 0, "deck")[:3] == [*top, None]
    assert known(recording, 1, "deck")[:2] == [None, None]
    assert not {*recording.game.piles["deck"][:2]} & {*deck}
    assert recording.game.piles["deck"][2:] == deck[2:]


def test_two_seats_that_look_at_a_card_both_know_it() -> None:
    recording = scried(begin(3, HANDS), 0)
    recording.answer(1, "scry")

    top = cards(recording, "deck")[:2]
    assert known(recording, 0, "deck")[:2] == top
    assert known(recording, 1, "deck")[:2] == top
    assert known(recording, 2, "deck")[:2] == [None, None]


def test_a_deck_that_is_mixed_is_known_to_nobody() -> None:
    recording = scried(begin(3, HANDS), 0)
    game = recording.game

    mixed = game.mixed("deck", ("x", "y"), game.hidden_cards[game.piles["omens"][0]].order)

    assert [mixed.is_unknown(handle) for handle in ("x", "y")] == [True, True]


# Going back --------------------------------------------------------------------------------


def back(recording: Recording) -> None:
    """Go back to the latest checkpoint, by consent of all."""
    recording.propose_back(0, max(recording.table.checkpoints))
    for seat in (1, 2):
        recording.consent(seat)


def test_going_back_leaves_what_a_seat_knows_and_mixes_the_rest() -> None:
    recording = scried(begin(3, HANDS), 0)
    deck, hand = recording.game.piles["deck"], recording.game.hand("bear")
    top = cards(recording, "deck")[:2]

    back(recording)

    game = recording.game
    assert game.piles["deck"][:2] == deck[:2]
    assert not {*game.piles["deck"][2:]} & {*deck}
    assert known(recording, 0, "deck")[:2] == top == cards(recording, "deck")[:2]
    assert game.hand("bear") == hand
    [mixed] = recording.happened(events.ShuffledSome)
    assert mixed.places == tuple(range(2, len(deck)))
    assert mixed.knowers == ()


def test_what_was_learnt_since_is_worth_nothing() -> None:
    recording = begin(3, HANDS)
    deck = recording.game.piles["deck"]
    recording.answer(0, "scry")

    back(recording)

    assert not {*recording.game.piles["deck"]} & {*deck}
    assert known(recording, 0, "deck") == [None] * len(deck)


def test_a_room_in_which_known_cards_stayed_is_built_anew() -> None:
    recording = scried(begin(3, HANDS), 0)
    back(recording)
    table = recording.table

    recording.restart()
    assert recording.room.halted is None
    assert recording.table == table
    again = resume(
        recording.room.room_id, recording.log, recording.shelf, recording.entropy, from_start=True
    )
    assert again.table == table


@pytest.mark.parametrize("handles", [("0", "0"), ("nowhere",)])
def test_a_card_that_is_not_there_or_twice_cannot_be_looked_at(handles: tuple[Handle, ...]) -> None:
    """A mistake in a rule raises where it is made."""
    recording = begin(3, HANDS)
    top = recording.game.piles["deck"][0]
    named = [top if handle == "0" else handle for handle in handles]
    writer = recording.room._runner.running
    assert writer is not None

    with pytest.raises(ValueError, match=r"twice|not in"):
        writer.game.look_at("deck", named, (0,))
