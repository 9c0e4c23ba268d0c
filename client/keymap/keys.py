"""
Keys: the one table from which bindings, hints and help are made.

A binding says which action a key means in which contexts. A context is the answer to a question
about the state ("is somebody typing?", "is a box open?"), and exactly one holds at any time.
Every action has its words in the catalogs: `key.<action>` for help, `hint.<action>` where short.

`BINDINGS` are the usual keys. A `KeyMap` is what holds for one player, who may have given other
keys to some actions; whatever asks what a key means, or names a key to people, asks a key map.
"""

import enum
import functools
from collections.abc import Iterator, Mapping, Sequence

import attrs

from client.keymap.key_names import UnknownKey, nearest, read_key, written
from commands.speaking import Says


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
    STORY = "story"
    """Reading story text, a page at a time."""
    SHELF = "shelf"
    """Looking through a list of things, each with its text."""
    JOURNAL = "journal"
    """Reading the journal, and searching it."""
    MAP = "map"
    """Looking at the map on the whole screen."""
    MENU = "menu"
    """Choosing in a box."""
    SETTINGS = "settings"
    """Choosing among settings, and values of each."""
    GAMES = "games"
    """Choosing among finished games."""
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
    TIEBREAK = "lot"
    CHAT = "chat"
    HELP = "help"
    CARDS = "cards"
    OBJECTIVE = "objective"
    JOURNAL = "journal"
    MONSTERS = "monsters"
    STORY = "story"
    GO_ON = "go_on"
    DIE_BACK = "die_back"
    DIE_ON = "die_on"
    OPEN = "open"
    TURN = "turn"
    SEARCH = "search"
    NEXT_HIT = "next_hit"
    LAST_HIT = "last_hit"
    SAVE = "save"
    SETTINGS = "settings"
    PROPOSALS = "proposals"
    CONSENT = "consent"
    RESUME = "resume"
    RETRY = "retry"
    PASSES = "passes"
    EARLIER = "earlier"
    LATER = "later"
    LEFT = "left"
    RIGHT = "right"
    LESS = "less"
    MORE = "more"
    ROUND_BACK = "round_back"
    ROUND_ON = "round_on"
    EVENT_BACK = "event_back"
    EVENT_ON = "event_on"
    CHOICE_BACK = "choice_back"
    CHOICE_ON = "choice_on"
    TURN_BACK = "turn_back"
    TURN_ON = "turn_on"
    REVIEW = "review"
    GAMES = "games"
    FILTER = "filter"
    TOGETHER = "together"
    FOLLOW = "follow"
    POINT = "point"
    PRACTISE = "practise"
    SPEAK = "speak"
    NOTES = "notes"
    VIEWPOINT = "viewpoint"
    MOMENTS = "moments"
    OFFERED = "offered"
    GO_TO = "go_to"
    PLAY = "play"
    MAP_UP = "map_up"
    MAP_DOWN = "map_down"
    MAP_LEFT = "map_left"
    MAP_RIGHT = "map_right"
    MAP_SIZE = "map_size"
    WHOLE_MAP = "whole_map"
    NEW = "new"
    JOIN = "join"
    REJOIN = "rejoin"
    REFRESH = "refresh"
    READY = "ready"
    START = "start"
    BOT = "bot"
    SCENARIO = "scenario"
    PRODUCTS = "products"
    CAMPAIGN = "campaign"
    SETUP = "setup"
    PREPARE = "prepare"
    EMPTY_SEAT = "empty_seat"
    INVITATION = "invitation"
    COPY = "copy"
    RENEW = "renew"
    STAND_UP = "stand_up"
    REMOVE = "remove"
    AGAIN = "again"
    YES = "yes"
    NO = "no"
    LESSON = "lesson"
    COACH = "coach"
    BACK = "back"
    LEAVE = "leave"
    SUSPEND = "suspend"
    QUIT = "quit"


OF_GAMES = frozenset(
    {
        *(Action.OBJECTIVE, Action.MONSTERS, Action.DIE_BACK, Action.DIE_ON),
        *(Action.MAP_UP, Action.MAP_DOWN, Action.MAP_LEFT, Action.MAP_RIGHT),
        *(Action.MAP_SIZE, Action.WHOLE_MAP, Action.PASSES),
    }
)
"""
What means something only in some games: by their layout, by what they have to be read, or by what
they ask.
"""


@attrs.frozen
class Binding:
    """One action's keys in some contexts."""

    action: Action
    keys: tuple[str, ...]
    """As prompt_toolkit names them."""
    contexts: frozenset[Context]
    is_fixed: bool = False
    """Whether nobody can take these keys away from it; without one, no screen could be left."""


_C = Context
_PARTED = (_C.STORY, _C.JOURNAL)
_PAGED = (_C.BOX, *_PARTED, _C.SHELF)
_MENUS = (_C.MENU, _C.GAMES, _C.SETTINGS)
_LISTS = (_C.TABLES, _C.OPENING, _C.WAITING, _C.ROOM, *_MENUS, *_PAGED)
_SCREENS = (_C.TABLES, _C.OPENING, _C.WAITING, _C.ROOM, _C.REPLAY)
_TABLE = (_C.ROOM, _C.REPLAY)
_BOARD = (*_TABLE, _C.MAP)
_TALK = (_C.WAITING, _C.ROOM, _C.REPLAY, _C.MAP, *_PAGED)
"""The contexts in which one can talk to the others."""
_ALL_BUT_ENTRY = tuple(context for context in Context if context is not _C.ENTRY)


def _bind(action: Action, *keys: str, within: tuple[Context, ...]) -> Binding:
    return Binding(action, keys, frozenset(within))


def _fix(action: Action, *keys: str, within: tuple[Context, ...]) -> Binding:
    return Binding(action, keys, frozenset(within), is_fixed=True)


BINDINGS = (
    _bind(Action.UP, "up", within=_LISTS),
    _bind(Action.DOWN, "down", within=_LISTS),
    _bind(
        Action.CHOOSE,
        "enter",
        within=(_C.TABLES, _C.OPENING, _C.ROOM, *_MENUS),
    ),
    _bind(Action.OPEN, "enter", within=(_C.SHELF,)),
    _bind(Action.GO_ON, "enter", " ", within=(_C.STORY,)),
    _bind(Action.MARK, " ", within=(_C.OPENING, _C.ROOM)),
    _bind(Action.CLAIM, " ", "enter", within=(_C.WAITING,)),
    _bind(Action.UNDO, "backspace", within=(_C.ROOM,)),
    _fix(Action.DIGIT, *"0123456789", within=(_C.ROOM,)),
    _bind(Action.TIEBREAK, "l", within=(_C.ROOM,)),
    _bind(Action.LEFT, "left", within=(_C.REPLAY,)),
    _bind(Action.EARLIER, "left", within=_PARTED),
    _bind(Action.RIGHT, "right", " ", within=(_C.REPLAY,)),
    _bind(Action.VIEWPOINT, "v", within=(_C.REPLAY,)),
    _bind(Action.MOMENTS, "a", within=(_C.REPLAY,)),
    _bind(Action.ROUND_BACK, "pageup", within=(_C.REPLAY,)),
    _bind(Action.ROUND_ON, "pagedown", within=(_C.REPLAY,)),
    _bind(Action.EVENT_BACK, ",", within=(_C.REPLAY,)),
    _bind(Action.EVENT_ON, ".", within=(_C.REPLAY,)),
    _bind(Action.CHOICE_BACK, "[", within=(_C.REPLAY,)),
    _bind(Action.CHOICE_ON, "]", within=(_C.REPLAY,)),
    _bind(Action.TURN_BACK, "(", within=(_C.REPLAY,)),
    _bind(Action.TURN_ON, ")", within=(_C.REPLAY,)),
    _bind(Action.OFFERED, "u", within=(_C.REPLAY,)),
    _bind(Action.GO_TO, "g", within=(_C.REPLAY,)),
    _bind(Action.PLAY, "p", within=(_C.REPLAY,)),
    _bind(Action.PAGE_UP, "pageup", within=(_C.ROOM, *_PAGED)),
    _bind(Action.LATER, "right", within=_PARTED),
    _bind(Action.PAGE_DOWN, "pagedown", within=(_C.ROOM, *_PAGED)),
    _fix(Action.PAGE_DOWN, " ", within=(_C.BOX, _C.SHELF, _C.JOURNAL)),
    _bind(Action.FIRST, "home", within=(_C.REPLAY, *_PAGED)),
    _bind(Action.LAST, "end", within=(_C.ROOM, _C.REPLAY, *_PAGED)),
    _bind(Action.LESS, "left", within=(_C.OPENING, _C.SETTINGS)),
    _bind(Action.MORE, "right", within=(_C.OPENING, _C.SETTINGS)),
    _bind(Action.REJOIN, "l", within=(_C.TABLES,)),
    _bind(Action.DIE_BACK, "left", within=(_C.ROOM,)),
    _bind(Action.DIE_ON, "right", within=(_C.ROOM,)),
    _bind(Action.TURN, "left", "right", within=(_C.SHELF,)),
    _bind(Action.SEARCH, "/", within=(_C.REPLAY, _C.JOURNAL)),
    _bind(Action.NEXT_HIT, "n", within=(_C.REPLAY, _C.JOURNAL)),
    _bind(Action.LAST_HIT, "N", within=(_C.REPLAY, _C.JOURNAL)),
    _bind(Action.SAVE, "s", within=(_C.JOURNAL,)),
    _bind(Action.NEW, "n", within=(_C.TABLES,)),
    _bind(Action.JOIN, "i", within=(_C.TABLES,)),
    _bind(Action.REFRESH, "r", within=(_C.TABLES,)),
    _bind(Action.REVIEW, "v", within=(_C.TABLES, _C.ROOM)),
    _bind(Action.GAMES, "f", within=(_C.TABLES,)),
    _bind(Action.FILTER, "f", within=(_C.GAMES,)),
    _bind(Action.TOGETHER, "R", within=(_C.TABLES, _C.ROOM, _C.REPLAY)),
    _bind(Action.FOLLOW, "b", within=(_C.REPLAY,)),
    _bind(Action.POINT, "x", within=(_C.REPLAY,)),
    _bind(Action.PRACTISE, "h", within=(_C.REPLAY,)),
    _bind(Action.SPEAK, "s", within=(_C.ROOM,)),
    _bind(Action.NOTES, "d", within=(*_TABLE, _C.SHELF)),
    _bind(Action.READY, "r", within=(_C.WAITING,)),
    _bind(Action.START, "s", within=(_C.WAITING,)),
    _bind(Action.BOT, "b", within=(_C.WAITING,)),
    _bind(Action.SCENARIO, "n", within=(_C.WAITING,)),
    _bind(Action.PRODUCTS, "p", within=(_C.WAITING,)),
    _bind(Action.CAMPAIGN, "g", within=(_C.WAITING,)),
    _bind(Action.SETUP, "f", within=(_C.WAITING,)),
    _bind(Action.PREPARE, "w", within=(_C.WAITING,)),
    _bind(Action.EMPTY_SEAT, "X", within=(_C.WAITING,)),
    _bind(Action.INVITATION, "v", within=(_C.WAITING,)),
    _bind(Action.COPY, "y", within=(_C.WAITING,)),
    _bind(Action.RENEW, "V", within=(_C.WAITING,)),
    _bind(Action.STAND_UP, "x", within=(_C.WAITING,)),
    _bind(Action.REMOVE, "D", within=(_C.WAITING, _C.ROOM)),
    _bind(Action.AGAIN, "n", within=(_C.ROOM,)),
    _bind(Action.CHAT, "c", "tab", within=_TALK),
    _bind(Action.CARDS, "i", within=(_C.WAITING, *_TABLE)),
    _bind(Action.OBJECTIVE, "o", within=_TABLE),
    _bind(Action.JOURNAL, "j", within=_TABLE),
    _bind(Action.MONSTERS, "m", within=_TABLE),
    _bind(Action.STORY, "t", within=_TABLE),
    _bind(Action.PROPOSALS, "p", within=(_C.ROOM,)),
    _bind(Action.CONSENT, "y", within=(_C.ROOM,)),
    _bind(Action.RESUME, "u", within=(_C.ROOM,)),
    _bind(Action.RETRY, "r", within=(_C.ROOM,)),
    _bind(Action.PASSES, "a", within=(_C.ROOM,)),
    _fix(Action.MAP_UP, "up", within=(_C.MAP,)),
    _bind(Action.MAP_UP, "s-up", "K", within=_BOARD),
    _fix(Action.MAP_DOWN, "down", within=(_C.MAP,)),
    _bind(Action.MAP_DOWN, "s-down", "J", within=_BOARD),
    _fix(Action.MAP_LEFT, "left", within=(_C.MAP,)),
    _bind(Action.MAP_LEFT, "s-left", "H", within=_BOARD),
    _fix(Action.MAP_RIGHT, "right", within=(_C.MAP,)),
    _bind(Action.MAP_RIGHT, "s-right", "L", within=_BOARD),
    _bind(Action.MAP_SIZE, "z", within=_BOARD),
    _bind(Action.WHOLE_MAP, "w", within=_BOARD),
    _bind(Action.YES, "y", "Y", within=(_C.CONFIRM,)),
    _bind(Action.NO, "n", "N", within=(_C.CONFIRM,)),
    _fix(Action.SEND, "enter", within=(_C.ENTRY,)),
    _bind(
        Action.BACK,
        "escape",
        within=(_C.OPENING, *_MENUS, _C.CONFIRM, _C.MAP, *_PAGED),
    ),
    _fix(Action.BACK, "enter", "q", within=(_C.BOX, _C.JOURNAL, _C.MAP)),
    _fix(Action.BACK, "q", within=(_C.STORY, _C.SHELF)),
    _fix(Action.BACK, "escape", "tab", within=(_C.ENTRY,)),
    _bind(Action.LESSON, "f3", within=_ALL_BUT_ENTRY),
    _bind(Action.COACH, "f4", within=_ALL_BUT_ENTRY),
    _bind(Action.SETTINGS, "e", within=_SCREENS),
    _bind(Action.HELP, "?", "f1", within=_SCREENS),
    _bind(Action.LEAVE, "q", within=_SCREENS),
    _bind(Action.SUSPEND, "c-z", within=_ALL_BUT_ENTRY),
    _fix(Action.SUSPEND, "c-z", within=(_C.ENTRY,)),
    _fix(Action.QUIT, "c-c", within=tuple(Context)),
)
"""
The usual keys. All bindings of one action that are not fixed have the same keys, so that giving it
others is one line for a player to write.
"""


class BadKeys(Exception):
    """Keys that cannot be given so."""

    def __init__(self, action: str, key: str, *params: str | Context) -> None:
        """
        Say what is wrong.

        Args:
            action: whose keys.
            key: of the catalog's words.
            params: of these words; a context stands for its own.
        """
        super().__init__(action, key, *params)
        self.action = action
        self.key = key
        self.params = params

    def said(self, words: Says) -> str:
        """Return it in words."""
        params = (
            words.say(f"context.{one.value}") if isinstance(one, Context) else one
            for one in self.params
        )
        return words.say(self.key, *params)


@attrs.frozen
class KeyMap:
    """What the keys mean to one player."""

    bindings: tuple[Binding, ...] = BINDINGS

    @classmethod
    def of(cls, wishes: Mapping[str, Sequence[str]]) -> "KeyMap":
        """
        Return the usual keys with some actions given others.

        Args:
            wishes: by action, its keys as `client.keymap.key_names.read_key` reads them.

        Raises:
            BadKeys: an action that there is not or whose keys are fixed, a key that there is not,
                no key at all, or one key that would mean two things in one place.
        """
        keys = {action: _keys_of(action, wanted) for action, wanted in wishes.items()}
        keymap = cls(
            tuple(
                binding
                if binding.is_fixed or binding.action.value not in keys
                else attrs.evolve(binding, keys=keys[binding.action.value])
                for binding in BINDINGS
            )
        )
        keymap.check(tuple(wishes))
        return keymap

    def check(self, suspects: Sequence[str] = ()) -> None:
        """Raise BadKeys where a key means two things in one place, of the latest suspect in it."""
        for context in Context:
            taken: dict[str, Action] = {}
            for binding in self.bindings_in(context):
                for key in binding.keys:
                    other = taken.setdefault(key, binding.action)
                    if other is not binding.action:
                        pair = {binding.action.value, other.value}
                        accused = (name for name in reversed(suspects) if name in pair)
                        blamed = next(accused, binding.action.value)
                        (rest,) = pair - {blamed}
                        raise BadKeys(blamed, "keys.clash", written(key), rest, context)

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key that means something somewhere, as prompt_toolkit names it."""
        return tuple(dict.fromkeys(key for binding in self.bindings for key in binding.keys))

    def action_for(self, context: Context, key: str) -> Action | None:
        """Return what a key means in a context; None for nothing."""
        return self._meanings.get((context, key))

    @functools.cached_property
    def _meanings(self) -> Mapping[tuple[Context, str], Action]:
        """What each key means in each context; where two bindings have it, the first."""
        meanings: dict[tuple[Context, str], Action] = {}
        for binding in self.bindings:
            for context in binding.contexts:
                for key in binding.keys:
                    meanings.setdefault((context, key), binding.action)
        return meanings

    def bindings_in(self, context: Context) -> Iterator[Binding]:
        """Yield the bindings of a context in the order of the table."""
        return (binding for binding in self.bindings if context in binding.contexts)

    def keys_for(self, action: Action) -> tuple[str, ...]:
        """Return the keys that an action can be given by its player; the fixed ones if only so."""
        own = [binding for binding in self.bindings if binding.action is action]
        return next((one.keys for one in own if not one.is_fixed), own[0].keys)


USUAL = KeyMap()
"""What holds where nobody wishes otherwise."""

REBINDABLE = tuple(
    action
    for action in Action
    if any(one.action is action and not one.is_fixed for one in BINDINGS)
)
"""The actions that can be given other keys."""


def _keys_of(action: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """Read the keys wished for an action."""
    if action not in {known.value for known in Action}:
        likely = nearest(action, tuple(known.value for known in REBINDABLE))
        if likely is not None:
            raise BadKeys(action, "keys.meant_action", action, likely)
        raise BadKeys(action, "keys.no_action", action)
    if Action(action) not in REBINDABLE:
        raise BadKeys(action, "keys.fixed")
    if not wanted:
        raise BadKeys(action, "keys.none")
    try:
        keys = tuple(read_key(name) for name in wanted)
    except UnknownKey as unknown:
        raise BadKeys(action, unknown.key, *unknown.params) from unknown
    if len(set(keys)) < len(keys):
        raise BadKeys(action, "keys.twice")
    return keys
