"""Knowledge of hidden cards that viewers gain, by the secrets table of the rulebook.

It follows the rules and never the audiences declared by events, which are what these tests check.
Numbers dealt to counters are not here: `course` tells when they show.
"""

from collections.abc import Iterator, Sequence

import attrs

from protocol.common import events
from protocol.common.table import Handle, Table, fold
from protocol.event import Event, Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Harm, SecondEditionTable, facedown_pile

HEIRS_BACK = "heir's back"
"""
Kind of an Insane back that came with a seat whose earlier secrets stayed sealed to the new owner.
"""
TURNS = ("about/turn", "about/move")
"""
Subjects of the questions with the actions of a turn, which refuse actions that an Insane back
forbids.
"""


@attrs.frozen
class Learned:
    """Card that a viewer learns."""

    sequence: int
    """Sequence of the record that reveals the card."""
    handle: Handle
    card: str
    about: str
    """Kind of card: a facedown card, a back, a code."""


def learned(records: Sequence[Record], seat: int | None, since: int = 0) -> list[Learned]:
    """Return what a viewer learns in a game, in order.

    Args:
        records: of the game, with all secrets open.
        seat: seat of the viewer; None for public knowledge.
        since: sequence from which the viewer has had that seat.
    """
    found: list[Learned] = []
    known: set[Handle] = set()
    table = Table()
    for record in records:
        own = seat if record.sequence >= since else None
        for about, handle, card in _told(record, table, own):
            # A card that the viewer gained or was told of once teaches nothing when told again.
            if about != HEIRS_BACK or handle not in known:
                found.append(Learned(record.sequence, handle, card, about))
            known.add(handle)
        table = fold(table, record)
    return found


def told_since(records: Sequence[Record], seat: int) -> int | None:
    """Return the sequence from which a seat's first new player knows its secrets.

    Return None if the seat had no new player.
    """
    for record in records:
        given = record.event
        if isinstance(given, events.SeatGiven) and given.seat == seat:
            return 0 if given.with_secrets else record.sequence
    return None


def _told(record: Record, table: Table, seat: int | None) -> Iterator[tuple[str, Handle, str]]:
    """Yield the hidden cards that a viewer learns from a record.

    Everybody learns a Damage or Horror card when it is faceup, the back of a Spell or of a two-
    sided Condition when it is flipped, a code by the marks of guesses, and the pieces of a slide
    puzzle when it is laid out. `_told_of_backs` has the Insane backs.
    """
    happened, game = record.event, table.game
    if not isinstance(game, SecondEditionTable):
        return
    yield from _told_of_backs(happened, game, seat)
    match happened:
        case se.HarmTaken(handle=handle, card=str(card)):
            yield "harm", handle, card
        case se.HarmTurnedFaceup(handle=handle, card=card):
            yield "harm", handle, card
        case se.PossessionFlipped(handle=str(handle), turned_to=str(back)) if handle:
            yield "spell", handle, back
        case se.ConditionFlipped(handle=handle, turned_to=str(back)):
            yield "condition", handle, back
        case se.CodeGuessed(puzzle=puzzle):
            yield from _code_of(game, puzzle)
        case events.Shuffled(pile=pile) if pile.startswith("puzzle/slide/"):
            # Laid out in the open at once.
            yield from (
                ("slide", handle, card)
                for handle, card in zip(happened.handles, happened.order.value, strict=True)
            )
        case _:
            pass


def _told_of_backs(
    happened: Event, game: SecondEditionTable, seat: int | None
) -> Iterator[tuple[str, Handle, str]]:
    """Yield the Insane backs that a viewer learns: the owner when gained, everybody at the end.

    A new player of the seat who was not told learns it from a line that names it, or when it can
    bar an action in their turn, as it then affects their choices.
    """
    match happened:
        case se.BecameInsane(investigator=who, handle=handle):
            if handle and game.investigators[who].seat == seat:
                yield "own back", handle, game.card_of(handle)
        case se.BackShown(investigator=who):
            yield from _backs_of(game, who, "back")
        case se.ToldPrivately(investigator=who, text=line) if game.investigators[who].seat == seat:
            # SECRET-2: facedown cards that a private line names.
            if line.value.subject == "result/facedown_card":
                for harm in Harm:
                    for handle in game.piles.get(facedown_pile(who, harm), ()):
                        if game.card_of(handle) == line.value.params[0]:
                            yield "harm", handle, game.card_of(handle)
            every = _backs_of(game, who, HEIRS_BACK)
            yield from (one for one in every if one[2] == line.value.subject)
        case events.Asked(about=about, questions=asked) if about.subject in TURNS and seat in asked:
            yield from _backs_of(game, str(about.params[0]), HEIRS_BACK)
        case _:
            pass


def _backs_of(game: SecondEditionTable, who: str, about: str) -> Iterator[tuple[str, Handle, str]]:
    for condition in game.investigators[who].conditions:
        if condition.handle and condition.back is not None:
            yield about, condition.handle, condition.back.value


def _code_of(game: SecondEditionTable, puzzle: str) -> Iterator[tuple[str, Handle, str]]:
    for pile, handles in game.piles.items():
        if pile.startswith(f"puzzle/{puzzle}/"):
            yield from (("code", handle, game.card_of(handle)) for handle in handles)
