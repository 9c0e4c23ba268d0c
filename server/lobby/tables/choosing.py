"""Choices at a table before its game: scenario, products, setup, characters, readiness."""

from protocol import messages
from protocol.common import events
from protocol.common.table import RoomTable, Stage
from protocol.event import CLOCK, Event, hidden
from server.kernel.errors import Refused
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import SeatHolder
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.campaigns import bring_along, continuation
from server.lobby.tables.scenarios import card_of, digest_of, must_be_on
from server.lobby.tables.setups import Setups


@handles(messages.ChooseScenario, needs=Needs.SEAT, cost=Cost.STORED)
async def choose_scenario(
    holder: SeatHolder, message: messages.ChooseScenario, services: LobbyServices
) -> None:
    def decide(room: RoomTable) -> Event:
        digest = digest_of(services.shelf, message.scenario)
        must_be_on(services.shelf, room, message.scenario)
        return events.ScenarioChosen(message.scenario, digest)

    await holder.submit_as_host(decide)


@handles(messages.ContinueCampaign, needs=Needs.SEAT, cost=Cost.STORED)
async def continue_campaign(
    holder: SeatHolder, _: messages.ContinueCampaign, services: LobbyServices, registry: Registry
) -> None:
    await holder.turn()
    holder.must_be_host()
    # Before the log of another room is read for it.
    if holder.room.stage is not Stage.LOBBY:
        raise Refused("table/already_started")
    found = await continuation(registry, services.shelf, holder.key, holder.room)

    def decide(room: RoomTable) -> Event:
        must_be_on(services.shelf, room, found.scenario)
        return found

    room = await holder.submit_as_host(decide)
    await bring_along(registry, holder.host, room.seats)


@handles(messages.SwitchProducts, needs=Needs.SEAT, cost=Cost.STORED)
async def switch_products(
    holder: SeatHolder, message: messages.SwitchProducts, services: LobbyServices
) -> None:
    def decide(room: RoomTable) -> Event:
        card = card_of(services.shelf, room.scenario)
        if any(product not in card.products for product in message.off):
            raise Refused("table/no_such_product")
        if card.product in message.off:
            raise Refused("table/product_needed")
        # In the order of the scenario, so that the log does not depend on the client.
        off = tuple(product for product in card.products if product in message.off)
        return events.ProductsSwitched(off)

    await holder.submit_as_host(decide)


@handles(messages.FixSetup, needs=Needs.SEAT, cost=Cost.STORED)
async def fix_setup(holder: SeatHolder, message: messages.FixSetup, setups: Setups) -> None:
    def decide(_: RoomTable) -> Event:
        return events.SetupFixed(setups.find(message.code) if message.code else None)

    await holder.submit_as_host(decide)


@handles(messages.AcceptSetup, needs=Needs.SEAT, cost=Cost.STORED)
async def accept_setup(holder: SeatHolder, message: messages.AcceptSetup, setups: Setups) -> None:
    """
    Record that the holder agrees to play the table's setup, which they know.

    Nothing happens if they do not know it, or have agreed already.

    Refused: the table does not play this setup, or the holder's role must not know it.
    """

    def check(room: RoomTable) -> None:
        # The host may have fixed another setup meanwhile, which the holder did not accept.
        fixed = room.fixed_setup
        if fixed is None or fixed.commitment != message.commitment:
            raise Refused("setup/none")

    def decide(room: RoomTable) -> Event:
        check(room)
        return events.SetupAccepted(holder.seat)

    # Before all tables are searched; asked again when the input leaves the queue.
    check(holder.room)
    setups.known.refuse_barred(holder.room, holder.seat)

    if holder.seat in setups.known.unwilling(holder.room):
        await holder.submit(decide)


@handles(messages.ClaimRole, needs=Needs.SEAT, cost=Cost.STORED)
async def claim_role(holder: SeatHolder, message: messages.ClaimRole) -> None:
    await holder.submit(events.RoleClaimed(holder.seat, message.role))


@handles(messages.ClaimCharacters, needs=Needs.SEAT, cost=Cost.STORED)
async def claim_characters(holder: SeatHolder, message: messages.ClaimCharacters) -> None:
    await holder.submit(events.CharactersClaimed(holder.seat, message.characters))


@handles(messages.Prepare, needs=Needs.SEAT)
async def prepare(holder: SeatHolder, message: messages.Prepare) -> None:
    await holder.submit(events.Prepared(holder.seat, hidden(message.prepared)))


@handles(messages.SetReady, needs=Needs.SEAT, cost=Cost.STORED)
async def set_ready(holder: SeatHolder, message: messages.SetReady, setups: Setups) -> None:
    def decide(room: RoomTable) -> Event:
        if message.is_ready:
            setups.known.refuse_known(room, holder.seat)
        signed = message.number, message.signature
        return events.ReadySet(holder.seat, message.is_ready, *signed)

    await holder.submit(decide)


@handles(messages.StartGame, needs=Needs.SEAT, cost=Cost.STORED)
async def start_game(holder: SeatHolder, message: messages.StartGame, setups: Setups) -> None:
    def decide(room: RoomTable) -> Event:
        setups.refuse_closed(room.fixed_setup)
        if _ready_and_unwilling(room, setups):
            raise Refused("table/not_all_ready")
        return events.StartRequested(holder.seat, message.number, message.signature)

    await holder.turn()
    setups.refuse_closed(holder.room.fixed_setup)
    if holder.seat == holder.room.host:
        # Seats that saw the setup since they got ready are unready again; they alone learn why.
        for seat in _ready_and_unwilling(holder.room, setups):
            await _unready(holder.host, seat, setups)
    await holder.submit(decide)


def _ready_and_unwilling(room: RoomTable, setups: Setups) -> tuple[int, ...]:
    """Return the seats that are ready, although they know the setup and have not accepted it."""
    return tuple(seat for seat in setups.known.unwilling(room) if room.seats[seat].is_ready)


async def _unready(host: RoomHost, seat: int, setups: Setups) -> None:
    def decide(room: RoomTable) -> Event:
        if seat not in _ready_and_unwilling(room, setups):
            raise Refused("answer/stale")
        return events.ReadySet(seat, is_ready=False)

    try:
        await host.submit(decide, CLOCK)
    except Refused:
        # They have accepted it meanwhile, or left.
        return
    code = setups.known.why_unwilling(host.room.table.room, seat)
    for follower in tuple(host.followers.by_session.values()):
        if follower.seat == seat:
            host.followers.tell(follower, code)
