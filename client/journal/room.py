"""Renders the events that all games share as lines of the journal."""

from collections.abc import Iterator, Mapping, Sequence

from client.journal.proposals import moment_of, proposed
from client.locale.results import result_lines
from client.plugs.face import face_of
from client.settings.table_settings import lasting, observed
from client.tellers.base import EventContext, Tellers, Told, Tone, filling
from client.text.printable import one_line
from protocol.common import events
from protocol.common.templates import Nickname
from protocol.common.text import Text
from protocol.event import OPERATOR, Event

TELLERS: Tellers = {}
"""Tellers by kind of event."""
tells = filling(TELLERS)

SILENT: Mapping[type[Event], str] = {
    events.SeedsCommitted: "the ceremony is told as a whole",
    events.ShareCommitted: "the ceremony is told as a whole",
    events.ShareOpened: "the ceremony is told as a whole",
    events.Asked: "the question stands on its own pane",
    events.StandingSet: "nobody else learns what it says",
    events.PassesLapsed: "what ends is told by the game",
    events.TimerClosed: "what follows tells how",
    events.Settled: "what follows tells how",
    events.Corrected: "what lies differently is told next",
    events.CheckpointReached: "nothing happened",
    events.Rolled: "the dice are told as they lie there",
    events.PickedSecretly: "what becomes of it is told by what follows",
    events.Dealt: "what becomes of it is told by what follows",
    events.Shuffled: "nobody sees anything",
    events.ShuffledSome: "nobody sees anything",
    events.LookedAt: "why somebody looks is told by the game",
    events.Arranged: "nobody sees anything",
}
"""Kinds of event without a line, each with the reason."""


@tells(events.RoomOpened)
def _(event: events.RoomOpened, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("room_opened", at.speaker.name("scenario", event.scenario))
    for observer in event.settings.observers:
        yield Tone.ROOM, observed(at.speaker.locale, observer)


@tells(events.SeatTaken)
def _(event: events.SeatTaken, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("bot_sat" if event.is_bot else "seat_taken", event.name)


@tells(events.SeatLeft)
def _(event: events.SeatLeft, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_left", at.speaker.seat(at.step.before, event.seat))


@tells(events.SeatEmptied)
def _(event: events.SeatEmptied, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_emptied", at.speaker.seat(at.step.before, event.seat))


@tells(events.ScenarioChosen)
def _(event: events.ScenarioChosen, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("scenario_chosen", at.speaker.name("scenario", event.scenario))
    yield from _no_longer_ready(at)


@tells(events.CampaignContinued)
def _(event: events.CampaignContinued, at: EventContext) -> Iterator[Told]:
    campaign = at.speaker.name("campaign", event.legacy.campaign)
    scenario = at.speaker.name("scenario", event.scenario)
    yield Tone.ROOM, at.say("campaign_continued", campaign, scenario)
    yield from _no_longer_ready(at)


@tells(events.ProductsSwitched)
def _(event: events.ProductsSwitched, at: EventContext) -> Iterator[Told]:
    before = at.step.before.room.products_off
    for product in dict.fromkeys((*before, *event.off)):
        if (product in before) != (product in event.off):
            key = "product_off" if product in event.off else "product_on"
            yield Tone.ROOM, at.say(key, at.speaker.name("product", product))
    yield from _no_longer_ready(at)


@tells(events.CharactersClaimed)
def _(event: events.CharactersClaimed, at: EventContext) -> Iterator[Told]:
    before = at.step.before.room.seats[event.seat].characters
    yield from _put_back(at, event.seat, [one for one in before if one not in event.characters])
    if {*event.characters} - {*before}:
        names = at.speaker.names("character", event.characters)
        yield Tone.ROOM, at.say("claimed", at.seat(event.seat), names)
    yield from _no_longer_ready(at)


def _put_back(at: EventContext, seat: int, characters: Sequence[str]) -> Iterator[Told]:
    """Yield a line about the characters that a seat has released; none if it has released none."""
    if characters:
        names = at.speaker.names("character", characters)
        yield Tone.ROOM, at.say("put_back", at.seat(seat), names)


def _no_longer_ready(at: EventContext) -> Iterator[Told]:
    """Report the players whose readiness a change of the table withdrew."""
    before, after = at.step.before.room.seats, at.table.room.seats
    lost = tuple(
        n for n, s in before.items() if s.is_ready and n in after and not after[n].is_ready
    )
    if lost:
        yield Tone.ROOM, at.say("no_longer_ready", at.speaker.seats(at.table, lost))


@tells(events.RoleClaimed)
def _(event: events.RoleClaimed, at: EventContext) -> Iterator[Told]:
    role = at.speaker.name("role", event.role)
    yield from _put_back(at, event.seat, at.step.before.room.seats[event.seat].characters)
    yield Tone.ROOM, at.say("role_claimed", at.seat(event.seat), role)
    yield from _no_longer_ready(at)


@tells(events.ReadySet)
def _(event: events.ReadySet, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("ready" if event.is_ready else "unready", at.seat(event.seat))


@tells(events.PresenceChanged)
def _(event: events.PresenceChanged, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("came" if event.is_present else "went", at.seat(event.seat))


@tells(events.HostVoted)
def _(event: events.HostVoted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("host_voted", at.seat(event.seat))


@tells(events.HostPassed)
def _(event: events.HostPassed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("host_passed", at.seat(event.seat), at.seat(event.was))


@tells(events.Chatted)
def _(event: events.Chatted, at: EventContext) -> Iterator[Told]:
    if event.words.is_open:
        yield Tone.CHAT, at.say("chat", at.seat(event.seat), one_line(event.words.value))


@tells(events.ChatSet)
def _(event: events.ChatSet, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("chat_opened" if event.is_open else "chat_closed")


@tells(events.Prepared)
def _(event: events.Prepared, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("prepared", at.seat(event.seat))
    yield from _no_longer_ready(at)


@tells(events.BroughtAlong)
def _(event: events.BroughtAlong, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("brought_along", at.seat(event.seat))
    yield from _no_longer_ready(at)


@tells(events.SetupFixed)
def _(event: events.SetupFixed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("setup_fixed" if event.setup is not None else "setup_freed")
    yield from _no_longer_ready(at)


@tells(events.SetupAccepted)
def _(event: events.SetupAccepted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("setup_accepted", at.seat(event.seat))


@tells(events.StartRequested)
def _(event: events.StartRequested, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("start_requested", at.seat(event.seat))


@tells(events.StartFailed)
def _(event: events.StartFailed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("start_failed", at.speaker.seats(at.table, event.missing))
    ceremony = at.step.before.room.ceremony
    if ceremony is not None and ceremony.shares:
        seen = tuple(sorted(ceremony.shares))
        yield Tone.ROOM, at.say("start_failed_seen", at.speaker.seats(at.table, seen))
    yield from _no_longer_ready(at)


@tells(events.GameStarted)
def _(_: events.GameStarted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("game_started")


@tells(events.Answered)
def _(event: events.Answered, at: EventContext) -> Iterator[Told]:
    ask = at.table.room.ask
    if face_of(at.table.room.ruleset).tells_interruptions:
        return
    # The events that follow say what the table learns of any other answer.
    if ask is not None and ask.may_interrupt(event.seat):
        yield Tone.ROOM, at.say("interrupted", at.seat(event.seat), at.seat(ask.decides))


@tells(events.TimerOpened)
def _(event: events.TimerOpened, at: EventContext) -> Iterator[Told]:
    time = lasting(at.speaker.locale, event.seconds)
    yield Tone.ROOM, at.say("timer_opened", at.speaker.text(event.name), time)


def _picked(picks: tuple[str, ...], at: EventContext) -> str | None:
    """Return the words of picked choices; None if the viewer did not receive the question."""
    ask = at.table.room.ask
    sealed = None if ask is None else next((q for q in ask.questions.values() if q.is_open), None)
    choices = sealed.value.choices if sealed is not None else ()
    texts = {choice.choice_id: choice.text for choice in choices}
    if any(pick not in texts for pick in picks):
        return None
    return ", ".join(at.speaker.text(texts[pick]) for pick in picks)


@tells(events.Voted)
def _(event: events.Voted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, _vote(event.seat, event.picks, at)


@tells(events.VotesShown)
def _(_: events.VotesShown, at: EventContext) -> Iterator[Told]:
    ask = at.table.room.ask
    assert ask is not None
    for seat, picks in ask.votes.items():
        yield Tone.ROOM, _vote(seat, picks, at)


def _vote(seat: int, picks: tuple[str, ...], at: EventContext) -> str:
    picked = _picked(picks, at)
    if picked is None:
        return at.say("voted", at.seat(seat))
    return at.say("voted_for", at.seat(seat), picked)


@tells(events.Passed)
def _(event: events.Passed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("passed_on", at.seat(event.seat))


@tells(events.PassedStanding)
def _(event: events.PassedStanding, at: EventContext) -> Iterator[Told]:
    ask = at.table.room.ask
    assert ask is not None
    names = at.speaker.seats(at.table, event.seats)
    yield Tone.ROOM, at.say("passed_standing", names, at.speaker.text(Text(ask.kind, (), "name")))


@tells(events.AnsweredTogether)
def _(event: events.AnsweredTogether, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("window_closed")
    own = [held for held in event.answers.values() if held.is_open]
    # A viewer with all secrets open sees each answer in the events that follow it.
    choice = _picked(own[0].value.choice_ids, at) if len(own) == 1 else None
    if choice is not None:
        yield Tone.ROOM, at.say("window_own", choice)


@tells(events.LotWanted)
def _(event: events.LotWanted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("lot_wanted", at.seat(event.seat))


@tells(events.TiebreakCalled)
def _(event: events.TiebreakCalled, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("lot_called", at.seat(event.seat))


@tells(events.Picked)
def _(event: events.Picked, at: EventContext) -> Iterator[Told]:
    ask = at.table.room.ask
    if event.purpose != "lot" or ask is None:
        # The events that follow tell the other picks.
        return
    _, seat = ask.voters[event.result]
    choice = _picked(ask.votes[seat], at) if seat in ask.votes else None
    if choice is None:
        yield Tone.ROOM, at.say("lot_fell", at.seat(seat))
    else:
        yield Tone.ROOM, at.say("lot_fell_for", at.seat(seat), choice)


@tells(events.TimedOut)
def _(_: events.TimedOut, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("timed_out")


@tells(events.Proposed)
def _(event: events.Proposed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, proposed(at.speaker, at.table, event.proposal)


@tells(events.Consented)
def _(event: events.Consented, at: EventContext) -> Iterator[Told]:
    key = "consented" if event.is_agreed else "objected"
    yield Tone.ROOM, at.say(key, at.seat(event.seat))


@tells(events.AgreedForAbsent)
def _(event: events.AgreedForAbsent, at: EventContext) -> Iterator[Told]:
    absent = at.speaker.seats(at.table, event.seats)
    origin = at.step.record.origin
    if origin == OPERATOR:
        yield Tone.ROOM, at.say("operator_agreed_for", absent)
    else:
        yield Tone.ROOM, at.say("agreed_for", at.seat(origin), absent)


@tells(events.TakenBack)
def _(_: events.TakenBack, at: EventContext) -> Iterator[Told]:
    when = "" if at.table.game is None else moment_of(at.speaker, at.table, at.table.game)
    yield Tone.STEP, at.say("taken_back_to", when) if when else at.say("taken_back")


@tells(events.PausedSet)
def _(event: events.PausedSet, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("paused" if event.is_paused else "resumed")


@tells(events.OperatorPaused)
def _(event: events.OperatorPaused, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("operator_paused", one_line(event.reason))


@tells(events.OperatorResumed)
def _(event: events.OperatorResumed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("operator_resumed", one_line(event.reason))


@tells(events.OperatorClosed)
def _(event: events.OperatorClosed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("operator_closed", one_line(event.reason))


@tells(events.SeatGiven)
def _(event: events.SeatGiven, at: EventContext) -> Iterator[Told]:
    before = at.speaker.place(at.step.before, event.seat)
    if event.name:
        yield Tone.ROOM, at.say("seat_given", before, Nickname(event.name))
    elif (seat := at.step.before.room.seats.get(event.seat)) is not None and seat.name:
        yield Tone.ROOM, at.say("seat_freed_of", Nickname(seat.name))
    else:
        yield Tone.ROOM, at.say("seat_freed", before)


@tells(events.SeatFilled)
def _(event: events.SeatFilled, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_filled", event.name)


@tells(events.Branched)
def _(_: events.Branched, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("branched")


@tells(events.BranchStarted)
def _(_: events.BranchStarted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("branch_started")


@tells(events.SeatFilledKnowing)
def _(event: events.SeatFilledKnowing, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_filled", event.name)
    yield Tone.ROOM, at.say("setup_accepted", event.name)


@tells(events.RoomClosed)
def _(event: events.RoomClosed, at: EventContext) -> Iterator[Told]:
    if event.how is events.HowClosed.GIVEN_UP:
        yield Tone.ROOM, at.say("given_up")
    for line in result_lines(at.speaker, at.table):
        yield Tone.STEP, line
    yield Tone.ROOM, at.say("room_closed_open" if event.seeds else "room_closed")


@tells(events.SetupOpened)
def _(_: events.SetupOpened, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("setup_opened")
