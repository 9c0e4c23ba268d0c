"""Steps about the scenario: doom, acts, locations, the end."""

from content.games.cards.schema import steps as s
from content.games.cards.schema.targets import TheCard
from protocol.common.text import Text
from protocol.games.cards.events import Moved, Remembered, Told
from protocol.games.cards.table import Place
from protocol.games.cards.words import Zone
from server.games.cards.rules import (
    actions,
    elimination,
    locations,
    story,
    targets,
    turns,
)
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Play, Source


@resolves(s.Doom)
async def _doom(run: Run, step: s.Doom) -> None:
    """C-BDOOM-1, C-BDOOM-3."""
    for piece in await run.cards(step.card):
        await story.place_doom(run.game, piece, run.number(step.number))
    if step.advances:
        await story.check_doom(run.game)


@changes(s.Doom, s.TakeOut, s.RevealLocation)
def _can_concern(play: Play, step: s.Doom | s.TakeOut | s.RevealLocation, source: Source) -> bool:
    """C-BABIL-22."""
    return targets.is_there(play, step.card, source)


@resolves(s.Advance)
async def _advance(run: Run, step: s.Advance) -> None:
    """C-BACTS-3, C-BDOOM-6."""
    zone = Zone.ACT if step.card is TheCard.ACT else Zone.AGENDA
    await story.advance(run.game, zone, keeps_doom=step.keeps_doom)


@resolves(s.TakeOut)
async def _take_out(run: Run, step: s.TakeOut) -> None:
    """
    Remove locations; everybody there goes to another one first. C-DECIDE-28, C-NOLOC-2.

    "Cannot move" does not keep anybody at a place that goes (C-NOLOC-2). C-NOLOC-1.
    """
    play = run.game
    gone = await targets.cards(play, step.card, run.source)
    to = await targets.cards(play, step.to, run.source) if step.to is not None else ()
    for piece in gone:
        people = tuple(
            who for who in play.table.order if play.table.investigators[who].location == piece
        )
        there = [c for c in play.table.cards.values() if c.at == Place(Zone.AT, piece)]
        if (people or there) and (not to or to[0] in gone):
            play.emit(Told(Text("notice/nobody_nowhere", (run.source.public_name,))))
            continue
        for card in there:
            play.emit(Moved((card.piece,), Place(Zone.AT, to[0]), card.controller))
        if people:
            await locations.arrive(play, people, to[0])
        await story.remove_location(play, piece)


@resolves(s.RevealLocation)
async def _reveal(run: Run, step: s.RevealLocation) -> None:
    await locations.reveal(run.game, await run.cards(step.card))


@resolves(s.Remember)
async def _remember(run: Run, step: s.Remember) -> None:
    """C-REM-1."""
    run.game.emit(Remembered(step.phrase))


@resolves(s.Resolution)
async def _resolution(run: Run, step: s.Resolution) -> None:
    """C-BEND-1."""
    found = next(one for one in run.game.content.scenario.resolutions if one.id == step.id)
    await elimination.end(run.game, found)


@resolves(s.EndTurn)
async def _end_turn(run: Run, step: s.EndTurn) -> None:
    """C-TIME-3, C-TIME-4: the rest of what is being resolved goes on."""
    if step.yes and run.source.you:
        await turns.end(run.game, run.source.you)


@resolves(s.Haunt)
async def _haunt(run: Run, step: s.Haunt) -> None:
    """C-BKEY-27."""
    for piece in await run.cards(step.card):
        await actions.haunt(run.game, piece, run.source.you)


@changes(s.Haunt)
def _can_haunt(play: Play, step: s.Haunt, source: Source) -> bool:
    del step
    return bool(source.you) and bool(play.table.here(source.you))
