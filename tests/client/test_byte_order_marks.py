"""Settings files that begin with a byte order mark, as some editors write it."""

import os
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from client.commands.config import main as config
from client.commands.notifier import Reported
from client.keyring.identity import HOME_VARIABLE, KnownServers
from client.keyring.shares import KeptShare, KeptShares
from client.model.remembered import FILE, Remembered, recall, remember
from client.notes.note_book import Note, NoteBook
from client.settings import config as settings
from client.settings.preferences import Preferences, Theme
from commands.speaking import language_for
from protocol.invitation import Address
from protocol.messages import AwaitedLine

pytestmark = pytest.mark.issue(38)

BOM = b"\xef\xbb\xbf"
LIGHT = Preferences(theme=Theme.LIGHT)
SERVER = Address("example.org", 4470)
SHARE = KeptShare(b"s" * 32, b"t" * 32, 3)
LINE = AwaitedLine("a" * 24, ("Ann",), 5, is_shown=False)


@attrs.frozen
class File:
    """A settings file: how the client writes it, and how it is read again."""

    name: str
    write: Callable[[Path], object]
    read: Callable[[Path], object]
    found: object


def _say(key: str, *_: object) -> str:
    return key


FILES = (
    File(
        settings.FILE,
        lambda home: (home / settings.FILE).write_text('theme = "light"\nlanguage = "fr"\n'),
        lambda home: settings.read(home / settings.FILE).theme,
        Theme.LIGHT,
    ),
    File(
        settings.FILE,
        lambda home: (home / settings.FILE).write_text('language = "fr"\n'),
        lambda _: language_for([], dict(os.environ)),
        "fr",
    ),
    File(
        FILE,
        lambda home: remember(home, Remembered("host:1", "room", "Ann")),
        recall,
        Remembered("host:1", "room", "Ann"),
    ),
    File(
        "servers",
        lambda home: KnownServers(home / "servers", _say).remember(SERVER, b"f" * 32),
        lambda home: KnownServers(home / "servers", _say).fingerprint_of(SERVER),
        b"f" * 32,
    ),
    File(
        "shares",
        lambda home: KeptShares(home / "shares").keep("room", SHARE),
        lambda home: KeptShares(home / "shares").opened_at("room"),
        (SHARE,),
    ),
    File(
        "notified",
        lambda home: Reported(home / "notified", "host:1").select_new([LINE], [LINE]),
        lambda home: Reported(home / "notified", "host:1").select_new([LINE], [LINE]),
        [],
    ),
    File(
        "notes.json",
        lambda home: NoteBook(home / "notes.json").write(3, "look here"),
        lambda home: NoteBook(home / "notes.json").read(),
        (Note(3, "look here"),),
    ),
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    for name in ("MANSE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("file", FILES, ids=[one.name for one in FILES])
def test_a_file_is_read_as_without_it(file: File, home: Path) -> None:
    file.write(home)
    written = (home / file.name).read_bytes()
    assert file.read(home) == file.found

    (home / file.name).write_bytes(BOM + written)

    assert file.read(home) == file.found


def test_a_setting_is_changed_in_such_a_file(home: Path) -> None:
    path = home / settings.FILE
    path.write_bytes(BOM + b'theme = "light"\n')

    assert config(["set", "language", "fr"]) == 0

    read = settings.read(path)
    assert (read.theme, read.language) == (LIGHT.theme, "fr")
    assert path.read_text("utf-8").count("\ufeff") <= 1
