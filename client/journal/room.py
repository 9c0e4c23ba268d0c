"""Tellers of the events that every room has."""

from collections.abc import Iterator, Mapping

from client.journal.proposals import proposed
from client.settings.table_settings import observed
from client.tellers.base import EventContext, Tellers, Told, Tone, filling
from client.text.printable import one_line
from protocol.common import events
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
    events.Answered: "what the table learns of it is said by what follows",
    events.StandingSet: "nobody else learns what it says",
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
def _(happened: events.RoomOpened, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("room_opened", at.speaker.name("scenario", happened.scenario))
    for observer in happened.settings.observers:
        yield Tone.ROOM, observed(at.speaker.locale, observer)


@tells(events.SeatTaken)
def _(happened: events.SeatTaken, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("bot_sat" if happened.is_bot else "seat_taken", happened.name)


@tells(events.SeatLeft)
def _(happened: events.SeatLeft, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_left", at.speaker.seat(at.step.before, happened.seat))


@tells(events.SeatEmptied)
def _(happened: events.SeatEmptied, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_emptied", at.speaker.seat(at.step.before, happened.seat))


@tells(events.ScenarioChosen)
def _(happened: events.ScenarioChosen, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("scenario_chosen", at.speaker.name("scenario", happened.scenario))


@tells(events.CampaignContinued)
def _(happened: events.CampaignContinued, at: EventContext) -> Iterator[Told]:
    campaign = at.speaker.name("campaign", happened.legacy.campaign)
    scenario = at.speaker.name("scenario", happened.scenario)
    yield Tone.ROOM, at.say("campaign_continued", campaign, scenario)


@tells(events.ProductsSwitched)
def _(happened: events.ProductsSwitched, at: EventContext) -> Iterator[Told]:
    before = at.step.before.room.products_off
    for product in dict.fromkeys((*before, *happened.off)):
        if (product in before) != (product in happened.off):
            key = "product_off" if product in happened.off else "product_on"
            yield Tone.ROOM, at.say(key, at.speaker.name("product", product))


@tells(events.CharactersClaimed)
def _(happened: events.CharactersClaimed, at: EventContext) -> Iterator[Told]:
    names = ", ".join(at.who(one) for one in happened.characters)
    key = "claimed" if happened.characters else "claimed_none"
    yield Tone.ROOM, at.say(key, at.seat(happened.seat), names)


@tells(events.RoleClaimed)
def _(happened: events.RoleClaimed, at: EventContext) -> Iterator[Told]:
    role = at.speaker.name("role", happened.role)
    yield Tone.ROOM, at.say("role_claimed", at.seat(happened.seat), role)


@tells(events.ReadySet)
def _(happened: events.ReadySet, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("ready" if happened.is_ready else "unready", at.seat(happened.seat))


@tells(events.PresenceChanged)
def _(happened: events.PresenceChanged, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("came" if happened.is_present else "went", at.seat(happened.seat))


@tells(events.Chatted)
def _(happened: events.Chatted, at: EventContext) -> Iterator[Told]:
    if happened.words.is_open:
        yield Tone.CHAT, at.say("chat", at.seat(happened.seat), one_line(happened.words.value))


@tells(events.ChatSet)
def _(happened: events.ChatSet, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("chat_opened" if happened.is_open else "chat_closed")


@tells(events.Prepared)
def _(happened: events.Prepared, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("prepared", at.seat(happened.seat))


@tells(events.BroughtAlong)
def _(happened: events.BroughtAlong, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("brought_along", at.seat(happened.seat))


@tells(events.SetupFixed)
def _(happened: events.SetupFixed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("setup_fixed" if happened.setup is not None else "setup_freed")


@tells(events.SetupAccepted)
def _(happened: events.SetupAccepted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("setup_accepted", at.seat(happened.seat))


@tells(events.StartRequested)
def _(happened: events.StartRequested, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("start_requested", at.seat(happened.seat))


@tells(events.StartFailed)
def _(happened: events.StartFailed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("start_failed", at.speaker.seats(at.table, happened.missing))
    ceremony = at.step.before.room.ceremony
    if ceremony is not None and ceremony.shares:
        seen = tuple(sorted(ceremony.shares))
        yield Tone.ROOM, at.say("start_failed_seen", at.speaker.seats(at.table, seen))


@tells(events.GameStarted)
def _(_: events.GameStarted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("game_started")


def _picked(picks: tuple[str, ...], at: EventContext) -> str | None:
    """Return the words of picked choices; None for a viewer who was not asked."""
    ask = at.table.room.ask
    sealed = None if ask is None else next((q for q in ask.questions.values() if q.is_open), None)
    choices = sealed.value.choices if sealed is not None else ()
    texts = {choice.choice_id: choice.text for choice in choices}
    if any(pick not in texts for pick in picks):
        return None
    return ", ".join(at.speaker.text(texts[pick]) for pick in picks)


@tells(events.Voted)
def _(happened: events.Voted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, _vote(happened.seat, happened.picks, at)


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
def _(happened: events.Passed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("passed_on", at.seat(happened.seat))


@tells(events.PassedStanding)
def _(happened: events.PassedStanding, at: EventContext) -> Iterator[Told]:
    ask = at.table.room.ask
    assert ask is not None
    names = at.speaker.seats(at.table, happened.seats)
    yield Tone.ROOM, at.say("passed_standing", names, at.speaker.text(Text(ask.kind, (), "name")))


@tells(events.AnsweredTogether)
def _(happened: events.AnsweredTogether, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("window_closed")
    own = [held for held in happened.answers.values() if held.is_open]
    # A viewer with all secrets open sees each answer in the events that follow it.
    choice = _picked((own[0].value.choice_id,), at) if len(own) == 1 else None
    if choice is not None:
        yield Tone.ROOM, at.say("window_own", choice)


@tells(events.LotWanted)
def _(happened: events.LotWanted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("lot_wanted", at.seat(happened.seat))


@tells(events.TiebreakCalled)
def _(happened: events.TiebreakCalled, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("lot_called", at.seat(happened.seat))


@tells(events.Picked)
def _(happened: events.Picked, at: EventContext) -> Iterator[Told]:
    ask = at.table.room.ask
    if happened.purpose != "lot" or ask is None:
        # The events that follow tell the other picks.
        return
    _, seat = ask.voters[happened.result]
    choice = _picked(ask.votes[seat], at) if seat in ask.votes else None
    if choice is None:
        yield Tone.ROOM, at.say("lot_fell", at.seat(seat))
    else:
        yield Tone.ROOM, at.say("lot_fell_for", at.seat(seat), choice)


@tells(events.TimedOut)
def _(_: events.TimedOut, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("timed_out")


@tells(events.Proposed)
def _(happened: events.Proposed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, proposed(at.speaker, at.table, happened.proposal)


@tells(events.Consented)
def _(happened: events.Consented, at: EventContext) -> Iterator[Told]:
    key = "consented" if happened.is_agreed else "objected"
    yield Tone.ROOM, at.say(key, at.seat(happened.seat))


@tells(events.AgreedForAbsent)
def _(happened: events.AgreedForAbsent, at: EventContext) -> Iterator[Told]:
    absent = at.speaker.seats(at.table, happened.seats)
    origin = at.step.record.origin
    if origin == OPERATOR:
        yield Tone.ROOM, at.say("operator_agreed_for", absent)
    else:
        yield Tone.ROOM, at.say("agreed_for", at.seat(origin), absent)


@tells(events.TakenBack)
def _(_: events.TakenBack, at: EventContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("taken_back")


@tells(events.PausedSet)
def _(happened: events.PausedSet, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("paused" if happened.is_paused else "resumed")


@tells(events.OperatorPaused)
def _(happened: events.OperatorPaused, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("operator_paused", one_line(happened.reason))


@tells(events.OperatorResumed)
def _(happened: events.OperatorResumed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("operator_resumed", one_line(happened.reason))


@tells(events.OperatorClosed)
def _(happened: events.OperatorClosed, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("operator_closed", one_line(happened.reason))


@tells(events.SeatGiven)
def _(happened: events.SeatGiven, at: EventContext) -> Iterator[Told]:
    before = at.speaker.place(at.step.before, happened.seat)
    if happened.name:
        yield Tone.ROOM, at.say("seat_given", before, happened.name)
    else:
        yield Tone.ROOM, at.say("seat_freed", before)


@tells(events.SeatFilled)
def _(happened: events.SeatFilled, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_filled", happened.name)


@tells(events.Branched)
def _(_: events.Branched, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("branched")


@tells(events.BranchStarted)
def _(_: events.BranchStarted, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("branch_started")


@tells(events.SeatFilledKnowing)
def _(happened: events.SeatFilledKnowing, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("seat_filled", happened.name)
    yield Tone.ROOM, at.say("setup_accepted", happened.name)


@tells(events.RoomClosed)
def _(happened: events.RoomClosed, at: EventContext) -> Iterator[Told]:
    if happened.how is events.HowClosed.GIVEN_UP:
        yield Tone.ROOM, at.say("given_up")
    yield Tone.ROOM, at.say("room_closed_open" if happened.seeds else "room_closed")


@tells(events.SetupOpened)
def _(_: events.SetupOpened, at: EventContext) -> Iterator[Told]:
    yield Tone.ROOM, at.say("setup_opened")
