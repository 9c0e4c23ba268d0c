"""Whole server in one process with the small story of the first edition alone."""

import functools
from collections.abc import Mapping

import attrs

from content.games.first_edition.schema.pack import Pack
from content.plugs import packs
from content.plugs.kind import LoadedPack
from content.reading.files import read_files, shipped
from protocol.common.table import Settings
from protocol.games.first_edition.words import RULESET
from protocol.messages import TableOpened
from tests.kit.servers.house import Client, House

SCENARIO = "manor/six-rooms"


@functools.cache
def manor() -> Pack:
    """Return the bundled pack."""
    pack = packs.load("manor", packs.base_files(RULESET))
    assert isinstance(pack, Pack)
    return pack


@functools.cache
def outdoors() -> Pack:
    """
    Return the pack in which the small story is played by the rules of the outdoors.

    The investigators choose the objective in secret, the keeper takes one of two hidden actions,
    and one player leads two investigators.
    """
    found = manor()
    story = found.scenarios[SCENARIO]
    purpose, *others = story.questions
    secret = attrs.evolve(
        story,
        outdoor=True,
        questions=(attrs.evolve(purpose, by_vote=True), *others),
        actions=story.actions[:-2],
        hidden_actions=story.actions[-2:],
        action_picks=1,
    )
    words = {"text": "Find out what this night is for."}
    catalogs = {one: {**known, secret.guide: words} for one, known in found.catalogs.items()}
    return attrs.evolve(found, scenarios={SCENARIO: secret}, catalogs=catalogs)


@functools.cache
def tutorial_files() -> Mapping[str, bytes]:
    """Return the files of the tutorial's pack, with those that it builds on."""
    return packs.completed(read_files(shipped(RULESET) / "tutorial"))


@functools.cache
def tutorial() -> Pack:
    """Return the pack of the tutorial."""
    pack = packs.load("tutorial", tutorial_files())
    assert isinstance(pack, Pack)
    return pack


@attrs.define(eq=False)
class RoomsHouse(House):
    """Server of the small story with its clients."""

    has_tutorial: bool = attrs.field(default=False, kw_only=True)
    scenario: str = attrs.field(default=SCENARIO, kw_only=True)
    pack: Pack = attrs.field(factory=manor, kw_only=True)

    def content(self) -> LoadedPack:
        return self.pack

    def beside(self) -> tuple[LoadedPack, ...]:
        return (tutorial(),) if self.has_tutorial else ()

    def scenario_id(self) -> str:
        return self.scenario

    def open_table(self, client: Client, settings: Settings | None = None) -> str:
        """Open a table; return the code of its invitation."""
        client.port.open_table(self.scenario, settings or Settings(takebacks=False))
        self.settle()
        return client.session.last(TableOpened).code
