"""Real attacks over real TLS: none succeeds, and each does once its guard is removed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]

RELAYS = {"relay", "relay with the stolen certificate", "relay at the first meeting"}
FORGERIES = {"replay", "other nonce", "other server", "no exporter", "other key", "other label"}
CODES = {
    **dict.fromkeys(RELAYS | FORGERIES | {"two logins crossed"}, "login/signature"),
    "stolen name": "login/signature",
    "changed pin": "login/wrong_identity",
    "small-order player": "login/key",
    "small-order server": "login/key",
    # Ended without a word of the login.
    "login said twice": "",
    "old TLS of a client": "",
    "old TLS of a server": "",
}
"""The code with which the honest end refuses each attack."""
OPENED = {
    "any signature is taken": RELAYS | FORGERIES | {"two logins crossed", "stolen name"},
    "the channel is not bound": RELAYS | {"no exporter"},
    "nothing is fresh": RELAYS | {"no exporter", "replay", "two logins crossed"},
    "the nonce is not signed": {"other nonce"},
    "the server is not signed": {"other server"},
    "both ends sign under one label": {"other label"},
    "any TLS is spoken": {"old TLS of a client", "old TLS of a server"},
    "no server is pinned": {"changed pin"},
    "any key is taken": {"small-order player", "small-order server"},
}
"""The attacks that succeed with each planted fault."""

pytestmark = pytest.mark.issue(13)


def lines_of(module: str, folder: Path) -> list[dict[str, Any]]:
    """Run a module to its end; return its lines of JSON."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", module, str(folder)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1] == {"step": "end"}, lines[-1]
    return lines


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return the outcomes of every attack, without and with planted faults."""
    return lines_of("tests.net.login_matrix", tmp_path_factory.mktemp("matrix"))


@pytest.fixture(scope="module")
def takeovers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return the outcomes at a table where a player reconnected, by order of events."""
    said = lines_of("tests.kit.servers.takeover", tmp_path_factory.mktemp("takeover"))
    return [line for line in said if line["step"] == "order"]


def test_whom_nobody_attacks_is_let_in(matrix: list[dict[str, Any]]) -> None:
    assert matrix[0] == {
        "step": "honest",
        "direct": "Online",
        "passed on as it is": "Online",
        "racing": ["Online", "Online"],
        "sessions of the racing": 2,
    }


def test_no_attack_on_a_login_gets_through(matrix: list[dict[str, Any]]) -> None:
    attacks = {line["name"]: line for line in matrix if line["step"] == "attack"}

    assert {name for name, line in attacks.items() if line["is_through"]} == set()
    assert {name: line["code"] for name, line in attacks.items()} == CODES


def test_without_its_guard_an_attack_gets_through(matrix: list[dict[str, Any]]) -> None:
    """If an attack failed without its guard, it would be no attack, or the guard superfluous."""
    faults = {line["name"]: set(line["through"]) for line in matrix if line["step"] == "fault"}

    assert faults == OPENED
    assert CODES.keys() - set().union(*OPENED.values()) == {"login said twice"}


@pytest.mark.long
def test_a_player_who_comes_back_has_their_one_seat_whatever_the_order(
    takeovers: list[dict[str, Any]],
) -> None:
    new, both = ["said by the new connection"], ["said by the old connection"]
    both += new

    assert {line["order"]: line["words"] for line in takeovers} == {
        "comes speaks breaks": both,
        "comes breaks speaks": new,
        "speaks comes breaks": both,
        "speaks breaks comes": both,
        "breaks comes speaks": new,
        "breaks speaks comes": new,
    }
    assert {(line["seats"], line["is_present"]) for line in takeovers} == {(1, True)}


def test_no_stranger_slips_in_while_a_player_comes_back(takeovers: list[dict[str, Any]]) -> None:
    assert {(*line["stranger"], line["strangers_records"]) for line in takeovers} == {
        ("table/no_such_table", 0)
    }
