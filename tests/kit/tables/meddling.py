"""What players do beside answering, for random games; and a way to look at each event folded."""

import contextlib
from collections.abc import Callable, Iterator
from unittest import mock

from protocol.common import events
from protocol.common import table as table_module
from protocol.common.patience import away
from protocol.common.table import Proposal, Stage, Table
from protocol.event import CLOCK, Event, Record, hidden
from server.authoring.driver import Driver
from server.kernel import batch_writer as writer
from server.kernel.admission import by_table


@contextlib.contextmanager
def listening(look: Callable[[Table, Event, Table], None]) -> Iterator[None]:
    """Call a function with each event folded inside the context.

    It receives the tables before and after the event too.
    """
    folding = table_module.fold

    def fold(table: Table, record: Record) -> Table:
        after = folding(table, record)
        look(table, record.event, after)
        return after

    with mock.patch.object(writer, "fold", fold):
        yield


def talk(game: Driver) -> None:
    seat = game.rng.randrange(game.players)
    if game.room.table.is_chat_open:
        game.give(events.Chatted(seat, hidden(b"well, well")), seat)


def come_and_go(game: Driver) -> None:
    seat = game.rng.randrange(game.players)
    is_present = game.room.table.room.seats[seat].is_present
    game.give(events.PresenceChanged(seat, not is_present), seat)


def run_out_of_time(game: Driver) -> None:
    room = game.room.table.room
    assert room.ask is not None
    # No time runs while somebody is awaited who is away.
    if not away(room):
        game.give(events.TimedOut(room.ask.ask_id), CLOCK)


def stand_still(game: Driver) -> None:
    game.give(events.PausedSet(is_paused=True), CLOCK)
    # It went back to the last checkpoint; what the rules do from there may be the end.
    if game.room.table.room.stage is Stage.PLAYING:
        game.give(events.PausedSet(is_paused=False), 0)


def take_back(game: Driver) -> None:
    checkpoints = sorted(game.room.table.checkpoints)
    if checkpoints:
        propose(game, kind="take_back", checkpoint=game.rng.choice(checkpoints[-3:]))


def hand_over(game: Driver) -> None:
    """Give a seat away, and have somebody sit down there."""
    seat, host = game.rng.randrange(game.players), game.room.table.room.host
    assert host is not None
    propose(game, by=host, kind="give_seat", seat=seat, name="Somebody")
    if not game.room.table.room.seats[seat].key:
        game.give(events.SeatFilled(seat, "Somebody", game.rng.randbytes(32)), seat)


def propose(game: Driver, *, by: int | None = None, **what: object) -> None:
    """Make a proposal; the others usually agree."""
    who = game.rng.randrange(game.players) if by is None else by
    number = game.room.table.room.next_proposal_id
    proposal = Proposal(number, by=who, **what)  # type: ignore[arg-type]  # fields by name
    game.give(events.Proposed(proposal), who)
    for seat in range(game.players):
        open_one = game.room.table.room.proposal
        if open_one is None or open_one.proposal_id != number or seat == who:
            continue
        if seat in by_table.voices(game.room.table.room):
            agrees = game.rng.random() < 0.9
            game.give(events.Consented(seat, number, is_agreed=agrees), seat)
