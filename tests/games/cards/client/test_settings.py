"""The settings of a table of the card game."""

import attrs

from client.settings.table_settings import STOPS, WINDOW, offered
from protocol.common.table import Settings
from protocol.games.cards.table import CardsTable


def test_windows_are_timed_only_where_they_are_strict() -> None:
    has = CardsTable.has_settings
    loose = offered(Settings(), has)
    strict = offered(attrs.evolve(Settings(), strict_windows=True), has)

    assert {STOPS, WINDOW}.isdisjoint(loose)
    assert {STOPS, WINDOW} <= {*strict}
