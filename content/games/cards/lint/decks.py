"""Findings on decks: cards that no deck may hold, and starter decks that are none. Section 2.21."""

from collections.abc import Iterator

from content.games.cards.lint.registry import every, finds
from content.games.cards.schema.decks import faults
from content.games.cards.schema.kinds import CardClass, Keyword
from content.games.cards.schema.pack import Pack
from content.games.cards.schema.steps import IntoPlay
from content.language.findings import Finding


@finds
def _held(pack: Pack) -> Iterator[Finding]:
    """C-BDECK-7 to C-BDECK-9: each player card fits some deck, or is brought in by a card."""
    classes = {one.class_ for one in pack.investigators.values()} | {CardClass.NEUTRAL}
    put = {step.id for step in every(IntoPlay, pack)}
    for card in pack.players.values():
        if card.weakness or card.signature_of is not None or card.id in put:
            continue
        if Keyword.BONDED in card.keywords:
            reason = "no card brings it in: nothing names it in a step 'into_play'"
            advice = "write one, or leave 'bonded' out"
            yield Finding(pack.id, card.id, f"{reason}; {advice}", part=card, keys=("keywords",))
        elif card.level is None:
            reason = "no deck may hold a card without a level; write 'level: 0'"
            yield Finding(pack.id, card.id, reason)
        elif pack.investigators and not classes & set(card.class_):
            names = ", ".join(one.value for one in card.class_)
            reason = f"no deck may hold it: no investigator is of the class {names}"
            yield Finding(
                pack.id, card.id, f"{reason}; change its class", part=card, keys=("class",)
            )


@finds
def _starters(pack: Pack) -> Iterator[Finding]:
    """C-BDECK-1 to C-BDECK-7: a starter deck can be taken as it is."""
    for deck in pack.decks.values():
        who = pack.investigators.get(deck.investigator)
        if who is not None:
            for reason in faults(pack, deck, who):
                yield Finding(pack.id, deck.id, reason)
