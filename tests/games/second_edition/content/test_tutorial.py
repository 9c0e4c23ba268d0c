"""Tutorial pack: clean, complete in both languages, and playable in any way."""

from collections import Counter
from importlib import resources
from typing import Final

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.loader import load_pack
from content.games.second_edition.marks import Marked, mark
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from content.plugs.kind import Mark
from content.reading.words import LANGUAGES
from server.authoring import simulation
from server.authoring.bot_brains import BotBrains
from server.authoring.simulation import Played, Trial

SCENARIO: Final = "tutorial/practice-house"
GAMES: Final = 6
MOST_ROUNDS: Final = 8
MINUTES: Final = 25
"""Maximum of the estimated minutes for people in the longest game, with bots that go astray."""
EPILOGUES: Final = {"practice/epilogue-won", "practice/epilogue-late"}
ONCE: Final = (
    "a-round",
    "the-house-has-its-turn",
    "damage-told",
    "horror-told",
    "second-round",
    "somebody-insane",
)
"""Ids of the triggers that explain a part of the game."""


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(resources.files("content") / "packs" / "second_edition" / "tutorial")


@pytest.fixture(scope="module")
def scenario(pack: Pack) -> Scenario:
    (only,) = pack.scenarios.values()
    assert only.id == SCENARIO
    return only


@pytest.fixture(scope="module")
def marked(pack: Pack, scenario: Scenario) -> Marked:
    """Return the scenario with a counter on every part."""
    return mark(pack, scenario)


def test_the_tutorial_pack_leaves_nothing_unused(pack: Pack) -> None:
    assert [str(finding) for finding in lint(pack)] == []


def test_it_speaks_both_languages(pack: Pack) -> None:
    english, french = pack.catalogs["en"], pack.catalogs["fr"]
    same = [
        subject
        for subject, words in english.items()
        if len(words.get("text", "").split()) > 5 and words["text"] == french[subject]["text"]
    ]

    assert tuple(pack.catalogs) == LANGUAGES
    assert same == []


def test_it_is_for_one_who_leads_two(pack: Pack, scenario: Scenario) -> None:
    """A solo player has nothing to choose before the game."""
    assert (scenario.minimum_players, scenario.maximum_players) == (1, 1)
    assert len(pack.investigators) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_explanation_is_long(pack: Pack, language: str) -> None:
    """Each explanation fits the journal of a small terminal."""
    words = {
        subject: len(entry["text"].split())
        for subject, entry in pack.catalogs[language].items()
        if subject.startswith("practice/") and "epilogue" not in subject
    }

    assert {subject: count for subject, count in words.items() if count > 75} == {}


@pytest.fixture(scope="module", params=["random", "sensible"])
def games(marked: Marked, request: pytest.FixtureRequest) -> list[Played]:
    """Return many games played by one kind of bot."""
    return [
        simulation.play(
            Trial(marked.content.pack, SCENARIO, marked), seed, 1, BotBrains(request.param)
        )
        for seed in range(GAMES)
    ]


def test_it_ends_in_a_few_rounds_however_it_is_played(games: list[Played]) -> None:
    """Bots that ignore the instructions do not win."""
    told = [Counter({n: game.seen.get(Mark("trigger", n), 0) for n in ONCE}) for game in games]

    assert [game.fault for game in games if game.fault] == []
    assert all(game.rounds <= MOST_ROUNDS for game in games)
    assert all(bool(game.winners) == (game.epilogue == "practice/epilogue-won") for game in games)
    assert {game.epilogue for game in games} <= EPILOGUES
    assert max(game.minutes for game in games) <= MINUTES
    assert [counts for counts in told if set(counts.values()) != {1}] == []
