"""Keys of a waiting room that only its host may use, and the menu of products."""

from collections.abc import Callable
from functools import partial

from client.keymap.keys import Action
from client.model import setups
from client.screens.base.boxes import Confirm, Item, Menu
from client.screens.base.screen import CannotDo, Desk, TextEntry
from client.screens.lobby.opening import OpeningScreen
from client.screens.table.claiming import missing_step
from client.screens.table.inviting import needed_invitations, renewing_box
from protocol.common.templates import Nickname
from protocol.invitation import UnreadableInvitation, parse_code


def act_as_host(desk: Desk, action: Action, key: str) -> None:
    """Carry out a host's action. Raise CannotDo for other players, and for any other action."""
    port = desk.port
    actions: dict[Action, Callable[[], None]] = {
        Action.START: partial(_start, desk),
        Action.BOT: partial(_add_bot, desk),
        Action.CAMPAIGN: port.continue_campaign,
        Action.SCENARIO: lambda: desk.open(OpeningScreen(desk, is_changing=True)),
        Action.SETUP: partial(_fix_setup, desk),
        Action.EMPTY_SEAT: partial(_empty_seat, desk),
        Action.RENEW: partial(_renew_invitations, desk),
        Action.REMOVE: lambda: desk.open(
            Confirm(desk, "box.remove", desk.say("remove.ask"), port.remove_table)
        ),
    }
    if action not in actions:
        raise CannotDo("wrong.key", key)
    if not desk.model.is_host:
        raise CannotDo("wrong.not_host")
    actions[action]()


def _start(desk: Desk) -> None:
    if missing := missing_step(desk):
        raise CannotDo(*missing)
    desk.port.start()


def _add_bot(desk: Desk) -> None:
    """Seat a bot. If the game has several roles, the host chooses that of the bot."""
    roles = desk.model.open_roles(desk.view.table.room)
    if not roles:
        desk.port.add_bot()
        return
    named = ((desk.speaker.name("role", role), role) for role in roles)
    items = [Item(name, partial(desk.port.add_bot, role)) for name, role in named]
    desk.open(Menu(desk, "box.bot", items))


def _fix_setup(desk: Desk) -> None:
    """Ask for the code of a fixed setup, or whether to give up the current fixed setup."""
    if desk.view.table.room.fixed_setup is not None:
        text = desk.say("setup.free")
        desk.open(Confirm(desk, "box.setup", text, lambda: desk.port.fix_setup("")))
        return

    def fix(typed: str) -> None:
        try:
            code = parse_code(typed)
        except UnreadableInvitation as error:
            raise CannotDo("wrong.invitation", desk.model.locale.unreadable(error)) from error
        desk.port.fix_setup(code)

    desk.entry = TextEntry("entry.setup", fix, "hint.fix_setup")


def _empty_seat(desk: Desk) -> None:
    """Empty the seat that withheld its share of chance. If there are several, the host chooses."""
    seats = setups.withholding(desk.view.table.room)
    if not seats:
        raise CannotDo("wrong.none_withheld")
    if len(seats) == 1:
        text = desk.say("empty_seat.ask", Nickname(seats[0].name))
        empty = partial(desk.port.empty_seat, seats[0].seat)
        desk.open(Confirm(desk, "box.empty_seat", text, empty))
        return
    items = [Item(seat.name, partial(desk.port.empty_seat, seat.seat)) for seat in seats]
    desk.open(Menu(desk, "box.empty_seat", items))


def _renew_invitations(desk: Desk) -> None:
    # Where there are none, the host is told so instead of asked.
    needed_invitations(desk)
    desk.open(renewing_box(desk))


def products_menu(desk: Desk) -> Menu:
    """Return the menu of products. Every player may read the menu; the host may switch products."""
    room, model = desk.view.table.room, desk.model
    line = model.scenario(room.scenario)

    def switch(product: str) -> None:
        if not model.is_host:
            raise CannotDo("wrong.not_host")
        off = room.products_off
        others = tuple(one for one in off if one != product)
        desk.port.switch_products(others if product in off else (*off, product))

    items = []
    for one in line.products if line is not None else ():
        mark = " " if one.product in room.products_off else "x"
        text = f"[{mark}] {desk.speaker.name('product', one.product)}"
        items.append(Item(text, partial(switch, one.product)))
    return Menu(desk, "box.products", items)
