"""Checks of the steps of effects, beyond their types; `monsters` has those about monsters."""

from typing import Any

from content.games.second_edition.checks.registry import checks, is_nothing
from content.games.second_edition.schema import board_steps, cards, effects, monsters, scenario
from content.reading.sheet import Complaint
from protocol.games.second_edition.table import FeatureKind

_MOST_DEALT = 100
"""Maximum number of values that one step can deal from."""


@checks(effects.Suffer, effects.Negate)
def _suffer(step: effects.Suffer | effects.Negate, fault: Complaint) -> None:
    if is_nothing(step.damage) and is_nothing(step.horror):
        fault("damage", "nothing is suffered; write damage or horror")
    _within_range(step, fault)


@checks(effects.Heal)
def _heal(step: effects.Heal, fault: Complaint) -> None:
    if is_nothing(step.damage) and is_nothing(step.horror):
        fault("damage", "nothing is healed; write damage or horror")
    _within_range(step, fault)


@checks(
    *(effects.TurnFacedown, effects.TurnFaceup, effects.GainClues, effects.Become),
    effects.LookAtFacedown,
    *(effects.Recover, effects.FlipCondition, effects.ForEach, effects.GainItem, effects.GainSpell),
)
def _within_range(step: Any, fault: Complaint) -> None:
    allowed = (monsters.MonsterCard, scenario.Scenario)
    if step.who is effects.Who.WITHIN_RANGE and fault.root not in allowed:
        fault("who", "'within_range' means range of a monster; no monster is dealt with here")


@checks(effects.TurnThisFacedown, effects.DiscardThis, effects.FlipThis)
def _this_card(
    step: effects.TurnThisFacedown | effects.DiscardThis | effects.FlipThis, fault: Complaint
) -> None:
    allowed: tuple[type, ...] = (cards.HarmCard,)
    if isinstance(step, effects.DiscardThis):
        allowed = (cards.HarmCard, cards.ItemCard, cards.SpellCard, cards.ConditionCard)
    elif isinstance(step, effects.FlipThis):
        allowed = (cards.ItemCard, cards.SpellCard, cards.ConditionCard)
    if fault.root not in allowed:
        fault("value", "there is no card here that this could mean; name it or leave the step out")
    _only_true(step, fault)


@checks(effects.ChangeLimits)
def _change_limits(step: effects.ChangeLimits, fault: Complaint) -> None:
    if is_nothing(step.health) and is_nothing(step.sanity):
        fault("health", "nothing changes; write health or sanity")
    _within_range(step, fault)


@checks(board_steps.HurtPerson, board_steps.HealPerson)
def _person(step: board_steps.HurtPerson | board_steps.HealPerson, fault: Complaint) -> None:
    if is_nothing(step.amount):
        fault("amount", "that does nothing; write a number")


@checks(effects.DropRandomItem, effects.Return, effects.StopCountdown)
def _only_true(step: Any, fault: Complaint) -> None:
    if not step.value:
        fault("value", "false does nothing; leave the step out")


@checks(effects.Forfeit)
def _forfeit(step: effects.Forfeit, fault: Complaint) -> None:
    if fault.root is not monsters.MonsterCard:
        fault("", "no monster is dealt with here; this step stands in monsters.yaml only")
    _only_true(step, fault)


@checks(effects.GainClues)
def _gain_clues(step: effects.GainClues, fault: Complaint) -> None:
    if is_nothing(step.count):
        fault("count", "no clue is gained; write a count")
    _within_range(step, fault)


@checks(effects.PlaceInvestigator)
def _place_investigator(step: effects.PlaceInvestigator, fault: Complaint) -> None:
    if (step.space is None) is (step.toward is None):
        fault("space", "say where to; write space or toward, not both")
    if step.toward is not None and is_nothing(step.toward.spaces):
        fault("toward", "nobody is moved; write how many spaces")
    _within_range(step, fault)


@checks(effects.SkillTest)
def _test(step: effects.SkillTest, fault: Complaint) -> None:
    bounds = [threshold.at_least for threshold in step.thresholds]
    if step.thresholds and (step.passed or step.failed):
        fault("thresholds", "write thresholds in place of passed and failed, not beside them")
    if len(set(bounds)) < len(bounds):
        fault("thresholds", "two thresholds are alike; join them")
    if step.thresholds and (step.against is not None or step.difficulty != 1):
        fault("thresholds", "the thresholds say how much is needed; leave the difficulty out")
    if step.against is not None and step.difficulty != 1:
        fault("against", "the dice of the keeper are the difficulty; leave the other one out")
    if step.against is not None and step.hidden is not None:
        fault("against", "the keeper rolls openly; leave 'hidden' out")
    _within_range(step, fault)


@checks(effects.Count)
def _count(step: effects.Count, fault: Complaint) -> None:
    if is_nothing(step.add) and step.to is None:
        fault("add", "nothing is counted; write add or to")


@checks(effects.SetCounters)
def _set(step: effects.SetCounters, fault: Complaint) -> None:
    if not step.values:
        fault("values", "nothing is set; write 'counter: number'")


@checks(effects.Deal)
def _deal(step: effects.Deal, fault: Complaint) -> None:
    if not 1 <= step.to - step.from_ < _MOST_DEALT:
        fault("to", f"at least two numbers are dealt from, and {_MOST_DEALT} at most")


@checks(effects.PlaceFeature)
def _place_feature(step: effects.PlaceFeature, fault: Complaint) -> None:
    if step.against is not None and step.feature is not FeatureKind.BARRICADE:
        fault("against", f"{step.feature.value!r} blocks nothing; leave it out")


@checks(effects.When)
def _when(step: effects.When, fault: Complaint) -> None:
    if not step.then and not step.otherwise:
        fault("then", "nothing happens either way; write then or otherwise")


@checks(effects.Choose)
def _choose(step: effects.Choose, fault: Complaint) -> None:
    if len(step.options) < 2:
        fault("options", "a choice has at least two options")
    elif all(option.when is not None for option in step.options):
        fault("options", "one option must always be there; leave out 'when' in one of them")


@checks(effects.ForEach)
def _for_each(step: effects.ForEach, fault: Complaint) -> None:
    if not step.effect:
        fault("effect", "nothing happens for each; write an effect")
    _within_range(step, fault)


@checks(effects.OneOf)
def _one_of(step: effects.OneOf, fault: Complaint) -> None:
    if len(step.ways) < 2:
        fault("ways", "chance needs at least two effects to pick from")
