"""Child processes run our own program, not files of the working directory."""

import subprocess
from pathlib import Path

import pytest

from server.packs.sandbox import JUDGE
from server.system.own_program import command_of


@pytest.mark.parametrize("name", ["server", "protocol", "json", "yaml"])
def test_nothing_in_the_working_directory_is_taken_for_a_part_of_the_program(
    tmp_path: Path, name: str
) -> None:
    """A player's folder may have a `server`, and a pack a `yaml`, that are not ours."""
    (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\nraise SystemExit(99)\n")
    command = command_of(JUDGE, "folder", "empty")
    done = subprocess.run(command, cwd=tmp_path, input=b"", capture_output=True, check=False)
    assert done.returncode != 99
    assert not (tmp_path / "ran").exists()
