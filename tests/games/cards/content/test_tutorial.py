"""The pack of the tutorial: clean, in both languages, short, and winnable or not."""

from typing import Final

import pytest

from content.plugs import packs
from content.reading.files import read_files, shipped
from content.reading.words import LANGUAGES
from protocol.games.cards.words import RULESET
from server.authoring import playing, simulation
from server.authoring.bot_brains import BotBrains
from tests.games.cards.client.test_tutorial import tutorial

pytestmark = pytest.mark.issue(42)

SCENARIO: Final = "tutorial/low-light"
GAMES: Final = 6
MINUTES: Final = 15
"""Maximum of the estimated minutes for people in the longest game."""


def test_it_has_nothing_to_mend() -> None:
    files = read_files(shipped(RULESET) / "tutorial")

    assert [str(one) for one in packs.remarks("tutorial", files)] == []


def test_it_speaks_both_languages() -> None:
    english, french = (tutorial().catalogs[language] for language in LANGUAGES)
    same = [
        subject
        for subject, words in english.items()
        for field in ("text", "flavour", "back", "intro")
        if words.get(field) and words[field] == french[subject].get(field)
    ]

    assert len(english) > 40
    assert same == []


def test_it_is_for_one() -> None:
    scenario, deck = tutorial().scenarios[SCENARIO], tutorial().decks["deck/nell"]

    assert (scenario.most, len(tutorial().investigators)) == (1, 1)
    icons = {one: tutorial().players[one].icons for one in deck.cards}
    fitting = sum(n for one, n in deck.cards.items() if {"intellect", "wild"} & {*icons[one]})
    # More than there are others: any hand of five has one that can be committed.
    assert sum(deck.cards.values()) - fitting < 5


def test_bots_end_it_in_time() -> None:
    trial = playing.trial_of(tutorial(), SCENARIO)
    games = [simulation.play(trial, seed, 1, BotBrains("sensible")) for seed in range(GAMES)]

    assert [game.fault for game in games if game.fault] == []
    assert all(game.minutes <= MINUTES for game in games)
    assert sum(bool(game.winners) for game in games) >= GAMES / 2
