"""The lessons of the first edition: some for both roles, and some for one of them."""

from client.games.first_edition.keys import MONSTERS, OBJECTIVE
from client.games.first_edition.odds import open_test
from client.keymap.keys import Action
from client.plugs import lessons as any_game
from client.plugs.lessons import Glance, Lesson, is_asked
from protocol.games.first_edition.table import FirstEditionTable, KeeperStep, Phase


def _game(at: Glance) -> FirstEditionTable | None:
    return at.game if isinstance(at.game, FirstEditionTable) else None


def _has_group(at: Glance, group: str) -> bool:
    choices = at.question.choices if at.question is not None else ()
    return is_asked(at) and any(choice.group == group for choice in choices)


def _is_laying_out(at: Glance) -> bool:
    """Return whether the keeper answers the story, or an investigator chooses traits."""
    game = _game(at)
    is_one = at.question is not None and at.question.at_most == 1
    return is_asked(at) and is_one and game is not None and game.phase is Phase.SETUP


def _may_strike(at: Glance) -> bool:
    may = at.interruption
    return may is not None and any(choice.group == "mythos" for choice in may.choices)


def _has_trauma(at: Glance) -> bool:
    asked = at.interruption or at.question
    return asked is not None and any(choice.group == "trauma" for choice in asked.choices)


def _acts(at: Glance) -> bool:
    """Return whether the keeper chooses a keeper action."""
    return _has_group(at, "keeper")


def _acts_later(at: Glance) -> bool:
    """Return whether the keeper chooses a keeper action after the first round."""
    game = _game(at)
    return _acts(at) and game is not None and game.round_number > 1


def _attacks(at: Glance) -> bool:
    game = _game(at)
    return is_asked(at) and game is not None and game.step is KeeperStep.ATTACKS


def _is_in_turn(at: Glance) -> bool:
    """Return whether the player takes a turn with an investigator."""
    game = _game(at)
    return is_asked(at) and game is not None and game.active is not None and not game.step


def _may_look(at: Glance) -> bool:
    return _is_in_turn(at) and _has_group(at, "look")


def _tests(at: Glance) -> bool:
    game = _game(at)
    return is_asked(at) and game is not None and open_test(game) is not None


def _is_near_monsters(at: Glance) -> bool:
    game = _game(at)
    return _is_in_turn(at) and game is not None and bool(game.monsters)


def _is_later(at: Glance) -> bool:
    """Return whether the player takes a turn after the first round."""
    game = _game(at)
    return _is_in_turn(at) and game is not None and game.round_number > 1


_BEFORE = (
    Lesson("lobby", any_game.is_ready, (Action.START,), patience=0),
    Lesson("unready", any_game.is_unready, (Action.READY,), patience=0),
    Lesson("story", any_game.reads_story, (Action.BACK,), has_plain=False),
    Lesson("box", any_game.reads_box, (Action.BACK,), patience=0, has_plain=False),
    Lesson("shelf", any_game.reads_list, (Action.BACK,), patience=0, has_plain=False),
    Lesson("record", any_game.reads_journal, (Action.BACK,), patience=0, has_plain=False),
    Lesson("several", any_game.may_take_several),
)
_AFTER = (
    Lesson("help", is_asked, (Action.HELP,), patience=3),
    Lesson("over", any_game.is_over, patience=0),
)

KEEPERS = (
    *_BEFORE,
    Lesson("keeper_answers", _is_laying_out),
    Lesson("keeper_strike", _may_strike, stays=True),
    Lesson("keeper_trauma", _has_trauma, stays=True),
    Lesson("keeper_actions", _acts),
    Lesson("keeper_guide", _acts, (OBJECTIVE,), patience=2),
    Lesson("keeper_attacks", _attacks),
    Lesson("keeper_hand", _acts_later, (Action.CARDS,), patience=2),
    Lesson("keeper_monsters", _acts_later, (MONSTERS,), patience=2),
    Lesson("refused", any_game.has_refused),
    Lesson("keeper_journal", _acts_later, (Action.JOURNAL,), patience=2),
    *_AFTER,
)
"""Each lesson is given once. If several lessons are due, the first in this order is given."""

INVESTIGATORS = (
    *_BEFORE,
    Lesson("traits", _is_laying_out),
    Lesson("test", _tests),
    # A turn takes several answers.
    Lesson("turn", _is_in_turn, patience=2),
    Lesson("board", _is_in_turn),
    Lesson("explore", _may_look),
    Lesson("monsters", _is_near_monsters, (MONSTERS,), patience=2),
    Lesson("refused", any_game.has_refused),
    Lesson("cards", _is_later, (Action.CARDS,), patience=2),
    Lesson("clues", _is_later, (OBJECTIVE,), patience=2),
    Lesson("keeper_near", _is_later, (Action.JOURNAL,), patience=2),
    *_AFTER,
)
"""The same for investigators."""
