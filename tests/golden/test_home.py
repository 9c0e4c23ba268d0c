"""A player's folder of an earlier release: key, settings, servers met before, the last table."""

from pathlib import Path

import pytest

from client.keyring.identity import KnownServers, load_player_key
from client.locale import load
from client.model.remembered import Remembered, recall
from client.settings import config
from client.settings.preferences import Lines, MapSize, Preferences, Theme
from protocol.invitation import parse_address
from protocol.keys import fingerprint, fingerprint_text
from tests.golden.opening import Kept, key_of

KEPT = Kept("0.1.0")
WANTED = Preferences(
    name="Ann",
    language="fr",
    theme=Theme.CONTRAST,
    lines=Lines.ASCII,
    map=MapSize.COMPACT,
    dice=False,
    story=False,
    mouse=False,
    bell=True,
    title=False,
    clipboard=False,
    keys={"chat": ("c", "f5")},
)
"""Every setting of 0.1.0, each with another value than its default."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a copy of the kept player's folder."""
    return KEPT.copy_home(tmp_path / "home")


def test_key_is_the_players(home: Path) -> None:
    key = load_player_key(home, bytes)

    assert key.public == key_of("Ann").public


def test_settings_are_as_they_were_chosen(home: Path) -> None:
    assert config.read(home / config.FILE) == WANTED


def test_settings_can_be_changed_where_they_stand(home: Path) -> None:
    path = home / config.FILE
    before = path.read_text("utf-8")

    config.change(path, ("theme",), "light", load("en"))

    assert config.read(path).theme is Theme.LIGHT
    assert path.read_text("utf-8") == before.replace('\ntheme = "contrast"', '\ntheme = "light"')


@pytest.mark.parametrize(
    ("address", "is_ours"),
    [("127.0.0.1:7777", True), ("house.example:8123", True), ("[::1]:7777", False)],
)
def test_servers_met_before_are_known(home: Path, address: str, *, is_ours: bool) -> None:
    known = KnownServers(home / "known_servers").fingerprint_of(parse_address(address))

    assert known is not None
    assert (fingerprint_text(known) == KEPT.facts["server"]) == is_ours
    assert is_ours or known == fingerprint(key_of("another server").public)


def test_last_table_is_remembered(home: Path) -> None:
    room_id = KEPT.rooms["in-the-middle"]["room_id"]

    assert recall(home) == Remembered("127.0.0.1:7777", room_id, "Ann")
