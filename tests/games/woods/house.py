"""Whole server in one process with the woods alone."""

import attrs

from content.plugs import packs
from content.plugs.kind import LoadedPack
from tests.games.woods.content.plug import WoodsPack
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.table import RULESET
from tests.kit.servers.house import House

SCENARIO = "woods/night"


def woods_pack(on_shelf: Content | None = None) -> WoodsPack:
    """Return the bundled pack, optionally with other content for its first scenario alone."""
    pack = packs.load("woods", packs.base_files(RULESET))
    assert isinstance(pack, WoodsPack)
    return pack if on_shelf is None else attrs.evolve(pack, scenarios={SCENARIO: on_shelf})


@attrs.define(eq=False)
class WoodsHouse(House):
    """Server of the woods with its clients."""

    on_shelf: Content | None = attrs.field(default=None, kw_only=True)
    """Content that replaces the content of the pack; None to keep it."""

    def content(self) -> LoadedPack:
        return woods_pack(self.on_shelf)

    def scenario_id(self) -> str:
        return SCENARIO
