"""
Writes one batch of a room, event by event, on a working copy of the table.

In a live game each event is sealed with fresh salts. In a replay the writer seals with the salts of
the log, compares the bytes, and raises `Diverged` at the first event that today's rules write
differently.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from protocol.commitments import SALT_BYTES, next_head
from protocol.common.chance import Stream
from protocol.common.events import (
    Arranged,
    Asked,
    ChatSet,
    Dealt,
    Disclosure,
    LookedAt,
    PassesLapsed,
    Picked,
    PickedSecretly,
    Rolled,
    SecretDeal,
    SecretPick,
    SeedsCommitted,
    Shuffled,
    ShuffledSome,
    TimerClosed,
    TimerOpened,
    row_of,
)
from protocol.common.standing import LAPSES_VERSION
from protocol.common.table import GameEvent, GameTable, Handle, Legacy, Table, fold
from protocol.common.text import Text
from protocol.event import ROOM, Event, Record, Sealed, Stored, declared_fields, hidden, openings_of
from protocol.event_contents import secrets_of
from protocol.sealing import seal
from protocol.values import frozen
from server.kernel.chance import SEED_BYTES, Chance, Chances, Entropy
from server.kernel.errors import Diverged, TruncatedLog
from server.kernel.kept_log import KeptLog
from server.kernel.rest_point import RestPoint, goes_back, is_rest_after

MAX_RECORD_BYTES = 60 * 1024
"""Maximum bytes of one record: a frame has to hold the record and its openings."""

MAX_BATCH = 4096
"""Maximum number of records in one batch. This limit stops a rule that never ends."""

HANDLE_BYTES = 8


@frozen
class Batch:
    """One input and its consequences, ready for the store."""

    first: int
    """Sequence of the first record."""
    stored: tuple[Stored, ...]
    table: Table = attrs.field(repr=False)
    """The table after the batch."""
    time: int
    """Time of the batch, in milliseconds since 1970."""


@attrs.define
class RoomState:
    """State of a room between two batches: the fold of its log."""

    room_id: str
    table: Table
    head: bytes
    log: KeptLog = attrs.field(repr=False)
    chances: Chances
    time: int
    """Time of the last batch, in milliseconds since 1970."""

    @classmethod
    def at(cls, room_id: str, rest: RestPoint, log: KeptLog) -> "RoomState":
        """Return the state at a rest point; `log` ends at this point."""
        return cls(room_id, rest.table, rest.head, log, rest.chances, rest.time)

    def as_rest_point(self) -> RestPoint:
        """Return a rest point with this state. The caller makes sure that no rule is running."""
        return RestPoint(len(self.log), self.table, self.head, self.time, self.chances)


class Recorded:
    """The rest of a log that is being replayed."""

    def __init__(self, records: Iterable[tuple[Stored, Record]], *, is_exact: bool = False) -> None:
        """
        Keep the records that the rules have to reproduce.

        Args:
            records: the rest of the log.
            is_exact: True if questions too must equal the logged ones.
        """
        self.left = deque(records)
        self._is_exact = is_exact

    def allows(self, logged: Event, happened: Event) -> bool:
        """
        Return True if a logged event is accepted instead of the event of today's rules.

        A question may offer its choices in another order or wording: only the chosen one has
        consequences, and the replay compares those. `Prompt.check` makes sure that today's rules
        offer the logged choices.
        """
        if self._is_exact or not (isinstance(logged, Asked) and isinstance(happened, Asked)):
            return False
        return _without_words(logged) == _without_words(happened)

    def must_be_copied(self, happened: Event) -> bool:
        """
        Return True if the event is the next logged one and holds a secret that stays shut.

        Chat that the owner of an exported file did not hear is such an event. Without the secret
        the event cannot be sealed again, so its record is copied.
        """
        if self.next_event() is not happened:
            return False
        return happened.stays_shut and not all(one.is_open for one in secrets_of(happened))

    def next_event(self) -> Event | None:
        """Return the next event of the log; None at the end of the log."""
        return self.left[0][1].event if self.left else None


class BatchWriter:
    """Writes one batch. The Game handle uses this class as its `EventSink`."""

    def __init__(
        self, state: RoomState, *, time: int, entropy: Entropy, recorded: Recorded | None = None
    ) -> None:
        """
        Begin a batch.

        Args:
            state: the room before the batch; the writer does not change it.
            time: time of the whole batch, in milliseconds since 1970.
            recorded: in a replay, the rest of the log.
        """
        self.state = state
        self.table = state.table
        self.head = state.head
        self.chances = state.chances
        self.stored: list[Stored] = []
        self.time = time
        self.has_gone_back = False
        """True if the batch goes back to a checkpoint, which ends the halt of a halted room."""
        self.rest: RestPoint | None = None
        """The last rest point within the batch, if any."""
        self._first = len(state.log)
        self._entropy = entropy
        self._recorded = recorded

    @property
    def next_sequence(self) -> int:
        """The sequence that the next event will have."""
        return self._first + len(self.stored)

    def batch(self) -> Batch:
        return Batch(self._first, tuple(self.stored), self.table, self.time)

    def write(self, happened: Event, *, origin: int = ROOM) -> Record:
        """
        Seal an event, add it to the batch, fold it into the table and return its record.

        In a replay the logged record is added instead.

        Raises:
            ValueError: the batch or the record is too large.
            LogError: in a replay, the log has another record or none.
        """
        count = len(self.stored)
        if count >= MAX_BATCH:
            raise ValueError(f"more than {MAX_BATCH} records follow from one input")
        if self._recorded is not None and self._recorded.must_be_copied(happened):
            return self._add(*self._recorded.left.popleft())
        stored, record = seal(
            happened,
            room_id=self.state.room_id,
            sequence=self._first + count,
            time=self.time,
            origin=origin,
            knowers=self,
            new_salt=self._salts(),
        )
        if len(stored.public) + len(stored.openings) > MAX_RECORD_BYTES:
            raise ValueError(f"a {happened.tag} of {len(stored.public)} bytes")
        if self._recorded is not None:
            stored, record = self._as_logged(stored, record)
        return self._add(stored, record)

    def _add(self, stored: Stored, record: Record) -> Record:
        self.stored.append(stored)
        self.head = next_head(self.head, stored.public)
        self.table = fold(self.table, record)
        if is_rest_after(record.event):
            self.rest = RestPoint(
                self.next_sequence,
                self.table,
                self.head,
                self.time,
                self.chances,
                goes_back(record.event),
            )
        return record

    def _new_salt(self) -> bytes:
        return self._entropy.draw(SALT_BYTES)

    def _salts(self) -> Callable[[], bytes]:
        """Return the source of salts for the next record; in a replay, first the logged salts."""
        recorded = self._recorded
        if recorded is None or not recorded.left:
            return self._new_salt
        salts = iter([opening.salt for opening in openings_of(recorded.left[0][0])])
        return lambda: next(salts, b"") or self._new_salt()

    def _as_logged(self, stored: Stored, record: Record) -> tuple[Stored, Record]:
        """
        Return the logged record in place of the record just sealed.

        Raises:
            Diverged: the two differ, and the difference is not allowed.
            TruncatedLog: the log has no further record.
        """
        assert self._recorded is not None
        happened = record.event
        if not self._recorded.left:
            raise TruncatedLog(self.next_sequence, f"the log ends before a {happened.tag}")
        expected, logged = self._recorded.left.popleft()
        # Different bytes may read as the same record: an older form of its kind.
        is_same = expected == stored or _as_read(logged) == _as_read(record)
        if not is_same and not self._recorded.allows(logged.event, happened):
            raise Diverged(
                self.next_sequence,
                f"the log has a {logged.event.tag}, the rules a {happened.tag}"
                if logged.event.tag != happened.tag
                else f"another {happened.tag}",
                logged,
                record,
            )
        return expected, logged

    @property
    def recorded(self) -> Recorded | None:
        """The rest of the log in a replay; None in a live game."""
        return self._recorded

    # Knowers of secrets

    def all_seats(self) -> tuple[int, ...]:
        return tuple(self.table.room.seats)

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that know the secrets of a character, role or side."""
        return self.table.seats_of(knower)

    # The sink of the Game handle

    @property
    def _game_table(self) -> GameTable:
        assert self.table.game is not None
        return self.table.game

    def emit(self, happened: GameEvent) -> None:
        """Write an event of the game. TypeError: it is an event of the room."""
        if not isinstance(happened, GameEvent):
            raise TypeError(f"rules cannot write a {type(happened).__name__}")
        self.write(happened)

    @property
    def version(self) -> int:
        return self.table.room.version

    def _next_draw(self, stream: Stream, purpose: str) -> tuple[int, Chance]:
        """Return the number of the next draw for a purpose, and the stream's chance."""
        room = self.table.room
        return room.draws.get(row_of(room.version, stream, purpose), 0), self.chances.of[stream]

    def roll(self, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Roll dice, log the faces and return them."""
        number, chance = self._next_draw(Stream.PLAY, purpose)
        faces = chance.roll(number, purpose, count, sides)
        self.write(Rolled(Stream.PLAY, number, purpose, sides, faces))
        return faces

    def pick(self, purpose: str, bound: int, stream: Stream) -> int:
        """Pick a number below `bound`, log it and return it."""
        number, chance = self._next_draw(stream, purpose)
        result = chance.pick(number, purpose, bound)
        self.write(Picked(stream, number, purpose, bound, result))
        return result

    def pick_secretly(self, purpose: str, bound: int) -> int:
        """
        Pick a number below `bound`; log both the number and the bound sealed.

        Logs of version 1 have no sealed picks: there the pick is public.
        """
        if self.version == 1:
            return self.pick(purpose, bound, Stream.PLAY)
        number, chance = self._next_draw(Stream.PLAY, purpose)
        result = chance.pick(number, purpose, bound)
        choice = hidden(SecretPick(bound, result))
        self.write(PickedSecretly(Stream.PLAY, number, purpose, (), choice))
        return result

    def deal(self, purpose: str, names: Sequence[str]) -> int:
        """
        Draw one of these names, log the draw sealed, and return the position of the name.

        Logs of version 1 have no sealed draws: there the draw is public.

        Raises:
            ValueError: a name occurs twice.
        """
        if self.version == 1:
            return self.pick(purpose, len(names), Stream.PLAY)
        if len(set(names)) < len(names):
            raise ValueError(f"two things of one name are dealt for {purpose}")
        number, chance = self._next_draw(Stream.DEAL, purpose)
        # Sorted: the result must not depend on the order in which rules list the names.
        options = tuple(sorted(names))
        result = chance.rank(number, purpose, options)[0]
        self.write(Dealt(number, purpose, (), hidden(SecretDeal(options, result))))
        return names.index(result)

    def shuffle(
        self, pile: str, items: Sequence[str], stream: Stream, knowers: tuple[int, ...] = ()
    ) -> None:
        """Shuffle a pile made of these items and log it; every card gets a new handle."""
        purpose = f"shuffle {pile}"
        # Version 1 has no stream of its own for deals.
        if self.version == 1 and stream is Stream.DEAL:
            stream = Stream.PLAY
        number, chance = self._next_draw(stream, purpose)
        # By rank, without one card the others keep their order: a fixed setup stays alike.
        is_ranked = self.version > 1 and stream is not Stream.PLAY
        mix = chance.rank if is_ranked else chance.shuffle
        order = mix(number, purpose, items)
        handles = self._handles(len(order))
        self.write(Shuffled(stream, number, purpose, pile, handles, knowers, hidden(order)))

    def shuffle_unknown(self, pile: str) -> None:
        """Shuffle the cards of a pile that no seat may know; all other cards keep their places."""
        game = self._game_table
        lying = game.piles[pile]
        places = tuple(at for at, handle in enumerate(lying) if game.is_unknown(handle))
        items = [game.card_of(lying[at]) for at in places]
        if len(places) == len(lying):
            self.shuffle(pile, items, Stream.PLAY)
        elif places:
            purpose = f"shuffle {pile}"
            number, chance = self._next_draw(Stream.PLAY, purpose)
            order = hidden(chance.shuffle(number, purpose, items))
            handles = self._handles(len(places))
            args = (Stream.PLAY, number, purpose, pile, handles, (), order, places)
            self.write(ShuffledSome(*args))

    def look_at(self, pile: str, handles: Sequence[Handle], knowers: tuple[int, ...]) -> None:
        """Show some seats these cards of a pile, and log it."""
        places = self._places(pile, handles)
        lying = self._game_table.piles[pile]
        cards = tuple(self._game_table.card_of(lying[at]) for at in places)
        self.write(LookedAt(pile, places, knowers, hidden(cards)))

    def arrange(self, pile: str, handles: Sequence[Handle], knowers: tuple[int, ...]) -> None:
        """Put these cards of a pile into a new order, which the knowers learn."""
        places = self._places(pile, handles)
        order = tuple(self._game_table.card_of(handle) for handle in handles)
        fresh = self._handles(len(places))
        self.write(Arranged(pile, places, fresh, knowers, hidden(order)))

    def _places(self, pile: str, handles: Sequence[Handle]) -> tuple[int, ...]:
        """Return the places of cards in a pile. ValueError: a card is missing or named twice."""
        lying = self._game_table.piles[pile]
        places = sorted({lying.index(handle) for handle in handles})
        if len(places) < len(handles):
            raise ValueError(f"a card of {pile} is named twice")
        return tuple(places)

    def _handles(self, count: int) -> tuple[str, ...]:
        logged = self._recorded.next_event() if self._recorded else None
        # Handles come from entropy and not from the seeds, so a replay takes the logged ones.
        if isinstance(logged, Shuffled | Arranged):
            return logged.handles
        fresh = tuple(self._entropy.draw(HANDLE_BYTES).hex() for _ in range(count))
        self._must_be_new(fresh)
        return fresh

    def _must_be_new(self, handles: tuple[str, ...]) -> None:
        """Assert that no card on the table has one of these handles."""
        # Only a seeded entropy of a test can repeat itself.
        # Two cards of one name would make the game fail much later, where one leaves the table.
        known = self._game_table.hidden_cards
        assert not any(handle in known for handle in handles), "the entropy repeats itself"

    def new_seeds(self) -> SeedsCommitted:
        """
        Return the event that commits to two fresh seeds; in a replay, the logged event.

        With a fixed setup the second seed is empty: the setup has its own.
        """
        logged = self._recorded.next_event() if self._recorded else None
        # Seeds come from entropy, so a replay takes the logged ones.
        if isinstance(logged, SeedsCommitted):
            return logged
        seeds = [self._entropy.draw(SEED_BYTES) for _ in range(2)]
        is_fixed = self.table.room.fixed_setup is not None
        return SeedsCommitted(hidden(seeds[0]), hidden(b"" if is_fixed else seeds[1]))

    def disclose(self, sealed: Sealed[Any]) -> Disclosure:
        """
        Return the opening of a secret on the log or in this batch.

        RecordNeeded: its record is only in the store.
        """
        sequence, slot = sealed.ref
        log = self.state.log
        at = sequence - len(log)
        # Negative: a record of the log before this batch.
        stored = log[sequence] if at < 0 else self.stored[at]
        opening = openings_of(stored)[slot]
        return Disclosure(sequence, slot, opening.salt, opening.value)

    def prepared(self, seat: int) -> bytes | None:
        """Return the preparation that a seat made before the start; None if it made none."""
        prepared = self.table.room.seats[seat].prepared
        return None if prepared is None else prepared.value.content

    def brought(self, seat: int) -> bytes | None:
        """Return the state that a seat brought from its campaign; None if it brought none."""
        brought = self.table.room.seats[seat].brought
        return None if brought is None else brought.value.content

    @property
    def legacy(self) -> Legacy | None:
        """State that the last game of a campaign left to this one; None outside a campaign."""
        return self.table.room.legacy

    def set_chat(self, *, is_open: bool) -> None:
        """Open or close the chat of the table; a change is logged."""
        if self._game_table.is_chat_open is not is_open:
            self.write(ChatSet(is_open))

    def lapse(self, name: str) -> None:
        """
        Log that the standing passes with this lapse end, from version 4 of the log on.

        As long as no seat has set any, there is nothing to end; all know who has.
        """
        if self.version >= LAPSES_VERSION and self.table.room.standing:
            self.write(PassesLapsed(name))

    def open_timer(self, name: Text, seconds: int) -> None:
        """Open a timer. ValueError: another timer is open."""
        room = self.table.room
        if room.timer is not None:
            raise ValueError("a timer within another")
        self.write(TimerOpened(room.next_timer_id, name, seconds))

    def close_timer(self) -> None:
        """Close the open timer."""
        assert self.table.room.timer is not None
        self.write(TimerClosed(self.table.room.timer.timer_id))


def _without_words(asked: Asked) -> object:
    """Return the parts of a question that a replay compares: rule, seats and way of settling."""
    return (
        *(asked.ask_id, asked.rule, asked.settle, asked.voters, asked.kind, asked.seconds),
        *(asked.audience, asked.timer),
        tuple(asked.questions),
    )


def _as_read(record: Record) -> object:
    """
    Return the content of a record without its commitments, so that older forms compare equal.

    Another release may have encoded a secret in other bytes, so its commitment may differ. Reading
    has already checked that each commitment opens to the value of its secret.
    """
    secrets = [(sealed.audience, sealed.ref, sealed.value) for sealed in secrets_of(record.event)]
    fields = declared_fields(type(record.event))
    public = [getattr(record.event, field.name) for field in fields if field.to is None]
    head = (record.sequence, record.time, record.origin, record.event.tag)
    return head, public, secrets
