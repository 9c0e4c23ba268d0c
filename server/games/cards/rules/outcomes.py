"""
Outcomes: what a card or an ability does first, in numbers, for the words of its choice.

The numbers are those of the moment, before icons, tokens and what is used in the test.
"""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from content.games.cards.schema import steps as s
from content.games.cards.schema.cards import Ability, Does, PlayerCard
from content.games.cards.schema.costs import (
    ActionsCost,
    CluesCost,
    GroupCluesCost,
    HarmCost,
    ResourcesCost,
    UsesCost,
)
from content.games.cards.schema.kinds import SAFE_DEEDS, Deed, Stat
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.targets import Each, TheCard
from protocol.common.text import Text
from protocol.games.cards.table import InvestigatorId
from protocol.games.cards.words import Skill, Token
from server.games.cards.rules import costs, effects, enemies, locations, playing, targets, values
from server.games.cards.rules.play import Play, Source, Use, ability_at

VAIN = "vain"
"""Group of choices that gain nothing: in a test those that do not raise the chance."""
PROVOKES = "provokes"
"""Group of choices that spend an action while an enemy would attack for it. C-BAOO-1."""
SLIGHT = "slight"
"""Group of choices that cost something, or use up a card, and are not known to gain much."""
MUCH = 10
"""Percent by which the chance of a test rises at least for a choice that gains much."""
COUNTED = frozenset(["way/fight", "way/evade", "way/investigate", "way/test", "way/test_to"])
"""Outcomes whose numbers the sentence of a card does not tell."""
OF_HARM = (Happening.HARM_ASSIGNED, Happening.HARM_PLACED, Happening.HEALED)
"""Occurrences of harm, of which several can be told apart by their cards alone."""


def way(play: Play, effect: Sequence[s.Step], source: Source) -> Text | None:
    """
    Return the words of all steps that have any; None if no step has.

    They say so if there is more that they do not tell, lest anybody take them for all of it.
    """
    found = [WAYS[type(one)](play, one, source) for one in effect if type(one) in WAYS]
    told = [text for text in found if text is not None]
    if not told:
        return None
    words = functools.reduce(lambda said, one: Text("way/and", (said, one)), told)
    return words if len(told) == len(effect) else Text("way/more", (words,))


def group_of(play: Play, use: Use) -> str:
    """
    Return the group under which a use is offered: vain if it would change nothing.

    What is free by itself may provoke attacks by an action that it costs besides. C-BAOO-9.
    """
    if use.ability < 0:
        return ""
    ability, source = ability_at(play, use.code, use.ability), use.source()
    if not use.handle and ability.does is not Does.ACTION and provokes(play, use.you, ability.deed):
        paid = costs.of_ability(play, ability, source)
        if any(isinstance(cost, ActionsCost) for cost, _ in paid):
            return PROVOKES
    return VAIN if is_vain(play, ability.effect, source) else ""


def provokes(play: Play, who: InvestigatorId, deeds: Collection[Deed]) -> bool:
    """Return whether an enemy would attack if an action is spent on this. C-BAOO-1, C-BAOO-8."""
    return SAFE_DEEDS.isdisjoint(deeds) and bool(enemies.attackers_of(play, who))


def group_by_cost(play: Play, use: Use) -> str:
    """Return the group of a use in a window: slight unless it is free of any cost."""
    is_free = not use.handle and not ability_at(play, use.code, use.ability).cost
    return "" if is_free else SLIGHT


def is_vain(play: Play, effect: Sequence[s.Step], source: Source) -> bool:
    """Return whether an effect is for nothing: tests whose success would change nothing."""
    return bool(effect) and all(
        isinstance(step, s.Test)
        and step.success
        and not effects.can_change(play, step.success, source)
        for step in effect
    )


def to_use(play: Play, use: Use, *, turn_of: InvestigatorId = "") -> Text:
    """
    Return the words for using an ability, or for playing a card as one: what it does, at what cost.

    What can be said in numbers is. The sentence of the card stands where nothing can, where the
    card has several abilities of the kind, and for what costs something, actions apart: their list
    is long.

    Args:
        play: the game.
        use: the ability, or the card in hand.
        turn_of: whose turn it is, if the question offers actions as well, which this is not; a seat
            with several investigators reads which other one uses the card.
    """
    beside_actions = bool(turn_of)
    name = named(play, use)
    if beside_actions and use.you != turn_of:
        name = Text("about/used_by", (name, use.you))
    if use.handle:
        return _to_play(play, use, name, beside_actions=beside_actions)
    ability = ability_at(play, use.code, use.ability)
    found = way(play, ability.effect, use.source())
    prices = _prices(play, ability, use.source())
    harm = any(isinstance(one, HarmCost) for one in ability.cost)
    if prices and (harm or (found is not None and ability.does is Does.ACTION)):
        does = sentence(use) if found is None else found
        return Text("choice/use_for", (name, _joined(prices), does))
    if found is None:
        return Text("choice/use_nth", (name, sentence(use)))
    alike = [one for one in play.content.faces[use.code].abilities if one.does is ability.does]
    if len(alike) > 1 or prices is None or (prices and ability.does is not Does.ACTION):
        has_numbers = _first(found).subject in COUNTED
        subject = "choice/use_nth_to" if has_numbers else "choice/use_nth_for"
        return Text(subject, (name, sentence(use), found))
    return Text("choice/use_free" if beside_actions else "choice/use_to", (name, found))


def _first(words: Text) -> Text:
    """Return the words of the first step in those of several."""
    while words.subject in ("way/and", "way/more"):
        assert isinstance(words.params[0], Text)
        words = words.params[0]
    return words


def _prices(play: Play, ability: Ability, source: Source) -> list[Text] | None:
    """Return all that an ability costs, beside one action; None if its sentence alone tells it."""
    more = sum(one.number for one in ability.cost if isinstance(one, ActionsCost))
    actions = more + ability.actions if ability.does is Does.ACTION else more
    prices = [Text("price/actions", (actions,))] if actions > 1 or more else []
    for cost in ability.cost:
        if isinstance(cost, ResourcesCost):
            prices.append(Text("price/resources", (values.number(play, cost.number, source),)))
        elif isinstance(cost, CluesCost | GroupCluesCost):
            prices.append(Text("price/clues", (values.number(play, cost.number, source),)))
        elif isinstance(cost, UsesCost):
            number = values.number(play, cost.number, source)
            prices.append(Text("price/uses", (number, f"token/{cost.kind}")))
        elif isinstance(cost, HarmCost) and not cost.on_this:
            kinds = (("damage", cost.damage), ("horror", cost.horror))
            prices += [Text(f"price/{kind}", (number,)) for kind, number in kinds if number]
        elif not isinstance(cost, ActionsCost):
            return None
    return prices


def _joined(prices: Sequence[Text]) -> Text:
    *firsts, last = prices
    if not firsts:
        return last
    listed = functools.reduce(lambda said, one: Text("price/listed", (said, one)), firsts)
    return Text("price/and", (listed, last))


def _to_play(play: Play, use: Use, name: str | Text, *, beside_actions: bool) -> Text:
    """Return the words for playing a card without an action: its cost, and what an event does."""
    face = play.content.faces[use.code]
    assert isinstance(face, PlayerCard)
    said = (name, playing.cost_of(play, use.you, face) or 0)
    if use.ability < 0:
        return Text("choice/play_fast" if beside_actions else "choice/play_for", said)
    ability = face.abilities[use.ability]
    found = None if ability.cost else way(play, ability.effect, use.source())
    does = sentence(use) if found is None else found
    return Text("choice/play_free" if beside_actions else "choice/play_to", (*said, does))


def named(play: Play, use: Use) -> str | Text:
    """Return the name of the card that is used, with what or whom it answers, if not its "you"."""
    one = use.occurrence
    if one is None:
        return use.code
    if one.kind in OF_HARM and one.card == use.piece:
        return use.code
    hurt = play.table.cards.get(one.card) if one.kind in OF_HARM else None
    on = one.code or one.who
    if hurt is not None and not one.code:
        on = hurt.shown
    return use.code if on in ("", use.you) else Text("about/on", (use.code, on))


def sentence(use: Use) -> Text:
    """Return what the card says about the ability."""
    return Text(use.code, (), f"ability.{use.ability}")


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
    found = min(clues, place.count(Token.CLUE))
    return Text("way/investigate", (value, values.stat(play, place, Stat.SHROUD) or 0, found))


def _value(
    play: Play, step: s.Fight | s.Evade | s.Investigate, skill: Skill, deed: Deed, source: Source
) -> int:
    base = -1 if step.base is None else step.base
    worth = values.skill(play, source.you, skill, deed, base=base, before_test=True)
    return worth + values.number(play, step.plus, source)


def _test(play: Play, step: s.Test, source: Source) -> Text:
    """A test is worth what its success does, if that has words."""
    value = values.skill(play, source.you, step.skill, before_test=True)
    against = values.number(play, step.difficulty, source)
    inside = way(play, step.success, source)
    numbers = (f"skill/{step.skill.value}", value, against)
    if inside is None:
        return Text("way/test", numbers)
    return Text("way/test_to", (*numbers, inside))


def _heal(play: Play, step: s.Heal, source: Source) -> Text | None:
    if not effects.could(play, step, source):
        return Text("way/heal_nothing")
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


def _discover(play: Play, step: s.Discover, source: Source) -> Text | None:
    """No more clues than there are; where one is chosen, than the location with most has."""
    number = values.number(play, step.number, source)
    pieces = targets.meant(play, step.at, source)
    counts = [min(number, play.table.cards[piece].count(Token.CLUE)) for piece in pieces]
    found = sum(counts) if isinstance(step.at, Each) else max(counts, default=0)
    return Text("way/clues", (found,)) if found > 0 else None


def _move(play: Play, step: s.Move, source: Source) -> Text:
    """Name the only location to move to, or tell how many there are."""
    who = targets.people_now(play, step.who, source)
    places = [
        place
        for place in targets.meant(play, step.to, source)
        if any(locations.can_move(play, one, place) for one in who)
    ]
    if len(places) == 1:
        return Text("way/move_to", (play.table.cards[places[0]].shown,))
    return Text("way/move_among", (len(places),)) if places else Text("way/move")


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
    s.Discover: _discover,
    s.Damage: _gain("way/damage"),
    s.Actions: _gain("way/actions"),
    s.Move: _move,
    s.Resign: lambda *_: Text("way/resign"),
    s.Resolution: lambda *_: Text("way/end"),
}
"""Words of a step by its kind; a kind that is not here has none."""
