"""The command `manse` loads only the named subcommand."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint

import platformdirs
import pytest

from commands import main as command
from commands.speaking import LANGUAGES, words_of
from tests.project.entries import ENTRIES


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[list[str]], int]], None]:
    """Return a function that replaces any subcommand by the test's own."""

    def plant(subcommand: Callable[[list[str]], int]) -> None:
        monkeypatch.setattr(EntryPoint, "load", lambda _: subcommand)

    return plant


def modules_after(*arguments: str) -> set[str]:
    """Run `manse` in a new process; return the names of all modules that it imported."""
    script = (
        "import sys\n"
        "from commands.main import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return set(ended.stderr.splitlines()[-1].split())


def test_summaries_match_the_entry_points() -> None:
    assert {entry.name for entry in ENTRIES} == set(command.COMMANDS)


def test_summaries_are_short_lines() -> None:
    for language in LANGUAGES:
        lines = command.usage(words_of("commands", language)).splitlines()
        assert all(len(line) < 80 for line in lines), language


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_imports_no_subcommand(argument: str) -> None:
    loaded = modules_after(argument)

    assert "commands" in loaded
    assert loaded.isdisjoint({"client", "server", "content", "twisted", "attrs"})
    ours = {name for name in loaded if name.startswith("protocol.")}
    assert ours == {
        "protocol.common",
        "protocol.common.templates",
        "protocol.common.visible",
    }


PLAYERS = ("join", "play", "watch", "bot", "replay", "export", "verify", "config")


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """Return, for each player's command in order, the modules that no earlier one imported."""
    script = (
        "import sys\n"
        "from commands.main import main\n"
        "for name in sys.argv[1:]:\n"
        "    before = set(sys.modules)\n"
        "    try:\n        main([name, '--help'])\n"
        "    except SystemExit:\n        pass\n"
        "    print(name, *set(sys.modules) - before, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", script, *PLAYERS]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.split() for line in ended.stderr.splitlines()]
    return {name: set(modules) for name, *modules in lines}


WITH_RULES = ("join", "play", "watch", "replay")
"""Commands whose entry point passes a function that looks back on finished games by their rules."""


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "verify"])
def test_a_players_command_imports_nothing_of_the_server(
    name: str, imported: dict[str, set[str]]
) -> None:
    """A player's machine needs neither rules nor content, unless it looks back on a game."""
    loaded = {one for one in imported[name] if one.split(".")[0] in {"server", "content"}}
    looking_back = {"server", "server.commands", "server.commands.looking_back"}

    assert loaded <= (looking_back if name in WITH_RULES else set())


def test_verify_loads_rules_and_content_only_to_play_a_log_again(
    imported: dict[str, set[str]],
) -> None:
    """The entry point of `verify` is a server command, but imports nothing else of the server."""
    loaded = {name for name in imported["verify"] if name.split(".")[0] in {"server", "content"}}

    assert loaded <= {"server", "server.commands", "server.commands.verify"}


def test_what_players_commands_import_is_seen(imported: dict[str, set[str]]) -> None:
    assert [*imported] == [*PLAYERS]
    assert {"client", "client.commands.cli"} <= set().union(*imported.values())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: str(e.name))
def test_every_subcommand_can_be_loaded(entry: EntryPoint) -> None:
    assert callable(entry.load())


def test_a_subcommand_gets_what_follows_its_name(
    planted: Callable[[Callable[[list[str]], int]], None],
) -> None:
    seen: list[list[str]] = []

    def answer(argv: list[str]) -> int:
        seen.append(argv)
        return 7

    planted(answer)

    assert command.main(["join", "--plain", "line"]) == 7
    assert seen == [["--plain", "line"]]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("jion", "unknown command 'jion'; did you mean 'join'?"),
        ("xyzzy", "unknown command 'xyzzy'; `manse --help` lists them."),
        ("--bogus", "unknown option '--bogus'; `manse --help` lists them."),
    ],
)
def test_an_unknown_command_is_named(
    capsys: pytest.CaptureFixture[str], typed: str, told: str
) -> None:
    assert command.main([typed]) == 2
    assert capsys.readouterr().err == f"manse: {told}\n"


def test_a_command_that_was_never_installed_is_not_proposed_for_itself(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The source can be newer than the installed entry points."""
    monkeypatch.setattr(command, "entry_points", lambda **_: ())

    assert command.main(["admin"]) == 2
    told = "the command 'admin' is not installed; install Manse again (make setup)"
    assert capsys.readouterr().err == f"manse: {told}\n"


def test_a_user_without_a_home_is_told_what_to_set(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container, the user may be in no user database."""

    def unknown(*_: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("MANSE_HOME", raising=False)
    monkeypatch.setattr(platformdirs.PlatformDirs, "user_data_path", property(unknown))

    assert command.main(["serve", "--check"]) == 2
    assert "set HOME, or MANSE_HOME" in capsys.readouterr().err


def test_help_goes_to_the_subcommand(planted: Callable[[Callable[[list[str]], int]], None]) -> None:
    planted(lambda argv: 0 if argv == ["--help"] else 1)

    assert command.main(["help", "join"]) == 0


def test_an_interrupt_ends_without_a_traceback(
    planted: Callable[[Callable[[list[str]], int]], None],
) -> None:

    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    planted(interrupted)

    assert command.main(["serve"]) == 130


def test_a_reader_that_goes_away_is_no_error() -> None:
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from commands.main import main; raise SystemExit(main(['--help']))",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert process.stderr.read() == b""
        assert process.wait() == 141
