"""
The plug of the first edition, which the server and authors' tools find by the name of the game.

The modules that read, check and draw packs are imported on first use: a server whose packs are
compiled needs none of them.
"""

# ruff: noqa: PLC0415 (see above)

import types
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any

from content.games.first_edition.schema.pack import Content, Pack
from content.plugs.kind import ContentKind, ScenarioEntry, WinBounds
from content.reading.files import TESTS, read_files
from content.reading.gaps import Gap
from content.reading.remarks import Remark
from protocol.common.table import Legacy
from protocol.games.first_edition.words import Side

if TYPE_CHECKING:
    from content.games.first_edition.marks import Marked


class FirstEditionContent:
    """Implements `content.plugs.kind.ContentKind`."""

    base = "manor"
    dice: Mapping[str, int] = types.MappingProxyType({str(side + 1): side for side in range(10)})
    """The sides of the die. K-TEST-1."""
    bounds = (
        WinBounds(35, 65, side=Side.KEEPER.value),
        WinBounds(35, 65, side=Side.INVESTIGATORS.value),
    )

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> Pack:
        from content.games.first_edition.loader import load_source

        return load_source(pack_id, files).pack

    def remarks(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
        from content.games.first_edition.check import check

        return check(pack_id, files)

    def gaps(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
        from content.games.first_edition import loader

        return loader.gaps(pack_id, files)

    def scenarios(self, pack: Pack) -> tuple[ScenarioEntry, ...]:
        products = {
            product.id: tuple(c for c in product.holds if c in pack.characters)
            for product in pack.products.values()
        }
        return tuple(
            ScenarioEntry(
                story.id, story.minutes, story.difficulty, pack.product_of(story.id), products
            )
            for story in pack.scenarios.values()
        )

    def content(
        self, pack: Pack, scenario: str, off: Collection[str] = (), legacy: Legacy | None = None
    ) -> Content:
        del legacy
        left = pack.without(off)
        return Content(left, left.scenarios[scenario])

    def marked(self, pack: Pack, scenario: str) -> "Marked":
        from content.games.first_edition import marks

        return marks.mark(pack, pack.scenarios[scenario])

    def map_lines(self, pack: Pack, scenario: str, language: str) -> Iterator[tuple[str, ...]]:
        from content.games.first_edition import atlas

        yield atlas.picture_of(pack.scenarios[scenario])
        yield tuple(atlas.legend(pack, pack.scenarios[scenario], language))

    def map_as_json(self, pack: Pack, scenario: str, language: str) -> dict[str, Any]:
        from content.games.first_edition import atlas

        return atlas.as_json(pack, pack.scenarios[scenario], language)

    def starter(self) -> Mapping[str, bytes]:
        """Return the starter that builds on the base pack: a box of one's own is long work."""
        folder = resources.files("content.games.first_edition") / "starter_on_manor"
        plays = {f"{TESTS}/{name}": data for name, data in read_files(folder / TESTS).items()}
        return {**read_files(folder), **plays}

    def schemas(self) -> Mapping[str, str]:
        from content.games.first_edition import json_schema

        return json_schema.written()


KIND: ContentKind = FirstEditionContent()
