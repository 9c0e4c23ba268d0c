"""
Harm cards: how Damage and Horror cards move between deck and play area.

Rules SECRET-1, SECRET-2, DISCARD-2 and DECIDE-58: a card that joins hidden cards is mixed among
them, so that nobody can link it to a card that was seen.
"""

from collections.abc import Mapping, Sequence

from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition.events import (
    HarmDiscarded,
    HarmTaken,
    HarmTurnedFacedown,
    HarmTurnedFaceup,
    Told,
    ToldPrivately,
)
from protocol.games.second_edition.table import Harm, InvestigatorId, deck, facedown_pile
from server.games.second_edition.rules.play import Play


def facedown(play: Play, investigator: InvestigatorId, harm: Harm) -> tuple[Handle, ...]:
    return play.table.piles.get(facedown_pile(investigator, harm), ())


def is_faceup(play: Play, investigator: InvestigatorId, harm: Harm, handle: Handle) -> bool:
    cards = play.table.investigators[investigator].faceup_cards(harm)
    return any(card.handle == handle for card in cards)


def limits_reached(
    play: Play, investigator: InvestigatorId, suffered: Mapping[Harm, int] | None = None
) -> tuple[Harm, ...]:
    """
    Return the kinds of harm in which an investigator has reached the limit. DECIDE-3.

    The result is empty for an eliminated investigator.

    Args:
        play: the game.
        investigator: the investigator whose cards are counted.
        suffered: number of cards about to be added, by kind; they are counted too.
    """
    who = play.table.investigators[investigator]
    if who.is_eliminated:
        return ()
    limits, more = {Harm.DAMAGE: who.health, Harm.HORROR: who.sanity}, suffered or {}
    return tuple(
        harm
        for harm, limit in limits.items()
        if play.table.harm_count(investigator, harm) + more.get(harm, 0) >= limit
    )


def take_faceup(play: Play, investigator: InvestigatorId, harm: Harm) -> Handle | None:
    """
    Take the top card of a deck faceup and return it; None if the deck is empty.

    DAMAGE-1, DECIDE-55.
    """
    handle = _top(play, investigator, harm)
    if handle is not None:
        play.emit(HarmTaken(investigator, harm, handle, play.table.card_of(handle)))
    return handle


def take_facedown(play: Play, investigator: InvestigatorId, harm: Harm) -> None:
    """Take the top card of a deck facedown, unseen, if one is left. Rules DAMAGE-7 and SECRET-2."""
    handle = _top(play, investigator, harm)
    if handle is None:
        return
    play.emit(HarmTaken(investigator, harm, handle, None))
    # The owner may have seen the facedown cards beforehand. Unmixed, the new card would stand out
    # among them, and theirs would stay known (DECIDE-58).
    if len(facedown(play, investigator, harm)) > 1:
        _mix(play, investigator, harm)


def _top(play: Play, investigator: InvestigatorId, harm: Harm) -> Handle | None:
    pile = play.table.piles.get(deck(harm), ())
    if not pile:
        play.emit(Told(Text(f"result/no_{harm.value}_left", (investigator,))))
        return None
    return pile[0]


def turn_facedown(play: Play, investigator: InvestigatorId, harm: Harm, handle: Handle) -> None:
    """Turn a faceup card facedown and mix it among the facedown ones. DECIDE-58."""
    play.emit(HarmTurnedFacedown(investigator, harm, handle))
    _mix(play, investigator, harm)


def _mix(play: Play, investigator: InvestigatorId, harm: Harm) -> None:
    play.shuffle(facedown_pile(investigator, harm))


def turn_faceup(
    play: Play, investigator: InvestigatorId, harm: Harm, count: int
) -> tuple[Handle, ...]:
    """
    Turn up to `count` cards of one kind faceup at random. Rules DAMAGE-8 and DECIDE-56.

    Each of the investigator's cards is equally likely; a card that is already faceup stays faceup.
    In games of version 1 only facedown cards are picked.

    Returns:
        The picked cards that were facedown.
    """
    faceup = play.table.investigators[investigator].faceup_cards(harm)
    # DECIDE-56: each card is as likely, and a faceup one that is picked stays as it is.
    left = [] if play.version == 1 else [card.handle for card in faceup]
    left += facedown(play, investigator, harm)
    purpose = f"facedown {harm.value}" if play.version == 1 else f"turned {harm.value}"
    turned = []
    for _ in range(min(count, len(left))):
        # One card alone needs no draw.
        handle = left[0] if len(left) == 1 else play.pick(purpose, left)
        left.remove(handle)
        card = play.table.card_of(handle)
        if is_faceup(play, investigator, harm, handle):
            play.emit(Told(Text("result/faceup_already", (investigator, card))))
        else:
            play.emit(HarmTurnedFaceup(investigator, harm, handle, card))
            turned.append(handle)
    return tuple(turned)


def look_at_facedown(play: Play, investigator: InvestigatorId, harm: Harm) -> None:
    """
    Have an investigator look at their own facedown cards of one kind. Rule SECRET-2.

    Everybody sees that the investigator looks, and at how many cards; only the owner sees the
    faces.
    """
    seen = facedown(play, investigator, harm)
    if seen:
        play.emit(Told(Text(f"result/looks_at_{harm.value}", (investigator, len(seen)))))
    for handle in seen:
        line = Text("result/facedown_card", (play.table.card_of(handle),))
        play.emit(ToldPrivately(investigator, hidden(line)))


def pick_facedown(play: Play, investigator: InvestigatorId, harm: Harm) -> Handle:
    """Return a random facedown card of one kind; there must be at least one. Rule RANDOM-2."""
    handles = facedown(play, investigator, harm)
    return handles[0] if len(handles) == 1 else play.pick(f"facedown {harm.value}", handles)


def discard(
    play: Play, investigator: InvestigatorId, harm: Harm, handles: Sequence[Handle]
) -> None:
    """Put an investigator's cards back into their deck and shuffle it. Rule DISCARD-2."""
    for handle in handles:
        play.emit(HarmDiscarded(investigator, harm, handle))
    if handles:
        play.shuffle(deck(harm))
