"""
The journal: what happened, in lines that people read, round by round.

Every kind of event has its line or is silent on purpose; a test goes through all kinds. What each
ruleset's events say stands in `client.tellers`; here are those of the room.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from client.locale.speaker import Speaker
from client.tables import Step, TableView
from client.tellers import SECOND_EDITION, Moment, Teller, Told, Tone
from protocol.common import events
from protocol.common.table import Table, fold
from protocol.event import Event, Record
from protocol.second_edition import events as se
from protocol.second_edition.table import SecondEditionTable

__all__ = ["SILENT", "TELLERS", "Journal", "JournalLine", "Tone", "lines_of"]

TELLERS: dict[type[Event], Teller] = dict(SECOND_EDITION)
"""What tells each kind of event."""

SILENT: Mapping[type[Event], str] = {
    events.SeedsCommitted: "the ceremony is told as a whole",
    events.ShareCommitted: "the ceremony is told as a whole",
    events.ShareOpened: "the ceremony is told as a whole",
    events.Asked: "the question stands on its own pane",
    events.Answered: "what the table learns of it is said by what follows",
    events.Settled: "what follows tells how",
    events.Corrected: "what lies differently is told next",
    events.Rested: "nothing happened",
    events.Rolled: "the dice are told as they lie there",
    events.Picked: "what was picked is told by what follows",
    events.Shuffled: "nobody sees anything",
    se.SupplyLaidOut: "nothing to see yet",
    se.BacksLaidOut: "the backs are read with the cards",
    se.DealtWith: "it was told as it happened",
    se.AttemptEnded: "the last step and the story say so",
    se.TurnEnded: "the next turn or step says so",
    se.TokenRemoved: "whatever took it away was told",
    se.CounterSet: "the scenario's own memory",
}
"""The kinds that have no line, each with the reason."""


@attrs.frozen
class JournalLine:
    """One paragraph of the journal."""

    sequence: int
    time: int
    """Milliseconds since 1970."""
    round_number: int
    tone: Tone
    text: str


def lines_of(step: Step, speaker: Speaker) -> Iterator[JournalLine]:
    """Yield the lines of one record. Kinds of rulesets that are not known here have none."""
    record = step.record
    teller = TELLERS.get(type(record.event))
    if teller is None:
        return
    game = step.after.game
    round_number = game.round_number if isinstance(game, SecondEditionTable) else 0
    for tone, text in teller(record.event, Moment(step, speaker)):
        for paragraph in text.split("\n"):
            if paragraph.strip():
                yield JournalLine(record.sequence, record.time, round_number, tone, paragraph)


def all_lines(records: Iterable[Record], speaker: Speaker) -> Iterator[JournalLine]:
    """Yield the lines of a whole log, folding it as it goes."""
    table = Table()
    for record in records:
        after = fold(table, record)
        yield from lines_of(Step(table, record, after), speaker)
        table = after


@attrs.define(eq=False)
class Journal:
    """The lines of the table that is followed. A `client.model.Follower`."""

    speaker: Callable[[], Speaker]
    lines: list[JournalLine] = attrs.field(factory=list)

    def followed(self, view: TableView, steps: tuple[Step, ...]) -> None:  # noqa: ARG002
        """Write down what happened; nothing happened yet where another table begins."""
        if not steps:
            self.lines.clear()
        speaker = self.speaker()
        for step in steps:
            self.lines += lines_of(step, speaker)

    def reworded(self, view: TableView) -> None:
        """Write all of it down again, in other words."""
        self.begin(view)

    def begin(self, view: TableView | None) -> None:
        """Write down all that a table has behind it, as where it was followed before."""
        self.lines.clear()
        if view is not None:
            self.lines += all_lines(view.records, self.speaker())


def _tells(kind: type[Event]) -> Callable[[Teller], Teller]:
    def declare(teller: Teller) -> Teller:
        TELLERS[kind] = teller
        return teller

    return declare


# The room ----------------------------------------------------------------------------------


@_tells(events.RoomOpened)
def _(happened: events.RoomOpened, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("room_opened", at.speaker.name("scenario", happened.scenario))


@_tells(events.SeatTaken)
def _(happened: events.SeatTaken, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("bot_sat" if happened.is_bot else "seat_taken", happened.name)


@_tells(events.SeatLeft)
def _(happened: events.SeatLeft, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_left", at.speaker.seat(at.step.before, happened.seat))


@_tells(events.ScenarioChosen)
def _(happened: events.ScenarioChosen, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("scenario_chosen", at.speaker.name("scenario", happened.scenario))


@_tells(events.CampaignContinued)
def _(happened: events.CampaignContinued, at: Moment) -> Iterator[Told]:
    campaign = at.speaker.name("campaign", happened.legacy.campaign)
    scenario = at.speaker.name("scenario", happened.scenario)
    yield Tone.ROOM, at.say("campaign_continued", campaign, scenario)


@_tells(events.ProductsSwitched)
def _(happened: events.ProductsSwitched, at: Moment) -> Iterator[Told]:
    before = at.step.before.room.products_off
    for product in dict.fromkeys((*before, *happened.off)):
        if (product in before) != (product in happened.off):
            key = "product_off" if product in happened.off else "product_on"
            yield Tone.ROOM, at.say(key, at.speaker.name("product", product))


@_tells(events.PiecesClaimed)
def _(happened: events.PiecesClaimed, at: Moment) -> Iterator[Told]:
    names = ", ".join(at.who(piece) for piece in happened.pieces)
    key = "claimed" if happened.pieces else "claimed_none"
    yield Tone.ROOM, at.say(key, at.seat(happened.seat), names)


@_tells(events.ReadySet)
def _(happened: events.ReadySet, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("ready" if happened.is_ready else "unready", at.seat(happened.seat))


@_tells(events.PresenceChanged)
def _(happened: events.PresenceChanged, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("came" if happened.is_present else "went", at.seat(happened.seat))


@_tells(events.Chatted)
def _(happened: events.Chatted, at: Moment) -> Iterator[Told]:
    if happened.words.is_open:
        # On one line, so that nobody can make a line that looks like somebody else's.
        words = " ".join(happened.words.value.decode(errors="replace").split())
        yield Tone.CHAT, at.say("chat", at.seat(happened.seat), words)


@_tells(events.StartRequested)
def _(happened: events.StartRequested, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("start_requested", at.seat(happened.seat))


@_tells(events.StartFailed)
def _(happened: events.StartFailed, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("start_failed", at.speaker.seats(at.table, happened.missing))


@_tells(events.GameStarted)
def _(_: events.GameStarted, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("game_started")


@_tells(events.Voted)
def _(happened: events.Voted, at: Moment) -> Iterator[Told]:
    ask = at.table.room.ask
    sealed = None if ask is None else next((q for q in ask.questions.values() if q.is_open), None)
    choices = sealed.value.choices if sealed is not None else ()
    text = next((c.text for c in choices if c.choice_id == happened.choice_id), None)
    if text is None:
        yield Tone.ROOM, at.say("voted", at.seat(happened.seat))
    else:
        yield Tone.ROOM, at.say("voted_for", at.seat(happened.seat), at.speaker.text(text))


@_tells(events.LotCalled)
def _(happened: events.LotCalled, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("lot_called", at.seat(happened.seat))


@_tells(events.TimedOut)
def _(_: events.TimedOut, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("timed_out")


@_tells(events.Proposed)
def _(happened: events.Proposed, at: Moment) -> Iterator[Told]:
    proposal = happened.proposal
    if proposal.kind == "give_seat":
        key = "proposed_bot" if proposal.is_bot else "proposed_seat"
        yield Tone.ROOM, at.say(key, at.seat(proposal.by), at.seat(proposal.seat))
    elif proposal.kind == "correct":
        named = at.speaker.monster_named(at.table, proposal.piece)
        yield Tone.ROOM, at.say("proposed_damage", at.seat(proposal.by), named, proposal.amount)
    else:
        yield Tone.ROOM, at.say("proposed_back", at.seat(proposal.by))


@_tells(events.Consented)
def _(happened: events.Consented, at: Moment) -> Iterator[Told]:
    key = "consented" if happened.is_agreed else "objected"
    yield Tone.ROOM, at.say(key, at.seat(happened.seat))


@_tells(events.TakenBack)
def _(_: events.TakenBack, at: Moment) -> Iterator[Told]:
    yield Tone.STEP, at.say("taken_back")


@_tells(events.PausedSet)
def _(happened: events.PausedSet, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("paused" if happened.is_paused else "resumed")


@_tells(events.SeatGiven)
def _(happened: events.SeatGiven, at: Moment) -> Iterator[Told]:
    before = at.speaker.seat(at.step.before, happened.seat)
    if happened.name:
        yield Tone.ROOM, at.say("seat_given", before, happened.name)
    else:
        yield Tone.ROOM, at.say("seat_freed", before)


@_tells(events.SeatFilled)
def _(happened: events.SeatFilled, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_filled", happened.name)


@_tells(events.RoomClosed)
def _(happened: events.RoomClosed, at: Moment) -> Iterator[Told]:
    yield Tone.ROOM, at.say("room_closed_open" if happened.seeds else "room_closed")
