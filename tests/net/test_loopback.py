"""Real sockets, TLS and reactor: the tests examine one run of a server and its clients."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return the results of the run, by step."""
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-m",
            "tests.kit.servers.loopback",
            str(tmp_path_factory.mktemp("run")),
        ],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return {step.pop("step"): step for step in steps}


def test_it_went_to_its_end(run: dict[str, dict[str, Any]]) -> None:
    assert "failed" not in run, run.get("failed")
    assert "left" in run


def test_client_and_server_talk(run: dict[str, dict[str, Any]]) -> None:
    assert run["talk"] == {"status": "Online", "first": "Done(serial=1)", "bytes": 8_000_000}


def test_a_wrong_identity_is_given_up_on(run: dict[str, dict[str, Any]]) -> None:
    assert run["wrong identity"] == {"status": "GaveUp", "why": "login/wrong_identity"}


def test_older_tls_is_refused(run: dict[str, dict[str, Any]]) -> None:
    assert run["old tls"] == {"result": "refused"}


def test_a_silent_connection_is_closed(run: dict[str, dict[str, Any]]) -> None:
    assert 1.5 < run["silence"]["seconds"] < 8


def test_stopping_ends_all_connections(run: dict[str, dict[str, Any]]) -> None:
    assert run["stopped"] == {"sessions": 0}


def test_the_client_comes_back_to_a_restarted_server(run: dict[str, dict[str, Any]]) -> None:
    assert run["came back"] == {"is_online": True, "count": True}


def test_leaving_ends_the_session(run: dict[str, dict[str, Any]]) -> None:
    assert run["left"] == {"sessions": 0, "status": "GaveUp"}
