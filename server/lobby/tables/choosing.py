"""Choices at a table before its game: scenario, products, setup, characters, readiness."""

from protocol import messages
from protocol.common import events
from protocol.common.table import Stage
from protocol.event import hidden
from server.kernel.errors import Refused
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import SeatHolder
from server.lobby.rooms.registry import Registry
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.campaigns import bring_along, continuation
from server.lobby.tables.scenarios import card_of, digest_of, must_be_on
from server.lobby.tables.setups import Setups


@handles(messages.ChooseScenario, needs=Needs.SEAT, cost=Cost.STORED)
async def choose_scenario(
    holder: SeatHolder, message: messages.ChooseScenario, services: LobbyServices
) -> None:
    holder.must_be_host()
    digest = digest_of(services.shelf, message.scenario)
    must_be_on(services.shelf, holder.room, message.scenario)
    await holder.submit(events.ScenarioChosen(message.scenario, digest))


@handles(messages.ContinueCampaign, needs=Needs.SEAT, cost=Cost.STORED)
async def continue_campaign(
    holder: SeatHolder, _: messages.ContinueCampaign, services: LobbyServices, registry: Registry
) -> None:
    holder.must_be_host()
    # Before the log of another room is read for it.
    if holder.room.stage is not Stage.LOBBY:
        raise Refused("table/already_started")
    found = await continuation(registry, services.shelf, holder.key, holder.room)
    must_be_on(services.shelf, holder.room, found.scenario)
    room = await holder.submit(found)
    await bring_along(registry, holder.host, room.seats)


@handles(messages.SwitchProducts, needs=Needs.SEAT, cost=Cost.STORED)
async def switch_products(
    holder: SeatHolder, message: messages.SwitchProducts, services: LobbyServices
) -> None:
    holder.must_be_host()
    card = card_of(services.shelf, holder.room.scenario)
    if any(product not in card.products for product in message.off):
        raise Refused("table/no_such_product")
    if card.product in message.off:
        raise Refused("table/product_needed")
    # In the order of the scenario, so that the log does not depend on the client.
    off = tuple(product for product in card.products if product in message.off)
    await holder.submit(events.ProductsSwitched(off))


@handles(messages.FixSetup, needs=Needs.SEAT, cost=Cost.STORED)
async def fix_setup(holder: SeatHolder, message: messages.FixSetup, setups: Setups) -> None:
    holder.must_be_host()
    fixed = setups.find(message.code) if message.code else None
    await holder.submit(events.SetupFixed(fixed))


@handles(messages.AcceptSetup, needs=Needs.SEAT, cost=Cost.STORED)
async def accept_setup(holder: SeatHolder, _: messages.AcceptSetup, setups: Setups) -> None:
    """Record that somebody knows the setup and wants to play it; nothing if they do not know it."""
    if holder.room.fixed_setup is None:
        raise Refused("setup/none")
    if holder.seat in setups.known.unwilling(holder.room):
        await holder.submit(events.SetupAccepted(holder.seat))


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
    if message.is_ready:
        setups.known.refuse_known(holder.room, holder.seat)
    await holder.submit(events.ReadySet(holder.seat, message.is_ready))


@handles(messages.StartGame, needs=Needs.SEAT, cost=Cost.STORED)
async def start_game(holder: SeatHolder, _: messages.StartGame, setups: Setups) -> None:
    setups.refuse_closed(holder.room.fixed_setup)
    # Seats that saw the setup since they got ready are unready again; they alone are told why.
    for seat in setups.known.unwilling(holder.room):
        if not holder.room.seats[seat].is_ready:
            continue
        await holder.host.submit(events.ReadySet(seat, is_ready=False), seat)
        for follower in tuple(holder.host.followers.by_session.values()):
            if follower.seat == seat:
                holder.host.followers.tell(follower, "setup/known")
    await holder.submit(events.StartRequested(holder.seat))
