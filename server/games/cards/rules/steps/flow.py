"""Steps that say how an effect goes on, and steps about what was going to happen."""

from content.games.cards.schema import steps as s
from content.games.cards.schema.kinds import CardType
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import type_of
from protocol.common.text import Text
from protocol.games.cards.events import DelayedBegan, LastingBegan, Told
from protocol.games.cards.words import Until
from protocol.values import evolve
from server.games.cards.rules import (
    conditions,
    effects,
    encounter,
    hands,
    targets,
    timing,
    values,
)
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Play, Source, seat, told_and_sealed
from server.kernel.asks import Option


@resolves(s.If)
async def _if(run: Run, step: s.If) -> None:
    holds = conditions.holds(run.game, step.that, run.source)
    await run.resolve(step.do if holds else step.else_)


@changes(s.If)
def _can_if(play: Play, step: s.If, source: Source) -> bool:
    holds = conditions.holds(play, step.that, source)
    return effects.can_change(play, step.do if holds else step.else_, source)


@resolves(s.May)
async def _may(run: Run, step: s.May) -> None:
    """C-BABIL-12: those whom the text addresses decide, in player order. C-BABIL-23."""
    play = run.game
    willing = []
    for who in await run.people(step.who):
        inside = _for(run.source, who)
        options = [Option(value=False, text=Text("choice/leave"))]
        if effects.can_change(play, step.do, inside):
            options.insert(0, Option(value=True, text=_does(run, step, 0, who)))
        elif not hands.may_hide(play, who, step.do):
            continue
        name = run.source.name_for(play, who)
        yes = await play.choose(
            seat(play, who),
            options,
            rule="C-BABIL-12",
            about=run.source.about(),
            prompt=Text("ask/may", (who, name)),
        )
        run.source.is_done = yes
        if yes:
            willing.append(inside)
    await timing.at_once(play, [run.resolve(step.do, inside) for inside in willing])


@changes(s.May, s.Times)
def _can_may(play: Play, step: s.May, source: Source) -> bool:
    return effects.can_change(play, step.do, source)


def _for(source: Source, who: str) -> Source:
    """Return the source with another "you"."""
    if source.you == who:
        return source
    return evolve(source, you=who)


@resolves(s.Either)
async def _either(run: Run, step: s.Either) -> None:
    """
    Have each choose one way, in player order; then all is carried out. C-BABIL-23, C-BABIL-28.

    On scenario cards only ways that change something can be chosen; if none does, nothing happens
    (C-CHOICE-7, C-DECIDE-21).
    """
    play, source = run.game, run.source
    matters = step.must_matter if step.must_matter is not None else _is_scenario(play, source)
    chosen = []
    for who in await run.people(step.who):
        inside = _for(source, who)
        able = [
            at
            for at, way in enumerate(step.ways)
            if not matters or effects.can_change(play, way, inside)
        ]
        if not able:
            continue
        at, name = able[0], source.name_for(play, who)
        barred = tuple(way for n, way in enumerate(step.ways) if n not in able)
        if len(able) > 1 or hands.may_hide(play, who, barred):
            at = await play.choose(
                seat(play, who),
                [Option(n, _does(run, step, n, who)) for n in able],
                rule="C-CHOICE-7",
                about=source.about(),
                prompt=Text("ask/either", (who, name)),
            )
        chosen.append((inside, step.ways[at]))
    await timing.at_once(play, [run.resolve(way, inside) for inside, way in chosen])


def _does(run: Run, step: s.Either | s.May, option: int, who: str) -> Text:
    """
    Return what an option does, in the words that were written from the card's data.

    They would name a hidden card to those who may not know it. C-BKEY-7.
    """
    code = run.source.code
    if run.source.name_for(run.game, who) != code:
        return Text("choice/hidden_option", (option + 1,))
    at = run.game.content.place_of(code, step)
    return Text("choice/do", (Text(code, (), f"option.{at}.{option}"),))


def _is_scenario(play: Play, source: Source) -> bool:
    face = play.content.faces.get(source.code)
    players = (CardType.ASSET, CardType.EVENT, CardType.SKILL, CardType.INVESTIGATOR)
    return face is None or type_of(face) not in players


@changes(s.Either)
def _can_either(play: Play, step: s.Either, source: Source) -> bool:
    return any(effects.can_change(play, way, source) for way in step.ways)


@resolves(s.Must)
async def _must(run: Run, step: s.Must) -> None:
    """C-BABIL-31, C-BABIL-40: it is done whenever it can be, and skipped where it cannot."""
    if effects.can_change(run.game, step.do, run.source):
        await run.resolve(step.do)
    else:
        await run.resolve(step.else_)


@resolves(s.ForEach)
async def _for_each(run: Run, step: s.ForEach) -> None:
    """C-BABIL-37: in player order, each completely."""
    for who in await run.people(step.who):
        if who in run.game.table.order:
            await run.resolve(step.do, _for(run.source, who))


@resolves(s.Times)
async def _times(run: Run, step: s.Times) -> None:
    """C-BABIL-33: counted once, when the effect begins."""
    for _ in range(run.number(step.number)):
        await run.resolve(step.do)


@resolves(s.ChooseStep)
async def _choose(run: Run, step: s.ChooseStep) -> None:
    cards = step.card is None or bool(await run.cards(step.card))
    people = step.who is None or bool(await run.people(step.who))
    run.source.is_done = cards and people


@changes(s.ChooseStep)
def _can_choose(play: Play, step: s.ChooseStep, source: Source) -> bool:
    """C-BPLAY-13: what is chosen is changed by the steps after it alone."""
    del play, step, source
    return False


@resolves(s.LastingStep)
async def _lasting(run: Run, step: s.LastingStep) -> None:
    """C-BABIL-20: on the objects that are fixed now."""
    play, source = run.game, run.source
    if not _is_going_on(play, step.until):
        source.is_done = False
        return
    on = await targets.cards(play, step.card, source) if step.card is not None else (source.you,)
    if not on:
        source.is_done = False
        return
    fixed = 0 if step.number is None else values.number(play, step.number, source)
    told, sealed = told_and_sealed(play, step, source)
    play.emit(
        LastingBegan(
            play.table.next_effect,
            told,
            tuple(on),
            step.until,
            source.you,
            fixed,
            source.holder,
            sealed,
        )
    )


@changes(s.LastingStep)
def _can_last(play: Play, step: s.LastingStep, source: Source) -> bool:
    of = getattr(step.card, "of", None)
    is_for_any = of is None or bool(targets.candidates(play, of, source))
    return is_for_any and _is_going_on(play, step.until)


def _is_going_on(play: Play, until: Until) -> bool:
    """Return whether there is a turn for what would last until the end of the turn. C-TIME-4."""
    return until is not Until.TURN or bool(play.table.active)


@resolves(s.Later)
async def _later(run: Run, step: s.Later) -> None:
    """C-BABIL-21."""
    play, source = run.game, run.source
    if not _is_going_on(play, step.until):
        source.is_done = False
        return
    on = await targets.cards(play, step.card, source) if step.card is not None else ()
    told, sealed = told_and_sealed(play, step, source)
    number, holder = play.table.next_effect, source.holder
    play.emit(DelayedBegan(number, told, source.you, tuple(on), step.until, holder, sealed))


@changes(s.Later)
def _can_come(play: Play, step: s.Later, source: Source) -> bool:
    del source
    return _is_going_on(play, step.until)


# What was going to happen


@resolves(s.Cancel)
async def _cancel(run: Run, step: s.Cancel) -> None:
    """C-BABIL-15, C-BABIL-30: the effect is stopped; costs stay paid."""
    occurrence = run.source.occurrence
    if occurrence is not None and step.yes:
        if occurrence.kind is Happening.ENCOUNTER_DRAWN:
            # C-BENC-8: it was drawn all the same; its Revelation does not come.
            occurrence.tags |= {encounter.CANCELLED}
        else:
            occurrence.is_off = True
        run.game.emit(Told(Text("notice/cancelled", (run.source.public_name, occurrence.about()))))


@resolves(s.Reduce)
async def _reduce(run: Run, step: s.Reduce) -> None:
    """C-BDMG-21."""
    occurrence, number = run.source.occurrence, run.number(step.number)
    if occurrence is None:
        return
    if step.token != "horror":  # noqa: S105  # a piece of the game
        occurrence.amount = max(0, occurrence.amount - number)
    if step.token in ("", "horror"):
        occurrence.horror = max(0, occurrence.horror - number)


@changes(s.Cancel, s.Reduce, s.MoveHarm)
def _can_cancel(play: Play, step: s.Cancel, source: Source) -> bool:
    del play
    occurrence = source.occurrence
    if occurrence is None or occurrence.is_off or encounter.CANCELLED in occurrence.tags:
        return False
    if isinstance(step, s.Reduce):
        return bool(occurrence.horror if step.token == "horror" else occurrence.amount)  # noqa: S105
    return True


@resolves(s.MoveHarm)
async def _move_harm(run: Run, step: s.MoveHarm) -> None:
    pieces = await run.cards(step.to)
    if run.source.occurrence is not None and pieces:
        run.source.occurrence.redirect = pieces[0]
