"""A player who lost a seat while away is told once, and nobody else is."""

from typing import TypeVar

import attrs
import pytest
from twisted.internet.defer import Deferred

from client.journal.lost import local_now, lost_lines
from protocol import messages
from protocol.common.table import Seat
from protocol.messages import MAX_LOST_SEATS, LossCause, LostSeat
from server.lobby.services.run_detached import run_detached
from server.lobby.tables.lost_seats import KEPT_DAYS, KIND, LostSeats
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, room_of, seat_all, start_all
from tests.kit.stores.memory import MemoryStore

pytestmark = pytest.mark.issue(15)

DAY = 24 * 3600

T = TypeVar("T")


def result(deferred: Deferred[T]) -> T:
    """Return the result of a Deferred that has fired, or raise its failure."""
    found: list[T] = []
    _ = deferred.addCallback(found.append)
    return found[0]


def lost_by(house: House, client: Client) -> tuple[LostSeat, ...]:
    """Return the seats that a client lost."""
    client.port.ask_for_lost_seats()
    house.settle()
    return client.session.last(messages.LostSeats).lines


def given_away(house: House, *, to_bot: bool, is_away: bool) -> tuple[Client, Client]:
    """Let a seat of a game of two be given away; return the remaining client and the old owner."""
    ada, ben = start_all(house, ["Ada", "Ben"])
    if is_away:
        ben.disconnect()
        house.settle()
    ada.port.propose_give_seat(1, to_bot=to_bot)
    house.settle()
    if not is_away:
        proposal = room_of(house, ada).proposal
        assert proposal is not None
        ben.port.consent(proposal.proposal_id, is_agreed=True)
        house.settle()
    return ada, ben


def test_who_was_away_is_told_when_and_why_once() -> None:
    house = House()
    ada, _ = given_away(house, to_bot=False, is_away=True)
    ben = house.client("Ben")

    (lost,) = lost_by(house, ben)

    assert (lost.room_id, lost.cause, lost.to) == (room_id_of(ada), LossCause.GIVEN, "")
    assert abs(lost.when - house.lobby.services.now()) < 60_000
    assert lost_by(house, ben) == ()


def test_who_got_it_is_named() -> None:
    house = House()
    ada, _ = given_away(house, to_bot=True, is_away=True)

    (lost,) = lost_by(house, house.client("Ben"))

    assert lost.to == room_of(house, ada).seats[1].name


@pytest.mark.issue(38)
def test_what_is_told_stays_true_once_somebody_else_has_the_seat() -> None:
    house = House()
    ada, _ = given_away(house, to_bot=True, is_away=True)
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle(5)
    house.join(house.client("Cleo"), ada.session.last(messages.InvitationMade).code)
    assert room_of(house, ada).seats[1].name == "Cleo"
    ben = house.client("Ben")
    lost_by(house, ben)

    (line,) = lost_lines(ben.model, local_now())

    assert "agreed at that time to give it to Bot 1" in line
    assert "somebody else may have it now" in line


def test_who_sees_it_happen_is_not_told_again() -> None:
    house = House()
    _, ben = given_away(house, to_bot=False, is_away=False)

    assert lost_by(house, ben) == ()


def test_a_table_that_was_removed_is_told_of() -> None:
    house = House()
    ada, ben, cleo = seat_all(house, ["Ada", "Ben", "Cleo"])
    ben.disconnect()
    house.settle()

    ada.port.remove_table()
    house.settle()

    (lost,) = lost_by(house, house.client("Ben"))
    assert lost.cause is LossCause.REMOVED
    assert lost_by(house, cleo) == ()
    assert lost_by(house, ada) == ()


def test_it_is_kept_over_a_restart() -> None:
    house = House()
    given_away(house, to_bot=False, is_away=True)
    house.restart()

    assert len(lost_by(house, house.client("Ben"))) == 1


def test_nobody_else_is_told() -> None:
    house = House()
    ada, _ = given_away(house, to_bot=False, is_away=True)

    assert lost_by(house, ada) == ()
    assert lost_by(house, house.client("Eve")) == ()
    assert len(lost_by(house, house.client("Ben"))) == 1


def test_who_does_not_come_for_a_year_is_not_told_any_more() -> None:
    house = House()
    given_away(house, to_bot=False, is_away=True)
    house.restart_after(KEPT_DAYS * DAY - 1000)
    assert len(result(house.store.scan(KIND))) == 1

    house.restart_after(2000)

    assert result(house.store.scan(KIND)) == []
    assert lost_by(house, house.client("Ben")) == ()


def test_no_more_are_kept_for_one_key_than_are_told_at_once() -> None:
    house = House()
    ada, _ = given_away(house, to_bot=False, is_away=True)
    room = room_of(house, ada)
    seat = attrs.evolve(room.seats[0], key=b"k" * 32)
    for number in range(MAX_LOST_SEATS + 1):
        noting = house.lobby.lost.note(room, seat, frozenset(), LossCause.GIVEN, f"Zoe {number}")
        result(Deferred.fromCoroutine(noting))

    kept = result(Deferred.fromCoroutine(house.lobby.lost.collect(b"k" * 32)))

    assert [one.to for one in kept] == [f"Zoe {number + 1}" for number in range(MAX_LOST_SEATS)]


@attrs.define(eq=False)
class SlowStore(MemoryStore):
    """A store that answers requests for values only when told to."""

    asked: list[tuple[Deferred[bytes | None], str]] = attrs.field(factory=list)

    def get(self, kind: str, key: str) -> Deferred[bytes | None]:
        assert kind == KIND
        answer: Deferred[bytes | None] = Deferred()
        self.asked.append((answer, key))
        return answer

    def answer_all(self) -> None:
        """Answer all open requests with the present values."""
        asked, self.asked = self.asked, []
        values = [result(MemoryStore.get(self, KIND, key)) for _, key in asked]
        for (answer, _), value in zip(asked, values, strict=True):
            answer.callback(value)


def test_two_seats_lost_at_the_same_moment_are_both_told_of() -> None:
    house, store = House(), SlowStore()
    ada, _ = given_away(house, to_bot=False, is_away=True)
    lost = LostSeats(store, lambda: 0)
    seat: Seat = attrs.evolve(room_of(house, ada).seats[0], key=b"k" * 32)
    for to in ("Zoe", "Cleo"):
        run_detached(lost.note(room_of(house, ada), seat, frozenset(), LossCause.GIVEN, to))
    store.answer_all()
    store.answer_all()

    told = Deferred.fromCoroutine(lost.collect(b"k" * 32))
    store.answer_all()

    assert [one.to for one in result(told)] == ["Zoe", "Cleo"]
