"""Coverage: which parts of the vocabulary came up in games, out of all that exist.

A step comes up as it is resolved, a cost as it is paid, a condition with each of its answers, a
modifier as it is given, and an occurrence as an ability or a delayed effect that answers it is
carried out.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest import mock

from content.games.cards.schema.modifiers import Modifier
from content.games.cards.schema.occurrences import Happening
from content.reading.parts import kinds_of
from server.games.cards.rules import answers, conditions, costs, effects, values

Tally = Counter[str]
"""Number of times that each thing came up: `step Draw`, `condition Is True` and so on."""


def expected() -> set[str]:
    """Return everything of the vocabulary that can come up."""
    return {
        *(f"step {kind.__name__}" for kind in effects.STEPS.known),
        *(f"cost {kind.__name__}" for kind in costs._PAY),
        *(f"condition {kind.__name__} {so}" for kind in conditions._KINDS for so in (True, False)),
        *(f"modifier {kind.__name__}" for kind in kinds_of(Modifier)),
        *(f"occurrence {happening.value}" for happening in Happening),
    }


@contextlib.contextmanager
def noting(tally: Tally) -> Iterator[None]:
    """Count what comes up inside the context."""
    steps: dict[type, Any] = effects.STEPS.known
    with (
        mock.patch.dict(steps, {kind: _step(tally, kind, one) for kind, one in steps.items()}),
        mock.patch.dict(
            costs._PAY, {kind: _cost(tally, kind, one) for kind, one in costs._PAY.items()}
        ),
        mock.patch.dict(
            conditions._KINDS,
            {kind: _condition(tally, kind, one) for kind, one in conditions._KINDS.items()},
        ),
        mock.patch.object(values, "_unfolded", _unfolded(tally, values._unfolded)),
        mock.patch.object(answers, "carry_out", _ability(tally, answers.carry_out)),
        mock.patch.object(answers, "carry_out_delayed", _delayed(tally, answers.carry_out_delayed)),
    ):
        yield


def _step(tally: Tally, kind: type, known: Any) -> Any:
    async def resolver(run: Any, step: Any) -> Any:
        tally[f"step {kind.__name__}"] += 1
        return await known.function(run, step)

    return type(known)(resolver, known.by_actor)


def _cost(tally: Tally, kind: type, pay: Any) -> Any:
    async def noted(*arguments: Any) -> Any:
        is_paid = await pay(*arguments)
        tally[f"cost {kind.__name__}"] += is_paid is not False
        return is_paid

    return noted


def _condition(tally: Tally, kind: type, holds: Any) -> Any:
    def noted(*arguments: Any) -> bool:
        so: bool = holds(*arguments)
        tally[f"condition {kind.__name__} {so}"] += 1
        return so

    return noted


def _unfolded(tally: Tally, unfolded: Any) -> Any:
    def noted(play: Any, gives: Any, source: Any) -> Iterator[Any]:
        tally.update(f"modifier {type(one).__name__}" for one in gives)
        yield from unfolded(play, gives, source)

    return noted


def _ability(tally: Tally, carry_out: Any) -> Any:
    async def noted(play: Any, use: Any) -> None:
        if use.occurrence is not None:
            tally[f"occurrence {use.occurrence.kind.value}"] += 1
        await carry_out(play, use)

    return noted


def _delayed(tally: Tally, carry_out: Any) -> Any:
    async def noted(play: Any, effect: Any, one: Any) -> None:
        tally[f"occurrence {one.kind.value}"] += 1
        await carry_out(play, effect, one)

    return noted
