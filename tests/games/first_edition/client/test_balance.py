"""Balance of the stories among bots, over as many games as `docs/balance.md` tells of."""

from collections import Counter
from collections.abc import Sequence

import pytest

from content.plugs.kind import kind_of
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, RULESET
from server.authoring import playing, report
from server.authoring.balance import is_balanced
from server.authoring.bot_brains import BotBrains
from server.authoring.playing import Order
from server.authoring.simulation import Played
from server.packs import sources
from tests.games.first_edition.house import manor

pytestmark = [pytest.mark.issue(40), pytest.mark.long]

STORIES = list(manor().scenarios)
PLAYERS = (2, 3, 4, 5)
"""Numbers of players; with two, the only investigator is alone."""
GAMES, EACH = 400, 200
"""Games against bots at random; games of sensible bots for each number of players."""


def games_of(story: str, bots: BotBrains, games: int) -> Sequence[Played]:
    order = Order(sources.find("manor"), story, games, PLAYERS, bots, 1, 2)
    played, is_whole = playing.run(order, playing.trial_of(manor(), story))
    assert is_whole
    assert not [one.fault for one in played if one.fault]
    return played


def share(played: Sequence[Played], side: str) -> float:
    return sum(side in one.winners for one in played) / len(played)


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize(("side", "least"), [(INVESTIGATOR, 0.85), (KEEPER, 0.90)])
def test_a_sensible_side_beats_bots_at_random(story: str, side: str, least: float) -> None:
    bots = BotBrains("random", {side: "sensible"})

    assert share(games_of(story, bots, GAMES), side) >= least


@pytest.mark.parametrize("story", STORIES)
def test_sensible_sides_are_a_match_for_each_other(story: str) -> None:
    """
    Each side wins 35 to 65 % with each number of players, and 25 to 75 % with each objective.

    The keeper uses every keeper action, and four of five mythos cards.
    """
    trial = playing.trial_of(manor(), story)
    played = games_of(story, BotBrains(), EACH * len(PLAYERS))

    found = report.report(story, "sensible", trial.marked.everything, played)
    assert is_balanced(found, kind_of(RULESET).bounds), found.parties
    for plot in found.plots:
        for side, won in plot.wins.items():
            assert 0.25 <= won / plot.games <= 0.75, (plot.name, side)
    assert len(found.plots) == len(manor().scenarios[story].objectives)
    unused = Counter(mark.kind for mark in found.never)
    assert not unused["keeper action"]
    assert unused["mythos card"] <= len(manor().scenarios[story].mythos) / 5
