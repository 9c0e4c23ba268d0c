"""Checks of cards and products, beyond their types."""

from content.games.second_edition.checks.registry import checks
from content.games.second_edition.references import BY_RULES
from content.games.second_edition.schema import cards, effects, monsters, products
from content.language.walk import parts_in
from content.reading.mistakes import find_twins
from content.reading.sheet import Complaint


def _least(number: effects.Number) -> int:
    """Return the least value of a number over all numbers of investigators; 1 for a formula."""
    if isinstance(number, int):
        return number
    if number.formula is not None:
        return 1
    return min(number.listed) if number.listed else number.base + number.each


@checks(cards.Modifier)
def _modifier(card: cards.Modifier, fault: Complaint) -> None:
    counts = {
        *(cards.ModifierKind.DICE, cards.ModifierKind.SPACES),
        *(cards.ModifierKind.WEAPON_DAMAGE, cards.ModifierKind.PUZZLE_STEPS),
    }
    of_a_skill = {cards.ModifierKind.DICE, cards.ModifierKind.PUZZLE_STEPS}
    if card.kind in counts and card.amount == 0:
        fault("amount", f"{card.kind.value!r} changes by 0; write an amount")
    if card.kind not in counts and card.amount != 0:
        fault("amount", f"{card.kind.value!r} has no amount; leave it out")
    if card.skill is not None and card.kind not in of_a_skill:
        fault("skill", f"{card.kind.value!r} is of no skill; leave it out")


@checks(cards.Attack)
def _attack(attack: cards.Attack, fault: Complaint) -> None:
    if attack.through and attack.reach is not cards.Reach.RANGED:
        fault("through", "only the range of a ranged attack is counted; write 'reach: ranged'")


@checks(monsters.Activation)
def _activation(activation: monsters.Activation, fault: Complaint) -> None:
    if activation.through and not activation.ranged:
        fault("through", "only the range of a ranged attack is counted; write 'ranged: true'")


@checks(cards.Reroll, cards.Convert, cards.MoreSteps, cards.ComponentAction)
def _use(
    terms: cards.Reroll | cards.Convert | cards.MoreSteps | cards.ComponentAction, fault: Complaint
) -> None:
    if terms.discard and fault.root is cards.InvestigatorCard:
        fault("discard", "an ability is no card that could be discarded; leave it out")


@checks(cards.Reroll)
def _reroll(terms: cards.Reroll, fault: Complaint) -> None:
    if terms.rolls is cards.Rolls.BARRICADES and terms.skill is not None:
        fault("skill", "a monster's roll against a Barricade tests no skill; leave it out")


@checks(cards.MoreSteps)
def _more_steps(terms: cards.MoreSteps, fault: Complaint) -> None:
    if not terms.once_per_round and not terms.discard:
        fault("once_per_round", "without a cost an attempt would never end; write 'discard: true'")


@checks(cards.ConditionCard)
def _condition(card: cards.ConditionCard, fault: Complaint) -> None:
    if card.copies and card.backs:
        fault("copies", "each back has its own copies; leave these out")
    if not card.copies and not card.backs:
        fault("copies", "there are none of this card; write copies, or backs that have some")
    if card.id in BY_RULES and card.backs:
        fault("backs", "the rules give this card, which has no other side; leave it out")
    flips = any(isinstance(part, effects.FlipThis) for part in parts_in(card))
    if flips and not card.backs:
        fault("backs", "'flip_this' turns this card over, but it has no other side; write backs")
    does = card.powers
    uses = (does.reroll, does.convert, does.more_steps, does.action)
    if card.id in BY_RULES and any(use is not None and use.discard for use in uses):
        fault("powers", "nobody gives this Condition back; leave 'discard' out")


@checks(effects.GainRandomItem)
def _deck(made: cards.ItemCard | effects.GainRandomItem, fault: Complaint) -> None:
    if made.deck not in {"common", "unique"}:
        fault("deck", f"expected common or unique, not {made.deck[:40]!r}")


@checks(cards.ItemCard)
def _item(card: cards.ItemCard, fault: Complaint) -> None:
    _deck(card, fault)
    flips = any(isinstance(part, effects.FlipThis) for part in parts_in(card))
    if flips and card.back is None:
        fault("back", "'flip_this' turns this card over, but it has no other side; write a back")


@checks(cards.SpellCard)
def _spell(card: cards.SpellCard, fault: Complaint) -> None:
    if not card.backs:
        fault("backs", "a Spell has two sides (rule TWOSIDED-1); write at least one back")
    front = (card.attack, card.powers)
    if not any(isinstance(part, effects.FlipThis) for part in parts_in(front)):
        reason = "the front says when to flip the card (rule SPELL-2); write 'flip_this: true'"
        fault("powers", f"{reason} in its action, or in 'after' of its attack")
    if card.attack is not None and card.attack.kind is not cards.WeaponKind.SPELL:
        fault("attack", "one attacks with a Spell by the option 'spell'; write 'kind: spell'")


@checks(cards.HarmCard)
def _harm(card: cards.HarmCard, fault: Complaint) -> None:
    if not card.id.startswith(f"{card.harm.value}/"):
        fault("id", f"an id in this file begins with {card.harm.value}/")
    if bool(card.resolve) == (card.keep is not None):
        have = "both" if card.resolve else "neither"
        fault("resolve", f"a card has exactly one of resolve and keep, this has {have}")


_ON_A_BACK = {
    *(cards.ModifierKind.NO_TRADE, cards.ModifierKind.NO_ATTACK),
    *(cards.ModifierKind.NO_INTERACT, cards.ModifierKind.NO_SEARCH),
}
"""The modifiers that a back may have: only the owner's own questions show them. SECRET-7."""


@checks(cards.InsaneBack)
def _insane_back(card: cards.InsaneBack, fault: Complaint) -> None:
    shows = [m.kind.value for m in card.powers.modifiers if m.kind not in _ON_A_BACK]
    does = card.powers
    uses = (does.reroll, does.convert, does.more_steps, does.action)
    if shows or any(use is not None for use in uses):
        allowed = ", ".join(sorted(kind.value for kind in _ON_A_BACK))
        fault("powers", f"the others could tell from that what the back says; only {allowed}")


@checks(monsters.MonsterCard)
def _monster(card: monsters.MonsterCard, fault: Complaint) -> None:
    if _least(card.health) < 1:
        fault("health", "a monster has at least 1 health")
    for field in ("evades", "horrors", "activations"):
        if not getattr(card, field):
            fault(field, "at least one entry is needed: the keeper draws one")
    for kind in cards.WeaponKind:
        if not card.attacks.get(kind):
            fault("attacks", f"add at least one entry under {kind.value!r} (rule ATTACK-9)")


@checks(monsters.Ability)
def _ability(card: monsters.Ability, fault: Complaint) -> None:
    if not card.passes and not card.barricade_dice:
        fault("passes", "this ability does nothing; write passes or barricade_dice")


@checks(products.Product)
def _product(product: products.Product, fault: Complaint) -> None:
    needed = sorted(BY_RULES.intersection(product.holds))
    if needed:
        fault("holds", f"the rules themselves need {' and '.join(needed)}; leave it out")
    for twin in find_twins(product.holds):
        fault("holds", f"{twin} stands here twice; write each id once")
