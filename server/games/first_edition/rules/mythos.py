"""Mythos cards: played by the keeper between the steps of an investigator's turn. Section 12."""

from protocol.common.asks import RefusedChoice
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.events import MythosLaidDown, MythosPlayed, ThreatChanged
from protocol.games.first_edition.table import MYTHOS_HAND, InvestigatorId
from server.games.first_edition.rules import effects, places, requirements
from server.games.first_edition.rules.play import Play, Source, keeper
from server.kernel.asks import Option


def is_moment(play: Play) -> bool:
    """
    Return whether the step question is a moment for a mythos card. K-DECIDE-14, K-DECIDE-16.

    It follows from public facts alone: the keeper is asked whatever the cards are.
    """
    table = play.table
    is_step_left = table.steps_left > 0 or table.has_action
    return bool(table.hand(MYTHOS_HAND)) and not table.is_struck and is_step_left


def options(play: Play, who: InvestigatorId) -> tuple[list[Option[Handle]], list[RefusedChoice]]:
    """Return the cards that can be played on an investigator now, and why others cannot."""
    offered: list[Option[Handle]] = []
    refused: list[RefusedChoice] = []
    for handle in play.table.hand(MYTHOS_HAND):
        card = play.content.pack.mythos[play.table.card_of(handle)]
        text = Text("choice/mythos", (card.id, who))
        if card.threat > play.table.threat:
            reason = Text("refusal/threat", (card.threat, play.table.threat))
            refused.append(RefusedChoice(text, reason, "K-DECIDE-69"))
        elif not requirements.holds(play, card.requires, Source(card.id, who)):
            reason = Text("refusal/condition", (card.id,))
            refused.append(RefusedChoice(text, reason, "K-DECIDE-69"))
        else:
            point = places.at_investigator(who)
            offered.append(Option(handle, text, (point,), "mythos"))
    return offered, refused


async def play_card(play: Play, who: InvestigatorId, handle: Handle) -> None:
    """Play a mythos card on the investigator whose turn it is. K-MYTHOS-2 to K-MYTHOS-5."""
    card = play.content.pack.mythos[play.table.card_of(handle)]
    if card.threat:
        play.emit(ThreatChanged(-card.threat))
    if card.face_down is not None:
        knowers = tuple(sorted({keeper(play), play.seat_of(who)}))
        play.emit(MythosLaidDown(who, handle, knowers, hidden(card.id)))
        return
    play.emit(MythosPlayed(who, handle, card.id))
    await effects.resolve(play, card.effect, Source(card.id, who))
