"""Spares most messages of xdist's workers: of six for each test, two are enough.

For a test of a few milliseconds, sending and reading them costs as much as the test.
"""

from collections.abc import Callable
from typing import Any, Final

import attrs
import pytest

SLOW: Final = 0.05
"""Seconds from which on the report of a set-up or clean-up is sent, to be added to its folder's."""


@attrs.frozen
class FewerMessages:
    """Sends the reports of tests, and of set-ups and clean-ups that failed or were slow."""

    send: Callable[..., None]

    def __call__(self, name: str, **kwargs: Any) -> None:
        if name in {"logstart", "logfinish"}:
            return
        if name == "testreport" and tells_nothing(kwargs["data"]):
            return
        self.send(name, **kwargs)


def tells_nothing(report: dict[str, Any]) -> bool:
    """True for the report of a set-up or clean-up that passed and took no time."""
    is_quick: bool = report["duration"] < SLOW
    return report["when"] != "call" and report["outcome"] == "passed" and is_quick


def spare_messages(config: pytest.Config) -> None:
    """Let a worker send fewer messages; to be called once its plugins are registered."""
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            worker: Any = plugin
            worker.sendevent = FewerMessages(worker.sendevent)
