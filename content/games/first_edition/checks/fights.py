"""Checks of monsters and combat cards, beyond their types."""

from content.games.first_edition.checks.registry import checks
from content.games.first_edition.schema import cards, effects
from content.language.walk import parts_in
from content.reading.sheet import Complaint
from protocol.games.first_edition.words import LowerUse

MOST_TOKENS = 99
"""Maximum number of tokens of one type of monster: a draw of one of them is one record."""


@checks(cards.MonsterCard)
def _monster(card: cards.MonsterCard, fault: Complaint) -> None:
    tokens = sum(back.copies for back in card.backs)
    if tokens < card.figures:
        fault("backs", f"{tokens} tokens for {card.figures} figures; each figure needs its own")
    elif tokens > MOST_TOKENS:
        fault("backs", f"{tokens} tokens; a type of monster has at most {MOST_TOKENS}")


@checks(cards.MonsterBack)
def _back(back: cards.MonsterBack, fault: Complaint) -> None:
    if not back.special:
        fault("special", "the special attack does nothing; write an effect (K-MATTACK-5)")
    if _attacks(back.special):
        fault("special", "a special attack that attacks anew might never end")


def _attacks(effect: effects.Effect) -> bool:
    """Return whether an effect has a monster attack."""
    kinds = (effects.SpecialAttack, effects.Attack)
    return any(isinstance(part, kinds) for part in parts_in((effect,)))


@checks(cards.LowerHalf)
def _lower(half: cards.LowerHalf, fault: Complaint) -> None:
    """K-DECIDE-52, K-DECIDE-84: a barricade holds or breaks; the others test, or just happen."""
    is_tested, has_effect = half.attribute is not None, bool(half.passed or half.failed)
    if half.use is LowerUse.BARRICADE:
        if is_tested or has_effect or half.special or half.modifier:
            fault("use", "a barricade holds or breaks: no test, effect or special attack")
        return
    for field, effect in (("passed", half.passed), ("failed", half.failed)):
        if _attacks(effect):
            fault(field, "an attack that attacks anew might never end; write 'special: true'")
    if half.breaks:
        fault("breaks", "only 'use: barricade' breaks one; leave it out")
    if half.special and (is_tested or has_effect):
        fault("special", "the special attack takes the place of everything else; leave that out")
    if not is_tested and (half.passed or half.modifier):
        fault("attribute", "nothing is tested; name an attribute, or write the result in failed")
