"""
Outcomes: what a card or an ability does first, in numbers, for the words of its choice.

The numbers are those of the moment, before icons, tokens and what is used in the test.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from content.games.cards.schema import steps as s
from content.games.cards.schema.kinds import Deed, Stat
from content.games.cards.schema.targets import TheCard
from protocol.common.text import Text
from protocol.games.cards.words import Skill, Token
from server.games.cards.rules import values
from server.games.cards.rules.play import Play, Source, Use, ability_at


def way(play: Play, effect: Sequence[s.Step], source: Source) -> Text | None:
    """Return the words of the first step that has any; None if no step has."""
    found = (WAYS[type(one)](play, one, source) for one in effect if type(one) in WAYS)
    return next((text for text in found if text is not None), None)


def to_use(play: Play, use: Use, subject: str = "choice/use_to") -> Text:
    """Return the words for using an ability, with what it does where that can be said."""
    # A Fast asset is played, not used.
    effect = () if use.ability < 0 else ability_at(play, use.code, use.ability).effect
    found = way(play, effect, use.source())
    plain = use.text(play)
    if found is None or plain.subject == "choice/use_for_harm":
        return plain
    if plain.subject == "choice/use_nth":
        return Text("choice/use_nth_to", (*plain.params, found))
    return Text(subject, (use.code, found))


def _fight(play: Play, step: s.Fight, source: Source) -> Text:
    value = _value(play, step, step.skill or Skill.COMBAT, Deed.FIGHT, source)
    more = values.number(play, step.damage, source) + values.bonus(play, source.you, Deed.FIGHT)
    return Text("way/fight", (value, 1 + more))


def _evade(play: Play, step: s.Evade, source: Source) -> Text | None:
    if step.automatic:
        return None
    value = _value(play, step, step.skill or Skill.AGILITY, Deed.EVADE, source)
    return Text("way/evade", (value,))


def _investigate(play: Play, step: s.Investigate, source: Source) -> Text | None:
    place = play.table.cards.get(play.table.here(source.you))
    if place is None or step.instead:
        return None
    value = _value(play, step, step.skill or Skill.INTELLECT, Deed.INVESTIGATE, source)
    more = values.number(play, step.clues, source)
    clues = 1 + more + values.bonus(play, source.you, Deed.INVESTIGATE)
    return Text("way/investigate", (value, values.stat(play, place, Stat.SHROUD) or 0, clues))


def _value(
    play: Play, step: s.Fight | s.Evade | s.Investigate, skill: Skill, deed: Deed, source: Source
) -> int:
    base = -1 if step.base is None else step.base
    worth = values.skill(play, source.you, skill, deed, base=base)
    return worth + values.number(play, step.plus, source)


def _test(play: Play, step: s.Test, source: Source) -> Text:
    """A test is worth what its success does, if that has words."""
    value = values.skill(play, source.you, step.skill)
    against = values.number(play, step.difficulty, source)
    inside = way(play, step.success, source)
    numbers = (f"skill/{step.skill.value}", value, against)
    if inside is None:
        return Text("way/test", numbers)
    return Text("way/test_to", (*numbers, inside))


def _heal(play: Play, step: s.Heal, source: Source) -> Text | None:
    damage, horror = (values.number(play, one, source) for one in (step.damage, step.horror))
    kind = "harm" if damage and horror else "damage" if damage else "horror"
    return Text(f"way/heal_{kind}", tuple(one for one in (damage, horror) if one))


def _doom(play: Play, step: s.Put, source: Source) -> Text | None:
    number = values.number(play, step.number, source)
    is_less = step.token == Token.DOOM.value and number < 0
    return Text("way/doom", (-number,)) if is_less else None


def _gain(subject: str) -> Callable[[Play, Any, Source], Text | None]:
    """Return the words of a step with a number, if it is no loss."""

    def said(play: Play, step: Any, source: Source) -> Text | None:
        number = values.number(play, step.number, source)
        return Text(subject, (number,)) if number > 0 else None

    return said


def _rid(play: Play, step: s.Discard, source: Source) -> Text | None:
    del play, source
    return Text("way/rid") if step.card is TheCard.THIS else None


WAYS: Mapping[type[s.Step], Callable[[Play, Any, Source], Text | None]] = {
    s.Fight: _fight,
    s.Evade: _evade,
    s.Investigate: _investigate,
    s.Test: _test,
    s.Heal: _heal,
    s.Put: _doom,
    s.Discard: _rid,
    s.Resources: _gain("way/resources"),
    s.Draw: _gain("way/draw"),
    s.Discover: _gain("way/clues"),
    s.Damage: _gain("way/damage"),
    s.Actions: _gain("way/actions"),
    s.Move: lambda *_: Text("way/move"),
    s.Resign: lambda *_: Text("way/resign"),
    s.Resolution: lambda *_: Text("way/end"),
}
"""Words of a step by its kind; a kind that is not here has none."""
