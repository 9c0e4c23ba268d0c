"""One house for two tables: played differently to the end, closed, and checked whole."""

from collections import Counter

import attrs
import pytest

from client.model.setups import is_pending
from client.plugs.brains import pick_random
from protocol import messages
from protocol.archive import Archive
from protocol.audit import SetupSource, audit
from protocol.common import events
from protocol.common.chance import Stream
from protocol.common.table import Stage
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_id_of, room_of, seat_all
from tests.lobby.test_setups import closed, exported, fixed, listed, made

Drawn = dict[tuple[Stream, str, int], tuple[object, object]]
"""Items and result of each draw, by stream, purpose and number."""


@attrs.frozen
class Contest:
    """Two finished tables with one setup."""

    house: House
    owner: Client
    code: str
    tables: list[list[Client]]


@pytest.fixture(scope="module")
def contest() -> Contest:
    """Play two tables at random."""
    house = House()
    owner = house.client("Owner")
    code = made(house, owner)
    tables = []
    for seed, names in ((1, ["Ann", "Ben"]), (2, ["Cid", "Dot"])):
        clients = seat_all(house, names)
        fixed(house, clients[0], code)
        get_ready(house, clients)
        clients[0].port.start()
        house.settle()
        for client in clients:
            house.bot(client, seed, pick_random)
        while room_of(house, clients[0]).stage is not Stage.OVER:
            house.settle(1)
        tables.append(clients)
    return Contest(house, owner, code, tables)


def drawn(archive: Archive) -> Drawn:
    """Return the draws of the fixed setup, from the whole log of a game."""
    found: Drawn = {}
    for record in archive.records:
        match record.event:
            case events.Shuffled() as mixed if mixed.stream is not Stream.PLAY:
                order = mixed.order.value
                key = (mixed.stream, mixed.purpose, mixed.number)
                found[key] = (tuple(sorted(order)), order)
            case events.Dealt() as dealt:
                key = (Stream.DEAL, dealt.purpose, dealt.number)
                found[key] = (dealt.choice.value.options, dealt.choice.value.result)
            case _:
                pass
    return found


@pytest.mark.long
def test_a_house_that_two_tables_played_is_checked_once_it_is_closed(contest: Contest) -> None:
    house, tables = contest.house, contest.tables
    first, second = (exported(house, clients[0]) for clients in tables)
    for archive in (first, second):
        report = audit(archive)
        assert report.is_finished
        assert report.setup is SetupSource.PENDING
        assert report.counts.computed[Stream.PLAY] > 0
        assert report.counts.computed[Stream.SETUP] == 0
        assert not archive.header.is_whole
        assert is_pending(archive.records)
    (line,) = listed(house, contest.owner)
    assert (line.table_count, line.running_count) == (2, 0)

    assert isinstance(closed(house, contest.owner, contest.code), messages.Done)
    house.settle()

    first, second = (exported(house, clients[0]) for clients in tables)
    for archive in (first, second):
        # In a whole log a draw whose key is not known is a fault.
        report = audit(archive)
        assert report.is_whole
        assert report.setup is SetupSource.OPENED
        assert report.counts.computed[Stream.SETUP] > 0
        assert report.counts.pending.total() == 0
        assert not is_pending(archive.records)
    one, other = drawn(first), drawn(second)
    asked_of_both = [key for key in one.keys() & other.keys() if one[key][0] == other[key][0]]
    kinds = Counter(stream for stream, _, _ in asked_of_both)
    assert kinds.total() > 5
    assert kinds[Stream.SETUP]
    assert kinds[Stream.DEAL]
    assert [key for key in asked_of_both if one[key] != other[key]] == []
    assert _played(first) != _played(second)


def _played(archive: Archive) -> list[object]:
    return [
        record.event.faces for record in archive.records if isinstance(record.event, events.Rolled)
    ]


def test_all_who_played_can_check_it(contest: Contest) -> None:
    for clients in contest.tables:
        for client in clients:
            client.port.enter(room_id_of(client))
    if not listed(contest.house, contest.owner)[0].is_closed:
        closed(contest.house, contest.owner, contest.code)
    contest.house.settle()

    assert all(
        exported(contest.house, client).header.is_whole
        for clients in contest.tables
        for client in clients
    )
