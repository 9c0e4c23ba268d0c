"""The commands themselves on the woods: real processes, a real server, TLS, a real end."""

from pathlib import Path

import pytest

from tests.games.woods.programs import PATIENCE_SECONDS, started

pytestmark = pytest.mark.issue(39)


def test_bots_of_both_roles_play_a_demonstration_that_is_verified(tmp_path: Path) -> None:
    with started(tmp_path, "demo", "--game", "woods") as demo:
        out, complaints = demo.communicate(timeout=PATIENCE_SECONDS)
    told, _, checked = out.partition("The finished log:")

    assert (demo.wait(0), complaints) == (0, "")
    assert "has the role Keeper." in told
    assert told.count("has the role Animal.") == 2
    assert "the keeper has won." in told or "the animals have won." in told
    assert "Played again by the rules of this release" in checked
    assert checked.rstrip().endswith("OK")
