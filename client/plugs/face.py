"""
The face of a game: everything that the client adds for one game.

A game without a face is drawn from its questions and records alone. A game's bots are not part of
the face but in the module `bot` beside it (`client.plugs.brains`), so that a server that runs bots
need not load drawing code.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import attrs

from client.keymap.keys import Action
from client.locale.game_moment import GameMoment
from client.locale.speaker import Speaker
from client.plugs.counting import Counting
from client.plugs.lessons import Lesson
from client.plugs.preparation import Preparation
from client.tellers.base import Teller
from client.widgets.known_cards import known_cards
from client.widgets.layout import Board, Layout
from client.widgets.paragraphs import Paragraph, Row
from client.widgets.scene import Scene
from protocol.common.asks import Point
from protocol.common.table import GameTable, Table
from protocol.event import Event, Record
from protocol.plugs import games, part_of

ANY_ROLE = ""
"""Key in a face's mappings by role: the default for roles without an entry."""

PartT = TypeVar("PartT")
UsualT = TypeVar("UsualT")


@attrs.frozen
class ListReading:
    """A reading in the form of a list of things, each with a text about it."""

    action: Action
    """The action that opens the reading."""
    title: str
    """The catalog key of the title."""
    rows: Callable[[Scene], Sequence[Row]]
    empty: str
    """The catalog key of the text that is shown if the list is empty."""
    is_hinted: bool = False
    """True if the bottom line always shows the key of the reading."""


@attrs.frozen
class TextReading:
    """A reading in the form of a text."""

    action: Action
    title: str
    text: Callable[[Scene], Sequence[Paragraph]]
    is_hinted: bool = False


@attrs.frozen
class BoardReading:
    """A reading in the form of a board that fills the screen."""

    action: Action
    board: Callable[[], Board]
    """Creates the box each time it is opened."""
    is_hinted: bool = False


Reading = ListReading | TextReading | BoardReading

KNOWN_CARDS: Final = (
    ListReading(Action.CARDS, "box.inventory", known_cards, "box.nothing", is_hinted=True),
)
"""The reading of a game that has none of its own."""


@attrs.frozen
class CorrectionOffer:
    """A thing on the table that players can correct by consent."""

    text: str
    """The name and the state of the thing."""
    ways: tuple[tuple[str, str, int], ...]
    """The possible corrections: words, and the piece and the number to propose."""


def _piece_named(_: Table, speaker: Speaker, piece: str) -> str:
    return speaker.name("", piece)


def _no_spaces(_: Table, __: Speaker) -> Mapping[str, str]:
    return {}


def _no_result(_: GameTable, _seat: int) -> Mapping[str, bool | int]:
    return {}


@attrs.frozen
class GameFace:
    """The client's part of one game; each field has a default that suits any game."""

    ruleset: str
    tellers: Mapping[type[Event], Teller] = attrs.field(factory=dict)
    """Tellers of the game's events, for the journal."""
    silent: Mapping[type[Event], str] = attrs.field(factory=dict)
    """Kinds of event without a line, each with the reason."""
    moment: Callable[[GameTable], GameMoment] = GameMoment
    """Returns the game's moment: round, phase and turn."""
    layout: Mapping[str, Callable[[], Layout]] = attrs.field(factory=dict)
    """Factories of the screen's layout, by role."""
    readings: Mapping[str, tuple[Reading, ...]] = attrs.field(factory=dict)
    """Readings that are always available, by role."""
    before: Mapping[str, Preparation] = attrs.field(factory=dict)
    """Preparation of a seat before the game, by role, if any."""
    characters: str = "box.characters"
    """The catalog key of the title of the list of characters."""
    names: Callable[[Table, Speaker, str], str] = _piece_named
    """Returns the name of a piece on the table, by its id."""
    spaces: Callable[[Table, Speaker], Mapping[str, str]] = _no_spaces
    """Returns the names of the board's spaces by their ids, in the order of lists."""
    groups: tuple[str, ...] = ()
    """Groups of choices in the order in which lists show them; if empty, the question's order."""
    risks: frozenset[str] = frozenset()
    """Groups of risky choices, which the player must confirm."""
    way_back: Callable[[Sequence[Record]], frozenset[Point]] = lambda _: frozenset()
    """Returns the space that the acting character has just left, according to the records."""
    signs: Callable[[Scene], Sequence[Paragraph]] = lambda _: ()
    """Explains the signs on the game's screen, for the help."""
    moments: tuple[type[Event], ...] = ()
    """Kinds of event that a replay lists as moments."""
    turns: tuple[type[Event], ...] = ()
    """Kinds of event that begin a turn."""
    odds: Callable[[Scene], Sequence[str]] = lambda _: ()
    """Returns words for the odds of the next roll."""
    counting: Counting = attrs.field(factory=Counting)
    """The game's own statistics, besides those that every game has."""
    corrections: Callable[[Table, Speaker], Sequence[CorrectionOffer]] = lambda _table, _speaker: ()
    """Returns the corrections that players can propose."""
    lessons: Mapping[str, tuple[Lesson, ...]] = attrs.field(factory=dict)
    """Lessons of the coach, by role, if any."""
    plain: Callable[[], object] | None = None
    """
    Returns the game's words in plain mode, a `client.plain.game.PlainGame`, once plain mode meets
    the game; None if the game has no such words.
    """
    plain_commands: Callable[[], object] | None = None
    """
    Returns the game's commands in plain mode, a `client.plain.game_commands.GameCommands`, or None.
    """
    result: Callable[[GameTable, int], Mapping[str, bool | int]] = _no_result
    """Returns how a game ended for a bot's seat, by names for scripts."""

    has_windows: bool = False
    """True if the game has timed windows; tables then have settings for them."""
    has_proposals: bool = False
    """True if the rules propose orders and ties; tables then have a setting for them."""

    def layout_for(self, role: str = ANY_ROLE) -> Layout:
        """Return a new layout of the screen for a role; by default, question and journal."""
        return for_role(self.layout, role, Layout)()

    def readings_for(self, role: str = ANY_ROLE) -> tuple[Reading, ...]:
        """Return the readings of a role; by default, the cards that the role knows."""
        return for_role(self.readings, role, KNOWN_CARDS)

    def preparation_for(self, role: str = ANY_ROLE) -> Preparation | None:
        """Return the preparation of a role; None if the role has none."""
        return for_role(self.before, role, None)

    def lessons_for(self, role: str = ANY_ROLE) -> tuple[Lesson, ...]:
        """Return the lessons of a role."""
        return for_role(self.lessons, role, ())


def for_role(parts: Mapping[str, PartT], role: str, usual: UsualT) -> PartT | UsualT:
    """Return the entry of a role: its own, that of ANY_ROLE, or the default."""
    return parts.get(role, parts.get(ANY_ROLE, usual))


def face_of(ruleset: str) -> GameFace:
    """Return the face of a game; the default one if the game has none or is not installed."""
    # The name may be a stranger's, so only installed games are cached.
    return _installed(ruleset) if ruleset in games() else GameFace(ruleset)


@functools.cache
def _installed(ruleset: str) -> GameFace:
    part = part_of("client", ruleset, "face")
    if part is None:
        return GameFace(ruleset)
    assert isinstance(part.FACE, GameFace)
    return part.FACE
