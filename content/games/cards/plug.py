"""
The plug of the card game, which the server and authors' tools find by the name of the game.

The modules that read and check packs are imported on first use: a server whose packs are compiled
needs none of them.
"""

# ruff: noqa: PLC0415 (see above)

import types
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from typing import Any

from content.games.cards.marks import Marked
from content.games.cards.schema.pack import Content, Pack
from content.games.cards.schema.scenario import Scenario
from content.plugs.kind import ContentKind, ScenarioEntry, WinBounds
from content.reading.files import read_files
from content.reading.gaps import Gap
from content.reading.remarks import Remark
from protocol.common.table import Legacy
from protocol.memo import memo


class CardsContent:
    """Implements `content.plugs.kind.ContentKind`."""

    base = "casebook"
    dice: Mapping[str, int] = types.MappingProxyType({})
    bounds = (WinBounds(45, 80),)

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> Pack:
        from content.games.cards.loader import load_source

        return load_source(pack_id, files).pack

    def remarks(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
        from content.games.cards.check import check

        return check(pack_id, files)

    def gaps(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
        from content.games.cards import loader

        return loader.gaps(pack_id, files)

    def scenarios(self, pack: Pack) -> tuple[ScenarioEntry, ...]:
        return tuple(
            ScenarioEntry(one.id, one.minutes, one.difficulty) for one in pack.scenarios.values()
        )

    def content(
        self, pack: Pack, scenario: str, off: Collection[str] = (), legacy: Legacy | None = None
    ) -> Content:
        del off, legacy
        return _content(pack, pack.scenarios[scenario])

    def marked(self, pack: Pack, scenario: str) -> Marked:
        return Marked(Content(pack, pack.scenarios[scenario]))

    def map_lines(self, pack: Pack, scenario: str, language: str) -> Iterator[tuple[str, ...]]:
        """Yield the locations of a scenario, each with the symbols that its ways lead to."""
        words = pack.catalogs[language]
        lines = []
        for id_ in pack.scenarios[scenario].locations:
            card = pack.locations[id_]
            ways = " ".join(card.face.connects or card.connects)
            lines.append(f"{card.symbol:<8} {words[id_]['name']} -> {ways}")
        yield tuple(lines)

    def map_as_json(self, pack: Pack, scenario: str, language: str) -> dict[str, Any]:
        words = pack.catalogs[language]
        return {
            "locations": [
                {
                    "id": id_,
                    "name": words[id_]["name"],
                    "symbol": pack.locations[id_].symbol,
                    "connects": [*pack.locations[id_].face.connects],
                }
                for id_ in pack.scenarios[scenario].locations
            ]
        }

    def starter(self) -> Mapping[str, bytes]:
        """Return the starter that builds on the base pack: thirty cards of one's own are much."""
        folder = resources.files("content.games.cards") / "starter_on_casebook"
        return read_files(folder)

    def schemas(self) -> Mapping[str, str]:
        from content.games.cards import json_schema

        return json_schema.written()


CONTENTS = 16
"""Contents that are kept, so that tables of one scenario share what they look up in it."""


@memo(CONTENTS)
def _content(pack: Pack, scenario: Scenario) -> Content:
    """Return the content of a scenario; what is looked up in it takes milliseconds to find."""
    return Content(pack, scenario)


KIND: ContentKind = CardsContent()
