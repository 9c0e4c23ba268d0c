"""
Pool: what the keeper answers before the game, and the hidden actions that are taken for it.

The answers to the story and the hidden actions are parts of one row, and a bot answers each part by
itself. They must fit together all the same, so the lot that answers the story comes from the salt
of the row: every part finds it again, and nobody but this seat was sent it.
"""

import random
from collections.abc import Mapping, Sequence

from client.games.first_edition.bot.advice import CARDS
from client.games.first_edition.bot.advice.forms import Advice, Power
from client.games.first_edition.bot.seen import OpenTable
from client.model.tables import TableView
from protocol.common.asks import Choice, Question
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.table import CardId, FirstEditionTable
from protocol.values import evolve

_STORY, _ACTIONS = "ask/story", "ask/take_actions"
PROMPTS = frozenset([_STORY, _ACTIONS])
"""Questions that are answered here."""
LIKING: Mapping[Power | None, float] = {
    Power.RITUAL: 60.0,
    Power.EXPLORES: 55.0,
    Power.BRINGS_MONSTER: 50.0,
    Power.MOVES: 45.0,
    Power.CURSES: 40.0,
    Power.DRAWS_MYTHOS: 40.0,
    Power.HARMS: 40.0,
    Power.DRAWS_TRAUMA: 35.0,
    Power.DIGS: 35.0,
    Power.LEADS_PEOPLE: 35.0,
    Power.HURTS_ALLIES: 35.0,
    Power.LEADS_ALLIES: 30.0,
}
"""Points of a hidden action by its effect; any other has 30."""
WHIM = 30.0
"""Most points that chance adds, so that all actions come up over many games."""
AGAIN = 15.0
"""Points less for each action taken already that does the same."""


def worths(
    view: TableView,
    game: FirstEditionTable,
    advice: Advice,
    question: Question,
    rng: random.Random,
) -> Sequence[float]:
    """Return the points of each choice of a question before the game."""
    if question.prompt.subject == _STORY:
        meant = _meant(view, question, rng)
        return [100.0 if choice is meant else 0.0 for choice in question.choices]
    own = view.my_question()
    story = [part for part in own.row if part.prompt.subject == _STORY] if own else []
    given = {
        str(at): _name(_meant(view, part, rng)).rpartition("/")[2] for at, part in enumerate(story)
    }
    known = OpenTable(view, evolve(game, answers=hidden(given)))
    return _by_rank(_mixed(advice, known, question, rng), question)


def _meant(view: TableView, question: Question, rng: random.Random) -> Choice:
    """Return the answer to a question of the story, the same in all parts of a row."""
    ask = view.ask
    sealed = None if ask is None or view.seat is None else ask.questions.get(view.seat)
    if sealed is not None:
        sequence, slot = sealed.ref
        salts = {at: opening.salt for at, opening in view.cuts[sequence].openings}
        if slot in salts:
            rng = random.Random(salts[slot] + repr(question.prompt).encode())
    return rng.choice(question.choices)


def _name(choice: Choice) -> str:
    """Return the subject of the option that a choice names."""
    (option,) = choice.text.params
    return option.subject if isinstance(option, Text) else str(option)


def _mixed(
    advice: Advice, known: OpenTable, question: Question, rng: random.Random
) -> list[CardId]:
    """Return the actions that can be taken, the best first: one of each power before a second."""
    left = {str(choice.text.params[0]): rng.uniform(0.0, WHIM) for choice in question.choices}
    for card in left:
        if (answer := advice.picks.get(card)) is not None:
            left[card] += known.worth(answer)
        else:
            left[card] += LIKING.get(CARDS.actions.get(card), 30.0)
    taken: list[CardId] = []
    while left:
        power_of = CARDS.actions.get
        best = max(
            left,
            key=lambda card: left[card] - AGAIN * [*map(power_of, taken)].count(power_of(card)),
        )
        taken.append(best)
        del left[best]
    return taken


def _by_rank(cards: Sequence[CardId], question: Question) -> Sequence[float]:
    """Return points that fall from the first card to the last."""
    return [100.0 - cards.index(str(choice.text.params[0])) for choice in question.choices]
