"""What lies face down is shown to whoever may look at it, and a captives' pile to nobody."""

import pytest

from protocol.common import events
from protocol.event import hidden
from protocol.games.cards import events as c
from protocol.games.cards.table import FACE_DOWN, Place, deck_of
from protocol.games.cards.words import Zone
from tests.games.cards.client.stage import ADA, ANN, BOB, Evening, acting, ui_of

pytestmark = pytest.mark.issue(42)
SEATS = (ANN, BOB, None)


def cards_of(evening: Evening, seat: int | None, key: str = "i") -> str:
    """Return the list of cards, or another box, as a seat reads it."""
    ui = ui_of(evening, seat=seat)
    ui.draw(60, 200)
    ui.press(key)
    return ui.draw(60, 200).plain()


def chest() -> Evening:
    """Return the table with a lamp of Ada's on which two of her ropes lie face down."""
    evening = acting()
    evening.emit(c.Laid("card/lamp", Place(Zone.PLAY, ADA), ADA))
    deck = deck_of(ADA)
    on = Place(Zone.ON, evening.piece("card/lamp"))
    evening.emit(c.LaidFaceDown(deck, evening.game.piles[deck][:2], on, ADA))
    ropes: tuple[str, ...] = ("card/rope", "card/rope")
    evening.emit(events.LookedAt(FACE_DOWN, (0, 1), (ANN,), hidden(ropes)))
    return evening


@pytest.mark.rule("C-LOOK-1", "C-DECIDE-36", "C-SECRET-15")
def test_the_controller_alone_reads_what_lies_face_down() -> None:
    shown = {seat: "Rope, face down" in cards_of(chest(), seat) for seat in SEATS}
    assert shown == {ANN: True, BOB: False, None: False}


@pytest.mark.rule("C-PILE-3", "C-DECIDE-37", "C-SECRET-19")
@pytest.mark.parametrize("seat", SEATS)
def test_of_the_captives_pile_the_number_alone_is_shown(seat: int | None) -> None:
    evening = acting()
    evening.emit(c.Moved((evening.piece("card/eel"),), Place(Zone.CAPTIVE)))
    cards = cards_of(evening, seat)
    assert "Cards in the captives’ pile, face down: 1." in cards
    assert "Eel" not in cards.partition("Encounter discard pile")[2]


@pytest.mark.rule("C-DECIDE-32", "C-SECRET-20")
@pytest.mark.parametrize("seat", SEATS)
def test_everybody_reads_the_tokens_in_the_bag_and_the_sealed_ones(seat: int | None) -> None:
    evening = acting()
    evening.emit(c.TokenSealed(evening.piece("card/quay"), "star"))
    shown = cards_of(evening, seat, "B")
    assert "0, \N{MINUS SIGN}1, \N{MINUS SIGN}1, \N{MINUS SIGN}2, " in shown
    assert "Sealed on The Quay: " in shown
