"""Deciding beside others who may interrupt, through the lobby, in virtual time.

The same table is played repeatedly: Ann decides, Ben and Cid may interrupt her, Wat looks on. What
Ann does before the least age of the question, or what Ben could do, differs each time. Everything
sent to the others is compared with its time.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from client.model.status import Disconnected
from protocol import codec, messages
from protocol.common import events
from protocol.common.asks import Question
from protocol.common.table import Settings, Stage
from protocol.event import hidden, read_own
from server.authoring.driver import Driver, PackLibrary, SeededEntropy
from server.kernel.room import Room
from server.lobby.requests.handlers import ANSWERED, HANDLERS, Reply
from server.lobby.requests.visitor import SeatHolder
from server.lobby.rooms.host import RETRY_SECONDS
from server.storage import StoreFull
from tests.games.toy.house import SCENARIO, ToyHouse, toy_pack
from tests.games.toy.test_act_or_pass import Table, turn_up
from tests.games.toy.test_windows import flat
from tests.games.twins.notes import Note, noting
from tests.kit.servers.house import Client
from tests.kit.servers.tables import (
    come_back,
    get_ready,
    happened,
    records_of,
    room_id_of,
    seat_all,
    start_all,
)
from tests.kit.tables.toy_table import Content, Joined, Scored, ToyTable, a_deck

pytestmark = pytest.mark.issue(39)

LEAST = Settings().least_seconds
PATCHED = "tests.kit.tables.toy.BRIGHT"
"""The omens with which a player can interrupt others in a feud."""


@attrs.define(eq=False)
class Feud(Table):
    """A table at which Ann has turned up a feud."""

    cid: Client
    wat: Client
    sent: Mapping[str, list[Note]]
    """Messages that each of the four was sent since before the feud."""

    def decide(self, points: int) -> None:
        """Have Ann choose the stride for these points."""
        pick = self.choices(self.ann)[points - 1].choice_id
        self.ann.port.answer(self.ask.ask_id, (pick,))

    def asked_for(self) -> float:
        """Return the seconds since the question was asked."""
        return round(self.house.clock.seconds() - self.since, 2)

    @property
    def since(self) -> float:
        return (self.ask.asked_at - self.house.wall_began) / 1000

    @property
    def is_open(self) -> bool:
        return self.ask.rule == "TOY-21"

    def scored(self) -> list[Scored]:
        return happened(self.house, room_id_of(self.ann), Scored)

    def omen_of(self, piece: str) -> str:
        game = self.house.host_of(self.ann).room.table.game
        assert isinstance(game, ToyTable)
        omen = game.people[piece].omen
        assert omen is not None
        return omen.value


def at_feud(settings: Settings | None = None, faults: tuple[str, ...] = ()) -> Feud:
    """Return a table at which Ann has just turned up a feud."""
    house = ToyHouse(on_shelf=Content(deck=a_deck("feud"), faults=faults))
    names = ["Ann", "Ben", "Cid"]
    ann, ben, cid = start_all(house, names, settings or Settings(spectators=True))
    wat = house.client("Wat")
    if settings is None or settings.spectators:
        wat.port.watch(ann.session.last(messages.TableOpened).watch_code)
    plain = Table(house, ann, ben)
    plain.answer(ann, "toy/go")
    sent = {
        name: noting(house, one) for name, one in zip("abcw", (ann, ben, cid, wat), strict=True)
    }
    turn_up(plain, ann)
    return Feud(house, ann, ben, cid, wat, sent)


@pytest.fixture
def all_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody have something to interrupt with."""
    monkeypatch.setattr(PATCHED, Content().omens)


# How it goes


def test_an_answer_given_early_waits_until_the_question_has_its_least_age() -> None:
    table = at_feud()
    table.decide(2)

    table.house.settle(LEAST - table.asked_for() - 0.1)
    assert table.is_open
    table.house.settle(0.2)

    assert table.scored() == [Scored("bear", 2)]
    records = records_of(table.house, room_id_of(table.ann))
    assert [r.origin for r in records if isinstance(r.event, events.Answered)][-1] == 0


def test_a_round_beside_somebody_who_does_nothing_costs_no_second(all_can: None) -> None:
    """Players who think longer than the least time are answered in the moment they decide."""
    table = at_feud()
    cost = 0.0
    for client in (table.ann, table.ben, table.cid):
        assert table.is_open
        table.house.settle(LEAST + 1)
        pick, began = table.choices(client)[0].choice_id, table.house.clock.seconds()
        client.port.answer(table.ask.ask_id, (pick,))
        table.house.clock.advance(0)
        cost += table.house.clock.seconds() - began
        if client is not table.cid:
            turn_up(table, {table.ann: table.ben, table.ben: table.cid}[client])

    assert cost == 0


def test_an_interruption_counts_at_once_and_the_rule_asks_anew(all_can: None) -> None:
    table = at_feud()
    table.decide(2)

    table.answer(table.ben, "toy/trip")

    assert table.asked_for() < LEAST
    assert table.scored() == [Scored("fox", 1)]
    assert tuple(table.ask.questions) == (0, 2)
    # The decision was about another question.
    table.house.settle(60)
    assert table.is_open


def test_an_answer_beyond_the_least_age_counts_at_once() -> None:
    table = at_feud()
    table.house.settle(LEAST + 2)
    table.decide(1)
    table.house.settle(0.1)

    assert not table.is_open


def test_the_server_refuses_what_comes_too_early() -> None:
    """A client that sends an ordinary answer gains nothing by it."""
    table = at_feud()
    ask_id, pick = table.ask.ask_id, table.choices(table.ann)[0].choice_id
    table.ann.port.say(messages.Answer(77, room_id_of(table.ann), ask_id, (pick,)))
    table.house.settle(0.2)

    assert table.is_open
    assert table.ann.session.last(messages.Refusal).code == "answer/too_early"


def test_no_time_runs_while_somebody_who_may_interrupt_is_away() -> None:
    table = at_feud(Settings(time_limit_seconds=20))
    table.decide(2)
    table.house.settle(1)
    table.cid.disconnect()
    table.house.settle(1000)
    assert table.is_open

    come_back(table.house, "Cid", room_id_of(table.ann))
    table.house.settle(LEAST)

    assert table.scored() == [Scored("bear", 2)]


def test_the_seat_of_somebody_who_is_away_can_be_given_meanwhile() -> None:
    table = at_feud()
    table.cid.disconnect()
    table.house.settle(100)
    table.ann.port.propose_give_seat(2, to_bot=True)
    table.house.settle(1)
    proposal = table.room.proposal
    assert proposal is not None
    table.ben.port.consent(proposal.proposal_id, is_agreed=True)
    table.house.settle(1)
    assert table.room.seats[2].is_bot
    table.decide(2)
    table.house.settle(LEAST)

    assert table.scored()[-1] == Scored("bear", 2)


def test_a_limit_takes_the_default_of_who_decides(all_can: None) -> None:
    """It is never shorter than the time that the others have."""
    table = at_feud(Settings(time_limit_seconds=2))

    table.house.settle(LEAST - table.asked_for() - 0.1)
    assert table.is_open
    table.house.settle(0.3)

    assert table.scored() == [Scored("bear", 1)]


def test_what_is_held_at_the_end_of_the_limit_is_the_answer() -> None:
    table = at_feud(Settings(time_limit_seconds=LEAST))
    table.decide(2)
    table.house.settle(LEAST)

    assert table.scored() == [Scored("bear", 2)]
    assert not happened(table.house, room_id_of(table.ann), events.TimedOut)


@pytest.mark.parametrize("is_last", [True, False])
def test_by_the_calendar_it_counts_although_everybody_leaves(is_last: bool) -> None:
    """The room stays loaded for it, and no longer."""
    table = at_feud(Settings(by_calendar=True, time_limit_seconds=3600))
    house, room_id, ask_id = table.house, room_id_of(table.ann), table.ask.ask_id
    others = [table.ben, table.cid, table.wat]
    table.decide(2)
    house.settle(0.2)

    for client in [*others, table.ann] if is_last else [table.ann, *others]:
        client.disconnect()
    house.settle(LEAST + 1)

    assert room_id not in house.lobby.registry.hosts
    answers = happened(house, room_id, events.Answered)
    assert [answer.seat for answer in answers if answer.ask_id == ask_id] == [0]


def test_it_is_sent_again_to_a_server_that_was_started_anew() -> None:
    """The time that the question had before counts; the time without the server does not."""
    table = at_feud()
    room_id = room_id_of(table.ann)
    table.decide(2)
    table.house.settle(1)
    table.ben.port.chat("hello")
    table.house.settle(1)
    table.house.restart_after(100)
    for client in (table.ann, table.ben, table.cid):
        client.connect()
        client.port.enter(room_id)
    table.house.settle(1)
    assert table.is_open
    table.house.settle(LEAST - 1)

    assert table.scored() == [Scored("bear", 2)]


def test_it_counts_although_the_disk_was_full_for_a_moment() -> None:
    """The server reads the room again, of which clients hear only that it goes on."""
    table = at_feud()
    table.decide(2)
    table.house.settle(0.2)
    table.house.store.fail_with = StoreFull("no space is left")
    table.house.settle(LEAST + 1)
    assert not table.scored()
    table.house.store.fail_with = None

    table.house.settle(RETRY_SECONDS)

    assert table.scored() == [Scored("bear", 2)]


def start_with_bots(house: ToyHouse, bots: int) -> Client:
    """Return the client of a game of one person and some bots."""
    (ann,) = seat_all(house, ["Ann"])
    # Before a bot takes the first piece.
    get_ready(house, [ann])
    for _ in range(bots):
        ann.port.add_bot()
        house.settle()
    ann.port.set_ready(is_ready=True)
    house.settle()
    ann.port.start()
    house.settle()
    assert house.host_of(ann).room.table.room.stage is Stage.PLAYING
    return ann


def acting(_view: Any, question: Question, _rng: Any) -> tuple[str, ...]:
    """Answer like somebody who turns up cards, and interrupts others at once."""
    wanted = [
        c for c in question.choices if {"peek", "toy/trip"} & {c.text.subject, *c.text.params}
    ]
    return tuple(c.choice_id for c in (wanted or question.choices)[: max(1, question.at_least)])


def test_bots_have_their_chance_before_a_bot_that_decides(
    all_can: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.bots.brains.brain_of", lambda *_: acting)
    house = ToyHouse(on_shelf=Content(deck=a_deck("feud"), rounds=1))
    ann = start_with_bots(house, 2)
    room_id = room_id_of(ann)
    ann.port.propose_give_seat(0, to_bot=True)
    house.settle(20)

    assert happened(house, room_id, events.RoomClosed)
    scored = [one.piece for one in happened(house, room_id, Scored)]
    rounds = [scored[at : at + 3] for at in (0, 3, 6)]
    assert all(len({*one}) == 3 for one in rounds)
    # In the order of their turns, each after both others have interrupted.
    joined = [one.piece for one in happened(house, room_id, Joined)]
    assert [one[-1] for one in rounds] == joined


def test_nobody_waits_for_bots_that_may_interrupt() -> None:
    house = ToyHouse(on_shelf=Content(deck=a_deck("feud")))
    ann = start_with_bots(house, 1)
    table = Table(house, ann, ann)
    if table.ask.rule == "TOY-1":
        table.answer(ann, "toy/go")
    turn_up(table, ann)
    while table.ask.rule == "TOY-21":
        began, ask_id = house.clock.seconds(), table.ask.ask_id
        ann.port.answer(ask_id, (table.choices(ann)[0].choice_id,))
        house.settle(0.1)
        assert table.ask.ask_id != ask_id
        assert house.clock.seconds() - began < 0.2


def test_in_a_practice_game_whoever_decides_is_not_waited_for() -> None:
    """One player has all seats, and needs no time to interrupt; a new connection knows the seat."""
    house = ToyHouse(on_shelf=Content(deck=a_deck("feud")))
    ann, ben = start_all(house, ["Ann", "Ben"])
    table = Table(house, ann, ben)
    table.answer(ann, "toy/go")
    ann.port.propose_give_up()
    house.settle()
    proposal = table.room.proposal
    assert proposal is not None
    ben.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()
    ann.port.practise(room_id_of(ann), 10**6)
    house.settle()
    practice = room_id_of(ann)
    assert practice == ann.model.finished.practice
    table.answer(ann, "pass")
    turn_up(table, ann)
    assert table.ask.decides == 1

    ann.disconnect()
    ann.port.status_changed(Disconnected(0.0, "gone"))
    ann.connect()
    ann.port.enter(practice)
    house.settle()
    ann.port.answer(table.ask.ask_id, (table.choices(ann)[1].choice_id,))
    house.settle(0.2)

    assert happened(house, practice, Scored) == [Scored("fox", 2)]


# What it tells

WAYS: Mapping[str, Mapping[float, int]] = {
    "at once": {0: 1},
    "late": {3: 1},
    "changed": {0: 2, 1: 1, 2: 2, 3: 1},
    "another": {1: 2},
    "nothing": {},
}
"""Points for which Ann decides to stride, by the seconds since she was asked."""


def played(
    way: str, brights: Callable[[Feud], tuple[str, ...]] | None = None, **more: Any
) -> Mapping[str, list[Note]]:
    """Play a table until its question is over; return what each was sent, one record a note."""
    with pytest.MonkeyPatch.context() as patch:
        if brights is not None:
            # Who has what is the same in each play, so a first one tells.
            patch.setattr(PATCHED, brights(at_feud()))
        table = at_feud(**more)
        for at in range(LEAST + 2):
            if at in WAYS[way] and table.is_open:
                table.decide(WAYS[way][at])
            table.house.settle(1)
    return {name: flat(notes) for name, notes in table.sent.items()}


def kind_of(note: Note) -> str:
    """Return the kind of record in a note; empty for any other message."""
    said = note[1]
    return str(codec.unpack(said[0])[3]) if isinstance(said, tuple) else ""  # type: ignore[index]


def until(notes: list[Note], tag: str) -> list[Note]:
    """Return the notes up to the last record of a kind, of which secrets are but lengths."""
    at = max((at for at, note in enumerate(notes) if kind_of(note) == tag), default=len(notes) - 1)
    when, said = notes[at]
    if isinstance(said, tuple):
        said = (said[0], [(slot, len(value)) for slot, value in said[1]])
    return [*notes[:at], (when, said)]


def ben_can(table: Feud) -> tuple[str, ...]:
    return (table.omen_of("fox"),)


def nobody_can(_table: Feud) -> tuple[str, ...]:
    return ()


def leaks_when(way: str, other: str, **more: Any) -> list[str]:
    """Return who can tell these ways of the one who decides apart."""
    first, second = played(way, **more), played(other, **more)
    return [name for name in first if first[name] != second[name]]


def leaks_what(way: str = "at once", **more: Any) -> list[str]:
    """Return who besides Ben can tell whether Ben has something to interrupt with."""
    first, second = played(way, nobody_can, **more), played(way, ben_can, **more)
    return [name for name in "acw" if first[name] != second[name]]


@pytest.mark.parametrize("way", ["late", "changed"])
def test_nothing_tells_when_or_how_often_somebody_decided_before_the_least_age(way: str) -> None:
    """Time, order, size and number of messages are equal for every viewer to the end."""
    assert leaks_when("at once", way) == []


def test_nothing_tells_what_somebody_decided_before_it_counts() -> None:
    first, second = played("at once"), played("another")

    for name in first:
        assert until(first[name], "answered") == until(second[name], "answered")
        assert kind_of(until(first[name], "answered")[-1]) == "answered"


def test_nothing_tells_silence_from_an_answer_before_the_least_age() -> None:
    first, second = played("at once"), played("nothing")

    for name in first:
        when, _ = until(first[name], "answered")[-1]
        assert [note for note in first[name] if note[0] < when] == second[name]


def test_nothing_tells_who_could_interrupt() -> None:
    assert leaks_what() == []


# Leaks that are planted


async def _acknowledging(holder: SeatHolder, message: messages.AnswerInWindow) -> Reply:
    holder.host.room.hold(message.ask_id, holder.seat, message.picks)
    holder.host.watch_clock()
    return None


async def _telling_that_it_came(holder: SeatHolder, message: messages.AnswerInWindow) -> Reply:
    holder.host.room.hold(message.ask_id, holder.seat, message.picks)
    holder.host.watch_clock()
    holder.host.clock._submit_detached(events.Chatted(holder.seat, hidden(b"heard")))
    return ANSWERED


@pytest.mark.parametrize(
    ("leak", "who"), [(_acknowledging, ["a"]), (_telling_that_it_came, ["a", "b", "c", "w"])]
)
def test_a_planted_reply_is_seen(
    leak: Any, who: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = attrs.evolve(HANDLERS[messages.AnswerInWindow], function=leak)
    monkeypatch.setitem(HANDLERS, messages.AnswerInWindow, row)

    assert leaks_when("at once", "late") == who


def test_an_early_end_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("server.lobby.rooms.room_clock", "protocol.common.patience"):
        monkeypatch.setattr(f"{module}.least_seconds", lambda _room: 0)

    assert leaks_when("at once", "late") == ["a", "b", "c", "w"]


@pytest.mark.parametrize("fault", ["leak/asked", "leak/about"])
def test_a_question_that_differs_with_what_somebody_holds_is_seen(fault: str) -> None:
    """Plants a question that leaves out who holds nothing, and one of another size."""
    assert leaks_what(faults=(fault,)) == ["a", "c", "w"]


# Authors' tools


class Acting(Driver):
    """A game in one process whose seats act as `acting` says."""

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        del seat
        return acting(None, question, None)


def test_a_game_in_one_process_plays_such_questions_without_waiting(all_can: None) -> None:
    """Everybody may interrupt before the decision, and silence is given to nobody as an answer."""
    pack = toy_pack(Content(deck=a_deck("feud"), rounds=1))
    room = Room("room-1", PackLibrary(pack), SeededEntropy(1))
    driver = Acting(room, random.Random(1), 3, pack, SCENARIO)
    driver.open()
    driver.play_on()

    told = [read_own("room-1", stored).event for stored in room.log]
    scored = [one.piece for one in told if isinstance(one, Scored)]
    assert len(scored) == 9
    assert all(len({*scored[at : at + 3]}) == 3 for at in (0, 3, 6))
