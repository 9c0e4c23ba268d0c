"""Cards that move, in words: drawn, opened, laid down, engaged, turned."""

from collections.abc import Iterator

from client.games.cards.tellers.base import CardsContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.cards import events as c
from protocol.games.cards.table import ENCOUNTER, PieceId
from protocol.games.cards.words import Zone

PASSING = frozenset([Zone.COMMITTED, Zone.RESOLVING, Zone.DRAWN])
"""Zones from which a card goes to its discard pile without a word."""

one_line(
    c.LocationMoved,
    "location_moved",
    lambda e, at: (at.piece(e.piece), e.position.row, e.position.column),
)
one_line(c.TakenUp, "taken_up", lambda e, _: (len(e.pieces),))


@tells(c.LaidFaceDown)
def _(event: c.LaidFaceDown, at: CardsContext) -> Iterator[Told]:
    number, where = len(event.moved), at.speaker.lies(at.game, event.to)
    if event.owner:
        yield Tone.ACTION, at.say("face_down", at.who(event.owner), number, where)
    else:
        yield Tone.ACTION, at.say("face_down.encounter", number, where)


@tells(c.Drew)
def _(event: c.Drew, at: CardsContext) -> Iterator[Told]:
    if event.cards.is_open and event.pile == ENCOUNTER:
        for code in event.cards.value:
            yield Tone.ACTION, at.say("drew_encounter", at.who(event.investigator), at.card(code))
            yield from at.printed(code, Tone.CARD)
    elif event.cards.is_open:
        names = ", ".join(at.card(code) for code in event.cards.value)
        # Not private, which would open a box: cards are drawn in every round.
        yield Tone.GAIN, at.say("drew_own", at.who(event.investigator), names)
    else:
        yield Tone.ACTION, at.say("drew", at.who(event.investigator), len(event.moved))


@tells(c.HandShown)
def _(event: c.HandShown, at: CardsContext) -> Iterator[Told]:
    names = ", ".join(at.card(code) for code in event.cards)
    yield Tone.ACTION, at.say("shown", at.who(event.investigator), names)


@tells(c.Opened)
def _(event: c.Opened, at: CardsContext) -> Iterator[Told]:
    name, zone = at.card(event.code), event.to.zone
    if zone is Zone.COMMITTED:
        yield Tone.ACTION, at.say("committed", at.who(event.to.of), name)
    elif event.pile == ENCOUNTER and zone in (Zone.RESOLVING, Zone.DRAWN):
        yield Tone.ACTION, at.say("drew_encounter", at.who(event.to.of), name)
        yield from at.printed(event.code, Tone.CARD)
    elif zone is Zone.DRAWN:
        yield Tone.ACTION, at.say("drew_weakness", at.who(event.to.of), name)
        yield from at.printed(event.code, Tone.CARD)
    elif zone is not Zone.RESOLVING:
        # What is played is told when it is paid.
        yield Tone.ACTION, at.say("goes", name, at.speaker.lies(at.game, event.to))


@tells(c.Moved)
def _(event: c.Moved, at: CardsContext) -> Iterator[Told]:
    told = [piece for piece in event.pieces if _is_told(at, event, piece)]
    if told:
        # A host that went with its attachments is known from before.
        known = at.before if event.to.of in at.before.cards else at.game
        yield Tone.ACTION, at.say("goes", at.pieces(told), at.speaker.lies(known, event.to))


def _is_told(at: CardsContext, event: c.Moved, piece: PieceId) -> bool:
    card = at.before.cards.get(piece)
    zone = None if card is None else card.at.zone
    if event.to.zone is Zone.DISCARD:
        return zone not in PASSING
    if event.to.zone is Zone.REMOVED:
        # The next act or agenda is told.
        return zone not in (Zone.ACT, Zone.AGENDA)
    return event.to.zone not in PASSING


@tells(c.Gathered)
def _(event: c.Gathered, at: CardsContext) -> Iterator[Told]:
    if not event.pieces:
        # The piles of somebody who is out of the game.
        return
    _, _, owner = event.pile.partition("/")
    say = at.speaker.say
    pile = say("pile.deck", at.who(owner)) if owner else say("pile.encounter")
    yield Tone.ACTION, at.say("gathered", pile)


@tells(c.Exhausted)
def _(event: c.Exhausted, at: CardsContext) -> Iterator[Told]:
    key = "exhausted" if event.is_exhausted else "readied"
    yield Tone.ACTION, at.say(key, at.pieces(event.pieces))


@tells(c.Engagement)
def _(event: c.Engagement, at: CardsContext) -> Iterator[Told]:
    name = at.piece(event.piece)
    if event.investigators:
        who = at.speaker.names("character", event.investigators)
        yield Tone.ACTION, at.say("engaged", name, who)
    elif at.before.cards[event.piece].engaged:
        yield Tone.ACTION, at.say("disengaged", name)


@tells(c.Walked)
def _(event: c.Walked, at: CardsContext) -> Iterator[Told]:
    who = at.speaker.names("character", event.investigators)
    yield Tone.ACTION, at.say("walked", who, at.piece(event.location))


@tells(c.Revealed)
def _(event: c.Revealed, at: CardsContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("revealed", at.card(event.face))
    yield from at.printed(event.face)


@tells(c.Flipped)
def _(event: c.Flipped, at: CardsContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("flipped", at.piece(event.piece), at.card(event.face))
    yield from at.printed(event.face)
