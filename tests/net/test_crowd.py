"""A crowd on real sockets with real TLS: the tests examine one run of servers and clients."""

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.kit.servers.crowd import CLUB, HEADER_SECONDS, PROXY, SILENT
from tests.net.test_login_matrix import lines_of

CLIENT = "<WireSession 192.0.2.7 open>"
"""The log's name for a client that comes by the headers of the run."""


def has_many_addresses() -> bool:
    """True if connections can come from other loopback addresses, as on Linux."""
    with socket.socket() as one:
        try:
            one.bind((PROXY, 0))
        except OSError:
            return False
    return True


pytestmark = [
    pytest.mark.issue(13),
    pytest.mark.skipif(not has_many_addresses(), reason="there is one loopback address"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return the results of the run, by step, and by name within a step."""
    lines = lines_of("tests.kit.servers.crowd", tmp_path_factory.mktemp("crowd"))
    return {
        " ".join(filter(None, (line.pop("step"), line.pop("name", "")))): line for line in lines
    }


@pytest.mark.long
def test_a_header_says_who_connects(run: dict[str, dict[str, Any]]) -> None:
    assert run["headers"] == {
        "line": ["welcome", CLIENT],
        "binary": ["welcome", CLIENT],
        "local": ["welcome", f"<WireSession {PROXY} open>"],
        "unknown": ["welcome", f"<WireSession {PROXY} open>"],
        "direct": ["welcome", "<WireSession 127.0.0.1 open>"],
    }


@pytest.mark.parametrize(("version", "count"), [("line", 45), ("binary", 31)])
def test_a_header_can_be_cut_anywhere(
    run: dict[str, dict[str, Any]], version: str, count: int
) -> None:
    assert run[f"cut {version}"] == {"count": count, "ends": ["welcome"]}


def test_headers_are_wanted_from_the_proxy_and_from_nobody_else(
    run: dict[str, dict[str, Any]],
) -> None:
    assert len(run["refused"]) == 5
    assert all(outcome == ["no TLS", ""] for outcome in run["refused"].values())


def test_planted_faults_of_trust_are_seen(run: dict[str, dict[str, Any]]) -> None:
    """One fault believes everybody, the other believes nobody."""
    assert run["fault everybody is believed"]["spoofed"] == ["welcome", CLIENT]
    assert run["fault nobody is"]["named"] == ["no TLS", ""]


@pytest.mark.parametrize("name", ["silent", "half"])
def test_a_proxy_that_does_not_end_its_header_is_closed_in_time(
    run: dict[str, dict[str, Any]], name: str
) -> None:
    closed = run[f"closed {name}"]

    assert closed["heard"] == 0
    assert closed["seconds"] > HEADER_SECONDS / 2


@pytest.mark.parametrize("name", ["endless", "announced"])
def test_a_header_that_is_too_long_is_closed(run: dict[str, dict[str, Any]], name: str) -> None:
    closed = run[f"closed {name}"]

    assert closed["heard"] == 0
    assert closed["seconds"] >= 0, "it was there until its sender lost patience"


def test_limits_are_by_the_address_that_a_proxy_names(run: dict[str, dict[str, Any]]) -> None:
    assert run["limits"] == {
        "of_one": ["welcome", "welcome", "limit/connections"],
        "of_another": ["welcome", "welcome"],
    }


def test_a_club_behind_one_address_logs_in_among_1300_silent_connections(
    run: dict[str, dict[str, Any]],
) -> None:
    club, shut = run["club"], run["club at a shut door"]

    assert (club["online"], club["answered"]) == (CLUB, CLUB)
    assert club["silent"] == SILENT, "this process may have too few open files"
    assert (shut["online"], shut["answered"]) == (0, 0)


def test_a_club_comes_back_while_its_old_sessions_are_there(run: dict[str, dict[str, Any]]) -> None:
    assert run["club"]["again"] == CLUB


@pytest.mark.long
def test_a_club_plays_fifteen_tables_behind_one_address_among_silence(tmp_path: Path) -> None:
    told = lines_of("tests.kit.servers.club", tmp_path)[0]

    assert (told["sessions"], told["sessions_after"]) == (CLUB, CLUB)
    assert told["answers"] == [20] * 15
    assert told["waiting"] == 200
    assert told["silent"] > SILENT
    assert told["by_proxy"] == "welcome"
