"""Decks, items, spells, and the cards in rooms, in words."""

from collections.abc import Iterator

from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable

one_line(
    fe.ItemDropped,
    "dropped",
    lambda e, at: (at.who(e.investigator), _held(e.investigator, e.piece, at)),
)
one_line(
    fe.ItemGiven,
    "given",
    lambda e, at: (at.who(e.giver), _held(e.giver, e.piece, at), at.who(e.receiver)),
)
one_line(
    fe.ItemUsedUp,
    "used_up",
    lambda e, at: (at.who(e.investigator), _held(e.investigator, e.piece, at)),
)
one_line(
    fe.SpellDiscarded,
    "spell_discarded",
    lambda e, at: (at.who(e.investigator), at.card(_spell(at.game_before, e))),
)


def _held(investigator: str, piece: str, at: FirstEditionContext) -> str:
    # After the event, this character may no longer have the item.
    has = at.game_before.character(investigator).items
    return at.card(next(item.card for item in has if item.piece == piece))


def _spell(game: FirstEditionTable, event: fe.SpellDiscarded | fe.SpellTurned) -> str:
    has = game.investigators[event.investigator].spells
    # A hostile server turns what nobody has.
    return next((one.card for one in has if one.handle == event.handle), event.handle)


@tells(fe.CombatCardDrawn)
def _(event: fe.CombatCardDrawn, at: FirstEditionContext) -> Iterator[Told]:
    # Half a deck may be passed over; the discard pile has those cards.
    if event.is_match:
        yield Tone.STEP, at.say("combat_card", at.card(event.card))
        yield from at.written_on(event.card, Tone.ACTION)


@tells(fe.ItemGained)
def _(event: fe.ItemGained, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.GAIN, at.say("gained", at.who(event.investigator), at.card(event.card))
    yield from at.written_on(event.card, Tone.ACTION)


@tells(fe.ItemTaken)
def _(event: fe.ItemTaken, at: FirstEditionContext) -> Iterator[Told]:
    # After the event the room no longer has it.
    lying = at.game_before.lying[event.room]
    card = next(item.card for item in lying if item.piece == event.piece)
    yield Tone.ACTION, at.say("picked_up", at.who(event.investigator), at.card(card))


@tells(fe.WeaponUsed)
def _(event: fe.WeaponUsed, at: FirstEditionContext) -> Iterator[Told]:
    for item in at.game.character(event.investigator).items:
        if item.piece == event.piece and item.weapon is not None:
            yield Tone.ACTION, at.say("weapon_used", at.card(item.card), item.weapon.uses)


@tells(fe.SpellGained)
def _(event: fe.SpellGained, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.GAIN, at.say("spell_gained", at.who(event.investigator), at.card(event.spell.card))
    yield from at.written_on(event.spell.card, Tone.ACTION)


@tells(fe.SpellTurned)
def _(event: fe.SpellTurned, at: FirstEditionContext) -> Iterator[Told]:
    spell = at.card(_spell(at.game_before, event))
    yield Tone.STEP, at.say("spell_turned", spell, at.card(event.back))
    yield from at.written_on(event.back)


TAKEN = ("item/", "clue/")
"""Prefixes of cards that are taken at once, and told with their text there."""


@tells(fe.CardTurnedUp)
def _(event: fe.CardTurnedUp, at: FirstEditionContext) -> Iterator[Told]:
    if event.card.startswith(TAKEN):
        return
    yield Tone.ACTION, at.say("turned_up", at.speaker.room(event.room), at.card(event.card))
    yield from at.written_on(event.card)


@tells(fe.ClueFound)
def _(event: fe.ClueFound, at: FirstEditionContext) -> Iterator[Told]:
    left = at.game.clues_left
    yield Tone.GAIN, at.say("clue_found", at.who(event.investigator), at.card(event.clue), left)
    yield from at.written_on(event.clue, Tone.STORY)
