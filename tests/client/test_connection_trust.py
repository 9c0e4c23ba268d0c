"""The player's key and trusted servers: private files that are never overwritten or guessed at."""

import os
from pathlib import Path

import pytest

from client.keyring.identity import (
    HOME_VARIABLE,
    IdentityProblem,
    KnownServers,
    ServerTrust,
    home_folder,
    load_player_key,
)
from client.locale import load
from client.terminal.runner import Start
from protocol.invitation import Address
from protocol.keys import SigningKey, fingerprint_text

HERE = Address("example.org", 4470)
THERE = Address("2001:db8::1", 1)
ONE, OTHER = b"1" * 32, b"2" * 32


def new_bytes(length: int) -> bytes:
    """Return bytes that are good enough for a test."""
    return os.urandom(length)


def test_the_home_folder_can_be_chosen(tmp_path: Path) -> None:
    assert home_folder({HOME_VARIABLE: str(tmp_path)}) == tmp_path
    assert "manse" in str(home_folder({}))


def test_the_key_is_made_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"

    first = load_player_key(folder, new_bytes)
    again = load_player_key(folder, new_bytes)

    assert first.public == again.public
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    load_player_key(tmp_path, new_bytes)
    (tmp_path / "player.pem").chmod(0o644)

    with pytest.raises(IdentityProblem, match="chmod 600"):
        load_player_key(tmp_path, new_bytes)


@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_a_damaged_key_is_never_overwritten(tmp_path: Path, content: bytes) -> None:
    """A new key would lose the player's seats, while a backup may still have the old one."""
    path = tmp_path / "player.pem"
    path.write_bytes(content)
    path.chmod(0o600)

    with pytest.raises(IdentityProblem, match=r"player\.pem"):
        load_player_key(tmp_path, new_bytes)

    assert path.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(IdentityProblem):
        load_player_key(tmp_path / "file" / "home", new_bytes)


def test_servers_are_remembered(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "home" / "known_servers")
    assert known.fingerprint_of(HERE) is None

    for address, shown in ((HERE, ONE), (THERE, ONE), (HERE, OTHER)):
        known.remember(address, shown)

    assert known.fingerprint_of(HERE) == OTHER
    assert known.fingerprint_of(THERE) == ONE
    names = {path.name for path in known.path.parent.iterdir()}
    assert names == {"known_servers", ".known_servers.lock"}


@pytest.mark.parametrize("line", ["x", "a b c", f"h:1 {'1' * 52}"])
def test_a_damaged_list_of_servers_is_not_guessed_at(tmp_path: Path, line: str) -> None:
    """Beginning with an empty list would mean trusting any server."""
    path = tmp_path / "known_servers"
    path.write_text(f"\nh:1 {fingerprint_text(ONE)}\n{line}\n")

    with pytest.raises(IdentityProblem, match="line 3"):
        KnownServers(path).fingerprint_of(HERE)


def test_a_key_is_trusted_by_invitation_else_memory_else_first_use(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "known_servers")

    assert ServerTrust(known, HERE).pinned() is None
    assert ServerTrust(known, HERE, ONE).pinned() == ONE
    ServerTrust(known, HERE).learned(ONE)
    assert ServerTrust(known, HERE).pinned() == ONE
    assert ServerTrust(known, HERE, ONE).pinned() == ONE


def test_an_invitation_to_another_server_than_the_known_one_is_refused(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "known_servers")
    known.remember(HERE, ONE)

    with pytest.raises(IdentityProblem) as caught:
        ServerTrust(known, HERE, OTHER).pinned()

    text = str(caught.value)
    for part in (fingerprint_text(ONE), fingerprint_text(OTHER), str(HERE), str(known.path)):
        assert part in text


def test_a_changed_identity_is_explained(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "known_servers")

    met = ServerTrust(known, HERE).explain(ONE, OTHER)
    invited = ServerTrust(known, HERE, ONE).explain(ONE, OTHER)

    difference = f"its fingerprint is {fingerprint_text(OTHER)} instead of {fingerprint_text(ONE)}"
    assert f"met there before: {difference}. " in met
    assert difference in invited
    assert str(known.path) in met
    assert "ask for a new invitation" in invited


def test_two_programs_that_start_at_once_have_one_key(tmp_path: Path) -> None:
    theirs: list[SigningKey] = []

    def make_meanwhile(length: int) -> bytes:
        theirs.append(load_player_key(tmp_path, new_bytes))
        return os.urandom(length)

    mine = load_player_key(tmp_path, make_meanwhile)

    assert mine.public == theirs[0].public
    assert len(list(tmp_path.iterdir())) == 1


def test_it_is_explained_in_the_players_language(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "known_servers", load("fr").say)

    told = ServerTrust(known, HERE).explain(ONE, OTHER)
    assert f"son empreinte est {fingerprint_text(OTHER)} au lieu de {fingerprint_text(ONE)}" in told
    assert "Rien ne lui a été envoyé" in told
    assert "retirez la ligne" in told


@pytest.mark.parametrize("is_named", [True, False])
def test_a_client_is_started_with_its_language_for_that_too(is_named: bool, tmp_path: Path) -> None:
    start = Start(HERE, "Ann", "fr", ONE, tmp_path, keeps_no_server=is_named)

    assert "Rien ne lui a été envoyé" in start.trust().explain(ONE, OTHER)
