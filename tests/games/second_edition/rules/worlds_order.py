"""Worlds for simultaneous effects: three investigators and triggers with public texts."""

from typing import Any

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.scenario import Moment, Trigger
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, CORA, RAT, world

ANOTHER, USUAL = "choice/another_order", "choice/usual_order"
THREE = {ADA: "house/a", BEN: "house/a", CORA: "house/b"}
EVERYBODY = (ADA, BEN, CORA)
BACKWARDS = ("cora", "ben", "ada")
RATS = steps.Spawn(kind=RAT, at="house/b")
CLUE = steps.GainClues()


def asked(bench: Bench) -> int:
    """Return how often the order of effects was asked for."""
    return sum(ask.rule == "CONFLICT-2" for ask in bench.asked)


def trigger(
    on: Moment, *effect: Any, text: str | None = "text/seen", name: str = "t", **parts: Any
) -> Trigger:
    """Return a trigger with a public text; by default it gives its actor a Clue."""
    said = (steps.Say(f"text/{name}"), *(effect or (CLUE,)))
    return Trigger(name, on, said, text=text, **parts)


def three(*come: Trigger, at: Any = None, **parts: Any) -> Bench:
    """Return three investigators in the house, in a scenario with these triggers."""
    scenario_parts = {"triggers": come, **parts.pop("scenario_parts", {})}
    return world(at=at or THREE, scenario_parts=scenario_parts, **parts)
