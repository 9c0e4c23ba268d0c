"""Steps that control the course of the story: choices, chance, counters, the end."""

from content.games.first_edition.schema import effects as schema
from content.games.first_edition.schema.effects import By
from protocol.common.text import Text
from protocol.games.first_edition.events import CounterChanged, ThreatChanged, Told
from protocol.values import evolve
from server.games.first_edition.rules import decks, objective, story, trauma
from server.games.first_edition.rules.effects import Run, resolves
from server.games.first_edition.rules.play import about, answerer, keeper
from server.kernel.asks import Option


@resolves(schema.Say)
async def _say(run: Run, step: schema.Say) -> None:
    """Show a text to all. It has no effect, and stays to be read. K-TEXT-1, K-INFO-9."""
    run.game.emit(Told(Text(step.text)))


@resolves(schema.When)
async def _when(run: Run, step: schema.When) -> None:
    """Resolve one of two effects."""
    await run.resolve(step.then if run.holds(step.holds) else step.otherwise)


@resolves(schema.Choose)
async def _choose(run: Run, step: schema.Choose) -> None:
    """Let the actor or the keeper choose how the effect continues."""
    play, actor = run.game, run.source.actor
    by_keeper = step.by is By.KEEPER or actor is None or not play.table.is_here(actor)
    options = [
        Option(one.effect, Text(one.text, (actor,) if actor else ()))
        for one in step.options
        if run.holds(one.when)
    ]
    if not options:
        return
    seat = keeper(play) if by_keeper or actor is None else answerer(play, actor)
    effect = await play.choose(
        seat, options, rule="K-CARD-4", about=about(run.source), prompt=Text(step.prompt)
    )
    await run.resolve(effect)


@resolves(schema.ForEach)
async def _for_each(run: Run, step: schema.ForEach) -> None:
    """
    Resolve an effect for several investigators, each in turn the actor.

    The keeper is asked once about all harm, afterwards. K-DECIDE-27.
    """
    people = await run.characters(step.who)
    with trauma.held_back(run.game):
        for who in people:
            if run.game.table.is_here(who):
                await run.resolve(step.effect, evolve(run.source, actor=who))
    await trauma.settle(run.game)


@resolves(schema.OneOf)
async def _one_of(run: Run, step: schema.OneOf) -> None:
    """Resolve one of several effects, picked at random in public. K-DECIDE-99."""
    await run.resolve(run.game.pick("effect", step.ways))


@resolves(schema.Tally)
@resolves(schema.Count)
async def _count(run: Run, step: schema.Count) -> None:
    """Change a counter of the story, within its bounds. K-DECIDE-105."""
    line = run.game.table.counters[step.of]
    amount = max(0, line.amount + step.add)
    run.game.emit(CounterChanged(step.of, amount if line.most is None else min(amount, line.most)))


@resolves(schema.Threat)
async def _threat(run: Run, step: schema.Threat) -> None:
    """Give the keeper threat, or take it."""
    run.game.emit(ThreatChanged(step.add))


@resolves(schema.Time)
async def _time(run: Run, step: schema.Time) -> None:
    """Put time tokens on the event deck. K-EVENT-2."""
    for _ in range(step.add):
        await story.add_time(run.game)


@resolves(schema.Draw)
async def _draw(run: Run, step: schema.Draw) -> None:
    """Have the keeper draw cards. K-TRAUMA-5."""
    for _ in range(step.mythos):
        decks.draw_mythos(run.game)
    for _ in range(step.trauma):
        decks.draw_trauma(run.game)


@resolves(schema.Reveal)
async def _reveal(run: Run, _step: schema.Reveal) -> None:
    """Reveal the objective. K-GOAL-3."""
    objective.reveal(run.game)


@resolves(schema.Win)
async def _win(run: Run, step: schema.Win) -> None:
    """End the game for one side."""
    objective.win(run.game, step.side)
