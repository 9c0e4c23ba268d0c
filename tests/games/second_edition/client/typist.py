"""Player at the keyboard of a client on stage, with a server in the same process."""

import itertools
import random
from collections.abc import Iterator

import attrs

from client.bots.brains import SENSIBLE
from client.keymap.keys import Context
from client.plugs.brains import Brain
from client.screens.table.room import RoomScreen
from client.widgets.answering import Answering
from protocol.common.table import Stage
from tests.games.second_edition.client.stage import OnStage
from tests.kit.servers.house import Client

MOST_TURNS = 3000
"""Maximum number of boxes read and questions answered; a longer game counts as hanging."""


@attrs.define(eq=False)
class Typist:
    """Player at the keyboard who looks at the screen and presses keys."""

    stage: OnStage
    client: Client
    rng: random.Random = attrs.field(factory=lambda: random.Random(4))
    brain: Brain = SENSIBLE
    contexts: set[Context] = attrs.field(factory=set)
    """Contexts in which keys were pressed."""

    def __attrs_post_init__(self) -> None:
        """Let each look at the clock take a second, so boxes accept keys at once."""
        seconds = itertools.count()
        self.stage.terminal.ui.desk.now = lambda: float(next(seconds))

    async def press(self, *keys: str) -> None:
        """Press keys, and let the server react."""
        await self.stage.press(*keys)
        self.client.house.settle(0.2)
        await self.stage.settle()

    async def play_on(self) -> None:
        for _ in range(MOST_TURNS):
            if self.stage_of_room() is Stage.OVER:
                return
            await self.act()
        raise AssertionError(f"the game hangs at\n{self.stage.text}")

    async def read_on(self) -> None:
        """Close every box over the table."""
        while self.stage.terminal.ui.context() is not Context.ROOM:
            await self.press("enter")

    def stage_of_room(self) -> Stage:
        view = self.client.model.view
        assert view is not None
        return view.table.room.stage

    async def act(self) -> None:
        ui = self.stage.terminal.ui
        context = ui.context()
        self.contexts.add(context)
        if context is Context.ROOM:
            screen = ui.base()
            assert isinstance(screen, RoomScreen)
            assert screen.answering is not None, self.stage.text
            for key in self._keys(screen.answering):
                await self.stage.press(key)
            await self.press("enter")
        elif context is Context.CONFIRM:
            await self.press("y")
        else:
            await self.press("enter")

    def _keys(self, answering: Answering) -> Iterator[str]:
        """Yield the keys that mark the picks of a careful player, then Enter."""
        view = self.client.model.view
        assert view is not None
        for pick in self.brain(view, answering.question, self.rng):
            before = len(answering.picks)
            yield from str(answering.number_of(pick))
            if answering.is_many and len(answering.picks) == before:
                yield " "
