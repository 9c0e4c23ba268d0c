"""Handmade archives: a small log with real seeds, written as a server would write it."""

import itertools
from collections.abc import Callable, Iterable, Sequence

import attrs

from protocol.archive import MAGIC, Header, WordsOf, write
from protocol.commitments import Opening, first_head, next_head
from protocol.common import events as on
from protocol.common.asks import Choice, Question, Settle
from protocol.common.chance import (
    SeededChance,
    Stream,
    play_key,
    salt_of_shares,
    setup_key,
)
from protocol.common.table import LOG_VERSION, RoomTable, Settings, Table, fold
from protocol.common.text import Text
from protocol.event import CLOCK, Cut, Event, Stored, cut, everything, hidden, openings_of, read
from protocol.event import ROOM as ROOM_ORIGIN
from protocol.event_contents import secrets_of
from protocol.frames import LENGTH_BYTES
from protocol.games.second_edition import events as se
from protocol.games.second_edition.laws import FACES
from protocol.games.second_edition.table import Face, Skill
from protocol.keys import SigningKey
from protocol.sealing import seal
from server.authoring.seat_keys import bound, signed

ROOM = "room-7"
SERVER = SigningKey.from_seed(b"s" * 32)
STRANGER = SigningKey.from_seed(b"x" * 32)
SEED, SETUP_SEED = b"p" * 32, b"q" * 32
SHARES = {seat: bytes([seat]) * 32 for seat in (0, 1)}
PLAYERS = [SigningKey.from_seed(bytes([seat + 1]) * 32) for seat in (0, 1)]
KEYS = {key.public: key for key in PLAYERS}
SEEDS_AT = 9
"""The sequence of the record that commits to the seeds."""
SHUFFLED, ROLLED, PICKED, ASKED, CLOSED = 15, 17, 20, 21, 25
"""The sequences of the shuffle, the roll, the pick, the question and the end."""
ROLE = "investigator"
WORDS = (WordsOf("en", (("ask/one", (("text", "Which?"),)),)),)


@attrs.define
class Log:
    """A log that is written event by event."""

    stored: list[Stored] = attrs.field(factory=list)
    head: bytes = attrs.field(factory=lambda: first_head(ROOM))
    seats: tuple[int, ...] = ()
    """Seats taken so far."""
    _table: Table = attrs.field(factory=Table)
    """The table up to the start, where seats sign what they do."""
    _has_started: bool = False
    time: int = 0
    salts: "itertools.count[int]" = attrs.field(factory=lambda: itertools.count(1))

    def commitments(self, sequence: int) -> tuple[bytes, bytes]:
        """Return the commitments to the two secrets of a record."""
        happened = read(ROOM, everything(self.stored[sequence])).event
        one, other = (sealed.commitment for sealed in secrets_of(happened))
        return one, other

    @property
    def room(self) -> RoomTable:
        """The room up to the start."""
        return self._table.room

    def all_seats(self) -> tuple[int, ...]:
        return self.seats

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return no seat: no character is claimed here."""
        return ()

    def add(self, *events: Event) -> None:
        """Write events, signed by their seats; events that follow from an input get its time."""
        for given in events:
            happened = signed(self.room, given, KEYS)
            if happened.is_input:
                self.time = 1_800_000_000_000 + len(self.stored)
            if isinstance(happened, on.SeatTaken):
                self.seats = (*self.seats, happened.seat)
            stored, _ = seal(
                happened,
                room_id=ROOM,
                sequence=len(self.stored),
                time=self.time,
                origin=_origin(happened),
                knowers=self,
                new_salt=lambda: next(self.salts).to_bytes(32, "big"),
            )
            self.stored.append(stored)
            self.head = next_head(self.head, stored.public)
            record = read(ROOM, everything(stored))
            if isinstance(happened, on.GameStarted):
                self._has_started = True
            if not self._has_started:
                self._table = fold(self._table, record)


def _origin(happened: Event) -> int:
    """Return the origin of an event: the room, a seat, the clock, or the host."""
    if not happened.is_input:
        return ROOM_ORIGIN
    if isinstance(happened, on.SeatTaken) and happened.is_bot:
        return 0
    return CLOCK if isinstance(happened, on.SetupOpened) else getattr(happened, "seat", 0)


Change = Callable[[Event], Event]


def finished_log(change: Change = lambda happened: happened) -> Log:
    """Return a whole small game: start, a shuffle, a roll, a pick, a question, the end.

    Args:
        change: function that is given each event before it is written, and may forge it.
    """
    log = Log()
    for happened in _beginning(log):
        log.add(change(happened))
    assert log.room.ceremony is not None
    bindings = log.room.ceremony.commitments
    salt = salt_of_shares(ROOM, log.commitments(SEEDS_AT), SHARES, bindings)
    chance, setup = (
        SeededChance(play_key(SEED, salt)),
        SeededChance(setup_key(SETUP_SEED, salt)),
    )
    for happened in _game(chance, setup):
        log.add(change(happened))
    log.add(change(on.RoomClosed(_disclosed(log, SEEDS_AT), on.HowClosed.FINISHED)))
    return log


def _beginning(log: Log) -> Iterable[Event]:
    yield on.RoomOpened(
        ROOM, "second_edition", "core/one", b"h" * 32, Settings(), LOG_VERSION, None
    )
    yield on.SeatTaken(0, "Ann", PLAYERS[0].public, is_bot=False)
    yield on.SeatTaken(1, "Bob", PLAYERS[1].public, is_bot=False)
    yield on.Chatted(1, hidden(b"hello"))
    for seat, piece in enumerate(("one", "two")):
        yield on.CharactersClaimed(seat, (piece,))
        yield on.ReadySet(seat, is_ready=True)
    yield on.StartRequested(0)
    yield on.SeedsCommitted(hidden(SEED), hidden(SETUP_SEED))
    for seat, share in SHARES.items():
        yield bound(log.room, seat, share)
    for seat, share in SHARES.items():
        yield on.ShareOpened(seat, share)


def _game(chance: SeededChance, setup: SeededChance) -> Iterable[Event]:
    cards = ("card/a", "card/b", "card/c")
    choices = (Choice("0.0", Text("ask/one")),)
    question = Question(Text("ask/one"), choices, default=("0.0",))
    yield on.GameStarted((on.Player(0, ROLE, ("one",)), on.Player(1, ROLE, ("two",))))
    order = setup.rank(0, "shuffle deck", cards)
    yield on.Shuffled(
        Stream.SETUP,
        0,
        "shuffle deck",
        pile="deck",
        handles=("x", "y", "z"),
        knowers=(),
        order=hidden(order),
    )
    yield se.TestDeclared("one", Skill.WILL, 0, None, pool=4)
    faces = chance.roll(0, "test", 4, 8)
    shown = tuple(FACES[face] for face in faces)
    yield on.Rolled(Stream.PLAY, 0, "test", sides=8, faces=faces)
    yield se.DiceShown(shown)
    yield se.TestFinished("one", shown.count(Face.SUCCESS), is_passed=None)
    result = chance.pick(0, "space", 5)
    yield on.Picked(Stream.PLAY, 0, "space", bound=5, result=result)
    yield on.Asked(0, "TURN-1", Text("ask/one"), Settle.EACH, (), {0: hidden(question)})
    yield on.Answered(0, 0, hidden(("0.0",)))
    yield on.Settled(0)
    yield on.CheckpointReached()


def _disclosed(log: Log, sequence: int) -> tuple[on.Disclosure, ...]:
    openings: Sequence[Opening] = openings_of(log.stored[sequence])
    return tuple(
        on.Disclosure(sequence, slot, opening.salt, opening.value)
        for slot, opening in enumerate(openings)
    )


def archive(
    log: Log,
    *,
    seat: int | None = None,
    is_whole: bool = True,
    key: SigningKey = SERVER,
    cuts: Sequence[Cut] | None = None,
    words: Sequence[WordsOf] = WORDS,
) -> bytes:
    """Return the file of a log, whole or as a seat may have it."""
    if cuts is None:
        cuts = [everything(s) if is_whole else cut(s, seat) for s in log.stored]
    shown = -1 if is_whole or seat is None else seat
    header = Header(MAGIC, ROOM, is_whole, shown, 0, 1, key.public, len(cuts))
    return b"".join(write(header, cuts, words, sign=key.sign))


def frames_of(data: bytes) -> list[tuple[int, int]]:
    """Return start and end of each frame of a file, with its length bytes."""
    found, at = [], 0
    while at < len(data):
        end = at + LENGTH_BYTES + int.from_bytes(data[at : at + LENGTH_BYTES], "big")
        found.append((at, end))
        at = end
    return found
