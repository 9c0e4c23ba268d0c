"""Checks of steps and requirements, beyond their types."""

from typing import Any

from content.games.first_edition.checks.registry import checks
from content.games.first_edition.schema import cards, effects, requirements, story, targets
from content.reading.mistakes import find_twins
from content.reading.sheet import Complaint
from protocol.games.first_edition.words import FeatureKind

ON_LINKS = frozenset([FeatureKind.LADDER, FeatureKind.DUCT])
"""Features that lie under the links of the board. K-DECIDE-86."""
_WITHOUT_MONSTER = (
    *(cards.MythosCard, cards.ActionCard, cards.LockCard, cards.ObstacleCard),
    *(cards.TraumaCard, story.Story),
)
"""Entries whose effects concern no particular monster."""
_IN_A_TURN = (
    *(cards.ItemCard, cards.SpellCard, cards.TraitCard, cards.MythosCard, cards.TraumaCard),
    *(cards.LockCard, cards.ObstacleCard, story.Story),
)
"""Entries whose effects can concern an investigator who has the turn."""
_ATTACKS = (cards.CombatCard, cards.ItemCard, cards.SpellCard, cards.TraitCard)
"""Entries in which an investigator may be attacking."""


@checks(effects.Suffer, effects.Heal)
def _amounts(step: effects.Suffer | effects.Heal, fault: Complaint) -> None:
    if not step.damage and not step.horror:
        fault("", "write damage or horror, or both")


@checks(effects.Move)
def _move(step: effects.Move, fault: Complaint) -> None:
    if bool(step.spaces) == (step.to is not None):
        fault("", "write either spaces, which the keeper chooses, or to")
    if step.placed and step.spaces:
        fault("placed", "who goes space by space is moved; write to, or leave it out (W-PIT-11)")
    elif step.placed and step.over_pits:
        fault("over_pits", "no pit opens for who is placed; leave it out")


@checks(effects.SkillPoints, effects.Threat, effects.Count)
def _change(step: effects.SkillPoints | effects.Threat | effects.Count, fault: Complaint) -> None:
    if not step.add:
        fault("add", "0 changes nothing")


@checks(effects.LoseItem)
def _lose_item(step: effects.LoseItem, fault: Complaint) -> None:
    if step.item is not None and (step.keyword is not None or step.count > 1):
        fault("item", "there is one such item; leave keyword and count out")


@checks(effects.SkillPoints, effects.LoseItem, effects.Gain, effects.Cure)
def _of_investigators(step: Any, fault: Complaint) -> None:
    """W-DECIDE-22, W-DECIDE-27, W-DECIDE-31: what allies neither have nor get."""
    if step.who is targets.Who.ALLIES or isinstance(step.who, targets.TheAlly):
        fault("who", "this step concerns investigators alone, no allies")


@checks(effects.Gain)
def _gain(step: effects.Gain, fault: Complaint) -> None:
    if (step.item is None) == (step.spell is None):
        fault("", "write exactly one of item and spell")


@checks(effects.Draw)
def _draw(step: effects.Draw, fault: Complaint) -> None:
    if not step.mythos and not step.trauma:
        fault("", "write how many cards of mythos or of trauma")


@checks(effects.PlaceFeature, effects.RemoveFeature)
def _feature(step: effects.PlaceFeature | effects.RemoveFeature, fault: Complaint) -> None:
    if step.kind in ON_LINKS:
        fault("kind", "ladders and ducts belong to the board; write them under links")


@checks(effects.Reveal)
def _reveal(step: effects.Reveal, fault: Complaint) -> None:
    if not step.is_so:
        fault("is_so", "a revealed objective is never hidden again (K-GOAL-4)")


@checks(effects.When)
def _when(step: effects.When, fault: Complaint) -> None:
    if not step.then and not step.otherwise:
        fault("", "nothing happens in either case; write then or otherwise")


@checks(effects.Choose)
def _choose(step: effects.Choose, fault: Complaint) -> None:
    if len(step.options) < 2:
        fault("options", "a choice has at least two options")


@checks(effects.OneOf)
def _one_of(step: effects.OneOf, fault: Complaint) -> None:
    if len(step.ways) < 2:
        fault("ways", "name at least two effects, of which one is picked")


@checks(effects.Strike)
def _strike(_: effects.Strike, fault: Complaint) -> None:
    if fault.root not in _ATTACKS:
        fault("", "nobody is attacking here; write hurt_monster")


@checks(
    *(effects.RemoveMonster, effects.HurtMonster, effects.HealMonster, effects.KillMonster),
    *(effects.StunMonster, effects.MoveMonster, effects.Attack),
)
def _which(step: Any, fault: Complaint) -> None:
    if step.which is targets.Which.THIS and fault.root in _WITHOUT_MONSTER:
        fault("which", "no monster is dealt with here; say which ones")


@checks(effects.SpecialAttack)
def _special(_: effects.SpecialAttack, fault: Complaint) -> None:
    if fault.root in _WITHOUT_MONSTER:
        fault("", "no monster is dealt with here that could attack; write attack")


@checks(effects.AnotherAction)
def _another_action(step: effects.AnotherAction, fault: Complaint) -> None:
    if fault.root not in _IN_A_TURN:
        fault("", "nobody has a turn here in which to take it (W-SPELL-3)")
    for twin in find_twins(step.types):
        fault("types", f"{twin.value} stands here twice; write it once")


@checks(requirements.AllOf, requirements.AnyOf)
def _of(made: requirements.AllOf | requirements.AnyOf, fault: Complaint) -> None:
    if not made.of:
        fault("of", "name at least one requirement, or leave this out")


@checks(requirements.Several)
def _several(made: requirements.Several, fault: Complaint) -> None:
    if made.at_least > len(made.of):
        fault("at_least", f"there are {len(made.of)} requirements: it never holds")


@checks(requirements.Counted)
def _counted(made: requirements.Counted, fault: Complaint) -> None:
    if made.at_least is None and made.at_most is None:
        fault("", "write at_least or at_most, or both")
    elif made.at_least is not None and made.at_most is not None and made.at_least > made.at_most:
        fault("at_least", f"{made.at_least} is more than at_most, {made.at_most}: it never holds")
