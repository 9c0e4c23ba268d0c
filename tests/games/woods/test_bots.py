"""Bots of the woods: the roles that they are told to play."""

import random

import pytest

from client.bots.bot import BotPlayer
from protocol import messages
from protocol.common.table import Settings, Stage
from tests.games.woods.house import WoodsHouse
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.table import Party, a_party
from tests.kit.servers.house import Client
from tests.kit.servers.tables import come_back, room_of, seat_all

pytestmark = pytest.mark.issue(39)


def roles(house: WoodsHouse, client: Client) -> list[str]:
    """Return the role of each seat at the table of a client."""
    return [seat.role for seat in room_of(house, client).seats.values()]


def with_robot(role: str, name: str = "Robot") -> tuple[WoodsHouse, Client, Client, BotPlayer]:
    """Return a table of Ann, the host, and of a bot that somebody brought, in a role."""
    house = WoodsHouse()
    ann, robot = seat_all(house, ["Ann", name])
    player = BotPlayer(robot.port, robot.model, rng=random.Random(1), role=role)
    player.react()
    house.settle()
    return house, ann, robot, player


def test_a_bot_that_is_brought_claims_its_role() -> None:
    house, ann, _, player = with_robot(KEEPER)

    assert roles(house, ann) == ["", KEEPER]
    assert room_of(house, ann).seats[1].is_ready
    assert not player.is_refused_role


def test_a_bot_that_is_brought_claims_the_first_role_too() -> None:
    """A seat without a claim plays the first role, but nobody else can see that it wants to."""
    house, ann, _, _ = with_robot(ANIMAL)

    assert roles(house, ann) == ["", ANIMAL]
    assert room_of(house, ann).seats[1].characters


@pytest.mark.parametrize("role", ["wolf", KEEPER])
def test_a_bot_that_cannot_have_its_role_says_so_and_is_not_ready(role: str) -> None:
    """The keeper's role is taken here, and the wolf's is unknown."""
    party = a_party(["Robot"])
    (robot,) = party.others

    player = BotPlayer(robot.port, robot.model, rng=random.Random(1), role=role)
    player.react()
    party.house.settle()

    assert player.is_refused_role
    assert not party.ready(robot)
    assert len(robot.session.all(messages.Refusal)) == 3


def played_by_bots(party: Party) -> None:
    """Let the game at a table be given up, so that only bots and its host are left."""
    party.kim.port.propose_give_up()
    party.house.settle()
    room = room_of(party.house, party.kim)
    assert room.stage is Stage.OVER


def test_a_host_names_the_role_of_a_bot() -> None:
    house = WoodsHouse()
    (ann,) = seat_all(house, ["Ann"])

    ann.port.add_bot(KEEPER)
    house.settle()

    bot = room_of(house, ann).seats[1]
    assert (bot.is_bot, bot.role, bot.characters, bot.is_ready) == (True, KEEPER, (), True)


@pytest.mark.parametrize(("role", "code"), [("wolf", "no_such_role"), (KEEPER, "role_taken")])
def test_a_bot_in_a_role_that_it_cannot_have_is_not_seated(role: str, code: str) -> None:
    party = a_party(["Ann"])
    before = room_of(party.house, party.kim).seats

    party.kim.port.add_bot(role)
    party.house.settle()

    assert party.refusal(party.kim) == f"table/{code}"
    assert room_of(party.house, party.kim).seats == before


def test_a_bot_leaves_if_somebody_was_faster_to_claim_its_role(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot in another role than that which was asked for would only be in the way."""
    house = WoodsHouse()
    (ann,) = seat_all(house, ["Ann"])
    # The roster has room when the bot sits down, and none when it claims its role.
    monkeypatch.setattr("server.lobby.tables.seating_bots.check_role", lambda *_: None)
    ann.port.claim_role(KEEPER)
    house.settle()

    ann.port.add_bot(KEEPER)
    house.settle()

    assert ann.session.last(messages.Refusal).code == "table/role_taken"
    assert list(room_of(house, ann).seats) == [0]


def test_a_bot_of_the_server_keeps_its_role_over_a_restart() -> None:
    house = WoodsHouse()
    (ann,) = seat_all(house, ["Ann"])
    ann.port.add_bot(KEEPER)
    house.settle(0.1)
    room_id = room_of(house, ann).room_id
    house.restart()
    ann = come_back(house, "Ann", room_id)
    ann.port.claim(("animal/badger", "animal/crane"))
    house.settle()
    ann.port.set_ready(is_ready=True)
    house.settle()

    ann.port.start()
    house.settle(2)

    room = room_of(house, ann)
    assert (room.stage, room.seats[1].role) == (Stage.PLAYING, KEEPER)
    assert room.ask is not None
    assert room.ask.rule == "WOODS-8"


@pytest.mark.parametrize("host_is", [KEEPER, ANIMAL])
def test_bots_come_back_in_their_roles(host_is: str) -> None:
    """The bots of a finished game have the roles that they had in it, on the log from the start."""
    house = WoodsHouse()
    (kim,) = seat_all(house, ["Kim"])
    party = Party(house, kim, ())
    kim.port.claim_role(host_is)
    house.settle()
    other = ANIMAL if host_is == KEEPER else KEEPER
    robot = house.client("Robot")
    house.join(robot, kim.session.last(messages.TableOpened).code)
    BotPlayer(robot.port, robot.model, rng=random.Random(1), role=other).react()
    house.settle()
    party.get_ready(kim, *(("animal/badger",) if host_is == ANIMAL else ()))
    # A seat that a person leaves to a bot keeps its role.
    mine = room_of(house, kim).seats[0]
    assert mine.role == host_is
    if host_is == ANIMAL:
        kim.port.claim(("animal/badger", "animal/crane"))
        house.settle()
        party.get_ready(kim)
    party.start()
    kim.port.propose_give_seat(1, to_bot=True)
    house.settle(0.2)
    proposal = room_of(house, kim).proposal
    assert proposal is not None
    robot.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()
    assert room_of(house, kim).seats[1].is_bot
    played_by_bots(party)

    kim.port.play_again()
    house.settle(3)

    again = room_of(house, kim)
    assert again.stage is Stage.LOBBY
    assert [seat.role for seat in again.seats.values()] == [host_is, other]
    assert again.seats[1].is_bot
    assert again.seats[1].is_ready


def test_a_bot_sets_the_stops_of_its_role(monkeypatch: pytest.MonkeyPatch) -> None:
    stops = {KEEPER: ("woods/late", "woods/early")}
    monkeypatch.setattr(
        "client.bots.bot.stops_of", lambda _, role: tuple(sorted(stops.get(role, ())))
    )
    house = WoodsHouse()
    kim, ann = seat_all(house, ["Kim", "Ann"], Settings(stops=True))
    for client, role in ((kim, KEEPER), (ann, ANIMAL)):
        BotPlayer(client.port, client.model, rng=random.Random(1), role=role).react()
    house.settle()
    kim.port.start()
    house.settle()

    assert not kim.session.all(messages.Refusal)
    told = kim.model.off_log.stops
    assert [one.kinds for one in told.values()] == [("woods/early", "woods/late")]
    assert not ann.model.off_log.stops


def test_a_bot_as_host_starts_once_the_table_is_full() -> None:
    """The party that it waits for may be larger than a table of this game."""
    house = WoodsHouse()
    clients = seat_all(house, ["Robot", "Ann", "Ben", "Cem"])
    roles = (KEEPER, ANIMAL, ANIMAL, ANIMAL)
    players = [
        BotPlayer(client.port, client.model, rng=random.Random(at), party=9 * (not at), role=role)
        for at, (client, role) in enumerate(zip(clients, roles, strict=True))
    ]
    for player in players:
        player.react()
    house.settle(1)

    assert room_of(house, clients[0]).stage is not Stage.LOBBY
