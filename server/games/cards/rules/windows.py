"""
Windows: whom a window asks, and how it closes. C-REACT-1, C-REACT-2, C-BWIN-1, C-BWIN-2.

Under *who can* a window asks the seats that could use something in it; that a seat was asked is all
that others learn. Under *strict* it asks every seat that public facts do not rule out, so that not
even that is told (C-DECIDE-6, C-DECIDE-52). Either way the first use settles what happens next and
opens the window again for all who can act then; it closes when all who are asked have passed since
(C-DECIDE-5).
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from content.games.cards.schema.occurrences import Moment
from protocol.common.text import Text
from protocol.games.cards.table import InvestigatorId, hand_of
from server.games.cards.rules import answers, outcomes
from server.games.cards.rules.play import Key, Occurrence, Play, Use, seat
from server.kernel.asks import Option, Prompt

T = TypeVar("T")


async def reactions(
    play: Play, moment: Moment, about: Occurrence, found: Callable[[], list[Use]]
) -> None:
    """
    Hold the window of a moment for a group of occurrences.

    What could be used when the window opened can be used as long as it is open (C-BABIL-35), each
    once for each occurrence (C-BABIL-7). Using one reaction keeps nobody from using another one
    (C-REACT-3).

    A card that enters play while the window is open, or comes into a hand, can answer in it too. A
    use opens the window again for all who can act *then* (C-DECIDE-5); an ability works as soon as
    its card is in play (C-BZONE-9), and no rule asks that it was there when the occurrence came.
    """
    offered: dict[tuple[InvestigatorId, Key], Use] = {}
    used: set[Key] = set()
    kind = f"{moment.value}/{about.kind.value}"
    # Packs are public, so everybody knows whether a card in a hand could answer.
    codes = play.content.reacting[moment, about.kind]
    from_hands = not codes.isdisjoint(play.content.in_hands)
    while True:
        offered.update({(use.you, use.key): use for use in found()})
        usable = [
            use
            for use in offered.values()
            if use.key not in used
            and not (use.occurrence is not None and use.occurrence.is_off)
            and answers.is_usable(play, use)
        ]
        use = await _ask(play, usable, kind, about.about(), from_hands=from_hands)
        if use is None:
            return
        used.add(use.key)
        await answers.carry_out(play, use)


async def player_window(
    play: Play,
    name: str,
    about: Text | None = None,
    prompt: Callable[[], Text] | None = None,
    group: Callable[[Use], str] | None = None,
) -> None:
    """
    Hold a player window: free abilities, and Fast cards. C-BWIN-1, C-BWIN-2.

    Args:
        play: the game.
        name: what the window is at, such as `test-began`; the last part of its kind.
        about: what the window is about, if not the moment that its kind names.
        prompt: returns the question as things stand then, if not the usual one.
        group: returns the group under which a use is offered, if not by its cost.
    """
    kind = f"window/{name}"
    while True:
        usable = answers.free(play, *play.table.order)
        told = about or Text(kind)
        use = await _ask(play, usable, kind, told, from_hands=True, prompt=prompt, group=group)
        if use is None:
            return
        await answers.carry_out(play, use)


async def _ask(
    play: Play,
    usable: Sequence[Use],
    kind: str,
    about: Text,
    *,
    from_hands: bool,
    prompt: Callable[[], Text] | None = None,
    group: Callable[[Use], str] | None = None,
) -> Use | None:
    """Ask the seats that could use something, or all that public facts leave. C-SECRET-31."""
    by_seat: dict[int, list[Option[Use | None]]] = {}
    if from_hands and is_strict(play):
        by_seat = {seat(play, who): [] for who in holders(play)}
    for use in usable:
        text = outcomes.to_use(play, use)
        by = functools.partial(outcomes.group_by_cost, play) if group is None else group
        under = outcomes.group_of(play, use) or by(use)
        option: Option[Use | None] = Option(use, text, use.points(), under)
        by_seat.setdefault(seat(play, use.you), []).append(option)
    if not by_seat:
        return None
    asked = Text("ask/window", (about,)) if prompt is None else prompt()
    prompts = {at: Prompt(asked, (*options, passing())) for at, options in sorted(by_seat.items())}
    return await first_use(play, prompts, rule="C-BWIN-2", about=about, kind=kind)


def is_strict(play: Play) -> bool:
    """Return whether the table has strict windows. C-DECIDE-52."""
    return play.has_strict_windows


def holders(play: Play) -> Iterator[InvestigatorId]:
    """
    Yield the investigators of whom nobody knows that their hands could do nothing. C-DECIDE-52.

    Those without a card in hand are ruled out, and those whom Peril keeps out.
    """
    for who in play.table.order:
        if play.table.piles.get(hand_of(who)) and not answers.is_kept_out(play, who):
            yield who


async def first_use(
    play: Play, prompts: Mapping[int, Prompt[T | None]], *, rule: str, about: Text, kind: str
) -> T | None:
    """
    Ask seats whether they use something; return the use that is carried out, None if all pass.

    Under *who can* it is that of the first to answer (C-DECIDE-44). Under *strict* the answers are
    opened together when the window closes, and the first in player order is taken (C-DECIDE-5);
    where people answer over days no window can be timed, and all who are asked have to answer.
    At a table with stops the kernel settles the window at once unless a seat has a stop there. Then
    it waits for everybody whom it asks, for as long as a timed one: longer than C-DECIDE-52 says,
    which waits for the seats with a stop alone, so that nobody is cut off who is about to answer.
    """
    if not prompts:
        return None
    if not is_strict(play) or play.is_by_calendar:
        acted = await play.first_to_act(prompts, rule=rule, about=about, kind=kind)
        return None if acted is None else acted[1]
    picks = await play.window(prompts, rule=rule, about=about, kind=kind)
    in_order = [seat(play, who) for who in play.table.order]
    return next((picks[at][0] for at in in_order if at in picks), None)


def passing() -> Option[Any]:
    """Return the option to pass."""
    return Option(None, Text("choice/pass"), ends=True)
