"""
Draws: what the scenario and the keeper leave to chance.

* `draw_entry`: one of several that anybody may count, picked in view of all, such as the texts of a
  monster. The texts themselves are not known before they are drawn. Rule SECRET-13.
* `draw_unseen`: one of several that may depend on secrets. What was picked and among how many stays
  sealed, and it is drawn among one or none too: else the draw itself would tell that there was one.
* `deal`: the same for what players do not cause, such as the next Mythos event: a fixed setup holds
  the same whatever the players do.

In a log of version 1 all three are picks in view of all, and one alone is taken without a draw.

What follows from a secret choice must look the same whatever was chosen. `behind_a_secret` sees to
it: the draws in it are all of one kind and purpose, and as many as the longest way of it can take.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.targets import Who
from protocol.common.chance import Stream
from server.games.second_edition.rules import memory
from server.games.second_edition.rules.play import Play

T = TypeVar("T")

NOTHING = "-"
"""What is drawn where nothing can come, and where there is nothing to draw."""
SECRET = "secret choice"  # noqa: S105  # what a rule is in the middle of
_MADE = "x"
"""The name under which is remembered how many draws were made behind a secret choice."""


def draw_entry(play: Play, purpose: str, entries: Sequence[T]) -> T:
    """Return one of these in view of all; where there is one only, chance is not asked."""
    if len(entries) == 1:
        return entries[0]
    if SECRET in play.under_way:
        return entries[_draw_behind(play, len(entries))]
    return play.pick(purpose, entries)


def draw_unseen(play: Play, purpose: str, entries: Sequence[T], weights: Sequence[int]) -> T | None:
    """Return one of these, each as likely as its weight says; None where there is none."""
    weighted = _by_weight(entries, weights)
    if play.version == 1:
        return _draw_openly(play, purpose, entries, weighted)
    if SECRET in play.under_way:
        return weighted[_draw_behind(play, len(weighted))] if weighted else None
    at = play.pick_secretly(purpose, range(len(weighted)) or (-1,))
    return None if at < 0 else weighted[at]


def deal(
    play: Play,
    purpose: str,
    entries: Sequence[T],
    *,
    weights: Sequence[int] | None = None,
    name: Callable[[T], str] = str,
    before: str = "",
) -> T | None:
    """
    Return one of these as the setup has it; None where there is none.

    Args:
        play: the game.
        purpose: of the draw, for all to read.
        entries: what can come.
        weights: how likely each is beside the others; equally, if nothing is said.
        name: names an entry, the same in every game.
        before: the purpose in logs of version 1.
    """
    weighted = _by_weight(entries, weights or [1] * len(entries))
    if play.version == 1:
        return _draw_openly(play, before, entries, weighted)
    if SECRET in play.under_way:
        return weighted[_draw_behind(play, len(weighted))] if weighted else None
    named = {
        f"{name(entry)}#{copy}" if weights else name(entry): entry
        for entry, weight in zip(entries, weights or [1] * len(entries), strict=True)
        for copy in range(1, weight + 1)
    }
    return named.get(play.deal(purpose, tuple(named) or (NOTHING,)))


def stream_of_puzzles(play: Play) -> Stream:
    """Return the stream that puzzles are laid out from: as the setup has them."""
    return Stream.SETUP if play.version == 1 else Stream.DEAL


def _by_weight(entries: Sequence[T], weights: Sequence[int]) -> list[T]:
    return [entry for entry, weight in zip(entries, weights, strict=True) for _ in range(weight)]


def _draw_openly(play: Play, purpose: str, entries: Sequence[T], weighted: Sequence[T]) -> T | None:
    if len(entries) < 2:
        return next(iter(entries), None)
    return play.pick(purpose, weighted)


# Behind a secret choice ----------------------------------------------------------------------


@contextmanager
def behind_a_secret(play: Play, ways: Sequence[Effect]) -> Iterator[None]:
    """
    Resolve one of these ways within this context; only the actor knows which.

    It leaves as many draws on the log as the longest of the ways can take, all of one kind and
    purpose. What else a way does for all to see is the author's to tell.
    """
    if play.version == 1 or SECRET in play.under_way:
        # A secret within a secret: the outer one counts its draws along with its own.
        yield
        return
    before = _made(play)
    play.under_way.add(SECRET)
    try:
        yield
    finally:
        play.under_way.discard(SECRET)
    # Draws of nothing make up for what the way that was taken did not draw.
    for _ in range(_longest(play, ways) - (_made(play) - before)):
        play.deal(SECRET, (NOTHING,))


def _made(play: Play) -> int:
    """Return how many draws were made behind secret choices so far."""
    return memory.number(play, _MADE) or 0


def _draw_behind(play: Play, count: int) -> int:
    memory.remember(play, _MADE, _made(play) + 1)
    return play.deal(SECRET, tuple(range(count)))


def _longest(play: Play, ways: Iterable[Effect], called: frozenset[str] = frozenset()) -> int:
    """Return how many draws the longest of several effects can take out of sight."""
    return max((sum(_draws_of(play, step, called) for step in way) for way in ways), default=0)


def _draws_of(play: Play, step: schema.Step, called: frozenset[str]) -> int:
    scenario = play.content.scenario
    match step:
        case schema.Deal():
            return 1
        case schema.OneOf():
            return 1 + _longest(play, (way.effect for way in step.ways), called)
        case schema.Draw():
            return 1 + _longest(play, (card.effect for card in scenario.decks[step.deck]), called)
        case schema.When():
            return _longest(play, (step.then, step.otherwise), called)
        case schema.Choose():
            return _longest(play, (option.effect for option in step.options), called)
        case schema.ForEach():
            each = _longest(play, (step.effect,), called)
            return (step.who is Who.RANDOM) + len(play.table.investigators) * each
        case schema.Call() if step.effect not in called:
            inner = called | {step.effect}
            return _longest(play, (scenario.effects[step.effect],), inner)
        case _:
            return 0
