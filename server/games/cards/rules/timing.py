"""
Timing: how everything that happens is handled. Sections 1.3 to 1.5 and 2.15.

An occurrence goes through moments, in this order (C-DECIDE-4): what *would* be done is replaced;
abilities interrupt *when* it is about to be done; it takes effect; delayed effects come; abilities
resolve *at* it, and *after* it. At each moment the Forced abilities come first, in the order of the
lead, then one window for reactions.

What one effect or step brings about at the same time is one group, with one window of each kind
(C-BABIL-36, C-DECIDE-61). What an ability brings about is handled completely, inside, before the
outer occurrence goes on: the coroutine that waits is the paused sequence (C-NEST-4 to C-NEST-8).
"""

import functools
from collections.abc import Awaitable, Callable, Iterable, Sequence

from content.games.cards.schema.occurrences import Moment
from protocol.common.text import Text
from protocol.games.cards.events import DelayedCame, Told
from server.games.cards.rules import answers, windows
from server.games.cards.rules.play import Occurrence, Play, Source, Use, lead, seat
from server.kernel.asks import Option

NESTING_LIMIT = 40
"""Occurrences nested in each other after which a chain ends. C-DECIDE-53."""
LOOP_LIMIT = 20
"""How often a Forced ability may be under way inside itself. C-DECIDE-53."""

Effect = Callable[[list[Occurrence]], Awaitable[None]]
"""What takes place: a function of the occurrences of a group that were not cancelled."""


async def happen(play: Play, group: Sequence[Occurrence], effect: Effect) -> bool:
    """
    Handle a group of occurrences of one kind from "would" to "after". C-NEST-1, C-BABIL-36.

    Args:
        play: the game.
        group: the occurrences; abilities may cancel or change each of them.
        effect: carries out those that were not cancelled. Until then none has taken effect
            (C-NEST-9). It is carried out even if the card that caused it has left play (C-NEST-10).

    Returns:
        Whether any of them took effect.
    """
    if not group:
        return False
    for one in group:
        one.before = play.table
    if not answers.is_answered(play, group[0].kind):
        # Nothing in this scenario answers it, and nobody can be asked.
        await effect(list(group))
        return True
    if len(play.chain) >= NESTING_LIMIT:
        play.emit(Told(Text("notice/too_deep")))
        return False
    with play.within(group[0].about()):
        for moment in (Moment.WOULD, Moment.WHEN):
            await answer(play, moment, _live(group))
        if not (live := _live(group)):
            return False
        await effect(live)
        await delayed(play, live)
        for moment in (Moment.AT, Moment.AFTER):
            await answer(play, moment, live)
    return True


async def pass_by(play: Play, occurrence: Occurrence) -> None:
    """Handle an occurrence without an effect, such as the end of a phase. C-DECIDE-3."""

    async def nothing(_: list[Occurrence]) -> None:
        return

    await happen(play, [occurrence], nothing)


def _live(group: Iterable[Occurrence]) -> list[Occurrence]:
    """Return the occurrences that were neither cancelled nor replaced. C-BABIL-30."""
    return [one for one in group if not one.is_off]


async def answer(play: Play, moment: Moment, group: Sequence[Occurrence]) -> None:
    """
    Let abilities answer a group at one moment: Forced ones, then reactions. C-BABIL-5.

    Abilities "before enemies engage" come before all others. C-BACT-21, C-DECIDE-54.
    """
    if not group or not answers.has_any(play, moment, group[0].kind):
        return
    for is_first in (True, False):
        await forced(play, moment, group, is_first=is_first)
        found = functools.partial(_reactions, play, moment, group, is_first=is_first)
        await windows.reactions(play, moment, group[0], found)


def _reactions(
    play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool
) -> list[Use]:
    return answers.reactions(play, moment, _live(group), is_first=is_first)


async def forced(
    play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool = False
) -> None:
    """
    Resolve the Forced abilities of a moment; the lead orders several. C-BABIL-4, C-BABIL-6.

    One whose effect could change nothing is left out. Each is looked at again when its turn comes.
    """
    done: set[tuple[str, int, int]] = set()
    while True:
        due = [
            use
            for use in answers.forced(play, moment, _live(group), is_first=is_first)
            if use.key not in done
        ]
        if not due:
            return
        use = due[0]
        if len({(one.code, one.ability) for one in due}) > 1:
            use = await _first_of(play, due)
        done.add(use.key)
        text = Text("about/card", (use.code,))
        if play.chain.count(text) >= LOOP_LIMIT:
            play.emit(Told(Text("notice/loop", (use.code,))))
            continue
        await answers.carry_out(play, use)


async def _first_of(play: Play, due: Sequence[Use]) -> Use:
    options = [Option(use, use.text(), use.points()) for use in due]
    return await play.choose(
        seat(play, lead(play)),
        options,
        rule="C-BABIL-6",
        about=Text("about/forced"),
        prompt=Text("ask/forced", (lead(play),)),
    )


async def delayed(play: Play, group: Sequence[Occurrence]) -> None:
    """Carry out the delayed effects whose moment this is, each once. C-BABIL-21."""
    for effect in play.table.delayed:
        step = play.content.steps[effect.source][effect.step]
        for one in group:
            source = Source(effect.source, "", effect.of, occurrence=one, they=effect.on)
            if answers.is_delayed_for(play, step, one, source):
                play.emit(DelayedCame(effect.number))
                await answers.resolve_inside(play, step, source)
                break
