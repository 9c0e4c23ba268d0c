"""A host who is gone before the start: who takes over, when, and what everybody is told."""

import pytest

from client.journal.journal import Journal
from client.locale import LANGUAGES
from client.model.model import ANY_SEAT
from client.net.fetching import FetchedGame
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol import messages
from protocol.archive import load
from protocol.common.events import HostPassed, HostVoted
from protocol.common.table import Stage
from protocol.event import CLOCK
from protocol.messages import VoteHost
from protocol.validity import judge
from server.kernel.errors import Refused
from server.lobby.services.run_detached import run_detached
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, happened, records_of, room_id_of, room_of, seat_all
from tests.verifying.logs import types, verifier

pytestmark = pytest.mark.issue(38)


def _seated(*names: str) -> tuple[House, list[Client]]:
    house = House()
    return house, seat_all(house, names)


def _journal(client: Client) -> list[str]:
    told = Journal(lambda: client.model.speaker)
    assert client.model.view is not None
    told.begin(client.model.view)
    return [line.text for line in told.lines]


def _screen(client: Client) -> str:
    ui = Ui(Desk(client.model, client.port, Journal(lambda: client.model.speaker)))
    return " ".join(ui.draw(24, 80).plain().split())


def _plain(client: Client) -> str:
    printed: list[str] = []
    plain = PlainClient(client.model, client.port, printed.append)
    plain.hear("lobby")
    return " ".join(printed)


def _back(house: House, name: str, room_id: str) -> Client:
    client = house.client(name)
    client.port.enter(room_id)
    house.settle()
    return client


def _submit(
    house: House, client: Client, passed: HostPassed, origin: int, failed: list[object]
) -> None:
    async def submit() -> None:
        try:
            await house.host_of(client).submit(passed, origin)
        except Refused as why:
            failed.append(why)

    run_detached(submit())


def _refused(client: Client) -> str:
    return client.session.last(messages.Refusal).code


def test_after_a_minute_the_longest_seated_person_takes_over() -> None:
    house, (ada, ben, cleo) = _seated("Ada", "Ben", "Cleo")
    get_ready(house, [ada, ben, cleo])
    ada.disconnect()
    room_id = room_id_of(ben)

    house.settle(57)
    assert room_of(house, ben).host == 0
    house.settle(4)

    assert room_of(house, ben).host == 1
    [record] = [r for r in records_of(house, room_id) if isinstance(r.event, HostPassed)]
    assert (record.event, record.origin) == (HostPassed(1, 0), CLOCK)
    for client in (ben, cleo):
        assert _journal(client)[-1] == "Ada is away: Ben is the host now."
    assert ben.model.is_host
    ada = _back(house, "Ada", room_id)
    ben.port.start()
    house.settle(3)
    assert room_of(house, ben).stage is Stage.PLAYING


def test_the_seat_taken_first_counts_and_not_its_number() -> None:
    house, (ada, ben, _cleo) = _seated("Ada", "Ben", "Cleo")
    code = ada.session.last(messages.TableOpened).code
    ben.port.leave_seat()
    house.settle()
    dora = house.client("Dora")
    house.join(dora, code)
    assert room_of(house, dora).seats[1].name == "Dora"
    ada.disconnect()

    house.settle(62)

    assert room_of(house, dora).seats[room_of(house, dora).host].name == "Cleo"


def test_bots_and_people_who_are_away_do_not_take_over() -> None:
    house, (ada, ben, cleo) = _seated("Ada", "Ben", "Cleo")
    ada.port.add_bot()
    house.settle()
    ben.disconnect()
    ada.disconnect()

    house.settle(62)

    assert room_of(house, cleo).host == 2


def test_a_host_who_is_back_within_the_minute_stays_host() -> None:
    house, (ada, ben) = _seated("Ada", "Ben")
    room_id = room_id_of(ben)
    ada.disconnect()
    house.settle(50)
    ada = _back(house, "Ada", room_id)
    ada.disconnect()
    house.settle(50)

    assert room_of(house, ben).host == 0
    house.settle(12)
    assert room_of(house, ben).host == 1


def test_the_minute_begins_when_somebody_is_there() -> None:
    house, (_, ben) = _seated("Ada", "Ben")
    room_id = room_id_of(ben)
    house.restart_after(86400)
    ben = _back(house, "Ben", room_id)
    house.settle(30)
    assert room_of(house, ben).host == 0
    ada = _back(house, "Ada", room_id)
    house.settle(90)

    assert room_of(house, ada).host == 0
    assert not happened(house, room_id, HostPassed)


def test_nothing_is_set_to_ring_for_a_host_who_is_there() -> None:
    house, (ada, ben) = _seated("Ada", "Ben")
    clock = house.host_of(ada).clock
    assert clock.seconds_left() is None

    ada.disconnect()
    assert clock.seconds_left() is not None
    ben.disconnect()
    assert clock.seconds_left() is None


def test_anybody_may_propose_it_before_and_more_than_half_decide() -> None:
    house, (ada, ben, cleo, dora) = _seated("Ada", "Ben", "Cleo", "Dora")
    room_id = room_id_of(ben)
    ada.disconnect()
    house.settle(11)

    dora.port.vote_host()
    house.settle()
    assert room_of(house, ben).host == 0
    assert _journal(ben)[-1] == "Dora votes for another host."
    dora.port.vote_host()
    house.settle()
    assert _refused(dora) == "host/voted"
    cleo.port.vote_host()
    house.settle()

    assert room_of(house, ben).host == 1
    assert _journal(ben)[-1] == "Ada is away: Ben is the host now."
    assert happened(house, room_id, HostVoted, HostPassed) == [HostVoted(3), HostPassed(1, 0)]


def test_votes_end_with_the_return_of_the_host() -> None:
    house, (ada, ben, cleo, dora) = _seated("Ada", "Ben", "Cleo", "Dora")
    room_id = room_id_of(ben)
    ada.disconnect()
    house.settle(11)
    dora.port.vote_host()
    house.settle()
    ada = _back(house, "Ada", room_id)
    assert room_of(house, ben).host_votes == ()
    ada.disconnect()
    house.settle(11)

    cleo.port.vote_host()
    house.settle()

    assert room_of(house, ben).host == 0


@pytest.mark.parametrize("seconds", [1, 8])
def test_nobody_takes_over_while_the_host_only_reconnects(seconds: int) -> None:
    """At a table of two, one is a majority, and a network may fail for a moment."""
    house, (ada, ben) = _seated("Ada", "Ben")
    ada.disconnect()
    house.settle(seconds)

    ben.port.vote_host()
    house.settle()

    assert _refused(ben) == "host/just_left"
    assert room_of(house, ben).host == 0


def test_a_player_cannot_make_the_host_look_gone() -> None:
    house, (ada, ben, cleo) = _seated("Ada", "Ben", "Cleo")
    room_id = room_id_of(ben)
    for one in (ben, cleo):
        one.port.vote_host()
        house.settle()
        assert _refused(one) == "host/is_here"
    second = _back(house, "Ada", room_id)
    second.disconnect()
    assert room_of(house, ben).seats[0].is_present
    # The votes of a moment without the host count no more.
    for one in (ben, cleo):
        one.send(VoteHost(one.next_serial(), room_id))
    house.settle(65)

    assert room_of(house, ada).host == 0
    assert not happened(house, room_id, HostPassed, HostVoted)


@pytest.mark.parametrize(
    "wrong",
    [HostPassed(2, 0), HostPassed(1, 1), HostPassed(9, 0), HostPassed(0, 0)],
    ids=["not the longest seated", "another was host", "no seat", "the host"],
)
def test_the_room_takes_no_other_heir(wrong: HostPassed) -> None:
    house, (ada, ben, _) = _seated("Ada", "Ben", "Cleo")
    ada.disconnect()
    failed: list[object] = []

    _submit(house, ben, wrong, CLOCK, failed)
    house.settle()

    [why] = failed
    assert isinstance(why, Refused)
    assert room_of(house, ben).host == 0


def test_a_seat_alone_cannot_pass_the_table_on_without_votes() -> None:
    house, (ada, ben, _, _) = _seated("Ada", "Ben", "Cleo", "Dora")
    ada.disconnect()
    failed: list[object] = []

    _submit(house, ben, HostPassed(1, 0), 1, failed)
    house.settle()

    [why] = failed
    assert isinstance(why, Refused)
    assert why.code == "host/no_vote"


def test_a_host_who_stands_up_leaves_the_table_to_a_person_who_is_here() -> None:
    house, (ada, ben, cleo) = _seated("Ada", "Ben", "Cleo")
    ben.disconnect()

    ada.port.leave_seat()
    house.settle()

    assert room_of(house, cleo).host == 2


def test_both_verifiers_accept_a_game_whose_host_was_replaced() -> None:
    house, (ada, ben, cleo) = _seated("Ada", "Ben", "Cleo")
    room_id = room_id_of(ben)
    ada.disconnect()
    house.settle(62)
    ada = _back(house, "Ada", room_id)
    ben.disconnect()
    house.settle(11)
    for one in (ada, cleo):
        one.port.vote_host()
        house.settle()
    ben = _back(house, "Ben", room_id)
    assert room_of(house, ben).host == 0
    get_ready(house, [ada, ben, cleo])
    ada.port.start()
    house.settle(3)
    found: list[FetchedGame] = []
    ada.port.fetch_game(room_id, found.append)
    house.settle(3)

    [game] = found
    state = judge(load(game.data))
    assert state.room.stage is Stage.PLAYING
    assert [type(r.event) for r in load(game.data).records].count(HostPassed) == 2
    verifier().verify(game.data, types())


# What is seen --------------------------------------------------------------------------------


def test_the_screen_says_that_the_host_is_away_and_who_takes_over() -> None:
    house, (ada, ben, cleo) = _seated("Ada", "Ben", "Cleo")
    ada.disconnect()
    house.settle(11)
    said = "Ada is away: Ben becomes the host within a minute; "

    assert said + "h votes for it now." in _screen(cleo)
    assert said + "host votes for it now." in _plain(cleo)
    plain = PlainClient(cleo.model, cleo.port, list[str]().append)
    plain.hear("host")
    house.settle()
    assert said + "you have voted for it." in _screen(cleo)
    ui = Ui(Desk(ben.model, ben.port, Journal(lambda: ben.model.speaker)))
    ui.press("h")
    house.settle()
    assert ben.model.is_host


def test_a_host_who_comes_back_is_told() -> None:
    house, (ada, ben) = _seated("Ada", "Ben")
    room_id = room_id_of(ben)
    ada.disconnect()
    house.settle(62)

    ada = _back(house, "Ada", room_id)

    said = "You were away, so Ben is the host now."
    assert said in _screen(ada)
    assert said in _plain(ada)
    assert "Ada is away: Ben is the host now." in _journal(ada)
    assert said not in _screen(ben)
    ben.disconnect()
    house.settle(62)
    assert said not in _screen(ada)


def test_the_new_host_invites_with_an_invitation_of_their_own() -> None:
    """The new host was never sent the old host's invitation."""
    house, (ada, ben) = _seated("Ada", "Ben")
    ada.disconnect()
    house.settle(62)
    ui = Ui(Desk(ben.model, ben.port, Journal(lambda: ben.model.speaker)))

    ui.press("v")
    house.settle()

    assert ben.model.codes[room_id_of(ben)][ANY_SEAT]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_about_it_is_there(language: str) -> None:
    house = House()
    ada, ben = (house.client(name, language=language) for name in ("Ada", "Ben"))
    house.join(ben, house.open_table(ada))
    ada.disconnect()
    house.settle(11)

    for said in (_screen(ben), _plain(ben)):
        assert "Ada" in said
        assert "<" not in said
    house.settle(62)
    assert "Ben" in _journal(ben)[-1]


def test_strangers_learn_no_more_than_before() -> None:
    house, (ada, ben) = _seated("Ada", "Ben")
    ada.disconnect()
    house.settle(11)
    wat = house.client("Wat")

    wat.send(VoteHost(wat.next_serial(), room_id_of(ben)))
    wat.send(VoteHost(wat.next_serial(), "r" * len(room_id_of(ben))))
    house.settle()

    first, second = wat.session.all(messages.Refusal)[-2:]
    assert (first.code, first.text) == (second.code, second.text)
    assert room_of(house, ben).host == 0
