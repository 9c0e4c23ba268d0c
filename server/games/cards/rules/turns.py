"""Turns and actions spent: normal and additional ones, lost ones. Sections 1.7 and 2.5."""

from collections.abc import Sequence

from content.games.cards.schema.kinds import Deed
from content.games.cards.schema.modifiers import ExtraActionModifier, NoAction
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.steps import LastingStep
from protocol.common.text import Text
from protocol.games.cards.events import ActionsSet, LastingEnded, TurnBegan, TurnEnded
from protocol.games.cards.table import ExtraAction, InvestigatorId, Lasting
from protocol.games.cards.words import Until
from server.games.cards.rules import timing, values
from server.games.cards.rules.play import Occurrence, Play, Source, end_periods, seat, step_of
from server.kernel.asks import Option

ACTIONS = 3
"""Normal actions of a turn. C-XACT-7."""


def reset(play: Play) -> None:
    """Give everybody the actions of the next round. C-BUPK-1, C-XACT-7."""
    for who in play.table.order:
        one = play.table.investigators[who]
        play.emit(ActionsSet(who, ACTIONS, extra_of(play, who), one.actions_lost))


def extra_of(play: Play, who: InvestigatorId) -> tuple[ExtraAction, ...]:
    """Return the additional actions that cards give an investigator in each turn. C-XACT-1."""
    return tuple(
        ExtraAction(source.public_name, tuple(deed.value for deed in one.only), one.traits)
        for one, source in values.given(play, ExtraActionModifier)
        if source.you == who
    )


async def begin(play: Play, who: InvestigatorId) -> None:
    """Begin a turn, without the actions that were lost beforehand. C-BTURN-2, C-DECIDE-38."""
    lost = play.table.investigators[who].actions_lost
    play.emit(TurnBegan(who, extra_of(play, who)))
    if lost:
        await lose(play, who, lost, Source(who, play.table.investigators[who].card, who))
    await timing.pass_by(play, Occurrence(Happening.TURN_BEGINS, who=who))


async def end(play: Play, who: InvestigatorId) -> None:
    """
    End a turn; actions left are lost. C-BTURN-3, C-BTURN-8.

    What lasts until the end of the turn stops at this moment, even in the middle of an ability
    (C-TIME-4).
    """
    if play.table.active != who:
        return
    await timing.pass_by(play, Occurrence(Happening.TURN_ENDS, who=who))
    if play.table.active == who:
        play.emit(TurnEnded(who))
    end_periods(play, Until.ACTION, Until.TURN)


def kinds_of(deeds: Sequence[Deed], traits: Sequence[str]) -> tuple[str, ...]:
    """Return what an additional action can be for: designators and traits. C-XACT-1."""
    return (*(deed.value for deed in deeds), *traits)


def can_spend(play: Play, who: InvestigatorId, number: int, *kinds: str) -> bool:
    """Return whether an investigator has so many actions for a deed. C-XACT-1, C-DECIDE-39."""
    one = play.table.investigators[who]
    fitting = [extra for extra in one.extra if fits(extra, kinds)]
    return one.actions + min(1, len(fitting)) >= number or free_by(play, who, kinds) is not None


def fits(extra: ExtraAction, kinds: Sequence[str]) -> bool:
    """Return whether an additional action may be used for something."""
    return all(not needed or set(needed) & set(kinds) for needed in (extra.deeds, extra.traits))


def free_by(play: Play, who: InvestigatorId, kinds: Sequence[str]) -> Lasting | None:
    """Return the lasting effect by which the next action of a kind costs none."""
    for effect in play.table.lasting:
        _, step = step_of(play, effect)
        assert isinstance(step, LastingStep)
        gives = [one for one in step.gives if isinstance(one, NoAction)]
        if who in effect.on and any(one.deed.value in kinds for one in gives):
            return effect
    return None


async def spend(
    play: Play, who: InvestigatorId, number: int, kind: str, source: Source, *more: str
) -> bool:
    """
    Spend actions: an additional one that qualifies first, by itself. C-XACT-1 to C-XACT-3.

    Where several qualify the investigator chooses; what it does not pay, normal actions do
    (C-DECIDE-39).

    Returns:
        Whether any was spent, so that there are attacks of opportunity. C-AOO-1.
    """
    if not number:
        return False
    free = free_by(play, who, (kind, *more))
    if free is not None:
        play.emit(LastingEnded((free.number,)))
        return False
    one = play.table.investigators[who]
    fitting = [at for at, extra in enumerate(one.extra) if fits(extra, (kind, *more))]
    left = list(one.extra)
    if fitting:
        at = fitting[0]
        if len({one.extra[n] for n in fitting}) > 1:
            at = await play.choose(
                seat(play, who),
                [Option(n, Text("choice/card", (one.extra[n].source,))) for n in fitting],
                rule="C-XACT-3",
                about=source.about(),
                prompt=Text("ask/extra", (who,)),
            )
        del left[at]
        number -= 1
    lost = play.table.investigators[who].actions_lost
    play.emit(ActionsSet(who, one.actions - number, tuple(left), lost))
    return True


async def lose(play: Play, who: InvestigatorId, number: int, source: Source) -> None:
    """
    Have an investigator lose actions: normal ones first. C-XACT-4 to C-XACT-6.

    Outside the own turn the loss waits for the next turn (C-DECIDE-38).
    """
    one = play.table.investigators[who]
    if play.table.active != who:
        play.emit(ActionsSet(who, one.actions, one.extra, one.actions_lost + number))
        return
    normal = min(number, one.actions)
    extra, left = list(one.extra), number - normal
    while left > 0 and extra:
        at = 0
        if left < len(extra) and len(set(extra)) > 1:
            at = await play.choose(
                seat(play, who),
                [Option(n, Text("choice/card", (one_.source,))) for n, one_ in enumerate(extra)],
                rule="C-XACT-6",
                about=source.about(),
                prompt=Text("ask/lose_extra", (who,)),
            )
        del extra[at]
        left -= 1
    play.emit(ActionsSet(who, one.actions - normal, tuple(extra), one.actions_lost))


def gain(play: Play, who: InvestigatorId, number: int) -> None:
    """Give an investigator actions."""
    one = play.table.investigators[who]
    play.emit(ActionsSet(who, one.actions + number, one.extra, one.actions_lost))
