"""Steps about the house: features, locks and what investigators have."""

from collections.abc import Sequence

from content.games.first_edition.schema import effects as schema
from protocol.common.text import Text
from protocol.games.first_edition.events import ItemUsedUp, LockOpened
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import drop, exploring, features, newcomers, places
from server.games.first_edition.rules.effects import Run, resolves
from server.games.first_edition.rules.play import about


@resolves(schema.PlaceFeature)
async def _place(run: Run, step: schema.PlaceFeature) -> None:
    """Put a feature or a marker on the board; one of several places is chosen. K-DECIDE-79."""
    there = places.of_feature(run.game, step.kind, step.at, run.source)
    at = await _choose(run, step, features.free(run.game, step.kind, there))
    if at is not None:
        features.place(run.game, step.kind, at)


@resolves(schema.RemoveFeature)
async def _remove(run: Run, step: schema.RemoveFeature) -> None:
    """Take the features of a kind away from a place; `chosen` is one place. K-DECIDE-79."""
    play = run.game
    found = places.of_feature(play, step.kind, step.at, run.source)
    there = [one for one in found if play.table.features_at(one, step.kind)]
    if step.at == "chosen":
        chosen = await _choose(run, step, there)
        there = [] if chosen is None else [chosen]
    for one in there:
        for feature in play.table.features_at(one, step.kind):
            features.remove(play, feature.feature_id)


async def _choose(
    run: Run, step: schema.PlaceFeature | schema.RemoveFeature, there: Sequence[str]
) -> str | None:
    """Have one of several places chosen for a feature; None if there is none."""
    if step.kind.is_of_room or not there:
        return await places.choose_room(run.game, there, run.source)
    name = f"feature/{step.kind.value}"
    return await places.choose_space(run.game, there, run.source, name)


@resolves(schema.SpreadFire)
async def _spread_fire(run: Run, _step: schema.SpreadFire) -> None:
    """Set a room on fire that fire can reach. K-CAMP-2."""
    room = await places.choose_room(run.game, features.fire_can_spread_to(run.game), run.source)
    if room is not None:
        features.place(run.game, FeatureKind.FIRE, room)


@resolves(schema.Unlock)
async def _unlock(run: Run, step: schema.Unlock) -> None:
    """Discard the lock of a room, if it has one."""
    if step.room in run.game.table.locks:
        run.game.emit(LockOpened(step.room))


@resolves(schema.Gain)
async def _gain(run: Run, step: schema.Gain) -> None:
    """Give investigators an item or a spell; an item that somebody has is not there to give."""
    play = run.game
    for who in await run.people(step.who):
        people = play.table.investigators.values()
        known = [item for one in people for item in one.items]
        known += [item for items in play.table.lying.values() for item in items]
        if step.item is not None and all(item.card != step.item for item in known):
            newcomers.gain_item(play, who, step.item)
        if step.spell is not None:
            newcomers.gain_spell(play, who, step.spell)


@resolves(schema.Take)
async def _take(run: Run, step: schema.Take) -> None:
    """Let the actor take items that lie face up in another place. K-DECIDE-39."""
    who = run.source.actor
    for room in places.rooms_at(run.game, step.at, run.source):
        if who is not None and who in run.game.table.investigators:
            await exploring.take(run.game, who, room)


@resolves(schema.LoseItem)
async def _lose_item(run: Run, step: schema.LoseItem) -> None:
    """Have investigators discard or drop items of their choice, or one item. K-ACT-5."""
    play = run.game
    for who in await run.people(step.who):
        fitting = [
            item
            for item in play.table.investigators[who].items
            if step.item in {None, item.card}
            and (step.keyword is None or step.keyword in item.keywords)
        ]
        count = min(step.count, len(fitting))
        prompt = Text("ask/lose_item", (who, count))
        bounds = (count, count)
        for piece in await drop.choose(play, who, fitting, bounds, about(run.source), prompt):
            if step.drop:
                drop.leave(play, who, piece)
            else:
                play.emit(ItemUsedUp(who, piece))
