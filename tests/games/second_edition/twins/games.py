"""Games that have twins: setup, people and inputs.

A first game is played as in `tests.games.second_edition.random_games`: people answer, talk, come
and go, take back and hand seats over at random. Its twin gets the same inputs at the same times.
"""

import random
from collections.abc import Callable, Mapping

import attrs

from content.games.second_edition.schema.pack import Pack
from protocol.common import events
from protocol.common.asks import Choice
from protocol.common.table import Observer, Settings, Stage
from protocol.event import OPERATOR, Event, Record
from protocol.keys import fingerprint
from server.authoring.driver import player_key
from server.authoring.seat_keys import bound
from server.lobby.tables.bots import bot_key
from server.storage import StorageError
from tests.games.second_edition.random_games import MEDDLERS
from tests.games.second_edition.simulate import SeededEntropy, Simulation
from tests.games.second_edition.twins.chance import Chances, Draws
from tests.games.second_edition.twins.course import Course, followed
from tests.games.second_edition.twins.table import ROOM_ID, OneTable, room_opened
from tests.games.second_edition.twins.viewers import (
    OF_ALL,
    OF_SEAT,
    REFEREE,
    Asker,
    Bot,
    Exporter,
    Referee,
    Scraper,
    Viewer,
)
from tests.kit.tables.meddling import hand_over

MEDDLING = 0.03
"""Probability of another input in place of the next answer."""
PAUSED_EVERY = 12
"""Number of answers between two pauses by the operator, in games with an operator."""
UNLOGGED = (Exporter, Asker, Referee)
"""
Kinds of viewers whose coming and going is on no log, so that the game is the same without them.
"""
MAX_STEPS = 240
"""Maximum number of answers; a longer game is not played to its end."""


@attrs.frozen
class Spec:
    """All parameters of a game."""

    source: str
    """Source of the game's pack."""
    scenario: str
    seed: int
    players: int
    steps: int = MAX_STEPS
    is_metered: bool = attrs.field(default=False, repr=False)
    """
    True if metrics of the game are read. The game then has only viewers that its twins have, too.
    """

    has_operator: bool = attrs.field(default=False, repr=False)
    """True if an operator pauses the game now and then, and closes it in the end."""

    comes: Callable[[type[Viewer], int | None], bool] | None = attrs.field(default=None, repr=False)
    """Chooses the unlogged viewers by kind and seat; None for all of them."""

    def rng(self, what: str) -> random.Random:
        """Return the random generator for one purpose in this game."""
        return random.Random(f"{self}/{what}")

    @property
    def has_bot(self) -> bool:
        """True if a bot has the last seat."""
        return self.players > 1 and self.seed % 3 == 1

    def is_persons(self, seat: int) -> bool:
        """True if a person has the seat at the beginning."""
        return seat < self.players - self.has_bot

    @property
    def settings(self) -> Settings:
        return Settings(
            spectators=True,
            secrets_go_along=self.seed % 2 == 0,
            publish=self.seed % 4 != 3,
            spectators_delay_seconds=20 if self.seed % 3 == 2 else 0,
            observers=(Observer("Referee", fingerprint(REFEREE), 5 * (self.seed % 2)),),
        )

    @property
    def is_delayed(self) -> bool:
        return self.settings.spectators_delay_seconds > 0

    @property
    def failing(self) -> int:
        """Number of the input that the store fails to keep."""
        return self.rng("store").randrange(20, 200)

    def viewers(self) -> dict[str, Viewer]:
        seats = range(self.players - self.has_bot)
        found: list[tuple[type[Viewer], int | None]] = [(kind, None) for kind in OF_ALL]
        found += [(kind, seat) for seat in seats for kind in OF_SEAT]
        found.append((Referee, None))
        if self.is_metered:
            found = [one for one in found if not issubclass(one[0], UNLOGGED)]
            found.append((Scraper, None))
        if self.comes is not None:
            found = [o for o in found if not issubclass(o[0], UNLOGGED) or self.comes(*o)]
        if self.has_bot:
            found.append((Bot, self.players - 1))
        named = {}
        for kind, seat in found:
            name = kind.__name__ if seat is None else f"{kind.__name__} of seat {seat}"
            named[name] = kind(seat, self.rng(name))
        return named


@attrs.frozen
class Given:
    """One input of a first game."""

    happened: Event
    origin: int
    meant: tuple[Choice, ...]
    """Choices that an answer names."""
    is_secret: bool
    """True if the input answers a secret choice of the scenario."""
    first: int
    """Number of records on the log before the input."""
    time: float
    """Time of the input, in virtual seconds."""
    refusal: str
    """Reason why the input was refused; empty if it was accepted."""


@attrs.frozen(eq=False)
class First:
    """First game of a set of twins."""

    spec: Spec
    pack: Pack
    inputs: tuple[Given, ...]
    course: Course
    chances: Chances
    records: tuple[Record, ...]
    viewers: Mapping[str, Viewer]
    seconds: float
    """Length of the game, in virtual seconds."""


@attrs.define(eq=False)
class _Player(Simulation):
    """Player of a first game on a server."""

    table: OneTable = attrs.field(kw_only=True)
    spec: Spec = attrs.field(kw_only=True)
    course: Course = attrs.field(kw_only=True)
    given: list[Given] = attrs.field(factory=list, init=False)

    def give(self, happened: Event, origin: int) -> None:
        """Give the server an input, and record it."""
        self.room, number = self.table.host.room, len(self.given)
        ask, first, time = self.table.room.ask, len(self.room.log), self.table.clock.seconds()
        meant = self._meant(happened)
        is_secret = (
            isinstance(happened, events.Answered)
            and ask is not None
            and ask.about.subject == "about/choose_secretly"
        )
        self.course.next()
        self.table.act(number)
        refusal = self.table.give(happened, origin, fails=number == self.spec.failing)
        self.given.append(Given(happened, origin, meant, is_secret, first, time, refusal))
        self.room = self.table.host.room
        self.table.mark()
        self.course.next()

    def open_table(self) -> None:
        """Open a table with the settings of this game."""
        opened = room_opened(ROOM_ID, self.scenario, self.pack, self.spec.settings)
        self.give(opened, 0)
        if self.off:
            self.give(events.ProductsSwitched(self.off), 0)

    @property
    def people(self) -> range:
        """Seats of people."""
        return range(self.players - self.spec.has_bot)

    def sit_down(self) -> None:
        """Seat everybody; a bot chooses its own investigator."""
        for seat in self.people:
            key = player_key(seat).public
            self.give(events.SeatTaken(seat, f"Player {seat}", key, is_bot=False), seat)
        there = self.pack.without(self.off).investigators
        each = self.roster().roles[0].count_for(self.players)
        pieces = self.rng.sample(sorted(there), each * len(self.people))
        for seat in self.people:
            mine = tuple(pieces[seat * each : (seat + 1) * each])
            self.give(events.CharactersClaimed(seat, mine), seat)
            self.give(events.ReadySet(seat, is_ready=True), seat)
        if self.spec.has_bot:
            self.give(
                events.SeatTaken(self.players - 1, "Bot 1", bot_key(ROOM_ID, 1), is_bot=True), 0
            )
            self.table.let_time_pass(2)

    def start(self) -> None:
        """Start the game; a bot adds its own share."""
        self.give(events.StartRequested(0), 0)
        shares = [self.rng.randbytes(32) for _ in self.people]
        for seat, share in enumerate(shares):
            self._give_until_kept(bound(self.room.table.room, seat, share), seat)
        for seat, share in enumerate(shares):
            self._give_until_kept(events.ShareOpened(seat, share), seat)
        self.table.let_time_pass(2)
        self.room = self.table.host.room

    def _give_until_kept(self, happened: Event, origin: int) -> None:
        """Give an input, and again if the store lost it, as clients do with shares."""
        self.give(happened, origin)
        if self.given[-1].refusal == StorageError.__name__:
            self.give(happened, origin)

    def go_through(self) -> None:
        """Play the game with everything people do besides answering."""
        self.open()
        for number in range(self.spec.steps):
            self.room = self.table.host.room
            room = self.room.table.room
            if room.stage is Stage.OVER:
                return
            if self.spec.has_operator and number % PAUSED_EVERY == 0:
                # Somebody answers while the game is paused, in vain.
                self.give(events.OperatorPaused(b"a word with you"), OPERATOR)
                self.step()
                self.give(events.OperatorResumed(b"thanks"), OPERATOR)
            if self.spec.has_bot and _waits_for_bot_alone(self):
                self.table.let_time_pass(1)
            elif not self.spec.has_bot and self.rng.random() < MEDDLING:
                self.rng.choice((*MEDDLERS, hand_over))(self)
            else:
                self.step()


def _waits_for_bot_alone(game: _Player) -> bool:
    ask = game.room.table.room.ask
    return ask is not None and bool(ask.waiting_for) and ask.waiting_for[0] == game.players - 1


def play_first(spec: Spec, pack: Pack) -> First:
    draws, course, viewers = Draws(), Course(), spec.viewers()
    entropy = SeededEntropy(spec.seed)
    table = OneTable(pack, spec.scenario, entropy, draws.make_chance, tuple(viewers.values()))
    with followed(course), draws.noted(), table:
        rng, room = spec.rng("play"), table.host.room
        game = _Player(
            *(room, rng, spec.players, pack, spec.scenario), table=table, spec=spec, course=course
        )
        table.mark()
        game.go_through()
        if spec.has_operator:
            game.give(events.OperatorClosed(b"good night"), OPERATOR)
        seconds = table.clock.seconds()
    records = tuple(table.records())
    chances = Chances.of(records, draws)
    return First(spec, pack, tuple(game.given), course, chances, records, viewers, seconds)
