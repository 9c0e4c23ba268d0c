"""
Evenings: games of the test house on a whole server, of which two differ in what Kim may know alone.

Kim, Ann and Ben play, Wat watches, Rea observes, Zoe comes late; what everybody but Kim was sent is
compared, and when, with the lines that the server logs and what its operator reads. The script and
the viewers are those of the first edition's twins.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs
from twisted.logger import ILogObserver, eventAsText, globalLogPublisher

from protocol import messages
from protocol.common.asks import Question, Settle
from protocol.common.chance import SeededChance, Stream
from protocol.common.table import Observer, Settings
from protocol.games.cards.table import CardsTable, deck_of
from protocol.keys import fingerprint
from server.kernel.chance import Chance
from server.process.metrics import Metrics
from tests.games.cards.house_pack import house
from tests.games.first_edition.twins import evenings as keepers
from tests.games.first_edition.twins.evenings import Dealt, Order, Wishes, as_it_falls
from tests.games.twins.compare import Difference, blanked, unlike
from tests.kit.servers.house import key_of
from tests.kit.servers.tables import room_of, seat_all

SCENARIO = "house/evening"
PEOPLE = {"kim": "card/ann", "ann": "card/bob", "ben": "card/cid"}
KIMS = deck_of(PEOPLE["kim"])
PREFERRED = ("choice/pass", "choice/end_turn", "choice/leave")
"""What the script does wherever it is offered, after the wishes of an evening."""


class Ordered(Dealt):
    """Chance with the order of all shuffled piles replaced, also of those in play."""

    def shuffle(self, number: int, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.order(purpose, self.chance.shuffle(number, purpose, items)))


@attrs.define(eq=False)
class Evening(keepers.Evening):
    """One game, and what everybody but Kim was sent."""

    @property
    def game(self) -> CardsTable:  # type: ignore[override]  # the table of another game
        game = self.house.host_of(self.clients["kim"]).room.table.game
        assert isinstance(game, CardsTable)
        return game

    def pass_on(self, kinds: tuple[str, ...]) -> None:
        """Have Kim pass on some kinds of window, once none is open."""
        kim = self.clients["kim"]
        while (ask := room_of(self.house, kim).ask) is not None and ask.settle is Settle.WINDOW:
            for name in self.clients:
                self._answer(name)
            self.house.settle(1.0)
        kim.port.set_standing(kinds)
        self.house.settle()

    def _answer(self, name: str) -> None:
        """Vote as everybody does where votes are seen, else answer."""
        client = self.clients[name]
        view = client.model.view
        question = view.my_question() if view is not None and not client.model.sent else None
        if question is None or view is None or view.ask is None or not view.ask.has_open_votes:
            super()._answer(name)
        elif (name, view.ask.ask_id) not in self._answered:
            self._answered.add((name, view.ask.ask_id))
            client.port.vote(view.ask.ask_id, self._picks(name, question))

    def _picks(self, name: str, question: Question) -> tuple[str, ...]:
        """Return what the script takes: a wish, a pass, or as little as may be."""
        wanted = self.wishes.setdefault(name, [])
        said = {
            choice.choice_id: f"{choice.text.subject} {choice.text.params}"
            for choice in question.choices
        }
        for words in (*wanted[:1], *PREFERRED):
            if found := [one for one, text in said.items() if words in text]:
                if words in wanted:
                    wanted.pop(0)
                return (found[0],)
        return tuple(said)[: question.at_least]


def evening(
    *,
    order: Order = as_it_falls,
    wishes: Wishes | None = None,
    rounds: int = 2,
    passes: tuple[str, ...] = (),
    observed_after: int | None = None,
    delay: int = 0,
    **settings: Any,
) -> Evening:
    """
    Play an evening of some rounds.

    Args:
        order: the order of each shuffled pile.
        wishes: choices that are taken where they are offered.
        rounds: number of rounds.
        passes: kinds of window on which Kim passes beforehand in one more round.
        observed_after: seconds by which Rea sees the game later, who may see all; None without her.
        delay: seconds by which Wat and Zoe see the game later.
        settings: further settings of the table.
    """

    def make_chance(_stream: Stream, key: bytes) -> Chance:
        return Ordered(SeededChance(key), order, {})

    served = keepers.HeardHouse(
        make_chance=make_chance, scenario=SCENARIO, pack=cast("Any", house())
    )
    served.lobby.replies.counts = metrics = Metrics(served.clock.seconds)
    rea = Observer("Rea", fingerprint(key_of("Rea").public), observed_after or 0)
    table = Settings(
        spectators=True,
        takebacks=False,
        spectators_delay_seconds=delay,
        observers=() if observed_after is None else (rea,),
        **settings,
    )
    clients = {
        one.model.name.lower(): one for one in seat_all(served, ["Kim", "Ann", "Ben"], table)
    }
    watch_code = clients["kim"].session.last(messages.TableOpened).watch_code
    for name in ["wat"] if observed_after is None else ["wat", "rea"]:
        clients[name] = served.client(name.capitalize())
        clients[name].port.watch(watch_code)
    told = {name: list(words) for name, words in (wishes or {}).items()}
    made = Evening(served, clients, (), told, metrics=metrics)
    for name, client in clients.items():
        if name != "kim":
            made.listen(name, client)
    lines = made.heard["log"] = []
    observer = cast(
        "ILogObserver",
        lambda event: lines.append(
            (served.clock.seconds(), eventAsText(event, includeTimestamp=False))
        ),
    )
    globalLogPublisher.addObserver(observer)
    try:
        for name, who in PEOPLE.items():
            clients[name].port.claim((who,))
            served.settle()
            clients[name].port.set_ready(is_ready=True)
            served.settle()
        clients["kim"].port.start()
        served.settle()
        made.play(rounds)
        if passes:
            made.pass_on(passes)
            made.play(rounds + 1)
        made.look_back(watch_code)
    finally:
        globalLogPublisher.removeObserver(observer)
    return made


def exchanged(pile: str, one: str, other: str) -> Order:
    """Return the order in which two cards of a pile lie in each other's place."""
    places = {one: other, other: one}

    def order(purpose: str, mixed: Sequence[str]) -> Sequence[str]:
        if purpose != f"shuffle {pile}":
            return mixed
        return [places.get(card, card) for card in mixed]

    return order


def differences(first: Evening, second: Evening) -> Mapping[str, Difference]:
    """Return the first difference that each viewer could see; viewers without one are left out."""
    compared = {
        name: unlike(blanked(heard), blanked(second.heard[name]))
        for name, heard in first.heard.items()
    }
    return {name: found for name, found in compared.items() if found is not None}
