"""The lessons of the second edition, with the moments that no other game has."""

from client.games.second_edition.keys import MONSTERS, OBJECTIVE
from client.keymap.keys import Action
from client.plugs import lessons as any_game
from client.plugs.lessons import Glance, Lesson, is_asked
from protocol.games.second_edition.table import Phase, SecondEditionTable


def _game(at: Glance) -> SecondEditionTable | None:
    return at.game if isinstance(at.game, SecondEditionTable) else None


def is_between_turns(at: Glance) -> bool:
    """Return whether the group has to decide who takes the next turn."""
    game = _game(at)
    if game is None or not is_asked(at):
        return False
    is_due = any(not who.has_taken_turn for who in game.investigators.values())
    return is_due and game.phase is Phase.INVESTIGATOR and game.active is None


def is_later_round(at: Glance) -> bool:
    """Return whether the group has to decide who takes the next turn, after the first round."""
    game = _game(at)
    return game is not None and game.round_number > 1 and is_between_turns(at)


def is_in_turn(at: Glance) -> bool:
    """Return whether the player is asked for an action."""
    choices = at.question.choices if at.question is not None else ()
    return is_asked(at) and any(choice.group == "move" for choice in choices)


def is_over_dice(at: Glance) -> bool:
    """Return whether the player is asked a question during a test."""
    game = _game(at)
    return is_asked(at) and game is not None and game.test is not None


def is_near_monsters(at: Glance) -> bool:
    """Return whether the player takes a turn while monsters are on the board."""
    game = _game(at)
    return is_in_turn(at) and game is not None and bool(game.monsters)


def is_in_mythos(at: Glance) -> bool:
    game = _game(at)
    return is_asked(at) and game is not None and game.phase is Phase.MYTHOS


LESSONS = (
    Lesson("lobby", any_game.is_ready, (Action.START,), patience=0),
    Lesson("unready", any_game.is_unready, (Action.READY,), patience=0),
    Lesson("story", any_game.reads_story, (Action.BACK,), has_plain=False),
    Lesson("box", any_game.reads_box, (Action.BACK,), patience=0, has_plain=False),
    Lesson("shelf", any_game.reads_list, (Action.BACK,), patience=0, has_plain=False),
    Lesson("record", any_game.reads_journal, (Action.BACK,), patience=0, has_plain=False),
    Lesson("several", any_game.may_take_several),
    Lesson("dice", is_over_dice),
    Lesson("choose", is_asked),
    Lesson("status", is_between_turns),
    Lesson("journal", is_in_mythos, (Action.JOURNAL, Action.PAGE_UP), patience=2),
    Lesson("groups", is_in_turn),
    Lesson("map", is_in_turn),
    Lesson("monsters", is_near_monsters, (MONSTERS,), patience=2),
    Lesson("refused", any_game.has_refused),
    Lesson("cards", is_in_turn, (Action.CARDS,), patience=2),
    Lesson("objective", is_in_turn, (OBJECTIVE,), patience=2),
    Lesson("together", is_later_round, (Action.CHAT, Action.PROPOSALS)),
    Lesson("help", is_in_turn, (Action.HELP,), patience=3),
    Lesson("over", any_game.is_over, patience=0),
)
"""Each lesson is given once. If several lessons are due, the first in this order is given."""
