"""Bots act once without being told, and leave to people what only people should do."""

import random
from typing import Any

import attrs
import pytest

from client.bots.bot import GIVE_UP, BotPlayer
from client.bots.brains import SENSIBLE
from client.model.model import ClientModel
from client.model.tables import TableView
from client.plugs.brains import Brain
from protocol.common import events
from protocol.common.asks import Choice, Question, Settle
from protocol.common.table import Proposal, Stage
from protocol.common.text import Text
from protocol.messages import Answer
from tests.games.second_edition.client.scripted import (
    ROOM,
    Script,
    action_question,
    agreeing,
    asked,
    lobby,
    playing,
)
from tests.games.second_edition.client.stage import RecordingPort, model_of
from tests.kit.servers.house import House


@attrs.define(eq=False)
class Played:
    """Bot at a scripted table."""

    script: Script
    seat: int = 0
    party: int = 0
    brain: Brain = SENSIBLE
    model: ClientModel = attrs.field(init=False)
    port: RecordingPort = attrs.field(factory=RecordingPort, init=False)
    bot: BotPlayer = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.model = model_of(self.script, seat=self.seat)
        # Nobody is waited for.
        self.model.update_table(read_so_far=-1)
        rng = random.Random(1)
        self.bot = BotPlayer(self.port, self.model, self.brain, rng, party=self.party)
        self.model.changed()

    def go_on(self, *happened: Any) -> None:
        """Emit events and let the bot act."""
        view = self.model.view
        assert view is not None
        self.script.emit(*happened)
        view.receive(self.script.cuts(self.seat, view.last + 1))
        self.model.changed()

    def said(self, what: str) -> list[tuple[Any, ...]]:
        """Return the messages of one kind that the bot sent."""
        return [said for said in self.port.said if said[0] == what]


def test_it_claims_an_investigator_that_is_free() -> None:
    script = lobby()
    script.emit(events.CharactersClaimed(1, ("investigator/ada", "investigator/vera")))

    played = Played(script)

    assert played.port.said == [("claim_pieces", ("investigator/amos",))]


def test_it_is_ready_once_it_plays_somebody() -> None:
    script = lobby()
    script.emit(events.CharactersClaimed(0, ("investigator/ada",)))
    played = Played(script)

    played.go_on(events.ReadySet(0, is_ready=True))
    played.go_on(events.ScenarioChosen("core/sluice", b"i" * 32))

    assert played.port.said == [("set_ready", True, 0, b""), ("set_ready", True, 0, b"")]


def ready_lobby() -> Script:
    script = lobby()
    script.emit(
        events.CharactersClaimed(0, ("investigator/ada",)),
        events.CharactersClaimed(1, ("investigator/vera",)),
        events.ReadySet(0, is_ready=True),
        events.ReadySet(1, is_ready=True),
    )
    return script


@pytest.mark.parametrize(
    ("seat", "party", "starts"), [(0, 2, True), (0, 3, False), (0, 0, False), (1, 2, False)]
)
def test_as_host_it_starts_with_its_party_complete(seat: int, party: int, starts: bool) -> None:
    played = Played(ready_lobby(), seat, party)

    assert played.port.said == ([("start_game", 0, b"")] if starts else [])


def test_it_answers_what_it_is_asked() -> None:
    played = Played(asked())

    ((_, ask_id, picks),) = played.said("answer")

    assert ask_id == 0
    assert picks[0].startswith("1.")


def test_it_says_nothing_while_an_answer_is_on_its_way() -> None:
    played = Played(playing())
    played.model.sent = {5: Answer(5, ROOM, 0, ("1.0",))}

    played.go_on()

    assert not played.port.said


def test_it_gives_up_where_every_answer_is_refused() -> None:
    """A fault of the server must not become a flood of answers."""
    played = Played(asked())

    for _ in range(20):
        played.model.changed()

    assert len(played.said("answer")) == GIVE_UP


def test_it_leaves_to_others_what_any_one_may_answer_if_it_could_only_get_in_between() -> None:
    """In a trade, a bot that could only drop something waits for the player who can close it."""
    drop = Question(Text("ask/trade"), (Choice("0.0", Text("choice/drop")),), may_wait=True)
    close = Question(
        Text("ask/trade"), (Choice("0.0", Text("choice/close"), (), "rest", ends=True),)
    )
    script = playing()
    script.ask({0: drop, 1: close}, about=Text("ask/trade"))

    assert not Played(script, 0).port.said
    assert Played(script, 1).said("answer")


def test_it_answers_what_nobody_is_offered_to_end() -> None:
    """A bot answers a question that no seat can end; else a table of bots would wait for ever."""
    errand = Question(Text("ask/errand"), (Choice("0.0", Text("choice/go")),))
    script = playing()
    script.ask({0: errand, 1: errand}, about=Text("ask/errand"))

    assert Played(script, 0).said("answer")
    assert Played(script, 1).said("answer")


TRIP = Question(
    Text("ask/trip"), (Choice("0.0", Text("choice/trip")),), at_least=0, at_most=1, default=()
)
"""The question to a seat that may interrupt the one that decides."""


def deciding() -> Script:
    """Return the game with a question that seat 1 decides, and in which seat 0 may interrupt."""
    script = playing()
    script.ask(
        {0: TRIP, 1: action_question()}, about=Text("ask/trip"), settle=Settle.BESIDE, decides=1
    )
    return script


@pytest.mark.issue(39)
@pytest.mark.parametrize("picks", [("0.0",), ()])
def test_its_brain_may_interrupt_or_let_it_be(picks: tuple[str, ...]) -> None:
    """A bot that lets it be sends nothing, since every answer is seen."""
    played = Played(deciding(), brain=lambda *_: picks)

    assert played.port.said == ([("answer", 0, picks)] if picks else [])


@pytest.mark.issue(39)
def test_its_brain_is_asked_once_whether_to_interrupt() -> None:
    asked_for = list[Question]()

    def let_it_be(_: TableView, question: Question, __: random.Random) -> tuple[str, ...]:
        asked_for.append(question)
        return ()

    played = Played(deciding(), brain=let_it_be)
    for _ in range(5):
        played.model.changed()
    assert asked_for == [TRIP]

    played.go_on(events.Settled(0))
    played.script.ask({0: TRIP, 1: TRIP}, about=Text("x/y"), settle=Settle.BESIDE, decides=1)
    played.go_on()

    assert asked_for == [TRIP, TRIP]


@pytest.mark.issue(39)
def test_it_decides_where_others_may_interrupt() -> None:
    assert Played(deciding(), 1).said("answer")


def test_it_votes_as_the_first_who_voted() -> None:
    """A bot copies the first vote, so that people and bots come to an agreement."""
    assert Played(agreeing()).port.said == [("vote", 0, ("9.1",))]


def test_it_joins_a_table_that_is_of_another_mind_once() -> None:
    """Two bots that both gave way would change their votes for ever."""
    script = agreeing()
    played = Played(script, 1)
    assert not played.port.said

    played.go_on(events.Voted(0, 0, ("9.0",)))
    assert played.port.said == [("vote", 0, ("9.0",))]
    played.go_on(events.Voted(1, 0, ("9.0",)), events.Voted(0, 0, ("9.1",)))

    assert len(played.port.said) == 1


def test_a_bot_of_the_server_lets_people_vote_first() -> None:
    """Bots follow the votes of people and do not set the tone."""
    script = playing()
    seats = script.table.room.seats
    script.emit(events.SeatGiven(0, "Bot 1", seats[0].key, is_bot=True, with_secrets=True))
    question = Question(Text("ask/any"), (Choice("0.0", Text("a")), Choice("0.1", Text("b"))))
    script.ask(
        {0: question, 1: question},
        about=Text("ask/any"),
        settle=Settle.AGREE,
        voters=(("investigator/ada", 0),),
    )
    played = Played(script)
    assert not played.port.said

    played.go_on(events.Voted(1, 0, ("0.1",)))

    assert played.port.said == [("vote", 0, ("0.1",))]


def test_it_calls_for_the_tiebreak_where_no_agreement_comes() -> None:
    """After a bot has voted three times without agreement, it calls for the tiebreak."""
    script = agreeing()
    for choice in ("9.0", "9.1", "9.0"):
        script.emit(events.Voted(0, 0, (choice,)))

    assert Played(script).port.said == [("call_lot", 0)]


@pytest.mark.parametrize(
    ("proposal", "agrees"),
    [
        (Proposal(0, "take_back", 1, 42), True),
        (Proposal(0, "take_back", 0, 42), False),
        (Proposal(0, "give_seat", 1, seat=0, is_bot=True), False),
        (Proposal(0, "take_back", 1, 42, consents=(0,)), False),
    ],
)
def test_it_agrees_to_what_others_propose(proposal: Proposal, agrees: bool) -> None:
    script = playing()
    script.emit(events.Proposed(proposal))
    played = Played(script)

    played.model.changed()

    assert played.port.said == ([("consent", 0, True)] if agrees else [])


def test_it_looks_on_in_silence() -> None:
    model = model_of(asked(), seat=None)
    port = RecordingPort()

    BotPlayer(port, model).react()

    assert not port.said


def test_it_sits_still_before_it_has_caught_up() -> None:
    """Before the bot has caught up, a question may look open that was answered long ago."""
    model = model_of(asked())
    model.update_table(next_sequence=1000)
    port = RecordingPort()

    BotPlayer(port, model).react()

    assert not port.said


@pytest.mark.long
def test_three_bots_play_a_whole_game() -> None:
    """The bots play over the real lobby without a reactor."""
    house = House()
    host = house.client("Ann")
    code = house.open_table(host)
    guests = [house.client(name) for name in ("Bob", "Cid")]
    for guest in guests:
        house.join(guest, code)
    players = [house.bot(client, seed) for seed, client in enumerate((host, *guests))]
    players[0].party = 3
    players[0].react()

    for _ in range(400):
        house.settle(2)
        if all(player.is_over for player in players):
            break

    views = [client.model.view for client in (host, *guests)]
    assert all(isinstance(view, TableView) for view in views)
    assert {view.table.room.stage for view in views if view} == {Stage.OVER}
    assert len({view.head for view in views if view}) == 1
