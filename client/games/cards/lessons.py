"""The lessons of the card game, with the moments that no other game has."""

from client.games.cards.keys import BAG, LOCATIONS, OBJECTIVE
from client.keymap.keys import Action
from client.plugs import lessons as any_game
from client.plugs.lessons import Glance, Lesson, is_asked
from protocol.common.text import Text
from protocol.games.cards.table import CardsTable

FAR_TOO_STRONG = 3
"""The lead of an enemy over its opponent from which the advice is to evade it."""


def _game(at: Glance) -> CardsTable | None:
    return at.game if isinstance(at.game, CardsTable) else None


def _asks(*subjects: str) -> any_game.Moment:
    """Return the moment at which one of these questions is asked."""

    def moment(at: Glance) -> bool:
        return is_asked(at) and at.question is not None and at.question.prompt.subject in subjects

    return moment


_is_in_turn = _asks("ask/action")
_is_in_window = _asks("ask/window", "ask/window_before", "ask/window_token")


PLAYS = (
    *("choice/play_for", "choice/play_over", "choice/play_over_this"),
    *("choice/play_event", "choice/play_to"),
)
"""Choices that play a card for an action."""


HOW = ("", "one_", "shared_")
"""How a question of who takes harm is asked: in marks, for one point, for several and one asset."""


def _offers(at: Glance, subject: str) -> list[Text]:
    """Return the choices of a kind that a turn offers."""
    if not _is_in_turn(at) or at.question is None:
        return []
    return [choice.text for choice in at.question.choices if choice.text.subject == subject]


def _may_play(at: Glance) -> bool:
    return any(_offers(at, subject) for subject in PLAYS)


def _may_fight(at: Glance) -> bool:
    return bool(_offers(at, "choice/fight"))


def _may_advance(at: Glance) -> bool:
    return bool(_offers(at, "choice/advance_act"))


def _had_better_run(at: Glance) -> bool:
    """Return whether an enemy here is far stronger than the investigator in its turn."""
    for fight in _offers(at, "choice/fight"):
        mine, its, *_ = (number for number in fight.params if isinstance(number, int))
        if its - mine >= FAR_TOO_STRONG:
            return True
    return False


def _is_nested(at: Glance) -> bool:
    """Return whether something may be used while one thing is resolved within another."""
    ask = at.view.ask if at.view is not None else None
    return _is_in_window(at) and ask is not None and len(ask.within) > 1


def _is_later(at: Glance) -> bool:
    """Return whether the player is asked anything after the first round."""
    game = _game(at)
    return is_asked(at) and game is not None and game.round_number > 1


def _is_later_turn(at: Glance) -> bool:
    return _is_later(at) and _is_in_turn(at)


LESSONS = (
    Lesson("lobby", any_game.is_ready, (Action.START,), patience=0),
    Lesson("unready", any_game.is_unready, (Action.READY,), patience=0),
    Lesson("story", any_game.reads_story, (Action.BACK,), has_plain=False),
    Lesson("box", any_game.reads_box, (Action.BACK,), patience=0, has_plain=False),
    Lesson("shelf", any_game.reads_list, (Action.BACK,), patience=0, has_plain=False),
    Lesson("record", any_game.reads_journal, (Action.BACK,), patience=0, has_plain=False),
    Lesson("mulligan", _asks("ask/mulligan")),
    Lesson("several", any_game.may_take_several),
    Lesson("doom", _is_later),
    Lesson("commit", _asks("ask/commit")),
    Lesson("harm", _asks(*(f"ask/{how}{kind}" for how in HOW for kind in ("damage", "horror")))),
    Lesson("nested", _is_nested),
    Lesson("window", _is_in_window),
    Lesson("advance", _may_advance),
    Lesson("evade", _had_better_run),
    Lesson("fight", _may_fight),
    Lesson("turn", _is_in_turn),
    Lesson("board", _is_in_turn, (Action.WHOLE_MAP, LOCATIONS)),
    Lesson("play", _may_play),
    Lesson("objective", _is_in_turn, (OBJECTIVE,)),
    Lesson("refused", any_game.has_refused),
    Lesson("cards", _is_in_turn, (Action.CARDS,)),
    Lesson("bag", _is_later_turn, (BAG,)),
    Lesson("journal", _is_later_turn, (Action.JOURNAL, Action.PAGE_UP)),
    Lesson("help", _is_in_turn, (Action.HELP,), patience=3),
    Lesson("over", any_game.is_over, patience=0),
)
"""Each lesson is given once. If several lessons are due, the first in this order is given."""
