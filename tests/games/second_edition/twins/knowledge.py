"""
What viewers learn of hidden cards, by the secrets table of the rulebook.

It is written from the rules and never from the declarations of the events, which are what is
tested. What was dealt to counters is not here: `course` tells when that shows.
"""

from collections.abc import Iterator, Sequence

import attrs

from protocol.common import events as on
from protocol.common.table import Handle, Table, fold
from protocol.event import Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import SecondEditionTable


@attrs.frozen
class Learned:
    """A card that a viewer learns."""

    sequence: int
    """Of the record that tells it."""
    handle: Handle
    card: str
    about: str
    """What the card is: a facedown card, a back, a code."""


def learned(records: Sequence[Record], seat: int | None, since: int = 0) -> list[Learned]:
    """
    Return what a viewer learns in a game, in order.

    Args:
        records: of the game, everything open.
        seat: what the viewer is told for; None for what everybody is told.
        since: the sequence from which the viewer has had that seat.
    """
    found = []
    table = Table()
    for record in records:
        own = seat if record.sequence >= since else None
        for about, handle, card in _told(record, table, own):
            found.append(Learned(record.sequence, handle, card, about))
        table = fold(table, record)
    return found


def told_since(records: Sequence[Record], seat: int) -> int | None:
    """Return from when on the first heir of a seat is told its secrets, if there is one."""
    for record in records:
        given = record.event
        if isinstance(given, on.SeatGiven) and given.seat == seat:
            return 0 if given.with_secrets else record.sequence
    return None


def _told(record: Record, table: Table, seat: int | None) -> Iterator[tuple[str, Handle, str]]:
    """
    Yield the hidden cards that a viewer learns from a record.

    A Damage or Horror card, when it lies faceup; an Insane back, its owner when it is gained and
    everybody at the end; the back of a Spell, everybody when it is flipped; a code, through the
    answers to guesses; the pieces of a slide puzzle, everybody when it is laid out.
    """
    happened, game = record.event, table.game
    if not isinstance(game, SecondEditionTable):
        return
    match happened:
        case se.HarmTaken(handle=handle, card=str(card)):
            yield "harm", handle, card
        case se.HarmTurnedFaceup(handle=handle, card=card):
            yield "harm", handle, card
        case se.BecameInsane(investigator=who, handle=handle):
            if handle and game.investigators[who].seat == seat:
                yield "own back", handle, game.card_of(handle)
        case se.PossessionFlipped(handle=str(handle), turned_to=str(back)) if handle:
            yield "spell", handle, back
        case se.BackShown(investigator=who):
            yield from _backs_of(game, who)
        case se.CodeGuessed(puzzle=puzzle):
            yield from _code_of(game, puzzle)
        case on.Shuffled(pile=pile) if pile.startswith("puzzle/slide/"):
            # Laid out in the open at once.
            yield from (
                ("slide", handle, card)
                for handle, card in zip(happened.handles, happened.order.value, strict=True)
            )
        case _:
            pass


def _backs_of(game: SecondEditionTable, who: str) -> Iterator[tuple[str, Handle, str]]:
    for condition in game.investigators[who].conditions:
        if condition.handle and condition.back is not None:
            yield "back", condition.handle, condition.back.value


def _code_of(game: SecondEditionTable, puzzle: str) -> Iterator[tuple[str, Handle, str]]:
    for pile, handles in game.piles.items():
        if pile.startswith(f"puzzle/{puzzle}/"):
            yield from (("code", handle, game.card_of(handle)) for handle in handles)
