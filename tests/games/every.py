"""
What every game is put through: an evening at a table of the real lobby.

Two people play, one on the full screen and one in plain lines, and answer at random; somebody
spectates, a minute later. Tests look at what is left of the evening.
"""

import functools
import random
from collections.abc import Callable, Mapping

import attrs

from client.journal.journal import Journal
from client.model.model import ClientModel
from client.net.port import ClientPort
from client.plain.client import PlainClient
from client.screens.screen import Desk
from client.screens.ui import Ui
from client.text.printable import printable
from protocol import messages as say
from protocol.common.asks import Question, Settle
from protocol.common.table import Settings, Stage
from tests.games.second_edition.simulate import at_random
from tests.games.toy.house import ToyHouse
from tests.lobby.house import Client, House
from tests.lobby.tables import room_of, start_all

GAMES: Mapping[str, Callable[[], House]] = {"second_edition": House, "toy": ToyHouse}
"""By the name of a game: a server that has a scenario of it."""

DELAY = 60
"""By how many seconds a spectator is later."""
SIZES = ((24, 80), (10, 40))
"""Rows and columns of the terminals on which every question is drawn."""
MOST_TURNS = 3000
"""After so many, a game that is not over never will be."""


@attrs.define(eq=False)
class Person:
    """Somebody who answers at random, and has the lot decide where the table differs."""

    model: ClientModel
    port: ClientPort
    rng: random.Random

    def question(self) -> Question | None:
        """Return what is asked and was not answered yet."""
        view = self.model.view
        return view.my_question() if view is not None and not self.model.sent else None

    def act(self) -> None:
        """Answer, if something is asked."""
        question, view, port = self.question(), self.model.view, self.port
        if question is None or view is None or view.ask is None or view.seat is None:
            return
        ask = view.ask
        if ask.settle is not Settle.AGREE:
            port.answer(ask.ask_id, at_random(question, self.rng))
        elif view.can_call_lot():
            port.call_lot(ask.ask_id)
        elif view.seat not in ask.votes:
            port.vote(ask.ask_id, self.rng.choice(question.choices).choice_id)


@attrs.frozen
class Shown:
    """One question on one terminal."""

    rows: int
    columns: int
    text: str
    first_choice: str
    """The words of the first thing that can be chosen."""
    is_covered: bool
    """Whether a box lies over it."""


@attrs.define(eq=False)
class Evening:
    """A table, and all that was shown at it."""

    house: House
    ann: Client
    """The host."""
    ben: Client
    """The other one."""
    wat: Client
    """Who spectates."""
    people: tuple[Person, ...]
    """What Ann and Ben do."""
    ui: Ui
    """The first person's screen."""
    plain: PlainClient
    """The second person's lines."""
    printed: list[str]
    shown: list[Shown] = attrs.field(factory=list)

    @property
    def is_over(self) -> bool:
        """Whether the game has its result."""
        return room_of(self.house, self.ann).stage is Stage.OVER

    def play(self, turns: int = MOST_TURNS) -> None:
        """Answer whatever comes, so many times or until the game is over."""
        for _ in range(turns):
            if self.is_over:
                return
            self._look()
            for person in self.people:
                person.act()
                self.house.settle(0.1)

    def _look(self) -> None:
        """Draw what the first person is asked."""
        question = self.people[0].question()
        if question is None:
            return
        for rows, columns in SIZES:
            text = self.ui.draw(rows, columns).plain()
            first = self.ann.model.speaker.text(question.choices[0].text)
            is_covered = bool(self.ui.desk.boxes)
            self.shown.append(Shown(rows, columns, text, printable(first), is_covered))
        self.ui.desk.boxes.clear()

    def export(self, client: Client) -> bytes:
        """Return the file that somebody at the table is given."""
        view = client.model.view
        assert view is not None
        before = len(client.session.all(say.ExportPart))
        client.send(say.ExportTable(client.next_serial(), view.room_id))
        self.house.settle()
        return b"".join(part.data for part in client.session.all(say.ExportPart)[before:])


def start(game: str, settings: Settings | None = None, *, seed: int = 1) -> Evening:
    """Return an evening whose game asks its first question."""
    house = GAMES[game]()
    ann, ben = start_all(
        house,
        ["Ann", "Ben"],
        settings or Settings(spectators=True, spectators_delay_seconds=DELAY),
    )
    wat = house.client("Wat")
    wat.port.watch(ann.session.last(say.TableOpened).watch_code)
    house.settle()
    journal = Journal(lambda: ann.model.speaker)
    journal.begin(ann.model.view)
    ann.model.followers.append(journal)
    printed: list[str] = []
    plain = PlainClient(ben.model, ben.port, printed.append)
    plain.look()
    people = tuple(
        Person(client.model, client.port, random.Random(seed + at))
        for at, client in enumerate((ann, ben))
    )
    ui = Ui(Desk(ann.model, ann.port, journal))
    return Evening(house, ann, ben, wat, people, ui, plain, printed)


@functools.cache
def an_evening(game: str) -> Evening:
    """Return an evening that was played to its end; played once, so do not go on with it."""
    evening = start(game)
    evening.play()
    return evening
