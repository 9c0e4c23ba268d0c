"""The files of a pack: read from a folder, within limits."""

import errno
import hashlib
import itertools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import BinaryIO, Protocol

from content.reading.mistakes import ContentError, ContentErrors
from content.reading.sheet import printable
from content.reading.yaml_subset import MAX_FILE_BYTES

PACK_FILE = "pack.yaml"
"""The file that names the game of a pack; a pack may lack this file."""
BASE = "base"
"""The folder with the files of the bundled pack that a pack builds on."""
TESTS = "tests"
"""The folder of an author's test scripts, which are not part of the pack."""
_MEANT = frozenset([".yaml", ".yml", ".yaml.txt", ".yml.txt", ".json", ".yaml.bak"])
"""Endings, in lower case, of files that were probably meant to be YAML."""
MAX_FILES = 500
"""Maximum number of files in a pack."""
MAX_FOLDERS = 4
"""Maximum levels of nested folders in a pack; deeper files are ignored."""
MAX_ENTRIES = 5_000
"""Maximum number of files and folders of any kind in a pack's folder."""
MAX_PACK_BYTES = 12 << 20
"""Maximum total size of a pack's files, in bytes."""


class Folder(Protocol):
    """A folder or file as `pathlib` and `importlib.resources` know it."""

    @property
    def name(self) -> str:
        """The last part of the path of this folder or file."""

    def is_dir(self) -> bool:
        """Return whether this is a folder."""

    def __truediv__(self, name: str, /) -> "Folder":
        """Return the entry of this name, whether it exists or not."""

    def iterdir(self) -> "Iterator[Folder]":
        """Yield the entries of the folder."""

    def read_bytes(self) -> bytes:
        """Return the content of the file."""


def shipped(game: str) -> Traversable:
    """Return the folder of the packs that are bundled for a game, or of the `shared` words."""
    return resources.files("content") / "packs" / game


def read_files(folder: Folder) -> Mapping[str, bytes]:
    """
    Return the YAML files of a folder by path, with forward slashes; `tests` is left out.

    Raises:
        ContentErrors: a file cannot be read, is a symbolic link or too long; or there are no files,
            or too many.
    """
    found: dict[str, bytes] = {}
    todo: list[tuple[str, Folder]] = [("", folder)]
    count = 0
    try:
        while todo:
            way, entry = todo.pop()
            # A stranger's pack must not make the server read files outside of it.
            if way and isinstance(entry, Path) and entry.is_symlink():
                reason = "a symbolic link; a pack holds its files itself"
                raise ContentErrors([ContentError(way, 1, 1, "", reason)])
            if entry.is_dir() and way.count("/") < MAX_FOLDERS:
                inners = itertools.islice(entry.iterdir(), MAX_ENTRIES)
                # Names are shown in messages, so they are made printable at once.
                ways = ((f"{way}/{printable(inner.name)}".lstrip("/"), inner) for inner in inners)
                todo.extend(pair for pair in ways if pair[0] != TESTS)
                count += 1
                if len(todo) + count >= MAX_ENTRIES:
                    reason = f"more than {MAX_ENTRIES} files and folders; this is no pack"
                    raise ContentErrors([ContentError(way, 1, 1, "", reason)])
            elif is_content(way) and not entry.is_dir():
                found[way] = _read_bytes(way, entry)
            if len(found) > MAX_FILES:
                reason = f"more than {MAX_FILES} files; join some"
                raise ContentErrors([ContentError(way, 1, 1, "", reason)])
            # After each file, so that no more than one file over the limit is ever held.
            if sum(map(len, found.values())) > MAX_PACK_BYTES:
                reason = f"all files together are longer than {MAX_PACK_BYTES} bytes"
                raise ContentErrors([ContentError(way, 1, 1, "", reason)])
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise ContentErrors([ContentError(error.filename or "", 1, 1, "", reason)]) from error
    if not found:
        reason = "no pack is here; a pack is a folder with files such as items.yaml"
        raise ContentErrors([ContentError(folder.name, 1, 1, "", reason)])
    return found


def is_content(name: str) -> bool:
    """Return whether a file of this name belongs to a pack."""
    # Editors leave hidden files behind; everything else that looks like YAML must be ours.
    return name.endswith((".yaml", ".yml")) and not name.rpartition("/")[2].startswith(".")


def left_out(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """
    Yield each file that seems meant for a pack but has the wrong ending, with advice.

    Args:
        names: the names of all files in the folder of a pack.
    """
    for name in sorted(names):
        folder, _, last = name.rpartition("/")
        stem, dot, ending = last.partition(".")
        # Notes and licences are no content, and nor is what an editor hides.
        is_ours = dot and f".{ending.lower()}" in _MEANT
        is_bare = not dot and folder.rpartition("/")[2] in {"scenarios", "en", "fr"}
        if (
            stem
            and not is_content(name)
            and not name.startswith(f"{TESTS}/")
            and (is_ours or is_bare)
        ):
            yield name, f"left out: its name does not end in .yaml; call it {stem}.yaml"


def names_below(folder: Path) -> list[str]:
    """
    Return the paths of the files below a folder, without hidden ones.

    Only the first `MAX_ENTRIES` entries are looked at.
    """
    found = itertools.islice(folder.rglob("*"), MAX_ENTRIES)
    return [
        printable(path.relative_to(folder).as_posix())
        for path in found
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(folder).parts)
    ]


def _read_bytes(name: str, file: Folder) -> bytes:
    # Bundled packs are read from inside the package, where no stranger writes.
    if not isinstance(file, Path):
        return file.read_bytes()
    with open_plain(file) as opened:
        # One byte more than allowed tells a file that is too long, however long it is.
        data = opened.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        reason = f"longer than {MAX_FILE_BYTES} bytes; split it into several files"
        raise ContentErrors([ContentError(name, 1, 1, "", reason)])
    return data


def open_plain(file: Path) -> BinaryIO:
    """
    Open a regular file and nothing else: reading from a pipe could block for ever.

    Raises:
        OSError: the file is not regular, or cannot be opened.
    """
    # Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
    number = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, "a pipe or a device, not a file", str(file))
    return os.fdopen(number, "rb")


def digest_of(files: Mapping[str, bytes]) -> bytes:
    """Return SHA-256 over the files of a pack, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(files):
        # Lengths keep one file's end apart from the next one's name.
        for part in (name.encode(), files[name]):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.digest()
