"""A server that leads a client to tables its player did not choose, or plays its seat."""

from pathlib import Path

import pytest

from client.keyring.shares import FILE, KeptShares
from protocol import messages
from protocol.common import events
from protocol.common.signed import commitment_of_share
from protocol.common.table import Stage
from server.kernel.admission.by_table import CHECKS
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, happened, room_id_of, room_of, seat_all
from tests.lobby.test_grinding import exported, fault_of

pytestmark = pytest.mark.issue(36)

UNASKED = 10**6
"""A serial that no client has used."""


def heard(client: Client) -> list[str]:
    """Return a list that grows by what the player is told."""
    told: list[str] = []
    client.model.on_change.append(lambda: told.append(client.model.bar.text))
    return told


def begin_for(house: House, host: Client, guest: Client, *, seat: int = 1) -> str:
    """Have a server start a table of its own and claim that a guest is ready."""
    room_id = room_id_of(host)
    get_ready(house, [host])
    scenarios = host.model.lobby.scenarios
    assert scenarios is not None
    piece = scenarios[0].roster.characters[1]
    submit = house.lobby.registry.hosts[room_id].submit
    _ = submit(events.CharactersClaimed(seat, (piece,)), seat)
    house.settle()
    # The server has no signature of the guest.
    _ = submit(events.ReadySet(seat, is_ready=True), seat)
    house.settle()
    host.port.start()
    house.settle()
    assert house.lobby.registry.hosts[room_id].room.table.room.stage is not Stage.LOBBY
    return room_id


def speak_as(house: House, client: Client, message: messages.ClientMessage) -> None:
    """Have the server act for a client that did not ask, and send it the replies."""
    house.lobby.sessions.received(client.session, message)
    house.settle()


def seated_unasked(house: House, owner: Client, guest: Client) -> str:
    """Have the server seat a guest at a table of its own without telling the guest."""
    code = house.open_table(owner)
    hear, guest.session.hear = guest.session.hear, None
    speak_as(house, guest, messages.JoinTable(UNASKED, code))
    guest.session.hear = hear
    return room_id_of(owner)


@pytest.mark.parametrize("way", ["joined", "opened", "entered", "again", "review"])
def test_no_share_is_given_at_a_table_that_a_server_leads_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str
) -> None:
    """A server could try table after table until the dice suit it, each as a first start."""
    monkeypatch.setitem(CHECKS, events.ReadySet, lambda _table, _event: None)
    house = House()
    ann, _ = seat_all(house, ["Ann", "Ben"])
    eve = house.client("Eve")
    own = room_id_of(ann)
    kept = ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    for _ in range(2):
        room_id = seated_unasked(house, eve, ann)
        match way:
            case "joined":
                ann.port.received(messages.Joined(UNASKED, room_id, 1))
            case "opened":
                ann.port.received(messages.TableOpened(UNASKED, room_id, "", ""))
            case "entered":
                speak_as(house, ann, messages.EnterTable(UNASKED, room_id, -1))
            case "again":
                ann.port.list_tables()
                asked = max(ann.model.sent)
                ann.port.received(messages.Joined(asked, room_id, 1))
            case _:
                # The lead of a review takes its members to practice games, which a client enters.
                ann.port._practice.go_to(room_id)
        house.settle()
        begin_for(house, eve, ann)
        assert happened(house, room_id, events.ShareOpened) == []
        assert (room_id_of(ann) == own) is (way != "review")
        assert kept.opened_at(room_id) == ()
        eve.port.leave_table()
        house.settle()


def test_no_share_is_given_in_a_start_for_which_its_player_is_not_ready(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """
    A server could make up the start, and ask for consent only if the dice suit it.

    The numbers of starts that a seat signs count one table only, so a start at another table would
    not be noticed.
    """
    monkeypatch.setitem(CHECKS, events.ReadySet, lambda _table, _event: None)
    house = House()
    ann, eve = house.client("Ann"), house.client("Eve")
    kept = ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    house.join(ann, house.open_table(eve))
    told = heard(ann)

    room_id = begin_for(house, eve, ann)

    assert kept.opened_at(room_id) == ()
    assert happened(house, room_id, events.ShareOpened) == []
    assert any("as if you had said at this table that you are ready" in text for text in told)


@pytest.mark.parametrize("is_shown", [False, True])
def test_no_share_is_given_where_the_table_was_changed_before(
    tmp_path: Path, *, is_shown: bool
) -> None:
    """A server could hold back somebody's readiness and meanwhile fix a house of its own."""
    house = House()
    eve, ann = seat_all(house, ["Eve", "Ann"])
    ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    eve.send(messages.MakeSetup(eve.next_serial()))
    house.settle()
    get_ready(house, [eve, ann])
    ann.port.set_ready(False)
    house.settle()
    told, held, hear = heard(ann), list[messages.ServerMessage](), ann.session.hear
    if not is_shown:
        ann.session.hear = held.append
    eve.port.fix_setup(eve.session.last(messages.SetupMade).code)
    house.settle()
    ann.port.set_ready(True)
    house.settle()
    eve.port.set_ready(True)
    house.settle()
    eve.port.start()
    house.settle()
    ann.session.hear = hear
    for one in held:
        hear(one)
    house.settle()

    assert (room_of(house, eve).stage is Stage.PLAYING) is is_shown
    assert any("the table was changed before" in text for text in told) is not is_shown
    assert len(ann.port.own_shares.shares.opened_at(room_id_of(ann))) == is_shown


def test_a_host_may_be_ready_right_after_their_own_change() -> None:
    """The host's change is still on its way when they press the key."""
    house = House()
    (ann,) = seat_all(house, ["Ann"])
    ann.send(messages.MakeSetup(ann.next_serial()))
    house.settle()
    assert ann.model.lobby.scenarios is not None
    ann.port.claim(ann.model.lobby.scenarios[0].roster.characters[:2])
    house.settle()
    ann.port.fix_setup(ann.session.last(messages.SetupMade).code)
    ann.port.set_ready(True)
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.PLAYING


@pytest.mark.parametrize("is_bot", [False, True])
def test_a_share_that_the_server_gives_for_a_player_is_said_to_be_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_bot: bool
) -> None:
    for kind in (events.ShareOpened, events.ReadySet):
        monkeypatch.setitem(CHECKS, kind, lambda _table, _event: None)
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    told = heard(ann)
    get_ready(house, [ann, ben])
    held: list[messages.ServerMessage] = []
    hear, ann.session.hear = ann.session.hear, held.append
    ann.port.start()
    house.settle()
    host = house.host_of(ben)
    room, share = host.room.table.room, b"x" * 32
    _ = host.submit(events.ShareCommitted(0, commitment_of_share(room, 0, share, 1, b"")), 0)
    house.settle()
    signature = b"" if is_bot else b"s" * 64
    _ = host.submit(events.ShareOpened(0, share, 1, b"", signature), 0)
    house.settle()
    assert room_of(house, ben).stage is Stage.PLAYING

    records = [one for one in held if isinstance(one, messages.Records)]
    cuts = tuple(cut for one in records for cut in one.cuts)
    for one in held:
        if not isinstance(one, messages.Records):
            hear(one)
    hear(messages.Records(room_id_of(ann), cuts))
    house.settle()

    assert any("a share of chance that is not yours" in text for text in told)
    ours, theirs = fault_of(exported(house, ann))
    assert ours is not None
    assert ours == theirs
