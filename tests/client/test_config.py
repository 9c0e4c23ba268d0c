"""The player's configuration file: its settings, complaints about mistakes, and changes to it."""

import json
import os
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import pytest
from tomlkit import TOMLDocument

from client.commands import cli
from client.commands.config import main
from client.commands.verify import main as verify
from client.keymap.key_names import written
from client.keymap.keys import USUAL, Action, KeyMap
from client.keyring.identity import HOME_VARIABLE, KEY_FILE, load_player_key
from client.locale import LANGUAGES, language_of, load
from client.settings import config
from client.settings.appearance import Appearance, appearance_of
from client.settings.preferences import (
    SETTINGS,
    Charset,
    Lines,
    MapSize,
    NotKept,
    Preferences,
    Theme,
)
from client.terminal.runner import Start
from commands import toml_files, toml_lines
from commands.speaking import language_for
from commands.toml_files import BadConfig
from protocol.keys import fingerprint, parse_fingerprint

EN = load("en")
FILE = Path("/home/ann/config.toml")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the player's own folder to a temporary one."""
    folder = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    for name in ("NO_COLOR", "MANSE_ASCII", "MANSE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return folder


def write(home: Path, text: str) -> Path:
    home.mkdir(exist_ok=True)
    path = home / config.FILE
    path.write_text(text, "utf-8")
    return path


def complaint(text: str) -> str:
    """Return the English complaint about a settings file with this text."""
    with pytest.raises(BadConfig) as caught:
        config.parse(text, FILE)
    assert "<" not in caught.value.in_words(load("fr")).replace("<config", "<")
    return caught.value.in_words(EN)


# What it may say ---------------------------------------------------------------------------


def test_without_a_file_all_is_as_usual(home: Path) -> None:
    assert config.read(config.config_path()) == Preferences()
    assert not home.exists()


def test_every_setting_can_be_written_down() -> None:
    text = """
        name = "Ann Lee"
        language = "fr"
        theme = "light"
        lines = "ascii"
        map = "compact"
        dice = false
        story = false
        mouse = false
        bell = true
        title = false
        clipboard = false
        keep_tables = false
        notify_command = "notify-send Manse"
        notify_webhook = "https://example.org/hook"
        [keys]
        chat = ["k", "Ctrl-L"]
    """

    prefs = config.parse(text, FILE)

    assert prefs == Preferences(
        name="Ann Lee",
        language="fr",
        theme=Theme.LIGHT,
        lines=Lines.ASCII,
        map=MapSize.COMPACT,
        dice=False,
        story=False,
        mouse=False,
        bell=True,
        title=False,
        clipboard=False,
        keep_tables=False,
        notify_command="notify-send Manse",
        notify_webhook="https://example.org/hook",
        keys={"chat": ("k", "Ctrl-L")},
    )
    assert set(attrs.asdict(prefs, recurse=False)) == set(tomllib.loads(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_file_describes_every_setting_and_changes_nothing(language: str) -> None:
    text = config.template(load(language))

    assert config.parse(text, FILE) == Preferences()
    in_force = "\n".join(
        line.removeprefix("#") if line.startswith("#") and not line.startswith("# ") else line
        for line in text.splitlines()
    )
    found = tomllib.loads(in_force)
    assert set(found) == {*(one.name for one in SETTINGS), "keys"}
    assert set(found["keys"]) == {action.value for action in USUAL.rebindable}
    prefs = config.parse(in_force, FILE)
    assert attrs.evolve(prefs, keys={}) == Preferences()
    assert KeyMap.with_wishes(prefs.keys) == USUAL
    assert "<" not in text
    assert max(map(len, text.splitlines())) < 100


# What makes no sense -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('theme = "blue"', 'line 1: theme cannot be "blue"; allowed: "dark", "light", "contrast"'),
        ("\n\ndice = 1", "line 3: dice cannot be 1; allowed: true, false"),
        ('dice = "true"', 'dice cannot be "true"; allowed: true, false'),
        ("theme = true", "theme cannot be true; allowed"),
        ("name = 5", "name cannot be 5; allowed: a text in quotation marks"),
        ('name = "a/b"', 'name cannot be "a/b"; allowed: up to'),
        ("name = [['x']]", "name cannot be […]; allowed"),
        ('language = "de"', 'language cannot be "de"; allowed: "", "en", "fr"'),
        ("bell = 2020-01-01", "bell cannot be 2020-01-01; allowed"),
        ('thema = "dark"', "line 1: there is no setting called thema; did you mean theme?"),
        ('[kezs]\nchat = ["c"]', "line 1: there is no setting called kezs; did you mean keys?"),
        ("xyzzy = 1", "line 1: there is no setting called xyzzy"),
        ("keys = 5", "line 1: keys: allowed: a table [keys]"),
        ("[[keys]]", "line 1: keys: allowed: a table [keys]"),
        ('bell = true\n[keys]\nchat = "c"', "line 3: keys.chat: allowed: a list of keys in"),
        ("[keys]\nchat = [1]", "line 2: keys.chat: allowed: a list of keys in"),
        ("[keys]\nchat = []", "line 2: keys.chat: the action needs at least one key"),
        (
            '[keys]\nchatt = ["c"]',
            "line 2: keys.chatt: there is no action called chatt; did you mean chat?",
        ),
        ('[keys]\nquit = ["x"]', "line 2: keys.quit: the keys of this action cannot be changed"),
        ('keys.chat = ["tap"]', "line 1: keys.chat: there is no key called tap; did you mean tab"),
        ('[keys]\nup = ["k"]\nchat = ["j"]', "line 3: keys.chat: j means journal already in the"),
        ("theme = dark", "line 1: this is not TOML from column 9 on: a value is true"),
        (
            "dice = true\ndice = true\n",
            "line 2: this is not TOML from column 12 on: the same name was given before",
        ),
        ("dice = [", "this is not TOML: something is missing at the end"),
        ('theme "dark"', "line 1: this is not TOML from column 7 on: a name needs = between it"),
        (
            "theme = 'dark\nname = 'x'",
            "line 1: this is not TOML from column 14 on: a text is not closed",
        ),
        ("dice = true # on\n[keys", "this is not TOML: a table’s name stands between [ and ]"),
        ("\x00", "this is not TOML"),
        ("x = " + "9" * 5000, "this is not TOML: this cannot be read"),
        ("x = " + "[" * 3000, "brackets are nested too deep"),
        ("x." * 3000 + "x = 1", "there is no setting called x"),
        ("name." + "x." * 3000 + "x = 1", "name cannot be {…}; allowed"),
    ],
)
def test_what_makes_no_sense_is_told(text: str, told: str) -> None:
    said = complaint(text)

    assert said.startswith(str(FILE))
    assert told in said
    assert "\n" not in said
    assert len(said) < 700


def test_what_is_no_toml_is_told_in_the_language_of_the_player() -> None:
    """The TOML library gives its reasons in English; they are translated, too."""
    with pytest.raises(BadConfig) as caught:
        config.parse("theme = dark", FILE)

    said = caught.value.in_words(load("fr")).replace("\N{NO-BREAK SPACE}", " ")

    assert "ligne 1" in said
    assert "à partir de la colonne 9 : une valeur est true, false" in said


def test_nothing_in_a_complaint_reaches_the_terminal_raw() -> None:
    """The file may come from a stranger, with control sequences in it."""
    said = complaint('"\\u001b[2J\\u202e" = "\\u001b]0;x\\u0007"')

    assert said.isprintable()
    assert complaint('theme = "\\u001b[2J' + "y" * 9000 + '"').isprintable()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xff\xfe\x00theme", "it is not UTF-8 text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "it is not UTF-8 text"),
        (b"#" * (toml_files.MAX_BYTES + 1), "it is longer than 64 KiB"),
    ],
)
def test_a_file_of_something_else_is_told(home: Path, data: bytes, told: str) -> None:
    write(home, "").write_bytes(data)

    with pytest.raises(BadConfig) as caught:
        config.read(home / config.FILE)

    assert told in caught.value.in_words(EN)


@pytest.mark.skipif(sys.platform == "win32", reason="these are of Unix")
def test_what_is_no_file_is_not_waited_for(home: Path) -> None:
    home.mkdir()
    path = home / config.FILE
    makers: tuple[Callable[[], None], ...] = (
        lambda: os.mkfifo(path),
        path.mkdir,
        lambda: path.symlink_to("/dev/zero"),
        lambda: path.symlink_to(path),
    )
    for make in makers:
        make()
        with pytest.raises(BadConfig) as caught:
            config.read(path)
        assert str(path) in caught.value.in_words(EN)
        path.rmdir() if path.is_dir() else path.unlink()


COMMANDS: dict[str, tuple[Callable[[list[str]], int], list[str]]] = {
    "play": (cli.play, []),
    "bot": (cli.bot, ["--open", "core/x"]),
    "export": (cli.export, ["--last", "x.manse"]),
    "replay": (cli.replay, ["x.manse"]),
    "verify": (verify, ["x.manse"]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_before_it_begins(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(home, 'theme = "blue"')
    run, arguments = COMMANDS[name]

    with pytest.raises(SystemExit) as caught:
        run([*arguments, "--language", "fr"])

    printed = capsys.readouterr()
    assert caught.value.code == 2
    assert printed.out == ""
    assert printed.err.startswith(f"manse {name}: {path}, ligne 1")
    assert printed.err.count("\n") == 1


# What outdoes what -------------------------------------------------------------------------


def start_of(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Start:
    """Return the `Start` that `manse play` makes of these arguments."""
    starts: list[Start] = []
    original = cli._start

    def start(*given: object, **named: object) -> Start:
        starts.append(original(*given, **named))  # type: ignore[arg-type]
        return starts[-1]

    monkeypatch.setattr(cli, "_start", start)
    monkeypatch.setattr(cli, "_run", lambda *_: 0)
    assert cli.play(arguments) == 0
    return starts[0]


def test_a_command_is_as_the_file_says(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        home, 'name = "Zoe"\nlanguage = "fr"\ntheme = "light"\nlines = "ascii"\nkeys.chat = ["k"]'
    )

    start = start_of([], monkeypatch)

    assert (start.name, start.language) == ("Zoe", "fr")
    assert start.wishes.prefs.theme is Theme.LIGHT
    assert start.wishes.prefs.lines is Lines.ASCII
    assert KeyMap.with_wishes(start.wishes.prefs.keys).keys_for(Action.CHAT) == ("k",)


def test_the_command_line_outdoes_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(home, 'name = "Zoe"\nlanguage = "fr"\ntheme = "plain"')
    monkeypatch.setenv("NO_COLOR", "1")

    given = ["--name", "Ann", "--language", "en", "--theme", "light", "--ascii"]
    start = start_of(given, monkeypatch)

    assert (start.name, start.language) == ("Ann", "en")
    wishes = start.wishes
    assert wishes.appearance.theme_for(wishes.prefs.theme) is Theme.LIGHT
    assert wishes.appearance.charset_for(wishes.prefs.lines) is Charset.ASCII


@pytest.mark.parametrize(
    ("environment", "preferred", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "en", "en"),
        ({"LANG": "fr_FR.UTF-8"}, "", "fr"),
        ({"MANSE_LANGUAGE": "fr"}, "en", "fr"),
    ],
)
def test_the_language_wished_for_outdoes_the_usual_one(
    environment: Mapping[str, str], preferred: str, language: str
) -> None:
    assert language_of(environment, preferred) == language


@pytest.mark.parametrize(
    ("environment", "encoding", "theme", "lines", "drawn"),
    [
        ({}, "utf-8", Theme.LIGHT, Lines.AUTO, (Theme.LIGHT, Charset.BOXES)),
        ({}, "utf-8", Theme.PLAIN, Lines.ASCII, (Theme.PLAIN, Charset.ASCII)),
        ({"NO_COLOR": "1"}, "utf-8", Theme.LIGHT, Lines.BOXES, (Theme.PLAIN, Charset.BOXES)),
        ({"NO_COLOR": ""}, "utf-8", Theme.LIGHT, Lines.AUTO, (Theme.LIGHT, Charset.BOXES)),
        ({"TERM": "dumb"}, "utf-8", Theme.DARK, Lines.AUTO, (Theme.PLAIN, Charset.BOXES)),
        ({"MANSE_ASCII": "1"}, "utf-8", Theme.DARK, Lines.BOXES, (Theme.DARK, Charset.ASCII)),
        ({}, "ascii", Theme.DARK, Lines.BOXES, (Theme.DARK, Charset.ASCII)),
        ({}, "cp437", Theme.DARK, Lines.AUTO, (Theme.DARK, Charset.ASCII)),
        ({}, "cp437", Theme.DARK, Lines.BOXES, (Theme.DARK, Charset.BOXES)),
        ({}, "nonsense", Theme.DARK, Lines.BOXES, (Theme.DARK, Charset.ASCII)),
        ({}, None, Theme.DARK, Lines.BOXES, (Theme.DARK, Charset.ASCII)),
    ],
)
def test_what_the_terminal_forbids_no_file_allows(
    environment: Mapping[str, str],
    encoding: str | None,
    theme: Theme,
    lines: Lines,
    drawn: tuple[Theme, Charset],
) -> None:
    appearance = appearance_of(environment, encoding)

    assert (appearance.theme_for(theme), appearance.charset_for(lines)) == drawn
    assert Appearance().theme_for(theme) is theme


# Changing one line -------------------------------------------------------------------------

WRITTEN = """\
# mine
  theme   =  "dark"   # on the old laptop, "really"

bell = true
name = "A # b"  # who

[keys]  # by hand
chat = [
  "c",  # as usual
  "tab",
] # talk
# journal = ["j"]
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (
            ("theme",),
            "light",
            '  theme   =  "dark"   # on the old laptop, "really"\n',
            '  theme   =  "light"   # on the old laptop, "really"\n',
        ),
        (("bell",), False, "bell = true\n", "bell = false\n"),
        (("name",), "Z", 'name = "A # b"  # who\n', 'name = "Z"  # who\n'),
        (("name",), 'é"\\', 'name = "A # b"  # who\n', 'name = "é\\"\\\\"  # who\n'),
        (
            ("keys", "chat"),
            ("k",),
            'chat = [\n  "c",  # as usual\n  "tab",\n] # talk\n',
            'chat = ["k"] # talk\n',
        ),
        (
            ("keys", "journal"),
            ("k",),
            '# journal = ["j"]\n',
            '# journal = ["j"]\njournal = ["k"]\n',
        ),
        (("keys", "help"), ("k",), "] # talk\n", '] # talk\nhelp = ["k"]\n'),
        (("dice",), False, "# who\n", "# who\ndice = false\n"),
    ],
)
def test_only_that_line_is_changed(
    path: toml_lines.Path, value: toml_lines.TomlValue, old: str, new: str
) -> None:
    assert WRITTEN.count(old) == 1
    assert toml_lines.put(WRITTEN, path, value) == WRITTEN.replace(old, new)


@pytest.mark.parametrize(
    ("text", "path", "new"),
    [
        ("", ("dice",), "dice = true\n"),
        ("# only this", ("dice",), "# only this\ndice = true\n"),
        ("bell = true", ("dice",), "bell = true\ndice = true\n"),
        ("# c\n\n# of keys\n[keys]\n", ("dice",), "# c\n\ndice = true\n\n# of keys\n[keys]\n"),
        ("# of keys\n[keys]\n", ("dice",), "dice = true\n\n# of keys\n[keys]\n"),
        ("a.b = 1\n# c\n[keys]\n", ("dice",), "a.b = 1\ndice = true\n\n# c\n[keys]\n"),
        ("# of keys\r\n[[keys]]", ("dice",), "dice = true\r\n\r\n# of keys\r\n[[keys]]"),
        ("bell = true\r\n", ("dice",), "bell = true\r\ndice = true\r\n"),
        ("", ("keys", "up"), "[keys]\nup = true\n"),
        ("bell = true\n", ("keys", "up"), "bell = true\n\n[keys]\nup = true\n"),
        ("keys.down = 1\n[x]\n", ("keys", "up"), "keys.down = 1\nkeys.up = true\n[x]\n"),
        ("keys.up = 1\n", ("keys", "up"), "keys.up = true\n"),
        ("keys = {up = 1, down = 2}", ("keys", "up"), "keys = {up = true, down = 2}"),
        ("keys = {down = 2} # few", ("keys", "up"), "keys = {down = 2,up = true} # few"),
        ("keys.a = 1\nx = 1\nkeys.b = 1\n", ("keys", "b"), "keys.a = 1\nx = 1\nkeys.b = true\n"),
        ("a = 1\n\n# of keys\n[keys]\n", ("dice",), "a = 1\ndice = true\n\n# of keys\n[keys]\n"),
        ('"dice" = false # "\n', ("dice",), '"dice" = true # "\n'),
        ("a = '''\n[keys]\n'''\n", ("dice",), "a = '''\n[keys]\n'''\ndice = true\n"),
    ],
)
def test_a_line_finds_its_place(text: str, path: toml_lines.Path, new: str) -> None:
    assert toml_lines.put(text, path, value=True) == new


@pytest.mark.parametrize(
    "text",
    [
        "keys = 1",
        "[[keys]]",
        "theme =",
        "x." * 3000 + "x = 1\n[keys]\n",
        "x = " + "[" * 3000 + "]" * 3000,
    ],
)
def test_what_cannot_be_changed_by_the_line_is_left_alone(text: str) -> None:
    with pytest.raises(toml_lines.CannotEdit):
        toml_lines.put(text, ("keys", "up"), value=True)


def test_what_would_say_something_else_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should `tomlkit` ever misplace a value, the file stays as it is."""
    monkeypatch.setattr(TOMLDocument, "as_string", lambda _: "[keys]\nup = true\ndown = true\n")

    edits: tuple[Callable[[], str], ...] = (
        lambda: toml_lines.put("keys.up = false", ("keys", "up"), value=True),
        lambda: toml_lines.put("[keys]", ("keys", "up"), value=True),
        lambda: toml_lines.remove("[keys]\nup = true\ndown = 1\n", ("keys", "up")),
    )
    for edit in edits:
        with pytest.raises(toml_lines.CannotEdit):
            edit()


def test_starting_does_not_load_what_changes_settings() -> None:
    """`tomlkit` takes longer to import than all other reading of settings."""
    code = "import sys, client.settings.config; sys.exit('tomlkit' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_line_is_taken_out_alone() -> None:
    without = toml_lines.remove(WRITTEN, ("keys", "chat"))

    assert tomllib.loads(without)["keys"] == {}
    assert without == WRITTEN.replace('chat = [\n  "c",  # as usual\n  "tab",\n] # talk\n', "")
    assert toml_lines.remove(WRITTEN, ("title",)) == WRITTEN
    assert toml_lines.remove("keys = {up = 1} # few", ("keys", "up")) == "keys = {} # few"
    assert toml_lines.remove("keys = {up = 1, down = 2}", ("keys", "up")) == "keys = { down = 2}"
    assert toml_lines.remove("keys.a = 1\nx = 1\nkeys.b = 1\n", ("keys", "b")) == (
        "keys.a = 1\nx = 1\n"
    )
    assert toml_lines.remove(toml_lines.put("", ("bell",), value=True), ("bell",)) == ""


def test_keys_that_are_not_there_have_no_line() -> None:
    assert toml_lines.line_of("\n[keys]\n", ("keys", "up")) == 2
    assert toml_lines.line_of("bell = true\n", ("keys", "up")) is None
    assert toml_lines.line_of("bell =", ("bell",)) is None


# The command -------------------------------------------------------------------------------


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Run `manse config`; return its output, or its complaint."""
    assert main(list(arguments)) == status
    printed = capsys.readouterr()
    assert (printed.out == "") == bool(status)
    return printed.err if status else printed.out


def test_config_tells_everything(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(home, 'theme = "light"\nlanguage = "en"\nkeys.chat = ["k"]')

    text = told(capsys)

    for one in SETTINGS:
        assert f"\n{one.name} = " in text
    for action in USUAL.rebindable:
        assert f"\nkeys.{action.value} = [" in text
    assert 'theme = "light"\n    What the colours' in text
    assert '    allowed: "dark", "light", "contrast", "plain"\n    default: "dark"\n' in text
    assert 'keys.chat = ["k"]\n    say something to the table\n    default: ["c", "tab"]' in text
    # Nobody's terminal is at the other end: nothing is broken into lines.
    assert f"\n    {EN.say('setting.theme')}\n" in text
    assert "<" not in text


def test_config_speaks_the_players_language(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, 'language = "fr"')
    monkeypatch.setenv("NO_COLOR", "1")

    assert "parler à la table" in told(capsys)
    assert "NO_COLOR est défini" in told(capsys)


def test_config_tells_scripts(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    found = json.loads(told(capsys, "--json"))

    assert found["file"] == str(home / config.FILE)
    assert found["exists"] is False
    by_name = {one["name"]: one for one in found["settings"]}
    assert by_name["dice"]["allowed"] == [True, False]
    assert by_name["keys.chat"]["value"] == ["c", "tab"]
    assert json.loads(told(capsys, "--json", "set", "bell", "on")) == {
        "file": str(home / config.FILE),
        "name": "bell",
        "value": True,
    }


def test_config_says_where_the_file_lies(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(home, "nonsense")

    assert told(capsys, "--path") == f"{home / config.FILE}\n"


@pytest.mark.parametrize(
    ("words", "prefs"),
    [
        (("theme", "light"), Preferences(theme=Theme.LIGHT)),
        (("name", "Ann", "Lee"), Preferences(name="Ann Lee")),
        (("dice", "no"), Preferences(dice=False)),
        (("bell", "ON"), Preferences(bell=True)),
        (("language", "fr"), Preferences(language="fr")),
        (("keys.chat", "k", "tab"), Preferences(keys={"chat": ("k", "tab")})),
    ],
)
def test_config_sets_and_unsets(
    words: tuple[str, ...], prefs: Preferences, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / config.FILE

    told(capsys, "set", *words)
    assert config.read(path) == prefs
    assert "#mouse = true" in path.read_text("utf-8")

    told(capsys, "unset", words[0])
    assert config.read(path) == Preferences()
    assert path.read_text("utf-8") == config.template(EN)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("set", "theme", "blue"), 'theme cannot be "blue"; allowed: "dark"'),
        (("set", "dice", "perhaps"), 'dice cannot be "perhaps"; allowed: true, false'),
        (("set", "thema", "dark"), "there is no setting called thema; did you mean theme"),
        (("set", "keys", "dark"), "there is no setting called keys"),
        (("set", "keys.chat", "j"), "keys.chat: j means journal already in the game"),
        (("set", "keys.chat", "wheel"), "keys.chat: there is no key called wheel"),
        (("set", "keys.quit", "x"), "keys.quit: the keys of this action cannot be changed"),
        (("unset", "keys.fly"), "keys.fly: there is no action called fly"),
        (("unset", "thema"), "there is no setting called thema"),
    ],
)
def test_config_sets_nothing_that_makes_no_sense(
    words: tuple[str, ...], complaint: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, *words, status=2).startswith(f"manse config: {complaint}")
    assert not home.exists()


def test_unsetting_nothing_makes_no_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "unset", "theme")

    assert not home.exists()


def test_a_wrong_line_can_be_mended_by_the_command(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(home, 'theme = "blue"\nkeys.chat = ["j"]\n')
    assert "keys.chat" in told(capsys, "set", "theme", "light", status=2)
    assert path.read_text("utf-8") == 'theme = "blue"\nkeys.chat = ["j"]\n'

    write(home, 'theme = "blue"\n')
    told(capsys, "set", "theme", "light")
    assert path.read_text("utf-8") == 'theme = "light"\n'

    write(home, 'keys.chat = ["j"]\n')
    told(capsys, "set", "keys.chat", "k")
    assert path.read_text("utf-8") == 'keys.chat = ["k"]\n'


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of Unix")
def test_nobody_else_can_read_what_is_written(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, "set", "name", "Ann")
    path = home / config.FILE
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    path.chmod(0o644)
    told(capsys, "set", "name", "Zoe")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    # The other file is the lock, which has nothing in it.
    assert {one.name for one in home.iterdir() if one.stat().st_size} == {config.FILE}


@pytest.mark.skipif(sys.platform == "win32", reason="links are of Unix")
def test_a_link_stays_a_link(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some players keep their settings files in another folder and link to them."""
    kept = tmp_path / "dotfiles" / "manse.toml"
    kept.parent.mkdir()
    kept.write_text("# mine\n", "utf-8")
    home.mkdir()
    (home / config.FILE).symlink_to(kept)

    told(capsys, "set", "bell", "true")

    assert (home / config.FILE).is_symlink()
    assert kept.read_text("utf-8") == "# mine\nbell = true\n"


def test_a_file_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    home = tmp_path / "file" / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))

    assert "cannot be written" in told(capsys, "set", "bell", "true", status=1)
    with pytest.raises(NotKept) as caught:
        config.keeper(home / config.FILE, EN)("bell", True)
    assert "cannot be written" in caught.value.said(EN)


def test_what_is_kept_on_the_screen_is_found_the_next_time(home: Path) -> None:
    path = write(home, '# mine\nlanguage = "fr"\n')

    config.keeper(path, EN)("theme", "contrast")

    assert path.read_text("utf-8") == '# mine\nlanguage = "fr"\ntheme = "contrast"\n'


def test_the_usual_place_is_the_platforms(monkeypatch: pytest.MonkeyPatch) -> None:
    assert config.config_path({}).parts[-2:] == ("manse", config.FILE)
    assert config.config_path({HOME_VARIABLE: "/x"}) == Path("/x") / config.FILE


def test_default_keys_are_written_by_their_names() -> None:
    assert [written(key) for key in USUAL.keys_for(Action.MARK)] == ["space"]


def test_the_fingerprint_of_the_own_key_is_printed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host names an observer by this fingerprint."""
    assert main(["--fingerprint"]) == 0
    printed = capsys.readouterr().out.strip()

    key = load_player_key(home, lambda _: pytest.fail("another key was made"))
    assert parse_fingerprint(printed) == fingerprint(key.public)
    assert main(["--fingerprint"]) == 0
    assert capsys.readouterr().out.strip() == printed


def test_a_key_that_others_can_read_has_no_fingerprint_to_print(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--fingerprint"])
    (home / KEY_FILE).chmod(0o644)
    capsys.readouterr()

    assert main(["--fingerprint"]) == 1
    assert "chmod 600" in capsys.readouterr().err


@pytest.mark.issue(38)
def test_a_byte_order_mark_is_no_part_of_the_settings(home: Path) -> None:
    """Some editors write one; a change of the file removes it."""
    home.mkdir(exist_ok=True)
    path = home / "config.toml"
    path.write_text('theme = "light"\nlanguage = "fr"\n', "utf-8-sig")

    assert config.read(path).theme.value == "light"
    assert language_for([], {HOME_VARIABLE: str(home)}) == "fr"
    config.change(path, ("theme",), "dark", load("en"))
    assert config.read(path).theme.value == "dark"
