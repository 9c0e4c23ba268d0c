"""
The face of a game: what the client shows of it, and how, beyond what every game has.

A game without a face is drawn from its questions and its records alone. How bots play it is no part
of its face but the module `bot` beside it (`client.plugs.brains`): a server that runs bots loads
nothing that draws.
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
"""Among what a face has by role: what suits every role that has none of its own."""

PartT = TypeVar("PartT")
UsualT = TypeVar("UsualT")


@attrs.frozen
class ListReading:
    """Things to look through, each with what is read about it."""

    action: Action
    """What opens it."""
    title: str
    """The catalog's key, as in all that follow."""
    rows: Callable[[Scene], Sequence[Row]]
    empty: str
    """Said where there is nothing."""
    is_hinted: bool = False
    """Whether the bottom line always names its key."""


@attrs.frozen
class TextReading:
    """A text."""

    action: Action
    title: str
    text: Callable[[Scene], Sequence[Paragraph]]
    is_hinted: bool = False


@attrs.frozen
class BoardReading:
    """A board on the whole screen."""

    action: Action
    board: Callable[[], Board]
    """Makes one for each time that it is opened."""
    is_hinted: bool = False


Reading = ListReading | TextReading | BoardReading

KNOWN_CARDS: Final = (
    ListReading(Action.CARDS, "box.inventory", known_cards, "box.nothing", is_hinted=True),
)
"""What can be read about a game that brings no readings."""


@attrs.frozen
class CorrectionOffer:
    """Something on the table that may be set right, if everybody agrees."""

    text: str
    """What it is, and how it stands."""
    ways: tuple[tuple[str, str, int], ...]
    """What it could be instead: in words, and as the piece and the number to propose."""


def _piece_named(_: Table, speaker: Speaker, piece: str) -> str:
    return speaker.name("", piece)


def _no_spaces(_: Table, __: Speaker) -> Mapping[str, str]:
    return {}


def _no_result(_: GameTable) -> Mapping[str, bool | int]:
    return {}


@attrs.frozen
class GameFace:
    """What one game brings to the client; each field has a default that suits any game."""

    ruleset: str
    tellers: Mapping[type[Event], Teller] = attrs.field(factory=dict)
    """What each kind of its events says in the journal."""
    silent: Mapping[type[Event], str] = attrs.field(factory=dict)
    """The kinds that say nothing, each with the reason."""
    moment: Callable[[GameTable], GameMoment] = GameMoment
    """Its round, its phase and whose turn it is."""
    layout: Mapping[str, Callable[[], Layout]] = attrs.field(factory=dict)
    """The layout of the screen, by role; a new one is made for each screen."""
    readings: Mapping[str, tuple[Reading, ...]] = attrs.field(factory=dict)
    """What can be read about it at any time, by role."""
    before: Mapping[str, Preparation] = attrs.field(factory=dict)
    """What a seat prepares before the game, by role; nothing where this says nothing."""
    names: Callable[[Table, Speaker, str], str] = _piece_named
    """What a piece on the table is called, by its id."""
    spaces: Callable[[Table, Speaker], Mapping[str, str]] = _no_spaces
    """What each space of its board is called, by its id, in the order in which they are told."""
    groups: tuple[str, ...] = ()
    """The groups of choices in the order in which they are listed; as asked where it says none."""
    risks: frozenset[str] = frozenset()
    """The groups of choices that are hardly ever meant, so that each is asked for twice."""
    way_back: Callable[[Sequence[Record]], frozenset[Point]] = lambda _: frozenset()
    """Where whoever acts has just come from, by the records of the table."""
    signs: Callable[[Scene], Sequence[Paragraph]] = lambda _: ()
    """What the signs on its screen mean; stands in the help."""
    moments: tuple[type[Event], ...] = ()
    """The kinds of its events that somebody looks for in a game that was."""
    turns: tuple[type[Event], ...] = ()
    """The kinds of its events with which a turn begins."""
    odds: Callable[[Scene], Sequence[str]] = lambda _: ()
    """What chance there is in what is to be rolled next, in words."""
    counting: Counting = attrs.field(factory=Counting)
    """What its statistics count, beside what those of any game do."""
    corrections: Callable[[Table, Speaker], Sequence[CorrectionOffer]] = lambda _table, _speaker: ()
    """What may be set right."""
    lessons: Mapping[str, tuple[Lesson, ...]] = attrs.field(factory=dict)
    """What the coach teaches, by role; nothing where this says nothing."""
    plain: Callable[[], object] | None = None
    """
    Gives what plain mode says of the game, a `client.plain.game.PlainGame`, when it first meets the
    game; None where it has nothing.
    """
    plain_commands: Callable[[], object] | None = None
    """Gives its commands in plain mode likewise, a `client.plain.game_commands.GameCommands`."""
    result: Callable[[GameTable], Mapping[str, bool | int]] = _no_result
    """What a bot reports of how a game ended, by the names that a script knows."""

    has_windows: bool = False
    """Whether timed windows open in it, so that a table's settings say how."""

    def layout_for(self, role: str = ANY_ROLE) -> Layout:
        """Return a new layout for a screen: question and journal where the game does not say."""
        return for_role(self.layout, role, Layout)()

    def readings_for(self, role: str = ANY_ROLE) -> tuple[Reading, ...]:
        """Return what a role can read: the cards that it knows where the game does not say."""
        return for_role(self.readings, role, KNOWN_CARDS)

    def preparation_for(self, role: str = ANY_ROLE) -> Preparation | None:
        """Return what a role prepares before the game; None where the game does not say."""
        return for_role(self.before, role, None)

    def lessons_for(self, role: str = ANY_ROLE) -> tuple[Lesson, ...]:
        """Return what the coach teaches somebody who plays a role."""
        return for_role(self.lessons, role, ())


def for_role(parts: Mapping[str, PartT], role: str, usual: UsualT) -> PartT | UsualT:
    """Return what a face has for a role: its own, what suits any, or what is usual."""
    return parts.get(role, parts.get(ANY_ROLE, usual))


def face_of(ruleset: str) -> GameFace:
    """Return the face of a game; that of no game in particular, if none is installed."""
    # The name may be a stranger's: only those of games that are here are remembered.
    return _installed(ruleset) if ruleset in games() else GameFace(ruleset)


@functools.cache
def _installed(ruleset: str) -> GameFace:
    part = part_of("client", ruleset, "face")
    if part is None:
        return GameFace(ruleset)
    assert isinstance(part.FACE, GameFace)
    return part.FACE
