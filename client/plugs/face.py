"""
The face of a game: everything that the client adds for one game.

Without a face, the client draws a game from its questions and records alone. A game's bots are not
part of the face but in the module `bot` beside it (`client.plugs.brains`), so that a server that
runs bots need not load drawing code.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import attrs

from client.keymap.keys import Action
from client.locale.game_moment import GameMoment
from client.locale.speaker import Speaker
from client.model.standing_answers import StandingOffer
from client.plugs.counting import Counting
from client.plugs.lessons import Lesson
from client.plugs.preparation import Preparation
from client.tellers.base import Teller
from client.widgets.answering import AS_ASKED, Listing
from client.widgets.grid import Grid
from client.widgets.known_cards import known_cards
from client.widgets.layout import Board, Layout
from client.widgets.paragraphs import Paragraph, Row
from client.widgets.scene import Scene
from protocol.common.asks import Choice, Point
from protocol.common.table import GameTable, Table
from protocol.event import Event, Record
from protocol.plugs import games, part_of

ANY_ROLE = ""
"""The key in a face's mappings by role that holds the default for roles without an entry."""

PartT = TypeVar("PartT")
UsualT = TypeVar("UsualT")


@attrs.frozen
class ListReading:
    """A list of things to read, each with a text."""

    action: Action
    title: str
    rows: Callable[[Scene], Sequence[Row]]
    empty: str
    """The catalog key of the text for an empty list."""
    is_hinted: bool = False
    """True if the bottom line always shows the key of the reading."""


@attrs.frozen
class TextReading:
    """A text to read."""

    action: Action
    title: str
    text: Callable[[Scene], Sequence[Paragraph]]
    is_hinted: bool = False


@attrs.frozen
class BoardReading:
    """A board that fills the screen."""

    action: Action
    board: Callable[[], Board]
    is_hinted: bool = False


Reading = ListReading | TextReading | BoardReading

KNOWN_CARDS: Final = (
    ListReading(Action.CARDS, "box.inventory", known_cards, "box.nothing", is_hinted=True),
)
"""The reading of a game that defines none."""


@attrs.frozen
class CorrectionOffer:
    """A thing on the table that players can correct by consent."""

    text: str
    ways: tuple[tuple[str, str, int], ...]
    """The possible corrections: words, and the piece and the number to propose."""


@attrs.frozen
class GameFace:
    """The client's part of one game. Each field has a default that suits any game."""

    ruleset: str
    tellers: Mapping[type[Event], Teller] = attrs.field(factory=dict)
    """Tellers of the game's events, for the journal."""
    silent: Mapping[type[Event], str] = attrs.field(factory=dict)
    """Kinds of event without a line, each with the reason."""
    moment: Callable[[GameTable], GameMoment] = GameMoment
    """Returns the game's current moment: round, phase and turn."""
    layout: Mapping[str, Callable[[], Layout]] = attrs.field(factory=dict)
    """Factories of the screen's layout, by role."""
    readings: Mapping[str, tuple[Reading, ...]] = attrs.field(factory=dict)
    """Readings that are always available, by role."""
    before: Mapping[str, Preparation] = attrs.field(factory=dict)
    """The preparation of a seat before the game, by role."""
    characters: str = "box.characters"
    """The catalog key of the title of the list of characters."""
    names: Callable[[Table, Speaker, str], str] = lambda _, speaker, piece: speaker.name("", piece)
    """Returns the name of a piece on the table, by its id."""
    spaces: Callable[[Table, Speaker], Mapping[str, str]] = lambda _table, _speaker: {}
    """Returns the names of the board's spaces by their ids, in the order of lists."""
    listing: Listing = AS_ASKED
    """The order in which lists have the choices of a question."""
    risks: frozenset[str] = frozenset()
    """Groups of risky choices, which the player must confirm."""
    free: frozenset[str] = frozenset()
    """Groups of choices that cost nothing, and are lost where a question ends without them."""
    binding: frozenset[str] = frozenset()
    """Groups of choices that use something up, or cannot be taken back."""
    vain: frozenset[str] = frozenset()
    """Groups of choices that gain nothing or do harm, on which the cursor does not begin."""
    way_back: Callable[[Sequence[Record]], frozenset[Point]] = lambda _: frozenset()
    """Returns the space that the acting character has just left, according to the records."""
    standing: StandingOffer | None = None
    """The standing answers that players may give beside passes; None for none."""
    grid: Callable[[Scene, Sequence[Choice]], Grid | None] = lambda _scene, _choices: None
    """Returns the grid as which a question is drawn, by its choices; None for a list."""
    signs: Callable[[Scene], Sequence[Paragraph]] = lambda _: ()
    """Explains the signs on the game's screen, for the help."""
    tells_interruptions: bool = False
    """True if the game's own lines say of each interruption who strikes whom."""
    moments: tuple[type[Event], ...] = ()
    """Kinds of event that a replay lists as moments."""
    turns: tuple[type[Event], ...] = ()
    """Kinds of event that begin a turn."""
    side: Callable[[GameTable, Event], str] = lambda _table, _event: ""
    """
    Returns the side whose deed an event is, by its role, and for an event that begins a turn the
    side whose turn it is; empty if it is the deed of whoever gave the last answer.
    """
    odds: Callable[[Scene], Sequence[str]] = lambda _: ()
    counting: Counting = attrs.field(factory=Counting)
    """The game's own statistics, in addition to the statistics of every game."""
    corrections: Callable[[Table, Speaker], Sequence[CorrectionOffer]] = lambda _table, _speaker: ()
    """Returns the corrections that players can propose."""
    lessons: Mapping[str, tuple[Lesson, ...]] = attrs.field(factory=dict)
    """Lessons of the coach, by role."""
    plain: Callable[[], object] | None = None
    """
    Returns the game's words in plain mode, a `client.plain.game.PlainGame`; None if the game has no
    such words. Called only when plain mode first needs the game.
    """
    plain_commands: Callable[[], object] | None = None
    """
    Returns the game's commands in plain mode, a `client.plain.game_commands.GameCommands`, or None.
    """

    def layout_for(self, role: str = ANY_ROLE) -> Layout:
        """Return a new screen layout for a role; by default, question and journal."""
        return for_role(self.layout, role, Layout)()

    def readings_for(self, role: str = ANY_ROLE) -> tuple[Reading, ...]:
        """Return the readings of a role; by default, the cards that the role knows."""
        return for_role(self.readings, role, KNOWN_CARDS)

    def preparation_for(self, role: str = ANY_ROLE) -> Preparation | None:
        """Return the preparation of a role; None if the role has none."""
        return for_role(self.before, role, None)

    def lessons_for(self, role: str = ANY_ROLE) -> tuple[Lesson, ...]:
        """Return the lessons of a role; without any, those of ANY_ROLE; else none."""
        return for_role(self.lessons, role, ())


def for_role(parts: Mapping[str, PartT], role: str, usual: UsualT) -> PartT | UsualT:
    """Return the entry of a role: its own entry, else the entry of ANY_ROLE, else the default."""
    return parts.get(role, parts.get(ANY_ROLE, usual))


def face_of(ruleset: str) -> GameFace:
    """Return the face of a game; the default face if the game has none or is not installed."""
    # The name may be a stranger's, so only installed games are cached.
    return _installed(ruleset) if ruleset in games() else GameFace(ruleset)


@functools.cache
def _installed(ruleset: str) -> GameFace:
    part = part_of("client", ruleset, "face")
    if part is None:
        return GameFace(ruleset)
    assert isinstance(part.FACE, GameFace)
    return part.FACE
