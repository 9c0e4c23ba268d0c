"""
The events that every room has: people, questions, chance, and what belongs to a start.

Room inputs come from people or the clock; `Asked`, `Rested` and the chance events follow from
them. What a ruleset adds is declared in its own folder.
"""

from collections.abc import Mapping

import attrs

from protocol.codec import Plain
from protocol.common.asks import Question, Settle
from protocol.common.table import (
    Ceremony,
    Handle,
    Legacy,
    OpenAsk,
    Proposal,
    RoomEvent,
    RoomTable,
    Seat,
    Settings,
    Stage,
    Table,
    TableEvent,
    empty_game,
)
from protocol.common.text import Text
from protocol.errors import Malformed
from protocol.event import EACH, NOBODY, TABLE, Record, Sealed, event, secret, upcast

MAX_NAME = 40
"""Characters in a person's name."""
MAX_CHAT = 500
"""Characters in one line of chat."""

# People ------------------------------------------------------------------------------------


@event("room_opened/2", is_input=True)
class RoomOpened(RoomEvent):
    """A table was opened. Always event 0."""

    room_id: str
    ruleset: str
    scenario: str
    content_hash: bytes
    """Of the pack as it was then; rules read that content and no other."""
    settings: Settings

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the empty room."""
        return attrs.evolve(
            table,
            room_id=self.room_id,
            ruleset=self.ruleset,
            scenario=self.scenario,
            content_hash=self.content_hash,
            settings=self.settings,
        )


def _with_all_settings(fields: tuple[Plain, ...]) -> tuple[Plain, ...]:
    """Add what could not be chosen yet: going back could be proposed, and nobody saw it later."""
    *others, settings = fields or (None,)
    if not isinstance(settings, tuple):
        raise Malformed("a table was opened without settings")
    return (*others, (*settings, True, 0))


upcast("room_opened", "room_opened/2", _with_all_settings)


@event("seat_taken", is_input=True)
class SeatTaken(TableEvent):
    """Somebody sat down. What the chair's last owner was told stays with them."""

    seat: int
    name: str = attrs.field(validator=attrs.validators.max_len(MAX_NAME))
    key: bytes
    is_bot: bool

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the seat; whoever sits down at an empty one is its host."""
        room = table.room
        seat = Seat(self.seat, self.name, self.key, self.is_bot, since=record.sequence)
        host = room.host if room.seats else self.seat
        return attrs.evolve(table, room=attrs.evolve(room.with_seat(seat), host=host))


@event("seat_left", is_input=True)
class SeatLeft(RoomEvent):
    """Somebody gave up their seat before the game."""

    seat: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room without the seat; the host's duties pass to the lowest one left."""
        seats = {seat: who for seat, who in table.seats.items() if seat != self.seat}
        host = table.host if table.host in seats or not seats else min(seats)
        return attrs.evolve(table, seats=seats, host=host)


@event("scenario_chosen", is_input=True)
class ScenarioChosen(RoomEvent):
    """The host chose what is played. Rule SETUP-6."""

    scenario: str
    content_hash: bytes

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the scenario; nobody is ready any more."""
        seats = {n: attrs.evolve(s, is_ready=False) for n, s in table.seats.items()}
        return attrs.evolve(
            table,
            scenario=self.scenario,
            content_hash=self.content_hash,
            seats=seats,
            legacy=None,
        )


@event("campaign_continued", is_input=True)
class CampaignContinued(RoomEvent):
    """The host goes on with a campaign: with its next scenario, and what the last one left."""

    scenario: str
    content_hash: bytes
    legacy: Legacy

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with both; nobody is ready any more."""
        chosen = ScenarioChosen(self.scenario, self.content_hash).fold(table)
        return attrs.evolve(chosen, legacy=self.legacy)


@event("products_switched", is_input=True)
class ProductsSwitched(RoomEvent):
    """The host said which products are off; all others are on. Rules SETUP-5 and APP-18."""

    off: tuple[str, ...]

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with them off; nobody is ready any more."""
        seats = {n: attrs.evolve(s, is_ready=False) for n, s in table.seats.items()}
        return attrs.evolve(table, products_off=self.off, seats=seats)


@event("pieces_claimed", is_input=True)
class PiecesClaimed(RoomEvent):
    """A seat chose what it plays. Rules SETUP-8, SETUP-9, DECIDE-17."""

    seat: int
    pieces: tuple[str, ...]

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the claim; a seat that changes its mind is not ready."""
        seat = attrs.evolve(table.seats[self.seat], pieces=self.pieces, is_ready=False)
        return table.with_seat(seat)


@event("ready_set", is_input=True)
class ReadySet(RoomEvent):
    """A seat said that it is ready to start, or no longer. Rule SETUP-10."""

    seat: int
    is_ready: bool

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that seat ready or not."""
        return table.with_seat(attrs.evolve(table.seats[self.seat], is_ready=self.is_ready))


@event("presence_changed", is_input=True)
class PresenceChanged(RoomEvent):
    """A seat's owner came back or went away."""

    seat: int
    is_present: bool

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that seat present or away."""
        return table.with_seat(attrs.evolve(table.seats[self.seat], is_present=self.is_present))


@event("chatted", is_input=True)
class Chatted(RoomEvent):
    """
    Somebody said something to the table. The words can be left out of an export.

    They are bytes (UTF-8), because every text string on the log is a key whose words the server
    sends along, and nobody shall make it send the words of a story by naming them.
    """

    seat: int
    words: Sealed[bytes] = secret(to=TABLE)

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room as it was: talk moves nothing."""
        return table


# The start ---------------------------------------------------------------------------------


@event("start_requested", is_input=True)
class StartRequested(RoomEvent):
    """The host started the game; everybody is ready."""

    seat: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room in its ceremony."""
        return attrs.evolve(table, stage=Stage.STARTING, ceremony=Ceremony())


@event("seeds_committed")
class SeedsCommitted(RoomEvent):
    """The server bound itself to its seeds before anybody added their share."""

    seed: Sealed[bytes] = secret(to=NOBODY)
    """32 bytes; with everybody's shares it gives the key of all chance in play."""
    setup_seed: Sealed[bytes] = secret(to=NOBODY)
    """32 bytes; the house, decks and variants. A tournament may fix it."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with both seeds."""
        return attrs.evolve(table, seed=self.seed, setup_seed=self.setup_seed)


@event("share_committed", is_input=True)
class ShareCommitted(RoomEvent):
    """A seat bound itself to its share of chance."""

    seat: int
    commitment: bytes = attrs.field(validator=attrs.validators.max_len(32))
    """SHA-256 of the 32 bytes."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that commitment."""
        assert table.ceremony is not None
        commitments = {**table.ceremony.commitments, self.seat: self.commitment}
        return attrs.evolve(table, ceremony=attrs.evolve(table.ceremony, commitments=commitments))


@event("share_opened", is_input=True)
class ShareOpened(RoomEvent):
    """A seat opened its share; only once all are committed."""

    seat: int
    share: bytes = attrs.field(validator=attrs.validators.max_len(32))

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that share."""
        assert table.ceremony is not None
        shares = {**table.ceremony.shares, self.seat: self.share}
        return attrs.evolve(table, ceremony=attrs.evolve(table.ceremony, shares=shares))


@event("start_failed", is_input=True)
class StartFailed(RoomEvent):
    """Somebody did not commit or open in time: this start is over, the next begins anew."""

    missing: tuple[int, ...]
    """The seats that did not."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room in its lobby; those who were missing are not ready."""
        seats = {
            n: attrs.evolve(s, is_ready=s.is_ready and n not in self.missing)
            for n, s in table.seats.items()
        }
        return attrs.evolve(
            table, stage=Stage.LOBBY, ceremony=None, seed=None, setup_seed=None, seats=seats
        )


@attrs.frozen
class Player:
    """One person of the game and what they play."""

    seat: int
    pieces: tuple[str, ...]


@event("game_started")
class GameStarted(TableEvent):
    """All shares are open: the key of chance is fixed, and the game begins."""

    players: tuple[Player, ...]

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the empty game on it: the first rest point."""
        table = attrs.evolve(table, game=empty_game(table.room.ruleset))
        return table.with_room(stage=Stage.PLAYING, ceremony=None).rested(record.sequence)


# Questions ---------------------------------------------------------------------------------


@event("asked")
class Asked(TableEvent):
    """The table was asked something, and waits."""

    ask_id: int
    rule: str
    about: Text
    settle: Settle
    lots: tuple[tuple[str, int], ...]
    questions: Mapping[int, Sealed[Question]] = secret(to=EACH)

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the question open."""
        ask = OpenAsk(
            self.ask_id,
            self.rule,
            self.about,
            self.settle,
            self.questions,
            self.lots,
            record.time,
        )
        return table.with_room(ask=ask, next_ask_id=self.ask_id + 1)


def _answered_by(table: RoomTable, seat: int) -> RoomTable:
    assert table.ask is not None
    answered = tuple(sorted({*table.ask.answered, seat}))
    return attrs.evolve(table, ask=attrs.evolve(table.ask, answered=answered))


@event("answered", is_input=True)
class Answered(RoomEvent):
    """A seat answered; what the table learns of it is said by what follows."""

    seat: int
    ask_id: int
    picks: Sealed[tuple[str, ...]] = secret(to="seat")

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that seat no longer waited for."""
        return _answered_by(table, self.seat)


@event("voted", is_input=True)
class Voted(RoomEvent):
    """A seat said openly what it is for; it may say otherwise until all agree. DECIDE-141."""

    seat: int
    ask_id: int
    choice_id: str

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that vote."""
        assert table.ask is not None
        votes = dict(sorted({**table.ask.votes, self.seat: self.choice_id}.items()))
        return attrs.evolve(table, ask=attrs.evolve(table.ask, votes=votes))


@event("lot_called", is_input=True)
class LotCalled(RoomEvent):
    """All have voted and differ: somebody called for the lot. Rule CONFLICT-3."""

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
        return attrs.evolve(table, ask=None)


@event("rested")
class Rested(TableEvent):
    """A procedure is finished: from here on the table alone says what comes next."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with this rest point kept."""
        return table.rested(record.sequence)


# Agreements about the room -----------------------------------------------------------------


@event("proposed", is_input=True)
class Proposed(RoomEvent):
    """Somebody asks the others to agree to something."""

    proposal: Proposal

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the proposal; a newer one takes the place of an older."""
        return attrs.evolve(
            table, proposal=self.proposal, next_proposal_id=self.proposal.proposal_id + 1
        )


@event("consented", is_input=True)
class Consented(RoomEvent):
    """A seat agreed to the proposal, or refused it, which ends it."""

    seat: int
    proposal_id: int
    is_agreed: bool

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that voice."""
        if table.proposal is None or not self.is_agreed:
            return attrs.evolve(table, proposal=None)
        consents = tuple(sorted({*table.proposal.consents, self.seat}))
        return attrs.evolve(table, proposal=attrs.evolve(table.proposal, consents=consents))


@event("taken_back")
class TakenBack(TableEvent):
    """The table went back to a rest point. Seats, talk and the draw counter stand."""

    rest: int
    """The sequence of that rest point."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table as it was then; nothing after that point can be gone back to."""
        rests = {at: game for at, game in table.rests.items() if at <= self.rest}
        back = attrs.evolve(table, game=table.rests[self.rest], rests=rests)
        back = back.with_room(ask=None, proposal=None, stage=Stage.PLAYING)
        return back.rested(record.sequence)


@event("corrected")
class Corrected(RoomEvent):
    """
    What all agreed to correct is corrected; what lies differently now is told next.

    The question that was open is asked anew.
    """

    piece: str
    amount: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room without the proposal, and with nothing asked."""
        return attrs.evolve(table, ask=None, proposal=None)


@event("paused_set", is_input=True)
class PausedSet(RoomEvent):
    """
    The game stands still, or goes on.

    The clock pauses it where a time-out led to a failure, and the table goes back to its last
    rest point; any seat lets it go on.
    """

    is_paused: bool

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room paused or not."""
        return attrs.evolve(table, is_paused=self.is_paused)


@event("seat_given")
class SeatGiven(TableEvent):
    """
    A seat has a new owner. What it was told before goes along only if `with_secrets`.

    Without a key it stands empty until somebody redeems its invitation (`SeatFilled`).
    """

    seat: int
    name: str
    key: bytes
    is_bot: bool
    with_secrets: bool

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the seat in new hands, away until they come."""
        old = table.room.seats[self.seat]
        seat = attrs.evolve(
            old,
            name=self.name,
            key=self.key,
            is_bot=self.is_bot,
            is_present=False,
            since=old.since if self.with_secrets else record.sequence,
        )
        return attrs.evolve(table, room=attrs.evolve(table.room.with_seat(seat), proposal=None))


@event("seat_filled", is_input=True)
class SeatFilled(RoomEvent):
    """Somebody redeemed the invitation to a seat that was given away and stood empty."""

    seat: int
    name: str = attrs.field(validator=attrs.validators.max_len(MAX_NAME))
    key: bytes

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the seat in new hands."""
        seat = attrs.evolve(table.seats[self.seat], name=self.name, key=self.key)
        return table.with_seat(seat)


# Chance ------------------------------------------------------------------------------------


def _counted(table: Table, draw: int, is_setup: bool) -> Table:  # noqa: FBT001 (a field of the events)
    if is_setup:
        return table.with_room(setup_draws=draw + 1)
    return table.with_room(draws=draw + 1)


@event("rolled")
class Rolled(TableEvent):
    """Dice were rolled, in view of all."""

    draw: int
    is_setup: bool
    purpose: str
    sides: int
    faces: tuple[int, ...]
    """Each from 0 to sides - 1."""

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the draw counted; what the dice mean, the next event says."""
        return _counted(table, self.draw, self.is_setup)


@event("picked")
class Picked(TableEvent):
    """One of several things was picked at random, in view of all."""

    draw: int
    is_setup: bool
    purpose: str
    bound: int
    result: int
    """From 0 to bound - 1."""

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the draw counted."""
        return _counted(table, self.draw, self.is_setup)


@event("shuffled")
class Shuffled(TableEvent):
    """A pile was mixed: every card in it has a new handle, and nobody knows the order."""

    draw: int
    is_setup: bool
    purpose: str
    pile: str
    handles: tuple[Handle, ...]
    order: Sealed[tuple[str, ...]] = secret(to=NOBODY)

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the pile in its new order."""
        assert table.game is not None
        table = attrs.evolve(table, game=table.game.mixed(self.pile, self.handles, self.order))
        return _counted(table, self.draw, self.is_setup)


# The end -----------------------------------------------------------------------------------


@attrs.frozen
class Disclosure:
    """The opening of a secret that was committed to earlier on the same log."""

    sequence: int
    slot: int
    salt: bytes
    value: bytes
    """The packed value."""


@event("room_closed")
class RoomClosed(RoomEvent):
    """The result is final. The seeds are opened, so that everybody can check every draw."""

    seeds: tuple[Disclosure, ...]
    """The seed of play and the seed of the setup; empty where the settings keep them."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with its game over."""
        return attrs.evolve(table, stage=Stage.OVER, ask=None, proposal=None)
