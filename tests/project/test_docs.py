"""The commands that docs/ tells people to type exist; its names and numbers are real."""

import re
from pathlib import Path
from typing import Final

import pytest

from client.keyring.identity import KEY_FILE, KNOWN_FILE
from commands import main as command
from deploy.changelog import TITLES, fragments
from protocol.archive import MAX_FILE_BYTES
from protocol.frames import LIMIT_AFTER_LOGIN
from protocol.invitation import DEFAULT_PORT
from server.identity import certificate, identity
from server.lobby.tables.opening_policy import Policy
from server.net.limits import Limits
from server.process.app import DATABASE
from tests.project.entries import named as command_named

ROOT: Final = Path(__file__).parents[2]
UNIT: Final = ROOT / "deploy" / "manse.service"
PAGES: Final = sorted((ROOT / "docs").glob("*.md"))


def text_of(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def commands(text: str) -> list[list[str]]:
    """Return the command lines of a page, from code blocks and running text."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    typed = re.findall(r"^[$#] (.*)", "\n".join(blocks), re.MULTILINE)
    flowing = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.findall(r"`((?:make|manse) [^`]+)`", flowing)
    return [line.removeprefix(".venv/bin/").split() for line in (*typed, *prose)]


def fault(line: list[str], capsys: pytest.CaptureFixture[str]) -> str | None:
    """Return what a command line names that does not exist, or None."""
    if line[0] == "make":
        makefile = (ROOT / "Makefile").read_text("utf-8")
        targets = re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
        targets += [f"{name}=" for name in re.findall(r"\$\(([A-Z]+)\)", makefile)]
        words = (re.sub("=.*", "=", word) for word in line[1:])
        named = [word for word in words if not word.startswith(("-", "/"))]
        return next((f"make {word}" for word in named if word not in targets), None)
    if line[0] != "manse" or line[1].startswith("-"):
        return None
    if line[1] not in command.COMMANDS:
        return f"manse {line[1]}"
    tool = line[2:3] if line[1] in {"admin", "content", "store"} else []
    with pytest.raises(SystemExit):
        command_named(line[1])([*tool, "--help"])
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    options = [word.partition("=")[0] for word in line[2:] if word.startswith("--")]
    return next((f"{line[1]} {option}" for option in options if option not in known), None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_what_is_typed_exists(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = commands(page.read_text("utf-8"))

    assert lines
    assert [wrong for line in lines if (wrong := fault(line, capsys)) is not None] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_subcommand_for_players_is_described() -> None:
    described = {line[1] for line in commands(text_of("playing.md")) if line[0] == "manse"}

    assert set(command.COMMANDS) - described == {"serve", "admin", "store", "content"}


def test_the_files_of_the_folders_are_named() -> None:
    serving, playing = text_of("serving.md"), text_of("playing.md")

    for name in (identity.FILE_NAME, certificate.FILE_NAME, DATABASE, f"{DATABASE}-wal"):
        assert f"| `{name}` |" in serving
    assert f"`{KEY_FILE}`" in playing
    assert f"`{KNOWN_FILE}`" in playing


def test_the_usual_port_is_named() -> None:
    serving = text_of("serving.md")

    assert f"TCP port {DEFAULT_PORT}" in serving
    assert set(re.findall(r"TCP(?: port)? (\d+)", serving)) == {str(DEFAULT_PORT)}


def test_the_proxies_of_the_page_lead_to_the_server() -> None:
    serving = text_of("serving.md")
    [line] = [line for line in commands(serving) if "--proxy" in line]
    given = dict(zip(line[2::2], line[3::2], strict=True))
    server, public = f"{given['--host']}:{given['--port']}", given["--public-address"].split(":")[1]
    found = re.findall(r"```(haproxy|nginx)\n(.*?)```", serving, re.DOTALL)
    blocks = dict(found)
    assert given["--proxy"] == given["--host"]
    assert f"\n    bind :{public}\n" in blocks["haproxy"]
    assert f"\n    server manse {server} send-proxy-v2 " in blocks["haproxy"]
    assert f"\n        listen {public};\n" in blocks["nginx"]
    assert f"\n        proxy_pass {server};\n        proxy_protocol on;\n" in blocks["nginx"]
    silence = r"(?:timeout (?:client|server)|proxy_timeout) (\d+)m"
    minutes = re.findall(silence, "".join(blocks.values()))
    assert len(minutes) == 3
    assert all(60 * int(each) > Limits().idle_seconds for each in minutes)


def test_limits_are_the_real_ones() -> None:
    limits, serving = Limits(), text_of("serving.md")
    places = limits.places
    at_address, of_key = places.address_logins_per_second, places.key_logins_per_second
    by_address, waiting = places.sessions_per_address, places.waiting_per_address

    for row in (
        f"| {places.sessions}, and {places.reserved} more whose keys are known |",
        f"| {places.sessions_per_address}, and {places.sessions_per_known_key} for each key that",
        f"| {places.handshakes} without TLS and {places.logins} with, {waiting} from one",
        f"{limits.handshake_seconds:.0f} seconds, {limits.login_seconds:.0f} seconds",
        f"; {places.crowded_seconds:.0f} seconds for both",
        f"| {places.address_logins_at_once:.0f} at once, then {at_address:.0f} a second |",
        f"| {places.key_logins_at_once:.0f} at once, then {of_key:.0f} a second",
        (
            f"until {places.known_seconds / 86400:.0f} days after its last, "
            f"with up to {by_address} keys per address"
        ),
        f"| {limits.idle_seconds:.0f} seconds (",
        f"{limits.messages_per_second:.0f} a second, {limits.messages_at_once:.0f} at once",
        f"| {limits.queue_bytes >> 20} MiB |",
        f"dropped | {limits.queue_bytes_in_all >> 20} MiB |",
        f"| {LIMIT_AFTER_LOGIN >> 10} KiB |",
        f"| unfinished tables of one player | {Policy().tables_per_key} |",
        f"| {MAX_FILE_BYTES >> 20} MiB;",
    ):
        assert row in serving


def test_the_unit_starts_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    unit = UNIT.read_text("utf-8")
    [started] = re.findall(r"^ExecStart=/opt/manse/.venv/bin/(.*)", unit, re.MULTILINE)

    assert fault(started.split(), capsys) is None
    assert "--folder=%S/manse" in started
    assert "\nStateDirectory=manse\n" in unit


def test_fragments_are_of_known_types() -> None:
    fragments(ROOT)
    explained = (ROOT / "newsfragments" / "README.md").read_text("utf-8")
    assert [kind for kind in TITLES if f"| `{kind}` |" not in explained] == []
