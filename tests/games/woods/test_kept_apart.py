"""Roles kept apart: nobody who had a seat of one role ever has a seat of another in that game."""

import pytest

from protocol import messages
from protocol.common import events
from protocol.common.absence import ABSENCE_MS, absentees
from protocol.common.hosts import steward
from protocol.common.table import Observer, Settings, Stage
from protocol.keys import fingerprint
from tests.games.woods.protocol.events import SnareLaid
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.table import Party, a_game, a_party, told
from tests.kit.servers.house import Client
from tests.kit.servers.tables import come_back, happened, room_id_of, room_of

pytestmark = pytest.mark.issue(39)

KIM, ANN, BEN = 0, 1, 2


def agree(party: Party, *clients: Client) -> None:
    """Agree to the open proposal, as many of these clients as it still needs."""
    for client in clients:
        proposal = room_of(party.house, client).proposal
        if proposal is not None:
            client.port.consent(proposal.proposal_id, is_agreed=True)
            party.house.settle(0.2)


def client_of(party: Party, seat: int) -> Client:
    """Return the client of a seat."""
    key = room_of(party.house, party.others[-1]).seats[seat].key
    return next(one for one in (party.kim, *party.others) if one.session.account.key == key)


def freed(party: Party, seat: int, *, to_bot: bool = False) -> Client:
    """Have the table give away a seat, proposed by who may; return the client of the proposer."""
    owner, room_id = client_of(party, seat), room_id_of(party.others[-1])
    is_host = seat == room_of(party.house, owner).host
    if is_host:
        # A host who is here proposes nothing about the own seat.
        owner.disconnect()
    by = client_of(party, steward(room_of(party.house, party.others[-1])))
    by.port.propose_give_seat(seat, to_bot=to_bot)
    party.house.settle(0.2)
    if is_host:
        party.kim = come_back(party.house, "Kim", room_id)
    agree(party, *(one for one in (party.kim, *party.others) if one is not by))
    return by


def invitation(client: Client) -> str:
    """Return the code of the last invitation that a client was sent."""
    return client.session.last(messages.InvitationMade).code


def is_seated(party: Party, client: Client) -> bool:
    """Return whether a client's key has a seat at the table."""
    hosts = party.house.lobby.registry.hosts
    rooms = [host.room.table.room for host in hosts.values()]
    return any(room.seat_of(client.session.account.key) is not None for room in rooms)


def test_the_start_of_the_game_says_that_roles_are_kept_apart() -> None:
    party = a_game()
    [started] = happened(party.house, room_id_of(party.kim), events.GameStarted)

    assert started.is_apart
    assert sorted(room_of(party.house, party.kim).past_roles.values()) == [
        (ANIMAL,),
        (ANIMAL,),
        (KEEPER,),
    ]


def test_an_animal_who_gave_up_its_seat_never_becomes_the_keeper() -> None:
    """They could play on with what the animals told each other."""
    party = a_game()
    ann, _ = party.others
    freed(party, ANN)
    assert not is_seated(party, ann)
    by = freed(party, KIM)

    party.house.join(ann, invitation(by))

    assert party.refusal(ann) == "table/role_apart"
    assert not is_seated(party, ann)


def test_a_keeper_who_gave_up_the_seat_never_becomes_an_animal() -> None:
    """They know where the snare lies."""
    party = a_game()
    freed(party, KIM)
    assert not is_seated(party, party.kim)
    by = freed(party, BEN)

    party.house.join(party.kim, invitation(by))

    assert party.refusal(party.kim) == "table/role_apart"
    assert not is_seated(party, party.kim)


def test_who_can_give_seats_reads_why_somebody_was_refused() -> None:
    """Nobody else does, and the sentence names nobody."""
    party = a_game()
    ann, ben = party.others
    freed(party, ANN)
    by = freed(party, KIM)
    assert by is ben

    party.house.join(ann, invitation(by))

    codes = [notice.code for notice in ben.session.all(messages.Notice)]
    assert codes.count("table/apart_refused") == 1
    assert "Roles are kept apart" in ben.model.bar.text


def test_a_former_animal_may_be_an_animal_again() -> None:
    party = a_game()
    ann, _ = party.others
    by = freed(party, ANN)

    party.house.join(ann, invitation(by))

    assert room_of(party.house, party.kim).seat_of(ann.session.account.key) == ANN


@pytest.mark.parametrize("goes_along", [True, False])
def test_a_seat_goes_with_its_secrets_whatever_the_settings_say(goes_along: bool) -> None:
    """A keeper who does not know the snare could not play on."""
    party = a_game(Settings(secrets_go_along=goes_along))
    party.answer(party.kim, "glade")
    by = freed(party, KIM)
    zoe = party.house.client("Zoe")

    party.house.join(zoe, invitation(by))

    (laid,) = told(zoe, SnareLaid)
    assert laid.clearing.value == "clearing/glade"
    [given] = happened(party.house, room_id_of(by), events.SeatGiven)
    assert given.with_secrets


def test_a_bot_takes_the_seat_over_with_its_secrets() -> None:
    party = a_game(Settings(secrets_go_along=False))
    by = freed(party, KIM, to_bot=True)

    seat = room_of(party.house, by).seats[KIM]
    assert (seat.is_bot, seat.role, seat.since) == (True, KEEPER, 1)
    party.house.settle(2)
    # It lays the snare, as the keeper does first.
    assert party.game.snare is not None


def test_everybody_has_to_agree_even_who_is_away() -> None:
    """Else one who is left alone for a minute could have a friend read the keeper's secrets."""
    party = a_game()
    ann, ben = party.others
    party.kim.disconnect()
    ann.port.propose_give_seat(KIM, to_bot=False)
    party.house.settle(0.2)

    agree(party, ben)

    room = room_of(party.house, ann)
    assert room.seats[KIM].key
    assert room.proposal is not None
    assert absentees(room) == (KIM,)
    ann.port.agree_for_absent(room.proposal.proposal_id)
    party.house.settle(0.2)
    assert party.refusal(ann) == "proposal/too_early"


def test_a_day_later_somebody_agrees_for_who_is_away() -> None:
    party = a_game()
    ann, ben = party.others
    party.kim.disconnect()
    ann.port.propose_give_seat(KIM, to_bot=False)
    party.house.settle(0.2)
    agree(party, ben)
    party.house.wall_began += ABSENCE_MS
    proposal = room_of(party.house, ann).proposal
    assert proposal is not None

    ann.port.agree_for_absent(proposal.proposal_id)
    party.house.settle(0.2)

    assert not room_of(party.house, ann).seats[KIM].key
    zoe = party.house.client("Zoe")
    party.house.join(zoe, invitation(ann))
    assert room_of(party.house, ann).seats[KIM].name == "Zoe"


def test_an_observer_of_all_secrets_never_has_a_seat() -> None:
    zoe_key = a_party().house.client("Zoe").session.account.key
    watched = Settings(observers=(Observer("Zoe", fingerprint(zoe_key)),))
    party = a_game(watched)
    zoe = party.house.client("Zoe")
    by = freed(party, ANN)

    party.house.join(zoe, invitation(by))

    assert party.refusal(zoe) == "table/observer"


def test_roles_may_change_before_the_game() -> None:
    party = a_party()
    ann, _ = party.others
    party.kim.port.claim_role(ANIMAL)
    ann.port.claim_role(KEEPER)
    party.house.settle()

    assert [seat.role for seat in room_of(party.house, ann).seats.values()] == [ANIMAL, KEEPER, ""]


def test_another_game_of_the_same_people_is_a_new_one() -> None:
    party = a_game()
    ann, ben = party.others
    party.kim.port.propose_give_up()
    party.house.settle(0.2)
    agree(party, ann, ben)
    for client in (party.kim, ann, ben):
        client.port.play_again()
        party.house.settle()

    party.kim.port.claim_role(ANIMAL)
    party.house.settle()
    ann.port.claim_role(KEEPER)
    party.house.settle()

    room = room_of(party.house, ann)
    assert room.stage is Stage.LOBBY
    assert room.seats[room.seat_of(ann.session.account.key) or 0].role == KEEPER
    assert not room.past_roles
