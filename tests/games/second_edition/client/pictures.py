"""Generates the pictures of the docs: screens of a seeded game, seen from its first seat.

A page shows a picture between `<!-- picture: NAME -->` and the end of the code block below it. Set
MANSE_ACCEPT_SCREENS=1 to have the test write them anew.
"""

import functools
import itertools
import random
import re
from collections.abc import Callable, Mapping

import attrs

from client.bots.brains import SENSIBLE
from client.journal.journal import Journal
from client.locale import load
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import TableView
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import Preferences
from protocol.common import events
from protocol.common.asks import Choice
from protocol.common.table import LOG_VERSION
from protocol.event import Event, cut
from protocol.games.second_edition.table import SecondEditionTable
from server.authoring.driver import player_key
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.room import Room
from server.lobby.views.words import Wordsmith
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.second_edition.simulate import CoreLibrary, SeededEntropy, Simulation, core_words
from tests.kit.words_sent import words_for

SEED = 20
ROWS, COLUMNS = 24, 80
_MARK = re.compile(r"(<!-- picture: (\w+) -->\n+```text\n)(.*?)(```)", re.DOTALL)


NAMES = ("Ann", "Ben")


class _Game(Simulation):
    """Simulated game whose seats have names and are present."""

    def give(self, happened: Event, origin: int) -> None:
        """Add names and presence to a seat, and fix the digest of the pack.

        Chance follows from the whole log, so a pack's real digest would change the game with every
        word that is edited.
        """
        if isinstance(happened, events.RoomOpened):
            again = (happened.room_id, happened.ruleset, happened.scenario, b"pictures" * 4)
            super().give(events.RoomOpened(*again, happened.settings, LOG_VERSION, None), origin)
        elif isinstance(happened, events.SeatTaken):
            seat, key = happened.seat, happened.key
            super().give(events.SeatTaken(seat, NAMES[seat], key, is_bot=False), origin)
            super().give(events.PresenceChanged(seat, is_present=True), origin)
        else:
            super().give(happened, origin)


@attrs.define(eq=False)
class _Camera:
    """Spectator's client that saves each wanted screen once the condition of that screen holds."""

    ui: Ui
    wanted: dict[str, Callable[["_Camera"], bool]]
    taken: dict[str, str] = attrs.field(factory=dict)

    @property
    def model(self) -> ClientModel:
        return self.ui.desk.model

    @property
    def game(self) -> SecondEditionTable | None:
        view = self.model.view
        game = view.table.game if view is not None else None
        return game if isinstance(game, SecondEditionTable) else None

    @property
    def choices(self) -> tuple[Choice, ...]:
        view = self.model.view
        question = view.my_question() if view is not None else None
        return question.choices if question is not None else ()

    def points(self, kind: str) -> bool:
        return any(point.kind == kind for choice in self.choices for point in choice.points)

    def groups(self) -> int:
        return len({choice.group for choice in self.choices})

    def look(self) -> None:
        """Take each wanted picture whose condition now holds."""
        for name, is_there in tuple(self.wanted.items()):
            if is_there(self):
                del self.wanted[name]
                self.taken[name] = self.picture(name)

    def picture(self, name: str) -> str:
        """Return the screen after the keys that belong to a picture were pressed."""
        keys = KEYS.get(name, ())
        self.ui.draw(ROWS, COLUMNS)
        for key in keys:
            self.ui.press(key)
            self.ui.draw(ROWS, COLUMNS)
        shown = self.ui.draw(ROWS, COLUMNS).plain()
        for _ in keys:
            self.ui.press("escape")
        return shown


def _is_turn(camera: _Camera) -> bool:
    game = camera.game
    return game is not None and game.round_number == 2 and camera.groups() > 3


WANTED: Mapping[str, Callable[[_Camera], bool]] = {
    "turn": _is_turn,
    "help": _is_turn,
    "cards": _is_turn,
    "dice": lambda camera: camera.points("die"),
    "waiting": lambda c: c.game is not None and c.game.round_number == 1 and not c.choices,
    "monsters": lambda c: c.game is not None and bool(c.game.monsters) and bool(c.choices),
}
"""
Condition of each picture, by name: the picture is taken the first time that the condition holds.
"""
KEYS: Mapping[str, tuple[str, ...]] = {
    "help": ("?",),
    "cards": ("i",),
    "monsters": ("m",),
}
"""Keys that are pressed before a picture is taken, by the name of the picture."""


@functools.cache
def pictures() -> Mapping[str, str]:
    model = ClientModel("Ann", player_key(0).public, load("en"))
    model.status = Online("", "", "", 0.023)
    journal = Journal(lambda: model.speaker)
    model.followers.append(journal)
    view = TableView(f"room-{SEED}", 0)
    model.follow(view)
    # Nothing that opens by itself, and dice that fell a while ago are gone.
    clock = itertools.count(step=60.0)
    desk = Desk(model, RecordingPort(), journal, prefs=Preferences(story=False))
    desk.now = lambda: next(clock)
    camera = _Camera(Ui(desk), dict(WANTED))
    wordsmith = Wordsmith("en")

    def look(batch: Batch) -> None:
        cuts = [cut(stored, 0) for stored in batch.stored]
        for words in words_for(wordsmith, core_words(), cuts):
            model.words.add(words.language, words.subjects)
        model.pass_steps(view.receive(cuts))
        camera.look()

    room = Room(view.room_id, CoreLibrary(), SeededEntropy(SEED), make_chance=seeded)
    _Game(room, random.Random(SEED), len(NAMES), on_batch=look, brain=SENSIBLE).play()
    return camera.taken


def named_in(page: str) -> Mapping[str, str]:
    """Return the pictures that a page contains, by name."""
    return {match[2]: match[3] for match in _MARK.finditer(page)}


def with_pictures(page: str, taken: Mapping[str, str]) -> str:
    return _MARK.sub(lambda match: f"{match[1]}{taken[match[2]]}\n{match[4]}", page)
