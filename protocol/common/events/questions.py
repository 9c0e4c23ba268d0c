"""Questions to the table, from the asking to the answer."""

from collections.abc import Mapping

import attrs

from protocol import codec
from protocol.bounds import BYTES_32
from protocol.common.asks import Audience, Question, Settle
from protocol.common.disclosure import Disclosure
from protocol.common.table import OpenAsk, RoomEvent, RoomTable, Table, TableEvent
from protocol.common.text import Text
from protocol.event import EACH, Record, Sealed, event, secret, upcast
from protocol.upcasts import Alone, Change, Compared, Constant, EachOf, Kept, Shape
from protocol.values import evolve, frozen


@event("asked/2")
class Asked(TableEvent):
    """The table was asked something, and waits."""

    ask_id: int
    rule: str
    about: Text
    settle: Settle
    voters: tuple[tuple[str, int], ...]
    questions: Mapping[int, Sealed[Question]] = secret(to=EACH)
    within: tuple[Text, ...] = ()
    """What is being resolved, outermost first, in words that all may read: why this is asked."""
    kind: str = ""
    """What seats may pass on for good, by a subject that names it; empty where they cannot."""
    seconds: int = 0
    """
    For UNLESS_OBJECTED: how long somebody may object, while all who may are here. For WINDOW: how
    long it is open.
    """
    audience: Audience = Audience.ALL
    """For AGREE and MAJORITY: who may read a vote before all have voted."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the question open."""
        ask = OpenAsk(
            self.ask_id,
            self.rule,
            self.about,
            self.settle,
            self.questions,
            self.voters,
            record.time,
            within=self.within,
            kind=self.kind,
            seconds=self.seconds,
            audience=self.audience,
        )
        kinds = table.room.kinds
        if self.kind and self.kind not in kinds:
            kinds = tuple(sorted((*kinds, self.kind)))
        return table.with_room(ask=ask, next_ask_id=self.ask_id + 1, kinds=kinds)


_ASKED = ("ask_id", "rule", "about", "settle", "voters", "questions")
_CHOICE = ("choice_id", "text", "points", "group")
_QUESTION = (
    *("prompt", "choices", "refused", "at_least", "at_most"),
    *("is_ordered", "can_repeat", "default"),
)
_ENDING = Shape(
    "EarlierChoice",
    _CHOICE,
    {**{name: Kept(name) for name in _CHOICE}, "ends": Compared("group", "rest")},
)
# Who was offered no end left the question to others, in those games.
_WAITING = Shape(
    "EarlierQuestion",
    _QUESTION,
    {
        **{name: Kept(name) for name in _QUESTION},
        "choices": EachOf("choices", _ENDING),
        "may_wait": Constant(value=True),
        "then": Constant(()),
    },
)
_UNSAID = {
    "within": Constant(()),
    "kind": Constant(""),
    "seconds": Constant(0),
    "audience": Constant(Audience.ALL.value),
}
upcast("asked", "asked/2", Change(_ASKED, _UNSAID, {"questions": _WAITING}))


def _answered_by(table: RoomTable, *seats: int) -> RoomTable:
    assert table.ask is not None
    answered = tuple(sorted({*table.ask.answered, *seats}))
    return evolve(table, ask=evolve(table.ask, answered=answered))


@event("answered", is_input=True)
class Answered(RoomEvent):
    """A seat answered, or voted in secret; what the table learns is said by what follows."""

    seat: int
    ask_id: int
    picks: Sealed[tuple[str, ...]] = secret(to="seat")

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that seat no longer waited for."""
        table = _answered_by(table, self.seat)
        ask = table.ask
        assert ask is not None
        if not ask.has_ballots:
            return table
        ballots = dict(sorted({**ask.ballots, self.seat: self.picks}.items()))
        return evolve(table, ask=evolve(ask, ballots=ballots))


@event("passed", is_input=True)
class Passed(RoomEvent):
    """A seat passed on the question, openly: it does nothing now."""

    seat: int
    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that seat no longer waited for."""
        return _answered_by(table, self.seat)


@event("standing_set", is_input=True, stays_shut=True)
class StandingSet(RoomEvent):
    """A seat said on which kinds of question it passes from now on, in place of those before."""

    seat: int
    kinds: Sealed[tuple[str, ...]] = secret(to="seat")

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with what that seat passes on."""
        standing = dict(sorted({**table.standing, self.seat: self.kinds}.items()))
        return evolve(table, standing=standing)


@event("passed_standing")
class PassedStanding(RoomEvent):
    """These seats passed on the question that was asked just now, since they pass on its kind."""

    ask_id: int
    seats: tuple[int, ...]

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with these seats no longer waited for."""
        return _answered_by(table, *self.seats)


PICK_BYTES = 32
"""Of what a seat said in a window, whatever that was."""


@frozen
class Held:
    """What a seat said in a timed window, in a form that is always of the same size."""

    pick: bytes = attrs.field(validator=BYTES_32, repr=False)
    """The id of the choice, in UTF-8, filled up with zero bytes."""

    @classmethod
    def of(cls, choice_id: str) -> "Held":
        """Return the form of a choice. ValueError for an id that is too long for it."""
        return cls(choice_id.encode().ljust(PICK_BYTES, b"\0"))

    @property
    def choice_id(self) -> str:
        """The id of the choice. UnicodeDecodeError where it is none."""
        return self.pick.rstrip(b"\0").decode()


@event("answered_together", is_input=True)
class AnsweredTogether(RoomEvent):
    """A timed window closed: this is all that was said in it. Who said nothing passed."""

    ask_id: int
    answers: Mapping[int, Sealed[Held]] = secret(to=EACH)
    """Of every seat that was asked."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with nobody waited for any more."""
        return _answered_by(table, *self.answers)


@event("voted/2", is_input=True)
class Voted(RoomEvent):
    """A seat said openly what it is for; it may say otherwise until that is settled. DECIDE-141."""

    seat: int
    ask_id: int
    picks: tuple[str, ...]
    """Choice ids: one, or a list in its order."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that vote."""
        assert table.ask is not None
        votes = dict(sorted({**table.ask.votes, self.seat: self.picks}.items()))
        return evolve(table, ask=evolve(table.ask, votes=votes, lot_wanted_by=()))


upcast("voted", "voted/2", Change(("seat", "ask_id", "choice_id"), {"picks": Alone("choice_id")}))


@event("votes_shown")
class VotesShown(RoomEvent):
    """What was voted in secret is open to all now, since nobody else is waited for."""

    ask_id: int
    votes: tuple[Disclosure, ...]
    """The votes that were given, by ascending seats."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with these votes, each for the seat whose secret it opens."""
        assert table.ask is not None
        givers = {sealed.ref: seat for seat, sealed in table.ask.ballots.items()}
        votes = {
            givers[one.sequence, one.slot]: codec.decode(one.value, tuple[str, ...])
            for one in self.votes
        }
        return evolve(table, ask=evolve(table.ask, votes=votes))


@event("lot_wanted", is_input=True)
class LotWanted(RoomEvent):
    """All have voted and too few agree: a seat wants the lot, and others have to want it too."""

    seat: int
    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the seat among those who want it."""
        assert table.ask is not None
        wanted = tuple(sorted({*table.ask.lot_wanted_by, self.seat}))
        return evolve(table, ask=evolve(table.ask, lot_wanted_by=wanted))


@event("lot_called", is_input=True)
class TiebreakCalled(RoomEvent):
    """All have voted and too few agree: somebody called for the tiebreak. Rule CONFLICT-3."""

    seat: int
    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room as it was; the pick follows."""
        return table


@event("timed_out", is_input=True)
class TimedOut(RoomEvent):
    """Nobody answered in time; the defaults are taken for those who are missing."""

    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room as it was; what follows settles the question."""
        return table


@event("settled")
class Settled(RoomEvent):
    """The question has its answer."""

    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with no question open."""
        return evolve(table, ask=None)


@event("rested")
class CheckpointReached(TableEvent):
    """A procedure is finished: from here on the table alone says what comes next."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with this checkpoint kept."""
        return table.with_checkpoint(record.sequence)
