"""
Requirements: conditions that the content asks for, evaluated on the table.

A requirement about an investigator fails if no investigator is given. No requirement reads an
Insane back, so that the results reveal nothing secret.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from content.games.second_edition.schema import requirements as asked
from content.games.second_edition.schema.requirements import Requirement
from protocol.games.second_edition.table import Harm, InvestigatorId, Monster, MonsterId, SpaceId
from server.games.second_edition.rules import (
    counters,
    figures,
    happenings,
    nearness,
    sides,
    timers,
)
from server.games.second_edition.rules.expressions import View, compare, value
from server.games.second_edition.rules.play import Outcome, Play, Source

R = TypeVar("R", bound=Requirement)
_Answer = Callable[[Any, View], bool]
_ANSWERS: dict[type, _Answer] = {}


def _answers(kind: type[R]) -> Callable[[Callable[[R, View], bool]], Callable[[R, View], bool]]:
    def declare(answer: Callable[[R, View], bool]) -> Callable[[R, View], bool]:
        _ANSWERS[kind] = answer
        return answer

    return declare


def holds(play: Play, requirement: Requirement, investigator: InvestigatorId | None) -> bool:
    """
    Return True if a requirement holds now, outside an effect, with no test result.

    Args:
        play: the game.
        requirement: the requirement.
        investigator: the investigator concerned, if any.
    """
    return _holds(requirement, View(play, investigator))


def holds_for(
    play: Play, requirement: Requirement | None, source: Source, so_far: Outcome | None = None
) -> bool:
    """
    Return True if a requirement holds within an effect; an omitted requirement always holds.

    Args:
        play: the game.
        requirement: the requirement, if any.
        source: the source of the effect.
        so_far: the outcome of the effect so far.
    """
    successes = 0 if so_far is None else so_far.successes
    return requirement is None or _holds(requirement, View(play, source.actor, successes, source))


def _holds(requirement: Requirement, view: View) -> bool:
    return _ANSWERS[type(requirement)](requirement, view)


def answered() -> tuple[type, ...]:
    """Return every type of requirement that this module evaluates."""
    return tuple(_ANSWERS)


def has_trait(play: Play, investigator: InvestigatorId, trait: str) -> bool:
    """Return True if an open card of an investigator has a trait. Rules TRAIT-1 and TRAIT-3."""
    pack, who = play.content.pack, play.table.investigators[investigator]
    traits = [
        *(sides.side(play.content.pack, has).traits for has in who.possessions),
        *(pack.harms[card.card].traits for harm in Harm for card in who.faceup_cards(harm)),
        *(
            up.traits
            for condition in who.conditions
            if (up := sides.side_of_condition(play.content.pack, condition)) is not None
        ),
    ]
    return any(trait in of_card for of_card in traits)


@_answers(asked.AllOf)
def _all(requirement: asked.AllOf, view: View) -> bool:
    return all(_holds(part, view) for part in requirement.of)


@_answers(asked.AnyOf)
def _any(requirement: asked.AnyOf, view: View) -> bool:
    return any(_holds(part, view) for part in requirement.of)


@_answers(asked.Not)
def _not(requirement: asked.Not, view: View) -> bool:
    return not _holds(requirement.of, view)


@_answers(asked.Comparison)
def _comparison(requirement: asked.Comparison, view: View) -> bool:
    left, right = value(requirement.left, view), value(requirement.right, view)
    return compare(left, requirement.relation, right)


@_answers(asked.Round)
def _round(requirement: asked.Round, view: View) -> bool:
    return requirement.at_least <= view.play.table.round_number <= requirement.at_most


@_answers(asked.CounterWithin)
def _counter(requirement: asked.CounterWithin, view: View) -> bool:
    stands_at = counters.value(view.play, requirement.name, view.investigator)
    return requirement.at_least <= stands_at <= requirement.at_most


@_answers(asked.Investigators)
def _investigators(requirement: asked.Investigators, view: View) -> bool:
    """Return True if the number of investigators at the start is within bounds. DECIDE-150."""
    return requirement.at_least <= len(view.play.table.investigators) <= requirement.at_most


@_answers(asked.HasItem)
def _has_item(requirement: asked.HasItem, view: View) -> bool:
    return view.investigator is not None and _has(view.play, view.investigator, requirement.item)


@_answers(asked.AnyoneHasItem)
def _anyone_has_item(requirement: asked.AnyoneHasItem, view: View) -> bool:
    standing = view.play.table.standing()
    return any(_has(view.play, somebody, requirement.item) for somebody in standing)


def _has(play: Play, investigator: InvestigatorId, item: str) -> bool:
    return any(p.card == item for p in play.table.investigators[investigator].possessions)


@_answers(asked.HasTrait)
def _has_trait(requirement: asked.HasTrait, view: View) -> bool:
    who = view.investigator
    return who is not None and has_trait(view.play, who, requirement.trait)


@_answers(asked.AnyoneHasTrait)
def _anyone_has_trait(requirement: asked.AnyoneHasTrait, view: View) -> bool:
    standing = view.play.table.standing()
    return any(has_trait(view.play, somebody, requirement.trait) for somebody in standing)


@_answers(asked.HasSpell)
def _has_spell(requirement: asked.HasSpell, view: View) -> bool:
    if view.investigator is None:
        return False
    spells = view.play.content.pack.spells
    has = [p.card for p in view.play.table.investigators[view.investigator].possessions]
    return requirement.spell in has or (
        requirement.spell == "true" and any(card in spells for card in has)
    )


@_answers(asked.HasCondition)
def _has_condition(requirement: asked.HasCondition, view: View) -> bool:
    """Return True if an investigator has a Condition with this front; a back may be secret."""
    who = view.investigator
    return who is not None and any(
        has.card == requirement.condition for has in view.play.table.investigators[who].conditions
    )


@_answers(asked.Is)
def _is(requirement: asked.Is, view: View) -> bool:
    return view.investigator == requirement.investigator


@_answers(asked.InPlay)
def _in_play(requirement: asked.InPlay, view: View) -> bool:
    return requirement.investigator in view.play.table.investigators


@_answers(asked.Standing)
def _standing(requirement: asked.Standing, view: View) -> bool:
    return requirement.investigator in view.play.table.standing()


@_answers(asked.HasClues)
def _has_clues(requirement: asked.HasClues, view: View) -> bool:
    who = view.investigator
    return who is not None and view.play.table.investigators[who].clues >= requirement.count


@_answers(asked.IsWounded)
def _is_wounded(requirement: asked.IsWounded, view: View) -> bool:
    who = view.investigator
    return who is not None and (view.play.table.investigators[who].is_wounded is requirement.value)


@_answers(asked.IsInsane)
def _is_insane(requirement: asked.IsInsane, view: View) -> bool:
    who = view.investigator
    return who is not None and view.play.table.investigators[who].is_insane is requirement.value


@_answers(asked.IsEliminated)
def _is_eliminated(requirement: asked.IsEliminated, view: View) -> bool:
    who = view.investigator
    return who is not None and (
        view.play.table.investigators[who].is_eliminated is requirement.value
    )


@_answers(asked.InRoom)
def _in_room(requirement: asked.InRoom, view: View) -> bool:
    return _room_of(view.play, _space_of(view)) == requirement.room


def _space_of(view: View) -> SpaceId | None:
    who = view.play.table.investigators.get(view.investigator or "")
    return None if who is None else who.space


def _room_of(play: Play, space: SpaceId | None) -> str | None:
    return None if space is None else play.table.map.rooms.get(space)


@_answers(asked.InSpace)
def _in_space(requirement: asked.InSpace, view: View) -> bool:
    return _space_of(view) == requirement.space


@_answers(asked.Within)
def _within(requirement: asked.Within, view: View) -> bool:
    """
    Return True if a space is within some spaces of something.

    Spaces are counted along ways open to figures on foot. Rules NEAREST-1 and DECIDE-101.
    """
    return nearness.within(
        view.play,
        _space_of(view),
        requirement.spaces,
        requirement.of,
        view.investigator,
        _monster_of(view),
    )


@_answers(asked.AdjacentTo)
def _adjacent_to(requirement: asked.AdjacentTo, view: View) -> bool:
    """
    Return True if a space is adjacent to something, even behind a wall.

    Rules ADJACENT-1 and ADJACENT-4.
    """
    return nearness.adjacent(
        view.play, _space_of(view), requirement.of, view.investigator, _monster_of(view)
    )


def _monster_of(view: View) -> MonsterId | None:
    return None if view.source is None else view.source.monster


@_answers(asked.AnyoneIn)
def _anyone_in(requirement: asked.AnyoneIn, view: View) -> bool:
    table = view.play.table
    spaces = [table.investigators[somebody].space for somebody in table.standing()]
    return any(_room_of(view.play, space) == requirement.room for space in spaces)


@_answers(asked.WithOthers)
def _with_others(requirement: asked.WithOthers, view: View) -> bool:
    table, here = view.play.table, _space_of(view)
    others = [who for who in table.standing() if who != view.investigator]
    is_with = here is not None and any(table.investigators[who].space == here for who in others)
    return view.investigator is not None and is_with is requirement.value


@_answers(asked.MonsterHere)
def _monster_here(requirement: asked.MonsterHere, view: View) -> bool:
    here = _space_of(view)
    return here is not None and any(
        monster.space == here and requirement.kind in {"true", monster.kind}
        for monster in view.play.table.monsters.values()
    )


@_answers(asked.TokenOnBoard)
def _token(requirement: asked.TokenOnBoard, view: View) -> bool:
    return requirement.token in view.play.table.tokens


@_answers(asked.FeatureOnBoard)
def _feature(requirement: asked.FeatureOnBoard, view: View) -> bool:
    table = view.play.table
    if requirement.at == "anywhere":
        return bool(table.spaces_with(requirement.feature))
    if requirement.at != "actor":
        return table.has_feature(requirement.feature, requirement.at)
    return table.has_feature(requirement.feature, _space_of(view))


@_answers(asked.RoomIsOpen)
def _room_is_open(requirement: asked.RoomIsOpen, view: View) -> bool:
    return requirement.room in view.play.table.map.rooms.values()


@_answers(asked.RoomTrait)
def _room_trait(requirement: asked.RoomTrait, view: View) -> bool:
    is_open = set(view.play.table.map.rooms.values())
    rooms = view.play.content.scenario.rooms
    return any(requirement.trait in room.traits for room in rooms if room.id in is_open)


@_answers(asked.Solved)
def _solved(requirement: asked.Solved, view: View) -> bool:
    puzzle = view.play.table.puzzles.get(requirement.puzzle)
    return puzzle is not None and puzzle.is_solved


@_answers(asked.Monsters)
def _monsters(requirement: asked.Monsters, view: View) -> bool:
    monsters = view.play.table.monsters.values()
    count = sum(_matches(view, requirement, monster) for monster in monsters)
    return requirement.at_least <= count <= requirement.at_most


def _matches(view: View, requirement: asked.Monsters, monster: Monster) -> bool:
    """Return True if a monster has the kind, trait, name and place that a requirement asks for."""
    play, near = view.play, requirement.within
    from_here = (view.investigator, _monster_of(view))
    traits = play.content.pack.monsters[monster.kind].traits
    return (
        requirement.kind in {None, monster.kind}
        and (requirement.trait is None or requirement.trait in traits)
        and (requirement.room is None or _room_of(play, monster.space) == requirement.room)
        and (
            requirement.named is None or figures.find(play, requirement.named) == monster.monster_id
        )
        and (near is None or nearness.within(play, monster.space, near.spaces, near.of, *from_here))
        and (
            requirement.adjacent_to is None
            or nearness.adjacent(play, monster.space, requirement.adjacent_to, *from_here)
        )
    )


@_answers(asked.Enabled)
def _enabled(requirement: asked.Enabled, view: View) -> bool:
    """Return True if a product is in use; the game's pack lists only such products. Rule APP-18."""
    return requirement.product in view.play.content.pack.products


@_answers(asked.Happened)
def _happened(requirement: asked.Happened, view: View) -> bool:
    return happenings.times(view.play, requirement.event) >= requirement.at_least


@_answers(asked.TimerLeft)
def _timer(requirement: asked.TimerLeft, view: View) -> bool:
    left = timers.left(view.play, requirement.name)
    return requirement.at_least <= left <= requirement.at_most


@_answers(asked.FinalRound)
def _final_round(requirement: asked.FinalRound, view: View) -> bool:
    last = view.play.table.countdown
    is_last = last is not None and view.play.table.round_number >= last
    return is_last is requirement.value


@_answers(asked.IsWon)
def _is_won(requirement: asked.IsWon, view: View) -> bool:
    """
    Return True if the game ended with the result that the requirement asks for.

    Before the end the result is False; `endings.known` replaces such requirements.
    """
    ending = view.play.table.ending
    return ending is not None and ending.is_won is requirement.value
