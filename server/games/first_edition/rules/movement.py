"""Movement of investigators: one step into an adjacent space. Section 6."""

import functools

from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.first_edition.events import FeatureMoved, Moved, StepSpent
from protocol.games.first_edition.table import FeatureId, InvestigatorId, SpaceId
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import adjacency, evade, features, horror, locks, places
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer a step into each adjacent space, with a corpse or without. K-MOVE-1, K-CORPSE-1."""
    table = play.table
    here = table.investigators[who].space
    options: list[Option[PlayerAction]] = []
    refused: list[RefusedChoice] = []
    corpses = table.features_at(here, FeatureKind.CORPSE)
    for space in adjacency.beside(table, here, adjacency.INVESTIGATOR_LINKS):
        text = Text("choice/move", (places.name(table, space),))
        if reason := _refusal(play, who, space):
            refused.append(RefusedChoice(text, *reason))
            continue
        point = (places.at_space(space),)
        options.append(Option(functools.partial(step, play, who, space), text, point, "move"))
        if corpses:
            drag = functools.partial(step, play, who, space, corpses[0].feature_id)
            dragging = Text("choice/drag", (places.name(table, space),))
            options.append(Option(drag, dragging, point, "move"))
    return Offers(tuple(options), tuple(refused))


def _refusal(play: Play, who: InvestigatorId, space: SpaceId) -> tuple[Text, str] | None:
    """Return why a step cannot be taken, with its rule; None if it can."""
    table = play.table
    has = table.investigators[who]
    if not table.steps_left:
        return Text("refusal/no_steps"), "K-TURN-1"
    if has.hidden_in is not None:
        return Text("refusal/hidden"), "K-HIDE-2"
    if adjacency.barricade_between(table, has.space, space) is not None:
        return Text("refusal/barricaded"), "K-BARR-3"
    return None


async def step(
    play: Play, who: InvestigatorId, space: SpaceId, corpse: FeatureId | None = None
) -> None:
    """
    Take one movement step. K-MOVE-1, K-MOVE-2, K-EVADE-1, K-DECIDE-36, K-DECIDE-81.

    Evade tests come first, then the lock and the fire of the room that is entered, then the move
    and the horror tests. A lock that stays shut costs the step all the same.
    """
    if not await evade.before(play, who):
        return
    play.emit(StepSpent(who))
    table = play.table
    enters = table.room_of(space) != table.room_of(table.investigators[who].space)
    if enters:
        if not await locks.try_to_enter(play, who, table.room_of(space)):
            return
        await features.enter_fire(play, who, table.room_of(space))
        if who not in play.table.investigators:
            return
    play.emit(Moved(who, space))
    if corpse is not None:
        play.emit(FeatureMoved(corpse, space))
        features.burn_corpses(play, play.table.room_of(space))
    if enters:
        await horror.on_entering(play, who)


async def put(play: Play, who: InvestigatorId, space: SpaceId) -> None:
    """Have the keeper or an effect move an investigator; no evade test. K-EVADE-10, K-DECIDE-85."""
    table = play.table
    enters = table.room_of(space) != table.room_of(table.investigators[who].space)
    if enters and table.room_of(space) in table.locks:
        return
    play.emit(Moved(who, space))
    if enters:
        await horror.on_entering(play, who)
