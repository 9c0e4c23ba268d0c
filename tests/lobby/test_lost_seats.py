"""Who lost a seat while away is told once, and nobody else is."""

import pytest

from protocol import messages as say
from protocol.messages import LossCause, LostSeat
from tests.lobby.house import Client, House
from tests.lobby.tables import room_id_of, room_of, seat_all, start_all

pytestmark = pytest.mark.issue(15)


def lost_by(house: House, client: Client) -> tuple[LostSeat, ...]:
    """Ask which seats somebody lost."""
    client.port.ask_for_lost_seats()
    house.settle()
    return client.session.last(say.LostSeats).lines


def given_away(house: House, *, to_bot: bool, is_away: bool) -> tuple[Client, Client]:
    """Have a seat given away in a game of two; return who is left and who had it."""
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
    """At the next start, and never again."""
    house = House()
    ada, _ = given_away(house, to_bot=False, is_away=True)
    ben = house.client("Ben")

    (lost,) = lost_by(house, ben)

    assert (lost.room_id, lost.cause, lost.to) == (room_id_of(ada), LossCause.GIVEN, "")
    assert abs(lost.when - house.desk.around.now()) < 60_000
    assert lost_by(house, ben) == ()


def test_who_has_it_now_is_named() -> None:
    """A bot by its name."""
    house = House()
    ada, _ = given_away(house, to_bot=True, is_away=True)

    (lost,) = lost_by(house, house.client("Ben"))

    assert lost.to == room_of(house, ada).seats[1].name


def test_who_sees_it_happen_is_not_told_again() -> None:
    """They have agreed to it themselves."""
    house = House()
    _, ben = given_away(house, to_bot=False, is_away=False)

    assert lost_by(house, ben) == ()


def test_a_table_that_was_removed_is_told_of() -> None:
    """Only to those who sat there and did not look."""
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
    """In the store, until it is told."""
    house = House()
    given_away(house, to_bot=False, is_away=True)
    house.restart()

    assert len(lost_by(house, house.client("Ben"))) == 1


def test_nobody_else_is_told() -> None:
    """Not even who gave it away."""
    house = House()
    ada, _ = given_away(house, to_bot=False, is_away=True)

    assert lost_by(house, ada) == ()
    assert lost_by(house, house.client("Eve")) == ()
    assert len(lost_by(house, house.client("Ben"))) == 1
