"""A player who is away: the game waits, and the seat may go to somebody else or to a bot."""

import pytest

from protocol.common import events
from protocol.common.table import Proposal
from protocol.event import hidden
from server.kernel.admission.by_table import answer_of
from server.kernel.errors import Refused
from tests.games.cards.simulate import Simulation, simulate

pytestmark = pytest.mark.issue(42)
HERE, AWAY = 0, 1


def waiting(seats: int = 2) -> Simulation:
    """Return a game that asks the second seat alone; whoever has it has just left the table."""
    game = simulate(2, seats)
    game.open()
    for seat in range(seats):
        game.give(events.PresenceChanged(seat, is_present=True), seat)
    while (ask := game.room.table.room.ask) is None or [*ask.questions] != [AWAY]:
        game.step()
    game.give(events.PresenceChanged(AWAY, is_present=False), AWAY)
    return game


def hand_over(game: Simulation, *, to_bot: bool) -> None:
    """Have one who is there propose to give the seat away."""
    number = game.room.table.room.next_proposal_id
    name, key = ("Bot", b"b" * 32) if to_bot else ("", b"")
    gift = Proposal(number, "give_seat", HERE, seat=AWAY, name=name, key=key, is_bot=to_bot)
    game.give(events.Proposed(gift), HERE)


@pytest.mark.rule("C-DECIDE-20")
def test_the_game_waits_and_says_for_whom() -> None:
    game = waiting()
    ask = game.room.table.room.ask
    assert ask is not None
    assert ask.waiting_for == (AWAY,)
    assert not game.room.table.room.seats[AWAY].is_present
    game.give(events.Chatted(HERE, hidden(b"Where are you?")), HERE)
    assert game.room.table.room.ask == ask


@pytest.mark.rule("C-DECIDE-20")
def test_nobody_makes_a_choice_for_another_seat() -> None:
    game = waiting()
    ask = game.room.table.room.ask
    assert ask is not None
    picks = game.answer(AWAY, ask.questions[AWAY].value)
    with pytest.raises(Refused):
        game.give(answer_of(game.room.table.room, HERE, ask.ask_id, picks), HERE)


@pytest.mark.rule("C-DECIDE-20")
@pytest.mark.parametrize("to_bot", [True, False])
def test_the_seat_goes_to_another_person_or_to_a_bot(to_bot: bool) -> None:
    game = waiting()
    order = game.game.order
    hand_over(game, to_bot=to_bot)
    if not to_bot:
        game.give(events.SeatFilled(AWAY, "Cleo", b"c" * 32), AWAY)
    seat = game.room.table.room.seats[AWAY]
    assert (seat.name, seat.is_bot) == (("Bot", True) if to_bot else ("Cleo", False))
    ask = game.room.table.room.ask
    assert ask is not None
    assert ask.waiting_for == (AWAY,)
    game.step()
    assert game.room.table.room.ask != ask
    assert game.game.order == order


@pytest.mark.rule("C-DECIDE-20")
def test_the_seat_is_given_away_only_if_all_who_are_there_agree() -> None:
    game = waiting(3)
    hand_over(game, to_bot=True)
    proposal = game.room.table.room.proposal
    assert proposal is not None
    assert not game.room.table.room.seats[AWAY].is_bot
    game.give(events.Consented(2, proposal.proposal_id, is_agreed=True), 2)
    assert game.room.table.room.seats[AWAY].is_bot
