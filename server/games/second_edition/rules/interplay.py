"""
Interplay: whether the order of simultaneous effects can make a difference.

Rules CONFLICT-2 and DECIDE-142. The answer depends on public knowledge alone: the cards of the
packs, the table, and the triggers of the scenario that have a text. If it depended on anything
hidden, the players could infer the secret from whether they are asked. `simultaneous` asks for the
order.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.effects import Effect, Number, Step, Who
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Moment
from content.language.walk import parts_in
from protocol.games.second_edition.table import INSANE_DECK, CardId, Harm, InvestigatorId, deck
from protocol.memo import memo
from server.games.second_edition.rules import harm_cards, memory, random_items
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.play import Play

WOUNDED: CardId = "condition/wounded"
"""The Wounded Condition."""
INSANE: CardId = "condition/insane"
"""The front of every Insane Condition."""

_OWN = (
    *(schema.Say, schema.SkillTest, schema.Negate, schema.Suffer, schema.Heal, schema.When),
    *(schema.TurnFacedown, schema.TurnFaceup, schema.TurnThisFacedown, schema.DiscardThis),
    *(schema.GainClues, schema.SpendClues, schema.LoseActions, schema.Become, schema.Recover),
    schema.GainActions,
    *(schema.Forfeit, schema.DropRandomItem, schema.Deal, schema.LookAtFacedown),
    *(schema.GainItem, schema.GainSpell, schema.GainRandomItem),
)
"""Steps that affect only the investigator whom the step concerns."""


# What an effect says -------------------------------------------------------------------------


def effect_reaches_others(play: Play, effect: Effect) -> bool:
    """
    Return True if an effect on one investigator can change what the same effect does to another.

    Every step counts, also one in a branch that may not be resolved.
    """
    return any(_step_reaches_others(play, step) for step in _steps_in(effect))


def effect_matters(
    play: Play, effect: Effect, people: Sequence[InvestigatorId], *, is_inner: bool
) -> bool:
    """
    Return True if the order matters in which an effect is resolved for several investigators.

    Args:
        play: the game.
        effect: the effect.
        people: the investigators for whom it is resolved.
        is_inner: True if the limits of Damage and Horror are checked later (DECIDE-51).
    """
    if effect_reaches_others(play, effect):
        return True
    return not is_inner and any(
        _limits_matter(play, people, _estimated_harm(play, step))
        for step in _steps_in(effect)
        if isinstance(step, schema.Suffer | schema.Negate)
    )


def _steps_in(effect: Effect) -> Iterator[Step]:
    return (part for part in parts_in(effect) if isinstance(part, Step))


def _step_reaches_others(play: Play, step: Step) -> bool:
    if not _is_own(step):
        return True
    people = len(play.table.standing())
    match step:
        case schema.TurnFaceup():
            return texts_reach_others(play, step.harm)
        case schema.Suffer() | schema.Negate():
            return _cards_matter(play, people, _estimated_harm(play, step), facedown=step.facedown)
        case schema.GainItem():
            return is_short(play, step.item, people)
        case schema.GainSpell():
            return is_short(play, step.spell, people)
        case schema.Become():
            return is_short(play, step.condition, people)
        case schema.GainRandomItem():
            return random_items.is_short(play, step, people)
    return False


def _is_own(step: Step) -> bool:
    """Return True if a step affects the actor alone, apart from the cards that it gives them."""
    return isinstance(step, _OWN) and getattr(step, "who", Who.ACTOR) is Who.ACTOR


def _estimated_harm(play: Play, step: schema.Suffer | schema.Negate) -> dict[Harm, int]:
    """Return the number of cards that a step may inflict, by kind of harm."""
    return {Harm.DAMAGE: _estimated(play, step.damage), Harm.HORROR: _estimated(play, step.horror)}


def _estimated(play: Play, number: Number) -> int:
    """Return an amount as it is known before the effect; a formula counts as 1."""
    return scaled(play, number) if isinstance(number, int) or number.formula is None else 1


# Harm ----------------------------------------------------------------------------------------


def harm_matters(
    play: Play,
    people: Sequence[InvestigatorId],
    *,
    damage: int = 0,
    horror: int = 0,
    facedown: bool = False,
    is_inner: bool = False,
) -> bool:
    """
    Return True if the order matters in which several investigators suffer the same harm.

    It matters if too few cards are left for all (DECIDE-55), if a card text that is resolved at
    once may affect other investigators, or if an effect depends on who reaches a limit first.

    Args:
        play: the game.
        people: the investigators who suffer.
        damage: number of Damage cards for each.
        horror: number of Horror cards for each.
        facedown: True if the cards are taken facedown.
        is_inner: True if the limits of Damage and Horror are checked later (DECIDE-51).
    """
    kinds = {Harm.DAMAGE: damage, Harm.HORROR: horror}
    if _cards_matter(play, len(people), kinds, facedown=facedown):
        return True
    return not is_inner and _limits_matter(play, people, kinds)


def _cards_matter(play: Play, people: int, kinds: dict[Harm, int], *, facedown: bool) -> bool:
    return any(
        len(play.table.piles.get(deck(harm), ())) < count * people
        or (not facedown and texts_reach_others(play, harm))
        for harm, count in kinds.items()
        if count
    )


def texts_reach_others(play: Play, harm: Harm) -> bool:
    """Return True if a card of one kind has a Resolve Immediately text that may affect others."""
    return _texts_reach_others(play.content.pack, harm)


@memo()
def _texts_reach_others(pack: Pack, harm: Harm) -> bool:
    cards = [card for card in pack.harms.values() if card.harm is harm]
    return any(not _is_own(step) for card in cards for step in _steps_in(card.resolve))


def limits_matter(play: Play, people: Sequence[InvestigatorId]) -> bool:
    """
    Return True if the order matters in which investigators at a limit become Wounded or Insane.

    It matters if too few Insane Conditions are left for all of them, or if the order can change
    which triggers are resolved.
    """
    return _limits_matter(play, people, {})


def _limits_matter(play: Play, people: Sequence[InvestigatorId], kinds: dict[Harm, int]) -> bool:
    falling = [
        (who, harm) for who in people for harm in harm_cards.limits_reached(play, who, kinds)
    ]
    moments: list[Moment] = []
    for who, harm in falling:
        person = play.table.investigators[who]
        # Whoever reaches a limit again is eliminated.
        is_second = person.is_wounded if harm is Harm.DAMAGE else person.is_insane
        out = (Moment.INVESTIGATOR_ELIMINATED, Moment.FINAL_ROUND)
        moments += out if is_second else (MOMENTS_OF_LIMITS[harm],)
    # With no card left nobody gets one, and the order does not matter.
    insane = moments.count(Moment.INVESTIGATOR_INSANE)
    is_several = len({who for who, _ in falling}) > 1
    return 0 < len(play.table.piles.get(INSANE_DECK, ())) < insane or trigger_matters(
        play, moments, is_several=is_several
    )


MOMENTS_OF_LIMITS = {
    Harm.DAMAGE: Moment.INVESTIGATOR_WOUNDED,
    Harm.HORROR: Moment.INVESTIGATOR_INSANE,
}
"""Moment of becoming Wounded or Insane, by the kind of harm."""


# Two-sided Conditions ------------------------------------------------------------------------


def backs_matter(
    play: Play, condition: CardId, people: Sequence[InvestigatorId], *, is_inner: bool
) -> bool:
    """Return True if the order matters in which investigators flip a two-sided Condition."""
    card = play.content.pack.conditions.get(condition)
    # Insane has no card among the Conditions, and an effect turns none of its backs up.
    backs = () if card is None else card.backs
    return any(effect_matters(play, back.effect, people, is_inner=is_inner) for back in backs)


# Triggers ------------------------------------------------------------------------------------


def trigger_matters(
    play: Play,
    moments: Iterable[Moment],
    about: Collection[str] | None = None,
    *,
    is_several: bool = True,
) -> bool:
    """
    Return True if the order matters in which several investigators set off the triggers of moments.

    The order matters if a trigger with a text is resolved only once, or can affect others. The
    requirement of a trigger is ignored, since an effect resolved earlier may change whether it
    holds.

    Args:
        play: the game.
        moments: the moments.
        about: subjects of the moments; None for any.
        is_several: True if a moment can occur for more than one investigator.
    """
    by_moment = play.content.scenario.triggers_by_moment
    return any(
        trigger.text is not None
        and not (trigger.once and memory.number(play, name_of_trigger(number)) is not None)
        and (trigger.of is None or about is None or trigger.of in about)
        and ((trigger.once and is_several) or effect_reaches_others(play, trigger.effect))
        for moment in dict.fromkeys(moments)
        for number, trigger in by_moment[moment]
    )


def name_of_trigger(number: int) -> str:
    """Return the name under which memory records that a trigger was resolved."""
    return f"t{number}"


# Copies --------------------------------------------------------------------------------------


def is_short(play: Play, card: CardId, people: int) -> bool:
    """Return True if copies of a card are left, but too few for all who would gain one."""
    # Wounded never runs out, and Insane has a pile of its own.
    pile, supply = play.table.piles.get(INSANE_DECK, ()), play.table.supply
    # Without any copy left nobody gains one, so that the order does not matter.
    left = len(pile) if card == INSANE else supply.get(card, 0)
    return card != WOUNDED and 0 < left < people
