"""
Begins the log of a branch with the records of its source and the seeds of its chance.

Each record keeps its content. Its secrets are committed to again, under the branch's id and with
fresh salts, so that no opening of one log fits the other; disclosures of earlier secrets get the
new salts, too. Chat is replaced by `LEFT_OUT`, since it belongs to the people who heard it.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from protocol import codec
from protocol.commitments import SALT_BYTES, Opening, commit
from protocol.common import events
from protocol.common.disclosure import Disclosure
from protocol.common.table import Branch
from protocol.event import ROOM, Event, Stored, hidden, openings_of, read_own
from protocol.sealing import seal
from protocol.values import evolve, frozen
from server.kernel.chance import SEED_BYTES, Entropy

LEFT_OUT = "…".encode()
"""Replacement of the words of chat."""


@attrs.define(eq=False)
class Repeater:
    """Rewrites the records of a source for a branch, in order."""

    room_id: str
    """Id of the branch."""
    source: Branch
    entropy: Entropy
    _openings: list[tuple[Opening, ...]] = attrs.field(factory=list, init=False, repr=False)
    """Openings of each record of the branch."""
    _seeds: events.SeedsCommitted | None = attrs.field(default=None, init=False)
    _seeds_there: tuple[Opening, ...] = attrs.field(default=(), init=False, repr=False)
    """Openings of the seeds in the source log."""

    def repeat(self, stored: Stored) -> Stored:
        record = read_own(self.source.room_id, stored)
        happened: Any = record.event
        if isinstance(happened, events.SeedsCommitted):
            # `Branched` opens the seeds of the source, so that its chance can be checked.
            self._seeds, self._seeds_there = happened, openings_of(stored)
        changes: dict[str, Any] = {}
        if isinstance(happened, events.RoomOpened):
            changes = {"room_id": self.room_id, "source": self.source}
        elif isinstance(happened, events.Chatted):
            changes = {"words": hidden(LEFT_OUT)}
        for field in attrs.fields(type(happened)):
            value = getattr(happened, field.name)
            items = value if isinstance(value, tuple) else (value,)
            if items and all(isinstance(item, Disclosure) for item in items):
                is_row = isinstance(value, tuple)
                anew = [
                    # The secret was sealed again above, with another salt.
                    evolve(one, salt=self._openings[one.sequence][one.slot].salt)
                    for one in (value if is_row else (value,))
                ]
                changes[field.name] = tuple(anew) if is_row else anew[0]
        if changes:
            changed: Event = evolve(happened, **changes)
            written = self._sealed(changed, stored)
        else:
            written = self._as_it_is(stored)
        self._openings.append(openings_of(written))
        return written

    def _as_it_is(self, stored: Stored) -> Stored:
        """Return a copy of a record that differs only in new commitments to its secrets."""
        # A commitment covers the id of its room, so the source's would not verify in the branch.
        sequence, time, origin, tag, fields, secrets = _parts(stored)
        if not secrets:
            return stored
        pairs = list(zip(secrets, openings_of(stored), strict=True))
        heads, openings = [], []
        for slot, ((audience, _), opening) in enumerate(pairs):
            mine = Opening(self.entropy.draw(SALT_BYTES), opening.value)
            heads.append((audience, commit(self.room_id, sequence, slot, mine)))
            openings.append((mine.salt, mine.value))
        public = (sequence, time, origin, tag, fields, tuple(heads))
        return Stored(codec.pack_known(public), codec.pack_known(tuple(openings)))

    def _sealed(self, happened: Event, stored: Stored) -> Stored:
        sequence, time, origin, _, _, secrets = _parts(stored)
        return seal(
            happened,
            room_id=self.room_id,
            sequence=sequence,
            time=time,
            origin=origin,
            knowers=_SameSeats(secrets[0][0] if secrets else ()),
            new_salt=lambda: self.entropy.draw(SALT_BYTES),
        )[0]

    def end(
        self, seat: int, key: bytes, setup: events.SourceSetup | None, *, time: int
    ) -> Iterator[Stored]:
        """
        Yield the records that follow those of the source: a new owner of all seats, and new seeds.

        Args:
            seat: any seat of the table; the origin of the first record.
            key: key of the player who gets all seats.
            setup: fixed setup of the source, if it had one.
            time: milliseconds since 1970, not before the time of the last record.
        """
        assert self._seeds is not None, "a branch of a game that never began"
        there = (self._seeds.play_seed, self._seeds.house_seed)
        seeds = tuple(
            events.SourceSeed(*sealed.ref, opening.salt, opening.value)
            for sealed, opening in zip(there, self._seeds_there, strict=True)
        )
        play, house = (hidden(self.entropy.draw(SEED_BYTES)) for _ in range(2))
        last: tuple[tuple[Event, int], ...] = (
            (events.Branched(seat, key, seeds, setup), seat),
            (events.SeedsCommitted(play, house), ROOM),
        )
        for sequence, (happened, origin) in enumerate(last, len(self._openings)):
            yield seal(
                happened,
                room_id=self.room_id,
                sequence=sequence,
                time=time,
                origin=origin,
                knowers=_SameSeats(()),
                new_salt=lambda: self.entropy.draw(SALT_BYTES),
            )[0]


@frozen
class _SameSeats:
    """Seals a copied secret to the seats that knew the original."""

    seats: tuple[int, ...]

    def all_seats(self) -> tuple[int, ...]:
        return self.seats

    def seats_of(self, knower: str) -> tuple[int, ...]:  # noqa: ARG002 (one secret, one audience)
        return self.seats


def _parts(stored: Stored) -> tuple[Any, ...]:
    parts: Any = codec.unpack_own(stored.public)
    return tuple(parts)
