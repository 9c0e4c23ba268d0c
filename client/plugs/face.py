"""
The face of a game: everything that the client shows of it beyond what every game has.

A game without a face is drawn from its questions and records alone. Its bots are not part of the
face but in the module `bot` beside it (`client.plugs.brains`), so that a server that runs bots
loads nothing that draws.
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
    """A list of things, each with a text about it."""

    action: Action
    """The action that opens it."""
    title: str
    """Key in the catalog, as in all fields below."""
    rows: Callable[[Scene], Sequence[Row]]
    empty: str
    """Shown if the list is empty."""
    is_hinted: bool = False
    """True if the bottom line always names its key."""


@attrs.frozen
class TextReading:
    """A text."""

    action: Action
    title: str
    text: Callable[[Scene], Sequence[Paragraph]]
    is_hinted: bool = False


@attrs.frozen
class BoardReading:
    """A board that fills the screen."""

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
    """Something on the table that can be corrected by consent."""

    text: str
    """Name and state of the thing."""
    ways: tuple[tuple[str, str, int], ...]
    """Possible corrections: words, with piece and number to propose."""


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
    """Tellers of its events for the journal."""
    silent: Mapping[type[Event], str] = attrs.field(factory=dict)
    """Kinds of event without a line, each with the reason."""
    moment: Callable[[GameTable], GameMoment] = GameMoment
    """Its round, its phase and whose turn it is."""
    layout: Mapping[str, Callable[[], Layout]] = attrs.field(factory=dict)
    """Factories of the screen's layout, by role."""
    readings: Mapping[str, tuple[Reading, ...]] = attrs.field(factory=dict)
    """Readings that are always available, by role."""
    before: Mapping[str, Preparation] = attrs.field(factory=dict)
    """Preparation of a seat before the game, by role, if any."""
    characters: str = "box.characters"
    """Key in the catalog: the title of a list of its characters."""
    names: Callable[[Table, Speaker, str], str] = _piece_named
    """Names a piece on the table by its id."""
    spaces: Callable[[Table, Speaker], Mapping[str, str]] = _no_spaces
    """Names of the spaces of its board by id, in the order of lists."""
    groups: tuple[str, ...] = ()
    """Groups of choices in the order of lists; without any, the order of the question."""
    risks: frozenset[str] = frozenset()
    """Groups of risky choices, each of which must be confirmed."""
    way_back: Callable[[Sequence[Record]], frozenset[Point]] = lambda _: frozenset()
    """The space that the acting character has just left, by the records."""
    signs: Callable[[Scene], Sequence[Paragraph]] = lambda _: ()
    """Explains the signs on its screen, for the help."""
    moments: tuple[type[Event], ...] = ()
    """Kinds of event that a replay lists as moments."""
    turns: tuple[type[Event], ...] = ()
    """Kinds of event that begin a turn."""
    odds: Callable[[Scene], Sequence[str]] = lambda _: ()
    """Words for the odds of the next roll."""
    counting: Counting = attrs.field(factory=Counting)
    """Its statistics, besides those of every game."""
    corrections: Callable[[Table, Speaker], Sequence[CorrectionOffer]] = lambda _table, _speaker: ()
    """Its corrections."""
    lessons: Mapping[str, tuple[Lesson, ...]] = attrs.field(factory=dict)
    """Lessons of the coach, by role, if any."""
    plain: Callable[[], object] | None = None
    """
    Gives what plain mode says of the game, a `client.plain.game.PlainGame`, when it first meets the
    game; None where it has nothing.
    """
    plain_commands: Callable[[], object] | None = None
    """Returns its commands in plain mode, a `client.plain.game_commands.GameCommands`, or None."""
    result: Callable[[GameTable, int], Mapping[str, bool | int]] = _no_result
    """A bot's report of how a game ended for its seat, by names for scripts."""

    has_windows: bool = False
    """True if it has timed windows, so that tables have settings for them."""

    def layout_for(self, role: str = ANY_ROLE) -> Layout:
        """Return a new layout for a screen; by default, question and journal."""
        return for_role(self.layout, role, Layout)()

    def readings_for(self, role: str = ANY_ROLE) -> tuple[Reading, ...]:
        """Return the readings of a role; by default, the cards that it knows."""
        return for_role(self.readings, role, KNOWN_CARDS)

    def preparation_for(self, role: str = ANY_ROLE) -> Preparation | None:
        """Return the preparation of a role; None if it has none."""
        return for_role(self.before, role, None)

    def lessons_for(self, role: str = ANY_ROLE) -> tuple[Lesson, ...]:
        """Return the lessons of a role."""
        return for_role(self.lessons, role, ())


def for_role(parts: Mapping[str, PartT], role: str, usual: UsualT) -> PartT | UsualT:
    """Return the entry of a role: its own, that of ANY_ROLE, or the default."""
    return parts.get(role, parts.get(ANY_ROLE, usual))


def face_of(ruleset: str) -> GameFace:
    """Return the face of a game; the default one if it has none or is not installed."""
    # The name may be a stranger's, so only installed games are cached.
    return _installed(ruleset) if ruleset in games() else GameFace(ruleset)


@functools.cache
def _installed(ruleset: str) -> GameFace:
    part = part_of("client", ruleset, "face")
    if part is None:
        return GameFace(ruleset)
    assert isinstance(part.FACE, GameFace)
    return part.FACE
