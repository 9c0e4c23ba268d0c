"""
Possessions: Items and Spells gained, lost and dropped.

Rules POSSESSION-1 to POSSESSION-3, ITEM-1, ITEM-2, SPELL-1, RANDOM-3, DISCARD-1, SECRET-4,
DECIDE-124, DECIDE-125 and DECIDE-131. `trade` hands possessions over, `flipping` flips them.
"""

from collections.abc import Collection, Sequence

from content.games.second_edition.schema.cards import ConditionBack, SpellBack
from content.games.second_edition.schema.scenario import Moment
from protocol.common.chance import Stream
from protocol.common.table import Handle
from protocol.games.second_edition.events import (
    LyingDiscarded,
    PossessionDiscarded,
    PossessionDropped,
    PossessionGained,
)
from protocol.games.second_edition.table import (
    CardId,
    InvestigatorId,
    Possession,
    PossessionId,
    SpaceId,
    copies_deck,
)
from server.games.second_edition.rules import draws, random_items, triggers
from server.games.second_edition.rules.play import Play


def full_supply(play: Play) -> dict[CardId, int]:
    """Return the number of copies of each card in the faceup decks at setup. Rule SETUP-4."""
    pack = play.content.pack
    return {
        **{item.id: item.copies for item in pack.items.values()},
        **{spell.id: sum(b.copies for b in spell.backs) for spell in pack.spells.values()},
        **{condition.id: condition.total for condition in pack.conditions.values()},
    }


def open_backs(play: Play) -> dict[CardId, CardId]:
    """Return the backs of two-sided Items, which anybody may read. SECRET-9 and DECIDE-129."""
    items = play.content.pack.items.values()
    return {item.id: item.back.id for item in items if item.back is not None}


def lay_out_copies(play: Play) -> None:
    """
    Mix the copies of each Spell and each two-sided Condition, whose backs differ in secret.

    Rules SECRET-4 and SECRET-8.
    """
    pack = play.content.pack
    backs_of: dict[CardId, Sequence[SpellBack | ConditionBack]] = {
        **{spell.id: spell.backs for spell in pack.spells.values()},
        **{card.id: card.backs for card in pack.conditions.values() if card.backs},
    }
    for card, backs in backs_of.items():
        copies = [back.id for back in backs for _ in range(back.copies)]
        play.shuffle(copies_deck(card), copies, stream=Stream.SETUP)


def held(play: Play, investigator: InvestigatorId, possession: PossessionId) -> Possession | None:
    """Return an investigator's possession by its id; None if they do not have it."""
    has = _all(play, investigator)
    return next((one for one in has if one.possession_id == possession), None)


def gain(play: Play, investigator: InvestigatorId, card: CardId) -> PossessionId | None:
    """
    Take a card from its deck and return the new possession; None if no copy is left.

    Rules ITEM-2 and DECIDE-125. The copy of a Spell is the top one of its pile; the copies were
    mixed, so it is a random one (SPELL-1).
    """
    if play.table.supply.get(card, 0) < 1:
        return None
    # Numbered, since an investigator may have two copies of a card.
    possession = Possession(f"p{play.table.next_possession}", card, top_copy(play, card))
    play.emit(PossessionGained(investigator, possession))
    return possession.possession_id


def top_copy(play: Play, card: CardId) -> Handle:
    """Return the handle of the top copy of a card with several backs, else an empty handle."""
    return play.table.piles.get(copies_deck(card), ("",))[0]


def gain_random(
    play: Play,
    investigator: InvestigatorId,
    deck: str,
    trait: str | None = None,
    *,
    fresh: bool = False,
) -> PossessionId | None:
    """
    Take a random Item of a deck; every card left is equally likely. DECIDE-131.

    Args:
        play: the game.
        investigator: the investigator who gains the Item.
        deck: the deck.
        trait: the trait that the Item must have, if any.
        fresh: True to leave out Items with a copy in play, and Items that an earlier call with
            `fresh` gave.

    Returns:
        The new possession; None if no Item is left.
    """
    left = random_items.left(play, deck, trait, fresh=fresh)
    copies_left = [card for card, copies in left.items() for _ in range(copies)]
    if not copies_left:
        return None
    purpose = f"{deck} item"
    chosen: CardId | None
    # Version 1 named the trait in the purpose, and picked among copies in view of all.
    if play.version == 1:
        chosen = play.pick(purpose, copies_left)
    else:
        # On the log a trait is a number: its name would reveal the script.
        if trait is not None:
            traits = sorted({t for item in play.content.pack.items.values() for t in item.traits})
            purpose = f"{purpose} {traits.index(trait) + 1}"
        chosen = draws.deal(play, purpose, tuple(left), weights=tuple(left.values()))
    if chosen is None:
        return None
    if fresh:
        random_items.note(play, chosen)
    return gain(play, investigator, chosen)


async def announce(
    play: Play, investigator: InvestigatorId, possession: Possession, *, is_inner: bool = False
) -> None:
    """Run the triggers that follow the gain of a possession."""
    about = (possession.card,)
    await triggers.run(play, Moment.ITEM_GAINED, investigator, about=about, is_inner=is_inner)


def discard(play: Play, investigator: InvestigatorId, possession: PossessionId) -> None:
    """
    Put a possession back into its deck, if the investigator has it. Rule DISCARD-1.

    The copies of a Spell are mixed at once: the discarded copy can be gained next, and nobody can
    tell it from the others (DECIDE-124, SECRET-4).
    """
    has = held(play, investigator, possession)
    if has is None:
        return
    play.emit(PossessionDiscarded(investigator, possession))
    _mix_in(play, has)


def _mix_in(play: Play, possession: Possession) -> None:
    if possession.handle:
        play.shuffle(copies_deck(possession.card))


def discard_lying(play: Play, spaces: Collection[SpaceId] | None = None) -> None:
    """
    Put possessions on the floor back into their decks. Rules DISCARD-1 and DECIDE-147.

    Args:
        play: the game.
        spaces: the spaces to clear; None for the whole board.
    """
    for space, lying in play.table.lying.items():
        if spaces is not None and space not in spaces:
            continue
        for possession in lying:
            play.emit(LyingDiscarded(space, possession.possession_id))
            _mix_in(play, possession)


def lose(play: Play, card: CardId) -> None:
    """Discard an Item from whichever investigator has it. Rule DISCARD-1."""
    for investigator in play.table.investigators:
        for has in _all(play, investigator):
            if has.card == card:
                discard(play, investigator, has.possession_id)


def drop(play: Play, investigator: InvestigatorId, possession: PossessionId) -> None:
    """Put a possession down in the investigator's space, if they are on the board. Rule DROP-1."""
    space = play.table.investigators[investigator].space
    # Without a figure on the board there is no space to put it down in (CLEAR-4, DECIDE-148).
    if space is not None:
        play.emit(PossessionDropped(investigator, possession, space))


def drop_random(play: Play, investigator: InvestigatorId) -> None:
    """Drop a random Item, not a Spell; every Item is equally likely. Rules RANDOM-3 and ITEM-1."""
    known = play.content.pack.items
    items = [has.possession_id for has in _all(play, investigator) if has.card in known]
    if items and play.table.investigators[investigator].space is not None:
        drop(play, investigator, play.pick("dropped item", items))


def drop_all(play: Play, investigator: InvestigatorId) -> None:
    """Put all possessions down in the investigator's space. Rule ELIMINATED-1."""
    for has in _all(play, investigator):
        drop(play, investigator, has.possession_id)


def _all(play: Play, investigator: InvestigatorId) -> tuple[Possession, ...]:
    return play.table.investigators[investigator].possessions
