"""Invitations, hosts and names as other programs hand them to the commands."""

import unicodedata
from pathlib import Path

import pytest

from client.commands import cli
from client.commands.config import main as config
from client.keyring.identity import HOME_VARIABLE
from client.settings.config import FILE
from client.terminal.runner import Start
from protocol.invitation import Address, Invitation, code_text
from server.commands import cli as server

pytestmark = pytest.mark.issue(38)

INVITATION = Invitation(Address("example.org", 4471), code_text(b"0123456789"), b"f" * 32)
HOST, CODE, FINGERPRINT = str(INVITATION).split("/")


@pytest.fixture(autouse=True)
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Start]:
    """Collect what the commands would start, without starting it."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    found: list[Start] = []
    original = cli._start

    def start(*given: object, **named: object) -> Start:
        found.append(original(*given, **named))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(cli, "_start", start)
    monkeypatch.setattr(cli, "_run", lambda *_: 0)
    return found


@pytest.mark.parametrize(
    "mangled",
    [
        f"<{INVITATION}>",
        f"\N{LEFT DOUBLE QUOTATION MARK}{INVITATION}\N{RIGHT DOUBLE QUOTATION MARK}",
        f"\N{LEFT SINGLE QUOTATION MARK}{INVITATION}\N{RIGHT SINGLE QUOTATION MARK},",
        f"«\N{NO-BREAK SPACE}{INVITATION}\N{NO-BREAK SPACE}».",
        f"{INVITATION}.",
        f"{INVITATION},",
        f"manse join\N{NO-BREAK SPACE}{INVITATION}",
        f"{HOST}/\N{ZERO WIDTH SPACE}{CODE}/\N{WORD JOINER}{FINGERPRINT}",
        f"{HOST}/{CODE}/{FINGERPRINT[:20]}\n> {FINGERPRINT[20:]}",
        f"{HOST}/{CODE}/{FINGERPRINT[:20]}=\r\n{FINGERPRINT[20:]}",
        f"{HOST}=2F{CODE}=2F{FINGERPRINT.replace('-', '=2D')}=20",
        f"{HOST[:5]}=\n{HOST[5:]}/{CODE}/{FINGERPRINT}",
        str(INVITATION).replace("-", "\N{NON-BREAKING HYPHEN}"),
        f"Come and play: manse join {INVITATION} \N{GRINNING FACE}",
        f"manse join {INVITATION}, see you at 8/9!",
    ],
)
def test_an_invitation_is_joined_as_it_was_pasted(mangled: str, starts: list[Start]) -> None:
    for words in ([mangled], mangled.split()):
        assert cli.join(words) == 0

    assert {(one.address, one.invited) for one in starts} == {
        (INVITATION.address, INVITATION.fingerprint)
    }


@pytest.mark.parametrize("host", ["bücher.example", unicodedata.normalize("NFD", "bücher.example")])
def test_a_host_beyond_ascii_is_one_server(host: str, starts: list[Start]) -> None:
    found = Address("xn--bcher-kva.example", 4471)

    assert cli.play(["--server", f"{host}:4471"]) == 0
    assert cli.join([f"{host}:4471/{CODE}/{FINGERPRINT}"]) == 0

    assert [one.address for one in starts] == [found, found]
    assert server.serve(["--check", "--public-address", f"{host}:4471"]) == 0


@pytest.mark.parametrize("way", ["option", "file", "set"])
def test_a_decomposed_name_is_composed(way: str, starts: list[Start], tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "Zoé")
    if way == "file":
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / FILE).write_text(f'name = "{name}"\n', "utf-8")
    elif way == "set":
        assert config(["set", "name", name]) == 0

    assert cli.play(["--name", name] if way == "option" else []) == 0

    assert [one.name for one in starts] == ["Zoé"]
