"""Exports the game of a table: fetches the archive, verifies it, and writes it to a file."""

import errno
import io
import os
import re
import secrets
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from client.terminal.runner import Client
from protocol import codec, messages
from protocol.archive import MAX_FILE_BYTES, BadArchive
from protocol.encoding.packing import unpack
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from client.commands.verify import Verdict

_Files = tuple[tuple[str, bytes], ...]
# Two packs of at most 12 MiB (`content.reading.files`), with their names.
MAX_PACK_BYTES = 26 << 20
"""Maximum size in bytes of a pack, including the pack that it builds on."""
# Two packs of at most 500 files.
_MAX_FILES = 1_000
_MAX_NAME = 300
_PLAIN = re.compile(r"[^\x00-\x1f\x7f\\:]+")


class NotExported(Exception):
    """The archive or pack was not exported; the text of the exception gives the reason."""


async def fetch(
    client: Client,
    room_id: str,
    progress: Callable[[int], None] | None = None,
    request: type[messages.ExportTable | messages.ExportPack] = messages.ExportTable,
) -> bytes:
    """
    Download the pack of a table, or its archive with every record that this player may have.

    Args:
        client: a client that is logged in.
        room_id: the id of the table.
        progress: called with the number of bytes received so far.
        request: the message that requests the archive, or the pack.

    Raises:
        NotExported: the server refused, or sent something else.
        NotReached: the connection was lost.
    """
    data = bytearray()
    most = MAX_FILE_BYTES if request is messages.ExportTable else MAX_PACK_BYTES
    replies = client.replies(lambda serial: request(serial, room_id))
    index = 0
    async for message in replies:
        match message:
            # In order, and never empty before the last: else a server could send parts for ever.
            case messages.ExportPart(index=at) if at == index and (message.data or message.is_last):
                data += message.data
                index += 1
            case messages.Refusal():
                raise NotExported(client.model.words_for(message))
            case _:
                raise NotExported(f"the server answered with {type(message).__name__}")
        # A hostile server must not fill our memory.
        if len(data) > most:
            raise NotExported("the server sends more than any game has")
        if progress is not None:
            progress(len(data))
    return bytes(data)


def zip_of_pack(packed: bytes) -> bytes:
    """Return the zip of a pack, as `manse verify --pack` reads it.

    Args:
        packed: the server's reply to `export_pack`: names and files. The file with the empty name
            holds the id of the pack.

    Raises:
        NotExported: the reply is not a valid pack.
    """
    try:
        # Bounded before anything is built: few bytes can announce millions of files.
        files = codec.from_plain(
            unpack(packed, max_bytes=MAX_PACK_BYTES, max_items=3 * _MAX_FILES), _Files
        )
    except ProtocolError as error:
        raise NotExported(f"the server sent no pack: {error}") from error
    names = [name for name, _ in files]
    if names != sorted(set(names)) or any(len(name) > _MAX_NAME for name in names):
        raise NotExported("the server sent no pack: its names are too long, twice, or in disorder")
    # Other programs unpack the zip, too.
    if any(name and not _is_inside(name) for name in names):
        raise NotExported("the server sent no pack: a name leads out of the pack")
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as into:
        for name, data in files:
            # A reader of the zip refuses names that lead out of it.
            if name:
                into.writestr(zipfile.ZipInfo(name), data)
    return zipped.getvalue()


def _is_inside(name: str) -> bool:
    """Return whether the name of a packed file stays in its folder on every system."""
    return bool(_PLAIN.fullmatch(name)) and not {"", ".", ".."} & {*name.split("/")}


def save(data: bytes, path: Path, *, overwrite: bool) -> "Verdict":
    """Verify an archive, write it to a file, and return the verdict.

    Raises:
        BadArchive: the archive is invalid; nothing is written.
        FileExistsError: the file exists and must not be overwritten.
        OSError: the file cannot be written.
    """
    from client.commands.verify import check  # noqa: PLC0415 (so that `manse play` starts quickly)

    # Before writing: a file that does not verify would only mislead its owner.
    verdict = check(data)
    write({path: data}, overwrite=overwrite)
    return verdict


def write(files: Mapping[Path, bytes], *, overwrite: bool) -> None:
    """
    Write each file completely or not at all; without `overwrite`, all files or none.

    Raises:
        FileExistsError: a file exists and must not be overwritten.
        OSError: a file cannot be written.
    """
    # In the same folders: only there can a rename or a link put a whole file in its place.
    # Their names are short: a name may be as long as the file system allows.
    drafts = {path: path.with_name(f".manse-{secrets.token_hex(8)}") for path in files}
    linked: list[Path] = []
    try:
        for path, data in files.items():
            # Private: during a game it holds what its owner alone knows.
            handle = os.open(drafts[path], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        # Before the first is replaced, which cannot be undone.
        if overwrite and (folder := next(filter(Path.is_dir, files), None)) is not None:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(folder))
        for path, draft in drafts.items():
            if overwrite:
                draft.replace(path)
            else:
                # link() fails if the file exists; rename() would overwrite it.
                path.hardlink_to(draft)
                linked.append(path)
    except OSError:
        for path in linked:
            path.unlink(missing_ok=True)
        raise
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


__all__ = ["BadArchive", "NotExported", "fetch", "save", "write", "zip_of_pack"]
