"""Content of the woods: tests make its one scenario, and no pack can be loaded."""

from collections.abc import Mapping
from typing import NoReturn

from content.reading.mistakes import ContentError, ContentErrors


class WoodsContent:
    """The part of `content.plugs.kind.ContentKind` that a game without packs needs."""

    base = ""

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> NoReturn:
        """Refuse every pack. ContentErrors: always."""
        del files
        raise ContentErrors([ContentError(pack_id, 1, 1, "", "the woods take no packs")])


KIND = WoodsContent()
