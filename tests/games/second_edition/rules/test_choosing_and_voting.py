"""Before the first turn and around the game: scenario, saved game, chance and votes."""

import hashlib
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.pack import Content
from protocol.common import events as on
from protocol.common.asks import Settle
from protocol.common.table import LOG_VERSION, OpenAsk, RoomTable, Settings, Stage
from protocol.event import Event, cut, everything, hidden, read
from protocol.games.second_edition import events as se
from server.authoring.driver import player_key
from server.authoring.seat_keys import bound
from server.games.second_edition.rules.sharing import MOST_MOVES
from server.kernel.chance import seeded
from server.kernel.errors import Refused
from server.kernel.room import Room
from tests.games.second_edition.simulate import (
    CoreLibrary,
    SeededEntropy,
    Simulation,
    core,
    scenario_id,
    simulate,
)
from tests.kit.servers.house import Client, House

OTHER = "test/other-house"
PEOPLE = sorted(core().investigators)


class TwoHouses(CoreLibrary):
    """Library with a second scenario that begins with its own words."""

    def content(self, room: RoomTable) -> Content:
        first = core().scenarios[scenario_id()]
        second = attrs.evolve(first, id=OTHER, prologue="text/other")
        return Content(core(), {first.id: first, OTHER: second}[room.scenario])


def seated(players: int, library: CoreLibrary | None = None) -> Simulation:
    """Return a table in the lobby at which everybody is ready."""
    at = simulate(1, players)
    at.room = Room("room-1", library or CoreLibrary(), SeededEntropy(1), make_chance=seeded)
    opened = on.RoomOpened(
        "room-1", "second_edition", scenario_id(), core().digest, Settings(), LOG_VERSION, None
    )
    at.give(opened, 0)
    for seat in range(players):
        key = player_key(seat).public
        at.give(on.SeatTaken(seat, f"Player {seat}", key, is_bot=False), seat)
        at.give(on.CharactersClaimed(seat, (PEOPLE[seat],)), seat)
    get_ready(at)
    return at


def get_ready(at: Simulation) -> None:
    for seat in range(at.players):
        at.give(on.ReadySet(seat, is_ready=True), seat)


def start(at: Simulation) -> None:
    """Start the game with a share of each seat."""
    at.give(on.StartRequested(0), 0)
    shares = [bytes([seat]) * 32 for seat in range(at.players)]
    for seat, share in enumerate(shares):
        at.give(bound(at.room.table.room, seat, share), seat)
    for seat, share in enumerate(shares):
        at.give(on.ShareOpened(seat, share), seat)


def events(at: Simulation) -> Iterator[Event]:
    """Yield the events as the server knows them."""
    for stored in at.room.log:
        yield read(at.room.room_id, everything(stored)).event


def happened(at: Simulation, kind: type[Event]) -> list[Any]:
    return [event for event in events(at) if isinstance(event, kind)]


# The scenario and the saved game ---------------------------------------------------------------


@pytest.mark.rule("SETUP-6")
def test_the_chosen_scenario_is_played_once_all_have_said_yes_to_it() -> None:
    at = seated(2, TwoHouses())

    at.give(on.ScenarioChosen(OTHER, core().digest), 0)
    with pytest.raises(Refused, match="table/not_all_ready"):
        at.give(on.StartRequested(0), 0)
    get_ready(at)
    start(at)
    while not happened(at, se.Told):
        at.step()

    assert happened(at, se.Told)[0].text.subject == "text/other"


@pytest.mark.rule("SETUP-6")
def test_the_scenario_is_no_choice_any_more_once_the_game_has_begun() -> None:
    at = seated(2, TwoHouses())
    start(at)

    with pytest.raises(Refused, match="table/already_started"):
        at.give(on.ScenarioChosen(OTHER, core().digest), 0)


@pytest.mark.rule("DECIDE-17")
@pytest.mark.rule("SETUP-8")
def test_whoever_claims_an_investigator_first_has_it() -> None:
    at = seated(2)

    with pytest.raises(Refused, match="table/piece_taken"):
        at.give(on.CharactersClaimed(1, (PEOPLE[0],)), 1)


@pytest.mark.rule("SETUP-9")
@pytest.mark.rule("DECIDE-16")
def test_whoever_plays_alone_cannot_start_with_one_investigator() -> None:
    at = seated(1)
    with pytest.raises(Refused, match="table/choose_first"):
        at.give(on.StartRequested(0), 0)

    at.give(on.CharactersClaimed(0, tuple(PEOPLE[:2])), 0)
    get_ready(at)
    start(at)

    assert list(at.game.investigators) == PEOPLE[:2]


@pytest.mark.rule("SETUP-1")
def test_a_sixth_player_finds_no_seat() -> None:
    at = seated(5)
    key = hashlib.sha256(b"player 5").digest()

    with pytest.raises(Refused, match="table/full"):
        at.give(on.SeatTaken(5, "Player 5", key, is_bot=False), 5)


def alone(house: House) -> Client:
    """Return a client in the middle of a solo game."""
    ada = house.client("Ada")
    house.open_table(ada)
    ada.port.claim(tuple(PEOPLE[:2]))
    house.settle()
    ada.port.set_ready(True)
    house.settle()
    ada.port.start()
    house.settle()
    assert house.host_of(ada).room.table.room.stage is Stage.PLAYING
    return ada


@pytest.mark.rule("SETUP-7")
def test_an_unfinished_game_is_listed_and_goes_on() -> None:
    house = House()
    ada = alone(house)
    assert ada.model.view is not None
    question = ada.model.view.my_question()
    assert question is not None

    house.restart()
    again = house.client("Ada")
    again.port.list_tables()
    house.settle()
    assert again.model.lobby.tables is not None
    (line,) = again.model.lobby.tables
    again.port.enter(line.room_id)
    house.settle()

    assert line.stage is Stage.PLAYING
    assert again.model.view is not None
    assert again.model.view.my_question() == question


# Chance ----------------------------------------------------------------------------------------


@pytest.mark.rule("DECIDE-143")
def test_the_seeds_are_committed_to_before_play_and_opened_after_it() -> None:
    """No seat receives the seeds during the game."""
    played = simulate(9, 2).play()
    kinds = [type(event) for event in events(played)]
    first, last = kinds.index(on.SeedsCommitted), kinds.index(on.RoomClosed)
    (committed,) = happened(played, on.SeedsCommitted)
    (closed,) = happened(played, on.RoomClosed)

    assert first < min(kinds.index(on.ShareCommitted), kinds.index(on.Shuffled))
    sealed = (committed.play_seed, committed.house_seed)
    assert {(o.sequence, o.slot) for o in closed.seeds} == {seed.ref for seed in sealed}
    for stored in played.room.log[:last]:
        for viewer in (0, 1, None):
            sent = cut(stored, viewer)
            told = [sent.public, *(opening.value for _, opening in sent.openings)]
            assert not any(seed.value in part for seed in sealed for part in told)


# Votes -----------------------------------------------------------------------------------------


def voting(players: int = 3) -> Simulation:
    """Return a game at a vote on who gets a starting possession that was moved to and fro."""
    at = seated(players)
    start(at)
    for _ in range(MOST_MOVES):
        ask = open_ask(at)
        picks = (ask.questions[0].value.choices[1].choice_id,)
        at.give(on.Answered(0, ask.ask_id, hidden(picks)), 0)
    ask = open_ask(at)
    for seat in range(players):
        at.give(on.Passed(seat, ask.ask_id), seat)
    assert open_ask(at).settle is Settle.AGREE
    return at


def open_ask(at: Simulation) -> OpenAsk:
    ask = at.room.table.room.ask
    assert ask is not None
    return ask


def vote(at: Simulation, seat: int, position: int) -> None:
    ask = at.room.table.room.ask
    assert ask is not None
    choice = ask.questions[seat].value.choices[position]
    at.give(on.Voted(seat, ask.ask_id, (choice.choice_id,)), seat)


@pytest.mark.rule("DECIDE-141")
@pytest.mark.rule("DECIDE-18")
@pytest.mark.rule("CONFLICT-3")
def test_votes_that_differ_are_settled_by_a_draw_among_investigators() -> None:
    """Any voter may call for the draw. One of three voters is drawn, and their vote decides."""
    at = voting()
    ask = at.room.table.room.ask
    assert ask is not None
    vote(at, 0, 0)
    vote(at, 1, 1)
    with pytest.raises(Refused):
        at.give(on.TiebreakCalled(1, ask.ask_id), 1)
    vote(at, 2, 2)

    at.give(on.TiebreakCalled(1, ask.ask_id), 1)

    (drawn,) = [e for e in happened(at, on.Picked) if e.purpose == "lot"]
    gained = happened(at, se.PossessionGained)[0]
    assert drawn.bound == 3
    assert gained.investigator == PEOPLE[drawn.result]


@pytest.mark.rule("DECIDE-141")
@pytest.mark.rule("SETUP-13")
def test_voices_are_open_and_can_change_until_they_agree() -> None:
    at = voting()
    vote(at, 0, 0)
    vote(at, 1, 1)
    voted = happened(at, on.Voted)
    shown = [read("room-1", cut(stored, 2)).event for stored in at.room.log]
    assert [e for e in shown if isinstance(e, on.Voted)] == voted

    vote(at, 0, 1)
    vote(at, 2, 1)

    assert happened(at, se.PossessionGained)[0].investigator == PEOPLE[1]
    assert not [e for e in happened(at, on.Picked) if e.purpose == "lot"]


@pytest.mark.issue(36)
def test_a_driver_has_as_many_ask_for_a_lot_as_must() -> None:
    """More than half of those present must call for the draw."""
    at = seated(3)
    for seat in range(3):
        at.give(on.PresenceChanged(seat, is_present=True), seat)
    start(at)

    at.play_on()

    called = happened(at, on.TiebreakCalled)
    assert called
    assert len(happened(at, on.LotWanted)) == len(called)
