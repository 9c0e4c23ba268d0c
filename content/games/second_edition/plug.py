"""
The plug of the second edition, which the server and authors' tools find by the name of the game.

The modules that read, check and draw packs are imported on first use: a server whose packs are
compiled needs none of them.
"""

# ruff: noqa: PLC0415 (see above)

import types
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any

from content.games.second_edition.schema.pack import Content, Pack
from content.plugs.kind import ContentKind, ScenarioEntry, WinBounds
from content.reading.files import TESTS, read_files
from content.reading.gaps import Gap
from content.reading.remarks import Remark
from protocol.common.table import Legacy
from protocol.games.second_edition.carried import numbers_in

if TYPE_CHECKING:
    from content.games.second_edition.marks import Marked


class SecondEditionContent:
    """Implements `content.plugs.kind.ContentKind`."""

    base = "core"
    dice: Mapping[str, int] = types.MappingProxyType({"success": 0, "investigation": 3, "blank": 5})
    """First side of each face: 0 to 2 successes, 3 and 4 investigations, 5 to 7 blank. DICE-1."""
    bounds = (WinBounds(35, 85, players=(2, 3, 4)), WinBounds(10, 95))

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> Pack:
        from content.games.second_edition.loader import load_source

        return load_source(pack_id, files).pack

    def remarks(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Remark, ...]:
        from content.games.second_edition.check import check

        return check(pack_id, files)

    def gaps(self, pack_id: str, files: Mapping[str, bytes]) -> tuple[Gap, ...]:
        from content.games.second_edition import loader

        return loader.gaps(pack_id, files)

    def scenarios(self, pack: Pack) -> tuple[ScenarioEntry, ...]:
        products = {
            product.id: tuple(c for c in product.holds if c in pack.investigators)
            for product in pack.products.values()
        }
        return tuple(
            ScenarioEntry(
                scenario.id,
                scenario.minutes,
                scenario.difficulty,
                pack.product_of(scenario.id),
                products,
                *_campaign_of(pack, scenario.id),
            )
            for scenario in pack.scenarios.values()
        )

    def content(
        self, pack: Pack, scenario: str, off: Collection[str] = (), legacy: Legacy | None = None
    ) -> Content:
        left = pack.without(off)
        campaign, carried = pack.campaign_of(scenario), dict[str, int]()
        if campaign is not None and legacy is not None and legacy.campaign == campaign.id:
            # Not strict: counters added to the campaign since then keep their first value.
            carried.update(zip(campaign.counters, numbers_in(legacy.shared), strict=False))
        return Content(left, left.scenarios[scenario], carried)

    def marked(self, pack: Pack, scenario: str) -> "Marked":
        from content.games.second_edition import marks

        return marks.mark(pack, pack.scenarios[scenario])

    def map_lines(self, pack: Pack, scenario: str, language: str) -> Iterator[tuple[str, ...]]:
        from content.games.second_edition import atlas

        yield from atlas.pictures(pack.scenarios[scenario])
        yield tuple(atlas.legend(pack, pack.scenarios[scenario], language))

    def map_as_json(self, pack: Pack, scenario: str, language: str) -> dict[str, Any]:
        from content.games.second_edition import atlas

        return atlas.as_json(pack, pack.scenarios[scenario], language)

    def starter(self) -> Mapping[str, bytes]:
        folder = resources.files("content.games.second_edition") / "starter"
        plays = {f"{TESTS}/{name}": data for name, data in read_files(folder / TESTS).items()}
        return {**read_files(folder), **plays}

    def schemas(self) -> Mapping[str, str]:
        from content.games.second_edition import json_schema

        return json_schema.written()


def _campaign_of(pack: Pack, scenario: str) -> tuple[str, str]:
    """Return the campaign of a scenario and the scenario before it, each empty if missing."""
    campaign = pack.campaign_of(scenario)
    if campaign is None:
        return "", ""
    at = campaign.scenarios.index(scenario)
    return campaign.id, campaign.scenarios[at - 1] if at else ""


KIND: ContentKind = SecondEditionContent()
