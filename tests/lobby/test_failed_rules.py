"""Rules that fail: what the server's log says about it, and what it must not say."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from twisted.logger import eventAsText, globalLogPublisher

from protocol import messages
from server.kernel.rule_runner import RuleRunner
from tests.kit.servers.house import House
from tests.kit.servers.tables import start_all

HIDDEN = "hidden-card"


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Collect the lines that the server logs."""
    found: list[str] = []

    def observe(entry: Any) -> None:
        found.append(eventAsText(entry, includeTimestamp=False))

    globalLogPublisher.addObserver(cast("Any", observe))
    yield found
    globalLogPublisher.removeObserver(cast("Any", observe))


def look_up(card: str) -> None:
    """Raise as a failing rule could, with a card's name in the error."""
    cards: dict[str, str] = {}
    try:
        cards[card]
    except KeyError as error:
        raise ValueError(f"there is no {card}") from error


def fail(_runner: RuleRunner, _writer: object, _happened: object) -> None:
    """Fail over a hidden card, whatever happened."""
    look_up(HIDDEN)


def test_where_a_rule_failed_is_logged_without_a_value(
    house: House, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value could be a secret of the game."""
    ada, _ = start_all(house, ["Ada", "Ben"])
    logged.clear()
    monkeypatch.setattr(RuleRunner, "follow", fail)

    ada.port.chat("hello")
    house.settle()

    (line,) = [one for one in logged if "a rule failed" in one]
    assert ada.session.last(messages.Notice).report in line
    assert "builtins.ValueError" in line
    assert "which followed from builtins.KeyError" in line
    assert f"{__name__}:{look_up.__code__.co_firstlineno + 6} in look_up" in line
    assert "server.kernel.room:" in line
    assert HIDDEN not in "\n".join(logged)
