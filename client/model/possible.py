"""Actions that have no effect at a table; help and hints leave them out."""

from client.keymap.keys import Action
from client.model.model import ANY_SEAT, WATCH, ClientModel
from client.model.roles import missing_roles
from client.model.setups import withholding
from protocol.common.hosts import is_host_away
from protocol.common.table import RoomTable, Stage

OF_COMPANY = frozenset({Action.CHAT, Action.TIEBREAK, Action.CONSENT})
"""Actions without a meaning for a player who is alone."""
OF_PLAY = frozenset(
    {Action.PROPOSALS, Action.CONSENT, Action.RESUME, Action.TIEBREAK, Action.PASSES}
)
"""Actions without a meaning after the game."""
OF_HOSTS = frozenset(
    {
        *(Action.START, Action.BOT, Action.SCENARIO, Action.CAMPAIGN, Action.SETUP),
        *(Action.EMPTY_SEAT, Action.REMOVE),
    }
)
"""Actions that only a host has, before the game."""


def begins_alone(model: ClientModel, room: RoomTable) -> bool:
    """Return whether a solo game begins once the player is ready: all others are ready bots."""
    mine = None if model.view is None else model.view.seat
    others = (seat for seat in room.seats.values() if seat.seat != mine)
    has_company = all(seat.is_bot and seat.is_ready for seat in others)
    return model.is_solo and has_company and not missing_roles(model, room)


def impossible(model: ClientModel) -> frozenset[Action]:
    """Return the actions that currently have no effect at the followed table."""
    view = model.view
    if view is None:
        return frozenset()
    room = view.table.room
    is_alone = model.is_solo and len(room.seats) == 1
    alone = OF_COMPANY if is_alone else frozenset[Action]()
    if room.stage is Stage.LOBBY:
        line = model.scenario(room.scenario)
        has_codes = any(model.invitation(seat) for seat in (ANY_SEAT, WATCH))
        possible = {
            Action.INVITATION: (has_codes or model.is_host) and not model.is_solo,
            Action.COPY: has_codes and not model.is_solo,
            Action.PRODUCTS: line is not None and bool(line.products),
            Action.BOT: line is None or len(room.seats) < line.roster.most,
            Action.SCENARIO: len(model.lobby.scenarios_of(room.ruleset)) != 1,
            # The tutorial is a single game with a fixed map.
            Action.CAMPAIGN: not model.is_tutorial,
            Action.SETUP: not model.is_tutorial,
            Action.EMPTY_SEAT: bool(withholding(room)),
            Action.HOST: is_host_away(room),
        }
        never = frozenset(action for action, can_be in possible.items() if not can_be)
        return alone | never | (frozenset() if model.is_host else OF_HOSTS)
    kinds = frozenset() if room.kinds else frozenset({Action.PASSES})
    return alone | kinds | (OF_PLAY if room.stage is Stage.OVER else frozenset({Action.AGAIN}))
