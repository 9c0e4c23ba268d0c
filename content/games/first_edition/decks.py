"""Checks of the box: combat decks in which every search ends, and whole investigators."""

from collections.abc import Iterator

from content.games.first_edition.checks.cards import is_physical
from content.games.first_edition.schema.effects import PlaceFeature
from content.games.first_edition.schema.kinds import Kind
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import LaidFeature
from content.language.walk import parts_in
from protocol.games.first_edition.words import AttackKind, FeatureKind, LowerUse

Fault = tuple[Kind, str, str]
"""The kind and the id of the card at fault, and the reason."""


def check_decks(pack: Pack) -> Iterator[Fault]:
    """Yield the mistakes of the box, with all its products and without each of them."""
    boxes = (pack, *(pack.without([product]) for product in pack.products))
    yield from dict.fromkeys(fault for box in boxes for fault in _searches(box))
    yield from _traits(pack)
    yield from _starting_items(pack)


def _searches(pack: Pack) -> Iterator[Fault]:
    """K-DECIDE-51: each deck has a card for every kind of attack and every use it is asked for."""
    kinds = {AttackKind.UNARMED, *(i.weapon.kind for i in pack.items.values() if i.weapon)}
    features = {f.kind for f in parts_in(pack) if isinstance(f, LaidFeature | PlaceFeature)}
    uses = {LowerUse.INVESTIGATOR}
    if FeatureKind.HIDING_SPOT in features:
        uses.add(LowerUse.HIDDEN)
    if FeatureKind.BARRICADE in features:
        uses.add(LowerUse.BARRICADE)
    seen = set()
    for monster in pack.monsters.values():
        if monster.class_ in seen:
            continue
        seen.add(monster.class_)
        deck = [card for card in pack.combat.values() if card.class_ is monster.class_]
        uppers, lowers = {c.upper.kind for c in deck}, {c.lower.use for c in deck}
        missing = [
            *(f"an attack of the kind {k.value}" for k in AttackKind if k in kinds - uppers),
            *(f"the use {use.value}" for use in LowerUse if use in uses - lowers),
        ]
        for what in missing:
            reason = f"no combat card of the class {monster.class_.value} is for {what}"
            yield (
                Kind.MONSTER,
                monster.id,
                f"{reason}; a search for one would not end (K-DECIDE-51)",
            )


def _traits(pack: Pack) -> Iterator[Fault]:
    """K-DECIDE-8: physical and mental traits stand where they belong, with one investigator."""
    owners: dict[str, str] = {}
    for character in pack.characters.values():
        for group in ("physical", "mental"):
            for id_ in getattr(character, group):
                if is_physical(pack.traits[id_]) != (group == "physical"):
                    other = "mental" if group == "physical" else "physical"
                    yield Kind.CHARACTER, character.id, f"{id_} is a {other} trait (K-DECIDE-8)"
                if owners.setdefault(id_, character.id) != character.id:
                    reason = f"{id_} belongs to {owners[id_]} already; write another one"
                    yield Kind.CHARACTER, character.id, reason


def _starting_items(pack: Pack) -> Iterator[Fault]:
    """K-CARD-11: a trait gives a starting item, and each of them to one investigator only."""
    givers: dict[str, str] = {}
    for trait in pack.traits.values():
        if trait.item is None:
            continue
        if not pack.items[trait.item].starting:
            reason = f"{trait.item} is no starting item; write 'starting: true' there"
            yield Kind.TRAIT, trait.id, reason
        if givers.setdefault(trait.item, trait.id) != trait.id:
            reason = f"{trait.item} is given by {givers[trait.item]} already; there is one"
            yield Kind.TRAIT, trait.id, reason
