"""Steps about the cards of the story, and about what the keeper explores and solves."""

from content.games.first_edition.schema import effects as schema
from protocol.games.first_edition.events import StoryCardGone
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules import places, puzzles, story_decks, targets
from server.games.first_edition.rules.effects import Run, resolves


@resolves(schema.Deal)
async def _deal(run: Run, step: schema.Deal) -> None:
    """Deal a card of the story to each of these, or to a room. W-DECIDE-50."""
    owners = await run.characters(step.who) if step.room is None else (step.room,)
    for owner in owners:
        story_decks.deal(run.game, step.deck, owner)


@resolves(schema.TurnUp)
async def _turn_up(run: Run, step: schema.TurnUp) -> None:
    """Turn up the cards of one kind of these, and resolve each. W-DECIDE-50."""
    play = run.game
    if step.room is None:
        owners = await run.characters(step.who)
    else:
        owners = places.rooms_at(play, step.room, run.source)
    for card in tuple(play.table.story_cards.values()):
        if card.kind is step.deck and card.owner in owners:
            is_room = step.room is not None
            await story_decks.turn_up(
                play, card.number, run.source.actor if is_room else card.owner
            )


@resolves(schema.DiscardCard)
async def _discard_card(run: Run, step: schema.DiscardCard) -> None:
    """Take a card of the story that lies face up out of the game. W-DECIDE-50."""
    for card in tuple(run.game.table.story_cards.values()):
        if card.shown == step.card:
            run.game.emit(StoryCardGone(card.number))


@resolves(schema.KeeperExplores)
async def _keeper_explores(run: Run, step: schema.KeeperExplores) -> None:
    """Have the keeper explore a room in which a monster of his is. W-DECIDE-49."""
    monsters = targets.which_monsters(run.game, step.which, run.source)
    await story_decks.keeper_explores(run.game, monsters, run.source)


@resolves(schema.Ritual)
async def _ritual(run: Run, step: schema.Ritual) -> None:
    """Have the keeper try the ritual puzzle; investigators cannot. W-STORY-8, W-DECIDE-48."""
    if step.puzzle in run.game.table.solved:
        return
    if await puzzles.attempt(run.game, KEEPER, step.puzzle, step.actions):
        await run.resolve(step.solved)
