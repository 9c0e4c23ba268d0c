"""A bot in the host's seat: somebody else acts as host during the game."""

import pytest

from client.journal.journal import Journal
from client.locale import LANGUAGES
from client.net.fetching import FetchedGame
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.table.proposals import proposals_menu
from protocol import messages
from protocol.archive import BadArchive, load
from protocol.common import events
from protocol.common.hosts import (
    STEWARDS_VERSION,
    acts_as_host,
    host_in_person,
    steward,
)
from protocol.common.table import Proposal, RoomTable, Seat, Settings, Stage
from protocol.validity import judge, people
from server.kernel.admission import by_table
from server.kernel.errors import Refused
from server.lobby.services.run_detached import run_detached
from server.lobby.tables import new_tables
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import happened, room_id_of, room_of, start_all

pytestmark = pytest.mark.issue(39)


@pytest.fixture(autouse=True)
def _of_version_4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_tables, "LOG_VERSION", STEWARDS_VERSION)
    monkeypatch.setattr(people, "VERSIONS", (1, 2, 3, STEWARDS_VERSION))


def _left_to_a_bot(
    names: tuple[str, ...] = ("Ada", "Ben", "Cleo"), settings: Settings | None = None
) -> tuple[House, list[Client]]:
    """Return a game whose host has given the own seat to a bot, and the others."""
    house = House()
    ada, *others = start_all(house, list(names), settings)
    ada.port.propose_give_seat(0, to_bot=True)
    house.settle()
    for other in others:
        other.port.consent(0, is_agreed=True)
        house.settle()
    room = room_of(house, others[0])
    assert room.seats[room.host].is_bot
    assert room.seats[room.host].is_present
    return house, others


def _menu(client: Client) -> list[str]:
    assert client.model.view is not None
    desk = Desk(client.model, client.port, Journal(lambda: client.model.speaker))
    return [item.text for item in proposals_menu(desk, client.model.view).items]


def _plain(house: House, client: Client, *lines: str) -> list[str]:
    printed: list[str] = []
    plain = PlainClient(client.model, client.port, printed.append)
    plain.update()
    house.settle()
    printed.clear()
    for line in lines:
        plain.hear(line)
    house.settle()
    plain.stop()
    return printed


def test_the_first_person_present_gives_seats_away() -> None:
    house, (ben, cleo) = _left_to_a_bot()

    ben.port.propose_give_seat(0, to_bot=False)
    house.settle()
    cleo.port.consent(1, is_agreed=True)
    house.settle()

    (made,) = ben.session.all(messages.InvitationMade)
    assert made.seat == 0
    zoe = house.client("Zoe")
    house.join(zoe, made.code)
    room = room_of(house, ben)
    assert (room.seats[0].name, steward(room)) == ("Zoe", 0)


def test_the_next_person_does_it_while_the_first_is_away() -> None:
    house, (ben, cleo) = _left_to_a_bot()
    ben.disconnect()

    cleo.port.propose_give_seat(1, to_bot=True)
    house.settle()

    assert room_of(house, cleo).seats[1].is_bot


def test_nobody_else_gives_seats_away() -> None:
    house, (_, cleo) = _left_to_a_bot()

    cleo.port.propose_give_seat(0, to_bot=False)
    house.settle()

    assert cleo.session.last(messages.Refusal).code == "table/host_only"


def test_the_first_person_present_renews_the_invitations() -> None:
    house, (ben, cleo) = _left_to_a_bot(settings=Settings(spectators=True))

    cleo.port.renew_invitations()
    ben.port.renew_invitations()
    house.settle()

    assert cleo.session.last(messages.Refusal).code == "table/host_only"
    assert [one.is_to_watch for one in ben.session.all(messages.InvitationMade)] == [True]


def test_screens_offer_it_to_whoever_may_do_it() -> None:
    _, (ben, cleo) = _left_to_a_bot()

    renew = ben.model.locale.say("propose.renew")

    assert renew in _menu(ben)
    assert any("somebody else" in line for line in _menu(ben))
    assert renew not in _menu(cleo)
    assert not any("somebody else" in line for line in _menu(cleo))


@pytest.mark.parametrize("line", ["give 1", "give", "invite renew"])
def test_plain_mode_says_who_may_do_it(line: str) -> None:
    house, (ben, cleo) = _left_to_a_bot()

    assert _plain(house, cleo, line) == ["That is up to Ben now; ask them."]
    assert not any("up to" in told for told in _plain(house, ben, line))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_about_it_is_there(language: str) -> None:
    house, (_, cleo) = _left_to_a_bot()
    cleo.port.set_language(language)
    house.settle()

    (told,) = _plain(house, cleo, "give")

    assert "Ben" in told


def _fetched(house: House, client: Client) -> bytes:
    found: list[FetchedGame] = []
    client.port.fetch_game(room_id_of(client), found.append)
    house.settle(3)
    return found[0].data


def _propose_as_bot(house: House, client: Client) -> list[Refused]:
    """Propose to give a seat as the bot with the host's seat; return the refusal."""
    refused: list[Refused] = []

    async def propose() -> None:
        number = room_of(house, client).next_proposal_id
        gift = Proposal(number, "give_seat", 0, seat=1, name="Zoe", key=b"z" * 32)
        try:
            await house.host_of(client).submit(events.Proposed(gift), 0)
        except Refused as why:
            refused.append(why)

    run_detached(propose())
    house.settle()
    return refused


def test_the_log_is_valid() -> None:
    house, (ben, _) = _left_to_a_bot()
    ben.port.propose_give_seat(0, to_bot=False)
    house.settle()

    data = _fetched(house, ben)

    assert happened(house, room_id_of(ben), events.Proposed)[-1].proposal.by == 1
    assert judge(load(data)).room.proposal is not None


def test_no_bot_gives_seats_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's key is the server's, which could give away the seat of somebody absent."""
    house, (ben, _) = _left_to_a_bot()
    assert [why.code for why in _propose_as_bot(house, ben)] == ["table/host_only"]
    monkeypatch.setattr(by_table, "acts_as_host", lambda _room, _seat: True)

    assert not _propose_as_bot(house, ben)

    with pytest.raises(BadArchive, match="others give seats away"):
        judge(load(_fetched(house, ben)))


def _room(version: int, *seats: Seat, stage: Stage = Stage.PLAYING) -> RoomTable:
    return RoomTable(version=version, stage=stage, host=0, seats={s.seat: s for s in seats})


BOT = Seat(0, "Bot", b"0" * 32, is_bot=True, is_present=True)
BEN = Seat(1, "Ben", b"1" * 32)
CLEO = Seat(2, "Cleo", b"2" * 32)
HERE = Seat(2, "Cleo", b"2" * 32, is_present=True)


@pytest.mark.parametrize(
    ("room", "expected", "acting"),
    [
        (_room(4, BOT, BEN, HERE), 2, {2}),
        (_room(4, BOT, BEN, CLEO), 1, {1}),
        (_room(4, BOT), 0, {0}),
        (_room(4, Seat(0, "Ada", b"0" * 32), BEN, HERE), 2, {0, 2}),
        (_room(3, BOT, BEN, HERE), 0, {0}),
        (_room(3, Seat(0, "Bot", b"0" * 32, is_bot=True), BEN, CLEO), 0, {0}),
        (_room(3, Seat(0, "Ada", b"0" * 32), BEN, HERE), 2, {0, 2}),
        (_room(4, BEN, HERE, stage=Stage.LOBBY), 2, set[int]()),
    ],
)
def test_who_acts_as_host(room: RoomTable, expected: int, acting: set[int]) -> None:
    assert steward(room) == expected
    assert {seat for seat in room.seats if acts_as_host(room, seat)} == acting


def test_a_spectator_never_acts_as_host() -> None:
    assert not acts_as_host(_room(4, BOT, BEN, HERE), None)


def test_the_lowest_person_is_host_in_person() -> None:
    assert host_in_person(_room(4, BOT, BEN, HERE)) == 1
    assert host_in_person(_room(4, Seat(0, "", b""), BEN)) == 1
    assert host_in_person(_room(4, BOT)) == 0
