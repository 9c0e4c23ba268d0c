"""
Evenings: the small story, played by a script that follows public facts alone.

Kim is the keeper, Ann and Ben are investigators, Wat watches. Two evenings differ in one secret of
the keeper; what the other three were sent, and when, is compared.
"""

from collections.abc import Callable, Mapping, Sequence

import attrs

from protocol import messages
from protocol.common.asks import Question
from protocol.common.chance import SeededChance, Stream
from protocol.common.table import Settings, Stage
from protocol.games.first_edition.table import FirstEditionTable
from server.kernel.chance import Chance
from tests.games.first_edition.house import RoomsHouse
from tests.games.twins.notes import Note, noting
from tests.kit.servers.house import Client
from tests.kit.servers.tables import room_of, seat_all

ANSWERS = ("sitting-up", "in-the-bedroom")
"""The keeper's answers, unless an evening has others."""
PEOPLE = ("investigator/nora-voss", "investigator/bram-marrow")
"""Investigators of Ann and Ben."""
PREFERRED = ("choice/end_turn", "choice/end_actions", "choice/no_attack", "choice/roll")
"""What the script does wherever it is offered, after the wishes of an evening."""

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
class Evening:
    """One game, and what three viewers were sent."""

    house: RoomsHouse
    clients: Mapping[str, Client]
    answers: tuple[str, ...]
    wishes: dict[str, list[str]]
    notes: dict[str, list[Note]] = attrs.field(factory=dict)
    strikes: bool = False
    """True if the keeper plays a card wherever one is offered."""

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
                return
            for name in self.clients:
                self._answer(name)
            self.house.settle(1.0)
        raise AssertionError(f"still in round {self.game.round_number}: {room.ask}")

    def _answer(self, name: str) -> None:
        client = self.clients[name]
        view = client.model.view
        question = view.my_question() if view is not None and not client.model.sent else None
        if question is None or view is None or view.ask is None or name == "wat":
            return
        if view.seat is not None and view.ask.may_interrupt(view.seat):
            if self.strikes and question.choices and question.choices[0].group == "mythos":
                client.port.answer(view.ask.ask_id, (question.choices[0].choice_id,))
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
        if wanted:
            found = [one for one, words in said.items() if wanted[0] in words]
            if found:
                wanted.pop(0)
                return (found[0],)
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
    strikes: bool = False,
    rounds: int = 2,
    by_calendar: bool = False,
) -> Evening:
    """Play an evening of some rounds, and return it with the notes of Ann, Ben and Wat."""

    def make_chance(_stream: Stream, key: bytes) -> Chance:
        return Dealt(SeededChance(key), order, places or {})

    house = RoomsHouse(make_chance=make_chance)
    limit = 86400 if by_calendar else 0
    settings = Settings(
        spectators=True, takebacks=False, by_calendar=by_calendar, time_limit_seconds=limit
    )
    kim, ann, ben = seat_all(house, ["Kim", "Ann", "Ben"], settings)
    wat = house.client("Wat")
    wat.port.watch(kim.session.last(messages.TableOpened).watch_code)
    clients = {"kim": kim, "ann": ann, "ben": ben, "wat": wat}
    told = {name: list(words) for name, words in (wishes or {}).items()}
    made = Evening(house, clients, answers, told, strikes=strikes)
    made.notes = {name: noting(house, clients[name]) for name in ("ann", "ben", "wat")}
    kim.port.claim_role("keeper")
    house.settle()
    for client, who in ((ann, PEOPLE[0]), (ben, PEOPLE[1])):
        client.port.claim((who,))
        house.settle()
    for client in (kim, ann, ben):
        client.port.set_ready(is_ready=True)
        house.settle()
    kim.port.start()
    house.settle()
    made.play(rounds)
    return made
