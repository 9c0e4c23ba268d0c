"""`manse store`: backups, restoring, checking and compacting."""

import datetime as dt
import json
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apsw
import attrs
import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.common.events import Chatted
from protocol.event import Stored
from server.lobby.rooms import summary
from server.lobby.tables.lost_seats import KIND as LOST_SEAT
from server.lobby.tables.retention import DAY_MS, MAX_QUIET_MS
from server.packs.shelf import KIND as PACK
from server.packs.shelf import PackShelf
from server.process.app import DATABASE
from server.storage.database import set_aside_as
from server.storage.schema import add_digest_function
from server.storage.sqlite import SqliteStore
from server.upkeep import cli, restoring, rooms, saving, tidying
from server.upkeep.opened import opened, result_of
from server.upkeep.rooms import summaries_in
from tests.golden.opening import Kept
from tests.kit.compiled import loaded, with_packs
from tests.kit.stores.memory import MemoryStore
from tests.kit.stores.waiting import Inbox
from tests.server.test_pairing import process_of

ROOT = Path(__file__).parents[2]
KEPT = Kept("0.1.0")
NAMES = (
    *("in-the-middle", "talked", "campaign-first", "unpublished", "short-3", "tutorial"),
    *("lobby", "paused"),
)
ROOMS = {name: KEPT.rooms[name] for name in NAMES}
"""Rooms that are left in the store: short ones of each kind."""
ROOM = ROOMS["in-the-middle"]["room_id"]

pytestmark = pytest.mark.issue(15)


@attrs.frozen
class Told:
    """Exit status and output of a tool."""

    status: int
    said: str
    complained: str

    @property
    def found(self) -> dict[str, Any]:
        """Return the JSON that the tool printed."""
        found: dict[str, Any] = json.loads(self.said)
        return found


@attrs.frozen
class Tools:
    """The tools of `manse store`, on one folder."""

    folder: Path
    captured: pytest.CaptureFixture[str]

    def __call__(self, *given: str | Path, folder: Path | None = None) -> Told:
        where = ["--folder", str(folder or self.folder), "--language", "en"]
        status = cli.main([*map(str, given), *where])
        said = self.captured.readouterr()
        return Told(status, said.out, said.err)


@pytest.fixture(scope="session")
def kept_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a server's folder of release 0.1.0, migrated to today's schema."""
    folder = KEPT.copy_server(tmp_path_factory.mktemp("store") / "server")
    only(folder, *NAMES)
    set_aside_as(folder / DATABASE, 1).unlink()
    return folder


@pytest.fixture
def folder(kept_server: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder, which a test may change."""
    home = kept_server.with_name("home")
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("MANSE_HOME", str(with_packs(home)))
    shutil.copytree(kept_server, tmp_path / "server")
    return tmp_path / "server"


@pytest.fixture
def store(folder: Path, capsys: pytest.CaptureFixture[str]) -> Tools:
    """Return the tools on the copied folder."""
    return Tools(folder, capsys)


def play_on(folder: Path, room_id: str = ROOM, events: int = 1) -> None:
    """Append records to a log, as if somebody had played; their content does not matter."""
    with opened(folder) as store:
        end = result_of(store.end(room_id))
        assert end is not None
        records = result_of(store.read(room_id))[:events]
        result_of(store.append(room_id, end.next_sequence, records))


def damage(folder: Path, statement: str) -> None:
    """Execute a statement on a database that no store has open; `:room` is the tests' room."""
    connection = apsw.Connection(str(folder / DATABASE))
    add_digest_function(connection)
    connection.execute(statement, {"room": ROOM} if ":room" in statement else ())
    connection.close()


def test_backup_holds_all_that_a_server_must_not_lose(store: Tools, tmp_path: Path) -> None:
    target = tmp_path / "backups" / "july"

    told = store("backup", target, "--json")

    assert told.status == 0
    assert sorted(each.name for each in target.iterdir()) == [
        *("certificate.pem", "identity.pem", "manifest.json", "rooms.sqlite"),
    ]
    modes = {stat.S_IMODE(each.stat().st_mode) for each in target.iterdir()}
    assert (modes, stat.S_IMODE(target.stat().st_mode)) == ({0o600}, 0o700)
    assert told.found["rooms"] == len(ROOMS)
    assert told.found["about"]["identity"] == KEPT.facts["server"]
    assert [each.name for each in target.parent.iterdir()] == ["july"]


def test_backup_of_a_store_that_goes_on_is_whole(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inbox = Inbox()
    running = SqliteStore.open(folder / DATABASE, inbox.call_in_reactor)
    end = inbox.wait(running.end(ROOM))
    assert end is not None

    made = saving.back_up(running, folder, tmp_path / "july")
    for more in range(20):
        batch = [Stored(bytes(3000), b"")]
        inbox.wait(running.append("other", more, batch))
    manifest = inbox.wait(made)
    inbox.wait(running.append("other", 20, [Stored(b"", b"")]))
    inbox.wait(running.close())

    told = Tools(tmp_path / "july", capsys)("check", "--json")
    assert manifest.about["identity"] == KEPT.facts["server"]
    assert told.found["rooms"] == manifest.rooms
    # What was put there for this test is no game.
    assert {fault["room"] for fault in told.found["faults"]} <= {"other"}
    assert {fault["kind"] for fault in told.found["faults"]} <= {"game"}


def test_backup_replaces_nothing(store: Tools, tmp_path: Path) -> None:
    (tmp_path / "july").mkdir()

    told = store("backup", tmp_path / "july")

    assert (told.status, list((tmp_path / "july").iterdir())) == (1, [])
    assert "is there already" in told.complained


def test_interrupted_backup_is_made_again(store: Tools, tmp_path: Path) -> None:
    left = tmp_path / "july.partial"
    left.mkdir()
    (left / DATABASE).write_bytes(b"half")
    assert store("backup", tmp_path / "july").status == 0

    left.mkdir()
    (left / "holiday.jpg").write_bytes(b"")
    shutil.rmtree(tmp_path / "july")
    told = store("backup", tmp_path / "july")

    assert (told.status, [each.name for each in left.iterdir()]) == (1, ["holiday.jpg"])


def test_backup_of_a_running_server_is_refused(store: Tools, tmp_path: Path) -> None:
    with process_of(
        *("serve", "--host", "127.0.0.1", "--port", "0", "--json", "--stop-with-stdin"),
        *("--folder", store.folder),
    ) as serving:
        assert serving.stdout is not None
        assert json.loads(serving.stdout.readline())["port"]
        shutil.copytree(store.folder, tmp_path / "kept", ignore=shutil.ignore_patterns("*.sock"))

        told = store("backup", tmp_path / "july")
        restored = store("restore", tmp_path / "kept" / DATABASE, "--replace")

        serving.communicate("")
    assert (told.status, restored.status) == (1, 1)
    named = f"`manse admin backup --folder {store.folder} {tmp_path / 'july'}`"
    assert named in told.complained
    assert not (tmp_path / "july").exists()
    assert not list(store.folder.glob("*.replaced"))


def test_restored_server_is_the_one_that_was_backed_up(store: Tools, tmp_path: Path) -> None:
    store("backup", tmp_path / "july")
    other = tmp_path / "other"

    assert store("restore", tmp_path / "july", folder=other).status == 0

    assert (other / "identity.pem").read_bytes() == (store.folder / "identity.pem").read_bytes()
    told = store("check", "--json", folder=other)
    assert (told.status, told.found["rooms"]) == (0, len(ROOMS))
    assert store("restore", tmp_path / "july", folder=other).status == 1


def test_restoring_names_what_was_played_since(store: Tools, tmp_path: Path) -> None:
    store("backup", tmp_path / "july")
    play_on(store.folder, events=3)

    told = store("restore", tmp_path / "july")

    assert told.status == 1
    assert "1 table has 3 events that the backup has not" in told.said
    assert ROOM in told.said
    assert "--replace" in told.said
    assert store("restore", tmp_path / "july", "--json").found["lost"][0]["events"] == 3


def test_what_is_replaced_stays_beside(store: Tools, tmp_path: Path) -> None:
    """A wrong backup can then be undone."""
    store("backup", tmp_path / "july")
    play_on(store.folder, events=3)

    told = store("restore", tmp_path / "july", "--replace", "--json")

    assert told.status == 0
    assert [each["events"] for each in told.found["lost"]] == [3]
    aside = store.folder / f"{DATABASE}.replaced"
    assert str(aside) in told.found["replaced"]
    assert store("restore", aside, "--json").found["lost"] == []
    again = store("restore", aside, "--replace")
    assert again.status == 0
    assert store("restore", tmp_path / "july", "--json").found["lost"][0]["events"] == 3


def test_interrupted_restoring_loses_nothing(
    store: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store("backup", tmp_path / "july")
    play_on(store.folder, events=3)

    def die(path: Path) -> None:
        raise OSError(5, "no", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "sync_folder", die)
        interrupted = store("restore", tmp_path / "july", "--replace")
    again = store("restore", tmp_path / "july", "--replace")

    assert (interrupted.status, again.status) == (1, 0)
    assert store("check", "--json").found["ok"]
    aside = store.folder / f"{DATABASE}.replaced"
    told = store("restore", aside, "--replace", "--json")
    assert told.status == 0
    assert store("restore", tmp_path / "july", "--json").found["lost"][0]["events"] == 3


def test_database_that_cannot_be_read_is_replaced_with_all_that_belongs_to_it(
    store: Tools, tmp_path: Path
) -> None:
    store("backup", tmp_path / "july")
    for ending in ("", "-wal", "-mark"):
        (store.folder / f"{DATABASE}{ending}").write_bytes(b"a damaged disk")

    told = store("restore", tmp_path / "july", "--replace")

    assert told.status == 0
    assert "cannot be read" in told.said
    assert (store.folder / f"{DATABASE}.replaced-wal").read_bytes() == b"a damaged disk"
    assert store("check", "--json").found["ok"]


@pytest.mark.issue(37)
def test_log_and_mark_that_are_both_gone_are_said_by_each_command(
    store: Tools, tmp_path: Path
) -> None:
    store("backup", tmp_path / "july")
    store("restore", tmp_path / "july", "--replace")
    restored = store("check", "--json").found["is_alone"]
    told = []
    for tool in (("check",), ("vacuum",), ("backup", tmp_path / "august")):
        (store.folder / f"{DATABASE}-mark").unlink()
        one = store(*tool)
        told.append("was found alone" in one.said + one.complained)

    assert restored is False
    assert told == [True, True, True]
    assert "was found alone" not in store("check").said


def test_game_that_went_another_way_counts_from_where_it_did(store: Tools, tmp_path: Path) -> None:
    play_on(store.folder, events=2)
    store("backup", tmp_path / "july")
    damage(
        store.folder,
        "UPDATE record SET public = x'00' WHERE room = :room"
        " AND sequence = (SELECT max(sequence) FROM record WHERE room = :room)",
    )

    told = store("restore", tmp_path / "july", "--json")

    assert [each["events"] for each in told.found["lost"]] == [1]


@pytest.mark.parametrize("name", [DATABASE, "identity.pem", "certificate.pem"])
def test_damaged_backup_is_not_restored(store: Tools, tmp_path: Path, name: str) -> None:
    store("backup", tmp_path / "july")
    damaged = tmp_path / "july" / name
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)

    told = store("restore", tmp_path / "july", "--replace")

    assert told.status == 1
    assert str(damaged) in told.complained
    assert not list(store.folder.glob("*.replaced"))
    assert store("check", "--json", folder=tmp_path / "july").found["faults"][0]["kind"] == "file"


@pytest.mark.parametrize(
    "manifest",
    [b"", b"{}", b'{"format": "manse backup 1", "database": "x", "files": {"../x": {}}}', None],
)
def test_folder_without_a_manifest_of_ours_is_no_backup(
    store: Tools, tmp_path: Path, manifest: bytes | None
) -> None:
    (tmp_path / "july").mkdir()
    if manifest is not None:
        (tmp_path / "july" / "manifest.json").write_bytes(manifest)

    told = store("restore", tmp_path / "july")

    assert (told.status, "is no backup" in told.complained) == (1, True)


def test_database_that_was_in_use_is_no_backup(store: Tools, tmp_path: Path) -> None:
    """What is in its write-ahead log would be lost without a word."""
    shutil.copyfile(store.folder / DATABASE, tmp_path / "copy.sqlite")
    (tmp_path / "copy.sqlite-wal").write_bytes(b"more")

    told = store("restore", tmp_path / "copy.sqlite")

    assert (told.status, "write-ahead log" in told.complained) == (1, True)


def test_rolling_back_is_restoring_the_copy_from_before_the_update(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Tools(KEPT.copy_server(tmp_path / "old"), capsys)
    with opened(store.folder):
        pass
    play_on(store.folder, events=2)
    copy = set_aside_as(store.folder / DATABASE, 1)

    told = store("restore", copy)
    done = store("restore", copy, "--replace", "--json")

    assert (told.status, done.status) == (1, 0)
    assert "1 table has 2 events" in told.said
    assert [each["room_id"] for each in done.found["lost"]] == [ROOM]
    checked = store("check", "--json")
    assert (checked.status, checked.found["schema"]) == (0, 1)


def test_sound_store_is_told_to_be(store: Tools) -> None:
    told = store("check", "--json")

    assert (told.status, told.found["ok"], told.found["faults"]) == (0, True, [])
    assert told.found["rooms"] == len(ROOMS)
    assert told.found["events"] == sum(facts["events"] for facts in ROOMS.values())


DAMAGES = {
    "changed": ("log", "UPDATE record SET public = x'00' WHERE room = :room AND sequence = 5"),
    "shortened": ("log", "DELETE FROM record WHERE room = :room AND sequence > 20"),
    "opened otherwise": (
        "game",
        "UPDATE record SET openings = x'90' WHERE room = :room AND length(openings) > 10",
    ),
    "of another identity": (
        "identity",
        (
            "INSERT OR REPLACE INTO item SELECT 'server', 'identity', value_digest('server',"
            " 'identity', zeroblob(32)), zeroblob(32)"
        ),
    ),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_found_and_named(store: Tools, what: str) -> None:
    kind, statement = DAMAGES[what]
    damage(store.folder, statement)

    told = store("check", "--json")

    assert told.status == 1
    assert [fault["kind"] for fault in told.found["faults"]] == [kind]
    assert told.found["faults"][0]["room"] == ("" if kind == "identity" else ROOM)


KINDS = (
    *("pack", "invitation", "summary", "snapshot", "setup", "setup_known", "game notes", "shared"),
    *("again", "mail", "ban", "opening", "lost seat", "server"),
)
"""Kinds of values that a server stores."""


@pytest.mark.issue(37)
def test_every_kind_of_value_is_listed_here() -> None:
    """A kind that is declared elsewhere has to be damaged below, too."""
    declared = [
        found
        for path in (ROOT / "server").rglob("*.py")
        for found in re.findall(
            r'^(?:KIND|AGAIN|SHARED|GAME_NOTES)(?:: Final)?(?:, KEY)? = "([^"/]+)"',
            path.read_text("utf-8"),
            re.MULTILINE,
        )
    ]

    assert sorted(declared) == sorted(KINDS)


def flip_a_bit(store: Tools, kind: str) -> str:
    """Flip a bit in a stored value of a kind; return the room of the value, empty for none."""
    with opened(store.folder) as opened_store:
        if kind not in {"pack", "summary"}:
            result_of(opened_store.put(kind, ROOM, b"\x90"))
        keys = [key for key, _ in result_of(opened_store.scan(kind))]
    key = ROOM if ROOM in keys else keys[0]
    connection = apsw.Connection(str(store.folder / DATABASE))
    of = (kind, key)
    value = connection.execute("SELECT value FROM item WHERE kind = ? AND key = ?", of).get
    at = len(value) // 2
    flipped = value[:at] + bytes([value[at] ^ 4]) + value[at + 1 :]
    connection.execute("UPDATE item SET value = ? WHERE kind = ? AND key = ?", (flipped, *of))
    connection.close()
    return ROOM if key == ROOM else ""


def check_flipped(store: Tools, kinds: Sequence[str]) -> None:
    """Flip a bit in a value of each kind; a check must find and name each."""
    # What is flipped cannot be listed any more.
    rooms = {kind: flip_a_bit(store, kind) for kind in kinds}

    told = store("check", "--json")

    assert told.status == 1
    found = [fault for fault in told.found["faults"] if fault["kind"] == "value"]
    assert sorted(found, key=lambda fault: str(fault["detail"])) == [
        {"kind": "value", "room": rooms[kind], "event": None, "detail": kind}
        for kind in sorted(kinds)
    ]
    assert {each["kind"] for each in told.found["faults"]} <= {"value", "game"}
    said = store("check").said
    assert [kind for kind in kinds if f'kind "{kind}" is not what was stored' not in said] == []


@pytest.mark.issue(37)
def test_a_flipped_bit_in_a_value_of_each_kind_is_found_and_named(store: Tools) -> None:
    check_flipped(store, KINDS)


@pytest.mark.issue(37)
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=() if kind in {"pack", "shared"} else pytest.mark.long)
        for kind in KINDS
    ],
)
def test_a_flipped_bit_in_a_single_value_is_found_and_named(store: Tools, kind: str) -> None:
    check_flipped(store, [kind])


@pytest.mark.issue(37)
def test_a_pack_that_was_damaged_before_digests_is_found(store: Tools) -> None:
    bundled = {pack.digest.hex() for pack in shelf_of(store.folder).newest.values()}
    with opened(store.folder) as opened_store:
        kept = dict(result_of(opened_store.scan(PACK)))
        key = min(kept.keys() - bundled)
        value = kept[key]
        at = len(value) // 2
        result_of(opened_store.put(PACK, key, value[:at] + b"?" + value[at + 1 :]))

    told = store("check", "--json")

    assert {"kind": "pack", "room": "", "event": None, "detail": key} in told.found["faults"]
    said = store("check").said
    assert f"Pack {key} is not what was stored" in said
    assert "written again at its next start" in said


def shelf_of(folder: Path) -> PackShelf:
    """Return a shelf of the packs that exist in files."""
    shelf = PackShelf(loaded)
    result_of(shelf.read(MemoryStore()))
    return shelf


@pytest.mark.issue(37)
@pytest.mark.parametrize("is_noticed", [True, False])
def test_a_pack_that_is_there_in_files_is_written_again(store: Tools, is_noticed: bool) -> None:
    with opened(store.folder) as opened_store:
        result_of(PackShelf(loaded).load(opened_store))
        before = dict(result_of(opened_store.scan(PACK)))
        key = min(pack.digest.hex() for pack in shelf_of(store.folder).newest.values())
        if not is_noticed:
            result_of(opened_store.put(PACK, key, before[key][:-1] + b"?"))
    if is_noticed:
        connection = apsw.Connection(str(store.folder / DATABASE))
        connection.execute("UPDATE item SET value = x'00' WHERE key = ?", (key,))
        connection.close()
        assert store("check").status == 1

    with opened(store.folder) as opened_store:
        result_of(PackShelf(loaded).load(opened_store))
        assert dict(result_of(opened_store.scan(PACK))) == before
    assert store("check").status == 0


@pytest.mark.issue(37)
@pytest.mark.parametrize("bit", [1, 0x80])
def test_a_flipped_bit_in_the_id_of_a_room_is_found(store: Tools, bit: int) -> None:
    file, room_id = store.folder / DATABASE, ROOM.encode()
    content = file.read_bytes()
    damaged = bytes([room_id[0] ^ bit]) + room_id[1:]
    spots = [found.start() for found in re.finditer(room_id, content)]
    found = set()
    for at in (spots[0], spots[len(spots) // 2], spots[-1]):
        file.write_bytes(content[:at] + damaged + content[at + len(damaged) :])
        told = store("check", "--json")
        assert told.status == bool(told.found["faults"])
        found.add(told.status)
    # One of them may be in a gap.
    assert 1 in found
    file.write_bytes(content.replace(room_id, damaged))

    told = store("check", "--json")

    assert told.status == 1
    assert told.found["rooms"] == len(ROOMS)


def test_damage_is_told_in_words(store: Tools) -> None:
    damage(store.folder, DAMAGES["changed"][1])

    told = store("check")

    assert f"Table {ROOM}: its log is damaged at event 128" in told.said
    assert "restore a backup" in told.said


def test_checking_a_backup_does_not_change_it(store: Tools, tmp_path: Path) -> None:
    store("backup", tmp_path / "july")
    before = {each.name: each.read_bytes() for each in (tmp_path / "july").iterdir()}

    assert store("check", folder=tmp_path / "july").status == 0

    assert {each.name: each.read_bytes() for each in (tmp_path / "july").iterdir()} == before


OVER = {
    name: facts
    for name, facts in ROOMS.items()
    if KEPT.facts["summaries"][facts["room_id"]]["stage"] == "over"
}
"""Finished games, by name."""
CAMPAIGN = {
    facts["room_id"]
    for facts in OVER.values()
    if KEPT.facts["summaries"][facts["room_id"]]["scenario"].startswith("lock-house/")
}
"""Ids of finished games in a campaign whose pack is no longer offered here."""
FINISHED = {facts["room_id"] for facts in OVER.values()}
NOW = ("--yes", "--clock-is-right")
"""Options that remove tables of a server where nobody has played for long."""
LATER = "10000"
"""Days, more than have gone by since the kept games were played."""


def rooms_in(folder: Path) -> set[str]:
    """Return the rooms of a store."""
    with opened(folder) as store:
        return {info.room_id for info in result_of(store.rooms())}


def removed(told: Told) -> set[str]:
    """Return the rooms that a tool named."""
    return {table["room_id"] for table in told.found["tables"]}


def test_pruning_says_what_would_go_and_removes_nothing(store: Tools) -> None:
    before = rooms_in(store.folder)

    told = store("prune", "--finished", "30", "--campaigns")

    assert told.status == 0
    assert all(room_id in told.said for room_id in FINISHED)
    assert "Nothing was changed" in told.said
    assert rooms_in(store.folder) == before


def test_pruned_tables_are_gone_and_the_others_whole(store: Tools) -> None:
    before = rooms_in(store.folder)

    told = store("prune", "--finished", "30", "--abandoned", "30", *NOW, "--json")

    assert told.found["removed"]
    left = rooms_in(store.folder)
    assert left == before - removed(told)
    assert CAMPAIGN <= left < FINISHED
    assert store("check", "--json").found["ok"]


def test_who_had_a_seat_at_a_table_that_was_not_over_is_told_of_pruning(store: Tools) -> None:
    with opened(store.folder) as one:
        seated = {row.room_id: row for row in summaries_in(one).values()}

    gone = removed(store("prune", "--finished", "30", "--abandoned", "30", *NOW, "--json"))

    wanted = {key.hex() for room in gone - FINISHED for key in seated[room].keys}
    with opened(store.folder) as one:
        assert {key for key, _ in result_of(one.scan(LOST_SEAT))} == wanted != set()


def packs_in(folder: Path) -> set[str]:
    """Return the keys of the packs that a store keeps."""
    with opened(folder) as store:
        return {key for key, _ in result_of(store.scan(PACK))}


def keep_pack(folder: Path, key: str) -> None:
    """Keep a pack that no table needs."""
    with opened(folder) as store:
        result_of(store.put(PACK, key, b"of an update long ago"))


def test_packs_that_no_table_needs_are_pruned_with_the_tables(store: Tools) -> None:
    store("prune", "--abandoned", LATER, *NOW)
    before = packs_in(store.folder)
    keep_pack(store.folder, "ab" * 32)

    told = store("prune", "--abandoned", LATER, *NOW, "--json")

    assert (told.status, told.found["packs"]) == (0, 1)
    assert packs_in(store.folder) == before != set()
    assert store("check", "--json").found["ok"]


def test_pruning_that_only_says_what_would_go_leaves_packs(store: Tools) -> None:
    keep_pack(store.folder, "ab" * 32)

    store("prune", "--finished", "30", "--abandoned", "30")

    assert "ab" * 32 in packs_in(store.folder)


def test_no_pack_is_pruned_where_a_table_cannot_be_read(store: Tools) -> None:
    """Nobody knows what such a table needs, and a backup may mend it."""
    keep_pack(store.folder, "ab" * 32)
    with opened(store.folder) as one:
        result_of(one.append("damaged", 0, [Stored(b"no record", b"")]))

    told = store("prune", "--abandoned", LATER, *NOW, "--json")

    assert told.found["packs"] is None
    assert "ab" * 32 in packs_in(store.folder)


def test_young_tables_are_not_pruned(store: Tools) -> None:
    told = store("prune", "--finished", LATER, "--abandoned", LATER, *NOW, "--json")

    assert removed(told) == set()


@pytest.mark.issue(37)
def test_parts_of_campaigns_that_stay_are_counted(store: Tools, tmp_path: Path) -> None:
    for command in (("prune",), ("archive", tmp_path / "games")):
        told = store(*command, "--finished", "1")
        assert "4 finished parts of campaigns stay" in told.said
        assert "--campaigns" in told.said

    assert "of campaigns" not in store("prune", "--finished", "1", "--campaigns").said


def test_finished_part_of_a_campaign_stays_unless_it_is_named(store: Tools) -> None:
    """The next part of the campaign continues from it."""
    plain = store("prune", "--finished", "30", "--json")
    named = store("prune", "--finished", "30", "--campaigns", "--json")

    assert removed(named) == FINISHED
    assert removed(plain)
    assert CAMPAIGN.isdisjoint(removed(plain))


@pytest.mark.issue(38)
@pytest.mark.parametrize(
    ("days", "clock", "said"),
    [
        (-1, "behind", "the newest record is of"),
        (MAX_QUIET_MS // DAY_MS + 1, "ahead", "nothing was played in the 61 days since"),
        (3650, "ahead", "nothing was played in the 3650 days since"),
        (MAX_QUIET_MS // DAY_MS - 1, None, ""),
        (0, None, ""),
    ],
)
def test_nothing_is_pruned_by_a_clock_that_seems_wrong(
    store: Tools, monkeypatch: pytest.MonkeyPatch, days: int, clock: str | None, said: str
) -> None:
    before = rooms_in(store.folder)
    with opened(store.folder) as one:
        newest = max(row.when for row in summaries_in(one).values())
    now = (newest + days * DAY_MS) / 1000
    monkeypatch.setattr(rooms, "time", SimpleNamespace(time=lambda: now))
    asked = ("prune", "--finished", "1", "--abandoned", "1", "--json")

    listed = store(*asked)
    told = store(*asked, "--yes")

    assert (listed.status, told.status) == (0, int(clock is not None))
    assert listed.found["clock"] == told.found["clock"] == clock
    assert said in told.complained
    assert told.found["removed"] is (clock is None)
    assert (rooms_in(store.folder) == before) is (clock is not None or not told.found["tables"])
    if clock is not None:
        assert "--clock-is-right" in told.complained
        assert store(*asked, *NOW).found["removed"]


def test_pruning_wants_to_know_what_is_old(
    store: Tools, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no default number of days."""
    with pytest.raises(SystemExit):
        store("prune", *NOW)

    assert "--finished DAYS" in capsys.readouterr().err


def only(folder: Path, *names: str) -> set[str]:
    """Remove all rooms except some from a store; return the ids of those."""
    kept = {KEPT.rooms[name]["room_id"] for name in names}
    with opened(folder) as store:
        for info in result_of(store.rooms()):
            if info.room_id not in kept:
                result_of(store.remove(info.room_id, [(summary.KIND, info.room_id)]))
    return kept


def test_archived_games_verify_and_leave_the_store(store: Tools, tmp_path: Path) -> None:
    rooms = only(store.folder, "talked", "campaign-first", "unpublished", "in-the-middle")
    with opened(store.folder) as before:
        ends = {room_id: result_of(before.end(room_id)) for room_id in rooms}

    told = store("archive", tmp_path / "games", "--campaigns", "--json")

    assert told.status == 0
    files = {each["room_id"]: Path(each["path"]) for each in told.found["tables"] if each["path"]}
    assert files.keys() == {KEPT.rooms[name]["room_id"] for name in ("talked", "campaign-first")}
    assert rooms_in(store.folder) == rooms - files.keys()
    talked = []
    for room_id, path in files.items():
        archive, end = load(path.read_bytes()), ends[room_id]
        assert end is not None
        assert (audit(archive).is_whole, archive.head) == (True, end.head)
        day = dt.datetime.fromtimestamp(archive.records[-1].time / 1000, dt.UTC).astimezone()
        assert path.name.startswith(f"{day.date().isoformat()}-")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        talked += [one.event for one in archive.records if isinstance(one.event, Chatted)]
    assert talked
    assert not any(event.words.is_open for event in talked)


def test_game_whose_log_is_closed_is_not_archived(store: Tools, tmp_path: Path) -> None:
    """The file would open the log to everybody who gets it."""
    rooms = only(store.folder, "unpublished")

    told = store("archive", tmp_path / "games", "--campaigns", "--json")

    assert (told.status, [each["why_not"] for each in told.found["tables"]]) == (0, ["closed"])
    assert rooms_in(store.folder) == rooms
    assert list((tmp_path / "games").iterdir()) == []


def test_interrupted_archiving_goes_on(store: Tools, tmp_path: Path) -> None:
    only(store.folder, "talked", "short-3")
    shutil.copytree(store.folder, tmp_path / "copy")
    first = store("archive", tmp_path / "games", "--campaigns", "--json")
    paths = [Path(each["path"]) for each in first.found["tables"]]
    paths[0].write_bytes(b"a holiday")

    again = store("archive", tmp_path / "games", "--campaigns", "--json", folder=tmp_path / "copy")

    assert (first.status, again.status) == (0, 1)
    assert [each["why_not"] for each in again.found["tables"]] == ["exists", ""]
    assert paths[0].read_bytes() == b"a holiday"


def test_file_that_does_not_verify_removes_no_game(
    store: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the planted fault, the disk writes other bytes."""
    rooms = only(store.folder, "short-3")

    def spoil(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)

    monkeypatch.setattr(tidying, "sync_file", spoil)

    told = store("archive", tmp_path / "games", "--campaigns", "--json")

    assert (told.status, [each["why_not"] for each in told.found["tables"]]) == (1, ["wrong"])
    assert rooms_in(store.folder) == rooms
    assert list((tmp_path / "games").iterdir()) == []


def test_vacuum_gives_the_space_of_deleted_rows_back(store: Tools) -> None:
    damage(store.folder, "DELETE FROM item WHERE kind = 'pack'")

    told = store("vacuum", "--json")

    assert told.found["after"] < told.found["before"]
    assert (store.folder / DATABASE).stat().st_size == told.found["after"]


@pytest.mark.parametrize("tool", [["backup", "x"], ["check"], ["vacuum"]])
def test_folder_without_a_database_is_refused(
    tool: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = Tools(tmp_path, capsys)(*tool)

    assert (told.status, list(tmp_path.iterdir())) == (1, [])
    assert "has no database" in told.complained


def test_command_is_quick_to_say_what_it_does() -> None:
    program = "import sys; from server.upkeep.cli import main; sys.exit(main(['--help']))"

    said = subprocess.check_output([sys.executable, "-c", program], text=True)

    assert "vacuum" in said
