"""The demonstration that is played without a terminal."""

import os
import subprocess
import sys
from pathlib import Path

from tests.kit.compiled import with_packs


def test_three_bots_tell_a_whole_game_and_its_log_is_verified(tmp_path: Path) -> None:
    """Three processes connect over TLS, as `make play` starts them without options."""
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
