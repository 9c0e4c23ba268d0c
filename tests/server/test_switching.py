"""The time that a server's storage thread waits for Python while the reactor is busy."""

import io
import sys
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from server.commands import cli
from server.process import serving
from server.storage.worker import SWITCH_SECONDS


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restore the settings of this process afterwards."""
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


@pytest.mark.issue(12)
def test_a_server_has_its_threads_wait_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default a commit would wait 5 ms several times."""
    monkeypatch.setattr(serving, "on_hangup", lambda *_: None)
    parser = cli._parser([])
    options = parser.parse_args([])
    reactor: Any = Mock()
    life = serving._Life(options, serving.configured(options), io.StringIO(), parser.words, reactor)

    life.run()

    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
    reactor.run.assert_called_once_with()
