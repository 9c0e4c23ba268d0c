"""
Timing: how everything that happens is handled. Sections 1.3 to 1.5 and 2.15.

An occurrence goes through moments, in the order of `TIMING_ORDER`: what *would* be done is
replaced; abilities interrupt *when* it is about to be done; it takes effect; delayed effects come;
abilities resolve *at* it, and *after* it. At each moment the Forced abilities come first, in the
order of the lead, then one window for reactions.

What one effect or step brings about at the same time is one group, with one window of each kind
(C-BABIL-36, C-DECIDE-61). What an ability brings about is handled completely, inside, before the
outer occurrence goes on: the coroutine that waits is the paused sequence (C-NEST-4 to C-NEST-8).
"""

import functools
from collections.abc import Awaitable, Callable, Sequence

from content.games.cards.schema.occurrences import Moment
from protocol.common.text import Text
from protocol.games.cards.events import DelayedCame, Told
from server.games.cards.rules import answers, windows
from server.games.cards.rules.play import Occurrence, Play, Use, lead, nesting, seat
from server.kernel.asks import Option

TIMING_ORDER = BEFORE, AFTERWARDS = (Moment.WOULD, Moment.WHEN), (Moment.AT, Moment.AFTER)
"""
The moments before an occurrence takes effect, and those after it, each in order.

At each of them the delayed effects come first, those of all later moments right after the
condition; then Forced abilities; then reactions. C-DECIDE-3, C-DECIDE-4.
"""

NESTING_LIMIT = 40
"""Occurrences nested in each other after which a chain ends. C-DECIDE-53."""
LOOP_LIMIT = 20
"""How often a Forced ability may be under way inside itself. C-DECIDE-53."""

Effect = Callable[[list[Occurrence]], Awaitable[None]]
"""What takes place: a function of the occurrences of a group that were not cancelled."""


async def happen(
    play: Play,
    group: Sequence[Occurrence],
    effect: Effect,
    *,
    imminent: Effect | None = None,
) -> bool:
    """
    Handle a group of occurrences of one kind from "would" to "after". C-NEST-1, C-BABIL-36.

    Args:
        play: the game.
        group: the occurrences; abilities may cancel or change each of them.
        effect: carries out those that were not cancelled. Until then none has taken effect
            (C-NEST-9). It is carried out even if the card that caused it has left play (C-NEST-10).
        imminent: carried out once nothing has replaced them, before "when": it pays additional
            costs, and calls off those whose cost is not paid (C-ADD-3, C-ADD-4).

    Returns:
        Whether any of them took effect.
    """
    if not group:
        return False
    for one in group:
        one.before = play.table
    open_, kind = nesting(play), group[0].kind
    is_answered = answers.is_answered(play, kind)
    if is_answered and open_.sequences >= NESTING_LIMIT and not open_.is_ended:
        _end_chain(play, Text("notice/too_deep"))
    if open_.is_ended or not is_answered:
        if imminent is not None:
            await imminent(list(group))
        if live := [one for one in group if not one.is_off]:
            await effect(live)
        # Nothing that was there answers it, but what came with it may.
        if live and answers.is_answered(play, kind) and not open_.is_ended:
            with open_.sequence(), play.within(group[0].about()):
                await _afterwards(play, live)
        return bool(live)
    with open_.sequence(), play.within(group[0].about()):
        for moment in BEFORE:
            await delayed(play, (moment,), group)
            await answer(play, moment, group)
            if imminent is not None and moment is Moment.WOULD:
                await imminent([one for one in group if not one.is_off])
        live = [one for one in group if not one.is_off]
        if not live:
            return False
        for one in live:
            one.before = play.table
        await effect(live)
        await _afterwards(play, live)
    return True


async def _afterwards(play: Play, group: Sequence[Occurrence]) -> None:
    """Let what answers a group come once it has taken effect. C-TIME-1, C-TIME-2."""
    await delayed(play, AFTERWARDS, group)
    for moment in AFTERWARDS:
        await answer(play, moment, group)


async def pass_by(play: Play, occurrence: Occurrence) -> None:
    """Handle an occurrence without an effect, such as the end of a phase. C-DECIDE-3."""

    async def nothing(_: list[Occurrence]) -> None:
        return

    await happen(play, [occurrence], nothing)


def _end_chain(play: Play, notice: Text) -> None:
    """End a chain that would not end, and tell everybody. C-DECIDE-53."""
    nesting(play).is_ended = True
    play.emit(Told(notice))


async def answer(play: Play, moment: Moment, group: Sequence[Occurrence]) -> None:
    """
    Let abilities answer a group at one moment: Forced ones, then reactions. C-BABIL-5.

    Abilities "before enemies engage" come before all others. C-BACT-21, C-DECIDE-54.
    """
    kind = group[0].kind
    has_first = (moment, kind) in play.content.answered_first
    for is_first in (True, False) if has_first else (False,):
        if (moment, kind) in play.content.forced:
            await forced(play, moment, group, is_first=is_first)
        if (moment, kind) in play.content.reacting and not nesting(play).is_ended:
            found = functools.partial(answers.reactions, play, moment, group, is_first=is_first)
            await windows.reactions(play, moment, group[0], found)


async def forced(
    play: Play, moment: Moment, group: Sequence[Occurrence], *, is_first: bool = False
) -> None:
    """
    Resolve the Forced abilities of a moment; the lead orders several. C-BABIL-4, C-BABIL-6.

    One whose effect could change nothing is left out. Each is looked at again when its turn comes.
    """
    done = set()
    while not nesting(play).is_ended:
        due = [
            use
            for use in answers.forced(play, moment, group, is_first=is_first)
            if use.key not in done
        ]
        if not due:
            return
        use = due[0]
        if len({(one.code, one.ability) for one in due}) > 1:
            use = await _first_of(play, due)
        done.add(use.key)
        if nesting(play).abilities.count(use.ability_key) >= LOOP_LIMIT:
            _end_chain(play, Text("notice/loop", (use.code,)))
        else:
            await answers.carry_out(play, use)


async def _first_of(play: Play, due: Sequence[Use]) -> Use:
    mine = seat(play, lead(play))
    options = [
        # The lead orders what it may not read, too. C-BKEY-7.
        Option(use, Text("choice/use_hidden", (use.you,)))
        if use.is_secret and seat(play, use.you) != mine
        else Option(use, use.text(play), use.points())
        for use in due
    ]
    return await play.choose(
        mine,
        options,
        rule="C-BABIL-6",
        about=Text("about/forced"),
        prompt=Text("ask/forced", (lead(play),)),
    )


async def delayed(play: Play, moments: Sequence[Moment], group: Sequence[Occurrence]) -> None:
    """Carry out the delayed effects that come at these moments, each once. C-BABIL-21."""
    for number in [effect.number for effect in play.table.delayed]:
        # One before it may have ended it.
        effect = next((one for one in play.table.delayed if one.number == number), None)
        one = None if effect is None else answers.awaited_by(play, effect, moments, group)
        if effect is not None and one is not None:
            play.emit(DelayedCame(number))
            await answers.carry_out_delayed(play, effect, one)
