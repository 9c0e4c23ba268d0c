"""Steps about curses, further actions, the cards of the story, and what the keeper finds."""

from content.games.first_edition.schema import effects as schema
from protocol.games.first_edition.events import ActionGained, StoryCardGone
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules import curses, places, puzzles, story_decks, targets
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
    for card in story_decks.face_down(play, step.deck):
        if card.owner in owners:
            actor = card.owner if step.room is None else run.source.actor
            await story_decks.turn_up(play, card.number, actor)


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


@resolves(schema.Curse)
async def _curse(run: Run, step: schema.Curse) -> None:
    """Give characters one curse token each. W-CURSE-1."""
    for who in await run.characters(step.who):
        curses.curse(run.game, who)


@resolves(schema.Uncurse)
async def _uncurse(run: Run, step: schema.Uncurse) -> None:
    """Discard curse tokens of characters. W-CURSE-6, W-ALLY-6."""
    for who in await run.characters(step.who, heals=True):
        curses.lift(run.game, who, step.count)


@resolves(schema.AnotherAction)
async def _another_action(run: Run, step: schema.AnotherAction) -> None:
    """
    Allow the actor one more action in the own turn. W-SPELL-2.

    Types that were taken in this turn are left out of those that it can have. Once the turn is over
    there is none (W-SPELL-3), nor while the action of the turn is left: there is one at a time.
    """
    table, who = run.game.table, run.source.actor
    types = tuple(one.value for one in step.types if one.value not in table.actions_taken)
    is_in_turn = who is not None and table.active == who and not table.has_action
    if is_in_turn and (types or not step.types):
        assert who is not None
        run.game.emit(ActionGained(who, types))
