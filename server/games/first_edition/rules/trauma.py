"""Trauma cards: triggers, and when the keeper may play them. Section 13."""

import contextlib
from collections.abc import Iterator, Mapping

from content.games.first_edition.schema.cards import TraumaCard
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    HandCardDiscarded,
    TraumaPlayed,
    TraumaTriggered,
    TriggersPassed,
)
from protocol.games.first_edition.table import TRAUMA_DECK, TRAUMA_HAND, InvestigatorId, Phase
from protocol.games.first_edition.table import TraumaTrigger as Trigger
from protocol.games.first_edition.words import TraumaKind
from server.games.first_edition.rules import decks, effects, places
from server.games.first_edition.rules.play import Play, Source, keeper
from server.kernel.asks import Option, Prompt

Played = tuple[Trigger, Handle]
"""A trigger, and the card that the keeper plays on it."""


def trigger(play: Play, who: InvestigatorId, kind: TraumaKind) -> None:
    """Note that the keeper may now play a card of one kind on an investigator. K-TRAUMA-3."""
    if play.table.hand(TRAUMA_HAND):
        play.emit(TraumaTriggered(who, kind))


def can_play(play: Play, who: InvestigatorId, card: TraumaCard) -> bool:
    """Return whether the threshold of a card allows it. K-TRAUMA-8 to K-TRAUMA-11."""
    has = play.table.investigators[who]
    now = has.health_left if card.kind is TraumaKind.INJURY else has.sanity_left
    return card.threshold is None or now <= card.threshold


def in_hand(play: Play) -> Mapping[Handle, TraumaCard]:
    """Return the trauma cards of the keeper, by handle."""
    cards = play.content.pack.traumas
    return {handle: cards[play.table.card_of(handle)] for handle in play.table.hand(TRAUMA_HAND)}


def options(play: Play) -> list[Option[Played]]:
    """Return each card that can be played on an open trigger. K-TRAUMA-6, K-TRAUMA-7."""
    return [
        Option(
            (one, handle),
            Text("choice/trauma", (card.id, one.investigator)),
            (places.at_investigator(one.investigator),),
            "trauma",
        )
        for one in play.table.triggers
        if one.investigator in play.table.investigators
        for handle, card in in_hand(play).items()
        if card.kind is one.kind and can_play(play, one.investigator, card)
    ]


async def settle(play: Play) -> None:
    """
    Ask the keeper about the open triggers, unless a step question will. K-DECIDE-15, K-DECIDE-17.

    In the keeper's own turn the keeper is simply asked; otherwise a timed window opens, in which
    silence is no card.
    """
    if not play.table.triggers or _HELD_BACK in play.under_way:
        return
    seat, found = keeper(play), options(play)
    none = Option[Played | None](None, Text("choice/no_trauma"), ends=True)
    lines: list[Option[Played | None]] = [
        none,
        *[Option[Played | None](one.value, one.text, one.points, one.group) for one in found],
    ]
    about = Text("about/trauma", (play.table.triggers[0].investigator,))
    prompt = Prompt(Text("ask/trauma"), tuple(lines))
    played: list[Played | None]
    if play.table.phase is Phase.KEEPER:
        played = [
            await play.choose(
                seat, lines, rule="K-TRAUMA-3", about=about, prompt=Text("ask/trauma")
            )
        ]
    else:
        at_most = len(play.table.triggers)
        picks = await play.window(
            {seat: prompt}, rule="K-TRAUMA-3", about=about, kind="trauma", at_most=at_most
        )
        played = list(picks.get(seat, ()))
    passed(play)
    dealt: set[tuple[InvestigatorId, TraumaKind]] = set()
    for one in played:
        if one is None or (key := (one[0].investigator, one[0].kind)) in dealt:
            continue
        dealt.add(key)
        await play_on(play, *one)


_HELD_BACK = "trauma held back"


@contextlib.contextmanager
def held_back(play: Play) -> Iterator[None]:
    """Ask the keeper nothing inside the block: one question follows for all of it. K-DECIDE-27."""
    is_first = _HELD_BACK not in play.under_way
    play.under_way.add(_HELD_BACK)
    try:
        yield
    finally:
        if is_first:
            play.under_way.discard(_HELD_BACK)


def passed(play: Play) -> None:
    """Note that the keeper was asked about all open triggers. K-DECIDE-17."""
    if play.table.triggers:
        play.emit(TriggersPassed())


async def play_on(play: Play, on: Trigger, handle: Handle, *, is_action: bool = False) -> None:
    """Play a trauma card on an investigator. K-TRAUMA-2, K-TRAUMA-13, K-DECIDE-75, K-DECIDE-76."""
    card = in_hand(play)[handle]
    if on.investigator not in play.table.investigators:
        return
    who = on.investigator
    play.emit(TraumaPlayed(who, handle, card.id, card.kind, card.instant, is_action))
    await effects.resolve(play, card.effect, Source(card.id, who))


def discard_those_for_several(play: Play) -> None:
    """
    Exchange the keeper's cards for several investigators when one player is left. K-TRAUMA-17.

    K-DECIDE-64 counts the players who are not eliminated.
    """
    players = len(play.players) - 1 - len(play.table.eliminated)
    if players != 1:
        return
    gone = [handle for handle, card in in_hand(play).items() if card.several]
    for handle in gone:
        card = play.table.card_of(handle)
        play.emit(HandCardDiscarded(TRAUMA_DECK, TRAUMA_HAND, handle, card))
    for _ in gone:
        decks.draw_trauma(play)
