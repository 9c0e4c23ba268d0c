"""The wheel works where there is no checkout."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

import pytest

from deploy.building import version_of

ROOT: Final = Path(__file__).parents[2]
COMMANDS: Final = ("serve", "play", "join", "bot", "watch", "replay", "verify")
EXPLAIN: Final = """
import contextlib, io, json, sys
from commands.main import main
told = {}
for command in sys.argv[1:]:
    with io.StringIO() as out, contextlib.redirect_stdout(out):
        try:
            main([command, "--help"])
        except SystemExit as ended:
            assert not ended.code
        told[command] = out.getvalue()
json.dump(told, sys.stdout)
"""


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of an environment that has only the wheel.

    A path file leads to Manse's dependencies, so that the test needs no network. Python reads no
    path files in a folder that it reaches that way, so the checkout stays out of sight.
    """
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    programs = home / "bin"
    pip = [sys.executable, "-m", "pip", "--isolated", "--python", str(programs / "python")]
    # What is never imported here need not be compiled.
    how = ("--quiet", "--no-index", "--no-deps", "--no-compile")
    subprocess.run([*pip, "install", *how, str(wheel)], check=True)
    (own,) = home.glob("lib/python*/site-packages")
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return programs


def run(program: Path, *arguments: str) -> str:
    """Run a program far from the checkout; return its output."""
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        [str(program), *arguments],
        cwd=program.parent,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.long
def test_manse_says_its_version(elsewhere: Path) -> None:
    assert run(elsewhere / "manse", "--version") == f"manse {version_of(ROOT)}\n"


def test_manse_lists_its_commands(elsewhere: Path) -> None:
    assert "play  " in run(elsewhere / "manse", "--help")


@pytest.fixture(scope="module")
def explained(elsewhere: Path) -> dict[str, str]:
    """Return each command's help, printed by one process."""
    told: dict[str, str] = json.loads(run(elsewhere / "python", "-P", "-c", EXPLAIN, *COMMANDS))
    return told


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(explained: dict[str, str], command: str) -> None:
    assert f"manse {command}" in explained[command]


@pytest.mark.long
def test_the_core_pack_is_there(elsewhere: Path) -> None:
    found = run(
        elsewhere / "python",
        "-c",
        "import content\n"
        "from content.games.second_edition.loader import load_core\n"
        "core = load_core()\n"
        "print(content.__file__, *core.scenarios, *core.catalogs)",
    )

    assert found.startswith(str(elsewhere.parent))
    assert " core/sluice-house " in found
    assert found.endswith(" en fr\n")
