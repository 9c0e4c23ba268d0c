"""
Evenings: the small story, played by a script that follows public facts alone.

Kim is the keeper, Ann and Ben are investigators, Wat watches. Two evenings differ in one secret of
the keeper; what everybody else was sent, and when, is compared. After the script Ann and Ben ask
for what they get or are refused, and Zoe comes to watch.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import attrs
from twisted.logger import ILogObserver, eventAsText, globalLogPublisher

from content.games.first_edition.schema.pack import Pack
from protocol import messages
from protocol.bounds import MAX_PICKS
from protocol.common.asks import Question
from protocol.common.chance import SeededChance, Stream
from protocol.common.table import LaidReady, Observer, RoomTable, Settings, Stage
from protocol.games.first_edition.table import FirstEditionTable
from protocol.keys import fingerprint
from protocol.messages import ClientMessage, ServerMessage
from server.admin import view
from server.kernel.chance import Chance
from server.net.handler import Account, SessionHandler
from server.process.bot_session import BotSession
from server.process.metrics import Metrics
from tests.games.first_edition.house import SCENARIO, RoomsHouse, manor
from tests.games.second_edition.simulate import SeededEntropy
from tests.games.second_edition.twins.viewers import HeardBot
from tests.games.twins.compare import Heard
from tests.kit.servers.house import Client, key_of
from tests.kit.servers.tables import room_of, seat_all

ANSWERS = ("sitting-up", "in-the-bedroom")
"""The keeper's answers, unless an evening has others."""
PEOPLE = ("investigator/nora-voss", "investigator/bram-marrow")
"""Investigators of Ann and Ben."""
PREFERRED = ("choice/end_turn", "choice/end_actions", "choice/no_attack", "choice/roll")
"""What the script does wherever it is offered, after the wishes of an evening."""
WATCHERS = ("wat", "rea")
"""Clients without a seat."""

SCRAPES = 12
"""The metrics are read once for so many lines that the operator has read, theirs among them."""
_LATE = 300.0
"""The time of day, in seconds, at which everybody looks back; longer than an evening takes."""

Order = Callable[[str, Sequence[str]], Sequence[str]]
"""Returns the order of a shuffled pile, by the purpose of the draw."""
Wishes = Mapping[str, Sequence[str]]
"""For each player, words of choices that are taken once each where they are offered, in order."""


@attrs.define
class Dealt:
    """Chance with the outcome of some draws of the setup replaced."""

    chance: SeededChance
    order: Order
    places: Mapping[str, int]
    """For deals, by purpose: the name that comes first, by its place in the alphabet."""

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        return self.chance.roll(number, purpose, count, sides)

    def pick(self, number: int, purpose: str, bound: int) -> int:
        return self.chance.pick(number, purpose, bound)

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        return self.chance.shuffle(number, purpose, items)

    def rank(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        ranked = self.chance.rank(number, purpose, items)
        if purpose.startswith("shuffle "):
            return tuple(self.order(purpose, ranked))
        if purpose not in self.places:
            return ranked
        first = sorted(ranked)[self.places[purpose] % len(ranked)]
        return (first, *(item for item in ranked if item != first))


def as_it_falls(_purpose: str, mixed: Sequence[str]) -> Sequence[str]:
    """Return the order as chance has made it."""
    return mixed


def first_in(deck: str, card: str) -> Order:
    """Return the order in which one card lies on top of a deck."""

    def order(purpose: str, mixed: Sequence[str]) -> Sequence[str]:
        if purpose != f"shuffle {deck}":
            return mixed
        return [card, *(other for other in mixed if other != card)]

    return order


@attrs.define(eq=False)
class HeardHouse(RoomsHouse):
    """A server whose own bot plays for Ben if nobody else does."""

    bot_heard: list[Heard] = attrs.field(factory=list)

    def _make_bot(self, key: bytes, name: str, room_id: str, handler: SessionHandler) -> BotSession:
        return HeardBot(
            Account(key, name, "en"),
            room_id,
            handler,
            self.clock,
            # The same in both games: the bot does the same unless it is told something else.
            SeededEntropy(7),
            hear=lambda message: self.bot_heard.append((self.clock.seconds(), message)),
        )


@attrs.define(eq=False)
class Evening:
    """One game, and what everybody but the keeper was sent."""

    house: HeardHouse
    clients: dict[str, Client]
    answers: tuple[str, ...]
    wishes: dict[str, list[str]]
    heard: dict[str, list[Heard]] = attrs.field(factory=dict)
    """Messages and lines by viewer: the clients, `ann again`, `bot`, `log` and `operator`."""
    metrics: Metrics = attrs.field(factory=Metrics)
    strikes: int = 0
    """The round from which on the keeper plays a card wherever one is offered; 0 for never."""
    _forged: set[str] = attrs.field(factory=set, init=False)
    """Rules at whose questions answers were forged."""
    _answered: set[tuple[str, int]] = attrs.field(factory=set, init=False)
    """Who has answered which question: an answer stands until its time has come."""

    @property
    def game(self) -> FirstEditionTable:
        game = self.house.host_of(self.clients["kim"]).room.table.game
        assert isinstance(game, FirstEditionTable)
        return game

    def play(self, rounds: int) -> None:
        """Answer by the script until this many rounds are over, or the game is."""
        room = room_of(self.house, self.clients["kim"])
        for _ in range(400):
            room = room_of(self.house, self.clients["kim"])
            if room.stage is not Stage.PLAYING or self.game.round_number > rounds:
                assert not any(self.wishes.values()), f"never offered: {self.wishes}"
                return
            self._forge_once(room)
            for name in self.clients:
                self._answer(name)
            self.house.settle(1.0)
            self._look()
        raise AssertionError(f"still in round {self.game.round_number}: {room.ask}")

    def listen(self, name: str, client: Client) -> None:
        """Record what a client is sent from now on; the client still receives it."""
        heard = self.heard[name] = []
        hear = client.session.hear

        def note(message: ServerMessage) -> None:
            heard.append((round(self.house.clock.seconds(), 3), message))
            hear(message)

        client.session.hear = note

    def _look(self) -> None:
        """Let the operator read the line of the table, and the metrics."""
        host = self.house.host_of(self.clients["kim"])
        summary = self.house.lobby.registry.summaries[host.room.table.room.room_id]
        said = self.heard.setdefault("operator", [])
        now = self.house.clock.seconds()
        said.append((now, repr(view.table_line(summary, host))))
        # To write them takes as long as an answer takes; most count on, so a difference stays.
        if len(said) % SCRAPES == 1:
            said.append((now, self.metrics.text().decode()))

    def look_back(self, watch_code: str) -> None:
        """
        Ann comes back and Zoe is late; others export, and ask for what they do not get.

        These are Wat, Ben, and Kim, where what she is sent is compared, too.
        """
        room_id = self.house.host_of(self.clients["kim"]).room.table.room.room_id
        self.house.settle(_LATE - self.house.clock.seconds())
        zoe = self.house.client("Zoe", language="fr")
        self.listen("zoe", zoe)
        zoe.port.watch(watch_code)
        self.clients["ann"].disconnect()
        again = self.house.client("Ann")
        self.listen("ann again", again)
        again.port.enter(room_id)
        self.house.settle()
        others = [name for name in ("ben", "wat", "kim", "rea") if name in self.heard]
        for name in others:
            self._say(name, messages.ExportTable, room_id)
            self._say(name, messages.ExportPack, room_id)
            self.house.settle()
        ask = room_of(self.house, self.clients["kim"]).ask
        ask_id = 0 if ask is None else ask.ask_id
        for name in others:
            if name not in WATCHERS:
                self._say(name, messages.Answer, room_id, ask_id, ("no such choice",))
                self._say(name, messages.Answer, room_id, ask_id + 1, (f"{ask_id}.0",))
                self._say(name, messages.AnswerInWindow, room_id, ask_id, ("no such choice",))
                self._say(name, messages.ProposeCorrection, room_id, "monster/none", 1)
                self._say(name, messages.ListTables)
                self.house.settle()

    def exported(self, name: str) -> bytes:
        """Return the file that a player exported when they looked back."""
        return b"".join(part.data for part in self.clients[name].session.all(messages.ExportPart))

    def hand_over(self, name: str) -> None:
        """Give the seat of a player to Wat, who comes from watching; all others agree."""
        kim, wat = self.clients["kim"], self.clients["wat"]
        seat = room_of(self.house, kim).seat_of(self.clients[name].session.account.key)
        assert seat is not None
        kim.port.propose_give_seat(seat, to_bot=False)
        self.house.settle()
        for other in ("ann", "ben"):
            client = self.house.client(other.capitalize())
            client.port.enter(room_of(self.house, kim).room_id)
            self.house.settle()
            proposal = room_of(self.house, kim).proposal
            if proposal is not None:
                client.port.consent(proposal.proposal_id, is_agreed=True)
                self.house.settle()
        self.house.join(wat, kim.session.last(messages.InvitationMade).code)
        assert room_of(self.house, kim).seats[seat].name == "Wat"

    def _forge_once(self, room: RoomTable) -> None:
        """
        At the first question of each rule, have everybody give answers that nobody offered them.

        Who is not asked names choices of those who are; who is asked names none that exists.
        """
        ask, room_id = room.ask, room.room_id
        # With a delay, the moments of Wat's messages would tell how far the game is.
        is_delayed = room.settings.spectators_delay_seconds > 0
        if ask is None or ask.rule in self._forged or is_delayed:
            return
        self._forged.add(ask.rule)
        written = len(self.house.log_of(room_id))
        offered = [
            tuple(question.value.default or [one.choice_id for one in question.value.choices[:1]])
            for question in ask.questions.values()
        ]
        unknown = [("no such choice",), ("0",) * MAX_PICKS]
        for name, client in self.clients.items():
            is_asked = room.seat_of(client.session.account.key) in ask.questions
            if not is_asked:
                # As in a practice game, where one person speaks for every seat.
                self._say(name, messages.SpeakFor, room_id, min(ask.questions))
            for picks in unknown if is_asked else ((), *unknown, *offered):
                self._say(name, messages.Answer, room_id, ask.ask_id, picks)
                self._say(name, messages.AnswerInWindow, room_id, ask.ask_id, picks)
                self._say(name, messages.Vote, room_id, ask.ask_id, picks)
            self._say(name, messages.CallTiebreak, room_id, ask.ask_id)
            self.house.settle(0.2)
        assert len(self.house.log_of(room_id)) == written, f"forged at {ask.rule}"

    def _say(self, name: str, kind: type[ClientMessage], *fields: object) -> None:
        client = self.clients[name]
        client.send(kind(client.next_serial() + 1000, *fields))

    def _answer(self, name: str) -> None:
        client = self.clients[name]
        view = client.model.view
        question = view.my_question() if view is not None and not client.model.sent else None
        if question is None or view is None or view.ask is None or name in WATCHERS:
            return
        if (name, view.ask.ask_id) in self._answered:
            return
        self._answered.add((name, view.ask.ask_id))
        if view.seat is not None and view.ask.may_interrupt(view.seat):
            cards = [one for one in question.choices if one.group == "mythos"]
            if 0 < self.strikes <= self.game.round_number and cards:
                # The same card, in whatever order they lie in the hand.
                chosen = min(cards, key=lambda one: str(one.text))
                client.port.answer(view.ask.ask_id, (chosen.choice_id,))
            return
        picks = tuple(pick for one in question.row for pick in self._picks(name, one))
        client.port.answer(view.ask.ask_id, picks)

    def _picks(self, name: str, question: Question) -> tuple[str, ...]:
        wanted = self.wishes.setdefault(name, [])
        said = {
            choice.choice_id: f"{choice.text.subject} {choice.text.params}"
            for choice in question.choices
        }
        for wish in self.answers if name == "kim" else ():
            if found := [one for one, words in said.items() if f"/{wish}'" in words]:
                return (found[0],)
        taken: list[str] = []
        while wanted and len(taken) < max(1, question.at_least):
            found = [one for one, words in said.items() if wanted[0] in words]
            if not found:
                break
            wanted.pop(0)
            taken.append(found[0])
        if taken:
            return tuple(taken)
        for subject in PREFERRED:
            if found := [one for one, words in said.items() if words.startswith(f"{subject} ")]:
                return (found[0],)
        ending = [choice.choice_id for choice in question.choices if choice.ends]
        return (*ending, *said)[: max(1, question.at_least)] if question.at_least else ()


def evening(
    *,
    answers: tuple[str, ...] = ANSWERS,
    order: Order = as_it_falls,
    places: Mapping[str, int] | None = None,
    wishes: Wishes | None = None,
    strikes: int = 0,
    rounds: int = 2,
    by_calendar: bool = False,
    laid_ready: LaidReady = LaidReady.BY_CALENDAR,
    delay: int = 0,
    observed_after: int | None = None,
    with_bot: bool = False,
    scenario: str = SCENARIO,
    people: tuple[str, str] = PEOPLE,
    pack: Pack | None = None,
    hears_keeper: bool = False,
) -> Evening:
    """
    Play an evening of some rounds.

    Args:
        answers: what the keeper answers to the story's questions.
        order: the order of each shuffled pile.
        places: what deals bring, as in `Dealt`.
        wishes: choices that are taken where they are offered.
        strikes: the round from which on the keeper plays a card wherever one is offered; 0 for
            never.
        rounds: number of rounds.
        by_calendar: True for a game over days.
        laid_ready: whether the keeper lays cards ready.
        delay: seconds by which Wat and Zoe see the game later.
        observed_after: seconds by which Rea sees the game later, who may see all; None without
            her.
        with_bot: True if the server's bot plays in Ben's place.
        scenario: the story.
        people: the investigators of Ann and Ben.
        pack: the pack; the bundled one if left out.
        hears_keeper: True if what Kim is sent is compared, too.
    """

    def make_chance(_stream: Stream, key: bytes) -> Chance:
        return Dealt(SeededChance(key), order, places or {})

    house = HeardHouse(make_chance=make_chance, scenario=scenario, pack=pack or manor())
    house.lobby.replies.counts = metrics = Metrics(house.clock.seconds)
    limit = 86400 if by_calendar else 0
    rea = Observer("Rea", fingerprint(key_of("Rea").public), observed_after or 0)
    settings = Settings(
        spectators=True,
        takebacks=False,
        by_calendar=by_calendar,
        laid_ready=laid_ready,
        time_limit_seconds=limit,
        spectators_delay_seconds=delay,
        observers=() if observed_after is None else (rea,),
    )
    names = ["Kim", "Ann"] if with_bot else ["Kim", "Ann", "Ben"]
    clients = {client.model.name.lower(): client for client in seat_all(house, names, settings)}
    kim = clients["kim"]
    watch_code = kim.session.last(messages.TableOpened).watch_code
    clients["wat"] = house.client("Wat")
    clients["wat"].port.watch(watch_code)
    if observed_after is not None:
        clients["rea"] = house.client("Rea")
        clients["rea"].port.watch(watch_code)
    told = {name: list(words) for name, words in (wishes or {}).items()}
    made = Evening(house, clients, answers, told, metrics=metrics, strikes=strikes)
    for name, client in clients.items():
        if name != "kim" or hears_keeper:
            made.listen(name, client)
    made.heard["bot"] = house.bot_heard
    lines = made.heard["log"] = []
    observer = cast(
        "ILogObserver",
        lambda event: lines.append(
            (house.clock.seconds(), eventAsText(event, includeTimestamp=False))
        ),
    )
    globalLogPublisher.addObserver(observer)
    try:
        kim.port.claim_role("keeper")
        house.settle()
        for name, who in zip(("ann", "ben"), people, strict=True):
            if name in clients:
                clients[name].port.claim((who,))
                house.settle()
        if with_bot:
            kim.port.add_bot("investigator")
            house.settle()
        for name in ("kim", "ann", "ben"):
            if name in clients:
                clients[name].port.set_ready(is_ready=True)
                house.settle()
        kim.port.start()
        house.settle()
        made.play(rounds)
        made.look_back(watch_code)
    finally:
        globalLogPublisher.removeObserver(observer)
    return made
