"""The log of a server: lines for people or JSON, and what it says of its own address."""

import io
import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from twisted.logger import LogLevel
from twisted.python.failure import Failure

from commands.speaking import words_of
from server.process.serving import announce
from server.system.logs import Log

pytestmark = pytest.mark.issue(15)


def event(**more: Any) -> dict[str, Any]:
    """Return a log event of Twisted's."""
    made = {"log_format": "{who} came", "log_time": 0.0, "log_level": LogLevel.warn}
    return {**made, "log_namespace": "server.net", **more}


def test_an_entry_can_be_a_line_of_json() -> None:
    written = Log(LogLevel.info, as_json=True).written(event(who="\n{\u202e\x1b"))

    told = json.loads(written)
    assert written.endswith("\n")
    assert written.isascii()
    assert len(written.splitlines()) == 1
    assert (told["level"], told["source"]) == ("warn", "server.net")
    assert told["message"] == "\n{\u202e\x1b came"
    assert "fault" not in told


def test_a_fault_is_told_in_json_without_what_it_quotes() -> None:
    """A quoted value may name a hidden card."""
    make: Any = Failure
    failure = make(ValueError("the hidden card"))

    told = json.loads(Log(LogLevel.info, as_json=True).written(event(who="A", log_failure=failure)))

    assert "ValueError" in " ".join(told["fault"])
    assert "hidden" not in json.dumps(told)


def test_what_is_written_changes_with_the_setting() -> None:
    log = Log(LogLevel.info)
    assert log.written(event(who="A")).endswith("[server.net#warn] A came\n")

    log.as_json = True

    assert json.loads(log.written(event(who="A")))["message"] == "A came"


@pytest.mark.parametrize(
    ("host", "public", "told"),
    [
        ("192.0.2.7", "", "listens on 192.0.2.7:4470\n"),
        ("::", "", "listens on [::]:4470\n"),
        ("127.0.0.1", "a.example:1", "listens on 127.0.0.1:4470; others reach it at a.example:1\n"),
    ],
)
def test_a_start_tells_its_socket_and_beside_it_where_others_reach_it(
    host: str, public: str, told: str
) -> None:
    """Both are named, so that neither passes for the other."""
    config = mock.Mock(public_address=public, folder=Path("/x"))
    config.name = "House"
    server: Any = mock.Mock(address=mock.Mock(host=host, port=4470), config=config)
    output = io.StringIO()

    announce(server, output, words_of("server", "en"), as_json=False)

    assert f"House {told}" in output.getvalue()
