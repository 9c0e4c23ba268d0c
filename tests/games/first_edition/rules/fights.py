"""Combat cards and offers, as the tests of combat need them."""

from typing import Any

from content.games.first_edition.schema.cards import CombatCard, LowerHalf, UpperHalf, Weapon
from content.games.first_edition.schema.effects import Strike
from protocol.games.first_edition.words import (
    AttackKind,
    Attribute,
    Keyword,
    LowerUse,
    MonsterClass,
)
from server.games.first_edition.rules import newcomers
from server.rulekit.offers import Offers
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.worlds import ADA, item_card

BEAST, HUMANOID, ELDRITCH = MonsterClass.BEAST, MonsterClass.HUMANOID, MonsterClass.ELDRITCH
UNARMED, BLADED, BLUNT, RANGED = AttackKind


def upper(kind: AttackKind = UNARMED, damage: int = 1, **fields: Any) -> UpperHalf:
    """Return an upper half that tests strength and strikes for some damage."""
    return UpperHalf(kind, Attribute.STRENGTH, **{"passed": (Strike(damage),), **fields})


def lower(use: LowerUse = LowerUse.INVESTIGATOR, **fields: Any) -> LowerHalf:
    """Return a lower half without a test."""
    return LowerHalf(use, **fields)


def deck(*halves: UpperHalf | LowerHalf, class_: MonsterClass = BEAST) -> dict[str, CombatCard]:
    """Return the first cards of a class's deck, top first, with one half of each."""
    name = class_.value
    return {
        f"combat/{name}-{n}": CombatCard(
            f"combat/{name}-{n}",
            class_,
            half if isinstance(half, UpperHalf) else upper(RANGED),
            half if isinstance(half, LowerHalf) else lower(LowerUse.HIDDEN),
        )
        for n, half in enumerate(halves, 1)
    }


def weapon(id_: str, kind: AttackKind = BLADED, range_: int = 0, **fields: Any) -> Any:
    """Return a weapon card."""
    facts = Weapon(kind, range_, **fields)
    return item_card(id_, keywords=(Keyword.WEAPON,), weapon=facts)


def give(bench: Bench, *items: str, who: str = ADA) -> None:
    """Give an investigator items."""
    for item in items:
        newcomers.gain_item(bench.game, who, item)


def offered(found: Offers) -> list[str]:
    """Return the offers, each as its subject and what it points at."""
    return [
        " ".join([one.text.subject, *(point.piece for point in one.points)])
        for one in found.options
    ]


def refused(found: Offers) -> list[tuple[str, str, str]]:
    """Return what is refused, with the reason and the rule."""
    return [(one.text.subject, one.reason.subject, one.rule) for one in found.refused]
