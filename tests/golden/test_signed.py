"""A game of log version 3, in which seats sign, written by the first server that had it.

Ada, Ben and a bot played it; the first start failed after Ada had opened her share.
"""

import functools
import json
from pathlib import Path

import pytest

from client.keyring.identity import HOME_VARIABLE
from protocol.archive import Archive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import SIGNED_VERSION
from server.commands.verify import main as verify
from tests.verifying.logs import types, verifier

GAME = Path(__file__).parent / "signed" / "evening.manse"
PACK = Path(__file__).parent / "signed" / "harbour.zip"
"""The pack of the game."""

pytestmark = pytest.mark.issue(36)


@functools.cache
def game() -> Archive:
    """Return the kept game, read once for all tests."""
    return load(GAME.read_bytes())


def test_both_verifiers_take_it() -> None:
    report = audit(game())
    theirs = verifier().verify(GAME.read_bytes(), types())

    assert (report.version, report.is_whole, report.is_finished) == (SIGNED_VERSION, True, True)
    assert (report.counts.starts_failed, report.counts.starts_hidden) == (1, 0)
    assert (theirs.hidden, theirs.silent) == (0, 0)


def test_each_seat_of_a_player_signed() -> None:
    happened = [record.event for record in game().records]
    shares = [event for event in happened if isinstance(event, events.ShareOpened)]
    said = [e for e in happened if isinstance(e, events.ReadySet | events.StartRequested)]

    bots = {e.seat for e in happened if isinstance(e, events.SeatTaken) and e.is_bot}
    assert all(bool(event.signature) == (event.seat not in bots) for event in [*shares, *said])
    by_host = [(share.number, bool(share.before)) for share in shares if share.seat == 0]
    assert by_host == [(1, False), (2, True)]


def test_the_command_plays_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))

    assert verify(["--json", "--rules", "--pack", str(PACK), str(GAME)]) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["checked"] == ["shared", "laws", "rules"]
