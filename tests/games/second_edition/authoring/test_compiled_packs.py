"""Cache of parsed packs: a valid entry is reused, a damaged or foreign one is ignored."""

import builtins
import hashlib
import os
import pickle
import stat
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from content.plugs import packs
from content.plugs.kind import LoadedPack
from content.reading.mistakes import ContentErrors
from server.packs import compiled, sandbox
from server.packs.compiled import MOST_FILES, CompiledPacks, unpickled
from server.packs.sources import PackFiles
from tests.games.second_edition.content.packs import FILES

pytestmark = pytest.mark.issue(12)

Reads = Callable[[], int]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """Return a function that counts how often a pack was parsed from YAML."""
    read: list[str] = []
    load = packs.load

    def counted(pack_id: str, files: Any) -> LoadedPack:
        read.append(pack_id)
        return load(pack_id, files)

    monkeypatch.setattr(packs, "load", counted)
    return lambda: len(read)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the cache folder, which does not exist yet."""
    return tmp_path / "cache"


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def files_of(pack_id: str) -> dict[str, bytes]:
    return {name: data.replace(b"tiny/", f"{pack_id}/".encode()) for name, data in FILES.items()}


def with_a_remark(files: Mapping[str, bytes]) -> dict[str, bytes]:
    first = min(files)
    return {**files, first: files[first] + b"\n# more\n"}


def rewrite(path: Path, body: bytes) -> None:
    """Replace the pickle in a cache file, with a valid digest."""
    path.write_bytes(hashlib.sha256(body).digest() + body)


def test_a_pack_is_read_from_its_yaml_once(folder: Path, reads: Reads) -> None:
    first = CompiledPacks(folder).load("tiny", FILES)

    assert CompiledPacks(folder).load("tiny", FILES) == first
    assert reads() == 1


@pytest.mark.parametrize("what", ["files", "program"])
def test_what_has_changed_is_read_again(
    what: str, folder: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    CompiledPacks(folder).load("tiny", FILES)
    if what == "program":
        monkeypatch.setattr(compiled, "_program_digest", lambda: b"another")
    files = with_a_remark(FILES) if what == "files" else FILES

    CompiledPacks(folder).load("tiny", files)

    assert reads() == 2


@pytest.mark.parametrize("place", [0, 40, -1])
def test_a_damaged_file_is_not_used(place: int, folder: Path, reads: Reads) -> None:
    pack = CompiledPacks(folder).load("tiny", FILES)
    kept = bytearray(only(folder).read_bytes())
    kept[place] ^= 1
    only(folder).write_bytes(kept)

    assert CompiledPacks(folder).load("tiny", FILES) == pack
    assert reads() == 2


@pytest.mark.parametrize("length", [0, 10, 32, 5000])
def test_a_file_that_was_cut_off_is_not_used(length: int, folder: Path, reads: Reads) -> None:
    pack = CompiledPacks(folder).load("tiny", FILES)
    only(folder).write_bytes(only(folder).read_bytes()[:length])

    assert CompiledPacks(folder).load("tiny", FILES) == pack
    assert reads() == 2


class Calls:
    """Object whose pickle calls a function when it is loaded."""

    def __init__(self, what: Callable[..., Any], *arguments: Any) -> None:
        self._reduced = (what, arguments)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._reduced


@pytest.mark.parametrize("what", [os.mkdir, builtins.__import__, compiled.unpickled, pickle.loads])
def test_a_file_can_call_nothing(
    what: Callable[..., Any], folder: Path, tmp_path: Path, reads: Reads
) -> None:
    pack = CompiledPacks(folder).load("tiny", FILES)
    rewrite(only(folder), pickle.dumps(Calls(what, str(tmp_path / "made"))))

    assert CompiledPacks(folder).load("tiny", FILES) == pack
    assert reads() == 2
    assert not (tmp_path / "made").exists()


def test_a_value_that_is_no_pack_is_not_used(folder: Path, reads: Reads) -> None:
    CompiledPacks(folder).load("tiny", FILES)
    rewrite(only(folder), pickle.dumps(7))

    CompiledPacks(folder).load("tiny", FILES)

    assert reads() == 2


def test_another_pack_under_the_name_of_this_is_not_used(folder: Path, reads: Reads) -> None:
    """Copying one cache file over another must not put the words of a foreign pack into a room."""
    pack = CompiledPacks(folder).load("tiny", FILES)
    other = packs.load("other", files_of("other"))
    rewrite(only(folder), pickle.dumps(other))

    assert CompiledPacks(folder).load("tiny", FILES) == pack
    assert reads() == 3


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path, reads: Reads) -> None:
    (tmp_path / "file").write_bytes(b"")

    for _ in range(2):
        assert CompiledPacks(tmp_path / "file" / "cache").load("tiny", FILES).id == "tiny"
    assert reads() == 2


def test_kept_packs_are_their_owners_alone(folder: Path) -> None:
    """Somebody who can write to the cache folder could change what is played."""
    CompiledPacks(folder).load("tiny", FILES)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(only(folder).stat().st_mode) == 0o600


def test_the_packs_unused_for_longest_go(folder: Path) -> None:
    last = MOST_FILES + 2
    for n in range(last + 1):
        CompiledPacks(folder).load(f"tiny{n}", files_of(f"tiny{n}"))

    assert len(list(folder.iterdir())) == MOST_FILES
    assert CompiledPacks(folder).has(PackFiles(f"tiny{last}", files_of(f"tiny{last}")))
    assert not CompiledPacks(folder).has(PackFiles("tiny0", files_of("tiny0")))


def test_a_pack_with_a_mistake_is_not_kept(folder: Path) -> None:
    files = {"items.yaml": b"["}

    for _ in range(2):
        with pytest.raises(ContentErrors):
            CompiledPacks(folder).load("tiny", files)
    assert not folder.exists()


def test_a_kept_pack_makes_something_else_of_nothing() -> None:
    """The unpickler refuses our own classes and functions where a pack is expected."""
    assert unpickled(pickle.dumps(packs.load)) is None
    assert unpickled(pickle.dumps(LoadedPack)) is None


def test_a_folder_that_was_judged_before_is_not_judged_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judging a pack in a child process takes longer than the rest of the start.

    A changed folder is judged again.
    """
    named = tmp_path / "tiny"
    for name, data in FILES.items():
        (named / name).parent.mkdir(parents=True, exist_ok=True)
        (named / name).write_bytes(data)
    asked: list[str] = []

    def in_child(_kind: str, name: str, _data: bytes) -> tuple[()]:
        asked.append(name)
        return ()

    monkeypatch.setattr(sandbox, "in_child", in_child)
    known = CompiledPacks(folder)

    for _ in range(2):
        found = sandbox.judged(str(named), known.has)
        known.load(found.pack_id, found.files)
    assert len(asked) == 1

    for name, data in with_a_remark(FILES).items():
        (named / name).write_bytes(data)
    sandbox.judged(str(named), known.has)
    assert len(asked) == 2


def test_a_python_that_pickles_members_by_their_names_reads_what_it_kept(
    folder: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11.0 to 3.11.3 pickle enum members by `getattr`, which packs may not call."""

    def by_name(member: Enum, _: int) -> tuple[Any, ...]:
        return getattr, (type(member), member.name)

    monkeypatch.setattr(Enum, "__reduce_ex__", by_name)
    first = CompiledPacks(folder).load("tiny", FILES)

    again = CompiledPacks(folder).load("tiny", FILES)

    assert again == first
    assert reads() == 1
