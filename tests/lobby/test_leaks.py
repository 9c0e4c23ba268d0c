"""What a session may no longer be told: seats that were left, given away, or spectated."""

import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol import messages
from protocol.archive import Archive, load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Settings, Stage, Table
from protocol.event import hidden
from server.kernel.errors import Refused
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import (
    first_of,
    get_ready,
    happened,
    room_id_of,
    room_of,
    seat_all,
    secrets_shown,
    start_all,
)


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def export(house: House, client: Client, room_id: str) -> Archive:
    """Return the latest export of a client."""
    client.send(messages.ExportTable(client.next_serial(), room_id))
    house.settle()
    parts = client.session.all(messages.ExportPart)
    latest = [part for part in parts if part.serial == parts[-1].serial]
    return load(b"".join(part.data for part in latest))


def test_whoever_leaves_their_seat_is_answered_and_the_others_go_on(house: House) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ben)

    serial = ben.next_serial()
    ben.send(messages.LeaveSeat(serial, room_id))
    house.settle()
    ada.port.chat("so be it")
    house.settle()

    assert messages.Done(serial) in ben.session.sent
    assert not ada.model.sent
    assert ada.model.view is not None
    assert 1 not in ada.model.view.table.room.seats


def test_whoever_left_a_seat_is_not_told_the_secrets_of_its_next_owner(house: House) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ben)
    ben.send(messages.LeaveSeat(ben.next_serial(), room_id))
    house.settle()
    left = first_of(house, room_id, events.SeatLeft)
    cleo = house.client("Cleo")
    house.join(cleo, ada.session.last(messages.TableOpened).code)
    assert cleo.model.view is not None
    assert cleo.model.view.seat == 1

    get_ready(house, [ada, cleo])
    ada.port.start()
    ada.port.chat("welcome")
    house.settle()

    assert room_of(house, ada).stage is Stage.PLAYING
    assert not secrets_shown(ben, left)


def test_whoever_sits_down_later_hears_nothing_of_the_talk_before(house: House) -> None:
    ada, ben = seat_all(house, ["Ada", "Ben"])
    ada.port.chat("between us")
    house.settle()
    ben.port.leave_seat()
    house.settle()
    left = first_of(house, room_id_of(ada), events.SeatLeft)
    cleo = house.client("Cleo")

    house.join(cleo, ada.session.last(messages.TableOpened).code)
    ada.port.chat("welcome")
    house.settle()

    shown = secrets_shown(cleo, -1)
    assert shown
    assert min(shown) > left


def test_the_old_owner_of_a_seat_is_told_no_more_of_it(house: House) -> None:
    ada, ben, cleo = start_all(house, ["Ada", "Ben", "Cleo"])
    room_id = room_id_of(ada)
    ada.port.propose_give_seat(1, to_bot=True)
    house.settle(0.2)
    for voice in (ben, cleo):
        proposal = room_of(house, ada).proposal
        if proposal is not None:
            voice.port.consent(proposal.proposal_id, is_agreed=True)
            house.settle(0.2)
    given = first_of(house, room_id, events.SeatGiven)

    ada.port.chat("Ben is out")
    house.settle(3)

    assert not secrets_shown(ben, given)
    assert ben.session.last(messages.Notice).code == "table/no_seat"
    assert room_of(house, ada).seats[1].is_present


def test_a_whole_export_leaves_the_talk_to_those_who_heard_it(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"], Settings(secrets_go_along=False))
    room_id = room_id_of(ada)
    ada.port.chat("only for Ben")
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    zoe = house.client("Zoe")
    house.join(zoe, ada.session.last(messages.InvitationMade).code)
    zoe.port.chat("hello")
    house.settle()
    house.bot(ada, 1)
    house.bot(zoe, 2)
    for _ in range(4000):
        if room_of(house, ada).stage is Stage.OVER:
            break
        house.settle(0.5)

    mine, hers = export(house, ada, room_id), export(house, zoe, room_id)

    assert mine.header.is_whole
    assert hers.header.is_whole
    assert heard(mine) == [b"only for Ben", b"hello"]
    assert heard(hers) == [b"hello"]
    assert audit(hers).counts.computed.total() == audit(mine).counts.computed.total()


def heard(archive: Archive) -> list[bytes]:
    """Return the lines of chat that are open in a file."""
    lines = [r.event.words for r in archive.records if isinstance(r.event, events.Chatted)]
    return [words.value for words in lines if words.is_open]


def test_a_host_cannot_take_the_seat_of_somebody_who_is_there(house: House) -> None:
    """At a table of two nobody else would be asked, and the seat's secrets would go along."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)

    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()

    assert not happened(house, room_id, events.SeatGiven)
    assert not ada.session.all(messages.InvitationMade)
    ben.port.consent(0, is_agreed=True)
    house.settle()
    assert happened(house, room_id, events.SeatGiven)
    assert ada.session.last(messages.InvitationMade).seat == 1


def test_an_invitation_to_a_seat_is_good_for_one_vacancy(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    first = ada.session.last(messages.InvitationMade).code
    zoe = house.client("Zoe")
    house.join(zoe, first)
    house.join(zoe, first)
    assert zoe.session.last(messages.Joined).seat == 1
    zoe.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    again = house.client("Zoe")

    house.join(again, first)

    assert again.session.last(messages.Refusal).code == "invitation/unknown"
    house.join(again, ada.session.last(messages.InvitationMade).code)
    assert again.session.last(messages.Joined).seat == 1


def test_nobody_is_the_owner_of_an_empty_seat(house: House) -> None:
    ada, ben, _ = start_all(house, ["Ada", "Ben", "Cleo"])
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    room = room_of(house, ada)
    assert room.seats[1].key != b"" or room.seat_of(b"") is None


def test_what_a_seat_is_asked_is_decided_by_its_owner_at_that_moment(house: House) -> None:
    ada, ben = start_all(house, ["Ada", "Ben"])
    host = house.host_of(ada)

    spoken = host.submit(events.Chatted(1, hidden(b"hm")), 1, key=b"x" * 32)

    assert refusal_of(spoken) == "table/no_seat"
    assert ben.model.view is not None


def refusal_of(submitted: Deferred[Table]) -> str:
    """Return the code with which an input was refused."""
    codes: list[str] = []

    def keep(failure: Failure) -> None:
        assert isinstance(failure.value, Refused)
        codes.append(failure.value.code)

    _ = submitted.addErrback(keep)
    return codes[0]
