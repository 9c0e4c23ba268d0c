"""
Powers: the constant effects, rerolls and actions of the cards in front of an investigator.

The investigator's own ability (INVESTIGATOR-2), Items, faceup Keep Faceup cards (DAMAGE-5) and open
Conditions are public, and so are their powers. The back of an Insane Condition is known to its
owner alone (SECRET-6): its only power is to bar an action, which shows only in its owner's
questions. No other power of a back is read, so that no pool of dice, no public event and no number
of questions can reveal the back.
"""

from collections.abc import Iterator

from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    Convert,
    Modifier,
    ModifierKind,
    MoreSteps,
    Powers,
    Reroll,
    Rolls,
)
from content.games.second_edition.schema.pack import Pack
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.table import (
    CardId,
    Harm,
    Investigator,
    InvestigatorId,
    PossessionId,
    Skill,
)
from protocol.memo import memo
from protocol.values import frozen
from server.games.second_edition.rules import sides
from server.games.second_edition.rules.adjacency import Obstacle, Passing
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.requirements import holds

PRIVATE_KINDS = (
    ModifierKind.NO_TRADE,
    ModifierKind.NO_ATTACK,
    ModifierKind.NO_INTERACT,
    ModifierKind.NO_SEARCH,
)
"""Powers of an Insane back that apply while the investigator has it."""


@frozen
class Origin:
    """An open card in front of an investigator, or the investigator's own ability."""

    source: str
    """Id of the card; for the investigator's own ability, the investigator's id."""
    possession: PossessionId | None = None
    is_back: bool = False
    """True for the back of a two-sided Item or Spell."""
    condition: CardId | None = None
    """Front of the Condition; None if the card is no Condition."""
    harm: Harm | None = None
    handle: str | None = None
    """Handle of the faceup Damage or Horror card; None for other cards."""


@frozen
class Power:
    """Everything that one card grants its owner."""

    origin: Origin
    powers: Powers


@frozen
class Rerolling:
    """Reroll that a card grants."""

    origin: Origin
    reroll: Reroll


@frozen
class Help:
    """Use of a card in a test or a puzzle attempt, other than a reroll."""

    origin: Origin
    terms: Convert | MoreSteps


@frozen
class Component:
    """A component action that an investigator has. Rules COMPONENT-1 and COMPONENT-2."""

    origin: Origin
    action: ComponentAction
    refused: Text | None = None
    """Reason why the action cannot be performed now; None if it can."""


def held(play: Play, investigator: InvestigatorId) -> tuple[Power, ...]:
    """Return the powers of an investigator's own ability and open cards, empty ones too."""
    return _held(play.content.pack, play.table.investigators[investigator])


# Each menu asks for it a dozen times. The table replaces an investigator with each change of cards,
# so that their identity is a safe key.
@memo(most=128)
def _held(pack: Pack, who: Investigator) -> tuple[Power, ...]:
    investigator = who.investigator_id
    found = [Power(Origin(investigator), pack.investigators[investigator].ability)]
    found += [
        Power(
            Origin(side.id, possession=has.possession_id, is_back=has.turned_to is not None),
            side.powers,
        )
        for has in who.possessions
        for side in (sides.side(pack, has),)
    ]
    for harm in Harm:
        for card in who.faceup_cards(harm):
            if (keep := pack.harms[card.card].keep) is not None:
                found.append(Power(Origin(card.card, harm=harm, handle=card.handle), keep))
    found += [
        Power(Origin(up.id, condition=has.card), up.powers)
        for has in who.conditions
        if (up := sides.side_of_condition(pack, has)) is not None
    ]
    return tuple(found)


def modifiers(play: Play, investigator: InvestigatorId) -> tuple[Modifier, ...]:
    """Return the constant effects that an investigator's open cards have on them."""
    return _modifiers(held(play, investigator))


@memo(most=128)
def _modifiers(found: tuple[Power, ...]) -> tuple[Modifier, ...]:
    return tuple([m for power in found for m in power.powers.modifiers])


def _total(play: Play, investigator: InvestigatorId, kind: ModifierKind) -> int:
    return sum(m.amount for m in modifiers(play, investigator) if m.kind is kind)


def dice(play: Play, investigator: InvestigatorId, skill: Skill) -> int:
    """Return the number of dice that cards add to a test, below 0 if they remove some. TEST-5."""
    return _total_of(play, investigator, ModifierKind.DICE, skill)


def puzzle_steps(play: Play, investigator: InvestigatorId, skill: Skill) -> int:
    """Return the steps that cards add to an attempt, below 0 if they remove some. PUZZLE-3."""
    return _total_of(play, investigator, ModifierKind.PUZZLE_STEPS, skill)


def _total_of(play: Play, investigator: InvestigatorId, kind: ModifierKind, skill: Skill) -> int:
    return sum(
        m.amount
        for m in modifiers(play, investigator)
        if m.kind is kind and m.skill in {None, skill}
    )


def spaces(play: Play, investigator: InvestigatorId) -> int:
    """
    Return the spaces that cards add to a move action, below 0 if they remove some.

    MOVE-1, GOLDEN-1.
    """
    return _total(play, investigator, ModifierKind.SPACES)


_PASSES = {
    # MOVE-8: what goes through walls is stopped by no Barricade either.
    ModifierKind.THROUGH_WALLS: (Obstacle.WALL, Obstacle.BARRICADE),
    ModifierKind.ACROSS_IMPASSABLE: (Obstacle.IMPASSABLE,),
    ModifierKind.THROUGH_UNEXPLORED: (Obstacle.UNEXPLORED,),
}


def passing(play: Play, investigator: InvestigatorId) -> Passing:
    """Return the obstacles that an investigator can ignore by cards. Rules MOVE-6 to MOVE-9."""
    return _passing(modifiers(play, investigator))


@memo(most=128)
def _passing(found: tuple[Modifier, ...]) -> Passing:
    kinds = [modifier.kind for modifier in found]
    return tuple(
        obstacle for kind, passed in _PASSES.items() if kind in kinds for obstacle in passed
    )


def trades_clues(play: Play, investigator: InvestigatorId) -> bool:
    """Return True if a card lets an investigator give Clues in a trade. Rule CLUE-3."""
    return any(m.kind is ModifierKind.TRADE_CLUES for m in modifiers(play, investigator))


def weapon_damage(play: Play, investigator: InvestigatorId, weapon: Attack | None) -> int:
    """
    Return the damage of an attack: the weapon's, if there is one, plus that of cards; at least 0.

    Rule ITEM-3.
    """
    value = 0 if weapon is None else weapon.damage
    return max(0, value + _total(play, investigator, ModifierKind.WEAPON_DAMAGE))


def reason_barred(play: Play, investigator: InvestigatorId, kind: ModifierKind) -> Text | None:
    """
    Return the reason why an investigator cannot perform an action; None if they can. Rule GOLDEN-3.

    The reason may name an Insane back: show it to the owner's seat only.
    """
    source = _sources(held(play, investigator)).get(kind)
    if source is not None:
        return Text("refusal/barred", (source,))
    if kind in PRIVATE_KINDS:
        return _barred_by_back(play, investigator, kind)
    return None


@memo(most=128)
def _sources(found: tuple[Power, ...]) -> dict[ModifierKind, str]:
    """Return, for each kind of modifier, the id of the first card that has such a modifier."""
    sources: dict[ModifierKind, str] = {}
    for power in found:
        for modifier in power.powers.modifiers:
            sources.setdefault(modifier.kind, power.origin.source)
    return sources


def _barred_by_back(play: Play, investigator: InvestigatorId, kind: ModifierKind) -> Text | None:
    """Return the refusal if the Insane back bars an action, else None. SECRET-6, INSANE-7."""
    for condition in play.table.investigators[investigator].conditions:
        back = condition.back
        # An empty one stands where no copy was left (DECIDE-61).
        if back is not None and back.value:
            changes = play.content.pack.insane[back.value].powers.modifiers
            if any(m.kind is kind for m in changes):
                return Text("refusal/barred", (back.value,))
    return None


def _is_fresh(play: Play, investigator: InvestigatorId, power: Power) -> bool:
    """
    Return True if a power is still unused this round. DECIDE-29.

    A possession counts as used even if another investigator used it, except in games before version
    3.
    """
    if play.version > 2 and power.origin.possession is not None:
        people, mark = play.table.investigators.values(), use_mark(play, power.origin)
        return not any(mark in who.used for who in people)
    # `used` lists a card once for each use, and each copy can be used once.
    source = power.origin.source
    copies = sum(other.origin.source == source for other in held(play, investigator))
    return play.table.investigators[investigator].used.count(source) < copies


def use_mark(play: Play, origin: Origin) -> str:
    """
    Return the mark that records the use of a power in this round. Rule DECIDE-29.

    A possession stays used when it changes hands, so its mark is its id. Its back has other effects
    (ITEM-4), and so a separate mark. Before version 3 the mark was the card: after a trade the new
    owner could use the same possession again.
    """
    if origin.possession is None or play.version < 3:
        return origin.source
    return f"{origin.possession}/{origin.source}" if origin.is_back else origin.possession


def rerolls(play: Play, investigator: InvestigatorId, skill: Skill) -> tuple[Rerolling, ...]:
    """Return the rerolls that an investigator can use in a test of a skill. Rule TEST-8."""
    return tuple(found for found, is_good in _rerolls(play, investigator, skill) if is_good)


def used_rerolls(play: Play, investigator: InvestigatorId, skill: Skill) -> tuple[Rerolling, ...]:
    """Return the rerolls for a test of a skill that are used up for this round. Rule DECIDE-29."""
    return tuple(found for found, is_good in _rerolls(play, investigator, skill) if not is_good)


def _rerolls(
    play: Play, investigator: InvestigatorId, skill: Skill
) -> Iterator[tuple[Rerolling, bool]]:
    """Yield every reroll for a skill, each with True if it can still be used this round."""
    for power in held(play, investigator):
        reroll = power.powers.reroll
        if reroll is None or reroll.rolls is Rolls.BARRICADES:
            continue
        if reroll.skill in {None, skill}:
            yield Rerolling(power.origin, reroll), _is_usable(play, investigator, power, reroll)


def barricade_rerolls(play: Play, investigator: InvestigatorId) -> tuple[Rerolling, ...]:
    """Return the rerolls for a monster's roll against a Barricade. Rule BARRICADE-14."""
    return tuple(
        Rerolling(power.origin, reroll)
        for power in held(play, investigator)
        if (reroll := power.powers.reroll) is not None
        and reroll.rolls is not Rolls.TESTS
        and _is_usable(play, investigator, power, reroll)
    )


def _is_usable(play: Play, investigator: InvestigatorId, power: Power, reroll: Reroll) -> bool:
    return not reroll.once_per_round or _is_fresh(play, investigator, power)


def conversions(play: Play, investigator: InvestigatorId, skill: Skill) -> tuple[Help, ...]:
    """Return the cards that can convert dice in a test of a skill. Rules TEST-8 and DECIDE-29."""
    return tuple(
        Help(power.origin, terms)
        for power in held(play, investigator)
        if (terms := power.powers.convert) is not None
        and _can_help(play, investigator, power, terms, skill)
    )


def more_steps(play: Play, investigator: InvestigatorId, skill: Skill) -> tuple[Help, ...]:
    """Return the cards that can add steps to an attempt by a skill. PUZZLE-3 and DECIDE-29."""
    return tuple(
        Help(power.origin, terms)
        for power in held(play, investigator)
        if (terms := power.powers.more_steps) is not None
        and _can_help(play, investigator, power, terms, skill)
    )


def points_at(origin: Origin, investigator: InvestigatorId) -> tuple[Point, ...]:
    """
    Return the point at which clients offer the use of a card.

    It is the possession, the harm card, or else the investigator.
    """
    if origin.possession is not None:
        return (Point("possession", origin.possession),)
    if origin.handle is not None:
        return (Point("card", origin.handle),)
    return (Point("investigator", investigator),)


def _can_help(
    play: Play,
    investigator: InvestigatorId,
    power: Power,
    terms: Convert | MoreSteps,
    skill: Skill,
) -> bool:
    """Return True if a card, on these terms, can be used now in a test of this skill."""
    is_good = not terms.once_per_round or _is_fresh(play, investigator, power)
    return is_good and terms.skill in {None, skill}


def component_actions(play: Play, investigator: InvestigatorId) -> list[Component]:
    """Return the component actions of an investigator's own cards. COMPONENT-2, COMPONENT-4."""
    return [
        Component(power.origin, action, _refusal(play, investigator, power, action))
        for power in held(play, investigator)
        if (action := power.powers.action) is not None
    ]


def _refusal(
    play: Play, investigator: InvestigatorId, power: Power, action: ComponentAction
) -> Text | None:
    if action.once_per_round and not _is_fresh(play, investigator, power):
        return Text("refusal/used_this_round", (power.origin.source,))
    if action.requires is not None and not holds(play, action.requires, investigator):
        return Text("refusal/requirement")
    return None
