"""Whole game in plain mode alone: two people at a real server, who type words."""

import random
import re
from collections.abc import Callable

import attrs
import pytest

from client.locale import Locale, load
from client.model.status import Online
from client.net.client_port import ClientPort, R
from client.net.fetching import FetchedGame
from client.plain.client import NO_QUESTION, PlainClient
from client.plain.talk import Environment
from client.text.ascii_fold import folded_words
from client.text.printable import printable
from protocol.brief import BriefWriter
from protocol.common.table import Stage
from protocol.frames import encode_frame
from protocol.keys import fingerprint_text
from protocol.messages import Answer, ClientMessage, Vote, encode_message
from server.net.handler import PackedRecords
from tests.games.second_edition.client.console import Shelf
from tests.kit.servers.house import Client, House

MOST_TURNS = 4000
"""Maximum number of turns: a game that is not over by then will never end."""
USUAL = (530, 1500)
"""Average bytes per answer: bytes printed, and bytes sent."""
MOST = (2800, 10_000)
"""
Maximum bytes per answer, printed and sent: for a new room with its story, or the end of a round.
"""


@attrs.define
class Overheard(ClientPort):
    """Port that records answers and votes, and forwards everything."""

    port: ClientPort
    picks: tuple[str, ...] | None = None
    """Picks of the last answer or vote; None before the first."""

    def say(self, message: ClientMessage) -> None:
        match message:
            case Answer(picks=picks) | Vote(picks=picks):
                self.picks = picks
        self.port.say(message)

    def ask(self, message: ClientMessage, kind: type[R], use: Callable[[R], None]) -> None:
        self.port.ask(message, kind, use)

    def fetch_game(self, room_id: str, fetched: Callable[[FetchedGame], None]) -> None:
        self.port.fetch_game(room_id, fetched)

    def next_serial(self) -> int:
        return self.port.next_serial()

    def room_id(self) -> str:
        return self.port.room_id()

    def try_again(self) -> None:
        self.port.try_again()

    def set_language(self, language: str) -> None:
        self.port.set_language(language)

    def enter(self, room_id: str) -> None:
        self.port.enter(room_id)

    def set_ready(self, is_ready: bool) -> None:
        """Forward the call to the wrapped port, which has the signing key."""
        self.port.set_ready(is_ready)

    def start(self) -> None:
        """Forward the call to the wrapped port, which has the signing key."""
        self.port.start()


@attrs.define(eq=False)
class Typist:
    """Player who relies on the printed lines alone and prefers words to numbers."""

    house: House
    person: Client
    rng: random.Random
    locale: Locale
    printed: list[str] = attrs.field(factory=list)
    shelf: Shelf = attrs.field(factory=Shelf)
    port: Overheard = attrs.field(init=False)
    client: PlainClient = attrs.field(init=False)
    seen: int = 0
    begun: int = 0
    """Number of choices typed as the beginnings of some of their words."""
    whole: int = 0
    """
    Number of choices typed with all their words, since fewer words fitted another choice, too.
    """
    numbered: int = 0
    """Number of choices typed as their number."""

    @property
    def answers(self) -> int:
        """Number of single choices made by name or number."""
        return self.begun + self.whole + self.numbered

    def __attrs_post_init__(self) -> None:
        model = self.person.model
        model.locale = self.locale
        model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
        self.port = Overheard(self.person.port)
        environment = Environment(self.shelf.write, lambda: 0)
        self.client = PlainClient(model, self.port, self.printed.append, environment=environment)
        self.client.update()

    def type(self, *lines: str) -> list[str]:
        """Type lines, wait for their effects, and return what was printed."""
        before = len(self.printed)
        for line in lines:
            self.client.hear(line)
        self.house.settle()
        return self.printed[before:]

    def go_on(self) -> None:
        """Answer the last question printed, if any."""
        same = printable(self._said("plain.same", self._said("plain.word.question")))
        as_before = same.split("; ")[-1]
        if any(line.endswith(as_before) for line in self.printed[self.seen :]):
            self.client.hear(self._said("plain.word.question"))
        fresh, self.seen = self.printed[self.seen :], len(self.printed)
        view = self.person.model.view
        is_told = printable(self._said("plain.differ", self._said("plain.word.lot"))) in fresh
        if is_told and view is not None and view.can_call_tiebreak():
            self.client.hear(self._said("plain.word.lot"))
            return
        heads = tuple(self._said(f"plain.your_{what}", "") for what in ("choice", "vote"))
        begins = [at for at, line in enumerate(fresh) if line.startswith(heads)]
        block = fresh[begins[-1] :] if begins else []
        choices = [found for line in block if (found := re.match(r"(\d+)\. (.+)", line))]
        how_many = next((line for line in block if line.startswith(("Choose ", "Choisissez"))), "")
        if how_many:
            self._pick_several(choices, int(re.findall(r"\d", how_many + "1")[0]))
        elif choices and self.client.question_id != NO_QUESTION:
            # Where anybody can answer, somebody else may have been quicker.
            self._pick(self.rng.choice(choices))

    def _said(self, key: str, *params: str) -> str:
        return self.locale.say(key, *params)

    def _pick(self, choice: re.Match[str]) -> None:
        """Make a choice by the shortest words that will do, and check the result."""
        little = folded_words(self._said("plain.little_words"))
        view = self.person.model.view
        question = view.my_question() if view is not None else None
        assert question is not None
        meant = {
            one.choice_id
            for one in question.choices
            if choice[2].startswith(printable(self.person.model.speaker.text(one.text)))
        }
        # What stands in brackets behind a choice tells who voted for it.
        words = [word for word in folded_words(choice[2]) if word not in little]
        some = " ".join(word[:4] for word in (words[0], words[-1]))
        ways = {"begun": some, "whole": choice[2].lower(), "numbered": choice[1]}
        for count, typed in ways.items():
            before = len(self.printed)
            picks = self._picked(typed)
            if picks is not None:
                assert set(picks) <= meant, (typed, choice[0])
                setattr(self, count, getattr(self, count) + 1)
                return
            # What was not clear was said to be so, in one line, and nothing else happened.
            assert len(self.printed) == before + 1, self.printed[before:]
        raise AssertionError(f"{choice[0]} cannot be chosen")

    def _pick_several(self, choices: list[re.Match[str]], count: int) -> None:
        picks = [self.rng.choice(choices)[1] for _ in range(count)]
        none = [self._said("plain.none").split()[0]]
        first = [choice[1] for choice in choices[:count]]
        answers = (" ".join(typed) for typed in (picks, dict.fromkeys(picks), first, none))
        assert any(self._picked(typed) is not None for typed in answers)

    def _picked(self, typed: str) -> tuple[str, ...] | None:
        """Type a line; return the answer that was sent, None if there was none."""
        self.port.picks = None
        self.client.hear(typed)
        return self.port.picks


def typist(house: House, name: str, language: str, seed: int) -> Typist:
    person = house.client(name, language=language)
    return Typist(house, person, random.Random(seed), load(language))


@attrs.define
class Evening:
    """Whole game of two people in two languages, with the cost of each answer."""

    ann: Typist
    bob: Typist
    costs: list[tuple[int, int]] = attrs.field(factory=list)
    """Bytes that Ann's client printed and was sent, for each answer of either player."""

    def play(self) -> None:
        house = self.ann.house
        for _ in range(MOST_TURNS):
            for one in (self.ann, self.bob):
                answers, before = one.answers, self._cost()
                one.go_on()
                house.settle(0.1)
                if one.answers > answers:
                    cost = tuple(now - was for now, was in zip(self._cost(), before, strict=True))
                    self.costs.append((cost[0], cost[1]))
            view = self.ann.person.model.view
            if view is not None and view.table.room.stage is Stage.OVER:
                break
        house.settle()

    def _cost(self) -> tuple[int, int]:
        """Return the bytes printed for Ann and sent to her so far."""
        printed = "".join(f"{line}\n" for line in self.ann.printed)
        writer = BriefWriter()
        payloads = (
            writer.payload(one.room_id, one.segments)
            if isinstance(one, PackedRecords)
            else encode_message(one)
            for one in self.ann.person.session.sent
        )
        return len(printed.encode()), sum(len(encode_frame(payload)) for payload in payloads)


@pytest.fixture(scope="module")
def evening() -> Evening:
    """Return a finished game with an invitation, chat and choices."""
    house = House()
    ann, bob = typist(house, "Ann", "en", 2), typist(house, "Bob", "fr", 3)
    (line,) = (li for li in ann.type("open marsh watch") if li.startswith("manse join "))
    bob.type(line, "choisir samuel", "prêt", "dire bonsoir")
    assert "Everybody is ready: type start." in ann.type("claim ada", "ready")
    assert "Bob: bonsoir" in ann.printed
    ann.type("start")
    found = Evening(ann, bob)
    found.play()
    return found


@pytest.mark.long
@pytest.mark.timeout(60)
def test_a_whole_game_is_played_by_typing_words(evening: Evening) -> None:
    ann, bob = evening.ann, evening.bob

    assert "The result is final, and the seeds of chance are open to all." in ann.printed
    assert ann.printed[-1].startswith("The game is over.")
    assert bob.printed[-1].startswith("La partie est finie.")
    for one in (ann, bob):
        # Most choices are clear from two beginnings of words, and nearly all from their words.
        named = one.begun + one.whole
        assert not [li for li in one.printed if re.search(r"<[a-z_]+[/.]", li)]
        assert named > 10 * one.numbered
        assert one.begun > one.whole
    assert any("bell" in li for li in ann.type("journal find bell"))
    assert ann.type("save evening.md")[0].startswith("evening.md: ")
    assert "## Round 2" in ann.shelf.files["evening.md"]
    ann.type("quit")
    assert ann.client.is_done


@pytest.mark.timeout(60)
def test_an_answer_costs_little_on_a_slow_line(evening: Evening) -> None:
    """Most answers cost a few lines: a screen reader has to read all of them."""
    for costs, usual, most in zip(zip(*evening.costs, strict=True), USUAL, MOST, strict=True):
        assert sum(costs) / len(costs) <= usual
        assert max(costs) <= most
