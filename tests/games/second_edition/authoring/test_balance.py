"""Tests of the balance page: how often each scenario is won."""

import math
import re
from pathlib import Path

import pytest

from content.plugs.kind import Mark, kind_of
from server.authoring.balance import is_balanced, page
from server.authoring.report import Party, Report, Spread
from tests.games.second_edition.simulate import core

PAGE = Path(__file__).parents[4] / "docs" / "balance.md"
CORE = core()
BOUNDS = kind_of(CORE.game).bounds
SOME = Spread(1, 2, 3)


def party(players: int, won: int) -> Party:
    """Return a hundred games with the given number of wins."""
    endings = {"x/won": won, "x/lost": 100 - won}
    return Party(players, 100, {"investigator": won}, 100 - won, SOME, SOME, SOME, SOME, endings)


def found(*parties: Party, never: tuple[Mark, ...] = ()) -> Report:
    return Report(next(iter(CORE.scenarios)), "sensible", parties, never, (), ())


@pytest.mark.parametrize(
    ("players", "won", "is_well"),
    [
        (3, 34, False),
        (3, 35, True),
        (3, 85, True),
        (3, 86, False),
        (1, 9, False),
        (1, 10, True),
        (5, 95, True),
        (5, 96, False),
    ],
)
def test_a_scenario_is_won_neither_too_seldom_nor_too_often(
    players: int, won: int, is_well: bool
) -> None:
    """With two to four players the bounds are narrower than with one or five."""
    assert is_balanced(found(party(2, 60), party(players, won)), BOUNDS) is is_well


def test_the_page_tells_rates_endings_and_what_never_came() -> None:
    never = (Mark("token", "token/attic"), Mark("token", "token/loft"), Mark("event", "owl"))
    reports = [found(party(1, 20), party(2, 60), never=never)]

    text = "\n".join(page(CORE, reports, BOUNDS, "manse content balance core"))

    assert "$ manse content balance core" in text
    assert PAGE.read_text("utf-8").split("\n## ")[0].splitlines()[-2] in text
    assert "| 2 | 100 | 60 % |" in text
    assert "| `x/lost` | 120 |\n| `x/won` | 80 |" in text
    assert "token: `token/attic`, `token/loft`; event: `owl`" in text


def test_the_page_of_the_core_pack_is_about_its_scenarios() -> None:
    text = PAGE.read_text("utf-8").split("\n## The card game\n", maxsplit=1)[0]
    told = re.findall(r"^`(core/[a-z-]+)`$", text, re.MULTILINE)
    rates = re.findall(r"^\| (\d) \| (\d+) \| (\d+) % \|", text, re.MULTILINE)

    assert told == list(CORE.scenarios)
    assert len(rates) == 5 * len(told)
    for players, games, rate in rates:
        bounds = BOUNDS[0] if int(players) in BOUNDS[0].players else BOUNDS[1]
        below, above = (chance_error(one, int(games)) for one in (bounds.least, bounds.most))
        assert bounds.least - below <= int(rate) <= bounds.most + above, (players, rate)


def chance_error(percent: int, games: int) -> float:
    """Return the one-sided 95 % sampling error of a win rate, in percentage points."""
    return 1.645 * math.sqrt(percent * (100 - percent) / games)
