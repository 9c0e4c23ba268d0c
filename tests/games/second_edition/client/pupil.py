"""Brain of a player who follows the lessons of the tutorial."""

import random
from collections import deque

import attrs

from client.bots.brains import SENSIBLE
from client.model.tables import TableView
from protocol.common.asks import Choice, Point, Question
from protocol.games.second_edition.table import Investigator, LockPuzzle, SecondEditionTable
from server.games.second_edition.rules.puzzles.lock import is_open, slides

KEY = "item/clock-key"
CLOCK = Point("token", "token/clock")
PARLOUR = "parlour/a"


@attrs.define
class Pupil:
    """Brain that follows the lessons of the tutorial and otherwise plays as the sensible brain."""

    finder: str = ""
    """Investigator who found the key; empty until then."""

    def picks(self, view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
        game = view.table.game
        wish = self._wish(game, question) if isinstance(game, SecondEditionTable) else None
        return SENSIBLE(view, question, rng) if wish is None else (wish.choice_id,)

    def _wish(self, game: SecondEditionTable, question: Question) -> Choice | None:
        if any("slide_" in choice.text.subject for choice in question.choices):
            (lock,) = (one for one in game.puzzles.values() if isinstance(one, LockPuzzle))
            # Slides are offered in their order, before all else.
            return question.choices[_next_slide(lock)]
        people = game.investigators
        holder = next((who for who in people.values() if _holds_key(who)), None)
        if holder is None:
            return None
        self.finder = self.finder or holder.investigator_id
        if self.finder == holder.investigator_id:
            return _handing_on(game, question, holder)
        if game.active != holder.investigator_id:
            return None
        return _about(question, CLOCK) or _about(question, Point("space", PARLOUR))


def _holds_key(who: Investigator) -> bool:
    return any(one.card == KEY for one in who.possessions)


def _handing_on(
    game: SecondEditionTable, question: Question, holder: Investigator
) -> Choice | None:
    """Return the choice that brings the key to the other investigator, None if there is none."""
    for choice in question.choices:
        if choice.text.subject == "choice/give" and KEY in choice.text.params:
            return choice
    (other,) = (who for who in game.investigators.values() if who != holder)
    if game.active is None or holder.space is None or other.space is None:
        return None
    if holder.space == other.space:
        return next((one for one in question.choices if one.text.subject == "choice/trade"), None)
    target = holder if game.active == other.investigator_id else other
    return _about(question, Point("space", str(target.space)))


def _about(question: Question, point: Point) -> Choice | None:
    return next((one for one in question.choices if point in one.points), None)


def _next_slide(lock: LockPuzzle) -> int:
    """Return the first slide on a shortest way to open a lock."""
    reached = {lock.pieces}
    ways = deque((at, _after(lock, slide)) for at, slide in enumerate(slides(lock)))
    while ways:
        first, now = ways.popleft()
        if is_open(now):
            return first
        if now.pieces not in reached:
            reached.add(now.pieces)
            ways.extend((first, _after(now, slide)) for slide in slides(now))
    raise AssertionError("a lock can be opened")


def _after(lock: LockPuzzle, slide: tuple[int, int]) -> LockPuzzle:
    which, by = slide
    pieces = (one.slid(by) if at == which else one for at, one in enumerate(lock.pieces))
    return attrs.evolve(lock, pieces=tuple(pieces))
