"""A client that comes back to a table reads its cached records and requests the rest."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client.cache.table_file import TableFile
from client.journal.journal import Journal
from protocol import messages
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import assert_same, room_id_of, start_all


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of Ada's cached tables."""
    return tmp_path / "tables"


def begin(house: House, folder: Path, language: str = "en") -> tuple[str, Client]:
    """Let Ada cache a game that goes on without her; return its room, and Ben."""
    _, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ben)
    ada = house.client("Ada", folder=folder, language=language)
    ada.port.enter(room_id)
    house.settle()
    leave(ada)
    return room_id, ben


def leave(client: Client) -> None:
    """End a client, as the end of its process would."""
    client.port.leave_table()
    client.house.settle()
    client.disconnect()


def back(house: House, folder: Path, room_id: str, language: str = "en") -> Client:
    """Return a new client of Ada's that has entered the table."""
    ada = house.client("Ada", folder=folder, language=language)
    ada.port.enter(room_id)
    house.settle(3)
    return ada


def sent(client: Client) -> int:
    """Return the number of records that a session was sent."""
    return sum(len(message.cuts) for message in client.session.all(messages.Records))


def journal(client: Client) -> list[str]:
    """Return the lines of a client's journal."""
    told = Journal(lambda: client.model.speaker)
    view = client.model.view
    assert view is not None
    told.begin(view)
    return [str(line) for line in told.lines]


def file_of(folder: Path) -> Path:
    [path] = folder.glob("*.table")
    return path


@pytest.mark.parametrize("language", ["en", "fr"])
def test_only_what_is_new_is_sent(house: House, folder: Path, language: str) -> None:
    room_id, ben = begin(house, folder, language)
    ben.port.chat("while you were away")
    house.settle()

    ada = back(house, folder, room_id, language)

    fresh = house.client("Ada", language=language)
    fresh.port.enter(room_id)
    house.settle()
    assert_same(house, [ada])
    assert sent(ada) < 12 < sent(fresh)
    assert journal(ada) == journal(fresh)


def test_what_comes_later_is_kept_too(house: House, folder: Path) -> None:
    room_id, ben = begin(house, folder)
    for evening in range(3):
        ada = back(house, folder, room_id)
        ben.port.chat(f"evening {evening}")
        house.settle()
        leave(ada)

    ada = back(house, folder, room_id)

    assert_same(house, [ada])
    assert sent(ada) < 4


@pytest.mark.parametrize("cut_off", [1, 500, 5000])
def test_damaged_file_costs_no_more_than_time(house: House, folder: Path, cut_off: int) -> None:
    room_id, _ = begin(house, folder)
    path = file_of(folder)
    data = path.read_bytes()
    path.write_bytes(data[:-cut_off])

    ada = back(house, folder, room_id)
    leave(ada)

    again = back(house, folder, room_id)
    assert_same(house, [again])
    assert sent(again) < 4


def test_records_that_were_changed_are_thrown_away(house: House, folder: Path) -> None:
    """Somebody with access to the disk must not be able to fake a game."""
    room_id, _ = begin(house, folder)
    held = TableFile.open(file_of(folder), room_id)
    parts = list(held.parts())
    held.empty()
    shown = [one for part in parts for one in part.cuts]
    forged = [*shown[:3], *shown[4:]]
    held.add(0, 0, forged, parts[0].words)
    held.close()

    ada = back(house, folder, room_id)

    assert_same(house, [ada])
    assert sent(ada) == len(shown)


def test_server_with_another_log_is_noticed(house: House, folder: Path) -> None:
    room_id, ben = begin(house, folder)
    older = house.log_of(room_id)
    ben.port.chat("lost with the disk")
    house.settle()
    leave(back(house, folder, room_id))
    house.lobby.close()
    house.store = type(house.store)()
    _ = house.store.append(room_id, 0, older)
    house.restart()

    ada = back(house, folder, room_id)

    assert "is not the one that you were shown before" in ada.model.bar.text
    assert_same(house, [ada])
    leave(ada)
    again = back(house, folder, room_id)
    assert not again.session.last(messages.Entered).is_other
    assert sent(again) < 4


def test_other_language_is_asked_for_whole(house: House, folder: Path) -> None:
    """A file has the words of one language."""
    room_id, _ = begin(house, folder)

    ada = back(house, folder, room_id, "fr")

    fresh = house.client("Ada", language="fr")
    fresh.port.enter(room_id)
    house.settle()
    assert journal(ada) == journal(fresh)


def test_table_that_is_gone_is_not_shown_as_it_was(house: House, folder: Path) -> None:
    room_id, _ = begin(house, folder)
    house.lobby.close()
    house.store = type(house.store)()
    house.restart()

    ada = back(house, folder, room_id)

    assert ada.session.all(messages.Refusal)
    assert ada.model.view is None


def test_second_client_of_the_same_player_plays_on(house: House, folder: Path) -> None:
    """The first client holds the file."""
    room_id, _ = begin(house, folder)
    first = back(house, folder, room_id)

    second = back(house, folder, room_id)

    assert first.model.view is not None
    assert_same(house, [second])


def test_folder_that_cannot_be_written_is_said_once(house: House, tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("in the way")
    _, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ben)

    ada = back(house, folder, room_id)

    assert_same(house, [ada])


def test_table_comes_back_a_part_at_a_time(
    house: House, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys and drawing are handled between the parts."""
    monkeypatch.setattr("client.net.kept.RECALLED_AT_ONCE", 8)
    room_id, ben = begin(house, folder)
    before = back(house, folder, room_id)
    for number in range(20):
        ben.port.chat(f"line {number}")
        house.settle()
    assert before.model.view is not None
    held = len(before.model.view.cuts)
    leave(before)

    ada = house.client("Ada", folder=folder)
    waiting: list[Callable[[], None]] = []
    ada.port.entry.later = waiting.append
    ada.port.enter(room_id)
    ways = []
    while waiting:
        assert ada.model.view is not None
        ways.append((ada.model.view.last + 1, ada.model.next_sequence))
        waiting.pop()()
    house.settle()

    assert_same(house, [ada])
    assert [have for have, _ in ways] == sorted({have for have, _ in ways})
    assert len(ways) > 2
    assert {due for _, due in ways} == {held}


def test_table_is_left_while_it_comes_back(house: House, folder: Path) -> None:
    room_id, _ = begin(house, folder)
    hasty = house.client("Ada", folder=folder)
    waiting: list[Callable[[], None]] = []
    hasty.port.entry.later = waiting.append

    hasty.port.enter(room_id)
    hasty.port.leave_table()
    for work in waiting:
        work()
    house.settle()

    assert hasty.model.view is None
    assert not hasty.session.all(messages.Entered)
