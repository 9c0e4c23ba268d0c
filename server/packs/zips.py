"""
Packs in one file: `PACK.zip`, read within limits and never unpacked to the disk.

A stranger's zip may lie about sizes, name files outside its folder, or be a decompression bomb.
Entries over a limit are refused before they are read, and no more is read than the directory
promised.
"""

import io
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence

from content.reading.files import BASE, MAX_FILES, MAX_FOLDERS, MAX_PACK_BYTES, TESTS, is_content
from content.reading.mistakes import ContentError, ContentErrors, find_twins
from content.reading.sheet import printable
from content.reading.yaml_subset import MAX_FILE_BYTES

MAX_ZIP_BYTES = 16 << 20
"""Maximum bytes of a zip."""
MAX_RATIO = 100
"""Maximum ratio of a file's size to its compressed size."""
_SMALL = 10_000
"""Bytes below which the ratio is not checked: a short text of blanks compresses well."""
_PLAIN = re.compile(r"[^\x00-\x1f\\:]+")
_METHODS = frozenset([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])


def read_zip(name: str, data: bytes) -> tuple[str, Mapping[str, bytes]]:
    """
    Return the id of the pack in a zip, and its files.

    The pack is at the top of the zip and has the zip's name, or is in a single folder and has the
    folder's name.

    Args:
        name: name of the zip, without `.zip`.
        data: its bytes.

    Raises:
        ContentErrors: it is no pack, or over a limit.
    """
    if len(data) > MAX_ZIP_BYTES:
        raise _fault(name, f"longer than {MAX_ZIP_BYTES} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            infos = _checked(name, packed.infolist())
            files = {info.filename: _read(packed, info) for info in infos}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError) as error:
        raise _fault(name, f"cannot be read as a zip: {error}") from error
    except (RuntimeError, UnicodeError, ValueError) as error:
        raise _fault(name, f"cannot be read as a zip: {error}") from error
    if not files:
        raise _fault(name, "no pack is here; a pack has files such as items.yaml")
    tops = {way.partition("/")[0] for way in files}
    # A zip with only such a folder is a pack at the top, not one that is called `words`.
    if len(tops) == 1 and all("/" in way for way in files) and not tops & {"scenarios", "words"}:
        name, files = tops.pop(), {way.partition("/")[2]: data for way, data in files.items()}
    return name, files


def _fault(name: str, reason: str) -> ContentErrors:
    return ContentErrors([ContentError(printable(name[:200]), 1, 1, "", reason)])


def _checked(name: str, infos: Sequence[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Return the entries to read; refuse the zip if it has an unacceptable entry."""
    if len(infos) > MAX_FILES * 2:
        raise _fault(name, f"more than {MAX_FILES * 2} entries")
    for info in infos:
        for reason in _faults(info):
            raise _fault(info.filename, reason)
    wanted = [info for info in infos if _is_content(info)]
    for info in wanted:
        for reason in _large(info):
            raise _fault(info.filename, reason)
    names = [info.filename for info in wanted]
    for twin in find_twins(map(_on_a_disk, names)):
        both = " and ".join(ascii(way) for way in names if _on_a_disk(way) == twin)
        raise _fault(name, f"the same name twice: {both}; leave one of them")
    # A pack that a server sent has the files of the pack that it builds on beside its own.
    packs = 2 if any(BASE in way.split("/")[:2] for way in names) else 1
    if len(wanted) > MAX_FILES * packs:
        raise _fault(name, f"more than {MAX_FILES} files; join some")
    if sum(info.file_size for info in wanted) > MAX_PACK_BYTES * packs:
        raise _fault(name, f"all files together are longer than {MAX_PACK_BYTES} bytes")
    return wanted


def _on_a_disk(way: str) -> str:
    """Return a name as disks compare it that ignore case and the form of accents."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", way).casefold())


def _faults(info: zipfile.ZipInfo) -> Iterator[str]:
    """Yield the faults of one entry, even of one that would not be read."""
    parts = info.filename.removesuffix("/").split("/")
    # The name as it was written: zipfile cuts it off at a NUL.
    if not _PLAIN.fullmatch(info.orig_filename) or {"", ".", ".."} & set(parts):
        yield "a name that leads out of the pack; use plain names and forward slashes"
    if len(parts) > MAX_FOLDERS + 2:
        yield f"more than {MAX_FOLDERS} folders in one another"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        yield "a link or a special file; a pack holds its files itself"


def _large(info: zipfile.ZipInfo) -> Iterator[str]:
    """Yield the faults of one entry that would be read: how it is packed, and its size."""
    if info.flag_bits & 0x1:
        yield "encrypted; a pack is open to read"
    if info.compress_type not in _METHODS:
        yield "packed by a method that is not read here; use stored or deflated"
    if info.file_size > MAX_FILE_BYTES:
        yield f"longer than {MAX_FILE_BYTES} bytes; split it into several files"
    if info.file_size > _SMALL and info.file_size > info.compress_size * MAX_RATIO:
        yield f"unfolds to more than {MAX_RATIO} times its size"


def _is_content(info: zipfile.ZipInfo) -> bool:
    """
    Return True if an entry is read.

    Entries in the folder of scripted plays, at the top of the zip or in the pack's one folder, are
    not read.
    """
    top, *folders = info.filename.split("/")[:-1] or [""]
    is_play = top == TESTS or (folders[:1] == [TESTS] and top not in {"scenarios", "words", BASE})
    return is_content(info.filename) and not is_play


def names_in(data: bytes) -> list[str]:
    """Return the names of the entries of a zip that `read_zip` accepts."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return packed.namelist()


def _read(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Read one file, at most its declared size."""
    with packed.open(info) as file:
        # One byte more than declared is enough to find a lie.
        data = file.read(info.file_size + 1)
    if len(data) != info.file_size:
        raise zipfile.BadZipFile(f"{info.filename!r} has another size than it says")
    return data
