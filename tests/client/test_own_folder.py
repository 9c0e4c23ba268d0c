"""An id chosen by a stranger cannot lead a file out of its folder."""

import contextlib
import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import attrs
import pytest

from client.cache.table_cache import TableCache
from client.commands import sessions
from client.commands.notifier import Reported
from client.keyring.shares import KeptShare, KeptShares
from client.locale import LANGUAGES, load
from client.model.remembered import Remembered, recall, remember
from client.notes.note_book import books_in
from client.terminal.runner import Start
from content.reading.mistakes import ContentErrors
from protocol import archive, codec, messages
from protocol.bounds import MAX_ID, ROOM_ID
from protocol.declared import attributes, types_in
from protocol.errors import Malformed
from protocol.file_names import file_stem
from protocol.frames import encode_frame
from protocol.invitation import Address
from protocol.keys import SigningKey
from protocol.messages import Sender, decode_message
from protocol.plugs import UnknownGameError, folders
from server.packs.compiled import CompiledPacks
from server.packs.zips import read_zip
from tests.client.test_mutations import hear, online_client
from tests.kit.hostile import hostile_words

pytestmark = pytest.mark.issue(36)

HOSTILE = (
    *("../../escaped/here", "..", ".", "/", "a/b", "..\\..\\x", "C:\\x", "/tmp/escaped", "~/x"),
    *("a\0b", "a\nb", "con", "nul.json", ".hidden", "ROOM", "é", "x" * (MAX_ID + 1), "a b", "id-x"),
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a player's folder, two levels below a folder that is watched."""
    home = tmp_path / "of" / "somebody"
    home.mkdir(parents=True)
    (tmp_path / "escaped").mkdir()
    return home


def outside(home: Path) -> list[Path]:
    """Return every file outside the player's folder."""
    top = home.parents[1]
    return [path for path in top.rglob("*") if path.is_file() and not path.is_relative_to(home)]


def note(home: Path, room_id: str) -> None:
    for server in ("", room_id):
        books_in(home / "notes", server)(room_id).write(1, "a note")
        assert books_in(home / "notes", server)(room_id).read()[-1].text == "a note"


def cached(home: Path, room_id: str) -> None:
    cache = TableCache(home / "tables", b"k" * 32)
    cache.open(room_id, room_id, room_id).close()


def share(home: Path, room_id: str) -> None:
    kept = KeptShares(home / "shares.json")
    kept.keep(room_id, KeptShare(b"s" * 32, b"d" * 32))
    assert kept.opened_at(room_id)


def last_table(home: Path, room_id: str) -> None:
    remember(home, Remembered(room_id, room_id, room_id))
    assert recall(home).room == room_id


def words(home: Path, name: str) -> None:
    """Look up the words of a language and of a game."""
    del home
    assert load(name, game=name).language == LANGUAGES[0]
    with pytest.raises(UnknownGameError):
        folders("client", name)


def compiled(home: Path, pack_id: str) -> None:
    """Cache a compiled pack, as the server does."""
    with pytest.raises(ContentErrors):
        CompiledPacks(home / "packs").load(pack_id, {f"{pack_id}.yaml": b"a: 1"})


@pytest.mark.parametrize("write", [note, cached, share, last_table, words, compiled])
@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_is_written_elsewhere(
    home: Path, write: Callable[[Path, str], None], name: str
) -> None:
    """The files are safe even from ids that no earlier check refused."""
    write(home, name)

    assert not outside(home)


def test_every_id_has_a_name_of_its_own() -> None:
    ids = {*HOSTILE, *hostile_words(2000), "6c1909c97a3f647b1c25bf07", "6C1909C97A3F647B1C25BF07"}
    names = {file_stem(each) for each in ids}

    assert len(names) == len(ids)
    assert len({name.casefold() for name in names}) == len(ids)
    assert all(set(name) <= set("0123456789abcdefghijklmnopqrstuvwxyz-") for name in names)
    assert all(4 < len(name) <= MAX_ID for name in names)
    assert file_stem("6c1909c97a3f647b1c25bf07") == "6c1909c97a3f647b1c25bf07"


def test_every_room_id_of_the_protocol_is_checked() -> None:
    kinds = messages.message_kinds().values()
    found = {
        (of.__name__, field.name): field.validator
        for of in {*kinds, *types_in(*kinds), archive.Header}
        if attrs.has(of)
        for field in attributes(of)
        if field.name in {"room_id", "before_room", "branch_id"}
    }

    assert len(found) > 20
    unchecked = {name for name, validator in found.items() if validator is not ROOM_ID}
    assert unchecked == {("Header", "room_id")}


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in {"con", "id-x"}])
def test_a_client_ends_the_line_of_a_server_that_says_so(name: str) -> None:
    said = codec.pack(("entered", 1, name, 0, 0, False))
    with pytest.raises(Malformed):
        decode_message(said, Sender.SERVER)
    _, line, model = online_client()

    hear(line, encode_frame(said), random.Random(1))

    assert line._end[0] == "protocol/malformed"
    assert model.view is None


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in {"con", "id-x"}])
def test_a_file_of_such_a_room_is_refused(name: str) -> None:
    key = SigningKey.from_seed(b"k" * 32).public
    header: Any = (archive.MAGIC, name, True, -1, 0, 1, key, 0)

    with pytest.raises(archive.BadArchive, match="room"):
        archive.load(encode_frame(codec.pack(header)))


@pytest.mark.parametrize("name", ["../../escaped/x.yaml", "/escaped/x.yaml", "pack/../../x.yaml"])
def test_a_pack_with_such_a_file_is_refused(name: str) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr(name, "a: 1")

    with pytest.raises(ContentErrors):
        read_zip("pack", made.getvalue())


def test_what_was_reported_stays_in_its_file(home: Path) -> None:
    for name in HOSTILE:
        line = attrs.evolve(messages.AwaitedLine("room", (), 1, False))
        object.__setattr__(line, "room_id", name)
        Reported(home / "reported.json", name).select_new([line], [line])

    assert not outside(home)


def test_what_is_kept_of_one_server_is_not_found_at_another(home: Path) -> None:
    room_id, text = "6c1909c97a3f647b1c25bf07", "ours"
    ours, theirs = ("o" * 52, "t" * 52)
    books_in(home / "notes", ours)(room_id).write(1, text)
    assert list(books_in(home / "notes", theirs)(room_id).read()) == []

    cache = TableCache(home / "tables", b"k" * 32)
    with contextlib.closing(cache.open(ours, room_id, "en")):
        # One file cannot be opened twice.
        cache.open(theirs, room_id, "en").close()

    line = messages.AwaitedLine(room_id, (), 1, False)
    for server, is_new in (("ours:1", True), ("theirs:1", True), ("ours:1", False)):
        reported = Reported(home / "reported.json", server)
        assert bool(reported.select_new([line], [line])) == is_new

    remember(home, Remembered("ours:1", room_id, "Ann"))
    found = {
        host: sessions._last_room(cast("Start", SimpleNamespace(folder=home, address=address)))
        for host in ("ours", "theirs")
        for address in [Address(host, 1)]
    }
    assert found == {"ours": room_id, "theirs": ""}
