"""Rules of the end: the seeds are opened, or kept secret, as the settings say."""

from protocol.common import events
from protocol.common.chance import commitment_of_setup, seed_in
from protocol.common.proposals import GiveUp
from protocol.event import Record
from protocol.validity.form import by_clock
from protocol.validity.order import agreed
from protocol.validity.state import State, log_rule, need, table_rule


@log_rule(events.RoomClosed)
def _closed(state: State, _record: Record, closed: events.RoomClosed) -> None:
    room = state.room
    assert room.play_seed is not None and room.house_seed is not None  # noqa: PT018 (one thing)
    seeds = [room.play_seed.ref] if room.fixed_setup else [room.play_seed.ref, room.house_seed.ref]
    opened = [(seed.sequence, seed.slot) for seed in closed.seeds]
    # The seed of a fixed setup is opened by its owner, since other tables may still play it.
    meant = seeds if room.settings.publish else []
    need(
        all(seed_in(seed.value) is not None for seed in closed.seeds),
        "it opens a seed that is none",
        "chance",
    )
    need(opened == meant, "it opens others than the seeds of this game", "secret")


@table_rule(events.RoomClosed)
def _closed_as_agreed(state: State, _record: Record, closed: events.RoomClosed) -> None:
    is_by_operator = state.came(events.OperatorClosed)
    is_agreed = not is_by_operator and isinstance(agreed(state.room), GiveUp)
    is_given_up = closed.how is events.HowClosed.GIVEN_UP
    need(is_given_up == is_agreed, "a game is given up once all agree, and not else")
    is_closed = closed.how is events.HowClosed.CLOSED
    need(is_closed == is_by_operator, "a game is closed by whoever runs the server, and not else")


@log_rule(events.SetupOpened)
def _setup_opened(state: State, _record: Record, opened: events.SetupOpened) -> None:
    room = state.room
    need(room.opened_setup is None, "no setup is to be opened")
    is_it = room.fixed_setup is not None and (
        commitment_of_setup(opened.salt, opened.seed) == room.fixed_setup.commitment
    )
    need(is_it, "it opens another setup than the one that was fixed", "chance")


@table_rule(events.SetupOpened)
def _opened_by_the_clock(_state: State, record: Record, _opened: events.SetupOpened) -> None:
    by_clock(record)
