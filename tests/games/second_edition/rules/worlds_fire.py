"""Worlds with Fire or Darkness."""

from typing import Any

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.games.second_edition.events import ActionForfeited, HarmTaken
from protocol.games.second_edition.table import FeatureKind, Harm, TokenKind
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, ROW, entry, monster_card, tile, world
from tests.games.second_edition.rules.worlds_effects import LAMP, facedown_count, faceup, resolve

FIRE, DARKNESS = FeatureKind.FIRE, FeatureKind.DARKNESS
HOLDER = monster_card(evades=(entry(steps.Forfeit()),))
"""A monster that nobody gets past."""


def search(*effect: Any, at: str = "house/a") -> TokenCard:
    """Return a Search token with one option that has this effect."""
    return TokenCard("token/desk", TokenKind.SEARCH, at, (TokenOption("text/search", effect),))


def row(*, burning: str = "", dark: str = "", **parts: Any) -> Bench:
    """Return five spaces in a row, joined by borders, some with Fire or Darkness."""
    at = {"at": {ADA: "house/a"}, "tiles": [tile(ROW)], "items": [LAMP]}
    bench = world(**{**at, **parts})
    return laid(bench, burning=burning, dark=dark)


def laid(bench: Bench, *, burning: str = "", dark: str = "") -> Bench:
    """Lay Fire and Darkness into the spaces with these letters."""
    for kind, letters in ((FIRE, burning), (DARKNESS, dark)):
        for letter in letters:
            resolve(bench, steps.PlaceFeature(kind, f"house/{letter}"))
    return bench


def burning(bench: Bench) -> str:
    """Return the letters of the burning spaces."""
    return "".join(space[-1] for space in bench.game_table.spaces_with(FIRE))


def damage(bench: Bench, investigator: str = ADA) -> int:
    """Return the Damage of an investigator, asserting that all is facedown."""
    assert faceup(bench, Harm.DAMAGE, investigator) == []
    return facedown_count(bench, Harm.DAMAGE, investigator)


def harms(bench: Bench) -> int:
    """Return how many Damage and Horror cards were ever taken."""
    return len(bench.happened(HarmTaken))


def forfeits(bench: Bench) -> int:
    """Return how many actions were forfeited."""
    return len(bench.happened(ActionForfeited))


def pair(**parts: Any) -> Bench:
    """Return the row with Ada in a and Ben in b."""
    return row(at={ADA: "house/a", BEN: "house/b"}, **parts)
