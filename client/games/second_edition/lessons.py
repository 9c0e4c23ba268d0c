"""
Lessons: what the coach tells somebody new about the client, as data.

A lesson has a name, which its words go by (`coach.<name>`, and `coach.plain.<name>` in plain mode),
a moment at which it is of use, and what somebody does who has understood it. `MOMENTS` says what
each moment is, of the table and of where keys go; nothing here knows a rule or a clock.
"""

from collections.abc import Callable, Mapping

import attrs

from client.keymap.keys import Action, Context
from client.model.tables import TableView
from protocol.common.asks import Question
from protocol.common.table import Seat, Stage
from protocol.games.second_edition.table import Phase, SecondEditionTable


@attrs.frozen
class Glance:
    """What the coach sees when it looks: the table, and where keys go."""

    view: TableView | None
    """The table that is followed; None where older records are still on their way, too."""
    context: Context | None = None
    """None in plain mode."""

    @property
    def is_plain(self) -> bool:
        """Whether it is lines that are looked at, not a screen."""
        return self.context is None

    @property
    def stage(self) -> Stage | None:
        """How far the table is; None without one."""
        return None if self.view is None else self.view.table.room.stage

    @property
    def question(self) -> Question | None:
        """What the player is asked now and can see: nothing while a box lies over it."""
        is_shown = self.context in {None, Context.ROOM}
        return self.view.my_question() if self.view is not None and is_shown else None

    @property
    def ask_id(self) -> int | None:
        """Which question is open, whether it is in view or not; None for none."""
        if self.view is None or self.view.my_question() is None or self.view.ask is None:
            return None
        return self.view.ask.ask_id

    @property
    def game(self) -> SecondEditionTable | None:
        """The game on the table, if there is one that can be told about."""
        game = None if self.view is None else self.view.table.game
        return game if isinstance(game, SecondEditionTable) else None


def _my_seat(at: Glance) -> Seat | None:
    is_lobby = at.view is not None and at.stage is Stage.LOBBY
    return at.view.my_seat if at.view is not None and is_lobby else None


def _ready(at: Glance) -> bool:
    seat = _my_seat(at)
    return seat is not None and seat.is_ready


def _unready(at: Glance) -> bool:
    seat = _my_seat(at)
    return seat is not None and not seat.is_ready


def _told(at: Glance) -> bool:
    return at.stage is Stage.PLAYING and at.context is Context.STORY


def _reading(at: Glance) -> bool:
    return at.stage is Stage.PLAYING and at.context is Context.BOX


def _listed(at: Glance) -> bool:
    return at.stage is Stage.PLAYING and at.context is Context.SHELF


def _recorded(at: Glance) -> bool:
    return at.stage is not None and at.context is Context.JOURNAL


def _asked(at: Glance) -> bool:
    return at.stage is Stage.PLAYING and at.question is not None


def _between_turns(at: Glance) -> bool:
    game = at.game
    if game is None or not _asked(at):
        return False
    is_due = any(not who.has_taken_turn for who in game.investigators.values())
    return is_due and game.phase is Phase.INVESTIGATOR and game.active is None


def _late(at: Glance) -> bool:
    return _between_turns(at) and at.game is not None and at.game.round_number > 1


def _groups(at: Glance) -> set[str]:
    return {choice.group for choice in at.question.choices} if at.question is not None else set()


def _turn(at: Glance) -> bool:
    return _asked(at) and "move" in _groups(at)


def _dice(at: Glance) -> bool:
    return _asked(at) and at.game is not None and at.game.test is not None


def _several(at: Glance) -> bool:
    return _asked(at) and at.question is not None and at.question.at_most > 1


def _refused(at: Glance) -> bool:
    return _asked(at) and at.question is not None and bool(at.question.refused)


def _monster(at: Glance) -> bool:
    return _turn(at) and at.game is not None and bool(at.game.monsters)


def _mythos(at: Glance) -> bool:
    return _asked(at) and at.game is not None and at.game.phase is Phase.MYTHOS


def _over(at: Glance) -> bool:
    # The keys that it names do nothing while the story's end is read.
    return at.stage is Stage.OVER and at.context is not Context.STORY


MOMENTS: Mapping[str, Callable[[Glance], bool]] = {
    "ready": _ready,
    "unready": _unready,
    "told": _told,
    "reading": _reading,
    "listed": _listed,
    "recorded": _recorded,
    "asked": _asked,
    "between_turns": _between_turns,
    "late": _late,
    "turn": _turn,
    "dice": _dice,
    "several": _several,
    "refused": _refused,
    "monster": _monster,
    "mythos": _mythos,
    "over": _over,
}
"""
By name: before a game, ready for it or not yet; while story, another box, a list or the journal is
read; whenever something is asked; where it is to be said whose turn it is, in any round or a later
one; in a turn; over dice; where several can be chosen; where something is refused; in a turn with a
monster about; in the Mythos phase; after the game and its story.
"""


@attrs.frozen
class Lesson:
    """One thing to know."""

    name: str
    moment: str
    """When it is of use; a key of MOMENTS."""
    does: tuple[Action, ...] = ()
    """Who has done one of these has understood."""
    patience: int = 1
    """After so many answers it has been read, or is not wanted; 0 for never."""
    has_plain: bool = True
    """Whether there is anything like it in plain mode."""


LESSONS = (
    Lesson("lobby", "ready", (Action.START,), patience=0),
    Lesson("unready", "unready", (Action.READY,), patience=0),
    Lesson("story", "told", (Action.BACK,), has_plain=False),
    Lesson("box", "reading", (Action.BACK,), patience=0, has_plain=False),
    Lesson("shelf", "listed", (Action.BACK,), patience=0, has_plain=False),
    Lesson("record", "recorded", (Action.BACK,), patience=0, has_plain=False),
    Lesson("several", "several"),
    Lesson("dice", "dice"),
    Lesson("choose", "asked"),
    Lesson("status", "between_turns"),
    Lesson("journal", "mythos", (Action.JOURNAL, Action.PAGE_UP), patience=2),
    Lesson("groups", "turn"),
    Lesson("map", "turn"),
    Lesson("monsters", "monster", (Action.MONSTERS,), patience=2),
    Lesson("refused", "refused"),
    Lesson("cards", "turn", (Action.CARDS,), patience=2),
    Lesson("objective", "turn", (Action.OBJECTIVE,), patience=2),
    Lesson("together", "late", (Action.CHAT, Action.PROPOSALS)),
    Lesson("help", "turn", (Action.HELP,), patience=3),
    Lesson("over", "over", patience=0),
)
"""In this order, each once: of those whose moment it is, the first is shown."""
