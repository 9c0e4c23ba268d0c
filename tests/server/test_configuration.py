"""`serve.toml`: its mistakes, its template, and the page that describes it."""

import os
import re
from pathlib import Path
from typing import Any

import attrs
import pytest

from commands.speaking import LANGUAGES, words_of
from protocol.keys import fingerprint_text
from protocol.plugs import games
from server.commands import cli
from server.identity.files import UnusableFile
from server.lobby.requests.pace import Paces
from server.lobby.tables.opening_policy import Opening, OpeningDefaults
from server.lobby.tables.retention import Retention
from server.net.limits import Limits
from server.process.app import Config, opening_of
from server.process.configuration import (
    BY_PATH,
    SECTIONS,
    SETTINGS,
    BadConfiguration,
    Configuration,
    parsed,
    shown_default,
    template,
)
from server.process.serving import config_of, configured
from server.system.faults import in_words

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
FILE = Path("/srv/manse/serve.toml")
EN = words_of("server", "en")

pytestmark = pytest.mark.issue(15)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the default folder to a temporary one."""
    monkeypatch.setenv("MANSE_HOME", str(tmp_path))
    return tmp_path


def chosen(*typed: str) -> Configuration:
    """Return the configuration that `manse serve` makes of a command line."""
    return configured(options_of(*typed))


def options_of(*typed: str) -> Any:
    """Parse the options of a command line as `manse serve` does."""
    return cli.options_of(cli._parser(typed), typed)


def fields_of(of: type[Any], section: str) -> set[str]:
    """Return the paths of all fields of a class of limits, nested ones included."""
    found = set()
    for field in attrs.fields(of):
        path = f"{section}.{field.name}"
        found |= fields_of(field.type, path) if attrs.has(field.type) else {path}
    return found


def complaints(text: str) -> tuple[str, ...]:
    """Return the complaints about a file."""
    with pytest.raises(BadConfiguration) as caught:
        parsed(text, FILE)
    return caught.value.said(EN)


# The table -----------------------------------------------------------------------------------


def test_every_limit_is_a_setting() -> None:
    assert fields_of(Limits, "limits") == {path for path in BY_PATH if path.startswith("limits.")}


def test_the_defaults_are_those_of_the_server(home: Path) -> None:
    options = options_of()

    made = config_of(chosen(), options)

    # Where an operator reaches it is no choice of theirs.
    assert made == Config(home / "server", cache=options.cache, has_admin_socket=True)


def test_how_long_tables_are_kept_is_all_there() -> None:
    names = {field.name for field in attrs.fields(Retention)}

    assert names == {one.name for one in SETTINGS if one.section == "retention"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_has_words(language: str) -> None:
    words = words_of("server", language)
    wanted = {f"setting.{path}" for path in BY_PATH} | {f"section.{name}" for name in SECTIONS}
    wanted |= {one.kind.allowed[0] for one in SETTINGS}

    assert {key for key in wanted if not words.has(key)} == set()


def test_no_words_are_of_a_setting_that_is_gone() -> None:
    """Translators would translate the words of a setting that is gone for nothing."""
    keys = {key for key in EN._phrases if key.startswith("setting.")}

    assert keys == {f"setting.{path}" for path in BY_PATH}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_template_changes_nothing(language: str) -> None:
    text = template(words_of("server", language))
    in_force = re.sub(r"^#(\w+ = )", r"\1", text, flags=re.MULTILINE)

    assert parsed(text, FILE) == {}
    assert parsed(in_force, FILE) == {
        one.path: one.kind.read(one.default, FILE.parent) for one in SETTINGS
    }


def rows() -> str:
    """Return the rows of the page's table."""
    found = []
    for one in SETTINGS:
        key, params = one.kind.allowed
        allowed = EN.say(key, *params).removeprefix("allowed: ")
        reload = "yes" if one.is_reloaded else "restart"
        about = EN.say(f"setting.{one.path}")
        found.append(
            f"| `{one.path}` | `{shown_default(one)}` | {allowed} | {reload} | {about} |\n"
        )
    return "".join(found)


def test_the_page_has_every_setting() -> None:
    """`MANSE_ACCEPT_SCREENS=1` writes the table anew."""
    page = PAGE.read_text("utf-8")
    head = r"(\| Setting \| Default \| Allowed \| Reload \| What it is \|\n\|[ |-]+\n)(?:\|.*\n)*"
    wanted, count = re.subn(head, lambda found: found[1] + rows(), page)
    assert count == 1
    if os.environ.get("MANSE_ACCEPT_SCREENS"):
        PAGE.write_text(wanted, "utf-8")
        page = wanted

    assert page == wanted


# Reading -------------------------------------------------------------------------------------


def test_the_file_changes_limits_at_any_depth(home: Path) -> None:
    (home / "serve.toml").write_text("[limits]\nidle_seconds = 90\n[limits.places]\nsessions = 7\n")

    limits = chosen("--config", str(home / "serve.toml")).limits

    assert (limits.idle_seconds, limits.places.sessions) == (90.0, 7)
    assert limits.login_seconds == Limits().login_seconds


def test_the_command_line_outdoes_the_file(home: Path) -> None:
    (home / "server").mkdir()
    (home / "server" / "serve.toml").write_text('[server]\nport = 4471\nname = "House"\n')

    both = chosen("--port", "4470")

    assert (both["server.port"], both["server.name"]) == (4470, "House")
    assert chosen()["server.port"] == 4471


def test_paths_begin_at_the_folder_of_the_file() -> None:
    read = parsed('[server]\ncertificate = "a.pem"\npacks = ["house", "/b.zip"]\n', FILE)

    assert read["server.certificate"] == FILE.parent / "a.pem"
    assert read["server.packs"] == (str(FILE.parent / "house"), "/b.zip")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[server]\nport = "x"\n', 'line 2: server.port cannot be "x"; allowed: a whole number'),
        ("[server]\n\nport = 70000\n", "line 3: server.port cannot be 70000"),
        ("[server]\nport = true\n", "server.port cannot be true"),
        ("[server]\nport = 4470.0\n", "server.port cannot be 4470.0"),
        ('[server]\nhost = ""\n', "server.host cannot be"),
        ('[server]\nname = "a\\u0007"\n', "server.name cannot be"),
        ('[server]\nname = " "\n', "server.name cannot be"),
        ('[server]\npublic_address = "a b"\n', "server.public_address cannot be"),
        ('[server]\nproxies = ["192.0.2.7/24"]\n', 'server.proxies cannot be "192.0.2.7/24"'),
        ('[server]\npacks = "house"\n', "server.packs cannot be"),
        ("[server]\ncertificate = 1\n", "server.certificate cannot be 1"),
        ("[logs]\nverbose = 1\n", "logs.verbose cannot be 1; allowed: true or false"),
        ("[limits]\nidle_seconds = inf\n", "limits.idle_seconds cannot be Infinity"),
        ("[limits]\nidle_seconds = nan\n", "limits.idle_seconds cannot be NaN"),
        ("[limits]\nidle_seconds = 30\n", "allowed: a number from 45"),
        ("[limits]\nmessages_at_once = 0.5\n", "allowed: a number from 1 "),
        ("[limits]\nplaces = 3\n", "there is no setting limits.places"),
        ("[limits.places]\nsessions = 0\n", "line 2: limits.places.sessions cannot be 0"),
        (
            '[server]\ngames = ["chess"]\n',
            'line 2: server.games cannot be "chess"; allowed: a list',
        ),
        (f'[server]\ngames = ["{games()[0]}", "woodz"]\n', 'games cannot be "woodz"; allowed'),
        ('[server]\ngames = ["chess"]\n', f'games out of "{games()[0]}"'),
        ('[server]\ngames = "chess"\n', "server.games cannot be"),
        ('[opening]\nwho = "friends"\n', 'cannot be "friends"; allowed: "everybody", "invited"'),
        ("[opening]\nwho = 1\n", "line 2: opening.who cannot be 1"),
        ('[opening]\nlisted = ["f3kq"]\n', 'line 2: opening.listed cannot be "f3kq"'),
        ("[opening]\ntables_per_key = 0\n", "opening.tables_per_key cannot be 0"),
        ('[opening]\nwho = "password"\n', "line 2: opening.who is password: name the file"),
        ("[pace]\ntables_at_once = 0.5\n", "allowed: a number from 1 "),
        ("[server]\nprot = 1\n", "line 2: there is no setting server.prot; did you mean"),
        ("port = 4471\n", "line 1: there is no setting port; did you mean server.port?"),
        ("[colours]\nred = 1\n", "line 1: there is no setting colours"),
        ("[server]\nport = x\n", "line 2: this is not TOML from column 8 on"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_setting(text: str, told: str, home: Path) -> None:
    file = home / "mine.toml"
    file.write_text(text)

    with pytest.raises(BadConfiguration) as caught:
        chosen("--config", str(file))

    [said] = caught.value.said(EN)
    assert said.startswith(str(file))
    assert told in said


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    said = complaints("[logs]\nverbose = 1\n[server]\nport = -1\nprot = 1\n")

    assert [re.findall(r"line (\d)", each) for each in said] == [["2"], ["4"], ["5"]]


def test_nothing_of_a_file_reaches_the_terminal_raw() -> None:
    """The file may come from anybody."""
    [said] = complaints('"\\u001b[2J" = 1\n')

    assert "\x1b" not in said


def test_a_file_that_was_named_has_to_be_there(home: Path) -> None:
    with pytest.raises(BadConfiguration) as caught:
        chosen("--config", str(home / "none.toml"))

    assert "there is no such file" in caught.value.said(EN)[0]
    assert chosen().file is None


def test_a_certificate_needs_its_key(home: Path) -> None:
    file = home / "mine.toml"
    file.write_text('[server]\ncertificate_key = "key.pem"\n')

    with pytest.raises(BadConfiguration) as caught:
        chosen("--config", str(file))

    assert "line 2: server.certificate and server.certificate_key" in caught.value.said(EN)[0]


def test_fingerprints_may_be_written_as_people_copy_them() -> None:
    name = fingerprint_text(b"k" * 32)

    read = parsed(f'[opening]\nlisted = ["{name.upper()}", "{name.replace("-", "")}"]\n', FILE)

    assert read["opening.listed"] == (name, name)


def test_the_file_says_who_opens_tables_and_how_fast(home: Path) -> None:
    (home / "serve.toml").write_text(
        '[opening]\nwho = "invited"\ntables_per_key = 3\n[pace]\ntables_at_once = 7\n'
    )

    made = config_of(chosen("--config", str(home / "serve.toml")), options_of())

    assert made.opening == OpeningDefaults(Opening.INVITED, tables_per_key=3)
    assert made.paces == Paces(tables_at_once=7.0)


# The password --------------------------------------------------------------------------------


def config_with(path: Path) -> Config:
    """Return the configuration of a server whose password is in this file."""
    return Config(path.parent, opening=OpeningDefaults(Opening.PASSWORD), password_file=path)


def test_the_password_is_the_first_line_of_its_file(home: Path) -> None:
    path = home / "password"
    path.write_text("correct horse\n# of the club\n")
    path.chmod(0o600)

    opening = opening_of(config_with(path))

    assert (opening.opening, opening.password) == (Opening.PASSWORD, "correct horse")
    assert "correct" not in repr(opening)


@pytest.mark.parametrize(
    ("text", "mode", "kind"),
    [
        (b"correct horse\n", 0o644, "readable"),
        (b"short\n", 0o600, "password"),
        (b"x" * 101, 0o600, "password"),
        (b"\n", 0o600, "password"),
        (None, 0o600, "unreadable"),
    ],
)
def test_a_password_that_cannot_be_used_is_told(
    home: Path, text: bytes | None, mode: int, kind: str
) -> None:
    path = home / "password"
    if text is not None:
        path.write_bytes(text)
        path.chmod(mode)

    with pytest.raises(UnusableFile) as caught:
        opening_of(config_with(path))

    assert caught.value.kind == kind
    for language in LANGUAGES:
        said = in_words(caught.value, words_of("server", language))
        assert str(path) in said
        assert "xxx" not in said


# The command ---------------------------------------------------------------------------------


def test_the_file_that_is_written_is_the_template(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "server" / "serve.toml"

    assert cli.serve(["--language", "en", "--write-config"]) == 0
    assert path.read_text("utf-8") == template(EN)
    assert str(path) in capsys.readouterr().out

    path.write_text("mine")
    assert cli.serve(["--language", "en", "--write-config"]) == 1
    assert path.read_text("utf-8") == "mine"
    assert "something else has that name" in capsys.readouterr().err


@pytest.mark.issue(39)
def test_a_game_is_spelled_as_in_commands_too(home: Path) -> None:
    file = home / "serve.toml"
    file.write_text(f'[server]\ngames = ["{games()[0].replace("_", "-").title()}"]\n')

    assert chosen("--config", str(file))["server.games"] == games()[:1]
