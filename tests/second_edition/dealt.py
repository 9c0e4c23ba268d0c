"""
What was dealt to a scenario's counters, and when the story first acts on it.

A number that was dealt is nobody's to know. But what the scenario declares may ask for it, and goes
one way or the other, in front of everybody. So it is everybody's from the first batch on in which
the content asks for it: a `when`, a requirement or an expression. Rules that look for themselves,
behind the content's back, make nothing public.
"""

import functools
import itertools
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

import pytest

from protocol.common.events import Shuffled
from protocol.event import Record, Stored
from protocol.second_edition.table import InvestigatorId
from server.kernel.scribe import Batch
from server.rules.second_edition import counters, expressions, requirements
from server.rules.second_edition.play import Play
from tests.kernel.twins import Pin, records_of
from tests.second_edition.simulate import Simulation

PILE = "deal/"


def play_watched(simulation: Simulation) -> Simulation:
    """Play a game to its end, and note on it for which counters the story asks, batch by batch."""
    honest, then = counters.value, simulation.on_batch
    asked: set[str] = set()

    def value(play: Play, counter: str, investigator: InvestigatorId | None = None) -> int:
        asked.add(counters.opaque_name(play, counter, investigator))
        return honest(play, counter, investigator)

    def on_batch(batch: Batch) -> None:
        simulation.asked[batch.first] = frozenset(asked)
        asked.clear()
        if then is not None:
            then(batch)

    simulation.on_batch = on_batch
    watching = SimpleNamespace(value=value)
    with pytest.MonkeyPatch.context() as patch:
        # Only where content is worked out: what rules ask for by themselves does not count.
        patch.setattr(expressions, "counters", watching)
        patch.setattr(requirements, "counters", watching)
        return simulation.play()


@functools.cache
def acted_on(first: Simulation) -> tuple[Pin, ...]:
    """Return what was dealt and asked for in a whole game, each with its batch's first record."""
    return tuple(_acted_on(first, list(first.room.log)))


def _acted_on(first: Simulation, log: Sequence[Stored]) -> Iterator[Pin]:
    records = records_of(log)
    starts = [*sorted(first.asked), len(records)]
    in_force: dict[str, Shuffled] = {}
    for start, end in itertools.pairwise(starts):
        candidates = list(in_force.items())
        for counter, dealt in _deals(records[start:end]):
            in_force[counter] = dealt
            candidates.append((counter, dealt))
        for counter, dealt in candidates:
            if counter in first.asked[start]:
                yield from _taken(start, dealt)


def _taken(sequence: int, dealt: Shuffled) -> Iterator[Pin]:
    """Yield the card that was taken, and the blanks that it was found under."""
    for handle, card in zip(dealt.handles, dealt.order.value, strict=True):
        yield Pin(sequence, handle, card)
        if card != counters.BLANK:
            return


def _deals(records: Sequence[Record]) -> Iterator[tuple[str, Shuffled]]:
    """Yield the shuffles from which was dealt: each is followed by one of what is left."""
    mixes: dict[str, list[Shuffled]] = {}
    for record in records:
        happened = record.event
        if isinstance(happened, Shuffled) and happened.pile.startswith(PILE):
            mixes.setdefault(happened.pile.removeprefix(PILE), []).append(happened)
    for counter, found in mixes.items():
        assert len(found) % 2 == 0, f"{counter} is dealt by two shuffles each time"
        yield from ((counter, dealt) for dealt in found[::2])
