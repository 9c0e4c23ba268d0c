"""Whole server in one process with the bundled pack of the card game alone."""

import attrs

from content.plugs.kind import LoadedPack
from tests.games.cards.simulate import core
from tests.kit.servers.house import House

SCENARIO = "casebook/marsh"


@attrs.define(eq=False)
class CardsHouse(House):
    """Server of the small scenario with its clients."""

    def content(self) -> LoadedPack:
        return core()

    def scenario_id(self) -> str:
        return SCENARIO
