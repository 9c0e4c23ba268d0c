"""
Keys: the table from which all bindings, hints and help are made.

A binding gives an action some keys in some contexts. A context is a situation of the screen, such
as typing a line or reading a box; exactly one context is active at any time. Every action has words
in the catalogs: `key.<action>` for help, and `hint.<action>` if a hint needs shorter words.

`BINDINGS` has the default keys of the shared actions. A game adds its own bindings in the module
`keys` of its folder. This module must not import drawing code, because settings are read before any
game is loaded. A `KeyMap` has the keys of one player, with the player's changes. All code that
looks up or names a key uses a key map.
"""

import enum
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar

import attrs

from client.keymap.key_names import UnknownKey, nearest, read_key, written
from commands.speaking import Says
from protocol.plugs import games, part_of


class Context(enum.Enum):
    """The part of the screen that receives keys."""

    TABLES = "tables"
    OPENING = "opening"
    """Selecting a game and a scenario for a new table."""
    WAITING = "waiting"
    ROOM = "room"
    REPLAY = "replay"
    BOX = "box"
    STORY = "story"
    """Reading story text, page by page."""
    SHELF = "shelf"
    """Browsing a list of things, each with its text."""
    JOURNAL = "journal"
    """Reading or searching the journal."""
    MAP = "map"
    """Viewing the map on the whole screen."""
    MENU = "menu"
    """Choosing in a box."""
    SETTINGS = "settings"
    """Choosing a setting, or a value for a setting."""
    GAMES = "games"
    """Choosing among finished games."""
    CONFIRM = "confirm"
    """Saying yes or no."""
    ENTRY = "entry"
    """Typing a line of text."""


@attrs.frozen(eq=False)
class Action:
    """
    The meaning of a key, either shared by all games or defined by a single game.

    A game's module `keys` creates each of its actions once. Actions are compared by identity, so
    that two games may both have an `objective`.
    """

    value: str
    """The action's name in settings files and in the catalogs."""
    after: "Action | None" = attrs.field(default=None, repr=False)
    """For an action of one game, the shared action that precedes it in lists; None for the end of
    the list."""

    UP: ClassVar["Action"]
    DOWN: ClassVar["Action"]
    PAGE_UP: ClassVar["Action"]
    PAGE_DOWN: ClassVar["Action"]
    FIRST: ClassVar["Action"]
    LAST: ClassVar["Action"]
    CHOOSE: ClassVar["Action"]
    MARK: ClassVar["Action"]
    CLAIM: ClassVar["Action"]
    SEND: ClassVar["Action"]
    UNDO: ClassVar["Action"]
    DIGIT: ClassVar["Action"]
    TIEBREAK: ClassVar["Action"]
    CHAT: ClassVar["Action"]
    HELP: ClassVar["Action"]
    CARDS: ClassVar["Action"]
    JOURNAL: ClassVar["Action"]
    STORY: ClassVar["Action"]
    GO_ON: ClassVar["Action"]
    DIE_BACK: ClassVar["Action"]
    DIE_ON: ClassVar["Action"]
    OPEN: ClassVar["Action"]
    TURN: ClassVar["Action"]
    SEARCH: ClassVar["Action"]
    NEXT_HIT: ClassVar["Action"]
    LAST_HIT: ClassVar["Action"]
    NARROW: ClassVar["Action"]
    SAVE: ClassVar["Action"]
    SETTINGS: ClassVar["Action"]
    PROPOSALS: ClassVar["Action"]
    CONSENT: ClassVar["Action"]
    RESUME: ClassVar["Action"]
    RETRY: ClassVar["Action"]
    PASSES: ClassVar["Action"]
    EARLIER: ClassVar["Action"]
    LATER: ClassVar["Action"]
    LEFT: ClassVar["Action"]
    RIGHT: ClassVar["Action"]
    LESS: ClassVar["Action"]
    MORE: ClassVar["Action"]
    PANE: ClassVar["Action"]
    ROUND_BACK: ClassVar["Action"]
    ROUND_ON: ClassVar["Action"]
    EVENT_BACK: ClassVar["Action"]
    EVENT_ON: ClassVar["Action"]
    CHOICE_BACK: ClassVar["Action"]
    CHOICE_ON: ClassVar["Action"]
    TURN_BACK: ClassVar["Action"]
    TURN_ON: ClassVar["Action"]
    REVIEW: ClassVar["Action"]
    GAMES: ClassVar["Action"]
    FILTER: ClassVar["Action"]
    TOGETHER: ClassVar["Action"]
    FOLLOW: ClassVar["Action"]
    POINT: ClassVar["Action"]
    PRACTISE: ClassVar["Action"]
    SPEAK: ClassVar["Action"]
    NOTES: ClassVar["Action"]
    VIEWPOINT: ClassVar["Action"]
    MOMENTS: ClassVar["Action"]
    TIMELINE: ClassVar["Action"]
    OFFERED: ClassVar["Action"]
    GO_TO: ClassVar["Action"]
    PLAY: ClassVar["Action"]
    MAP_UP: ClassVar["Action"]
    MAP_DOWN: ClassVar["Action"]
    MAP_LEFT: ClassVar["Action"]
    MAP_RIGHT: ClassVar["Action"]
    MAP_SIZE: ClassVar["Action"]
    WHOLE_MAP: ClassVar["Action"]
    NEW: ClassVar["Action"]
    JOIN: ClassVar["Action"]
    REJOIN: ClassVar["Action"]
    REFRESH: ClassVar["Action"]
    READY: ClassVar["Action"]
    START: ClassVar["Action"]
    BOT: ClassVar["Action"]
    SCENARIO: ClassVar["Action"]
    PRODUCTS: ClassVar["Action"]
    CAMPAIGN: ClassVar["Action"]
    SETUP: ClassVar["Action"]
    PREPARE: ClassVar["Action"]
    EMPTY_SEAT: ClassVar["Action"]
    HOST: ClassVar["Action"]
    INVITATION: ClassVar["Action"]
    COPY: ClassVar["Action"]
    RENEW: ClassVar["Action"]
    STAND_UP: ClassVar["Action"]
    REMOVE: ClassVar["Action"]
    AGAIN: ClassVar["Action"]
    YES: ClassVar["Action"]
    NO: ClassVar["Action"]
    LESSON: ClassVar["Action"]
    COACH: ClassVar["Action"]
    BACK: ClassVar["Action"]
    LEAVE: ClassVar["Action"]
    SUSPEND: ClassVar["Action"]
    QUIT: ClassVar["Action"]


def _share() -> Iterator[Action]:
    """Create the shared actions, named after their constants, except `TIEBREAK`, named `lot`."""
    for name in Action.__annotations__:
        if name.isupper():
            action = Action("lot" if name == "TIEBREAK" else name.lower())
            setattr(Action, name, action)
            yield action


SHARED = tuple(_share())
"""The actions that all games share, in the order of the settings screen."""

EVERY_GAME = frozenset(SHARED) - {
    *(Action.MAP_UP, Action.MAP_DOWN, Action.MAP_LEFT, Action.MAP_RIGHT),
    *(Action.MAP_SIZE, Action.WHOLE_MAP, Action.DIE_BACK, Action.DIE_ON, Action.PASSES),
}
"""The shared actions that every game has. Other shared actions depend on the game: layouts name the
actions of boards and dice, readings name the actions that open them, and games with timed windows
have passes."""


# All bindings are hashed whenever a key map is asked for them.
@attrs.frozen(cache_hash=True)
class Binding:
    """The keys of one action in some contexts."""

    action: Action
    keys: tuple[str, ...]
    """The prompt_toolkit names of the keys."""
    contexts: frozenset[Context]
    is_fixed: bool = False
    """True if a player cannot change these keys, for example those that leave a screen."""


_C = Context
_PARTED = (_C.STORY, _C.JOURNAL)
_PAGED = (_C.BOX, *_PARTED, _C.SHELF)
_MENUS = (_C.MENU, _C.GAMES, _C.SETTINGS)
_LISTS = (_C.TABLES, _C.OPENING, _C.WAITING, _C.ROOM, *_MENUS, *_PAGED)
_SCREENS = (_C.TABLES, _C.OPENING, _C.WAITING, _C.ROOM, _C.REPLAY)
AT_TABLE = (_C.ROOM, _C.REPLAY)
"""The contexts that show a game."""
_BOARD = (*AT_TABLE, _C.MAP)
_TALK = (_C.WAITING, _C.ROOM, _C.REPLAY, _C.MAP, *_PAGED)
"""The contexts in which a player can talk to the others."""
_ALL_BUT_ENTRY = tuple(context for context in Context if context is not _C.ENTRY)


def bind(action: Action, *keys: str, within: tuple[Context, ...]) -> Binding:
    """Return the binding of an action to keys in some contexts; a player can change the keys."""
    return Binding(action, keys, frozenset(within))


def _fix(action: Action, *keys: str, within: tuple[Context, ...]) -> Binding:
    return Binding(action, keys, frozenset(within), is_fixed=True)


BINDINGS = (
    bind(Action.UP, "up", within=_LISTS),
    bind(Action.DOWN, "down", within=_LISTS),
    bind(
        Action.CHOOSE,
        "enter",
        within=(_C.TABLES, _C.OPENING, _C.WAITING, _C.ROOM, *_MENUS),
    ),
    bind(Action.OPEN, "enter", within=(_C.SHELF,)),
    bind(Action.GO_ON, "enter", " ", within=(_C.STORY,)),
    bind(Action.MARK, " ", within=(_C.OPENING, _C.ROOM)),
    bind(Action.CLAIM, " ", within=(_C.WAITING,)),
    bind(Action.UNDO, "backspace", within=(_C.ROOM,)),
    # Digits type the number of a choice; as keys of anything else they would answer by accident.
    _fix(Action.DIGIT, *"0123456789", within=(_C.ROOM,)),
    bind(Action.TIEBREAK, "l", within=(_C.ROOM,)),
    bind(Action.LEFT, "left", within=(_C.REPLAY,)),
    bind(Action.EARLIER, "left", within=_PARTED),
    bind(Action.RIGHT, "right", " ", within=(_C.REPLAY,)),
    bind(Action.VIEWPOINT, "v", within=(_C.REPLAY,)),
    bind(Action.MOMENTS, "a", within=(_C.REPLAY,)),
    bind(Action.TIMELINE, "T", within=AT_TABLE),
    bind(Action.ROUND_BACK, "pageup", within=(_C.REPLAY,)),
    bind(Action.ROUND_ON, "pagedown", within=(_C.REPLAY,)),
    bind(Action.EVENT_BACK, ",", within=(_C.REPLAY,)),
    bind(Action.EVENT_ON, ".", within=(_C.REPLAY,)),
    bind(Action.CHOICE_BACK, "[", within=(_C.REPLAY,)),
    bind(Action.CHOICE_ON, "]", within=(_C.REPLAY,)),
    bind(Action.TURN_BACK, "(", within=(_C.REPLAY,)),
    bind(Action.TURN_ON, ")", within=(_C.REPLAY,)),
    bind(Action.OFFERED, "u", within=(_C.REPLAY,)),
    bind(Action.GO_TO, "g", within=(_C.REPLAY,)),
    bind(Action.PLAY, "p", within=(_C.REPLAY,)),
    bind(Action.PAGE_UP, "pageup", within=(_C.ROOM, _C.MENU, *_PAGED)),
    bind(Action.LATER, "right", within=_PARTED),
    bind(Action.PAGE_DOWN, "pagedown", within=(_C.ROOM, _C.MENU, *_PAGED)),
    _fix(Action.PAGE_DOWN, " ", within=(_C.BOX, _C.SHELF, _C.JOURNAL)),
    bind(Action.FIRST, "home", within=(_C.ROOM, _C.REPLAY, _C.MAP, _C.MENU, *_PAGED)),
    bind(Action.LAST, "end", within=(_C.ROOM, _C.REPLAY, _C.MAP, _C.MENU, *_PAGED)),
    bind(Action.LESS, "left", within=(_C.OPENING, _C.SETTINGS)),
    bind(Action.MORE, "right", within=(_C.OPENING, _C.SETTINGS)),
    bind(Action.PANE, "tab", within=(_C.OPENING,)),
    bind(Action.REJOIN, "l", within=(_C.TABLES,)),
    bind(Action.DIE_BACK, "left", within=(_C.ROOM,)),
    bind(Action.DIE_ON, "right", within=(_C.ROOM,)),
    bind(Action.TURN, "left", "right", within=(_C.SHELF,)),
    bind(Action.SEARCH, "/", within=(_C.REPLAY, _C.JOURNAL)),
    bind(Action.NEXT_HIT, "n", within=(_C.REPLAY, _C.JOURNAL)),
    bind(Action.LAST_HIT, "N", within=(_C.REPLAY, _C.JOURNAL)),
    bind(Action.NARROW, "/", within=(_C.SHELF,)),
    bind(Action.SAVE, "s", within=(_C.JOURNAL,)),
    bind(Action.NEW, "n", within=(_C.TABLES,)),
    bind(Action.JOIN, "i", within=(_C.TABLES,)),
    bind(Action.REFRESH, "r", within=(_C.TABLES,)),
    bind(Action.REVIEW, "v", within=(_C.TABLES, _C.ROOM)),
    bind(Action.GAMES, "f", within=(_C.TABLES,)),
    bind(Action.FILTER, "f", within=(_C.GAMES,)),
    bind(Action.TOGETHER, "R", within=(_C.TABLES, _C.ROOM, _C.REPLAY)),
    bind(Action.FOLLOW, "b", within=(_C.REPLAY,)),
    bind(Action.POINT, "x", within=(_C.REPLAY,)),
    bind(Action.PRACTISE, "h", within=(_C.REPLAY,)),
    bind(Action.SPEAK, "s", within=(_C.ROOM,)),
    bind(Action.NOTES, "d", within=(*AT_TABLE, _C.SHELF)),
    bind(Action.READY, "r", within=(_C.WAITING,)),
    bind(Action.START, "s", within=(_C.WAITING,)),
    bind(Action.BOT, "b", within=(_C.WAITING,)),
    bind(Action.SCENARIO, "n", within=(_C.WAITING,)),
    bind(Action.PRODUCTS, "p", within=(_C.WAITING,)),
    bind(Action.CAMPAIGN, "g", within=(_C.WAITING,)),
    bind(Action.SETUP, "f", within=(_C.WAITING,)),
    bind(Action.PREPARE, "w", within=(_C.WAITING,)),
    bind(Action.EMPTY_SEAT, "X", within=(_C.WAITING,)),
    bind(Action.HOST, "h", within=(_C.WAITING,)),
    bind(Action.INVITATION, "v", within=(_C.WAITING,)),
    bind(Action.COPY, "y", within=(_C.WAITING,)),
    bind(Action.RENEW, "V", within=(_C.WAITING,)),
    bind(Action.STAND_UP, "x", within=(_C.WAITING,)),
    bind(Action.REMOVE, "D", within=(_C.WAITING, _C.ROOM)),
    bind(Action.AGAIN, "n", within=(_C.ROOM,)),
    bind(Action.CHAT, "c", "tab", within=_TALK),
    bind(Action.CARDS, "i", within=(_C.WAITING, *AT_TABLE)),
    bind(Action.JOURNAL, "j", within=AT_TABLE),
    bind(Action.STORY, "t", within=AT_TABLE),
    bind(Action.PROPOSALS, "p", within=(_C.ROOM,)),
    bind(Action.CONSENT, "y", within=(_C.ROOM,)),
    bind(Action.RESUME, "u", within=(_C.ROOM,)),
    bind(Action.RETRY, "r", within=(_C.ROOM,)),
    bind(Action.PASSES, "a", within=(_C.ROOM,)),
    _fix(Action.MAP_UP, "up", within=(_C.MAP,)),
    bind(Action.MAP_UP, "s-up", "K", within=_BOARD),
    _fix(Action.MAP_DOWN, "down", within=(_C.MAP,)),
    bind(Action.MAP_DOWN, "s-down", "J", within=_BOARD),
    _fix(Action.MAP_LEFT, "left", within=(_C.MAP,)),
    bind(Action.MAP_LEFT, "s-left", "H", within=_BOARD),
    _fix(Action.MAP_RIGHT, "right", within=(_C.MAP,)),
    bind(Action.MAP_RIGHT, "s-right", "L", within=_BOARD),
    bind(Action.MAP_SIZE, "z", within=_BOARD),
    bind(Action.WHOLE_MAP, "w", within=_BOARD),
    bind(Action.YES, "y", "Y", within=(_C.CONFIRM,)),
    bind(Action.NO, "n", "N", within=(_C.CONFIRM,)),
    # While a line is typed every character is text: only these keys can mean anything else.
    _fix(Action.SEND, "enter", within=(_C.ENTRY,)),
    bind(
        Action.BACK,
        "escape",
        within=(_C.OPENING, *_MENUS, _C.CONFIRM, _C.MAP, *_PAGED),
    ),
    _fix(Action.BACK, "enter", "q", within=(_C.BOX, _C.JOURNAL, _C.MAP)),
    _fix(Action.BACK, "q", within=(_C.STORY, _C.SHELF)),
    _fix(Action.BACK, "escape", "tab", within=(_C.ENTRY,)),
    bind(Action.LESSON, "f3", within=_ALL_BUT_ENTRY),
    bind(Action.COACH, "f4", within=_ALL_BUT_ENTRY),
    bind(Action.SETTINGS, "e", within=_SCREENS),
    bind(Action.HELP, "?", "f1", within=(*_SCREENS, _C.STORY)),
    bind(Action.LEAVE, "q", within=_SCREENS),
    bind(Action.SUSPEND, "c-z", within=_ALL_BUT_ENTRY),
    _fix(Action.SUSPEND, "c-z", within=(_C.ENTRY,)),
    # Ends the program even if a file of settings takes every other key away.
    _fix(Action.QUIT, "c-c", within=tuple(Context)),
)
"""
The default keys. All bindings of an action that are not fixed have the same keys, so that a player
changes them with one line of the settings file.
"""


class BadKeys(Exception):
    """The player's keys for an action are not allowed."""

    def __init__(self, action: str, key: str, *params: str | Context) -> None:
        """
        Create the error.

        Args:
            action: the name of the action.
            key: the catalog key of the message.
            params: the parameters of the message. A parameter that is a context is shown in words.
        """
        super().__init__(action, key, *params)
        self.action = action
        self.key = key
        self.params = params

    def in_words(self, words: Says) -> str:
        params = (
            words.say(f"context.{one.value}") if isinstance(one, Context) else one
            for one in self.params
        )
        return words.say(self.key, *params)


@attrs.frozen
class KeyMap:
    """The keys of one player."""

    wishes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The changed keys, by the name of their action."""
    game: str = ""
    """The game whose actions are included; empty for the actions of all installed games."""

    @classmethod
    def with_wishes(cls, wishes: Mapping[str, Sequence[str]]) -> "KeyMap":
        """
        Return the key map of a player who changed the keys of some actions.

        Args:
            wishes: the wanted keys of each action, by the names of a settings file.

        Raises:
            BadKeys: an action or a key is unknown, an action's keys are fixed, an action has no
                key, or a key would have two meanings in one context.
        """
        keys = {action: _keys_of(action, wanted) for action, wanted in wishes.items()}
        # Without the usual ones, so that two players with the same keys have equal maps.
        others = {
            action: wanted
            for action, wanted in keys.items()
            if any(USUAL.keys_for(one) != wanted for one in USUAL.rebindable if one.value == action)
        }
        keymap = cls(tuple(others.items()))
        # Game by game: keys of two games may be the same, for nobody plays both at once.
        for game in games() or ("",):
            keymap.in_game(game).check(tuple(wishes))
        return keymap

    def in_game(self, game: str) -> "KeyMap":
        """Return the player's keys in a game; an empty name means all games."""
        return self if game == self.game else attrs.evolve(self, game=game)

    def check(self, suspects: Sequence[str] = ()) -> None:
        """
        Raise BadKeys if a key has two meanings in one context.

        Args:
            suspects: the actions whose keys the player changed. The error blames the last of them
                that takes part in the conflict.
        """
        # A key may mean two things in different contexts, of which exactly one holds.
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
    def bindings(self) -> tuple[Binding, ...]:
        """All bindings, in the order of help and hints."""
        names = (self.game,) if self.game else games()
        return _bindings(self.wishes, tuple(one for name in names for one in bindings_of(name)))

    @property
    def keys(self) -> tuple[str, ...]:
        """The prompt_toolkit names of all keys that have a meaning in some context."""
        return tuple(dict.fromkeys(key for binding in self.bindings for key in binding.keys))

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions that have a key, in the order of the settings."""
        own: dict[str, Action] = {}
        shared = frozenset(SHARED)
        for binding in self.bindings:
            if binding.action not in shared:
                # Of two games with an action of one name, one line of a file gives both their keys.
                own.setdefault(binding.action.value, binding.action)
        placed = _placed(SHARED, own.values(), lambda action: action, lambda action: action.after)
        return tuple(placed)

    @property
    def rebindable(self) -> tuple[Action, ...]:
        """The actions whose keys a player can change."""
        free = {binding.action for binding in self.bindings if not binding.is_fixed}
        return tuple(action for action in self.actions if action in free)

    def named(self, name: str) -> Action:
        found = next((action for action in self.actions if action.value == name), None)
        if found is None:
            raise KeyError(name)
        return found

    def action_for(self, context: Context, key: str) -> Action | None:
        # The key first: few bindings have it, and a look into contexts costs ten times as much.
        fitting = (one for one in self.bindings if key in one.keys and context in one.contexts)
        return next((one.action for one in fitting), None)

    def bindings_in(self, context: Context) -> Iterator[Binding]:
        return (binding for binding in self.bindings if context in binding.contexts)

    def keys_for(self, action: Action) -> tuple[str, ...]:
        """Return an action's keys: the changeable keys if there are any, else the fixed keys."""
        own = [binding for binding in self.bindings if binding.action is action]
        return next((one.keys for one in own if not one.is_fixed), own[0].keys)


USUAL = KeyMap()
"""The default keys, for a player who changed none."""

_ThingT = TypeVar("_ThingT")


def _placed(
    shared: Iterable[_ThingT],
    own: Iterable[_ThingT],
    action_of: Callable[[_ThingT], Action],
    after: Callable[[_ThingT], Action | None],
) -> Iterator[_ThingT]:
    """Yield the shared bindings or actions, with those of games inserted at their places.

    Args:
        shared: the shared things, in order.
        own: the things of games.
        action_of: returns the action of a shared thing.
        after: returns the shared action behind which a thing of a game belongs; None for the end.
    """
    left = list(own)
    for thing in shared:
        yield thing
        here = [one for one in left if after(one) is action_of(thing)]
        yield from here
        left = [one for one in left if one not in here]
    yield from left


@functools.lru_cache(maxsize=64)
def _bindings(
    wishes: tuple[tuple[str, tuple[str, ...]], ...], own: tuple[Binding, ...]
) -> tuple[Binding, ...]:
    """Return all bindings, with those of games (`own`) and with the player's keys."""
    table = _placed(BINDINGS, own, lambda one: one.action, lambda one: one.action.after)
    keys = dict(wishes)
    return tuple(
        binding
        if binding.is_fixed or binding.action.value not in keys
        else attrs.evolve(binding, keys=keys[binding.action.value])
        for binding in table
    )


@functools.lru_cache(maxsize=32)
def bindings_of(game: str) -> tuple[Binding, ...]:
    """Return the bindings that a game adds; none if the game is not installed."""
    part = part_of("client", game, "keys")
    bindings: tuple[Binding, ...] = () if part is None else part.BINDINGS
    return bindings


def _keys_of(action: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """
    Return the keys wanted for an action by their prompt_toolkit names.

    Raises:
        BadKeys: the player cannot give the action these keys.
    """
    rebindable = [known.value for known in USUAL.rebindable]
    if action not in {known.value for known in USUAL.actions}:
        likely = nearest(action, rebindable)
        if likely is not None:
            raise BadKeys(action, "keys.meant_action", action, likely)
        raise BadKeys(action, "keys.no_action", action)
    if action not in rebindable:
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
