"""The pack of the tutorial: clean, in both languages, short, and nobody's for certain."""

from collections import Counter
from typing import Final

import pytest

from content.plugs import packs
from content.reading.words import LANGUAGES
from server.authoring import playing, simulation
from server.authoring.bot_brains import BotBrains
from server.authoring.simulation import Played
from tests.games.first_edition.house import tutorial, tutorial_files

pytestmark = pytest.mark.issue(40)

SCENARIO: Final = "tutorial/short-night"
GAMES: Final = 6
ROUNDS: Final = 8
MINUTES: Final = 15
"""Maximum of the estimated minutes for people in the longest game."""


def test_it_has_nothing_to_mend() -> None:
    told = [str(one) for one in packs.remarks("tutorial", tutorial_files())]

    assert len(told) == 1
    assert "the last one reveals it" in told[0]


def test_it_speaks_both_languages() -> None:
    english, french = (tutorial().catalogs[language] for language in LANGUAGES)
    own = [subject for subject in english if "short-night" in subject]
    same = [one for one in own if english[one].get("text", "") == french[one].get("text", "?")]

    assert len(own) > 10
    assert same == []


def test_it_is_for_one_against_one() -> None:
    story = tutorial().scenarios[SCENARIO]

    assert story.most_investigators == 1
    assert (len(story.clues), len(story.events), len(story.locks)) == (2, 2, 1)
    assert len(tutorial().puzzles_of(story)) == 1


@pytest.fixture(scope="module")
def games() -> list[Played]:
    """Return games of sensible bots."""
    trial = playing.trial_of(tutorial(), SCENARIO)
    return [simulation.play(trial, seed, 2, BotBrains("sensible")) for seed in range(GAMES)]


@pytest.mark.long
def test_it_is_over_in_eight_rounds_and_either_side_can_win(games: list[Played]) -> None:
    assert [game.fault for game in games if game.fault] == []
    assert all(game.rounds <= ROUNDS for game in games)
    assert all(game.minutes <= MINUTES for game in games)
    assert set(Counter(game.winners for game in games)) == {("keeper",), ("investigator",)}
