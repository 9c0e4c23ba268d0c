"""Evening: every game is played at a table of the real lobby.

Two people play, one on the full screen and one in plain mode, and answer at random; a third
spectates with a delay. The tests inspect the result.
"""

import functools
import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from client.journal.journal import Journal
from client.model.model import ClientModel
from client.net.client_port import ClientPort
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.table.room import RoomScreen
from client.screens.ui import Ui
from client.text.printable import printable
from protocol import describe, messages
from protocol.common.asks import Question
from protocol.common.table import Settings, Stage
from protocol.plugs import games
from protocol.types_file import types_file
from tests.games.cards.lobby import CardsHouse
from tests.games.first_edition.house import RoomsHouse
from tests.games.second_edition.simulate import at_random
from tests.games.toy.house import ToyHouse
from tests.games.woods.house import WoodsHouse
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_of, seat_all


@attrs.frozen
class Game:
    """Server and roles that one game needs for an evening."""

    house: Callable[[], House]
    """Makes a server that has a scenario of the game."""
    role: str = ""
    """The role of a third player, who claims no characters; empty for two players in one role."""


GAMES: Mapping[str, Game] = {
    "second_edition": Game(House),
    "first_edition": Game(RoomsHouse, "keeper"),
    "cards": Game(CardsHouse),
    "toy": Game(ToyHouse),
    "woods": Game(WoodsHouse, "keeper"),
}
"""Games by name."""

DELAY = 60
"""Delay of a delayed spectator, in seconds."""
SIZES = ((24, 80), (10, 40))
"""Rows and columns of the terminals on which every question is drawn."""
MOST_TURNS = 3000
"""Maximum number of turns: a game that is not over by then will never end."""


@attrs.define(eq=False)
class Person:
    """Player who answers at random and calls for the tiebreak when votes differ."""

    model: ClientModel
    port: ClientPort
    rng: random.Random

    def question(self) -> Question | None:
        """Return the open question, None if it was already answered."""
        view = self.model.view
        return view.my_question() if view is not None and not self.model.sent else None

    def act(self) -> None:
        question, view, port = self.question(), self.model.view, self.port
        if question is None or view is None or view.ask is None or view.seat is None:
            return
        ask = view.ask
        if not ask.has_open_votes:
            row = [at_random(part, self.rng) for part in question.row]
            port.answer(ask.ask_id, tuple(pick for picks in row for pick in picks))
        elif view.can_call_tiebreak():
            port.call_tiebreak(ask.ask_id)
        elif view.seat not in ask.votes:
            port.vote(ask.ask_id, at_random(question, self.rng))


@attrs.frozen
class Shown:
    """One question as drawn on a terminal of one size."""

    rows: int
    columns: int
    text: str
    choice: str
    """Text of the choice under the cursor, or of the first."""
    is_covered: bool
    """True if a box covers the screen."""


@attrs.define(eq=False)
class Evening:
    """Table of one game, and everything that was shown at it."""

    house: House
    ann: Client
    """Client of the host."""
    ben: Client
    """Client of the second player."""
    wat: Client
    """Client of the spectator."""
    clients: tuple[Client, ...]
    """Clients of Ann, Ben and any further player."""
    people: tuple[Person, ...]
    """Simulated people: Ann, Ben and any further player."""
    ui: Ui
    """Screen of the first player."""
    plain: PlainClient
    """Plain mode of the second player."""
    printed: list[str]
    shown: list[Shown] = attrs.field(factory=list)

    def consent(self) -> None:
        """Have each player who is present agree to the open proposal."""
        for person in self.people:
            room = room_of(self.house, self.ann)
            seat = person.model.view.seat if person.model.view is not None else None
            is_here = seat is not None and room.seats[seat].is_present
            if room.proposal is not None and is_here and seat not in room.proposal.consents:
                person.port.consent(room.proposal.proposal_id, is_agreed=True)
                self.house.settle()

    @property
    def is_over(self) -> bool:
        return room_of(self.house, self.ann).stage is Stage.OVER

    def play(self, turns: int = MOST_TURNS) -> None:
        """Answer until the game is over, in at most this many turns."""
        for _ in range(turns):
            if self.is_over:
                return
            self._look()
            for person in self.people:
                person.act()
                self.house.settle(0.1)

    def _look(self) -> None:
        question = self.people[0].question()
        if question is None:
            return
        # Pages of a story are read at once.
        self.ui.desk.shown.catch_up()
        for rows, columns in SIZES:
            text = self.ui.draw(rows, columns).plain()
            # The screen lists choices by group, so that another one may come first there.
            screen = self.ui.base()
            answering = screen.answering if isinstance(screen, RoomScreen) else None
            choices = question.choices if answering is None else answering.choices
            at = 0 if answering is None else max(0, answering.cursor)
            choice = self.ann.model.speaker.text(choices[at].text)
            if answering is not None and answering.grid is not None:
                # A grid shows its choices as marks, and the first in words of its own.
                choice = self.ui.desk.say(answering.grid.words)
            is_covered = bool(self.ui.desk.boxes)
            self.shown.append(Shown(rows, columns, text, printable(choice), is_covered))
        self.ui.desk.boxes.clear()

    def export(self, client: Client) -> bytes:
        """Return the exported log that a client downloads."""
        view = client.model.view
        assert view is not None
        before = len(client.session.all(messages.ExportPart))
        client.send(messages.ExportTable(client.next_serial(), view.room_id))
        self.house.settle()
        return b"".join(part.data for part in client.session.all(messages.ExportPart)[before:])


NAMES = ("Ann", "Ben", "Kim")


def seated(
    game: str,
    house: House,
    settings: Settings,
    *,
    names: Sequence[str] = NAMES,
    setup: str = "",
) -> list[Client]:
    """Seat people at one table and make them ready to start.

    Args:
        names: of the host, the second player and the player of the third role, if the game has one.
        setup: the code of a fixed setup; empty for none.
    """
    role = GAMES[game].role
    clients = seat_all(house, names if role else names[:2], settings)
    if setup:
        clients[0].port.fix_setup(setup)
        house.settle()
    get_ready(house, clients[:2])
    if role:
        clients[2].port.claim_role(role)
        house.settle()
        clients[2].port.set_ready(is_ready=True)
        house.settle()
    return clients


def start(game: str, settings: Settings | None = None, *, seed: int = 1) -> Evening:
    """Start a game with a delayed spectator and return its evening."""
    house = GAMES[game].house()
    later = Settings(spectators=True, spectators_delay_seconds=DELAY)
    clients = seated(game, house, settings or later)
    ann, ben = clients[:2]
    ann.port.start()
    house.settle()
    assert room_of(house, ann).stage is Stage.PLAYING
    wat = house.client("Wat")
    wat.port.watch(ann.session.last(messages.TableOpened).watch_code)
    house.settle()
    journal = Journal(lambda: ann.model.speaker)
    journal.begin(ann.model.view)
    ann.model.followers.append(journal)
    printed: list[str] = []
    plain = PlainClient(ben.model, ben.port, printed.append)
    plain.update()
    people = tuple(
        Person(client.model, client.port, random.Random(seed + at))
        for at, client in enumerate(clients)
    )
    ui = Ui(Desk(ann.model, ann.port, journal))
    return Evening(house, ann, ben, wat, tuple(clients), people, ui, plain, printed)


def types() -> Any:
    """Return the type definitions with those of the test games included."""
    return _types(games())


@functools.cache
def _types(_: tuple[str, ...]) -> Any:
    # The toy's kinds are declared where the kernel's tests play it.
    modules = {**describe.event_modules(), "toy": "tests.kit.tables.toy_table"}
    events = {game: describe.events_of(module) for game, module in modules.items()}
    return json.loads(json.dumps(types_file(messages.message_kinds().values(), events)))


@functools.cache
def an_evening(game: str) -> Evening:
    """Return a finished evening of a game. It is cached: do not play on."""
    evening = start(game)
    evening.play()
    return evening
