"""Exports are checked before they are written, and written whole or not at all."""

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands import robots
from client.commands.export import NotExported, save, write, zip_of_pack
from client.commands.sessions import last_game
from client.commands.verify import check
from client.locale import load
from client.model.status import GaveUp
from client.terminal.runner import NotReached
from protocol import codec
from protocol.archive import BadArchive
from protocol.common.table import Stage
from protocol.messages import TableLine
from tests.protocol.archives import Log, archive, finished_log
from tests.protocol.archives import _beginning as finished_events

DATA = archive(finished_log())


def test_a_good_file_is_written(tmp_path: Path) -> None:
    """The file is its owner's alone, since it may hold secrets of a seat."""
    path = tmp_path / "game.manse"

    verdict = save(DATA, path, overwrite=False)

    assert verdict.report.is_whole
    assert path.read_bytes() == DATA
    assert path.stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir()] == ["game.manse"]


@pytest.mark.issue(38)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_table_that_waits_for_its_game_is_not_still_going_on(language: str) -> None:
    log, say = Log(), load(language).say
    for event in itertools.islice(finished_events(log), 3):
        log.add(event)
    told = check(archive(log, is_whole=False)).lines("room.manse", load(language))

    assert say("verify.waiting") in told
    assert not {say("verify.running"), say("verify.finished")} & {*told}


@pytest.mark.issue(38)
@pytest.mark.parametrize("name", ["a" * 249 + ".manse", "\U0001f409.manse", "CON", "-f", ".manse"])
def test_a_file_may_have_any_name_that_the_disk_allows(tmp_path: Path, name: str) -> None:
    save(DATA, tmp_path / name, overwrite=False)
    save(DATA, tmp_path / name, overwrite=True)

    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [(name, DATA)]


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    "name",
    ["../items.yaml", "/items.yaml", "a//b.yaml", "./a.yaml", "C:a.yaml", "..\\a.yaml", "a\x1b"],
)
def test_a_pack_whose_names_lead_out_of_it_is_not_saved(name: str) -> None:
    """The player may unpack the zip with another program."""
    sent = codec.encode((("", b"any"), (name, b"")), tuple[tuple[str, bytes], ...])

    with pytest.raises(NotExported, match="leads out"):
        zip_of_pack(sent)


def test_a_bad_one_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(BadArchive):
        save(DATA[:-1], tmp_path / "game.manse", overwrite=True)

    assert not list(tmp_path.iterdir())


def test_what_is_there_stays_unless_it_is_to_be_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.manse"
    path.write_text("dear diary")

    with pytest.raises(FileExistsError):
        save(DATA, path, overwrite=False)

    assert path.read_text() == "dear diary"
    save(DATA, path, overwrite=True)
    assert path.read_bytes() == DATA


@pytest.mark.issue(36)
@pytest.mark.parametrize("overwrite", [True, False])
def test_two_files_are_written_or_none(tmp_path: Path, *, overwrite: bool) -> None:
    first, second = tmp_path / "game.manse", tmp_path / "pack.zip"
    second.mkdir()

    with pytest.raises(IsADirectoryError if overwrite else FileExistsError):
        write({first: b"game", second: b"pack"}, overwrite=overwrite)

    assert list(tmp_path.iterdir()) == [second]
    second.rmdir()
    write({first: b"game", second: b"pack"}, overwrite=overwrite)
    assert (first.read_bytes(), second.read_bytes()) == (b"game", b"pack")


class Lossy:
    """A client that loses its connection a given number of times, and may reconnect."""

    def __init__(self, losses: int, *, comes_back: bool) -> None:
        self.asked = 0
        self._losses = losses
        self._comes_back = comes_back
        self.model = SimpleNamespace(is_online=True, status=None)

    async def fetch(self, _: object, room_id: str) -> bytes:
        """Return the log, or lose the connection once more."""
        self.asked += 1
        if self.asked > self._losses:
            return room_id.encode()
        self.model.is_online = False
        raise NotReached("lost")

    async def until(self, test: Callable[[], bool]) -> None:
        """Reconnect, or give up."""
        assert not test()
        self.model.is_online = self._comes_back
        if not self._comes_back:
            self.model.status = GaveUp("net/banned", "banned")
        assert test()


def _fetched_by(client: Any, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr(robots, "fetch", client.fetch)
    return asyncio.run(robots._fetch_archive(client, "room"))


def test_a_bot_asks_again_for_a_game_that_did_not_come_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that restarts during the export must not cost the bot its file."""
    client = Lossy(2, comes_back=True)

    assert _fetched_by(client, monkeypatch) == b"room"
    assert client.asked == 3


def test_a_bot_that_is_sent_away_asks_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Lossy(1, comes_back=False)

    with pytest.raises(NotReached):
        _fetched_by(client, monkeypatch)
    assert client.asked == 1


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("followed", "found"),
    [
        ("evening", "evening"),
        ("running", "running"),
        ("practice", "evening"),
        ("waiting", "evening"),
        ("gone", "evening"),
        ("", "evening"),
    ],
)
def test_the_last_game_is_neither_practice_nor_a_table_that_waits(
    followed: str, found: str
) -> None:

    def line(name: str, stage: Stage, when: int, *, is_practice: bool = False) -> TableLine:
        return TableLine(name, "core/s", stage, ("Ann",), False, when, is_practice)

    tables = [
        line("waiting", Stage.LOBBY, 9),
        line("practice", Stage.OVER, 8, is_practice=True),
        line("running", Stage.PLAYING, 7),
        line("evening", Stage.OVER, 6),
        line("before", Stage.OVER, 5),
    ]

    assert last_game(tables, followed) == found
    assert last_game(tables[:2], followed) == ""
    assert last_game(tables[:3], followed) == "running"
