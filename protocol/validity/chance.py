"""Rules of draws: numbers, bounds, and outcomes if the key is known."""

from collections.abc import Callable
from typing import Any

from protocol.common import events
from protocol.common.chance import SeededChance, Stream
from protocol.common.table import Handle
from protocol.event import Record, Sealed
from protocol.validity.state import State, effect, log_rule, need, table_rule

# Outcomes are computed from numbers of 32 bits.
MAX_BOUND = 1 << 32
"""Largest bound of a draw."""
TIEBREAK = "lot"
"""Purpose of the draw that decides a vote."""


def _check_draw(state: State, draw: events.DrawEvent) -> None:
    """Check stream and number of a draw."""
    stream, room = draw.drawn_from, state.room
    is_there = stream is not Stream.DEAL or room.version > 1
    need(is_there, "a stream that logs of this version have not", "chance")
    # Without gaps: a server that may skip numbers can try draws until it likes one.
    number = room.draws.get(events.row_of(room.version, stream, draw.purpose), 0)
    need(draw.number == number, f"draw {draw.number} is out of its row", "chance")
    # A whole log opens all seeds, so every draw must be checkable.
    if state.chances.get(stream) is None:
        need(not state.header.is_whole, f"draw {draw.number} comes from no seed", "chance")


def _check_outcome(
    state: State,
    draw: events.DrawEvent,
    sealed: Sealed[Any] | None,
    is_fair: Callable[[SeededChance], bool],
) -> None:
    """Count a draw; if its outcome is open and its key known, check the outcome by `is_fair`."""
    stream = draw.drawn_from
    chance = state.chances.get(stream)
    if chance is None:
        state.counts.pending[stream] += 1
    elif sealed is not None and not sealed.is_open:
        state.counts.sealed[stream] += 1
    else:
        need(is_fair(chance), f"draw {draw.number} is not what the seed says", "chance")
        state.counts.computed[stream] += 1


@log_rule(events.Rolled)
def _rolled(state: State, _record: Record, rolled: events.Rolled) -> None:
    _check_draw(state, rolled)
    need(0 < rolled.sides <= MAX_BOUND, "dice that there are not", "chance")
    need(all(0 <= face < rolled.sides for face in rolled.faces), "a face of no die", "chance")

    def is_fair(chance: SeededChance) -> bool:
        count = len(rolled.faces)
        faces = chance.roll(rolled.number, rolled.purpose, count, rolled.sides)
        return faces == rolled.faces

    _check_outcome(state, rolled, None, is_fair)


def _check_pick(picked: events.Picked | events.SecretPick) -> None:
    need(0 < picked.bound <= MAX_BOUND, "a bound that chance has not", "chance")
    need(0 <= picked.result < picked.bound, "a result over its bound", "chance")


@log_rule(events.Picked)
def _picked(state: State, _record: Record, picked: events.Picked) -> None:
    _check_draw(state, picked)
    _check_pick(picked)

    def is_fair(chance: SeededChance) -> bool:
        return chance.pick(picked.number, picked.purpose, picked.bound) == picked.result

    _check_outcome(state, picked, None, is_fair)


@table_rule(events.Picked)
def _tiebreak(state: State, _record: Record, picked: events.Picked) -> None:
    ask = state.room.ask
    if ask is not None:
        is_tiebreak = (picked.purpose, picked.stream) == (TIEBREAK, Stream.PLAY)
        # While a question is open, chance may decide nothing but its tiebreak.
        need(
            is_tiebreak and picked.bound == len(ask.voters), "a draw among others than those asked"
        )


@effect(events.Picked)
def _settled_by_tiebreak(state: State, _record: Record, _picked: events.Picked) -> None:
    if state.room.ask is not None:
        state.due = events.Settled


@log_rule(events.PickedSecretly)
def _picked_secretly(state: State, _record: Record, picked: events.PickedSecretly) -> None:
    _check_draw(state, picked)
    if picked.choice.is_open:
        _check_pick(picked.choice.value)

    def is_fair(chance: SeededChance) -> bool:
        choice: events.SecretPick = picked.choice.value
        return chance.pick(picked.number, picked.purpose, choice.bound) == choice.result

    _check_outcome(state, picked, picked.choice, is_fair)


@log_rule(events.Dealt)
def _dealt(state: State, _record: Record, dealt: events.Dealt) -> None:
    _check_draw(state, dealt)
    if dealt.choice.is_open:
        options = dealt.choice.value.options
        # A name that is listed twice would be twice as likely.
        is_set = list(options) == sorted(set(options))
        need(is_set, "options that are no sorted names, each once", "chance")

    def is_fair(chance: SeededChance) -> bool:
        choice: events.SecretDeal = dealt.choice.value
        ranked = chance.rank(dealt.number, dealt.purpose, choice.options)
        return ranked[:1] == (choice.result,)

    _check_outcome(state, dealt, dealt.choice, is_fair)


def _note_handles(state: State, handles: tuple[Handle, ...]) -> None:
    # A handle that returns would let everybody follow a card through a shuffle.
    fresh = set(handles)
    is_new = len(fresh) == len(handles) and not fresh & state.handles
    need(is_new, "a handle that stands for another card")
    state.handles |= fresh


@log_rule(events.Arranged)
def _arranged(state: State, _record: Record, arranged: events.Arranged) -> None:
    _note_handles(state, arranged.handles)


@log_rule(events.Shuffled, events.ShuffledSome)
def _shuffled(state: State, _record: Record, shuffled: events.Shuffled) -> None:
    _check_draw(state, shuffled)
    # Under a purpose of its choice a server could shuffle until the order suits it.
    need(shuffled.purpose == f"shuffle {shuffled.pile}", "a purpose of another pile", "chance")
    _note_handles(state, shuffled.handles)
    if shuffled.order.is_open:
        is_whole = len(shuffled.order.value) == len(shuffled.handles)
        need(is_whole, "not as many handles as cards")

    def is_fair(chance: SeededChance) -> bool:
        # Setup and deal are ranked by name: removing a card must not reorder the others.
        is_ranked = state.room.version > 1 and shuffled.stream is not Stream.PLAY
        mix = chance.rank if is_ranked else chance.shuffle
        order: tuple[str, ...] = shuffled.order.value
        return mix(shuffled.number, shuffled.purpose, order) == order

    _check_outcome(state, shuffled, shuffled.order, is_fair)
