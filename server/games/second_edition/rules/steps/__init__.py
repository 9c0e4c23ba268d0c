"""The steps of effects: one module for each theme, one resolver for each step."""

from server.games.second_edition.rules.steps import (
    board,
    cards,
    choices,
    features,
    flow,
    harm,
    monsters,
    skills,
    story,
    turns,
)

__all__ = [
    "board",
    "cards",
    "choices",
    "features",
    "flow",
    "harm",
    "monsters",
    "skills",
    "story",
    "turns",
]
