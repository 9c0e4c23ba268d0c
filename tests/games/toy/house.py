"""Whole server in one process with the toy's pack alone."""

from importlib import resources

import attrs

from content.plugs import packs
from content.plugs.kind import LoadedPack
from content.reading.files import read_files
from tests.games.toy.content.plug import ToyPack
from tests.kit.servers.house import House
from tests.kit.tables.toy_table import Content

SCENARIO = "toy/plain"


def toy_pack(on_shelf: Content | None = None) -> ToyPack:
    """Return the pack of the toy, optionally with other content for its one scenario."""
    pack = packs.load("toy", read_files(resources.files("tests.games.toy") / "pack"))
    assert isinstance(pack, ToyPack)
    return pack if on_shelf is None else attrs.evolve(pack, decks={SCENARIO: on_shelf})


@attrs.define(eq=False)
class ToyHouse(House):
    """Server of the toy with its clients."""

    on_shelf: Content | None = attrs.field(default=None, kw_only=True)
    """Content that replaces the content of the pack; None to keep it."""

    def content(self) -> LoadedPack:
        return toy_pack(self.on_shelf)

    def scenario_id(self) -> str:
        return SCENARIO
