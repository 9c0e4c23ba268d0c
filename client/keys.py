"""
Keys: the one table from which bindings, hints and help are made.

A binding says which action a key means in which contexts. A context is the answer to a question
about the state ("is somebody typing?", "is a box open?"), and exactly one holds at any time.
Every action has its words in the catalogs: `key.<action>` for help, `hint.<action>` where short.
"""

import enum
from collections.abc import Iterator, Mapping

import attrs

from client.locale import Locale


class Context(enum.Enum):
    """Where keys go."""

    TABLES = "tables"
    """The list of tables."""
    OPENING = "opening"
    """Choosing what to open a table for."""
    WAITING = "waiting"
    """Around a table before the game."""
    ROOM = "room"
    """In a game."""
    REPLAY = "replay"
    """Stepping through a game that was."""
    BOX = "box"
    """Reading a box that covers the screen."""
    MENU = "menu"
    """Choosing in a box."""
    CONFIRM = "confirm"
    """Saying yes or no."""
    ENTRY = "entry"
    """Typing a line of text."""


class Action(enum.Enum):
    """What a key means."""

    UP = "up"
    DOWN = "down"
    PAGE_UP = "page_up"
    PAGE_DOWN = "page_down"
    FIRST = "first"
    LAST = "last"
    CHOOSE = "choose"
    MARK = "mark"
    CLAIM = "claim"
    SEND = "send"
    UNDO = "undo"
    DIGIT = "digit"
    LOT = "lot"
    CHAT = "chat"
    HELP = "help"
    CARDS = "cards"
    OBJECTIVE = "objective"
    JOURNAL = "journal"
    MONSTERS = "monsters"
    SETTINGS = "settings"
    PROPOSALS = "proposals"
    CONSENT = "consent"
    RESUME = "resume"
    EARLIER = "earlier"
    LATER = "later"
    LEFT = "left"
    RIGHT = "right"
    ROUND_BACK = "round_back"
    ROUND_ON = "round_on"
    MAP_UP = "map_up"
    MAP_DOWN = "map_down"
    MAP_LEFT = "map_left"
    MAP_RIGHT = "map_right"
    NEW = "new"
    JOIN = "join"
    REFRESH = "refresh"
    READY = "ready"
    START = "start"
    BOT = "bot"
    SCENARIO = "scenario"
    PRODUCTS = "products"
    CAMPAIGN = "campaign"
    INVITATION = "invitation"
    STAND_UP = "stand_up"
    YES = "yes"
    NO = "no"
    BACK = "back"
    LEAVE = "leave"
    QUIT = "quit"


@attrs.frozen
class Binding:
    """One action's keys in some contexts."""

    action: Action
    keys: tuple[str, ...]
    """As prompt_toolkit names them."""
    contexts: frozenset[Context]


_C = Context
_LISTS = (_C.TABLES, _C.OPENING, _C.WAITING, _C.ROOM, _C.MENU, _C.BOX)
_SCREENS = (_C.TABLES, _C.OPENING, _C.WAITING, _C.ROOM, _C.REPLAY)
_TABLE = (_C.ROOM, _C.REPLAY)
_TALK = (_C.WAITING, _C.ROOM)


def _bind(action: Action, *keys: str, within: tuple[Context, ...]) -> Binding:
    return Binding(action, keys, frozenset(within))


BINDINGS = (
    _bind(Action.UP, "up", within=_LISTS),
    _bind(Action.DOWN, "down", within=_LISTS),
    _bind(
        Action.CHOOSE,
        "enter",
        within=(_C.TABLES, _C.OPENING, _C.ROOM, _C.MENU),
    ),
    _bind(Action.MARK, " ", within=(_C.OPENING, _C.ROOM)),
    _bind(Action.CLAIM, " ", "enter", within=(_C.WAITING,)),
    _bind(Action.UNDO, "backspace", within=(_C.ROOM,)),
    _bind(Action.DIGIT, *"0123456789", within=(_C.ROOM,)),
    _bind(Action.LOT, "l", within=(_C.ROOM,)),
    _bind(Action.LEFT, "left", within=(_C.REPLAY,)),
    _bind(Action.EARLIER, "left", within=(_C.BOX,)),
    _bind(Action.RIGHT, "right", " ", within=(_C.REPLAY,)),
    _bind(Action.ROUND_BACK, "pageup", within=(_C.REPLAY,)),
    _bind(Action.ROUND_ON, "pagedown", within=(_C.REPLAY,)),
    _bind(Action.PAGE_UP, "pageup", within=(_C.ROOM, _C.BOX)),
    _bind(Action.LATER, "right", within=(_C.BOX,)),
    _bind(Action.PAGE_DOWN, "pagedown", " ", within=(_C.BOX,)),
    _bind(Action.PAGE_DOWN, "pagedown", within=(_C.ROOM,)),
    _bind(Action.FIRST, "home", within=(_C.REPLAY, _C.BOX)),
    _bind(Action.LAST, "end", within=(_C.ROOM, _C.REPLAY, _C.BOX)),
    _bind(Action.NEW, "n", within=(_C.TABLES,)),
    _bind(Action.JOIN, "i", within=(_C.TABLES,)),
    _bind(Action.REFRESH, "r", within=(_C.TABLES,)),
    _bind(Action.READY, "r", within=(_C.WAITING,)),
    _bind(Action.START, "s", within=(_C.WAITING,)),
    _bind(Action.BOT, "b", within=(_C.WAITING,)),
    _bind(Action.SCENARIO, "n", within=(_C.WAITING,)),
    _bind(Action.PRODUCTS, "p", within=(_C.WAITING,)),
    _bind(Action.CAMPAIGN, "g", within=(_C.WAITING,)),
    _bind(Action.INVITATION, "v", within=(_C.WAITING,)),
    _bind(Action.STAND_UP, "x", within=(_C.WAITING,)),
    _bind(Action.CHAT, "c", "tab", within=_TALK),
    _bind(Action.CARDS, "i", within=(_C.WAITING, *_TABLE)),
    _bind(Action.OBJECTIVE, "o", within=_TABLE),
    _bind(Action.JOURNAL, "j", within=_TABLE),
    _bind(Action.MONSTERS, "m", within=_TABLE),
    _bind(Action.PROPOSALS, "p", within=(_C.ROOM,)),
    _bind(Action.CONSENT, "y", within=(_C.ROOM,)),
    _bind(Action.RESUME, "u", within=(_C.ROOM,)),
    _bind(Action.MAP_UP, "s-up", "K", within=_TABLE),
    _bind(Action.MAP_DOWN, "s-down", "J", within=_TABLE),
    _bind(Action.MAP_LEFT, "s-left", "H", within=_TABLE),
    _bind(Action.MAP_RIGHT, "s-right", "L", within=_TABLE),
    _bind(Action.YES, "y", "Y", within=(_C.CONFIRM,)),
    _bind(Action.NO, "n", "N", within=(_C.CONFIRM,)),
    _bind(Action.SEND, "enter", within=(_C.ENTRY,)),
    _bind(
        Action.BACK,
        "escape",
        within=(_C.OPENING, _C.MENU, _C.CONFIRM, _C.ENTRY),
    ),
    _bind(Action.BACK, "escape", "enter", "q", within=(_C.BOX,)),
    _bind(Action.BACK, "tab", within=(_C.ENTRY,)),
    _bind(Action.SETTINGS, "e", within=_SCREENS),
    _bind(Action.HELP, "?", "f1", within=_SCREENS),
    _bind(Action.LEAVE, "q", within=_SCREENS),
    _bind(Action.QUIT, "c-c", within=tuple(Context)),
)
"""Every key that does something."""

SHOWN: Mapping[str, str] = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "enter": "enter",
    " ": "space",
    "backspace": "backspace",
    "pageup": "page_up",
    "pagedown": "page_down",
    "home": "home",
    "end": "end",
    "escape": "escape",
    "tab": "tab",
}
"""Under which words keys that have no sign of their own are named to people."""

ALL_KEYS = tuple(dict.fromkeys(key for binding in BINDINGS for key in binding.keys))


def action_for(context: Context, key: str) -> Action | None:
    """Return what a key means in a context; None for nothing."""
    for binding in BINDINGS:
        if context in binding.contexts and key in binding.keys:
            return binding.action
    return None


def bindings_in(context: Context) -> Iterator[Binding]:
    """Yield the bindings of a context in the order of the table."""
    return (binding for binding in BINDINGS if context in binding.contexts)


def name_of(key: str, locale: Locale) -> str:
    """Return how a key is named to people."""
    if key in SHOWN:
        return locale.say(f"keyname.{SHOWN[key]}")
    if key.startswith("s-"):
        return locale.say("keyname.shift", name_of(key.removeprefix("s-"), locale))
    if key.startswith("c-"):
        return f"Ctrl-{key.removeprefix('c-').upper()}"
    is_function_key = key[:1] == "f" and key[1:].isdecimal()
    return key.upper() if is_function_key else key


def keys_of(binding: Binding, locale: Locale) -> str:
    """Return a binding's keys as people read them."""
    if binding.action is Action.DIGIT:
        return "0-9"
    return " ".join(name_of(key, locale) for key in binding.keys)
