"""
Twins on the bench: a course that is played twice with other secrets, and what each viewer was sent.

The bench has neither chance nor a network, so that a twin costs milliseconds. What a whole server
sends besides, and when, is compared by the twins of `evenings`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from content.games.cards.schema.pack import Content
from protocol.common.asks import Settle
from protocol.common.chance import Stream
from protocol.event import cut
from protocol.values import evolve
from server.kernel.asks import Ask, Prompt
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA
from tests.kernel.twins import blank
from tests.kit.bench import _words

PEOPLE = (ANNA, BEN, CARA)
A, B, C = range(len(PEOPLE))
"""Their seats."""
SPECTATOR = -1
VIEWERS = (A, B, C, SPECTATOR)
OTHERS = {B, C, SPECTATOR}
"""Those who may not know what Anna knows."""

Wishes = Mapping[int, Sequence[str]]
"""For each seat, words of choices that are taken once each where they are offered, in order."""


class Stage(Bench):
    """
    A bench on which all questions are answered: by wishes, and else by passing.

    A hand lies in the order of its cards once it is mixed, so that only handles which were kept
    could tell when a card came.
    """

    missed: list[str]
    """Wishes that were never offered."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.missed = []

    def shuffle(
        self, pile: str, items: Sequence[str], stream: Stream, knowers: tuple[int, ...] = ()
    ) -> None:
        """Mix a pile: a hand into the order of its cards, a deck as the test has given it."""
        super().shuffle(pile, sorted(items) if knowers else items, stream, knowers)

    def go(self, procedure: Any, wishes: Wishes | None = None) -> None:
        """Drive a rule to its end, and note what was wished and never offered."""
        left = {seat: list(words) for seat, words in (wishes or {}).items()}
        sent = None
        while True:
            try:
                ask = procedure.send(sent)
            except StopIteration:
                self.missed += [word for words in left.values() for word in words]
                return
            if ask is None:
                sent = None
                continue
            self.asked.append(ask)
            self.chains.append(self.game.chain)
            sent = self._answer(ask, _answers(ask, left))


def _answers(ask: Ask[Any], left: dict[int, list[str]]) -> dict[int, tuple[int, ...]]:
    """Return what each seat that is asked takes, as positions."""
    acting = [at for at, prompt in ask.prompts.items() if _wished(prompt, left.get(at, []))]
    if ask.settle is Settle.BESIDE:
        acting = [at for at in acting if at != ask.decides][:1] or [ask.decides]
    elif ask.settle is Settle.ANY_ONE:
        acting = (acting or [min(ask.prompts)])[:1]
    else:
        acting = list(ask.prompts)
    return {at: _picks(ask.prompts[at], left.get(at, [])) for at in acting}


def _wished(prompt: Prompt[Any], left: Sequence[str]) -> list[int]:
    """Return the positions of what the next wish of a seat may mean."""
    return [at for at, one in enumerate(prompt.options) if left and left[0] in _words(one)]


def _picks(prompt: Prompt[Any], left: list[str]) -> tuple[int, ...]:
    taken: list[int] = []
    while len(taken) < prompt.at_most and (found := _wished(prompt, left)):
        left.pop(0)
        taken.append(next(at for at in found if at not in taken))
    if taken:
        return tuple(taken)
    ending = [at for at, one in enumerate(prompt.options) if one.ends]
    return tuple([*ending, *range(len(prompt.options))][: prompt.at_least])


def stage(
    content: Content,
    lay: Callable[[Stage], None],
    *,
    is_strict: bool = False,
    is_begun: bool = True,
) -> Stage:
    """Return a game of three with what a test has laid out in it."""
    made = Stage(content, PEOPLE, is_begun=is_begun)
    if is_strict:
        settings = evolve(made.table.room.settings, strict_windows=True)
        made.table = made.table.with_room(settings=settings)
    lay(made)
    return made


def twins(
    content: Content,
    lays: Sequence[Callable[[Stage], None]],
    course: Callable[[Stage], None],
    **how: Any,
) -> set[int]:
    """
    Play a course from two beginnings; return the viewers who can tell them apart.

    What was laid out counts, too.
    """
    games = [stage(content, lay, **how) for lay in lays]
    for game in games:
        course(game)
    return told_apart(*games)


def told_apart(first: Stage, second: Stage) -> set[int]:
    """Return the viewers who were sent something else in one game than in the other."""
    found = {viewer for viewer in VIEWERS if sent(first, viewer) != sent(second, viewer)}
    # Where the games are not alike a wish may be missed in one of them.
    assert SPECTATOR in found or not first.missed + second.missed
    return found


def sent(game: Stage, viewer: int) -> list[object]:
    """Return what a viewer was sent, with commitments blanked, and what everybody read beside."""
    seat = None if viewer == SPECTATOR else viewer
    shown = [cut(stored, seat) for stored in game.stored]
    records = [(blank(one.public), [(at, o.value) for at, o in one.openings]) for one in shown]
    asked = [
        (one.kind, one.seconds, chain) for one, chain in zip(game.asked, game.chains, strict=True)
    ]
    return [*records, *asked]
