"""The woods as a distribution of its own: every program finds the game by its entry point."""

import os
import subprocess
from pathlib import Path

import pytest

from server.system.own_program import command_of
from tests.kit.every_run import first

HERE = Path(__file__).parent
INSTALLED = HERE / "installed"
"""Folder with the metadata that a package manager writes when it installs a distribution."""

pytestmark = pytest.mark.issue(39)
BUNDLED = ("second_edition", "first_edition", "cards")
"""Games that Manse brings along."""


def run(
    code: str,
    *arguments: str,
    given: bytes = b"",
    is_installed: bool = True,
    installed: Path | str = INSTALLED,
) -> str:
    """Run code of our program in a process of its own; return its output."""
    path = {"PYTHONPATH": str(installed)} if is_installed else {}
    done = subprocess.run(
        command_of(code, *arguments),
        input=given,
        capture_output=True,
        timeout=60,
        check=True,
        env={**os.environ, **path},
    )
    return done.stdout.decode()


@pytest.mark.parametrize("is_installed", [True, False])
def test_a_program_finds_the_game_where_it_is_installed(is_installed: bool) -> None:
    """No module of the game is imported before it is used."""
    told = run(
        "import sys; from protocol.plugs import games;"
        "print(*games(), *[name for name in sys.modules if '.woods' in name])",
        is_installed=is_installed,
    )

    assert told.split() == [*BUNDLED, *(["woods"] if is_installed else [])]


def test_a_server_offers_the_scenarios_of_the_installed_game() -> None:
    """The bundled pack is found in the distribution of the game."""
    told = run(
        "from content.plugs.packs import base_packs, load;"
        "from server.packs.shelf import PackShelf;"
        "shelf = PackShelf();"
        "[shelf.add(load(k.base, f)) for k, f in base_packs() if k.base == 'woods'];"
        "print(*(card.scenario for card in shelf.scenarios()))"
    )

    assert told.split() == ["woods/night", "woods/paths"]


def test_a_pack_of_the_game_is_judged_in_a_child_within_limits() -> None:
    folder = HERE / "content" / "packs" / "tutorial"
    code = "import sys; from server.packs import sandbox; print(*sandbox.remarks_on(sys.argv[1]))"

    assert run(code, str(folder)).strip() == ""
    assert "woods" in run(code, str(folder), is_installed=False)


def test_a_parsed_pack_of_the_game_is_kept(tmp_path: Path) -> None:
    """The cache admits the classes of the game's own packages."""
    code = (
        "import sys; from pathlib import Path; from content.plugs.packs import base_files;"
        "from server.packs.compiled import CompiledPacks;"
        "from server.packs.sources import PackFiles;"
        "packs = CompiledPacks(Path(sys.argv[1])); files = base_files('woods');"
        "packs.load('woods', files); print(packs.has(PackFiles('woods', files)))"
    )

    assert run(code, str(tmp_path)).strip() == "True"


@pytest.mark.parametrize("package", first(1, ["gone_for_good", "json", "json.tool"]))
def test_an_entry_point_without_its_game_keeps_nobody_from_others(
    tmp_path: Path, package: str
) -> None:
    """A removed distribution may leave its entry point behind; another may have a mistake."""
    metadata = tmp_path / "left-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: left\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[manse.games]\nleft = {package}\n")
    code = (
        "import sys; from pathlib import Path; from content.plugs.packs import base_packs;"
        "from protocol.plugs import games; from server.packs.compiled import CompiledPacks;"
        "packs = CompiledPacks(Path(sys.argv[1]) / 'cache');"
        "found = {kind.base: files for kind, files in base_packs()};"
        "read = [packs.load('woods', found['woods']).id for _ in range(2)];"
        "print(*games(), *found, *read)"
    )

    told = run(code, str(tmp_path), installed=f"{tmp_path}{os.pathsep}{INSTALLED}")

    # The small pack of the woods is read from its files, then from the cache.
    bases = ("core", "manor", "casebook", "woods")
    assert told.split() == [*BUNDLED, "left", "woods", *bases, "woods", "woods"]
