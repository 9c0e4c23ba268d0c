"""Mythos cards: played by the keeper between the steps of an investigator's turn. Section 12."""

from content.games.first_edition.schema.cards import Trigger
from protocol.common.asks import Point, RefusedChoice
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.events import (
    FaceDownTurned,
    MythosLaidDown,
    MythosPlayed,
    ThreatChanged,
)
from protocol.games.first_edition.table import MYTHOS_HAND, InvestigatorId
from server.games.first_edition.rules import (
    effects,
    lacking,
    places,
    requirements,
    story_decks,
    trauma,
)
from server.games.first_edition.rules.play import Play, Source, keeper
from server.kernel.asks import Option


def is_moment(play: Play) -> bool:
    """
    Return whether the step question is a moment for a mythos card. K-DECIDE-14, K-DECIDE-16.

    It follows from public facts alone: the keeper is asked whatever the cards are (K-SECRET-20).
    """
    return bool(play.table.hand(MYTHOS_HAND)) and not play.table.is_struck and is_step_left(play)


def is_step_left(play: Play) -> bool:
    """Return whether the active investigator has a step left. K-DECIDE-14."""
    table = play.table
    return table.active is not None and (table.steps_left > 0 or table.has_action)


def options(play: Play, who: InvestigatorId) -> tuple[list[Option[Handle]], list[RefusedChoice]]:
    """Return the cards that can be played on an investigator now, and why others cannot."""
    offered: list[Option[Handle]] = []
    refused: list[RefusedChoice] = []
    for handle in play.table.hand(MYTHOS_HAND):
        text = Text("choice/mythos", (play.table.card_of(handle), who))
        if (reason := refusal(play, who, handle)) is not None:
            refused.append(RefusedChoice(text, reason, "K-DECIDE-69"))
        else:
            points = (places.at_investigator(who), Point("card", handle))
            offered.append(Option(handle, text, points, "mythos"))
    return offered, refused


def refused_once_struck(play: Play, who: InvestigatorId) -> list[RefusedChoice]:
    """Return why no card of the hand can be played: one was in this turn. K-MYTHOS-3."""
    if not play.table.is_struck:
        return []
    cards = [play.table.card_of(handle) for handle in play.table.hand(MYTHOS_HAND)]
    reason = Text("refusal/struck")
    return [RefusedChoice(Text("choice/mythos", (c, who)), reason, "K-MYTHOS-3") for c in cards]


def refusal(play: Play, who: InvestigatorId, handle: Handle) -> Text | None:
    """
    Return why a card of the hand cannot be played on an investigator; None if it can.

    Its threat must be there, and its condition must hold now. K-DECIDE-69.
    """
    card = play.content.pack.mythos[play.table.card_of(handle)]
    if card.threat > play.table.threat:
        return Text("refusal/threat", (card.threat, play.table.threat))
    if not requirements.holds(play, card.requires, Source(card.id, who)):
        return lacking.reason(play, card.requires, Source(card.id, who))
    return None


async def play_card(play: Play, who: InvestigatorId, handle: Handle) -> None:
    """
    Play a mythos card on the investigator whose turn it is. K-MYTHOS-2 to K-MYTHOS-5, K-INFO-7.

    The keeper was asked about open trauma triggers in the same question: they are past now. A card
    face down is known to the keeper and its holder alone (K-SECRET-3).
    """
    trauma.passed(play)
    card = play.content.pack.mythos[play.table.card_of(handle)]
    if card.threat:
        play.emit(ThreatChanged(-card.threat))
    if card.face_down is not None:
        knowers = tuple(sorted({keeper(play), play.seat_of(who)}))
        play.emit(MythosLaidDown(who, handle, knowers, hidden(card.id)))
        return
    play.emit(MythosPlayed(who, handle, card.id))
    await effects.resolve(play, card.effect, Source(card.id, who))


async def triggered(play: Play, who: InvestigatorId, trigger: Trigger) -> None:
    """
    Turn up, resolve and discard the face-down cards that wait for what just happened. K-DECIDE-70.

    Cards of the story follow (W-DECIDE-50).

    Each chapter calls it where the trigger happens. If the trigger was harm, the keeper is asked
    for a trauma card first. Where no card waits for the trigger, nothing shows.
    """
    cards = play.content.pack.mythos
    while (has := play.table.investigators.get(who)) is not None:
        waiting = [one for one in has.face_down if cards[one.card.value].face_down is trigger]
        if not waiting:
            break
        await trauma.settle(play)
        has = play.table.investigators.get(who)
        if has is None or waiting[0] not in has.face_down:
            # A trauma card killed the investigator, and all cards were turned up.
            continue
        card = cards[waiting[0].card.value]
        play.emit(FaceDownTurned(who, play.disclose(waiting[0].card), card.id))
        await effects.resolve(play, card.effect, Source(card.id, who))
    await story_decks.triggered(play, who, trigger)
