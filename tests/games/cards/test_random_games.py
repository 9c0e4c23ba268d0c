"""Random games of the bundled pack, which break no invariant and no law, and come to an end."""

import attrs
import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.games.cards.events import Moved, Tokens
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import Phase
from tests.games.cards.random_games import Played, play
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(42)

EVERY_RUN = 2
LONG, CHUNK = 2000, 50


def _played(seed: int) -> Played:
    """Play a game; fail if it breaks an invariant, or a law, or does not end."""
    played = play(seed)
    again = f"again: python -m tests.games.cards.random_games {seed}"
    if played.faults:
        pytest.fail("\n".join([*played.faults, again]))
    assert played.game.game.phase is Phase.OVER, again
    report = audit(load(file_of(played.game.room)))
    assert report.is_finished, again
    return played


@pytest.mark.parametrize("seed", range(EVERY_RUN))
def test_a_game_at_random_ends_and_breaks_nothing(seed: int) -> None:
    _played(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(LONG // CHUNK))
def test_two_thousand_games_break_nothing(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        _played(seed)


def test_a_game_comes_out_the_same_again() -> None:
    assert play(3).game.room.head == play(3).game.room.head


def _lose_a_token(event: Tokens, table: CardsTable) -> CardsTable:
    card = table.cards[event.changes[0].piece]
    return table.with_card(card.piece, tokens={"clue": -1})


def _stay(event: Moved, table: CardsTable) -> CardsTable:
    """Move the cards, and keep what lay on them."""
    after = table
    for piece in event.pieces:
        card = table.cards[piece]
        kept = attrs.evolve(card, at=event.to, tokens={"damage": 1})
        after = after.without_card(piece).with_new_card(kept)
    return after


@pytest.mark.parametrize(
    ("kind", "fold", "name"),
    [
        (Tokens, _lose_a_token, "nothing_is_below_zero"),
        (Moved, _stay, "only_cards_in_play_are_exhausted_or_hold_tokens"),
    ],
)
def test_a_fault_stops_the_game_and_is_told(
    monkeypatch: pytest.MonkeyPatch, kind: type, fold: object, name: str
) -> None:
    """A fault planted in an event is found at the event."""
    monkeypatch.setattr(kind, "fold", fold)

    played = play(3)

    assert name in played.faults[0]
    assert kind.__name__ in played.faults[0]
