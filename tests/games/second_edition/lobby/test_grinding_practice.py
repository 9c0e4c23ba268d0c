"""A server that restarts practice games until the dice suit it; reviews have no dice."""

from pathlib import Path

import attrs
import pytest

from client.commands.verify import Verdict
from client.keyring.shares import FILE, KeptShare, KeptShares
from client.locale import load as load_words
from client.net.ceremony import MOST_UNASKED, OwnPart
from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Stage
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from tests.client.test_shares import STRAY
from tests.games.second_edition.lobby.test_practising import given_up, practised, table_of
from tests.games.second_edition.lobby.test_sharing import asked
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import happened, room_id_of
from tests.lobby.test_grinding import Refusing, exported
from tests.verifying.logs import types, verifier

pytestmark = pytest.mark.issue(36)


def practised_again(
    house: House, player: Client, source: str, monkeypatch: pytest.MonkeyPatch, times: int
) -> str:
    """Have a server restart one practice game this many times, refusing the opened share each time.

    Returns: Its room, in which the share is finally opened.
    """
    server = Refusing(monkeypatch, {events.ShareOpened}, 0)
    room_id = house.lobby.registry.new_room_id()
    monkeypatch.setattr(Registry, "new_room_id", lambda _registry: room_id)
    for _ in range(times):
        server.left = 10**6
        assert practised(house, player, source, 10**6) == room_id
        assert table_of(house, room_id).stage is Stage.STARTING
        asked(house, player, messages.RemoveTable(player.next_serial(), room_id))
        player.port.leave_table()
        house.settle()
    server.left = 0
    assert practised(house, player, source, 10**6) == room_id
    return room_id


def test_starts_of_a_practice_game_that_a_server_hid_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The client opens the shares of all seats at once.

    Both verifiers count the starts and warn.
    """
    house = House()
    ann, _ = given_up(house)
    ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))

    room_id = practised_again(house, ann, room_id_of(ann), monkeypatch, 2)

    assert table_of(house, room_id).stage is Stage.PLAYING
    assert any("asks for your share of chance again" in text for text in told)
    ann.port.propose_give_up()
    house.settle()
    data = exported(house, ann)
    report = audit(load(data))
    assert (report.is_finished, report.counts.starts_hidden) == (True, 2)
    lines = Verdict(load(data), report).lines("it", load_words("en"))
    assert any(line.startswith("WARNING: a seat opened its share at starts") for line in lines)
    assert verifier().verify(data, types()).hidden == 2


def test_no_share_of_a_practice_game_is_opened_after_the_third(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The player is told to begin another practice game, whose shares are opened."""
    house = House()
    ann, _ = given_up(house)
    source = room_id_of(ann)
    kept = ann.port.own_shares.shares = KeptShares(tmp_path / FILE)

    room_id = practised_again(house, ann, source, monkeypatch, MOST_UNASKED)

    assert table_of(house, room_id).stage is Stage.STARTING
    assert "Leave it, and begin another one" in ann.model.bar.text
    assert {one.number for one in kept.opened_at(room_id)} == {1, 2, 3}
    ann.port.leave_table()
    monkeypatch.setattr(Registry, "new_room_id", lambda _registry: "f" * 24)
    assert table_of(house, practised(house, ann, source, 10**6)).stage is Stage.PLAYING


@pytest.mark.parametrize("by_review", [False, True])
def test_no_share_is_opened_in_a_practice_game_that_a_server_leads_to(*, by_review: bool) -> None:
    """Otherwise a server could lead a client through new practice games until the dice suit it."""
    house = House()
    ann, ben = given_up(house)
    source = room_id_of(ann)
    if by_review:
        for client in (ben, ann):
            client.port.leave_table()
            client.port.join_review(source)
            house.settle()
    # As if the server had said so by itself: the client did not ask for it.
    hear, ann.session.hear = ann.session.hear, None
    joined = asked(house, ann, messages.Practise(ann.next_serial(), source, 10**6))[-1]
    ann.session.hear = hear
    assert isinstance(joined, messages.Joined)
    if by_review:
        state = ann.session.last(messages.ReviewState)
        ann.port.received(attrs.evolve(state, branch_id=joined.room_id))  # type: ignore[misc]  # attrs
    else:
        ann.port.received(messages.Joined(10**6, joined.room_id, joined.seat))
    house.settle()

    # A review leads its members along; another table that a client did not ask for is not entered.
    assert room_id_of(ann) == (joined.room_id if by_review else source)
    committed = happened(house, source, events.ShareCommitted)
    assert happened(house, joined.room_id, events.ShareCommitted) == committed
    ann.port.enter(joined.room_id)
    house.settle()
    assert table_of(house, joined.room_id).stage is Stage.PLAYING


def test_a_practice_game_of_another_start_is_said_to_be_one(tmp_path: Path) -> None:
    house = House()
    ann, _ = given_up(house)
    ann.port.own_shares.shares = KeptShares(tmp_path / FILE)
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))
    new_part = ann.port._practice.new_part

    def forgetting() -> OwnPart:
        part = new_part()
        part.keep = keep_another
        return part

    def keep_another(room_id: str, _kept: KeptShare) -> bool:
        KeptShares(tmp_path / FILE).keep(room_id, STRAY)
        return True

    ann.port._practice.new_part = forgetting
    practised(house, ann, room_id_of(ann), 10**6)

    assert any("did not use the share of chance that you sent" in text for text in told)


def test_a_refused_share_of_a_practice_game_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the game would wait for ever: no other player gives a share."""
    house = House()
    ann, _ = given_up(house)
    Refusing(monkeypatch, {events.ShareCommitted}, times=1)

    room_id = practised(house, ann, room_id_of(ann), 10**6)

    assert table_of(house, room_id).stage is Stage.PLAYING


def test_a_review_has_no_chance_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    ann, ben = given_up(house)
    source = room_id_of(ann)
    for client in (ann, ben):
        client.port.leave_table()
    house.settle()
    before = house.log_of(source)
    given: list[object] = []
    monkeypatch.setattr(RoomHost, "submit", lambda _host, event, *_, **__: given.append(event))
    for client in (ann, ben):
        client.port.join_review(source)
        house.settle()
    for at in (10, 40, 20):
        ann.send(messages.LeadReview(ann.next_serial(), source, at, -1, False))
        house.settle()

    assert ben.session.last(messages.ReviewState).event == 20
    assert given == []
    assert house.log_of(source) == before
