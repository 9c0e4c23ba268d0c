"""The demonstration that is played without a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.commands.demo import main
from tests.kit.compiled import with_packs


@pytest.mark.long
def test_three_bots_tell_a_whole_game_and_its_log_is_verified(tmp_path: Path) -> None:
    """Three processes connect over TLS, as `make play` starts them without options.

    `.ci/run` plays it too, by that command, which fails where a bot or the verifier does.
    """
    played = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from server.commands.demo import main; sys.exit(main([]))",
        ],
        env={**os.environ, "MANSE_HOME": str(with_packs(tmp_path))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )

    assert played.returncode == 0, played.stderr
    told, _, checked = played.stdout.partition("\nThe finished log:\n")
    assert "The result is final" in told
    assert "whole" in checked


@pytest.mark.issue(40)
@pytest.mark.parametrize("scenario", ["", "core/nowhere"])
def test_a_scenario_that_is_none_is_refused_with_those_that_are(
    scenario: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--scenario", scenario])

    assert "core/sluice-house" in capsys.readouterr().err
