"""`manse bot --role` on the woods: real processes, a real server, TLS."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.games.woods.house import SCENARIO
from tests.games.woods.programs import PATIENCE_SECONDS, started
from tests.kit import warm

pytestmark = pytest.mark.issue(39)


def told(process: warm.Piped, key: str) -> dict[str, object]:
    """Return the first object in JSON with a key that a command prints."""
    for line in process.stdout:
        if line.startswith("{") and key in (found := json.loads(line)):
            return dict(found)
    raise AssertionError(process.stderr.read())


def result(process: warm.Piped) -> tuple[int, str, str]:
    """Wait for the end of a command; return its status and what it printed."""
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode is not None
    return process.returncode, out, err


@pytest.mark.long
def test_bots_play_the_roles_that_they_are_told_to_play(tmp_path: Path) -> None:
    """One that cannot have its role says so, leaves its seat to others, and fails."""
    with started(tmp_path, "serve", "--json", "--port", "0") as server:
        serving = told(server, "port")
        reach: Sequence[str] = (
            *("--server", f"{serving['host']}:{serving['port']}"),
            *("--fingerprint", str(serving["fingerprint"])),
        )
        opening = ("--open", SCENARIO, "--party", "2", "--role", "keeper", "--seed", "3")
        with started(tmp_path, "bot", *opening, *reach, "--json", "--verbose") as keeper:
            invitation = str(told(keeper, "invitation")["invitation"])
            with started(tmp_path, "bot", invitation, "--role", "keeper") as second:
                status, _, why = result(second)
            assert status == 1
            assert "As many have that role as may" in why
            with started(tmp_path, "bot", invitation, "--role", "animal", "--json") as animal:
                assert result(animal)[0] == 0
            status, story, _ = result(keeper)

    assert status == 0
    assert "stood up." in story
    assert "has the role Animal." in story


def test_a_role_that_the_scenario_lacks_opens_no_table(tmp_path: Path) -> None:
    with started(tmp_path, "serve", "--json", "--port", "0") as server:
        serving = told(server, "port")
        reach = ("--server", f"{serving['host']}:{serving['port']}")
        pinned = ("--fingerprint", str(serving["fingerprint"]))
        wrong = ("--open", SCENARIO, "--role", "witch")
        with started(tmp_path, "bot", *wrong, *reach, *pinned) as witch:
            status, out, why = result(witch)

    assert (status, out) == (1, "")
    assert "A Night in the Woods has no role 'witch'; its roles: animal, keeper" in why
