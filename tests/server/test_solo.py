"""`manse solo` beside one that already runs."""

import os
from pathlib import Path
from types import ModuleType

import pytest

from commands.speaking import LANGUAGES, words_of
from protocol.plugs import games
from server.authoring import starter
from server.commands import child, solo, tutorial
from server.commands.child import ServerChild
from server.system.game_option import typed
from tests.kit import warm
from tests.kit.compiled import with_packs

_RUN = (
    "import sys; from server.commands import child; from server.commands.solo import main;"
    "from tests.kit import warm; child.subprocess = warm.with_servers();"
    "sys.exit(main(sys.argv[1:]))"
)
"""Code of a solo game whose server begins warm, too."""


@pytest.mark.parametrize("command", [solo, tutorial])
def test_a_second_one_is_refused_in_a_players_words(
    command: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MANSE_HOME", str(with_packs(tmp_path)))
    monkeypatch.setattr(child, "subprocess", warm.with_servers())
    name = command.__name__.removeprefix("server.commands.")
    with ServerChild(tmp_path / name):
        for language in LANGUAGES:
            assert command.main(["--plain", "--language", language]) == 1

            said = words_of("server", language).say(f"{name}.running")
            told = capsys.readouterr()
            assert told.out == ""
            assert told.err.replace("\N{NO-BREAK SPACE}", " ") == (
                f"manse {name}: {said}\n".replace("\N{NO-BREAK SPACE}", " ")
            )


def played(home: Path, typed: str, *arguments: str) -> str:
    """Return the output of a game in plain mode."""
    return command(home, "--plain", *arguments, typed=typed)


def command(home: Path, *arguments: str, typed: str = "") -> str:
    """Return the output of `manse solo`."""
    process = warm.piped(
        warm.COMMANDS,
        _RUN,
        *("--language", "en", *arguments),
        env={**os.environ, "MANSE_HOME": str(with_packs(home))},
    )
    told, complaints = process.communicate(typed)
    assert process.wait(0) == 0, complaints
    return told


def test_it_goes_on_with_what_was_begun_unless_another_game_is_wanted(tmp_path: Path) -> None:
    told = played(tmp_path, "scenario 2\nquit\n").splitlines()
    (chosen,) = (line for line in told if line.startswith("To be played: "))
    assert chosen in played(tmp_path, "quit\n")
    assert chosen not in played(tmp_path, "quit\n", "--again")
    assert chosen not in played(tmp_path, "quit\n")


@pytest.mark.issue(40)
def test_its_tables_are_listed(tmp_path: Path) -> None:
    chosen = played(tmp_path, "scenario 2\nquit\n")
    title = chosen.partition("To be played: ")[2].splitlines()[0]

    (line,) = command(tmp_path, "--list").splitlines()
    assert f": {title}: waiting for players" in line


@pytest.mark.issue(40)
@pytest.mark.parametrize("typed", ["manor/twelfth-night", "twelfth-night"])
def test_a_scenario_is_chosen_by_its_id_in_any_language(tmp_path: Path, typed: str) -> None:
    side = ("--game", "first-edition", "--language", "fr")
    told = played(tmp_path, f"scenario {typed}\nquit\n", *side)
    assert "Les Rois à Vail Hall" in told


@pytest.mark.issue(16)
def test_a_pack_that_is_named_is_opened(tmp_path: Path) -> None:
    folder = str(tmp_path / "harbour")
    starter.begin(folder, games()[0])
    chosen = "Table: First Night"

    assert chosen not in played(tmp_path, "quit\n")
    assert chosen in played(tmp_path, "quit\n", "--pack", folder)
    told = played(tmp_path, "tables\nquit\n", "--pack", folder)
    assert chosen in told
    assert chosen not in played(tmp_path, "quit\n", "--again")


@pytest.mark.issue(39)
def test_a_game_and_a_role_go_with_the_other_options(tmp_path: Path) -> None:
    folder = str(tmp_path / "harbour")
    starter.begin(folder, games()[0])
    chosen = "Table: First Night"
    side = ("--game", typed(games()[0]), "--as", "investigator")

    assert chosen in played(tmp_path, "quit\n", "--pack", folder, *side)
    told = played(tmp_path, "scenario 2\nquit\n", "--again", *side).splitlines()
    (other,) = (line for line in told if line.startswith("To be played: "))
    assert other in played(tmp_path, "quit\n", *side)
