"""The file `pack.yaml`, which says which game a pack is for."""

from collections.abc import Mapping
from typing import Annotated

import attrs

from content.reading.files import PACK_FILE
from content.reading.meanings import Bounds
from content.reading.mistakes import ContentError, ContentErrors
from content.reading.names import Kinds
from content.reading.schema import Schema
from content.reading.sheet import Sheet
from content.reading.typed import BROKEN, Readers
from content.reading.yaml_subset import read_yaml


@attrs.frozen
class PackFile:
    """The content of `pack.yaml`."""

    game: str = ""
    """The name of the game that the pack is for; if left out, the oldest game."""
    builds_on: str = ""
    """The bundled pack whose cards, monsters, tiles, persons and words this pack can use."""
    written_for: Annotated[int, Bounds(0, 9999)] = 0
    """The version of the bundled pack for which this pack was written."""
    version: Annotated[int, Bounds(1, 9999)] = 1
    """The version of this pack. Raise it when you remove something that other packs may use."""


_READ = Readers(Schema(Kinds())).of(PackFile)


def read_pack_file(files: Mapping[str, bytes]) -> PackFile:
    """
    Return the content of `pack.yaml`, with defaults for omitted keys or a missing file.

    Args:
        files: the files of the pack, by name.

    Raises:
        ContentErrors: the file is there and cannot be read.
    """
    # Packs from before there were several games have no such file.
    if PACK_FILE not in files:
        return PackFile()
    node, errors = read_yaml(PACK_FILE, files[PACK_FILE])
    sheet = Sheet(file=PACK_FILE, errors=list(errors))
    found = BROKEN if node is None else _READ(node, sheet)
    if not isinstance(found, PackFile):
        empty = ContentError(PACK_FILE, 1, 1, "", "nothing stands here; write 'game: …'")
        raise ContentErrors(sheet.errors or [empty])
    return found
