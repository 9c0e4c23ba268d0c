"""Steps about enemies and moves."""

from content.games.cards.schema import steps as s
from content.games.cards.schema.targets import Choose
from protocol.games.cards.events import Moved
from protocol.games.cards.table import ENCOUNTER, Card, Place, further
from protocol.games.cards.words import Zone
from server.games.cards.rules import encounter, enemies, locations, targets
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Play, Source, location_of


@resolves(s.Move, alone=True)
async def _move(run: Run, step: s.Move) -> None:
    """C-BACT-14. Of several places nobody may choose one to which nobody can move. C-BABIL-22."""
    play = run.game
    people = await run.people(step.who)

    def can_be_reached(place: Card) -> bool:
        return any(locations.can_move(play, who, place.piece) for who in people)

    is_choice = isinstance(step.to, Choose)
    places = await run.cards(step.to, can_be_reached if is_choice else None)
    if places:
        run.source.is_done = await locations.move(play, people, places[0], run.source)


@changes(s.Move)
def _can_move(play: Play, step: s.Move, source: Source) -> bool:
    people = targets.people_now(play, step.who, source)
    of = getattr(step.to, "of", None)
    if of is None:
        return bool(people)
    found = targets.candidates(play, of, source)
    return any(locations.can_move(play, who, card.piece) for who in people for card in found)


@changes(s.MoveEnemy, s.Disengage, s.Attack)
def _can_concern(play: Play, step: s.MoveEnemy | s.Disengage | s.Attack, source: Source) -> bool:
    """C-BABIL-22."""
    return targets.is_there(play, step.card, source)


@resolves(s.MoveEnemy)
async def _move_enemy(run: Run, step: s.MoveEnemy) -> None:
    """C-BENEMY-32, C-NEAR-4: without a path it does not move."""
    play = run.game
    for piece in await run.cards(step.card):
        card = play.table.cards.get(piece)
        if card is None:
            continue
        if step.to is not None:
            places = await targets.cards(play, step.to, run.source)
            if places:
                await enemies.move(play, piece, places[0])
            continue
        goal, start = play.table.here(run.source.you), location_of(play, card)
        ways = locations.first_steps(play, start, (goal,), card)
        chosen = await targets.choose(
            play, [play.table.cards[way] for way in ways], run.source, 1, 1
        )
        if chosen:
            await enemies.move(play, piece, chosen[0])


@resolves(s.Engage)
async def _engage(run: Run, step: s.Engage) -> None:
    """C-ENG-1."""
    people = await run.people(step.who)
    for piece in await run.cards(step.card):
        if people:
            await enemies.engage(run.game, [(enemies.swarm_of(run.game, piece)[0], people[0])])


@resolves(s.Disengage)
async def _disengage(run: Run, step: s.Disengage) -> None:
    """C-BENEMY-22: what ended the engagement is complete before another begins."""
    pieces = await run.cards(step.card)
    run.source.freed += pieces
    await enemies.disengage(run.game, pieces)


@resolves(s.EvadeNow)
async def _evade(run: Run, step: s.EvadeNow) -> None:
    """C-AUTO-10 to C-AUTO-12, C-ENG-4."""
    for piece in await run.cards(step.card):
        await enemies.evade(run.game, piece, run.source.you)


@resolves(s.Attack, alone=True)
async def _attack(run: Run, step: s.Attack) -> None:
    """C-BENEMY-16."""
    people = await run.people(step.who)
    for piece in await run.cards(step.card):
        for who in people:
            await enemies.attack(run.game, piece, who)


@resolves(s.Spawn)
async def _spawn(run: Run, step: s.Spawn) -> None:
    """C-SPAWN-1."""
    play, source = run.game, run.source
    found = _spawning(play, step, source)
    if not found:
        source.is_done = False
        return
    at = await targets.cards(play, step.at, source) if step.at is not None else ()
    people = await run.people(step.engaged_with) if step.engaged_with is not None else ()
    await enemies.spawn(
        play,
        found[0].piece,
        "",
        at=at[0] if at else "",
        with_=people[0] if people else "",
    )


@changes(s.Spawn)
def _can_spawn(play: Play, step: s.Spawn, source: Source) -> bool:
    """C-BABIL-22."""
    return bool(_spawning(play, step, source))


def _spawning(play: Play, step: s.Spawn, source: Source) -> list[Card]:
    """Return the enemies of which the first spawns: set-aside ones, or discarded ones that fit."""
    if step.discarded is None:
        return [card for card in play.table.lying(Zone.ASIDE) if card.code == step.id]
    pile = reversed(play.table.lying(Zone.DISCARD, ENCOUNTER))
    return [card for card in pile if targets.fits(play, card, step.discarded, source)]


@resolves(s.DrawEncounter, alone=True)
async def _encounter(run: Run, step: s.DrawEncounter) -> None:
    """C-BENC-14, C-BABIL-37: one after another."""
    play, occurrence = run.game, run.source.occurrence
    if step.takes_over:
        assert occurrence is not None
        occurrence.who = run.source.you
        play.emit(Moved((occurrence.card,), Place(Zone.RESOLVING, run.source.you)))
        return
    pieces = () if step.revelation_of is None else await run.cards(step.revelation_of)
    number = run.number(step.number)
    for who in await run.people(step.who):
        for piece in pieces:
            await encounter.reveal(play, who, piece)
        for _ in range(0 if step.revelation_of is not None else number):
            await encounter.draw(play, who, further(step.deck) if step.deck else ENCOUNTER)


@changes(s.DrawEncounter)
def _can_encounter(play: Play, step: s.DrawEncounter, source: Source) -> bool:
    """C-BABIL-22: a Revelation can be resolved of a card that is there."""
    if step.revelation_of is not None:
        return targets.is_there(play, step.revelation_of, source)
    if not step.takes_over:
        return True
    answered = source.occurrence
    card = None if answered is None else play.table.cards.get(answered.card)
    return card is not None and card.at.zone is Zone.RESOLVING


@resolves(s.Explore, alone=True)
async def _explore(run: Run, step: s.Explore) -> None:
    """C-BSPEC-1, C-EXPL-3: whatever comes of it, the action is over."""
    await encounter.explore(run.game, run.source.you, further(step.deck), step.of)


@changes(s.Explore)
def _can_explore(play: Play, step: s.Explore, source: Source) -> bool:
    del source
    return bool(play.table.piles.get(further(step.deck)))
