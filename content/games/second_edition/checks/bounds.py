"""The bounds of the whole numbers in a pack."""

from collections.abc import Mapping

from content.games.second_edition.schema import (
    cards,
    counters,
    decks,
    effects,
    monsters,
    puzzles,
    requirements,
    scenario,
    shared,
    timers,
)

DEFAULT_BOUNDS = (0, 99)
"""Of whole numbers that have no bounds of their own."""

_SKILL = (2, 5)  # rule SKILL-2
_PLAYERS = (1, 5)  # rule SETUP-1
_ONE_UP = (1, 99)
_MODIFIER = (-9, 9)
_COUNTED = (-1000, 1000)

INT_BOUNDS: Mapping[tuple[type, str], tuple[int, int]] = {
    **{
        (cards.InvestigatorCard, skill): _SKILL
        for skill in ("strength", "agility", "observation", "lore", "influence", "will")
    },
    (cards.InvestigatorCard, "health"): (1, 20),
    (cards.InvestigatorCard, "sanity"): (1, 20),
    (cards.Modifier, "amount"): _MODIFIER,
    (cards.Reroll, "dice"): _ONE_UP,
    (cards.Convert, "dice"): _ONE_UP,
    (cards.MoreSteps, "steps"): _ONE_UP,
    (cards.ItemCard, "copies"): _ONE_UP,
    (cards.SpellBack, "copies"): _ONE_UP,
    (cards.ConditionBack, "copies"): _ONE_UP,
    (cards.HarmCard, "copies"): _ONE_UP,
    (cards.ConditionCard, "copies"): _ONE_UP,
    (cards.InsaneBack, "copies"): _ONE_UP,
    (cards.InsaneBack, "minimum_players"): _PLAYERS,
    (monsters.MonsterCard, "copies"): _ONE_UP,
    (monsters.Ability, "barricade_dice"): _MODIFIER,
    # Evading, horror and pushing add these to a test: they may be below zero.
    (monsters.MonsterCard, "awareness"): _MODIFIER,
    (monsters.MonsterCard, "horror_rating"): _MODIFIER,
    (monsters.MonsterCard, "brawn"): _MODIFIER,
    (effects.SkillTest, "modifier"): _MODIFIER,
    (effects.Negate, "modifier"): _MODIFIER,
    (effects.SkillTest, "against"): _ONE_UP,
    (effects.TurnFacedown, "count"): _ONE_UP,
    (effects.TurnFaceup, "count"): _ONE_UP,
    (effects.SpendClues, "count"): _ONE_UP,
    (effects.LoseActions, "count"): _ONE_UP,
    (effects.MayMove, "spaces"): _ONE_UP,
    (effects.MoveAway, "spaces"): _ONE_UP,
    (effects.Count, "add"): _COUNTED,
    (effects.Count, "to"): _COUNTED,
    (effects.SetCounters, "values"): _COUNTED,
    **{(counters.Counter, bound): _COUNTED for bound in ("first", "least", "most")},
    (scenario.Trigger, "at_least"): (-1_000_000, 1_000_000),
    (scenario.Trigger, "at_most"): (-1_000_000, 1_000_000),
    (requirements.CounterWithin, "at_least"): (-1_000_000, 1_000_000),
    (requirements.CounterWithin, "at_most"): (-1_000_000, 1_000_000),
    (requirements.HasClues, "count"): _ONE_UP,
    (requirements.Happened, "at_least"): _ONE_UP,
    (requirements.TimerLeft, "at_least"): (0, 1_000_000),
    (requirements.TimerLeft, "at_most"): (0, 1_000_000),
    (effects.Way, "weight"): _ONE_UP,
    (effects.Deal, "from_"): _COUNTED,
    (effects.Deal, "to"): _COUNTED,
    (decks.DeckCard, "weight"): _ONE_UP,
    (timers.Timer, "rounds"): _ONE_UP,
    (timers.Timer, "turns"): _ONE_UP,
    **{
        (asked, bound): (0, 1_000_000)
        for asked in (requirements.Round, requirements.Investigators, requirements.Monsters)
        for bound in ("at_least", "at_most")
    },
    (scenario.Scenario, "minutes"): (1, 600),
    (scenario.Scenario, "difficulty"): _PLAYERS,
    (scenario.Scenario, "events_each_round"): (1, 9),
    (scenario.Scenario, "minimum_players"): _PLAYERS,
    (scenario.Scenario, "maximum_players"): _PLAYERS,
    (scenario.MythosEvent, "weight"): (1, 9),
    (shared.SharedEvent, "weight"): (1, 9),
    (shared.SharedEvents, "weight"): (1, 9),
    (scenario.Tile, "row"): (0, 999),
    (scenario.Tile, "column"): (0, 999),
    # CODE-1: a code is made of at least three pieces.
    (puzzles.Code, "length"): (3, 9),
    (puzzles.Slide, "rows"): (1, 6),
    (puzzles.Slide, "columns"): (1, 6),
    (puzzles.Slide, "least"): _ONE_UP,
    **{
        (puzzles.Lock, side): (puzzles.LEAST_GRID, puzzles.MOST_GRID)
        for side in ("rows", "columns")
    },
    # With one step there is nothing in the way.
    (puzzles.Lock, "steps"): (2, 99),
}
"""The least and the greatest number that a field may hold."""
