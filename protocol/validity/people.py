"""Rules of seats, of choices before a game, and of chat."""

from typing import Any

from protocol.common import events
from protocol.common.hosts import (
    HOSTS_VERSION,
    is_host_away,
    people_present,
    successor,
    wins_vote,
)
from protocol.common.signed import is_stated, ready_statement, start_statement
from protocol.common.table import MAX_WITHHELD, Stage
from protocol.event import CLOCK, Record
from protocol.validity.form import by_host, by_seat, no_observer
from protocol.validity.state import State, log_rule, need, table_rule

MAX_CHAT_BYTES = 4 * events.MAX_CHAT
VERSIONS = (1, 2, 3, 4)
"""Known versions of logs."""


def _in_lobby(state: State) -> None:
    need(state.room.stage is Stage.LOBBY, "that is done before the game alone")


@log_rule(events.RoomOpened)
def _opened(state: State, _record: Record, opened: events.RoomOpened) -> None:
    need(opened.room_id == state.header.room_id, "it opens another room")
    need(opened.version in VERSIONS, "a log of a version that there is not", "version")
    is_known = opened.source is None or opened.version > 1
    need(is_known, "it branches off a log of version 1, which no log can", "version")
    need(opened.source is None or opened.source.room_id != opened.room_id, "it is its own source")


@table_rule(events.RoomOpened)
def _opened_by_the_first(_state: State, record: Record, opened: events.RoomOpened) -> None:
    need(record.origin == 0, "a room is opened by its first seat")
    observers = opened.settings.observers
    # One person could be listed with and without a delay.
    fingerprints = {one.fingerprint for one in observers}
    need(len(fingerprints) == len(observers), "two observers with one key")


@log_rule(events.SeatTaken)
def _taken(state: State, _record: Record, taken: events.SeatTaken) -> None:
    need(taken.seat not in state.room.seats, "the seat is taken")


@table_rule(events.SeatTaken)
def _taken_by(state: State, record: Record, taken: events.SeatTaken) -> None:
    need(taken.seat >= 0, "a seat that there cannot be")
    # Two seats for one key would be two votes for one person.
    need(taken.key and state.room.seat_of(taken.key) is None, "whoever it is has a seat, or no key")
    no_observer(state, taken.key)
    if taken.is_bot:
        by_host(state, record)
    else:
        need(record.origin == taken.seat, "it did not come from who sits down")


@log_rule(events.SeatLeft, events.SeatEmptied, events.CharactersClaimed, events.RoleClaimed)
def _seated(state: State, _record: Record, event: Any) -> None:
    need(event.seat in state.room.seats, "there is no such seat")


@table_rule(events.SeatLeft)
def _left(state: State, record: Record, left: events.SeatLeft) -> None:
    by_seat(state, record, left.seat)


@table_rule(events.SeatEmptied)
def _emptied(state: State, record: Record, emptied: events.SeatEmptied) -> None:
    by_host(state, record)
    need(emptied.seat != state.room.host, "the host empties their own seat")
    # A host could otherwise remove players at will.
    has_withheld = state.room.seats[emptied.seat].withheld >= MAX_WITHHELD
    need(has_withheld, "a seat is emptied that did not withhold its shares")


@log_rule(events.SetupFixed)
def _fixed(state: State, _record: Record, _fixed: events.SetupFixed) -> None:
    need(state.room.version > 1, "a setup is fixed on a log of an older kind")


@table_rule(events.CharactersClaimed)
def _claimed(state: State, record: Record, claim: events.CharactersClaimed) -> None:
    by_seat(state, record, claim.seat)
    others = [c for s in state.room.seats.values() if s.seat != claim.seat for c in s.characters]
    all_of = [*claim.characters, *others]
    need(len(set(all_of)) == len(all_of), "a character is claimed twice")


@table_rule(events.ScenarioChosen, events.CampaignContinued, events.ProductsSwitched)
def _chosen(state: State, record: Record, _event: object) -> None:
    _in_lobby(state)
    by_host(state, record)


@table_rule(events.SetupFixed)
def _fixed_unobserved(state: State, record: Record, fixed: events.SetupFixed) -> None:
    _chosen(state, record, fixed)
    # An observer would learn a setup that other tables play, too.
    need(not state.room.settings.observers, "a setup is fixed where it is observed")


@table_rule(events.Prepared)
def _prepared(state: State, record: Record, prepared: events.Prepared) -> None:
    _in_lobby(state)
    by_seat(state, record, prepared.seat)


@table_rule(events.BroughtAlong)
def _brought(state: State, record: Record, brought: events.BroughtAlong) -> None:
    _in_lobby(state)
    by_seat(state, record, brought.seat)
    # The host chooses the campaign first; then each seat brings its own part of it.
    need(state.room.legacy is not None, "it is brought along from no campaign")


@table_rule(events.RoleClaimed)
def _role_claimed(state: State, record: Record, claim: events.RoleClaimed) -> None:
    by_seat(state, record, claim.seat)
    need(claim.role, "a role without a name")


@log_rule(events.ReadySet)
def _ready_signed(state: State, record: Record, ready: events.ReadySet) -> None:
    room = state.signed_room
    need(ready.seat in room.seats, "there is no such seat")
    if record.origin == CLOCK:
        is_taken_back = not (ready.is_ready or ready.number or ready.signature)
        need(is_taken_back, "the server says that a seat is ready", "chance")
        return
    said = ready_statement(room.room_id, ready.seat, ready.number, is_ready=ready.is_ready)
    is_said = is_stated(room, ready.seat, said, ready.number, ready.signature)
    need(is_said, "the seat did not sign its readiness", "chance")


@table_rule(events.ReadySet)
def _ready(state: State, record: Record, ready: events.ReadySet) -> None:
    _in_lobby(state)
    if record.origin != CLOCK:
        by_seat(state, record, ready.seat)


@log_rule(events.StartRequested)
def _start_signed(state: State, _record: Record, start: events.StartRequested) -> None:
    room = state.signed_room
    need(start.seat in room.seats, "there is no such seat")
    said = start_statement(room.room_id, start.seat, start.number)
    is_said = is_stated(room, start.seat, said, start.number, start.signature)
    need(is_said, "the host did not sign the request to start", "chance")


@table_rule(events.SetupAccepted)
def _accepted(state: State, record: Record, accepted: events.SetupAccepted) -> None:
    _in_lobby(state)
    by_seat(state, record, accepted.seat)
    need(state.room.fixed_setup is not None, "a setup is accepted where none is fixed")
    need(not state.room.seats[accepted.seat].knows_setup, "a setup is accepted twice")


@table_rule(events.StartRequested)
def _requested(state: State, record: Record, start: events.StartRequested) -> None:
    seats = state.room.seats.values()
    by_seat(state, record, start.seat)
    by_host(state, record)
    # Nobody is put into a game that they did not agree to start.
    need(all(seat.is_ready for seat in seats), "somebody is not ready")


@table_rule(events.PresenceChanged)
def _present(state: State, record: Record, change: events.PresenceChanged) -> None:
    need(change.seat in state.room.seats, "there is no such seat")
    need(record.origin in {change.seat, CLOCK}, "it did not come from the seat or the clock")


@table_rule(events.HostVoted)
def _host_voted(state: State, record: Record, voted: events.HostVoted) -> None:
    _host_replaceable(state)
    by_seat(state, record, voted.seat)
    is_present = voted.seat in {seat.seat for seat in people_present(state.room)}
    need(is_present, "somebody votes who is not present")
    need(voted.seat not in state.room.host_votes, "somebody votes twice")


@table_rule(events.HostPassed)
def _host_passed(state: State, record: Record, passed: events.HostPassed) -> None:
    room = state.room
    _host_replaceable(state)
    need(passed.was == room.host, "another seat was host")
    need(passed.seat == successor(room), "the longest-seated person present does not take over")
    is_won = record.origin == CLOCK or wins_vote(room, record.origin)
    need(is_won, "neither the clock nor a vote replaces the host")


def _host_replaceable(state: State) -> None:
    _in_lobby(state)
    need(state.room.version >= HOSTS_VERSION, "the host of an old log is replaced")
    need(is_host_away(state.room), "the host is not away")


@table_rule(events.Chatted)
def _chatted(state: State, record: Record, chat: events.Chatted) -> None:
    by_seat(state, record, chat.seat)
    need(state.table.is_chat_open, "talk while the rules have closed it")
    # A character has up to four bytes in UTF-8, which is not decoded here.
    is_line = not chat.words.is_open or 0 < len(chat.words.value) <= MAX_CHAT_BYTES
    need(is_line, "talk that is no line")


@table_rule(events.ChatSet)
def _chat_set(state: State, _record: Record, change: events.ChatSet) -> None:
    game = state.table.game
    need(game is not None and game.is_chat_open is not change.is_open, "talk that is so already")
