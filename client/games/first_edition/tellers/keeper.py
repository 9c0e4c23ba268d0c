"""The keeper, in words: threat, mythos, actions, events, the objective, and the end."""

from collections.abc import Iterator

from client.games.first_edition.moment import winners
from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_HAND

one_line(fe.HandCardDiscarded, "hand_discarded", lambda e, at: (at.card(e.card),))
one_line(fe.KeeperActed, "keeper_acted", lambda e, at: (at.card(e.action), at.game.threat))
one_line(fe.SparesNoMore, "spares_no_more", lambda _e, _at: ())
one_line(fe.TimeAdded, "time_added", lambda _, at: (at.game.time, at.game.event_time), Tone.STEP)


@tells(fe.ThreatChanged)
def _(event: fe.ThreatChanged, at: FirstEditionContext) -> Iterator[Told]:
    key = "threat_gained" if event.by >= 0 else "threat_spent"
    yield Tone.ACTION, at.say(key, abs(event.by), at.game.threat)


@tells(fe.CounterChanged)
def _(event: fe.CounterChanged, at: FirstEditionContext) -> Iterator[Told]:
    name = at.speaker.counter(at.game, event.counter)
    most = at.game.counters[event.counter].most
    if most is None:
        yield Tone.ACTION, at.say("counter", name, event.amount)
    else:
        yield Tone.ACTION, at.say("counter_of", name, event.amount, most)


@tells(fe.KeeperDrew)
def _(event: fe.KeeperDrew, at: FirstEditionContext) -> Iterator[Told]:
    key = "drew_mythos" if event.hand == MYTHOS_HAND else "drew_trauma"
    yield Tone.ACTION, at.say(key, len(at.game.hand(event.hand)))


@tells(fe.MythosPlayed)
def _(event: fe.MythosPlayed, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("mythos_played", at.who(event.investigator), at.card(event.card))
    yield from at.written_on(event.card)


@tells(fe.MythosLaidDown)
def _(event: fe.MythosLaidDown, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("mythos_laid_down", at.who(event.investigator))
    if event.card.is_open:
        text = " ".join(at.speaker.details("card", event.card.value))
        yield Tone.PRIVATE, at.say("face_down", at.card(event.card.value), text)


@tells(fe.FaceDownTurned)
def _(event: fe.FaceDownTurned, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("face_down_turned", at.who(event.investigator), at.card(event.card))
    yield from at.written_on(event.card)


@tells(fe.LaidReady)
def _(event: fe.LaidReady, at: FirstEditionContext) -> Iterator[Told]:
    plans = event.plans.value if event.plans.is_open else ()
    for who, card, _ in plans:
        handle = at.game.hidden_cards.get(card)
        known = at.game.known_card(card) if handle is not None else card
        if known:
            yield Tone.PRIVATE, at.say("laid_ready", at.card(known), at.who(who))


@tells(fe.ActionLaid)
def _(event: fe.ActionLaid, at: FirstEditionContext) -> Iterator[Told]:
    # The keeper reads the text beside the map: a page for each of them would be too many.
    if event.action.is_open:
        yield Tone.ACTION, at.say("action_laid_own", at.card(event.action.value.card))
    else:
        yield Tone.ACTION, at.say("action_laid", len(at.game.hidden_actions))


@tells(fe.ActionShown)
def _(event: fe.ActionShown, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("action_shown", at.card(event.action.card), event.action.threat)
    yield from at.written_on(event.action.card)


@tells(fe.EventResolved)
def _(event: fe.EventResolved, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STORY, at.say("event", at.card(event.card))
    yield from at.written_on(event.card, Tone.STORY)


@tells(fe.ObjectiveRevealed)
def _(event: fe.ObjectiveRevealed, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STORY, at.say("objective_revealed", at.card(event.objective))
    yield Tone.STORY, at.speaker.aim(event.objective)


@tells(fe.GameEnded)
def _(event: fe.GameEnded, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STEP, winners(at.speaker, event.ending.winners)
    yield Tone.STORY, at.speaker.text(event.ending.reason)
