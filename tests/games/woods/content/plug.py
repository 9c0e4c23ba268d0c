"""The content of the woods: their one scenario is made by tests, and no pack can be loaded."""

from collections.abc import Mapping
from typing import NoReturn

from content.reading.mistakes import ContentError, ContentErrors


class WoodsContent:
    """As much of `content.plugs.kind.ContentKind` as a game without packs is asked for."""

    base = ""

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> NoReturn:
        """Refuse every pack. ContentErrors: always."""
        del files
        raise ContentErrors([ContentError(pack_id, 1, 1, "", "the woods take no packs")])


KIND = WoodsContent()
