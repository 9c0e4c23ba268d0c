"""Allies and the cards of the story, in words."""

from collections.abc import Iterator

from client.games.first_edition.tellers.base import FirstEditionContext, tells
from client.tellers.base import Told, Tone
from protocol.event import EVERYBODY
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import Phase
from protocol.games.first_edition.words import TaleKind


@tells(fe.AllyPlaced)
def _(event: fe.AllyPlaced, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("ally_placed", at.who(event.ally), at.space(event.space))
    # At the start a page for each of them would be too many: the list of cards has their texts.
    if at.game.phase is not Phase.SETUP:
        yield from at.written_on(event.ally, Tone.STORY)


_TALES = {
    TaleKind.RUMOUR: "tale_rumour",
    TaleKind.INFORMATION: "tale_information",
    TaleKind.EVENT: "tale_event",
}
"""Keys of the line on a story card, by its kind."""


@tells(fe.TaleTold)
def _(event: fe.TaleTold, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STORY, at.say(_TALES[event.kind], at.who(event.ally), at.card(event.card))
    yield from at.written_on(event.card, Tone.STORY)
    if event.holder is not None:
        yield Tone.ACTION, at.say("tale_kept", at.who(event.holder))


@tells(fe.AllyGone)
def _(event: fe.AllyGone, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("ally_killed" if event.is_killed else "ally_gone", at.who(event.ally))
    left = len(at.game_before.tales.get(event.ally, ()))
    if left:
        yield Tone.ACTION, at.say("tales_lost", left)


@tells(fe.StoryCardDealt)
def _(event: fe.StoryCardDealt, at: FirstEditionContext) -> Iterator[Told]:
    is_room = event.owner in at.game.map.rooms.values()
    # The board shows the cards that are in rooms from the start.
    if not is_room or at.game.phase is not Phase.SETUP:
        key = "story_card_laid" if is_room else "story_card_dealt"
        kind = at.speaker.say(f"story_card.{event.kind.value}")
        yield Tone.STEP, at.say(key, kind, at.owner(event.owner))
        if event.card.is_open and EVERYBODY not in event.card.audience:
            text = " ".join(at.speaker.details("card", event.card.value))
            yield Tone.PRIVATE, at.say("face_down", at.card(event.card.value), text)


@tells(fe.StoryCardShown)
def _(event: fe.StoryCardShown, at: FirstEditionContext) -> Iterator[Told]:
    card = at.game.story_cards[event.number]
    kind = at.speaker.say(f"story_card.{card.kind.value}")
    yield Tone.STEP, at.say("story_card_shown", kind, at.owner(card.owner), at.card(event.card))
    yield from at.written_on(event.card)


@tells(fe.StoryCardGone)
def _(event: fe.StoryCardGone, at: FirstEditionContext) -> Iterator[Told]:
    card = at.game_before.story_cards[event.number]
    if card.shown is not None:
        yield Tone.ACTION, at.say("story_card_gone", at.card(card.shown))
    else:
        kind = at.speaker.say(f"story_card.{card.kind.value}")
        yield Tone.ACTION, at.say("story_card_unread", kind, at.owner(card.owner))
