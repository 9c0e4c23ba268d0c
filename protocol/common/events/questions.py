"""Events about questions, from the asking to the answer."""

from collections.abc import Mapping

import attrs

from protocol import codec
from protocol.bounds import MAX_PICKS
from protocol.common.asks import Audience, Question, Settle
from protocol.common.disclosure import Disclosure
from protocol.common.table import OpenAsk, OpenTimer, RoomEvent, RoomTable, Table, TableEvent
from protocol.common.text import Text
from protocol.event import EACH, Record, Sealed, event, secret, upcast
from protocol.upcasts import Alone, Change, Compared, Constant, EachOf, Kept, Shape
from protocol.values import evolve, frozen


@event("asked/3")
class Asked(TableEvent):
    """A question was asked, and the table waits."""

    ask_id: int
    rule: str
    about: Text
    settle: Settle
    voters: tuple[tuple[str, int], ...]
    questions: Mapping[int, Sealed[Question]] = secret(to=EACH)
    within: tuple[Text, ...] = ()
    """Effects being resolved, outermost first, as public texts; they explain why the question
    comes."""
    kind: str = ""
    """Subject of the kind of question, for standing passes; empty if the seats cannot pass it."""
    seconds: int = 0
    """Seconds for which the question is open. For UNLESS_OBJECTED, time counts only while all seats
    that may object are present."""
    audience: Audience = Audience.ALL
    """Viewers who may read a vote of AGREE or MAJORITY before all seats have voted."""
    decides: int = -1
    """For BESIDE: the seat that decides; the other asked seats may interrupt. -1 for all others."""
    timer: int = -1
    """Id of the open timer, which limits the time of this question; -1 for none."""

    def fold_table(self, table: Table, record: Record) -> Table:
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
            decides=self.decides,
            timer=self.timer,
        )
        # A standing pass may name only kinds that were asked at this table.
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
# In those games a seat without a choice that ends left the question to others.
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
# Nobody could interrupt a question, and no timer ran over several.
_ALONE = {"decides": Constant(-1), "timer": Constant(-1)}
upcast("asked/2", "asked/3", Change((*_ASKED, *_UNSAID), _ALONE))


@event("timer_opened")
class TimerOpened(RoomEvent):
    """A time limit began, over all questions that are asked until it is closed."""

    timer_id: int
    name: Text
    """Public name of the activity that this time limits."""
    seconds: int = attrs.field(validator=attrs.validators.ge(1))

    def fold(self, table: RoomTable) -> RoomTable:
        timer = OpenTimer(self.timer_id, self.name, self.seconds)
        return evolve(table, timer=timer, next_timer_id=self.timer_id + 1)


@event("timer_closed")
class TimerClosed(RoomEvent):
    """The open timer ended: by the rules, whether its time is over or not."""

    timer_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, timer=None)


def _answered_by(table: RoomTable, *seats: int) -> RoomTable:
    assert table.ask is not None
    answered = tuple(sorted({*table.ask.answered, *seats}))
    return evolve(table, ask=evolve(table.ask, answered=answered))


@event("answered", is_input=True)
class Answered(RoomEvent):
    """A seat answered, or gave a sealed vote. The following records show its effects."""

    seat: int
    ask_id: int
    picks: Sealed[tuple[str, ...]] = secret(to="seat")

    def fold(self, table: RoomTable) -> RoomTable:
        table = _answered_by(table, self.seat)
        ask = table.ask
        assert ask is not None
        if not ask.has_ballots:
            return table
        # The order of seats, not of arrival, in which `votes_shown` opens them.
        ballots = dict(sorted({**ask.ballots, self.seat: self.picks}.items()))
        return evolve(table, ask=evolve(ask, ballots=ballots))


@event("passed", is_input=True)
class Passed(RoomEvent):
    """A seat passed publicly on the question."""

    seat: int
    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        return _answered_by(table, self.seat)


@event("standing_set", is_input=True, stays_shut=True)
class StandingSet(RoomEvent):
    """A seat set the kinds of question on which it always passes; replaces its earlier choice."""

    seat: int
    kinds: Sealed[tuple[str, ...]] = secret(to="seat")
    """Kinds, or groups of kinds, ascending; each may be followed by `@` and the name of the lapse
    that ends the pass."""

    def fold(self, table: RoomTable) -> RoomTable:
        standing = dict(sorted({**table.standing, self.seat: self.kinds}.items()))
        return evolve(table, standing=standing)


@event("passes_lapsed")
class PassesLapsed(TableEvent):
    """The standing passes of one name ended, because the rules say so."""

    name: str
    """Name of the lapse, such as that of a phase; the moment is public and depends on no secret."""

    def fold_table(self, table: Table, record: Record) -> Table:
        lapsed = dict(sorted({**table.room.lapsed, self.name: record.sequence}.items()))
        return table.with_room(lapsed=lapsed)


@event("passed_standing")
class PassedStanding(RoomEvent):
    """Seats passed on the question just asked, because they always pass on its kind."""

    ask_id: int
    seats: tuple[int, ...]

    def fold(self, table: RoomTable) -> RoomTable:
        return _answered_by(table, *self.seats)


PICK_BYTES = 32
"""Length in bytes of every choice made in a window."""


@frozen
class Held:
    """Choices made in a timed window, in a form of fixed size."""

    picks: bytes = attrs.field(
        validator=attrs.validators.max_len(MAX_PICKS * PICK_BYTES), repr=False
    )
    """As many picks as the question allows at most, each the id of a choice in UTF-8, padded with
    zero bytes; zero bytes alone where nothing was picked."""

    @classmethod
    def of(cls, picks: tuple[str, ...], at_most: int = 1) -> "Held":
        """Return the form of the choices. ValueError: an id is too long, or there are too many."""
        # All answers have one length, so the size of the record does not tell who acts.
        ids = [pick.encode() for pick in picks]
        if len(ids) > at_most or any(len(one) > PICK_BYTES for one in ids):
            raise ValueError("choices that do not fit")
        return cls(
            b"".join(one.ljust(PICK_BYTES, b"\0") for one in ids).ljust(at_most * PICK_BYTES, b"\0")
        )

    @property
    def choice_ids(self) -> tuple[str, ...]:
        """The ids of the choices. UnicodeDecodeError if they are not UTF-8."""
        parts = (self.picks[at : at + PICK_BYTES] for at in range(0, len(self.picks), PICK_BYTES))
        return tuple(part.rstrip(b"\0").decode() for part in parts if part.strip(b"\0"))


@event("answered_together", is_input=True)
class AnsweredTogether(RoomEvent):
    """A timed window closed, with the choices of all seats. Silent seats passed."""

    ask_id: int
    answers: Mapping[int, Sealed[Held]] = secret(to=EACH)
    """Choices of all seats that were asked, by seat."""

    def fold(self, table: RoomTable) -> RoomTable:
        return _answered_by(table, *self.answers)


@event("voted/2", is_input=True)
class Voted(RoomEvent):
    """A seat gave a public vote, which it may change until the question is settled."""

    seat: int
    ask_id: int
    picks: tuple[str, ...]
    """Ids of the choices: one, or several in order."""

    def fold(self, table: RoomTable) -> RoomTable:
        assert table.ask is not None
        votes = dict(sorted({**table.ask.votes, self.seat: self.picks}.items()))
        # A changed vote may end the disagreement, so a tiebreak has to be asked for again.
        return evolve(table, ask=evolve(table.ask, votes=votes, lot_wanted_by=()))


upcast("voted", "voted/2", Change(("seat", "ask_id", "choice_id"), {"picks": Alone("choice_id")}))


@event("votes_shown")
class VotesShown(RoomEvent):
    """All sealed votes are in, and are opened."""

    ask_id: int
    votes: tuple[Disclosure, ...]
    """The votes, by ascending seats."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with these votes, each for the seat whose secret it opens."""
        assert table.ask is not None
        # Openings name a commitment, and the commitment names the seat.
        givers = {sealed.ref: seat for seat, sealed in table.ask.ballots.items()}
        votes = {
            givers[one.sequence, one.slot]: codec.decode(one.value, tuple[str, ...])
            for one in self.votes
        }
        return evolve(table, ask=evolve(table.ask, votes=votes))


@event("lot_wanted", is_input=True)
class LotWanted(RoomEvent):
    """A seat asked for a tiebreak after a vote without agreement; others must ask, too."""

    seat: int
    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        assert table.ask is not None
        wanted = tuple(sorted({*table.ask.lot_wanted_by, self.seat}))
        return evolve(table, ask=evolve(table.ask, lot_wanted_by=wanted))


@event("lot_called", is_input=True)
class TiebreakCalled(RoomEvent):
    """Enough seats asked for a tiebreak after a vote without agreement."""

    seat: int
    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room unchanged; the pick follows."""
        return table


@event("timed_out", is_input=True)
class TimedOut(RoomEvent):
    """The time is over; missing answers are replaced by defaults."""

    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room unchanged; following events settle the question."""
        return table


@event("settled")
class Settled(RoomEvent):
    """The question is settled."""

    ask_id: int

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, ask=None)


@event("rested")
class CheckpointReached(TableEvent):
    """A procedure is finished: a checkpoint. The continuation depends on the table alone."""

    def fold_table(self, table: Table, record: Record) -> Table:
        return table.with_checkpoint(record.sequence)
