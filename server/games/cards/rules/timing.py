"""
Timing: how everything that happens is handled. Sections 1.3 to 1.5 and 2.15.

An occurrence goes through moments, in the order of `TIMING_ORDER`: what *would* be done is
replaced; abilities interrupt *when* it is about to be done; it takes effect; delayed effects come;
abilities resolve *at* it, and *after* it. At each moment the Forced abilities come first, in the
order of the lead, then one window for reactions.

What one effect or step brings about at the same time is one group, with one window of each kind
(C-BABIL-36, C-DECIDE-61). What an ability brings about is handled completely, inside, before the
outer occurrence goes on: the coroutine that waits is the paused sequence (C-NEST-4 to C-NEST-8).

Where one effect does different things with several investigators, each of these things runs until
an occurrence is due in it, and waits there for the others; then occurrences of one kind are one
group (`at_once`, C-BABIL-28).
"""

import functools
import types
from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import Any

import attrs

from content.games.cards.schema.occurrences import Moment
from protocol.common.text import Text
from protocol.games.cards.events import DelayedCame, Told
from server.games.cards.rules import answers, outcomes, windows
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
"""Maximum depth of a Forced ability inside itself. C-DECIDE-53."""

Effect = Callable[[list[Occurrence]], Coroutine[Any, Any, None]]
"""Carries out the occurrences of a group that were not cancelled."""


async def happen(
    play: Play,
    group: Sequence[Occurrence],
    effect: Effect,
    *,
    imminent: Effect | None = None,
) -> bool:
    """
    Handle a group of occurrences of one kind from "would" to "after". C-NEST-1, C-BABIL-36.

    What is replaced does not take place (C-BABIL-13); that is settled before "when" (C-BABIL-14).
    A "when" ability resolves before the occurrence takes effect, an "after" ability once it has
    (C-NEST-2, C-NEST-3).

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
    if play.shared.get(AT_ONCE):
        return await _Due(group, effect, imminent)
    await play.pause()
    for one in group:
        one.before = play.table
    open_, kind = nesting(play), group[0].kind
    may_be = answers.may_be_answered(play, kind)
    if may_be and open_.sequences >= NESTING_LIMIT and not open_.is_ended:
        _end_chain(play, Text("notice/too_deep"))
    if open_.is_ended or not may_be:
        if imminent is not None:
            await imminent(list(group))
        if live := [one for one in group if not one.is_off]:
            await effect(live)
        # Nothing that was there answers it, but what came with it may.
        if live and answers.may_be_answered(play, kind) and not open_.is_ended:
            with open_.sequence(), play.within(group[0].about()):
                await _afterwards(play, live)
        return bool(live)
    with open_.sequence(), play.within(group[0].about()):
        # Whether anything does answer it may follow from a hand. It is looked at beforehand because
        # most occurrences are not answered; nobody sees a difference, not even by `within`.
        is_answered = answers.is_answered(play, kind)
        for moment in BEFORE:
            if is_answered:
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
        if answers.is_answered(play, kind):
            await _afterwards(play, live)
    return True


async def _afterwards(play: Play, group: Sequence[Occurrence]) -> None:
    """Let what answers a group come once it has taken effect. C-TIME-1, C-TIME-2, C-DECIDE-4."""
    await delayed(play, AFTERWARDS, group)
    for moment in AFTERWARDS:
        await answer(play, moment, group)


async def pass_by(play: Play, occurrence: Occurrence) -> None:
    """Handle an occurrence without an effect, such as the end of a phase. C-DECIDE-3."""

    async def nothing(_: list[Occurrence]) -> None:
        return

    await happen(play, [occurrence], nothing)


# Several things at once

AT_ONCE = "at once"
"""True in `Game.shared` while one of several things runs that are carried out at once."""
Thing = Coroutine[Any, Any, None]


@attrs.define(eq=False)
class _Due:
    """A group of occurrences that waits for those of other things; its result is that of `happen`.

    One without occurrences waits until all other things are carried out.
    """

    group: Sequence[Occurrence] = ()
    effect: Effect | None = None
    imminent: Effect | None = None
    live: list[Occurrence] = attrs.field(factory=list)
    """Occurrences that nothing has cancelled or replaced."""

    def __await__(self) -> Generator["_Due", bool, bool]:
        return (yield self)


async def at_once(play: Play, things: Sequence[Thing]) -> None:
    """
    Carry out several things at once, after all choices that they ask for. C-BABIL-28, C-BABIL-36.

    What is done alone (`alone`) comes last, in the given order (C-BABIL-37).
    """
    going_on: list[tuple[Thing, bool | None]] = [(thing, None) for thing in things]
    last: list[Thing] = []
    try:
        while going_on:
            due = []
            for thing, took_effect in going_on:
                found = await _go_on(play, thing, took_effect=took_effect, is_at_once=True)
                if found is not None and found.group:
                    due.append((thing, found))
                elif found is not None:
                    last.append(thing)
            kinds: dict[Any, list[_Due]] = {}
            for _, found in due:
                kinds.setdefault(found.group[0].kind, []).append(found)
            await _happen_together(play, list(kinds.values()), [found for _, found in due])
            going_on = [(thing, bool(found.live)) for thing, found in due]
        if last:
            await alone(play)
        for thing in last:
            await _go_on(play, thing)
    finally:
        for thing in things:
            thing.close()


async def alone(play: Play) -> None:
    """Wait until everything that happens at once has been carried out. C-BABIL-37."""
    if play.shared.get(AT_ONCE):
        await _Due()


@types.coroutine
def _go_on(
    play: Play, thing: Thing, *, took_effect: bool | None = None, is_at_once: bool = False
) -> Generator[Any, Any, _Due | None]:
    """Run a thing until occurrences are due in it, which are returned; None if it is over."""
    before = play.shared.get(AT_ONCE, False)
    play.shared[AT_ONCE] = is_at_once
    try:
        asked = thing.send(took_effect)
        while not isinstance(asked, _Due):
            asked = thing.send((yield asked))
    except StopIteration:
        return None
    finally:
        play.shared[AT_ONCE] = before
    return asked


async def _happen_together(
    play: Play, kinds: Sequence[Sequence[_Due]], due: Sequence[_Due]
) -> None:
    """Handle occurrences of several kinds: all moments before, all effects, all moments after."""
    if not kinds:
        effects = [one.effect(one.live) for one in due if one.effect is not None and one.live]
        await at_once(play, effects)
        return
    *others, of_kind = kinds

    async def imminent(live: list[Occurrence]) -> None:
        for one in of_kind:
            mine = [each for each in one.group if each in live]
            if one.imminent is not None and mine:
                await one.imminent(mine)

    async def effect(live: list[Occurrence]) -> None:
        for one in of_kind:
            one.live = [each for each in one.group if each in live]
        await _happen_together(play, others, due)

    group = [each for one in of_kind for each in one.group]
    if not await happen(play, group, effect, imminent=imminent):
        await _happen_together(play, others, due)


# Answers


def _end_chain(play: Play, notice: Text) -> None:
    """End a chain that would not end, and tell everybody. C-DECIDE-53."""
    nesting(play).is_ended = True
    play.emit(Told(notice))


async def answer(play: Play, moment: Moment, group: Sequence[Occurrence]) -> None:
    """
    Let abilities answer a group at one moment: Forced ones, then reactions. C-BABIL-5.

    Abilities "before enemies engage" come before all others, whether there are enemies or not
    (C-BACT-21, C-DECIDE-54, C-REACT-5).
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
            _end_chain(play, Text("notice/loop", (use.source().public_name,)))
        else:
            await answers.carry_out(play, use)


async def _first_of(play: Play, due: Sequence[Use]) -> Use:
    mine = seat(play, lead(play))
    options = [
        # The lead orders what it may not read, too. C-BKEY-7.
        Option(use, Text("choice/use_hidden", (use.you,)))
        if use.is_secret and seat(play, use.you) != mine
        else Option(
            use,
            Text("choice/use_nth", (outcomes.named(play, use), outcomes.sentence(use))),
            use.points(),
        )
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
