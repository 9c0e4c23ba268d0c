"""Random games of the outing: all of the outdoors comes up, and no game stops."""

import functools

import pytest

from server.authoring import playing, simulation
from server.authoring.bot_brains import BotBrains
from server.authoring.simulation import Played
from tests.games.first_edition.outing_pack import BY_THE_LAKE, TURNED_ROUND, outing
from tests.kit.every_run import first

pytestmark = pytest.mark.issue(41)

STORIES = (BY_THE_LAKE, TURNED_ROUND)
PLAYERS = (2, 3, 5)
"""Numbers of players; with two, the only investigator player leads two investigators."""
GAMES = 12

COUNTED = frozenset(
    [
        *("keeper action", "event", "clue", "action of the story", "mythos card"),
        *("story card of an ally", "card of the story"),
    ]
)
"""Kinds of parts of which each has to come up."""


@functools.cache
def played(story: str) -> tuple[Played, ...]:
    trial = playing.trial_of(outing(), story)
    return tuple(
        simulation.play(trial, seed, PLAYERS[seed % len(PLAYERS)], BotBrains("random"))
        for seed in range(GAMES)
    )


@pytest.mark.parametrize("story", first(1, STORIES))
def test_every_random_game_comes_to_an_end(story: str) -> None:
    assert [game.fault for game in played(story) if game.fault] == []


@pytest.mark.parametrize("story", STORIES)
def test_each_of_its_cards_comes_up_in_some_game(story: str) -> None:
    """What never came up would be tested by nothing here."""
    parts = playing.trial_of(outing(), story).marked.everything
    seen = {mark for game in played(story) for mark in game.seen}

    assert [mark for mark in parts if mark.kind in COUNTED and mark not in seen] == []
