"""Checks of investigators, what they have, and the keeper's cards, beyond their types."""

from content.games.first_edition.checks.registry import checks
from content.games.first_edition.schema import cards
from content.games.first_edition.schema.effects import AnotherAction
from content.language.walk import parts_in
from content.reading.mistakes import find_twins
from content.reading.sheet import Complaint
from protocol.games.first_edition.words import AttackKind, Attribute, Keyword, TraumaKind

PHYSICAL = frozenset([Attribute.STRENGTH, Attribute.MARKSMANSHIP, Attribute.DEXTERITY])
"""The attributes of a physical trait. K-DECIDE-8."""
MENTAL = frozenset(Attribute) - PHYSICAL
"""The attributes of a mental trait. K-DECIDE-8."""
TRAITS = 2
"""Traits of each group of an investigator. K-SETUP-6, K-DECIDE-8."""


@checks(cards.CharacterCard)
def _character(card: cards.CharacterCard, fault: Complaint) -> None:
    for field, traits in (("physical", card.physical), ("mental", card.mental)):
        if len(traits) != TRAITS or find_twins(traits):
            fault(field, f"name {TRAITS} different {field} traits; one of them is kept")


@checks(cards.TraitCard)
def _trait(card: cards.TraitCard, fault: Complaint) -> None:
    """K-DECIDE-7, K-DECIDE-8: a trait of each group makes the seven attributes, each once."""
    if not is_physical(card) and card.attributes.keys() != MENTAL:
        groups = (_words(PHYSICAL), _words(MENTAL))
        reason = f"a physical trait has {groups[0]}; a mental one has {groups[1]}"
        fault("attributes", f"{reason}; write all of one group and no others")
        return
    given = [field for field in ("item", "spell") if getattr(card, field) is not None]
    if is_physical(card):
        if len(given) != 1:
            fault("", "a physical trait gives exactly one item or one spell")
    else:
        for field in given:
            fault(field, "only a physical trait gives something; leave it out")
        if not card.modifiers and not card.actions:
            fault("", "a mental trait has an ability; write modifiers or actions")


@checks(cards.AllyCard)
def _ally(card: cards.AllyCard, fault: Complaint) -> None:
    """W-ALLY-1, W-DECIDE-22: an ally can be asked for each attribute."""
    if card.attributes.keys() != set(Attribute):
        fault("attributes", f"write all seven: {_words(frozenset(Attribute))}")


def is_physical(card: cards.TraitCard) -> bool:
    """Return whether a trait has the attributes of the physical group. K-DECIDE-8."""
    return card.attributes.keys() == PHYSICAL


def _words(attributes: frozenset[Attribute]) -> str:
    return ", ".join(one.value for one in Attribute if one in attributes)


@checks(cards.Modifier)
def _modifier(made: cards.Modifier, fault: Complaint) -> None:
    kept = cards.Modifier(attribute=made.attribute, tests=made.tests)
    if made == kept:
        fault("", "it changes nothing; write amount, steps, armour or another effect")
    elif not made.amount and (made.attribute is not None or made.tests):
        fault("amount", "say by how much the attribute changes in these tests")


@checks(cards.CardAction)
def _action(action: cards.CardAction, fault: Complaint) -> None:
    if not action.effect:
        fault("effect", "an action does something; write an effect")
    if action.free and action.attack:
        fault("free", "an attack costs the action; leave one of them out (K-ACT-3)")
    elif action.free and any(isinstance(one, AnotherAction) for one in parts_in(action)):
        fault("free", "the action of the turn would still be left; leave it out (W-SPELL-2)")


@checks(cards.ItemCard)
def _item(card: cards.ItemCard, fault: Complaint) -> None:
    if (card.weapon is not None) != (Keyword.WEAPON in card.keywords):
        fault("keywords", "an item is a weapon if it has the keyword and its attack, both or none")
    for twin in find_twins(card.keywords):
        fault("keywords", f"{twin.value!r} stands here twice; write it once")


@checks(cards.Weapon)
def _weapon(weapon: cards.Weapon, fault: Complaint) -> None:
    if weapon.kind is AttackKind.UNARMED:
        fault("kind", "unarmed attacks need no weapon; name another kind (K-COMBAT-2)")
    if weapon.kind is AttackKind.RANGED and not weapon.range:
        fault("range", "a ranged weapon has a range of at least 1 (K-COMBAT-7)")


@checks(cards.SpellCard)
def _spell(card: cards.SpellCard, fault: Complaint) -> None:
    if len(card.backs) < 2:
        fault("backs", "with one back everybody knows it; write at least two (K-DECIDE-58)")
    if card.range and not card.attack:
        fault("range", "only an attack spell has a range; leave it out")


@checks(cards.SpellBack)
def _back(back: cards.SpellBack, fault: Complaint) -> None:
    if not back.passed and not back.failed:
        fault("", "it does nothing; write an effect under passed or failed")


@checks(cards.TraumaCard)
def _trauma(card: cards.TraumaCard, fault: Complaint) -> None:
    lasts = bool(card.modifiers or card.penalty)
    if card.instant and (lasts or not card.effect):
        fault("instant", "it is discarded at once: write an effect and nothing that lasts")
    elif not card.instant and not lasts and not card.effect:
        fault("", "it does nothing; write an effect, modifiers or a penalty")
    if card.kind is TraumaKind.INJURY and card.threshold == 0:
        fault("threshold", "nobody with health 0 is left to be injured; at least 1 (K-DECIDE-73)")
    if bool(card.penalty) != bool(card.penalty_tests):
        fault("penalty", "a loss of sight has both penalty and penalty_tests (K-DECIDE-108)")
    if not card.penalty and not card.ignores_lantern:
        fault("ignores_lantern", "there is no penalty that a lantern could lift; leave it out")


@checks(cards.MythosCard, cards.ActionCard)
def _keeper_card(card: cards.MythosCard | cards.ActionCard, fault: Complaint) -> None:
    if not card.effect:
        fault("effect", "nothing happens; write an effect")


@checks(cards.ActionCard)
def _for_ever(card: cards.ActionCard, fault: Complaint) -> None:
    """K-KEEPER-8, K-KEEPER-9: what costs nothing has another limit."""
    if not card.threat and not card.tokens and not card.once:
        fault("threat", "it costs nothing, and could be used for ever; write 'once: true'")


@checks(cards.Opening)
def _opening(made: cards.Opening, fault: Complaint) -> None:
    """K-CARD-9, K-CARD-10: an item, a puzzle or a test."""
    ways = [way for way in ("item", "keyword", "test", "puzzle") if getattr(made, way) is not None]
    if len(ways) != 1:
        have = " and ".join(ways) or "none"
        fault("", f"write exactly one of item, keyword, test and puzzle; this has {have}")
    elif made.spend and ways[0] in {"test", "puzzle"}:
        fault("spend", "no item is asked for that could be discarded; leave it out")
