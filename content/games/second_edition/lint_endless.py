"""The linter's chapter on options of tokens that give something each time, at no price."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from content.games.second_edition.schema import (
    board_steps,
    effects,
    monster_steps,
    requirements,
)
from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.scenario import Moment, Scenario, TokenCard, TokenOption
from content.language.findings import Finding
from content.language.reach import Reached
from content.language.walk import parts_in
from content.reading import formulas

_Names = frozenset[str]
_NO_NAMES: _Names = frozenset()

_GAINS: dict[type, str] = {
    effects.GainClues: "Clues",
    effects.Heal: "healing",
    effects.GainRandomItem: "Items",
    effects.GainActions: "actions",
}
"""Steps that give something however often they are resolved. Copies of a named card run out."""
_PRICES = (
    *(effects.Suffer, effects.Negate, effects.SpendClues, effects.LoseItem),
    *(effects.DropRandomItem, effects.LoseActions, effects.Forfeit, effects.Spawn),
    *(effects.PlaceFeature, effects.TurnFaceup, board_steps.HurtPerson, monster_steps.Activate),
)
"""Steps that cost the investigators something, or put them in danger."""
_ENDINGS = (
    *(effects.Count, effects.Deal, effects.PlaceTile, effects.ClearBoard, effects.End),
    *(effects.Draw, effects.StartTimer, board_steps.RemoveTile),
)
"""Steps that move the story on each time."""
_MOST = 500
"""The linter gives up on an option with more ways through its effect."""


@attrs.frozen
class _Path:
    """
    One way through an effect, by choices and requirements, on which nothing has to be paid.

    All outcomes of chance count as if they happened: an effect that may take a price is not free,
    and an effect that may end the option ends it.
    """

    guards: _Names = _NO_NAMES
    """The names that the requirements on the way ask about."""
    gains: _Names = _NO_NAMES
    changes: _Names = _NO_NAMES
    """The names of counters, tokens and others that the steps change."""
    is_there: bool | None = None
    """Whether the steps leave the token on the board; None if they neither remove nor place it."""

    def then(self, other: "_Path") -> "_Path":
        return _Path(
            self.guards | other.guards,
            self.gains | other.gains,
            self.changes | other.changes,
            self.is_there if other.is_there is None else other.is_there,
        )


_Paths = frozenset[_Path]
_NONE: _Paths = frozenset()
_EMPTY: _Paths = frozenset([_Path()])


class _TooMany(Exception):
    """An effect has more ways than the linter follows."""


def endless_findings(scenario: Scenario, reached: Reached) -> Iterator[Finding]:
    """
    Yield findings for options that give something each time, at no price and without an end.

    An end is a change that a requirement on the way asks about, such as a counter set once, or the
    removal of the token, unless the token is placed again. The triggers that follow each use count.
    """
    for token in scenario.tokens:
        if not reached.has(Kind.TOKEN, token.id):
            continue
        for option in token.options:
            if gifts := _gifts(scenario, token, option):
                what = " and ".join(sorted(gifts))
                reason = f"{option.text} gives {what} each time, at no price and without an end"
                yield Finding(scenario.id, token.id, reason)


def _gifts(scenario: Scenario, token: TokenCard, option: TokenOption) -> _Names:
    """Return the names of things that an option gives each time, for nothing and without an end."""
    # Using the token is itself an event that a requirement can ask about.
    used = _Path(_asked(option.when) | _asked(option.requires), changes=frozenset([token.id]))
    ways = _Ways(scenario, token.id)
    try:
        paths = ways.after_use(ways.through(option.effect))
    except _TooMany:
        return _NO_NAMES
    whole = (used.then(path) for path in paths if path.is_there is not False)
    return _NO_NAMES.union(*(path.gains for path in whole if not path.changes & path.guards))


def _asked(requirement: Requirement | None) -> _Names:
    """Return the names that a requirement asks about."""
    found = set()
    for part in parts_in(requirement):
        match part:
            case requirements.CounterWithin(name=name) | formulas.Variable(name=name):
                found.add(name)
            case requirements.HasItem(item=name) | requirements.AnyoneHasItem(item=name):
                found.add(name)
            case requirements.HasCondition(condition=name) | requirements.TokenOnBoard(token=name):
                found.add(name)
            case requirements.Happened(event=name) | requirements.Solved(puzzle=name):
                found.add(name)
            case _:
                pass
    return frozenset(found)


@attrs.frozen
class _Ways:
    """Finds the ways through the effects of one token."""

    scenario: Scenario
    token: str
    calling: tuple[str, ...] = ()
    """The named effects that are being followed."""

    def through(self, *results: Effect) -> _Paths:
        """Return the ways through effects that follow one another, or are outcomes of chance."""
        paths = _EMPTY
        for effect in results:
            for step in effect:
                if isinstance(step, effects.Return) or not paths:
                    break
                paths = _joined(paths, self._of_step(step))
        return paths

    def after_use(self, paths: _Paths) -> _Paths:
        """Return the ways through an option, each with the triggers of the token's use."""
        for _, trigger in self.scenario.triggers_by_moment[Moment.TOKEN_USED]:
            # What happens once gives nothing for ever, and ends nothing.
            if trigger.once or trigger.of not in {None, self.token}:
                continue
            marked = _Path(changes=frozenset([trigger.id] if trigger.id else []))
            ways = frozenset(
                marked.then(path) for path in self._one_of([(trigger.when, trigger.effect)])
            )
            # Where its requirement does not hold, nothing follows.
            idle = _NONE if trigger.when is None else frozenset([_Path(_asked(trigger.when))])
            paths = _joined(paths, ways | idle)
        return paths

    def _of_step(self, step: Any) -> _Paths:
        match step:
            case effects.When():
                return self._one_of([(step.holds, step.then), (step.holds, step.otherwise)])
            case effects.Choose():
                return self._one_of([(choice.when, choice.effect) for choice in step.options])
            case effects.ForEach():
                return self.through(step.effect)
            case effects.SkillTest():
                return self.through(step.passed, step.failed, *(t.effect for t in step.thresholds))
            case effects.OneOf():
                return self.through(*(way.effect for way in step.ways))
            case effects.Attempt():
                # A solved puzzle stays solved.
                return self.through(step.unsolved)
            case effects.Call() if step.effect not in self.calling:
                inner = attrs.evolve(self, calling=(*self.calling, step.effect))
                called = _Path(changes=frozenset([step.effect]))
                paths = inner.through(self.scenario.effects[step.effect])
                return frozenset(called.then(path) for path in paths)
            case effects.RemoveToken() | effects.PlaceToken() if step.token == self.token:
                is_there = isinstance(step, effects.PlaceToken)
                return frozenset([_Path(changes=_changed(step), is_there=is_there)])
            case _ if isinstance(step, (*_PRICES, *_ENDINGS)):
                return _NONE
            case _:
                gain = _GAINS.get(type(step))
                gains = frozenset([gain] if gain else [])
                return frozenset([_Path(gains=gains, changes=_changed(step))])

    def _one_of(self, branches: Sequence[tuple[Requirement | None, Effect]]) -> _Paths:
        """Return the ways through effects of which a choice or a requirement selects one."""
        return frozenset(
            _Path(_asked(holds)).then(path)
            for holds, effect in branches
            for path in self.through(effect)
        )


def _joined(paths: _Paths, following: _Paths) -> _Paths:
    """Return every combination of a way with a following way. Raise _TooMany if these are many."""
    joined = frozenset(one.then(two) for one, two in itertools.product(paths, following))
    if len(joined) > _MOST:
        raise _TooMany
    return joined


def _changed(step: Any) -> _Names:
    match step:
        case effects.SetCounters():
            return frozenset(step.values)
        case effects.PlaceToken() | effects.RemoveToken() | board_steps.MoveToken():
            return frozenset([step.token])
        case effects.GainItem():
            return frozenset([step.item])
        case effects.Become() | effects.Recover():
            return frozenset([step.condition])
        case _:
            return _NO_NAMES
